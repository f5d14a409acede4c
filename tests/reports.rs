// SPDX-License-Identifier: MIT OR Apache-2.0
//! `report`: folders of Vivado's reports, their figures, verdict and exit code.
#![allow(missing_docs)]

use std::path::Path;
use std::process::Command;

#[test]
fn vivado_reports_are_read() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("vivado-reports");
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("vivado/tests/reports");
    for (from, to) in [
        ("utilization_2020.2.rpt", "core_utilization_synth.rpt"),
        ("utilization_2023.1.rpt", "core_utilization_routed.rpt"),
        ("timing_2020.2.rpt", "core_timing_routed.rpt"),
    ] {
        let text = std::fs::read_to_string(source.join(from)).unwrap();
        std::fs::write(folder.join(to), text.replace("wujian100_open_top", "gomoku15_engine")).unwrap();
    }
    let run =
        |arguments: &[&str]| Command::new(env!("CARGO_BIN_EXE_tengen")).args(arguments).output().unwrap();
    let place = folder.to_str().unwrap();
    let json = || {
        let output = run(&["report", "--vivado", place, "--json"]);
        let told: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        (output, told)
    };
    let (output, told) = json();
    assert_eq!(told["reports"][0]["stage"], "post-route");
    assert_eq!(told["reports"][0]["fmax_hz"], 96_043_027.0);
    assert_eq!(told["reports"][1]["lut"], 48211);
    let table = String::from_utf8(run(&["report", "--vivado", place]).stdout).unwrap();
    assert!(table.contains("post-synthesis") && table.contains("10.412"), "{table}");
    assert!(table.contains("NOT MET: 10.000 ns asked, slack -0.412 ns at 57 endpoints"), "{table}");
    assert_eq!((output.status.code(), told["met"].as_bool()), (Some(1), Some(false)));
    // Timing of a design without constraints is met by nobody; a project's run has the area of the placed design.
    let timing = folder.join("core_timing_routed.rpt");
    let text = std::fs::read_to_string(&timing).unwrap();
    let met = text
        .replace("-0.412      -12.804                     57", " 0.412        0.000                      0");
    let met = met.replace("aclk               -0.412", "aclk                0.412");
    let says = |words: &str| met.replace("Timing constraints are not met.", words);
    for (words, code, verdict) in [
        ("All user specified timing constraints are met.", 0, Some(true)),
        ("There are no user specified timing constraints.", 1, None),
    ] {
        std::fs::write(&timing, says(words)).unwrap();
        let (output, told) = json();
        assert_eq!((output.status.code(), told["met"].as_bool()), (Some(code), verdict), "{told}");
    }
    // What the last stage says supersedes what an earlier one did; physical optimisation after routing is the last of all.
    let failed = text.clone();
    let passed = says("All user specified timing constraints are met.");
    for (earlier, last) in [("synth", "routed"), ("placed", "routed"), ("routed", "postroute_physopted")] {
        for (first, second, code, verdict) in [(&failed, &passed, 0, true), (&passed, &failed, 1, false)] {
            std::fs::remove_file(&timing).ok();
            let at = |stage: &str| folder.join(format!("core_timing_summary_{stage}.rpt"));
            std::fs::write(at(earlier), first).unwrap();
            std::fs::write(at(last), second).unwrap();
            let (output, told) = json();
            assert_eq!(
                (output.status.code(), told["met"].as_bool()),
                (Some(code), Some(verdict)),
                "{earlier} {last} {told}"
            );
            for stage in [earlier, last] {
                std::fs::remove_file(at(stage)).unwrap();
            }
        }
    }
    std::fs::write(&timing, says("There are no user specified timing constraints.")).unwrap();
    let routed = std::fs::read_to_string(folder.join("core_utilization_routed.rpt")).unwrap();
    std::fs::remove_file(folder.join("core_utilization_routed.rpt")).unwrap();
    let placed = routed.replace("Fully Routed", "Fully Placed");
    std::fs::write(folder.join("core_utilization_placed.rpt"), placed).unwrap();
    let (_, told) = json();
    let stages = [&told["reports"][0]["stage"], &told["reports"][0]["utilisation_stage"]];
    assert_eq!(stages, ["post-route", "post-placement"], "{told}");
    std::fs::write(folder.join("core_utilization_synth.rpt"), "| Tool Version : Vivado v.2020.2\n").unwrap();
    let output = run(&["report", "--vivado", place]);
    let error = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(
        error.contains("core_utilization_synth.rpt: line 2, column 1: the report ends without"),
        "{error}"
    );
}
