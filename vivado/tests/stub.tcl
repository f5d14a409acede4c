# SPDX-License-Identifier: MIT OR Apache-2.0
# tclsh stub.tcl SCRIPT FOLDER ARGUMENTS...: runs a script against commands that record how they were called. A command or
# an option that is not listed here is an error, and so is a wrong number of arguments. Lists: options with a value,
# options without, fewest and most other arguments (UG835: Vivado Tcl Command Reference; UG1118 for ipx).
set commands {
  add_files                     {} {-norecurse} 1 1
  apply_bd_automation           {-rule -config} {} 1 1
  connect_bd_net                {} {} 2 2
  create_bd_cell                {-type -vlnv} {} 1 1
  create_bd_design              {} {} 1 1
  create_clock                  {-name -period} {} 1 1
  create_project                {-part} {-in_memory -force} 0 2
  current_design                {} {} 0 0
  current_fileset               {} {} 0 0
  current_project               {} {} 0 0
  get_bd_cells                  {} {} 1 1
  get_bd_intf_pins              {} {} 1 1
  get_bd_pins                   {} {} 1 1
  get_cells                     {-of_objects} {} 0 0
  get_files                     {} {} 1 1
  get_ipdefs                    {} {} 1 1
  get_clocks                    {} {-include_generated_clocks} 0 1
  get_nets                      {-of_objects} {} 0 0
  get_pins                      {-filter -of_objects} {-hierarchical -leaf} 0 1
  get_ports                     {} {} 1 1
  get_property                  {} {} 2 2
  get_timing_paths              {-delay_type -max_paths -nworst} {} 0 0
  launch_runs                   {-jobs -to_step} {} 1 1
  make_wrapper                  {} {-top} 1 1
  open_run                      {} {} 1 1
  save_bd_design                {} {} 0 0
  update_ip_catalog             {} {} 0 0
  validate_bd_design            {} {} 0 0
  wait_on_run                   {} {} 1 1
  link_design                   {-top -part} {} 0 0
  opt_design                    {} {} 0 0
  phys_opt_design               {} {} 0 0
  place_design                  {} {} 0 0
  read_edif                     {} {} 1 1
  read_verilog                  {} {} 1 1
  read_xdc                      {-mode} {} 1 1
  report_clocks                 {-file} {} 0 0
  report_timing_summary         {-file} {} 0 0
  report_utilization            {-file} {-hierarchical} 0 0
  route_design                  {} {} 0 0
  set_clock_groups              {-group} {-asynchronous} 0 0
  set_false_path                {-to -from} {} 0 0
  set_input_delay               {-clock} {} 2 2
  set_msg_config                {-id -new_severity} {} 0 0
  set_output_delay              {-clock} {} 2 2
  set_property                  {} {} 3 3
  synth_design                  {-top -part -mode -flatten_hierarchy -include_dirs -verilog_define} {} 0 0
  write_bitstream               {} {-force} 1 1
  ipx::package_project          {-root_dir -vendor -library -taxonomy} {-import_files -force} 0 0
  ipx::current_core             {} {} 0 0
  ipx::associate_bus_interfaces {-busif -clock -reset} {} 1 1
  ipx::create_xgui_files        {} {} 1 1
  ipx::update_checksums         {} {} 1 1
  ipx::check_integrity          {} {} 1 1
  ipx::save_core                {} {} 1 1
  ipgui::add_param              {-name -parent} {} 1 1
  ipgui::add_page               {-name} {} 1 1
}
namespace eval ipx {}
namespace eval ipgui {}

proc called {name valued flags fewest most arguments} {
  set others 0
  for {set index 0} {$index < [llength $arguments]} {incr index} {
    set word [lindex $arguments $index]
    if {[lsearch -exact $valued $word] >= 0} {
      incr index
      if {$index >= [llength $arguments]} { error "$name: $word has no value" }
    } elseif {[lsearch -exact $flags $word] >= 0} {
      continue
    } elseif {[string match -* $word]} {
      error "$name: unknown option $word"
    } else {
      incr others
    }
  }
  if {$others < $fewest || $others > $most} { error "$name: $others arguments, not $fewest to $most" }
  puts [string map [list $::folder FOLDER] [concat $name $arguments]]
  # Objects are their names.
  switch -- $name {
    get_ports { return [lindex $arguments 0] }
    get_clocks { return clock }
    get_pins { return pins }
    get_nets { return $::env(STUB_NETS) }
    get_cells { return cells }
    get_bd_cells - get_bd_intf_pins - get_bd_pins - get_files { return [lindex $arguments 0] }
    get_ipdefs { return [string map {* 1.0} [lindex $arguments 0]] }
    make_wrapper { return wrapper.v }
    current_project { return project }
    get_timing_paths { return path }
    get_property { return $::env(STUB_SLACK) }
    current_fileset { return sources_1 }
    ipx::current_core { return core }
    default { return "" }
  }
}

foreach {name valued flags fewest most} $commands {
  proc $name args "called $name [list $valued] [list $flags] $fewest $most \$args"
}
rename unknown {}
proc unknown args { error "unknown command: $args" }

set script [lindex $argv 0]
set folder [lindex $argv 1]
set argv [lrange $argv 2 end]
# Scripts make folders for reports.
rename file real_file
proc file {verb args} {
  if {$verb eq "mkdir"} { puts [string map [list $::folder FOLDER] "file mkdir [join $args]"] }
  uplevel [list real_file $verb {*}$args]
}
source $script
if {[info procs init_gui] ne ""} { init_gui instance }
