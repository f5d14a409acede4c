// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a match says, for people and for programs.

use arena::series::{Identity, Outcome, Record};
use arena::sprt::{Sprt, Verdict};
use arena::statistics::{Score, Spread};
use arena::summary::{LENGTHS, Spent, Summary};
use figures::clock::{Clock, USUAL};
use serde_json::{Value, json};

/// A forfeited game in words.
pub fn forfeit(record: &Record) -> String {
    let by = if record.outcome == Outcome::Win { &record.b } else { &record.a };
    let reason = record.reason.as_deref().unwrap_or("no reason recorded");
    format!("game {}: {by} forfeits: {reason}; moves so far: {}", record.game, record.moves)
}

/// How fast a side with a clock is.
pub struct Speed {
    /// The clock.
    pub clock: Clock,
    /// For a move, mean.
    pub seconds: f64,
    /// How many times as long the other side takes: at the same clock if it has one, else by the wall clock.
    pub ratio: Option<f64>,
}

/// What the golden model's side begins with: it is written to be right, not to be fast, and nothing is compared with its time.
const MODEL: &str = "model:";

/// The speeds of a side at the usual clocks, against the other one of this name; none of a side without cycles.
pub fn speeds(side: &Spent, other: &Spent, name: &str) -> Vec<Speed> {
    let Some(cycles) = &side.cycles else { return Vec::new() };
    let of = |clock: Clock| {
        let seconds = clock.seconds(cycles.mean);
        let others = match &other.cycles {
            Some(cycles) => clock.seconds(cycles.mean),
            None => other.seconds / other.moves.max(1) as f64,
        };
        let compares =
            other.moves > 0 && seconds > 0.0 && (other.cycles.is_some() || !name.starts_with(MODEL));
        Speed { clock, seconds, ratio: compares.then(|| others / seconds) }
    };
    USUAL.map(of).into()
}

/// As one JSON object.
pub fn object(identity: &Identity, summary: &Summary, faults: &[String], sprt: Option<Sprt>) -> Value {
    let Summary { score, strength, .. } = summary;
    let results = |s: &Score| json!({ "wins": s.wins, "draws": s.draws, "losses": s.losses });
    let of =
        |spread: &Option<Spread>| spread.map(|s| json!({ "mean": s.mean, "median": s.median, "max": s.max }));
    let spent = |spent: &Spent, other: &Spent, name: &str| {
        let speeds: Vec<Value> = speeds(spent, other, name)
            .iter()
            .map(|speed| json!({ "clock_hz": speed.clock.hz, "seconds": speed.seconds, "other_takes": speed.ratio }))
            .collect();
        json!({
            "moves": spent.moves, "nodes": of(&spent.nodes), "cycles": of(&spent.cycles), "seconds": spent.seconds,
            "at_clock": speeds,
        })
    };
    // An infinite Elo has no number in JSON: it becomes null.
    json!({
        "a": identity.a,
        "b": identity.b,
        "fingerprint": identity.fingerprint,
        "games": score.games(),
        "wins": score.wins,
        "losses": score.losses,
        "draws": score.draws,
        "score": {
            "value": strength.fraction.value, "low": strength.fraction.low, "high": strength.fraction.high,
        },
        "elo": { "value": strength.elo.value, "low": strength.elo.low, "high": strength.elo.high },
        "superiority": strength.superiority,
        "pairs": strength.pairs,
        "as_black": results(&summary.as_black),
        "as_white": results(&summary.as_white),
        "distinct_games": summary.distinct,
        "capped": summary.capped,
        "length": of(&summary.length),
        "by_length": summary.by_length.iter().map(|(from, score)| json!({
            "from": from, "to": from + LENGTHS - 1, "results": results(score),
        })).collect::<Vec<_>>(),
        "sprt": sprt.map(|test| json!({
            "elo0": test.elo0, "elo1": test.elo1, "alpha": test.alpha, "beta": test.beta,
            "llr": test.llr(&summary.openings), "low": test.bounds().0, "high": test.bounds().1,
            "accepted": match test.verdict(&summary.openings) {
                Verdict::Open => Value::Null,
                Verdict::Zero => json!(0),
                Verdict::One => json!(1),
            },
        })),
        "forfeits": summary.forfeits.iter().sum::<u64>(),
        "forfeits_by": { "a": summary.forfeits[0], "b": summary.forfeits[1] },
        "faults": faults,
        "spent": {
            "a": spent(&summary.a, &summary.b, &identity.b), "b": spent(&summary.b, &summary.a, &identity.a),
        },
    })
}

