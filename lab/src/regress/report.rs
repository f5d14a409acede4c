// SPDX-License-Identifier: MIT OR Apache-2.0
//! All outcomes of a plan as a page.

use super::{Outcome, Plan};
use std::fmt::Write;

/// Mismatches among some outcomes.
pub fn mismatches(outcomes: &[Outcome]) -> usize {
    outcomes.iter().filter(|outcome| outcome.fault.is_some()).count()
}

/// The page: heading, what the plan says, a row a job in the plan's order, faults in full. `source` says by what command
/// it was written.
pub fn page(plan: &Plan, outcomes: &[Outcome], source: &str) -> String {
    let simulator = outcomes.first().map_or("", |outcome| &outcome.simulator);
    let mut text =
        format!("# {}\n\nWritten by {source}; {simulator}.\n{}\n\n", plan.title, plan.about.trim());
    text.push_str(
        "| configuration | seed | moves | nodes | returns | mismatches | cycles a search, mean | decisions |\n\
         |---|---:|---:|---:|---:|---:|---:|---|\n",
    );
    let total = |of: fn(&Outcome) -> u64| outcomes.iter().map(of).sum::<u64>();
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
        mismatches(outcomes)
    );
    for outcome in outcomes {
        if let Some(fault) = &outcome.fault {
            let _ = write!(text, "\n## {}\n\n```\n{}\n```\n", outcome.job, fault.trim_end());
        }
    }
    text
}
