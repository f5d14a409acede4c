// SPDX-License-Identifier: MIT OR Apache-2.0
//! `tengen area` from outside; needs Yosys, but no simulator.
#![allow(missing_docs)]

mod little;

use serde_json::Value;
use std::path::Path;
use std::process::{Command, Output};

fn area(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_tengen"))
        .arg("area")
        .args(arguments)
        .current_dir(env!("CARGO_TARGET_TMPDIR"))
        .output()
        .expect("the binary has been built")
}

#[test]
fn area_reports_its_keys() {
    let file = little::file();
    let output = area(&["--config", file, "--json"]);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(text.lines().count(), 1, "one JSON object on stdout and nothing else: {text}");
    let object: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(
        (&object["config"], &object["family"], &object["source"]),
        (&"little".into(), &"xc7".into(), &"estimate".into())
    );
    for key in ["lut", "ff", "path_ns", "fmax_hz"] {
        assert!(object[key].as_f64().unwrap() > 0.0, "{key}: {}", object[key]);
    }
    for key in ["carry4", "lutram", "bram", "dsp"] {
        assert!(object[key].is_number(), "{key}: {}", object[key]);
    }
    let modules = object["modules"].as_array().unwrap();
    for key in ["lut", "ff", "carry4", "lutram"] {
        let sum: u64 = modules
            .iter()
            .map(|module| module[key].as_u64().unwrap() * module["instances"].as_u64().unwrap())
            .sum();
        assert_eq!(Some(sum), object[key].as_u64(), "the modules' {key} make up the core's");
    }
    let worst = &object["worst_endpoints"][0]["path"];
    assert_eq!(worst["ns"], object["path_ns"]);
    let table = String::from_utf8(area(&["--config", file]).stdout).unwrap();
    assert!(table.contains("estimate") && table.contains("little_engine"), "{table}");
}

#[test]
fn chains_need_no_tool() {
    let output = area(&["--config", little::file(), "--chains", "--json"]);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let object: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(object["config"], "little");
    let chains = object["chains"].as_array().unwrap();
    // The longest first behind that of all circuits together.
    let operators: Vec<u64> = chains.iter().map(|chain| chain["operators"].as_u64().unwrap()).collect();
    assert!(
        chains[0]["circuit"] == "whole core"
            && operators[1] > 5
            && operators[1..].is_sorted_by(|a, b| a >= b)
    );
    assert!(chains.iter().any(|chain| chain["circuit"] == "cell_gains" && chain["signals"].is_array()));
    let text = String::from_utf8(area(&["--config", little::file(), "--chains"]).stdout).unwrap();
    assert!(text.starts_with("little: ") && text.contains("\n  cell_gains "), "{text}");
}

#[test]
fn a_missing_tool_and_a_wrong_word_are_the_callers() {
    for arguments in [
        &["--config", "tictactoe", "--yosys", "./no-such-yosys"][..],
        &["--config", "tictactoe", "--route", "asic"],
        &["--config", "no-such-configuration"],
        &["--config", "tictactoe", "--route", "xc7"],
        &["--config", "tictactoe", "--route", "xc7", "--chipdb", "no-such-part.bin"],
        &["--config", "tictactoe", "--chipdb", "part.bin"],
    ] {
        let output = area(arguments);
        assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0), "{arguments:?}");
        assert!(!output.stderr.is_empty());
    }
    let output = area(&["--config", "tictactoe", "--yosys", "./no-such-yosys"]);
    assert!(String::from_utf8_lossy(&output.stderr).contains("install it"));
}

