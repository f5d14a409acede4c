// SPDX-License-Identifier: MIT OR Apache-2.0
//! Flags of every window of one direction.

use crate::kit::{Body, Circuit, hex};
use crate::layout::Layout;

/// Names of the pattern flags, each a plane indexed by a window's first cell: clean with k-1, k-2 (and, for the
/// bonus, k-3) stones of one side, or a line of k stones of the opponent.
pub fn pattern_flags(layout: &Layout) -> Vec<&'static str> {
    let mut names = vec!["own_one_missing", "other_one_missing", "own_two_missing", "other_two_missing"];
    if layout.has_bonus() {
        names.push("own_three_missing");
        if layout.config.has_floor() {
            names.push("other_three_missing");
        }
    }
    names.push("other_line");
    names
}

/// What the names of gain flags begin with: the mover's, and where floors are asked for the opponent's.
pub fn gain_prefixes(layout: &Layout) -> impl Iterator<Item = &'static str> {
    ["", "other_"].into_iter().take(1 + usize::from(layout.compares_replies()))
}

/// Clocks from the board to the flags: counts, flags.
pub const LATENCY: usize = 2;

/// Counts the stones of every window of `direction` and turns them into flags.
///
/// Ports: `aclk`; planes `own`, `other` of the frame in; out, per window at the bit of its first cell: `gain_flag_J`
/// (see [`Layout::gain_flags`]), where floors are asked for `other_gain_flag_J`, the same seen by the opponent, and the
/// [`pattern_flags`]. Latency [`LATENCY`], initiation interval 1, no reset (data only).
pub fn window_flags(layout: &Layout, direction: usize) -> Circuit {
    let (cells, k) = (layout.frame.cells, layout.config.in_a_row);
    let stride = layout.frame.geometry.stride(direction);
    let mut circuit = Circuit::new(
        &format!("window_flags_{}", crate::circuits::DIRECTION_NAMES[direction]),
        &format!(
            "Flags of the windows of one direction, at the bit of each window's first cell.\n\
             Latency {LATENCY}, initiation interval 1, no reset (data only). Direction: {}.",
            crate::circuits::DIRECTION_NAMES[direction]
        ),
    );
    circuit.clocked(false);
    circuit.input("own", cells);
    circuit.input("other", cells);
    for prefix in gain_prefixes(layout) {
        for (flag, _) in layout.gain_flags() {
            circuit.output(format!("{prefix}gain_flag_{flag}"), cells);
        }
    }
    for flag in pattern_flags(layout) {
        circuit.output(flag, cells);
    }

    let mut body = Body::new();
    let exists: Vec<bool> =
        (0..cells).map(|cell| layout.frame.geometry.window_at[direction][cell].is_some()).collect();
    body.comment("Windows that lie on the board.");
    let exists = body.wire("exists", cells, hex(&exists));
    let mut counts = Vec::new();
    for side in ["own", "other"] {
        body.comment(&format!("Stones of {side} in the window, bit-sliced."));
        let members: Vec<String> = (0..k)
            .map(|i| if i == 0 { side.to_string() } else { format!("({side} >> {})", i * stride) })
            .map(|shifted| body.wire(&format!("{side}_member"), cells, shifted))
            .collect();
        let sum = body.count(&format!("{side}_sum"), cells, &members);
        let sum = &sum[..engine_model::scoring::bits_for(k)];
        let registered: Vec<String> =
            sum.iter().map(|plane| body.register(&format!("{side}_count"), cells, plane)).collect();
        counts.push(registered);
    }
    let exactly = |body: &mut Body, own: usize, other: usize| {
        let (n, m) = (body.equals(cells, &counts[0], own), body.equals(cells, &counts[1], other));
        body.wire(&format!("own{own}_other{other}"), cells, format!("{n} & {m} & {exists}"))
    };
    body.comment("Windows by stones of either side; a window with stones of both is dead and has no flag.");
    let by_own: Vec<String> = (0..k).map(|n| exactly(&mut body, n, 0)).collect();
    let mut by_other: Vec<String> = vec![by_own[0].clone()];
    by_other.extend((1..=k).map(|m| exactly(&mut body, 0, m)));
    for (prefix, [mine, theirs]) in gain_prefixes(layout).zip([[&by_own, &by_other], [&by_other, &by_own]]) {
        for (flag, _) in layout.gain_flags() {
            let mut terms = vec![mine[flag].as_str()];
            terms.extend(theirs[flag + 1..k].iter().map(String::as_str));
            body.drive_register(&format!("{prefix}gain_flag_{flag}"), terms.join(" | "));
        }
    }
    for flag in pattern_flags(layout) {
        let source = match flag {
            "own_one_missing" => by_own[k - 1].clone(),
            "other_one_missing" => by_other[k - 1].clone(),
            "own_two_missing" => by_own[k - 2].clone(),
            "other_two_missing" => by_other[k - 2].clone(),
            "own_three_missing" => by_own[k - 3].clone(),
            "other_three_missing" => by_other[k - 3].clone(),
            _ => by_other[k].clone(),
        };
        body.drive_register(flag, source);
    }
    circuit.set_body(body.finish());
    circuit
}
