// SPDX-License-Identifier: MIT OR Apache-2.0
//! Scripts for Vivado: packaging the core again, out-of-context synthesis, the customisation page, constraints.

use crate::Face;
use crate::bench::filled;
use crate::identity::{FAMILIES, LIBRARY, LIFE_CYCLE, PART, VENDOR};
use crate::ip_xact::{revision, version, vlnv};
use engine_model::Config;
use hdl::Emission;
use kit::Direction;
use std::fmt::Write;

pub(crate) const LICENCE: &str = "# SPDX-License-Identifier: MIT OR Apache-2.0\n";

/// The customisation page: the core has nothing to customise.
pub fn gui() -> String {
    format!(
        "{LICENCE}# The customisation page: everything is fixed in the Verilog.\n\
         proc init_gui {{ IPINST }} {{\n\
         \x20 ipgui::add_param $IPINST -name \"Component_Name\"\n\
         \x20 ipgui::add_page $IPINST -name \"Page 0\"\n\
         }}\n"
    )
}

/// Part and clock of the processing system, MHz, of the overlay's script that names none: a Zynq-7000 of the PYNQ-Z2.
const ZYNQ: (&str, &str) = ("xc7z020clg400-1", "50");

/// An overlay with the core for a Zynq.
pub fn overlay(config: &Config, emission: &Emission) -> String {
    let (part, crystal) = ZYNQ;
    let names = [
        ("PART", part.into()),
        ("MHZ", config.clock_mhz.to_string()),
        ("CRYSTAL", crystal.into()),
        ("VLNV", vlnv(emission)),
    ];
    filled(include_str!("../tcl/zynq.tcl"), &names)
}

/// Constraints for synthesis by itself: the clock, and a third of it for what lies beyond the ports.
pub fn out_of_context(config: &Config, face: Face, emission: &Emission) -> String {
    let (clock, _) = face.clock_and_reset();
    let period = 1e3 / f64::from(config.clock_mhz);
    let ports = |direction: Direction| {
        let names = emission.ports.iter().filter(|port| port.direction == direction && port.name != clock);
        let names: Vec<String> = names
            .map(|port| if port.width == 1 { port.name.clone() } else { format!("{}[*]", port.name) })
            .collect();
        names.join(" ")
    };
    format!(
        "{LICENCE}# For synthesis and implementation of the core alone (tcl/synth_ooc.tcl); in a design its own clock counts.\n\
         create_clock -name {clock} -period {period:.3} [get_ports {clock}]\n\
         set_input_delay -clock {clock} {third:.3} [get_ports {{{inputs}}}]\n\
         set_output_delay -clock {clock} {third:.3} [get_ports {{{outputs}}}]\n",
        third = period / 3.0,
        inputs = ports(Direction::Input),
        outputs = ports(Direction::Output),
    )
}

/// Out-of-context synthesis, and placement and routing if asked for; reports under `reports/`.
pub fn synthesis(emission: &Emission, constraints: &[&str]) -> String {
    let mut text = format!(
        "{LICENCE}# vivado -mode batch -source tcl/synth_ooc.tcl -tclargs PART CLOCK_MHZ route\n\
         # Each may be left out from the end on: {PART}, the clock of the constraints, synthesis only.\n\
         set here [file dirname [file dirname [file normalize [info script]]]]\n\
         set part [expr {{[llength $argv] > 0 ? [lindex $argv 0] : \"{PART}\"}}]\n\
         read_verilog [file join $here rtl {top}.v]\n",
        top = emission.top
    );
    for file in constraints {
        match file.ends_with("_ooc.xdc") {
            false => _ = writeln!(text, "read_xdc [file join $here {file}]"),
            true => text.push_str(&asked_clock(file)),
        }
    }
    let _ = write!(
        text,
        "synth_design -top {top} -part $part -mode out_of_context -flatten_hierarchy rebuilt\n\
         file mkdir [file join $here reports]\n\
         report_utilization -file [file join $here reports {top}_utilization_synth.rpt]\n\
         report_utilization -hierarchical -file [file join $here reports {top}_hierarchy_synth.rpt]\n\
         report_timing_summary -file [file join $here reports {top}_timing_synth.rpt]\n\
         if {{[lindex $argv 2] eq \"route\"}} {{\n\
         \x20 opt_design\n\
         \x20 place_design\n\
         \x20 phys_opt_design\n\
         \x20 route_design\n\
         \x20 report_utilization -file [file join $here reports {top}_utilization_routed.rpt]\n\
         \x20 report_utilization -hierarchical -file [file join $here reports {top}_hierarchy_routed.rpt]\n\
         \x20 report_timing_summary -file [file join $here reports {top}_timing_routed.rpt]\n\
         }}\n",
        top = emission.top
    );
    text
}

