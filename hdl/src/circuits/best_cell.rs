// SPDX-License-Identifier: MIT OR Apache-2.0
//! Picks the first cells in static order of the set a pass asks for: one of each group, and the first of all.

use crate::kit::{Body, Circuit, constant};
use crate::layout::{Layout, PassKind};
use engine_model::RuleSet;

/// Levels of a comparison tree over `entries`.
fn depth(entries: usize) -> usize {
    entries.next_power_of_two().trailing_zeros() as usize
}

/// Cells of the largest group.
fn largest_group(layout: &Layout) -> usize {
    layout.frame.core_cells.div_ceil(layout.groups)
}

/// Clocks from a slice's planes to the first cells of the groups, the last slice counted.
pub fn winners_latency(layout: &Layout) -> usize {
    1 + depth(largest_group(layout)) + usize::from(layout.frame.slices > 1)
}

/// Clocks from the last slice's planes to the first cell of all.
pub fn latency(layout: &Layout) -> usize {
    winners_latency(layout) + depth(layout.groups)
}

/// An entry of the comparison trees, lowest field first.
struct Entry {
    width: usize,
    rank_bits: usize,
    gain_bits: usize,
}

impl Entry {
    /// {found, gain, rank, four, more, more_four}: the layout of [`Layout::winner`].
    fn new(layout: &Layout) -> Entry {
        Entry { width: layout.winner.width(), rank_bits: layout.cell_bits, gain_bits: layout.gain_bits }
    }

    fn key(&self, entry: &str) -> String {
        format!("{entry}[{}:{}]", self.width - 1, 3 + self.rank_bits)
    }

    fn rank(&self, entry: &str) -> String {
        format!("{entry}[{}:3]", 2 + self.rank_bits)
    }

    /// Whether `right` precedes `left`; `by_place`: on a tie the left one is known to be the earlier.
    fn precedes(&self, right: &str, left: &str, by_place: bool) -> String {
        let (r, l) = (self.key(right), self.key(left));
        if by_place {
            format!("({r} > {l})")
        } else {
            format!("({{{r}, ~{}}} > {{{l}, ~{}}})", self.rank(right), self.rank(left))
        }
    }

    /// The earlier of two entries; what the other one held is remembered in `more` and `more_four`.
    fn merge(&self, body: &mut Body, left: &str, right: &str, by_place: bool) -> String {
        let found = self.width - 1;
        let take = body.wire("take_right", 1, self.precedes(right, left, by_place));
        let more = format!("{left}[1] | {right}[1] | ({left}[{found}] & {right}[{found}])");
        let lost_four = format!("({take} ? {left}[{found}] & {left}[2] : {right}[{found}] & {right}[2])");
        let more_four = format!("{left}[0] | {right}[0] | {lost_four}");
        format!("{{{take} ? {right}[{found}:2] : {left}[{found}:2], {more}, {more_four}}}")
    }
}

