// SPDX-License-Identifier: MIT OR Apache-2.0
//! All outcomes of a plan as a page.

use super::{Outcome, Plan};
use std::collections::BTreeSet;
use std::fmt::Write;

/// Mismatches among some outcomes.
pub fn mismatches(outcomes: &[Outcome]) -> usize {
    outcomes.iter().filter(|outcome| outcome.fault.is_some()).count()
}

/// A row for each run in lockstep, and the sums.
fn games(outcomes: &[&Outcome]) -> String {
    let mut text = String::from(
        "| configuration | seed | moves | nodes | returns | mismatches | cycles a search, mean | decisions |\n\
         |---|---:|---:|---:|---:|---:|---:|---|\n",
    );
    let total = |of: fn(&Outcome) -> u64| outcomes.iter().map(|outcome| of(outcome)).sum::<u64>();
    for outcome in outcomes {
        let Outcome { job, wanted, moves, nodes, returns, cycles, decisions, fault, .. } = outcome;
        let (name, seed) = job.rsplit_once('.').unwrap_or((job, ""));
        let faults = u32::from(fault.is_some());
        let _ = writeln!(
            text,
            "| {name} | {seed} | {moves} of {wanted} | {nodes} | {returns} | {faults} | {cycles:.0} | {decisions} |"
        );
    }
    let _ = writeln!(
        text,
        "\n{} jobs, {} moves, {} nodes, {} returns, {} mismatches.",
        outcomes.len(),
        total(|outcome| outcome.moves),
        total(|outcome| outcome.nodes),
        total(|outcome| outcome.returns),
        total(|outcome| outcome.fault.is_some().into())
    );
    text
}

/// A row for each package that was shown to a tool, and the sum.
fn checks(outcomes: &[&Outcome]) -> String {
    let mut text = String::from("| configuration | check | verdict |\n|---|---|---|\n");
    for Outcome { job, said, fault, .. } in outcomes {
        let (name, check) = job.rsplit_once('.').unwrap_or((job, ""));
        let verdict = if fault.is_some() { "FAIL" } else { said };
        let _ = writeln!(text, "| {name} | {check} | {verdict} |");
    }
    let faults = outcomes.iter().filter(|outcome| outcome.fault.is_some()).count();
    let _ = writeln!(text, "\n{} checks, {faults} failed.", outcomes.len());
    text
}

/// The page: heading, what the plan says, a row a job in the plan's order, faults in full. `source` says by what command
/// it was written.
pub fn page(plan: &Plan, outcomes: &[Outcome], source: &str) -> String {
    let tools: BTreeSet<&str> = outcomes.iter().flat_map(|outcome| outcome.simulator.split("; ")).collect();
    let simulator = tools.into_iter().collect::<Vec<_>>().join("; ");
    let mut text =
        format!("# {}\n\nWritten by {source}; {simulator}.\n{}\n\n", plan.title, plan.about.trim());
    let (played, checked): (Vec<&Outcome>, Vec<&Outcome>) =
        outcomes.iter().partition(|outcome| outcome.wanted > 0);
    if !played.is_empty() {
        text.push_str(&games(&played));
    }
    if !played.is_empty() && !checked.is_empty() {
        text.push('\n');
    }
    if !checked.is_empty() {
        text.push_str(&checks(&checked));
    }
    for outcome in outcomes {
        if let Some(fault) = &outcome.fault {
            let _ = write!(text, "\n## {}\n\n```\n{}\n```\n", outcome.job, fault.trim_end());
        }
    }
    text
}
