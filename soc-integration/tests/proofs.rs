// SPDX-License-Identifier: MIT OR Apache-2.0
//! Promises of the four faces, proved by induction in Yosys for every clock and every input. What stands behind a face is free:
//! its outputs may be anything at any time. Each proof is shown to fail where the face is made wrong.
#![allow(missing_docs)]

use engine_model::{Config, sample};
use hdl::Layout;
use soc_integration::circuits::register_file::register_file;
use soc_integration::register_map::registers;
use soc_integration::{Face, emit_slot};
use std::path::{Path, PathBuf};
use std::process::Command;

fn config() -> Config {
    // What stands behind a face is free: a little core is read sooner.
    sample::little(2)
}

/// Steps of the induction at most.
const STEPS: usize = 8;

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("proof-{name}"));
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// Whether the properties of `top`, without its children, hold in every clock.
fn holds(name: &str, verilog: &str, top: &str, children: &[&str], properties: &str) -> bool {
    let start = verilog.find(&format!("module {top} ")).unwrap_or_else(|| panic!("no module {top}"));
    let end = start + verilog[start..].find("endmodule").unwrap();
    let folder = folder(name);
    let text = format!("{}\n{properties}{}", &verilog[..end], &verilog[end..]);
    std::fs::write(folder.join("face.v"), text).unwrap();
    let removed: String = children.iter().map(|child| format!("delete {top}/{child}; ")).collect();
    let script = format!(
        "read_verilog -formal face.v; hierarchy -top {top}; proc; {removed}cd {top}; setundef -undriven -anyseq; memory; opt_clean; \
         async2sync; chformal -early; sat -verify -tempinduct -prove-asserts -set-assumes -seq 1 -maxsteps {STEPS}"
    );
    let output = Command::new("yosys").args(["-p", &script]).current_dir(&folder).output();
    let output = output.expect("./tengen test installs yosys");
    let text = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
    assert!(text.contains("Import proof for assert"), "{name}: nothing was proved: {text}");
    let failed = text.contains("Called with -verify and proof did fail!");
    assert!(output.status.success() != failed, "{name}: {text}");
    output.status.success()
}

/// The proof holds; with one text of the circuit changed it does not.
fn proved(
    name: &str,
    verilog: &str,
    top: &str,
    children: &[&str],
    properties: &str,
    faults: &[(&str, &str)],
) {
    assert!(holds(name, verilog, top, children, properties), "{name} breaks a promise");
    for (number, (right, wrong)) in faults.iter().enumerate() {
        assert_eq!(verilog.matches(right).count(), 1, "{name}: {right}");
        let broken = verilog.replace(right, wrong);
        let case = format!("{name}-{number}");
        assert!(!holds(&case, &broken, top, children, properties), "{name}: {wrong} is not seen");
    }
}

#[test]
fn every_slot_keeps_the_promises_of_its_bus() {
    let config = config();
    for (face, children, properties, faults) in [
        (
            Face::Axil,
            &["core"][..],
            include_str!("proofs/axil.v"),
            &[
                ("& ~write & ~(s_axil_bvalid & ~s_axil_bready);", "& ~write;"),
                ("s_axil_rvalid <= read | (s_axil_rvalid & ~s_axil_rready);", "s_axil_rvalid <= read;"),
                ("s_axil_arready <= ~read & ~", "s_axil_arready <= ~"),
            ][..],
        ),
        (
            Face::Ahb,
            &["core", "reset"],
            include_str!("proofs/ahb.v"),
            &[
                ("htrans[1] & hready_in;", "htrans[1];"),
                ("lanes <= (hsize == 3'd0)", "lanes <= (hsize == 3'd1)"),
            ],
        ),
        (
            Face::Apb,
            &["core", "reset"],
            include_str!("proofs/apb.v"),
            &[("core_read = psel & penable & ~pwrite", "core_read = psel & ~pwrite")],
        ),
    ] {
        let emission = emit_slot(&config, face);
        proved(face.name(), &emission.verilog, &emission.top, children, properties, faults);
    }
}

#[test]
fn the_streams_are_held_and_an_answer_has_two_beats() {
    let config = config();
    let emission = hdl::emit_engine(&config);
    let faults = [
        ("m_axis_data_tlast <= ~sending_last;", "m_axis_data_tlast <= sending_last;"),
        ("    if (m_axis_data_tready) begin", "    begin"),
    ];
    let properties = include_str!("proofs/streams.v");
    let top = "little_command_face";
    proved("streams", &emission.verilog, top, &["control", "data"], properties, &faults);
}

#[test]
fn registers_keep_the_promises_of_the_map() {
    let config = config();
    let emission = hdl::emit::emit(&register_file(&Layout::new(&config)), "proof", &config);
    let mut properties = include_str!("proofs/registers.v").to_string();
    for register in registers() {
        let number = (register.offset / 4).to_string();
        properties = properties.replace(&format!("@{}@", register.name), &number);
    }
    let faults = [
        ("interrupt = interrupt_enable & answer_waits;", "interrupt = answer_waits;"),
        (
            "s_axis_control_tvalid = push_control & s_axis_control_tready;",
            "s_axis_control_tvalid = push_control;",
        ),
        ("scratch <= (scratch & ~mask) | word;", "scratch <= word;"),
    ];
    proved("registers", &emission.verilog, &emission.top, &[], &properties, &faults);
}