/// Selects the set, then compares keys {in the set, gain} in a binary tree with one register stage a level. With the
/// whole board at once a group's cells enter by rank and the left one wins a tie; otherwise, and between groups, the
/// rank is part of the key. Slices are merged where the groups' first cells come out.
///
/// Ports: `aclk`; `first_slice` of a node and `slice`; planes of the core cells `occupied`, `candidate`, `own_complete`,
/// `other_complete`, `own_double`, `four`, `restricted`, `gain_B`; facts `own_wins`, `other_wins`, `own_has_double`,
/// `other_has_double`; from the tag `depth_zero`, `leaf` (no depth and no extensions), `kind`; `after`: per group {found,
/// gain, rank} of the last cell that came out (passes for order want later ones only); `probe_rank` of the cell a probe
/// asks for. Out `winners` (first cell of each group, packed as [`Layout::winner`]) after [`winners_latency`] clocks and
/// `found`, `rank`, `group`, `gain`, `makes_four`, `more` (the set holds others) after [`latency`] clocks. Initiation
/// interval 1, no reset.
pub fn best_cell(layout: &Layout) -> Circuit {
    let cells = layout.frame.core_cells;
    let rules = layout.config.rules;
    let entry = Entry::new(layout);
    let after_bits = 1 + entry.gain_bits + entry.rank_bits;
    let mut circuit = Circuit::new(
        "best_cell",
        &format!(
            "First cell in static order of the set that the pass asks for, of each group and of all.\n\
             Latency {} (groups) and {}, initiation interval 1, no reset (data only).",
            winners_latency(layout),
            latency(layout)
        ),
    );
    circuit.clocked(false);
    circuit.input("first_slice", 1);
    circuit.input("slice", slice_bits(layout));
    for plane in
        ["occupied", "candidate", "own_complete", "other_complete", "own_double", "four", "restricted"]
    {
        circuit.input(plane, cells);
    }
    for bit in 0..layout.gain_bits {
        circuit.input(format!("gain_{bit}"), cells);
    }
    for fact in ["own_wins", "other_wins", "own_has_double", "other_has_double", "depth_zero", "leaf"] {
        circuit.input(fact, 1);
    }
    circuit.input("kind", 2);
    circuit.input("after", layout.groups * after_bits);
    circuit.input("probe_rank", layout.cell_bits);
    circuit.output("winners", layout.winners_width());
    circuit.output("found", 1);
    circuit.output("rank", layout.cell_bits);
    circuit.output("group", layout.group_bits);
    circuit.output("gain", layout.gain_bits);
    circuit.output("makes_four", 1);
    circuit.output("more", 1);

    let mut body = Body::new();
    let on = |needed: RuleSet| if rules >= needed { "1'b1" } else { "1'b0" };
    body.comment("The moves of rule 6, and of the passes that ask for further ones of them.");
    let moves = body.wire(
        "moves",
        cells,
        format!("({} & other_has_double & ~depth_zero) ? restricted : candidate", on(RuleSet::Restricted)),
    );
    let fours = PassKind::OrderFours as usize;
    let remaining =
        body.wire("remaining", cells, format!("{moves} & (kind == 2'd{fours} ? four : {{{cells}{{1'b1}}}})"));
    body.comment("A node: the set of the first static rule that fits; a leaf plays nothing and wants G.");
    let node = body.wire(
        "node_set",
        cells,
        format!(
            "leaf ? candidate : own_wins ? own_complete : ({} & other_wins) ? other_complete : \
             ({} & own_has_double) ? own_double : {moves}",
            on(RuleSet::Forced),
            on(RuleSet::Double)
        ),
    );
    let (node_kind, probe_kind) = (PassKind::Node as usize, PassKind::Probe as usize);
    body.raw(format!("wire is_node = (kind == 2'd{node_kind});\nwire is_probe = (kind == 2'd{probe_kind});"));

    body.comment(
        "Per cell: its rank, its gain, whether it follows what came out of its group, is the one probed.",
    );
    let ranks: Vec<String> = (0..cells).map(|core| rank_of(layout, core)).collect();
    let after: Vec<String> = (0..layout.groups)
        .map(|group| {
            let low = group * after_bits;
            body.wire("after_group", after_bits, format!("after[{}:{low}]", low + after_bits - 1))
        })
        .collect();
    let mut later = Vec::new();
    let mut probed = Vec::new();
    for (core, rank) in ranks.iter().enumerate() {
        let rank = if layout.frame.slices > 1 {
            body.wire(&format!("rank_{core}"), layout.cell_bits, rank)
        } else {
            rank.clone()
        };
        let gain: Vec<String> =
            (0..layout.gain_bits).rev().map(|bit| format!("gain_{bit}[{core}]")).collect();
        let last = &after[layout.group_of_core(core)];
        let own = format!("{{1'b1, {}, ~{rank}}}", gain.join(", "));
        let limit =
            format!("{{{last}[{}:{}], ~{last}[{}:0]}}", after_bits - 1, entry.rank_bits, entry.rank_bits - 1);
        later.push(body.wire(&format!("later_{core}"), 1, format!("{own} < {limit}")));
        probed.push(format!("(probe_rank == {rank})"));
    }
    let concatenated = |bits: &[String]| {
        let bits: Vec<&str> = bits.iter().rev().map(String::as_str).collect();
        format!("{{{}}}", bits.join(", "))
    };
    let later = body.wire("later", cells, concatenated(&later));
    let probed = body.wire("probed", cells, concatenated(&probed));
    let set = body.wire(
        "set",
        cells,
        format!("is_node ? {node} : is_probe ? (~occupied & {probed}) : ({remaining} & {later})"),
    );
    let in_set = body.register("in_set", cells, &set);
    let four = body.register("four_q", cells, format!("four & {set}"));
    let gains: Vec<String> = (0..layout.gain_bits)
        .map(|bit| body.register(&format!("gain_{bit}_q"), cells, format!("gain_{bit} & {set}")))
        .collect();
    let sliced = layout.frame.slices > 1;
    let mut first = "first_slice".to_string();
    if sliced {
        first = body.register("first_slice_q", 1, first);
        let slice = body.register("slice_q", slice_bits(layout), "slice");
        body.comment("Ranks of the slice that enters the tree.");
        for core in 0..cells {
            body.wire(&format!("rank_q_{core}"), layout.cell_bits, rank_by(layout, core, &slice));
        }
    }

    body.comment("Entries are {in set, gain, rank, makes four, more, more fours}.");
    let width = entry.width;
    let mut groups: Vec<Vec<(usize, String)>> = vec![Vec::new(); layout.groups];
    for core in 0..cells {
        let gain: Vec<String> = gains.iter().rev().map(|plane| format!("{plane}[{core}]")).collect();
        let rank = if sliced { format!("rank_q_{core}") } else { ranks[core].clone() };
        let text = format!("{{{in_set}[{core}], {}, {rank}, {four}[{core}], 2'b00}}", gain.join(", "));
        let place = if sliced { core } else { layout.geometry.rank[core] as usize };
        groups[layout.group_of_core(core)].push((place, body.wire(&format!("entry_{core}"), width, text)));
    }
    let levels = depth(largest_group(layout));
    let mut winners = Vec::new();
    for mut group in groups {
        group.sort_unstable_by_key(|(place, _)| *place);
        let mut entries: Vec<String> = group.into_iter().map(|(_, name)| name).collect();
        for level in 1..=levels {
            entries = tree_level(&mut body, &entry, entries, &format!("first_{level}"), !sliced);
        }
        winners.push(entries.swap_remove(0));
    }
    if sliced {
        for _ in 0..levels {
            first = body.register("first_slice_q", 1, first);
        }
        body.comment("Slices of a node, merged.");
        winners = winners
            .iter()
            .enumerate()
            .map(|(group, new)| {
                let name = format!("merged_{group}");
                body.raw(format!("reg [{}:0] {name};", width - 1));
                let both = entry.merge(&mut body, &name, new, false);
                body.raw(format!("always @(posedge aclk) {name} <= {first} ? {new} : {both};"));
                name
            })
            .collect();
    }
    body.drive("winners", concatenated(&winners));
    body.comment("Between the groups; the group's number goes along.");
    let mut entries: Vec<(String, String)> =
        winners.into_iter().enumerate().map(|(g, name)| (name, constant(layout.group_bits, g))).collect();
    let mut level = 0;
    while entries.len() > 1 {
        level += 1;
        entries = entries
            .chunks(2)
            .map(|pair| match pair {
                [(left, left_group), (right, right_group)] => {
                    let both = entry.merge(&mut body, left, right, false);
                    let take = entry.precedes(right, left, false);
                    let name = body.register(&format!("best_{level}"), width, both);
                    let group = body.register(
                        &format!("best_{level}_group"),
                        layout.group_bits,
                        format!("{take} ? {right_group} : {left_group}"),
                    );
                    (name, group)
                }
                _ => (
                    body.register(&format!("best_{level}"), width, &pair[0].0),
                    body.register(&format!("best_{level}_group"), layout.group_bits, &pair[0].1),
                ),
            })
            .collect();
    }
    let (best, group) = &entries[0];
    for (port, field) in
        [("found", "found"), ("gain", "gain"), ("rank", "rank"), ("makes_four", "four"), ("more", "more")]
    {
        body.drive(port, layout.winner.of(best, field));
    }
    body.drive("group", group);
    circuit.set_body(body.finish());
    circuit
}

