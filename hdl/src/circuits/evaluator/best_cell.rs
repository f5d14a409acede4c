// SPDX-License-Identifier: MIT OR Apache-2.0
//! Picks the first cells in static order of the set a pass asks for: one of each group, and the first of all.

use super::group_tree::{BETWEEN, Leaf, WITHIN, depth, first_of_group};
use super::set_choice::set_choice;
use crate::kit::{Body, Circuit, concatenated, constant, hex};
use crate::layout::Layout;

/// Cells of the largest group.
fn largest_group(layout: &Layout) -> usize {
    layout.frame.core_cells.div_ceil(layout.groups)
}

/// Clocks from a slice's planes to the first cells of the groups, the last slice counted.
pub fn winners_latency(layout: &Layout) -> usize {
    1 + WITHIN.clocks(largest_group(layout)) + usize::from(layout.frame.slices > 1)
}

/// Clocks from the last slice's planes to the first cell of all.
pub fn latency(layout: &Layout) -> usize {
    winners_latency(layout) + BETWEEN.clocks(layout.groups)
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

    /// Whether `right` precedes `left`.
    fn precedes(&self, right: &str, left: &str) -> String {
        let (r, l) = (self.key(right), self.key(left));
        format!("({{{r}, ~{}}} > {{{l}, ~{}}})", self.rank(right), self.rank(left))
    }

    /// The earlier of two entries; what the other one held is remembered in `more` and `more_four`.
    fn merge(&self, body: &mut Body, left: &str, right: &str) -> String {
        let found = self.width - 1;
        let take = body.wire("take_right", 1, self.precedes(right, left));
        let more = format!("{left}[1] | {right}[1] | ({left}[{found}] & {right}[{found}])");
        let lost_four = format!("({take} ? {left}[{found}] & {left}[2] : {right}[{found}] & {right}[2])");
        let more_four = format!("{left}[0] | {right}[0] | {lost_four}");
        format!("{{{take} ? {right}[{found}:2] : {left}[{found}:2], {more}, {more_four}}}")
    }
}

