// SPDX-License-Identifier: MIT OR Apache-2.0
//! Flags of every window of one direction.

use crate::layout::Layout;
use kit::{Circuit, Module, Sig, all_of, any_of, bundle, cat, when};

/// Names of the pattern flags, each a plane indexed by a window's first cell: clean with k-1, k-2 (and, for the
/// bonus and ceilings, k-3 and k-4) stones of one side, or a line of k stones of the opponent.
pub fn pattern_flags(layout: &Layout) -> Vec<&'static str> {
    let mut names = vec!["own_one_missing", "other_one_missing", "own_two_missing", "other_two_missing"];
    if layout.has_bonus() || layout.looks_ahead() {
        names.push("own_three_missing");
    }
    if layout.has_bonus() && layout.config.has_floor() {
        names.push("other_three_missing");
    }
    if layout.looks_at_pairs() {
        names.push("own_four_missing");
    }
    names.push("other_line");
    names
}

/// What the names of gain flags begin with: the mover's, and where floors are asked for the opponent's.
pub fn gain_prefixes(layout: &Layout) -> impl Iterator<Item = &'static str> {
    ["", "other_"].into_iter().take(1 + usize::from(layout.compares_replies()))
}

/// Cells of the frame above the rows of the slice: the windows that begin there are those of the slice before.
pub fn rows_above(layout: &Layout) -> usize {
    if layout.frame.slices > 1 { layout.frame.margin * layout.config.columns } else { 0 }
}

/// Counts the stones of every window of `direction` and turns them into flags.
///
/// Planes `own`, `other` and `occupied` (either of them) of the frame in, without the [`rows_above`] the slice; out, per window at the bit of its first cell: `gain_flag_J` (see [`Layout::gain_flags`]),
/// where floors are asked for `other_gain_flag_J`, the same seen by the opponent, and the [`pattern_flags`]. Latency 2: counts,
/// flags. Initiation interval 1, no reset (data only).
///
/// A window's flags need its stones only while one side has none there. So all stones are counted together, and beside the count stands
/// whether either side has any: five bits, of which a flag is one table.
///
/// Slice by slice only the windows that begin in the rows of the slice are looked at: those above are the ones of the slice before,
/// whose flags move up. `first` in, of the first slice of a board: no window begins above the board.
pub fn window_flags(layout: &Layout, direction: usize) -> Circuit {
    let (cells, k) = (layout.frame.cells, layout.config.in_a_row);
    let stride = layout.frame.geometry.stride(direction);
    let name = crate::circuits::DIRECTION_NAMES[direction];
    let m = Module::new(
        &format!("window_flags_{name}"),
        &format!(
            "Flags of the windows of one direction, at the bit of each window's first cell.\n\
             Latency 2, initiation interval 1, no reset (data only). Direction: {name}.",
        ),
        false,
    );
    let sliced = layout.frame.slices > 1;
    let above = rows_above(layout);
    let [own, other, occupied] =
        ["own", "other", "occupied"].map(|plane| m.input_at(0, plane, cells - above));
    let first = sliced.then(|| m.delayed("first_counts", m.input_at(0, "first", 1)));
    let exists: Vec<bool> =
        (above..cells).map(|cell| layout.frame.geometry.window_at[direction][cell].is_some()).collect();
    m.comment("Windows that lie on the board.");
    let exists = m.wire("exists", m.plane(&exists));
    m.comment("Whether a side has a stone in the window, and how many stones there are, bit-sliced.");
    let [any_own, any_other] = [("own", own), ("other", other)]
        .map(|(side, stones)| m.stage(&format!("{side}_any"), any_of(members(&m, side, stones, k, stride))));
    let sum = m.count("stones_sum", &members(&m, "stone", occupied, k, stride));
    let bits = engine_model::scoring::bits_for(k);
    let count: Vec<Sig> = sum[..bits].iter().map(|plane| m.stage("stones_count", *plane)).collect();
    let exactly = |own: usize, other: usize| {
        let absent = match (own, other) {
            (0, 0) => None,
            (_, 0) => Some(!any_other),
            _ => Some(!any_own),
        };
        let windows = all_of([m.equals(&count, own + other), exists].into_iter().chain(absent));
        m.part(&format!("own{own}_other{other}"), windows)
    };
    m.comment("Windows by stones of either side; a window with stones of both is dead and has no flag.");
    let by_own: Vec<Sig> = (0..k).map(|n| exactly(n, 0)).collect();
    let mut by_other: Vec<Sig> = vec![by_own[0]];
    by_other.extend((1..=k).map(|n| exactly(0, n)));
    let shift = layout.frame.core_cells;
    // Hidden, not cleared: a register with a reset shares its tile of an FPGA with none that has another or no reset.
    let hidden = first.map(|first| {
        let (rows, moved) = (layout.frame.margin, layout.frame.core_rows);
        m.comment("Rows above the slice that are on the board.");
        let above = m.register("rows_above", rows);
        let moved = match moved < rows {
            true => cat([m.plane(&vec![true; moved]), above.bits(moved..rows)]),
            false => m.plane(&vec![true; rows]),
        };
        m.at_edge([when(first, [above.set(0)]).otherwise([above.set(moved)])]);
        m.at_stage(bundle(above.each_bit().into_iter().map(|row| row.times(layout.config.columns))), 2)
    });
    let show = |name: &str, flags: Sig<'_>| {
        let Some(hidden) = hidden else {
            m.output(name, m.delayed(name, flags));
            return;
        };
        let new = m.delayed(&format!("{name}_new"), flags);
        let kept = m.register(&format!("{name}_kept"), above);
        // What these flags are of came a slice before.
        let moved = m.at_stage(came_down(new, kept, shift), 1);
        m.at_edge([kept.set(moved)]);
        m.output(name, cat([new, m.at_stage(kept, 2) & hidden]));
    };
    for (prefix, [mine, theirs]) in gain_prefixes(layout).zip([[&by_own, &by_other], [&by_other, &by_own]]) {
        for (flag, _) in layout.gain_flags() {
            let terms = std::iter::once(mine[flag]).chain(theirs[flag + 1..k].iter().copied());
            show(&format!("{prefix}gain_flag_{flag}"), any_of(terms));
        }
    }
    for flag in pattern_flags(layout) {
        let source = match flag {
            "own_one_missing" => by_own[k - 1],
            "other_one_missing" => by_other[k - 1],
            "own_two_missing" => by_own[k - 2],
            "other_two_missing" => by_other[k - 2],
            "own_three_missing" => by_own[k - 3],
            "own_four_missing" => by_own[k - 4],
            "other_three_missing" => by_other[k - 3],
            _ => by_other[k],
        };
        show(flag, source);
    }
    m.circuit()
}

/// The stones at every place of the windows, at the bit of a window's first cell.
fn members<'m>(m: &'m Module, side: &str, stones: Sig<'m>, in_a_row: usize, stride: usize) -> Vec<Sig<'m>> {
    (0..in_a_row).map(|i| m.part(&format!("{side}_member"), stones.down(i * stride))).collect()
}

/// The lower part of two side by side, `shift` bits on.
fn came_down<'m>(upper: Sig<'m>, lower: Sig<'m>, shift: usize) -> Sig<'m> {
    match shift < lower.width {
        true => cat([upper.bits(0..shift), lower.bits(shift..lower.width)]),
        false => upper.bits(shift - lower.width..shift),
    }
}
