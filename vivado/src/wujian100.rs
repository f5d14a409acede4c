// SPDX-License-Identifier: MIT OR Apache-2.0
//! Scripts that put the AHB-Lite slot into a checkout of wujian100_open: by Vivado alone, and by the SoC's own flow, Synplify and
//! then Vivado. The checkout stays as it is.

use crate::identity::PART;
use crate::tcl::LICENCE;
use hdl::Emission;
use soc_integration::slots::{EMPTY_SLOT, SLOT_FILE, SLOTS};

/// The SoC's project for Synplify, in a checkout.
const PROJECT: &str = "fpga synplify wujian100_open_200t_3b.prj";
/// What that project calls its implementation, and with it the folder of its results.
const IMPLEMENTATION: &str = "wujian100_open_200t_3b_rev";

fn slot_file() -> &'static str {
    SLOT_FILE.rsplit('/').next().unwrap_or(SLOT_FILE)
}

/// Arguments CHECKOUT, SLOT and OUT, checked; procedures `contents` and `written`, and `with_slot`, which writes the changed source to
/// OUT and returns its path.
fn preamble(emission: &Emission, out: &str) -> String {
    let places: Vec<String> = SLOTS.iter().map(|slot| slot.instance.to_string()).collect();
    format!(
        "if {{[llength $argv] < 1}} {{ error \"name the checkout of wujian100_open: -tclargs CHECKOUT\" }}\n\
         set here [file dirname [file dirname [file normalize [info script]]]]\n\
         set checkout [file normalize [lindex $argv 0]]\n\
         set slot [expr {{[llength $argv] > 1 ? [lindex $argv 1] : 0}}]\n\
         set out [file normalize [expr {{[llength $argv] > 2 ? [lindex $argv 2] : \"{out}\"}}]]\n\
         set instance [lindex {{{places}}} $slot]\n\
         if {{$instance eq \"\"}} {{ error \"slot $slot: there are slots 0 to {last}\" }}\n\
         set project [file join $checkout {PROJECT}]\n\
         if {{![file exists $project]}} {{ error \"$checkout is no checkout of wujian100_open: $project is missing\" }}\n\
         file mkdir $out\n\n\
         proc contents {{path}} {{ set channel [open $path]; set text [read $channel]; close $channel; return $text }}\n\
         proc written {{path text}} {{ set channel [open $path w]; puts -nonewline $channel $text; close $channel }}\n\n\
         # One of the sources names the empty slots: in a copy of it ours takes the place of one.\n\
         proc with_slot {{path}} {{\n\
         \x20 global instance out\n\
         \x20 set changed [regsub -all \"{empty}(\\\\s+)$instance\" [contents $path] \"{top}\\\\1$instance\" text]\n\
         \x20 if {{$changed != 1}} {{ error \"$instance is not where it was: found {empty} $instance $changed times in {slot_file}\" }}\n\
         \x20 set path [file join $out {slot_file}]\n\
         \x20 written $path $text\n\
         \x20 return $path\n\
         }}\n\n",
        top = emission.top,
        places = places.join(" "),
        last = SLOTS.len() - 1,
        slot_file = slot_file(),
        empty = EMPTY_SLOT,
    )
}

/// Builds the SoC with the slot by Vivado alone, from synthesis to a bitstream.
pub fn vivado_alone(emission: &Emission) -> String {
    let top = &emission.top;
    format!(
        "{LICENCE}# vivado -mode batch -source tcl/wujian100.tcl -tclargs CHECKOUT SLOT OUT\n\
         # Builds wujian100_open (checked against commit 83e2975) with the engine in low-speed slot SLOT (0 to 3, default 0): synthesis\n\
         # to bitstream in OUT (default wujian100_{top}). The checkout stays as it is. The SoC's own flow, Synplify and then\n\
         # Vivado, is tcl/wujian100_synplify.tcl.\n\
         {preamble}\
         # The sources that the SoC's own project names.\n\
         set found 0\n\
         foreach {{line path}} [regexp -all -inline -line {{^add_file -verilog \"([^\"]+)\"}} [contents $project]] {{\n\
         \x20 set path [file normalize [file join [file dirname $project] $path]]\n\
         \x20 if {{[file tail $path] eq \"{slot_file}\"}} {{ set path [with_slot $path]; incr found }}\n\
         \x20 read_verilog $path\n\
         }}\n\
         if {{$found != 1}} {{ error \"$project names {slot_file} $found times\" }}\n\
         read_verilog [file join $here rtl {top}.v]\n\
         read_xdc [file join $checkout fpga xdc XC7A200T3B.xdc]\n\
         read_xdc [file join $here constraints {top}.xdc]\n\
         # The project leaves the clock to Synplify.\n\
         written [file join $out clock.xdc] \"create_clock -name EHS -period 50.000 \\[get_ports PIN_EHS\\]\\n\"\n\
         read_xdc [file join $out clock.xdc]\n\
         synth_design -top wujian100_open_top -part {PART} -include_dirs [file join $checkout soc params] -verilog_define FPGA\n\
         report_utilization -file [file join $out utilization_synth.rpt]\n\
         report_utilization -hierarchical -file [file join $out hierarchy_synth.rpt]\n\
         {implementation}",
        preamble = preamble(emission, &format!("wujian100_{top}")),
        slot_file = slot_file(),
        implementation = implementation(top),
    )
}