/// Selects the set, then compares keys {in the set, gain} in a binary tree. With the
/// whole board at once a group's cells enter by rank and the left one wins a tie; otherwise, and between groups, the
/// rank is part of the key. Slices are merged where the groups' first cells come out.
///
/// Ports: `aclk`; `first_slice` of a node and `slice`; planes of the core cells `occupied`, `candidate`,
/// `own_complete`, `other_complete`, `own_double`, `four`, `restricted`, and their `gains` side by side; facts `own_wins`, `other_wins`,
/// `own_has_double`, `other_has_double`; from the tag `depth_zero`, `leaf` (no depth and no extensions), `kind`;
/// `after`: per group {found, gain, rank} of the last cell that came out, gain 0 where none did (passes for order
/// want later ones only); `probe_rank` of the cell a probe asks for. Out `winners` (first cell of each group, packed
/// as [`Layout::winner`]) after [`winners_latency`] clocks and `found`, `rank`, `group`, `gain`, `makes_four`, `more`
/// (the set holds others) after [`latency`] clocks. Initiation interval 1, no reset.
pub fn best_cell(layout: &Layout) -> Circuit {
    let cells = layout.frame.core_cells;
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
    circuit.input("gains", layout.gains_width());
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
    circuit.child("asked", set_choice(layout));
    for port in ["own_wins", "other_wins", "own_has_double", "other_has_double", "depth_zero", "leaf", "kind"]
    {
        body.drive(&format!("asked${port}"), port);
    }
    body.raw(
        "wire [2:0] plane = asked$choice;\nwire is_node = asked$is_node;\nwire is_probe = asked$is_probe;",
    );
    let wide = |bit: &str| format!("{{{cells}{{{bit}}}}}");
    let pick = |high: &str, low: &str, bit: &str| format!("({0} & {high}) | (~{0} & {low})", wide(bit));
    let complete = body.wire("first_two", cells, pick("own_complete", "candidate", "plane[0]"));
    let second = body.wire("second_two", cells, pick("own_double", "other_complete", "plane[0]"));
    let one_of_four = body.wire("one_of_four", cells, pick(&second, &complete, "plane[1]"));
    let one_of_five = body.wire("one_of_five", cells, pick("restricted", &one_of_four, "plane[2]"));
    let remaining = body.wire(
        "remaining",
        cells,
        format!("{one_of_five} & {} & (four | {})", wide("~is_probe"), wide("~asked$only_fours")),
    );

    let sliced = layout.frame.slices > 1;
    let (later, probed) =
        if sliced { later_by_rank(&mut body, layout) } else { later_by_place(&mut body, layout) };
    body.comment("A node takes all of them, a pass for order what follows, a probe its one cell.");
    // In words of their own: Verilator computes whatever makes a wider one twice.
    let plane = |body: &mut Body, hint: &str, bits: &[String]| {
        let words: Vec<String> = bits
            .chunks(32)
            .map(|word| body.wire(&format!("{hint}_word"), word.len(), concatenated(word)))
            .collect();
        body.wire(hint, cells, concatenated(&words))
    };
    let (later, probed) = (plane(&mut body, "later", &later), plane(&mut body, "probed", &probed));
    let set = body.wire("set", cells, format!("({remaining} & {later}) | (~occupied & {probed})"));
    let in_set = body.register("in_set", cells, &set);
    let winners = if sliced {
        first_by_rank(&mut body, layout, &in_set, &set)
    } else {
        first_by_place(&mut body, layout, &in_set)
    };
    body.drive("winners", concatenated(&winners));
    body.comment("Between the groups. With the whole board at once the rank's low bits are the group's number; else it goes along.");
    let width = entry.width;
    let group_bits = layout.group_bits;
    let mut entries: Vec<(String, String)> =
        winners.into_iter().enumerate().map(|(g, name)| (name, constant(group_bits, g))).collect();
    let levels = depth(layout.groups);
    for level in 0..levels {
        let (hint, group_hint) = (format!("best_{}", level + 1), format!("best_{}_group", level + 1));
        // The number of groups is a power of two.
        entries = entries
            .chunks(2)
            .map(|pair| {
                let [(left, left_group), (right, right_group)] = pair else { unreachable!("an even number") };
                let both = entry.merge(&mut body, left, right);
                let group = match sliced {
                    false => String::new(),
                    true => {
                        let take = entry.precedes(right, left);
                        let number = format!("{take} ? {right_group} : {left_group}");
                        BETWEEN.keep(&mut body, (level, levels), &group_hint, group_bits, &number)
                    }
                };
                (BETWEEN.keep(&mut body, (level, levels), &hint, width, &both), group)
            })
            .collect();
    }
    let (best, group) = &entries[0];
    for (port, field) in
        [("found", "found"), ("gain", "gain"), ("rank", "rank"), ("makes_four", "four"), ("more", "more")]
    {
        body.drive(port, layout.winner.of(best, field));
    }
    let low = layout.winner.field("rank").offset;
    let number = if group_bits == 1 {
        format!("{best}[{low}]")
    } else {
        format!("{best}[{}:{low}]", low + group_bits - 1)
    };
    body.drive("group", if sliced { group } else { &number });
    circuit.set_body(body.finish());
    circuit
}

/// One level of a comparison tree: `level` of so many.
fn tree_level(
    body: &mut Body,
    entry: &Entry,
    entries: Vec<String>,
    hint: &str,
    level: (usize, usize),
) -> Vec<String> {
    entries
        .chunks(2)
        .map(|pair| {
            let first = match pair {
                [left, right] => entry.merge(body, left, right),
                _ => pair[0].clone(),
            };
            WITHIN.keep(body, level, hint, entry.width, &first)
        })
        .collect()
}