/// As text.
pub fn table(identity: &Identity, summary: &Summary, faults: &[String], sprt: Option<Sprt>) -> String {
    let Summary { score, strength, .. } = summary;
    let results = |s: &Score| format!("{:>4} won  {:>4} drawn  {:>4} lost", s.wins, s.draws, s.losses);
    let elo = |value: f64| if value.is_finite() { format!("{value:+.0}") } else { "unbounded".into() };
    let mut text = format!("{} against {}\n", identity.a, identity.b);
    let mut line = |name: &str, value: String| text.push_str(&format!("  {name:<16}{value}\n"));
    line("games", format!("{:>4}, {} of them distinct", score.games(), summary.distinct));
    line("result", results(score));
    line("  as black", results(&summary.as_black));
    line("  as white", results(&summary.as_white));
    let percent = |f: f64| 100.0 * f;
    line(
        "score",
        format!(
            "{:.1} %, 95 % interval {:.1} to {:.1}",
            percent(strength.fraction.value),
            percent(strength.fraction.low),
            percent(strength.fraction.high)
        ),
    );
    line(
        "Elo",
        format!(
            "{}, 95 % interval {} to {}; stronger with probability {:.3}",
            elo(strength.elo.value),
            elo(strength.elo.low),
            elo(strength.elo.high),
            strength.superiority
        ),
    );
    let pairs: Vec<String> = strength.pairs.iter().map(u64::to_string).collect();
    line("pairs", format!("{}   openings that gave 0, 1/2, 1, 3/2, 2 points", pairs.join(" ")));
    if let Some(test) = sprt {
        let (low, high) = test.bounds();
        let verdict = match test.verdict(&summary.openings) {
            Verdict::Open => "open".to_string(),
            Verdict::Zero => format!("Elo {} accepted", test.elo0),
            Verdict::One => format!("Elo {} accepted", test.elo1),
        };
        line(
            "SPRT",
            format!(
                "LLR {:.2} of {low:.2} to {high:.2} for Elo {} against {}: {verdict}",
                test.llr(&summary.openings),
                test.elo0,
                test.elo1
            ),
        );
    }
    if let Some(length) = summary.length {
        let capped = if summary.capped > 0 {
            format!("; {} called a draw at the cap", summary.capped)
        } else {
            String::new()
        };
        line(
            "moves per game",
            format!("{:.1} mean; median {}, max {}{capped}", length.mean, length.median, length.max),
        );
    }
    for (from, score) in &summary.by_length {
        let share = percent(score.fraction());
        line(
            if *from == summary.by_length[0].0 { "by length" } else { "" },
            format!("{from:>3} to {:<3} {:>4} games, {share:>5.1} %", from + LENGTHS - 1, score.games()),
        );
    }
    let of = |spread: &Option<Spread>| match spread {
        Some(s) => format!("{:.0} mean; median {}, max {}", s.mean, s.median, s.max),
        None => "-".into(),
    };
    let sides = [
        ("a", &identity.a, &summary.a, &summary.b, &identity.b),
        ("b", &identity.b, &summary.b, &summary.a, &identity.a),
    ];
    for (name, label, spent, other, against) in sides {
        let mean = spent.seconds / spent.moves.max(1) as f64;
        line(name, format!("{label}: {} moves, {:.4} s a move", spent.moves, mean));
        line("  nodes a move", of(&spent.nodes));
        line("  cycles a move", of(&spent.cycles));
        for Speed { clock, seconds, ratio } in speeds(spent, other, against) {
            let ratio = ratio
                .map_or_else(String::new, |ratio| format!("; the other side takes {ratio:.1} times as long"));
            line(&format!("  at {clock}"), format!("{:.1} us a move{ratio}", 1e6 * seconds));
        }
    }
    line("forfeits", format!("{:>4}", faults.len()));
    for fault in faults {
        text.push_str(&format!("{fault}\n"));
    }
    text
}
