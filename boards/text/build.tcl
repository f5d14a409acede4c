# From @TOP@.v to @BITSTREAM@, with reports that `tengen report` reads. SPDX-License-Identifier: MIT OR Apache-2.0
read_verilog @TOP@.v
read_xdc @PINS@
synth_design -top @TOP@ -part @DEVICE@
opt_design
place_design
phys_opt_design
route_design
report_utilization -file utilization.rpt
report_timing_summary -file timing.rpt
if {[get_property SLACK [get_timing_paths -max_paths 1]] < 0} {
  error "the clock of @MHZ@ MHz is not met, so no bitstream is written: see timing.rpt; a smaller configuration may meet it (tengen generate --config)"
}
write_bitstream -force @BITSTREAM@
