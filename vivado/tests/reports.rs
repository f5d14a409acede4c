// SPDX-License-Identifier: MIT OR Apache-2.0
//! Vivado's reports, written by hand after the published format, and what is wrong with broken ones.
#![allow(missing_docs)]

use vivado::reports::{Kind, Listed, Name, Stage, kind, paired, timing, utilisation};

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

/// Setup, hold, pulse width; of each worst slack and failing endpoints.
fn summary(checks: [(f64, u64); 3]) -> String {
    let group = |(slack, failing): (f64, u64)| {
        format!("{slack:>11.3} {:>12.3} {failing:>22} {:>20}", slack.min(0.0), 9000)
    };
    let met = checks.iter().all(|(slack, _)| *slack >= 0.0);
    let said = if met {
        "All user specified timing constraints are met."
    } else {
        "Timing constraints are not met."
    };
    let figures = checks.map(group).join(" ");
    let start = TIMING.find("    WNS(ns)").unwrap();
    let end = TIMING.find("Timing constraints are not met.").unwrap();
    let rest = TIMING[end..].replacen("Timing constraints are not met.", said, 1);
    let header: Vec<&str> = TIMING[start..].lines().take(2).collect();
    let head = format!("{}{}\n{}\n{figures}\n\n\n{rest}", &TIMING[..start], header[0], header[1]);
    head.replace("aclk               -0.412", &format!("aclk {:>20.3}", checks[0].0))
}

#[test]
fn the_clock_with_the_worst_slack_gives_the_path() {
    let timing = timing(TIMING).unwrap();
    assert_eq!((timing.setup.slack_ns, timing.period_ns), (Some(-0.412), Some(10.0)));
    assert!((timing.path_ns().unwrap() - 10.412).abs() < 1e-9);
    assert_eq!((timing.setup.failing, timing.hold.slack_ns), (Some(57), Some(0.061)));
    assert_eq!((timing.met(), &timing.worst[..]), (Some(false), &["aclk".to_string()][..]));
    assert!((timing.fmax_hz().unwrap() - 96.043e6).abs() < 1e3);
}

#[test]
fn every_check_counts_and_what_is_not_told_is_unknown() {
    let read = |text: &str| timing(text).unwrap();
    let good = (0.4, 0);
    assert_eq!(read(&summary([good, good, good])).met(), Some(true));
    for (checks, failing) in [
        ([(-0.1, 3), good, good], "setup"),
        ([good, (-0.1, 3), good], "hold"),
        ([good, good, (-0.155, 3)], "pulse width"),
    ] {
        let timing = read(&summary(checks));
        assert_eq!(timing.met(), Some(false), "{failing}");
        let failed: Vec<&str> = timing
            .checks()
            .into_iter()
            .filter(|(_, check)| check.met() == Some(false))
            .map(|(name, check)| {
                assert_eq!(check.failing, Some(3));
                name
            })
            .collect();
        assert_eq!(failed, [failing]);
    }
    // The sentence and the numbers contradict each other, or one of the numbers is not there.
    let text = summary([good, good, good]);
    let last = text.rfind("0.400        0.000").unwrap();
    let end = last + text[last..].find('\n').unwrap();
    let without_last = format!("{}NA NA NA NA{}", &text[..last], &text[end..]);
    for text in [
        text.replace("All user specified timing constraints are met.", "Timing constraints are not met."),
        without_last,
        summary([good, good, (0.4, 2)]),
        text.replace("WPWS(ns)", "other"),
        // Nothing was asked, nothing is said, a slack of nothing, or a design that is not whole.
        text.replace(
            "All user specified timing constraints are met.",
            "There are no user specified timing constraints.",
        ),
        text.replace("All user specified timing constraints are met.", ""),
        format!("{}inf          0.000{}", &text[..last], &text[last + "0.400        0.000".len()..]),
        text.replace("| Design ", "| Design State : Partially Routed\n| Design "),
        text.replace("| Design ", "| Design State :\n| Design "),
    ] {
        let timing = read(&text);
        assert_eq!(timing.met(), None, "{text}");
        assert!(timing.unknown().is_some_and(|why| !why.is_empty()));
    }
}

