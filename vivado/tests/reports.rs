// SPDX-License-Identifier: MIT OR Apache-2.0
//! Vivado's reports, written by hand after the published format, and what is wrong with broken ones.
#![allow(missing_docs)]

use vivado::reports::{Stage, timing, utilisation};

const OLD: &str = include_str!("reports/utilization_2020.2.rpt");
const NEW: &str = include_str!("reports/utilization_2023.1.rpt");
const TIMING: &str = include_str!("reports/timing_2020.2.rpt");

#[test]
fn utilisation_of_several_versions_is_read() {
    let old = utilisation(OLD).unwrap();
    assert_eq!((old.head.version.as_str(), old.head.stage), ("2020.2", Some(Stage::Synthesis)));
    assert_eq!((old.lut, old.lutram, old.ff, old.carry4), (48211, 3071, 47966, 5469));
    assert_eq!((old.bram, old.dsp, old.available_lut), (0.5, 0, 134_600));
    let new = utilisation(NEW).unwrap();
    assert_eq!((new.head.version.as_str(), new.head.stage), ("2023.1", Some(Stage::Route)));
    assert_eq!((new.lut, new.lutram, new.ff, new.available_lut), (44102, 3071, 47990, 134_600));
}

#[test]
fn the_clock_with_the_worst_slack_gives_the_path() {
    let timing = timing(TIMING).unwrap();
    assert_eq!((timing.slack_ns, timing.period_ns), (-0.412, 10.0));
    assert!((timing.path_ns() - 10.412).abs() < 1e-9);
    assert_eq!((timing.failing, timing.hold_ns, timing.met()), (57, Some(0.061), false));
    assert!((timing.fmax_hz() - 96.043e6).abs() < 1e3);
}

#[test]
fn a_clock_is_met_by_setup_and_hold() {
    let met = TIMING.replace(
        "     -0.412      -12.804                     57 ",
        "      0.412        0.000                      0 ",
    );
    let met = met.replace("aclk               -0.412", "aclk                0.412");
    assert!(timing(&met).unwrap().met());
    assert!(!timing(&met.replacen(" 0.061 ", "-0.061 ", 1)).unwrap().met());
    // Another family's chains are called by their name.
    let eight = utilisation(&OLD.replace("| CARRY4 ", "| CARRY8 ")).unwrap();
    assert_eq!((eight.carry4, eight.carry8), (0, 5469));
}

#[test]
fn broken_reports_say_where() {
    let cases = [
        (utilisation("").unwrap_err().to_string(), "line 1, column 1: the report ends without its head"),
        (
            utilisation(TIMING).unwrap_err().to_string(),
            "the report ends without a row Slice LUTs or CLB LUTs",
        ),
        (
            utilisation(&OLD.replace("| 48211 |", "| 48x11 |")).unwrap_err().to_string(),
            "line 20, column 32: \"48x11\" is not a number",
        ),
        (
            utilisation(&OLD.replace(
                "| Slice LUTs*                | 48211 |     0 |    134600 | 35.82 |",
                "| Slice LUTs*  | 48211 |",
            ))
            .unwrap_err()
            .to_string(),
            "line 20, column 1: the row of Slice LUTs is cut off",
        ),
        (timing(OLD).unwrap_err().to_string(), "the report ends without the design timing summary"),
        (
            timing(&TIMING.replace(
                "     -0.412      -12.804                     57               141207",
                "         NA           NA",
            ))
            .unwrap_err()
            .to_string(),
            "no path has a constraint: give the clock a create_clock",
        ),
        (
            timing(&TIMING.replace("50.000          20.000", "fifty          20.000"))
                .unwrap_err()
                .to_string(),
            "\"fifty\" is not a period in ns",
        ),
        (
            timing(&TIMING.replace("Vivado v.2020.2", "nothing")).unwrap_err().to_string(),
            "no version of Vivado",
        ),
    ];
    for (told, part) in cases {
        assert!(told.contains(part), "{told}");
        assert!(told.starts_with("line "), "{told}");
    }
    // Cut off anywhere before the last line it is an error.
    let whole = OLD.trim_end().rfind('\n').unwrap();
    for end in 0..whole {
        assert!(utilisation(&OLD[..end]).is_err(), "{:?}", &OLD[end.saturating_sub(60)..end]);
    }
    // However it is cut, it is an error or a report, never a panic.
    for text in [OLD, NEW, TIMING] {
        for end in (0..text.len()).filter(|end| text.is_char_boundary(*end)) {
            let _ = (utilisation(&text[..end]), timing(&text[..end]));
        }
    }
}
