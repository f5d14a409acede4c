# vivado -mode batch -source tcl/wujian100_netlist.tcl -tclargs CHECKOUT OUT
# Implements the netlist that Synplify made in OUT (see tcl/wujian100_synplify.tcl) and writes the bitstream there.
if {[llength $argv] != 2} { error "name the checkout of wujian100_open and Synplify's folder: -tclargs CHECKOUT OUT" }
set checkout [file normalize [lindex $argv 0]]
set out [file normalize [lindex $argv 1]]
set netlist [file join $out @IMPLEMENTATION@ wujian100_open.edf]
if {![file exists $netlist]} { error "$netlist is missing: run Synplify on [file join $out @TOP@.prj] first" }
read_edif $netlist
# Synplify's clocks, the board's pins.
read_xdc [file join $out @IMPLEMENTATION@ wujian100_open_edif.xdc]
read_xdc [file join $checkout fpga xdc XC7A200T3B.xdc]
link_design -top wujian100_open_top -part @PART@
@IMPLEMENT@
