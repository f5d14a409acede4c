sim: obj_dir/Vtb
	obj_dir/Vtb
obj_dir/Vtb: sim/tb.v sim/primitives.v $(TOP).v
	verilator --binary --timing -O3 --output-split 20000 -Wno-fatal -Wno-lint -Wno-style -MAKEFLAGS OPT_FAST=-O0 -j 2 --top-module tb --Mdir obj_dir $^
