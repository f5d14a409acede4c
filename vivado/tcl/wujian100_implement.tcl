# The JTAG clock comes in by a pin that is no clock pin: its net, whatever synthesis called it.
proc jtag_route {} {
  set pad [get_nets -of_objects [get_ports PAD_JTAG_TCLK]]
  set buffer [get_cells -of_objects [get_pins -leaf -of_objects $pad]]
  set inside [get_nets -of_objects [get_pins -of_objects $buffer -filter {REF_PIN_NAME == O}]]
  if {[llength $inside] == 0} { error "no net behind the pad of PAD_JTAG_TCLK: the placer would stop at its pin" }
  set_property CLOCK_DEDICATED_ROUTE FALSE $inside
}
# Without time to spare there is no bitstream.
proc met {kind delay} {
  set path [get_timing_paths -delay_type $delay -max_paths 1 -nworst 1]
  if {[llength $path] == 0} { error "no $kind path was found: are the clocks there?" }
  set slack [get_property SLACK $path]
  puts "$kind: $slack ns to spare"
  if {$slack < 0} { error "timing is NOT MET: $slack ns at the worst $kind path, see timing_routed.rpt; no bitstream" }
}
jtag_route
opt_design
place_design
phys_opt_design
route_design
report_utilization -file [file join $out utilization_routed.rpt]
report_utilization -hierarchical -file [file join $out hierarchy_routed.rpt]
report_timing_summary -file [file join $out timing_routed.rpt]
report_clocks -file [file join $out clocks_routed.rpt]
met setup max
met hold min
write_bitstream -force [file join $out wujian100_@TOP@.bit]
