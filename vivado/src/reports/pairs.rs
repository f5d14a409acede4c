// SPDX-License-Identifier: MIT OR Apache-2.0
//! Which reports of a folder belong together, by their names and heads.
//!
//! Scripts of ours write `TOP_utilization_routed.rpt` and `TOP_timing_routed.rpt`; a project run leaves `TOP_utilization_placed.rpt` and
//! `TOP_timing_summary_routed.rpt`, among others that are of neither kind (`TOP_clock_utilization_routed.rpt`).

use super::head::Stage;
use super::lines::Lines;

/// What a report is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// `report_utilization`, not hierarchical.
    Utilisation,
    /// `report_timing_summary`.
    Timing,
}

/// What the report in the file `name` is about; `None`: another report, or no report of Vivado's. The command in its head decides, else the
/// name of the file.
pub fn kind(name: &str, text: &str) -> Option<Kind> {
    let lines = Lines::new(text);
    if !lines.head_value("Tool Version")?.contains("Vivado") {
        return None;
    }
    match lines.head_value("Command") {
        Some(command) => {
            let mut words = command.split_whitespace();
            match words.next() {
                Some("report_utilization") if !words.any(|word| word.starts_with("-hier")) => {
                    Some(Kind::Utilisation)
                }
                Some("report_timing_summary") => Some(Kind::Timing),
                _ => None,
            }
        }
        None if Name::new(name, Kind::Timing).is_some() => Some(Kind::Timing),
        None => Name::new(name, Kind::Utilisation).map(|_| Kind::Utilisation),
    }
}

/// A report's file name in its parts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name {
    /// What stands before the kind: usually the top module.
    pub top: String,
    /// What stands behind it: usually how far the design had come.
    pub suffix: String,
}

impl Name {
    /// The parts of a name as reports of this kind have it, in small letters.
    pub fn new(file: &str, kind: Kind) -> Option<Name> {
        let words: &[&str] = match kind {
            Kind::Utilisation => &["utilization"],
            Kind::Timing => &["timing_summary", "timing"],
        };
        let file = file.to_ascii_lowercase();
        let stem = file.strip_suffix(".rpt")?;
        let (top, suffix) = words.iter().find_map(|word| stem.split_once(word))?;
        Some(Name { top: top.trim_end_matches('_').into(), suffix: suffix.trim_start_matches('_').into() })
    }

    /// The stage that the name tells: reports of older versions do not tell it themselves.
    pub fn stage(&self) -> Option<Stage> {
        let says = |word: &str| self.suffix.contains(word);
        let optimised = says("physopt") || says("phys_opt");
        if says("route") {
            Some(if optimised { Stage::RouteOptimised } else { Stage::Route })
        } else if optimised {
            Some(Stage::PlacementOptimised)
        } else if says("place") {
            Some(Stage::Placement)
        } else if says("opt") {
            Some(Stage::Optimisation)
        } else {
            says("synth").then_some(Stage::Synthesis)
        }
    }
}

/// A utilisation report and the timing report that belongs to it, or either alone, each by its place in its list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Paired {
    /// Place in the list of utilisation reports.
    pub utilisation: Option<usize>,
    /// Place in the list of timing reports.
    pub timing: Option<usize>,
}

/// A report of a folder, as far as it decides which other one it belongs to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listed {
    /// Its file's name.
    pub name: Name,
    /// How far the design had come, if that is known.
    pub stage: Option<Stage>,
    /// The design that its head names.
    pub design: String,
}

/// Pairs reports of one design: of one name but for the kind; else, within one top, the last utilisation report of an implementation (placed or later)
/// with the last timing report that is not of an earlier stage. Each report is in one pair, alone if nothing belongs to it.
pub fn paired(utilisations: &[Listed], timings: &[Listed]) -> Vec<Paired> {
    let mut partner: Vec<Option<usize>> = vec![None; utilisations.len()];
    let mut taken = vec![false; timings.len()];
    for (place, Listed { name, design, .. }) in utilisations.iter().enumerate() {
        let same = |at: &usize| !taken[*at] && timings[*at].name == *name && timings[*at].design == *design;
        if let Some(same) = (0..timings.len()).find(same) {
            (partner[place], taken[same]) = (Some(same), true);
        }
    }
    let mut open: Vec<usize> = (0..utilisations.len())
        .filter(|at| partner[*at].is_none() && utilisations[*at].stage >= Some(Stage::Placement))
        .collect();
    open.sort_by_key(|at| std::cmp::Reverse(utilisations[*at].stage));
    for place in open {
        let of = &utilisations[place];
        let fits = |at: &usize| {
            let timing = &timings[*at];
            let same = timing.name.top == of.name.top && timing.design == of.design;
            !taken[*at] && same && timing.stage >= of.stage
        };
        let last = (0..timings.len()).filter(fits).max_by_key(|at| timings[*at].stage);
        if let Some(last) = last {
            (partner[place], taken[last]) = (Some(last), true);
        }
    }
    let both =
        partner.iter().enumerate().map(|(at, timing)| Paired { utilisation: Some(at), timing: *timing });
    let alone = (0..timings.len()).filter(|at| !taken[*at]);
    both.chain(alone.map(|at| Paired { utilisation: None, timing: Some(at) })).collect()
}