#[test]
fn the_worst_path_may_lie_between_clocks_or_in_a_group() {
    let rule =
        "------------------------------------------------------------------------------------------------";
    let with = |title: &str, header: &str, row: &str| {
        let columns: Vec<String> =
            header.split("  ").filter(|c| !c.is_empty()).map(|c| "-".repeat(c.trim().len())).collect();
        format!(
            "{}\n\n{rule}\n| {title}\n| ---\n{rule}\n\n{header}\n{}\n{row}\n",
            TIMING.replace("aclk               -0.412", "aclk                0.412").trim_end(),
            columns.join("  ")
        )
    };
    let between =
        with("Inter Clock Table", "From Clock  To Clock  WNS(ns)  TNS(ns)", "aclk  EHS  -0.412  -0.412");
    let found = timing(&between).unwrap();
    assert_eq!(
        (found.worst, found.period_ns, found.setup.slack_ns),
        (vec!["aclk to EHS".into()], None, Some(-0.412))
    );
    let group = with(
        "Other Path Groups Table",
        "Path Group  From Clock  To Clock  WNS(ns)  TNS(ns)",
        "**async_default**  EHS  EHS  -0.412  -0.412",
    );
    let found = timing(&group).unwrap();
    assert_eq!((found.worst, found.period_ns), (vec!["EHS".to_string()], Some(50.0)));
    // Of two clocks with one slack both are named, and the shorter period is the harder one.
    let both = timing(&TIMING.replace("EHS                21.730", "EHS                -0.412")).unwrap();
    assert_eq!((both.worst, both.period_ns), (vec!["aclk".to_string(), "EHS".into()], Some(10.0)));
}

#[test]
fn states_are_told_as_they_are() {
    for (state, stage) in [
        ("Synthesized", Some(Stage::Synthesis)),
        ("Optimized", Some(Stage::Optimisation)),
        ("Physopt postPlace", Some(Stage::PlacementOptimised)),
        ("Fully Placed", Some(Stage::Placement)),
        ("Physopt postRoute", Some(Stage::RouteOptimised)),
        ("Routed", Some(Stage::Route)),
        ("Partially Routed", None),
        ("Unplaced", None),
    ] {
        let report = utilisation(&NEW.replace("Fully Routed", state)).unwrap();
        assert_eq!((report.head.stage, report.head.state.as_deref()), (stage, Some(state)));
    }
}

#[test]
fn reports_are_paired_by_their_names() {
    let of = |file: &str, kind, design: &str| {
        let name = Name::new(file, kind).unwrap();
        Listed { stage: name.stage(), name, design: design.into() }
    };
    let name = |file: &str, kind| of(file, kind, "one");
    let pairs = |utilisations: &[&str], timings: &[&str]| -> Vec<(Option<usize>, Option<usize>)> {
        let utilisations: Vec<_> = utilisations.iter().map(|file| name(file, Kind::Utilisation)).collect();
        let timings: Vec<_> = timings.iter().map(|file| name(file, Kind::Timing)).collect();
        paired(&utilisations, &timings).into_iter().map(|pair| (pair.utilisation, pair.timing)).collect()
    };
    assert_eq!(
        pairs(&["a_utilization_synth.rpt", "a_utilization_routed.rpt"], &["a_timing_routed.rpt"]),
        [(Some(0), None), (Some(1), Some(0))]
    );
    // A project's run.
    let run = ["t_timing_summary_postroute_physopted.rpt", "t_timing_summary_routed.rpt"];
    assert_eq!(pairs(&["t_utilization_placed.rpt"], &run), [(Some(0), Some(0)), (None, Some(1))]);
    assert_eq!(
        pairs(&["t_utilization_placed.rpt"], &["u_timing_routed.rpt"]),
        [(Some(0), None), (None, Some(0))]
    );
    assert_eq!(pairs(&["t_utilization_synth.rpt"], &run[1..]), [(Some(0), None), (None, Some(0))]);
    // Of two designs, whatever the files are called.
    for timing in ["t_timing_placed.rpt", "t_timing_summary_routed.rpt"] {
        let utilisation = of("t_utilization_placed.rpt", Kind::Utilisation, "one");
        let found = paired(&[utilisation], &[of(timing, Kind::Timing, "other")]);
        assert_eq!(
            found.iter().map(|pair| (pair.utilisation, pair.timing)).collect::<Vec<_>>(),
            [(Some(0), None), (None, Some(0))]
        );
    }
    assert_eq!(
        kind(
            "t_clock_utilization_routed.rpt",
            &OLD.replace("report_utilization", "report_clock_utilization")
        ),
        None
    );
    assert_eq!(kind("anything.rpt", OLD), Some(Kind::Utilisation));
    assert_eq!(kind("t_utilization.rpt", "Fitter report of another vendor"), None);
}

#[test]
fn another_familys_chains_are_called_by_their_name() {
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
