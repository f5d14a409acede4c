// SPDX-License-Identifier: MIT OR Apache-2.0
//! A recorded search as the page reads it, from the server or out of a file: JSON, with a letter for each clock.

use cosim::dut::period_ps;
use cosim::recording::{Pass, Recording};
use cosim::waits::{Cause, Clock, Window};
use engine_model::notation::format_game;
use engine_model::search::Bound;
use engine_model::{Config, Outcome};
use hdl::Layout;
use hdl::layout::PassKind;
use serde_json::{Value, json};

/// What says which form a file has.
pub const FORMAT: &str = "tengen-recording 1";

/// The letter of a clock.
fn letter(clock: &Clock) -> char {
    match clock {
        Clock { issued: true, .. } => 'P',
        Clock { cause: Some(Cause::Miss), .. } => 'm',
        Clock { cause: Some(Cause::Context), .. } => 'c',
        Clock { cause: Some(Cause::Order), .. } => 'o',
        Clock { cause: Some(Cause::First), .. } => 'f',
        Clock { cause: Some(Cause::Results), .. } => 'r',
        // The evaluator is at a pass before, of more than one clock.
        Clock { cause: None, .. } => '.',
    }
}

/// What the letters mean, in the order in which they are shown.
const LETTERS: [(char, &str, &str); 7] = [
    ('P', "pass", "a pass went into the evaluator"),
    ('.', "busy", "the evaluator was still at a pass before"),
    ('r', "results", "every node under search waited for results in the pipeline"),
    ('f', "first child", "siblings waited for a first child's value"),
    ('o', "order", "moves in order were on their way"),
    ('c', "context", "moves waited for a free context"),
    ('m', "miss", "a visit found no move that the bounds let through"),
];

/// Every change of a context's window: clock, context (numbered through all levels), its two ends, or nothing when it is free again.
fn windows(clocks: &[Clock]) -> Vec<Value> {
    let mut before: Vec<Option<Window>> = Vec::new();
    let mut changes = Vec::new();
    for (number, clock) in clocks.iter().enumerate() {
        let now: Vec<Option<Window>> = clock.windows.iter().flatten().copied().collect();
        before.resize(now.len(), None);
        for (context, (_, window)) in
            before.iter().zip(&now).enumerate().filter(|(_, (before, now))| before != now)
        {
            changes.push(match window {
                Some(Window { alpha, beta }) => json!([number, context, alpha, beta]),
                None => json!([number, context]),
            });
        }
        before = now;
    }
    changes
}

/// Names of what [`pass`] gives, in its order.
const PASS_FIELDS: [&str; 18] = [
    "issued",
    "retired",
    "kind",
    "level",
    "path",
    "outcome",
    "best",
    "gain",
    "makes_four",
    "leaf_value",
    "value",
    "potential",
    "extensions",
    "depth_zero",
    "fresh",
    "context",
    "child",
    "winners",
];

fn pass(pass: &Pass) -> Value {
    let Pass { issued, retired, node } = pass;
    let tag = &node.tag;
    // The leaves are most of the passes, and nobody asks them for moves.
    let winners: Vec<i64> = match tag.depth_zero {
        true => Vec::new(),
        false => node
            .winners
            .iter()
            .flatten()
            .flat_map(|winner| [i64::from(winner.picked.cell), i64::from(winner.picked.gain)])
            .collect(),
    };
    let best = node.best;
    json!([
        issued,
        retired,
        tag.kind as u8,
        tag.level,
        tag.path,
        node.outcome.map(|outcome| outcome as u8),
        best.map(|best| best.cell),
        best.map(|best| best.gain),
        best.map(|best| u8::from(best.makes_four)),
        node.leaf_value,
        node.value,
        tag.potential,
        tag.extensions,
        u8::from(tag.depth_zero),
        u8::from(node.fresh),
        tag.context,
        tag.child,
        winners,
    ])
}

/// The name of a kind of passes, in small letters: its words apart.
fn kind(kind: PassKind) -> String {
    let name = format!("{kind:?}");
    let apart = |c: char| if c.is_uppercase() { format!(" {}", c.to_lowercase()) } else { c.into() };
    name.chars().map(apart).collect::<String>().trim_start().into()
}

/// A recorded search of a core of this configuration.
pub fn object(recording: &Recording, config: &Config) -> Value {
    let layout = Layout::new(config);
    let Config { name, columns, rows, in_a_row, .. } = config;
    let bound = |bound: Option<Bound>| match bound {
        Some(Bound::Exact) => "=",
        Some(Bound::Upper) => "<=",
        Some(Bound::Lower) => ">=",
        None => "?",
    };
    let returns: Vec<Value> = recording
        .returns
        .iter()
        .map(|(clock, of)| json!([clock, of.level, of.path, of.extensions, of.value, bound(of.bound)]))
        .collect();
    let contexts_of: Vec<usize> = (1..=config.levels).map(|level| layout.contexts_at(level)).collect();
    json!({
        "format": FORMAT,
        "core": {
            "name": name, "columns": columns, "rows": rows, "in_a_row": in_a_row, "levels": config.levels,
            "contexts_of_levels": contexts_of, "period_ps": period_ps(config), "win": config.scoring().win_score,
        },
        "moves": format_game(&recording.moves, &layout.geometry),
        "levels": recording.levels,
        "decision": recording.decision.map(|decision| json!({
            "cell": layout.geometry.point(decision.cell).to_string(), "score": decision.score,
        })),
        "cycles": recording.cycles,
        "begin": recording.begin,
        "latency": recording.latency,
        "letters": LETTERS.map(|(letter, name, meaning)| json!([letter, name, meaning])),
        "clocks": recording.clocks.iter().map(letter).collect::<String>(),
        "windows": windows(&recording.clocks),
        "kinds": PassKind::ALL.map(kind),
        "outcomes": Outcome::ALL.map(Outcome::name),
        "pass_fields": PASS_FIELDS,
        "passes": recording.passes.iter().map(pass).collect::<Vec<_>>(),
        "returns": returns,
    })
}