/// A program in the place of nextpnr-xilinx, which needs a database of a part that nobody may bring along: it says what that says, in
/// its words, once it has seen what it is given.
#[cfg(unix)]
#[test]
fn whether_a_core_fits_a_part_is_what_the_users_program_says() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    std::fs::write(folder.join("part.bin"), "a database").unwrap();
    let program = |name: &str, end: &str| {
        let given = "grep -q '\"RAM32M\"\\|\"FDRE\"' netlist.json && ! grep -q scopeinfo netlist.json && \
                     grep -q 'LVCMOS33 .get_ports scan_out' pins.xdc && [ -f \"$9\" ]";
        let text = format!(
            "#!/bin/sh\nif [ \"$1\" = --version ]; then echo '{name}' >&2; exit 0; fi\n\
             {{ {given}; }} || {{ echo \"ERROR: given $*\"; exit 1; }}\n\
             {{ echo 'Info: Packing constants..'; echo 'Info: Device utilisation:'\n\
             printf 'Info: \\t          SLICE_LUTX:   812/41600     1%%\\n\\n'; {end}; }} >&2\n"
        );
        let path = folder.join(name);
        std::fs::write(&path, text).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
        format!("./{name}")
    };
    let fits = program("nextpnr-fits", "echo 'Info: Routing global clocks...'");
    let full = program("nextpnr-full", "echo 'ERROR: Unable to find legal placement'; exit 255");
    let ask = |nextpnr: &str, more: &[&str]| {
        let common =
            ["--config", little::file(), "--route", "xc7", "--chipdb", "part.bin", "--nextpnr", nextpnr];
        area(&[&common[..], more].concat())
    };
    let output = ask(&fits, &["--json"]);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let object: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(
        (&object["packs"], &object["places"], &object["routes"]),
        (&true.into(), &true.into(), &true.into())
    );
    assert!(object["fmax_hz"].is_null() && object["device"] == "part");
    assert_eq!(object["utilisation"]["SLICE_LUTX"]["used"], 812);
    // That it does not fit is an answer, but no success.
    let output = ask(&full, &[]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(1), "{text}");
    assert!(
        text.contains("packs   yes") && text.contains("places  no") && text.contains("routes  not tried"),
        "{text}"
    );
    assert!(
        text.contains("It stopped at: Unable to find legal placement") && text.contains("No clock"),
        "{text}"
    );
}

/// What a route needs hours for stays when its end fails: the netlist under a key of its own, the log, where it can be looked at.
#[cfg(unix)]
#[test]
fn a_failed_route_keeps_its_netlist_and_its_log() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("failed-route");
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(folder.join("bin")).unwrap();
    let nextpnr = |then: &str| {
        let path = folder.join("bin/nextpnr-ecp5");
        let text = format!("#!/bin/sh\n[ \"$1\" = --version ] && {{ echo fake 1; exit 0; }}\n{then}\n");
        std::fs::write(&path, text).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    };
    let path = std::env::var("PATH").unwrap();
    let config = Path::new(env!("CARGO_TARGET_TMPDIR")).join(little::file()).display().to_string();
    let route = || {
        Command::new(env!("CARGO_BIN_EXE_tengen"))
            .args(["area", "--config", &config, "--route", "ecp5", "--json"])
            .env("PATH", format!("{}:{path}", folder.join("bin").display()))
            .current_dir(&folder)
            .output()
            .unwrap()
    };
    let names = || -> Vec<String> {
        let entries = std::fs::read_dir(folder.join("target/area")).unwrap();
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    };
    nextpnr("echo 'Info: Packing'; echo 'ERROR: unable to find legal placement' >&2; exit 1");
    let output = route();
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{told}");
    assert!(
        told.contains("unable to find legal placement") && told.contains("is kept in target/area/"),
        "{told}"
    );
    let after = names();
    let [netlist, failed] = &after[..] else { panic!("{after:?}") };
    assert!(failed.ends_with(".failed"), "{after:?}");
    let file = |name: &str, file: &str| folder.join("target/area").join(name).join(file);
    assert!(std::fs::read_to_string(file(failed, "place_and_route.log")).unwrap().contains("Packing"));
    assert!(file(netlist, "netlist.json").exists() && file(netlist, "synthesis.log").exists());
    let made = || std::fs::metadata(file(netlist, "netlist.json")).unwrap().modified().unwrap();
    let before = made();
    // The next try begins at the netlist.
    let report = r#"{"fmax":{"c":{"achieved":50.0}},"utilization":{},"detailed_net_timings":[]}"#;
    nextpnr(&format!("echo '{report}' >report.json; echo done >routed.json; echo 'Info: Routing'"));
    let output = route();
    // The report is of no core: its paths are not those of the netlist.
    assert_eq!(made(), before, "{}", String::from_utf8_lossy(&output.stderr));
    let routed = names().into_iter().find(|name| name != netlist && !name.ends_with(".failed")).unwrap();
    assert!(file(&routed, "routed.json").exists() && file(&routed, "place_and_route.log").exists());
}