/// From a design in memory to a bitstream and its reports in OUT.
fn implementation(top: &str) -> String {
    format!(
        "opt_design\n\
         place_design\n\
         route_design\n\
         report_utilization -file [file join $out utilization_routed.rpt]\n\
         report_utilization -hierarchical -file [file join $out hierarchy_routed.rpt]\n\
         report_timing_summary -file [file join $out timing_routed.rpt]\n\
         write_bitstream -force [file join $out wujian100_{top}.bit]\n"
    )
}

/// Writes a project for Synplify: the SoC's own with the slot in it. Any Tcl runs it.
pub fn synplify_project(emission: &Emission) -> String {
    let top = &emission.top;
    format!(
        "{LICENCE}# tclsh tcl/wujian100_synplify.tcl CHECKOUT SLOT OUT\n\
         # Writes OUT/{top}.prj (default folder wujian100_{top}_synplify): the project of wujian100_open (checked against commit\n\
         # 83e2975) with the engine in low-speed slot SLOT (0 to 3, default 0). The checkout stays as it is. Then:\n\
         #   synplify_premier -batch OUT/{top}.prj                                        (or synplify_pro; the netlist, in OUT)\n\
         #   vivado -mode batch -source tcl/wujian100_netlist.tcl -tclargs CHECKOUT OUT   (the bitstream)\n\
         {preamble}\
         # Its paths are from its own folder; from here they are whole. Results stay beside the new project.\n\
         set found 0\n\
         set lines {{}}\n\
         foreach line [split [contents $project] \"\\n\"] {{\n\
         \x20 if {{[regexp {{^(add_file -(?:verilog|constraint)) \"([^\"]+)\"}} $line whole command path]}} {{\n\
         \x20   set path [file normalize [file join [file dirname $project] $path]]\n\
         \x20   set ours [expr {{[file tail $path] eq \"{slot_file}\"}}]\n\
         \x20   if {{$ours}} {{ set path [with_slot $path]; incr found }}\n\
         \x20   lappend lines \"$command \\\"$path\\\"\"\n\
         \x20   if {{$ours}} {{ lappend lines \"add_file -verilog \\\"[file join $here rtl {top}.v]\\\"\" }}\n\
         \x20 }} elseif {{[regexp {{^set_option -include_path \\{{([^\\}}]+)\\}}}} $line whole path]}} {{\n\
         \x20   lappend lines \"set_option -include_path {{[file normalize [file join [file dirname $project] $path]]/}}\"\n\
         \x20 }} else {{\n\
         \x20   lappend lines $line\n\
         \x20 }}\n\
         }}\n\
         if {{$found != 1}} {{ error \"$project names {slot_file} $found times\" }}\n\
         written [file join $out {top}.prj] [join $lines \"\\n\"]\n\
         puts \"[file join $out {top}.prj]\"\n",
        preamble = preamble(emission, &format!("wujian100_{top}_synplify")),
        slot_file = slot_file(),
    )
}

/// Takes Synplify's netlist to a bitstream.
pub fn netlist(emission: &Emission) -> String {
    let top = &emission.top;
    format!(
        "{LICENCE}# vivado -mode batch -source tcl/wujian100_netlist.tcl -tclargs CHECKOUT OUT\n\
         # Implements the netlist that Synplify made in OUT (see tcl/wujian100_synplify.tcl) and writes the bitstream there.\n\
         if {{[llength $argv] != 2}} {{ error \"name the checkout of wujian100_open and Synplify's folder: -tclargs CHECKOUT OUT\" }}\n\
         set checkout [file normalize [lindex $argv 0]]\n\
         set out [file normalize [lindex $argv 1]]\n\
         set netlist [file join $out {IMPLEMENTATION} wujian100_open.edf]\n\
         if {{![file exists $netlist]}} {{ error \"$netlist is missing: run Synplify on [file join $out {top}.prj] first\" }}\n\
         read_edif $netlist\n\
         # Synplify's clocks, the board's pins.\n\
         read_xdc [file join $out {IMPLEMENTATION} wujian100_open_edif.xdc]\n\
         read_xdc [file join $checkout fpga xdc XC7A200T3B.xdc]\n\
         link_design -top wujian100_open_top -part {PART}\n\
         {implementation}",
        implementation = implementation(top),
    )
}