/// Per group: {found, gain, rank} of what came out last.
fn after_groups(body: &mut Body, layout: &Layout) -> Vec<String> {
    let bits = 1 + layout.gain_bits + layout.cell_bits;
    (0..layout.groups)
        .map(|group| {
            body.wire("after_group", bits, format!("after[{}:{}]", (group + 1) * bits - 1, group * bits))
        })
        .collect()
}

/// Per cell: whether it follows what came out of its group last (or the pass is a node's), and whether it is probed.
/// Place and group of a cell are constants: whether its rank is later is a table of the last one's place, and of
/// whether that one's group is before its own.
fn later_by_place(body: &mut Body, layout: &Layout) -> (Vec<String>, Vec<String>) {
    let (cells, gain_bits, cell_bits) = (layout.frame.core_cells, layout.gain_bits, layout.cell_bits);
    let group_bits = layout.group_bits;
    let place_bits = cell_bits - group_bits;
    let places = cells.div_ceil(layout.groups);
    body.comment("Whether a place is later than {the last one's group is earlier, the last one's place}.");
    let tables: Vec<String> = (0..places)
        .map(|place| {
            let later: Vec<bool> = (0..2usize << place_bits)
                .map(|i| (i & ((1 << place_bits) - 1)) < place + (i >> place_bits))
                .collect();
            body.wire(&format!("later_place_{place}"), later.len(), hex(&later))
        })
        .collect();
    let after = after_groups(body, layout);
    let mut limits = Vec::new();
    for (group, last) in after.iter().enumerate() {
        let earlier: Vec<bool> = (0..1usize << group_bits).map(|other| other < group).collect();
        let earlier = body.wire(&format!("earlier_{group}"), earlier.len(), hex(&earlier));
        let number = format!("{last}[{}:0]", group_bits - 1);
        let place = match place_bits {
            0 => String::new(),
            _ => format!(", {last}[{}:{group_bits}]", cell_bits - 1),
        };
        let index = format!("{{{earlier}[{number}]{place}}}");
        limits.push(body.wire(&format!("limit_{group}"), 1 + place_bits, index));
    }
    body.comment("The probed cell: rows by place, columns by group.");
    let probed_group: Vec<String> = (0..layout.groups)
        .map(|group| {
            let here =
                format!("is_probe & (probe_rank[{}:0] == {})", group_bits - 1, constant(group_bits, group));
            body.wire("probed_group", 1, here)
        })
        .collect();
    let probed_place: Vec<String> = (0..places)
        .map(|place| match place_bits {
            0 => constant(1, 1),
            _ => {
                let number = format!("probe_rank[{}:{group_bits}]", cell_bits - 1);
                body.wire("probed_place", 1, format!("{number} == {}", constant(place_bits, place)))
            }
        })
        .collect();
    let (mut later, mut probed) = (Vec::new(), Vec::new());
    for core in 0..cells {
        let (group, place) =
            (layout.group_of_core(core), layout.geometry.rank[core] as usize / layout.groups);
        let (gain, last) = (layout.gain_of("gains", core, 0), &after[group]);
        let least = format!("{last}[{}:{cell_bits}]", cell_bits + gain_bits - 1);
        let tie = format!("({last}[{}] & {}[{}])", cell_bits + gain_bits, tables[place], limits[group]);
        later.push(format!("(is_node | ({{{least}, {tie}}} > {{{gain}, ~{tie}}}))"));
        probed.push(format!("({} & {})", probed_group[group], probed_place[place]));
    }
    (later, probed)
}

