# SPDX-License-Identifier: MIT OR Apache-2.0
# A Zynq overlay with the core: processing system, AXI interconnect, core; tengen.bit and tengen.hwh beside this script, as PYNQ loads them.
#   vivado -mode batch -source pynq/overlay.tcl -tclargs PART MHZ CRYSTAL_MHZ
# PART: a Zynq-7000 or Zynq UltraScale+ device. MHZ: clock of the core. CRYSTAL_MHZ: of the processing system, on the board.
set pynq [file dirname [file normalize [info script]]]
set part [expr {[llength $argv] > 0 ? [lindex $argv 0] : "@PART@"}]
set mhz [expr {[llength $argv] > 1 ? [lindex $argv 1] : @MHZ@}]
set crystal [expr {[llength $argv] > 2 ? [lindex $argv 2] : @CRYSTAL@}]
create_project -force -part $part tengen [file join $pynq project]
set_property ip_repo_paths [file dirname $pynq] [current_project]
update_ip_catalog
create_bd_design tengen
create_bd_cell -type ip -vlnv @VLNV@ tengen_0
# PYNQ's own system has set up memory and pins before it loads the overlay; it takes the clock's rate from tengen.hwh.
if {[string match -nocase xc7z* $part]} {
  create_bd_cell -type ip -vlnv [lindex [get_ipdefs xilinx.com:ip:processing_system7:*] end] ps
  set settings [list PCW_CRYSTAL_PERIPHERAL_FREQMHZ $crystal PCW_FPGA0_PERIPHERAL_FREQMHZ $mhz PCW_EN_CLK0_PORT 1 \
    PCW_USE_M_AXI_GP0 1 PCW_USE_FABRIC_INTERRUPT 1 PCW_IRQ_F2P_INTR 1]
  set master M_AXI_GP0
  set interrupt IRQ_F2P
} else {
  create_bd_cell -type ip -vlnv [lindex [get_ipdefs xilinx.com:ip:zynq_ultra_ps_e:*] end] ps
  set settings [list PSU__PSS_REF_CLK__FREQMHZ $crystal PSU__CRL_APB__PL0_REF_CTRL__FREQMHZ $mhz PSU__USE__M_AXI_GP0 1 \
    PSU__USE__M_AXI_GP1 0 PSU__USE__M_AXI_GP2 0 PSU__USE__IRQ0 1]
  set master M_AXI_HPM0_FPD
  set interrupt pl_ps_irq0
}
foreach {name value} $settings {
  set_property CONFIG.$name $value [get_bd_cells ps]
}
if {[string match -nocase xc7z* $part]} {
  apply_bd_automation -rule xilinx.com:bd_rule:processing_system7 -config {make_external "FIXED_IO, DDR" Master "Disable" Slave "Disable"} [get_bd_cells ps]
}
apply_bd_automation -rule xilinx.com:bd_rule:axi4 -config [list Master /ps/$master Clk Auto] [get_bd_intf_pins tengen_0/s_axil]
connect_bd_net [get_bd_pins tengen_0/interrupt] [get_bd_pins ps/$interrupt]
validate_bd_design
save_bd_design
add_files -norecurse [make_wrapper -top [get_files tengen.bd]]
set_property top tengen_wrapper [current_fileset]
launch_runs -jobs 2 -to_step write_bitstream impl_1
wait_on_run impl_1
open_run impl_1
report_utilization -file [file join $pynq utilization.rpt]
report_timing_summary -file [file join $pynq timing.rpt]
if {[get_property SLACK [get_timing_paths -max_paths 1]] < 0} {
  error "the clock of $mhz MHz is not met, so tengen.bit is not written: see timing.rpt; a lower clock may be met (-tclargs, or core_mhz of the board's file)"
}
write_bitstream -force [file join $pynq tengen.bit]
# Vivado has put it below tengen.gen, and before 2020.2 below tengen.srcs.
foreach kind {gen srcs} {
  set handoff [file join $pynq project tengen.$kind sources_1 bd tengen hw_handoff tengen.hwh]
  if {[file exists $handoff]} {
    file copy -force $handoff [file join $pynq tengen.hwh]
  }
}
