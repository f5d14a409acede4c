# @TITLE@: @CONFIG@ behind AXI4-Lite registers. SPDX-License-Identifier: MIT OR Apache-2.0
#   make              the overlay, pynq/tengen.bit and pynq/tengen.hwh, by Vivado
#   make copy         copies it with its Python module and notebook to a running PYNQ: make copy TO=xilinx@pynq:jupyter_notebooks/tengen
#   make sim          recorded games through the registers, in Verilator
TO = xilinx@pynq:jupyter_notebooks/tengen
VIVADO ?= vivado

pynq/tengen.bit: rtl/@TOP@.v pynq/overlay.tcl
	@command -v $(VIVADO) >/dev/null || { echo "$(VIVADO) is not there: put Vivado on the path (source its settings64.sh), or name it: make VIVADO=..." >&2; exit 2; }
	$(VIVADO) -mode batch -nojournal -log vivado.log -source pynq/overlay.tcl -tclargs @PART@ @MHZ@ @CRYSTAL@
copy: pynq/tengen.bit
	@to="$(TO)"; case $$to in *:) ;; *:*) ssh "$${to%%:*}" mkdir -p "$${to#*:}" ;; *) mkdir -p "$$to" ;; esac
	scp pynq/tengen.bit pynq/tengen.hwh pynq/tengen_pynq.py pynq/play.ipynb "$(if $(filter %:,$(TO)),$(TO),$(TO)/)"
sim:
	$(MAKE) -C sim verilator
clean:
	rm -rf pynq/tengen.bit pynq/tengen.hwh pynq/project pynq/*.rpt *.log .Xil
.PHONY: copy sim clean