/// The same where a cell's rank depends on the slice.
fn later_by_rank(body: &mut Body, layout: &Layout) -> (Vec<String>, Vec<String>) {
    let (gain_bits, cell_bits) = (layout.gain_bits, layout.cell_bits);
    let after = after_groups(body, layout);
    let (mut later, mut probed) = (Vec::new(), Vec::new());
    for core in 0..layout.frame.core_cells {
        let rank = body.wire(&format!("rank_{core}"), cell_bits, rank_by(layout, core, "slice"));
        let own = format!("{{1'b1, {}, ~{rank}}}", layout.gain_of("gains", core, 0));
        let last = &after[layout.group_of_core(core)];
        let limit =
            format!("{{{last}[{}:{cell_bits}], ~{last}[{}:0]}}", cell_bits + gain_bits, cell_bits - 1);
        let below = body.wire(&format!("later_{core}"), 1, format!("{own} < {limit}"));
        later.push(format!("(is_node | {below})"));
        probed.push(format!("(is_probe & (probe_rank == {rank}))"));
    }
    (later, probed)
}

/// First cells of the groups, ranks being places.
fn first_by_place(body: &mut Body, layout: &Layout, in_set: &str) -> Vec<String> {
    let cells = layout.frame.core_cells;
    let four = body.register("four_q", cells, "four");
    let gains = body.register("gains_q", layout.gains_width(), "gains");
    body.comment("Entries are {in set, gain, place, makes four}.");
    (0..layout.groups)
        .map(|group| {
            let ranks = (group..cells).step_by(layout.groups);
            let leaves: Vec<Leaf> = ranks
                .map(|rank| {
                    let core = layout.geometry.by_rank[rank] as usize;
                    let gain = layout.gain_of(&gains, core, 0);
                    Leaf { found: format!("{in_set}[{core}]"), gain, four: format!("{four}[{core}]") }
                })
                .collect();
            first_of_group(body, layout, group, &leaves)
        })
        .collect()
}

/// First cells of the groups, slice by slice, merged.
fn first_by_rank(body: &mut Body, layout: &Layout, in_set: &str, set: &str) -> Vec<String> {
    let cells = layout.frame.core_cells;
    let entry = Entry::new(layout);
    let width = entry.width;
    let four = body.register("four_q", cells, format!("four & {set}"));
    let mut first = body.register("first_slice_q", 1, "first_slice");
    let slice = body.register("slice_q", slice_bits(layout), "slice");
    body.comment("Entries are {in set, gain, rank, makes four, more, more fours}.");
    let mut groups: Vec<Vec<String>> = vec![Vec::new(); layout.groups];
    for core in 0..cells {
        let rank = body.wire(&format!("rank_q_{core}"), layout.cell_bits, rank_by(layout, core, &slice));
        let gain =
            format!("{} & {{{}{{{set}[{core}]}}}}", layout.gain_of("gains", core, 0), layout.gain_bits);
        let gain = body.register(&format!("gain_{core}_q"), layout.gain_bits, gain);
        let text = format!("{{{in_set}[{core}], {gain}, {rank}, {four}[{core}], 2'b00}}");
        groups[layout.group_of_core(core)].push(body.wire(&format!("entry_{core}"), width, text));
    }
    let levels = depth(largest_group(layout));
    let mut winners = Vec::new();
    for mut entries in groups {
        for level in 0..levels {
            let hint = format!("first_{level}");
            entries = tree_level(body, &entry, entries, &hint, (level, levels));
        }
        winners.push(entries.swap_remove(0));
    }
    first = body.delay("first_slice_q", 1, &first, WITHIN.clocks(largest_group(layout)));
    body.comment("Slices of a node, merged.");
    let merged = |(group, new): (usize, &String)| {
        let name = format!("merged_{group}");
        body.raw(format!("reg [{}:0] {name};", width - 1));
        let both = entry.merge(body, &name, new);
        body.raw(format!("always @(posedge aclk) {name} <= {first} ? {new} : {both};"));
        name
    };
    winners.iter().enumerate().map(merged).collect()
}

/// Bits of a slice number.
pub fn slice_bits(layout: &Layout) -> usize {
    engine_model::scoring::bits_for(layout.frame.slices - 1)
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