/// One registered level of a comparison tree.
fn tree_level(
    body: &mut Body,
    entry: &Entry,
    entries: Vec<String>,
    hint: &str,
    by_place: bool,
) -> Vec<String> {
    entries
        .chunks(2)
        .map(|pair| match pair {
            [left, right] => {
                let both = entry.merge(body, left, right, by_place);
                body.register(hint, entry.width, both)
            }
            _ => body.register(hint, entry.width, &pair[0]),
        })
        .collect()
}

/// Bits of a slice number.
pub fn slice_bits(layout: &Layout) -> usize {
    engine_model::scoring::bits_for(layout.frame.slices - 1)
}

/// Rank of a core cell in the slice under selection.
fn rank_of(layout: &Layout, core: usize) -> String {
    rank_by(layout, core, "slice")
}

/// Rank of a core cell by the slice in signal `slice`; cells off the board are in no set.
fn rank_by(layout: &Layout, core: usize, slice: &str) -> String {
    let rank_in = |number: usize| {
        let rank = layout.cell_of_core(core, number).map_or(0, |cell| layout.geometry.rank[cell] as usize);
        constant(layout.cell_bits, rank)
    };
    (1..layout.frame.slices).fold(rank_in(0), |otherwise, number| {
        format!("({slice} == {}) ? {} : {otherwise}", constant(slice_bits(layout), number), rank_in(number))
    })
}