/// Reads the constraints of synthesis alone, with the clock that was asked for in the place of their own: before synthesis, which works
/// towards it.
fn asked_clock(file: &str) -> String {
    format!(
        "set xdc [file join $here {file}]\n\
         if {{[llength $argv] > 1}} {{\n\
         \x20 # The clock that was asked for, before synthesis, which works towards it.\n\
         \x20 set period [expr {{1000.0 / [lindex $argv 1]}}]\n\
         \x20 set channel [open $xdc]\n\
         \x20 set constraints [read $channel]\n\
         \x20 close $channel\n\
         \x20 regsub -all -- {{-period [0-9.]+}} $constraints \"-period $period\" constraints\n\
         \x20 regsub -all -- {{(put_delay -clock \\S+) [0-9.]+}} $constraints \"\\\\1 [expr {{$period / 3.0}}]\" constraints\n\
         \x20 file mkdir [file join $here reports]\n\
         \x20 set xdc [file join $here reports [file tail $xdc]]\n\
         \x20 set channel [open $xdc w]\n\
         \x20 puts -nonewline $channel $constraints\n\
         \x20 close $channel\n\
         }}\n\
         read_xdc -mode out_of_context $xdc\n"
    )
}

/// Packs the folder anew with Vivado's own packager: what component.xml says, written by Vivado.
pub fn packaging(face: Face, emission: &Emission) -> String {
    let (clock, reset) = face.clock_and_reset();
    let top = &emission.top;
    let streams: &[&str] = match face {
        Face::Axis => &["s_axis_control", "s_axis_data", "m_axis_data"],
        Face::Slot(soc_integration::Face::Axil) => &["s_axil"],
        Face::Slot(_) => &[],
    };
    let mut text = format!(
        "{LICENCE}# vivado -mode batch -source tcl/package_ip.tcl: packs the core anew, into packaged/.\n\
         set here [file dirname [file dirname [file normalize [info script]]]]\n\
         create_project -in_memory -part {PART}\n\
         add_files -norecurse [file join $here rtl {top}.v]\n\
         set_property top {top} [current_fileset]\n\
         ipx::package_project -root_dir [file join $here packaged] -vendor {VENDOR} -library {LIBRARY} -taxonomy /UserIP -import_files -force\n\
         set core [ipx::current_core]\n\
         set_property name {top} $core\n\
         set_property version {version} $core\n\
         set_property display_name {{Gomoku search engine ({top})}} $core\n\
         set_property supported_families {{{families}}} $core\n\
         set_property core_revision {revision} $core\n",
        version = version(),
        families = FAMILIES.map(|family| format!("{family} {LIFE_CYCLE}")).join(" "),
        revision = revision(emission),
    );
    for name in streams {
        let _ = writeln!(text, "ipx::associate_bus_interfaces -busif {name} -clock {clock} $core");
    }
    let _ = write!(
        text,
        "ipx::associate_bus_interfaces -clock {clock} -reset {reset} $core\n\
         ipx::create_xgui_files $core\n\
         ipx::update_checksums $core\n\
         ipx::check_integrity $core\n\
         ipx::save_core $core\n"
    );
    text
}
