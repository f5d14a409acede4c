# vivado -mode batch -source tcl/wujian100.tcl -tclargs CHECKOUT SLOT OUT FIRMWARE
# Builds wujian100_open (checked against commit 83e2975) with the engine in low-speed slot SLOT (0 to 3, default 0): synthesis
# to bitstream in OUT (default wujian100_@TOP@). With FIRMWARE, the tengen.pat of `tengen firmware`, the board plays from
# power-on: the image is in the instruction memory. The checkout stays as it is. A constraint whose name matches nothing and
# time that is missing are errors. The SoC's own flow, Synplify and then Vivado, is tcl/wujian100_synplify.tcl.
@SOURCES@# Names without a match: ports, nets, pins, cells, clocks, and properties of nothing.
foreach id {{Vivado 12-584} {Vivado 12-507} {Vivado 12-508} {Vivado 12-180} {Vivado 12-627} {Vivado 12-4739} {Common 17-55}} {
  set_msg_config -id $id -new_severity ERROR
}
# The sources that the SoC's own project names.
foreach {line path} [regexp -all -inline -line {^add_file -verilog "([^"]+)"} [contents $project]] {
  read_verilog [source_of [file normalize [file join [file dirname $project] $path]]]
}
all_found
read_verilog [file join $here rtl @TOP@.v]
read_xdc [board_constraints]
read_xdc [file join $here constraints @TOP@.xdc]
# The project leaves clocks to Synplify. The debugger's has nothing to do with the board's, nor have the reset key and the board's.
written [file join $out clocks.xdc] {create_clock -name EHS -period @PERIOD@ [get_ports PIN_EHS]
create_clock -name JTAG -period 1000.000 [get_ports PAD_JTAG_TCLK]
set_clock_groups -asynchronous -group [get_clocks -include_generated_clocks EHS] -group [get_clocks -include_generated_clocks JTAG]
set_false_path -from [get_ports PAD_MCURST]
}
read_xdc [file join $out clocks.xdc]
synth_design -top wujian100_open_top -part @PART@ -include_dirs [file join $checkout soc params] -verilog_define FPGA
report_utilization -file [file join $out utilization_synth.rpt]
report_utilization -hierarchical -file [file join $out hierarchy_synth.rpt]
@IMPLEMENT@
