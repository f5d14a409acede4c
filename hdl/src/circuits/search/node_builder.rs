// SPDX-License-Identifier: MIT OR Apache-2.0
//! Builds a node's board: the root board with the moves of its path on it.

use crate::circuits::evaluator::Node;
use crate::circuits::stone_at;
use crate::layout::{Layout, PassKind};
use kit::{Circuit, Module, Sig, any_of};

/// What a plane's side depends on where a path begins at the root.
const SIDES: &str =
    "Even moves are the root mover's; after an odd number of moves the other side is to move.";

/// A node is its path: board = root OR decoded moves. There is no undo and no stack of boards. Of a pass for a reply the last move of
/// the path is none, as if the mover had passed, of one for what survives it the last but one; both count as stones.
///
/// `valid`, `tag` of the node; `root_own`, `root_other` (the root's board seen by its side to move; with the newest move first
/// `root_first`, `root_second`, by who moved first), `root_stones`; out a
/// [`Node`], its planes seen by the node's side to move, its valid bit called `node_valid`, its tag `node_tag`. Latency 1, initiation
/// interval 1; reset clears `node_valid`.
pub fn node_builder(layout: &Layout) -> Circuit {
    let (cells, bits) = (layout.cells, layout.cell_bits);
    let m = Module::new(
        "node_builder",
        "Board of a node: the root's board with the moves of the path on it, seen by the node's side to move.\n\
         Latency 1, initiation interval 1; reset clears node_valid.",
        true,
    );
    let (valid, packed) = (m.input_at(0, "valid", 1), m.input_at(0, "tag", layout.tag.width()));
    let newest_first = layout.newest_first();
    let roots = if newest_first { ["root_first", "root_second"] } else { ["root_own", "root_other"] };
    let roots = roots.map(|name| m.input(name, cells));
    let root_stones = m.input("root_stones", layout.count_bits);
    let tag = layout.tag.unpack(packed);
    let length = m.wire("length", tag.length);
    // Where area counts more than time, a move changes sides before it becomes a stone of a plane, not the planes afterwards.
    let sliced = layout.frame.slices > 1;
    let mut moves: Vec<(Sig, Sig)> = Vec::new();
    let mut sides = roots.map(|root| vec![root]);
    for i in 0..layout.max_path {
        let cell = m.wire(&format!("move_{i}"), tag.path.bits(i * bits..(i + 1) * bits));
        let mut there = length.more(i);
        if layout.config.has_ceilings() {
            // The move that the mover passed on, and the same before the reply.
            // No path is longer than its length's bits can say.
            let passed = |kind: PassKind, after: usize| match i + after < 1 << layout.length_bits {
                _ if newest_first => m.bit(i + 1 == after) & tag.kind.is(kind as u64),
                true => tag.kind.is(kind as u64) & length.is(i + after),
                false => m.bit(false),
            };
            there = there & !(passed(PassKind::Reply, 1) | passed(PassKind::Answered, 2));
        }
        match sliced || newest_first {
            true => moves.push((cell, there)),
            false => sides[i % 2].push(stone(&m, layout, &i.to_string(), (cell, there))),
        }
    }
    let odd = length.bit(0);
    let planes = if newest_first {
        m.comment("The newest move is the opponent's, and every other one. The first side is to move after an even number of stones.");
        let [first, second] = roots;
        let turned = m.wire("turned", root_stones.bit(0) ^ odd);
        let mut planes = [turned.mux(second, first), turned.mux(first, second)];
        for (i, &played) in moves.iter().enumerate() {
            let plane = &mut planes[(i + 1) % 2];
            *plane = *plane | stone(&m, layout, &i.to_string(), played);
        }
        planes
    } else if sliced {
        m.comment(SIDES);
        let [root_own, root_other] = roots;
        let mut planes = [odd.mux(root_other, root_own), odd.mux(root_own, root_other)];
        for (i, pair) in moves.chunks(2).enumerate() {
            let none = (m.zero(bits), m.bit(false));
            let (even, uneven) = (pair[0], pair.get(1).copied().unwrap_or(none));
            for ((plane, side), (set, clear)) in
                planes.iter_mut().zip(["own", "other"]).zip([(uneven, even), (even, uneven)])
            {
                let cell = m.wire(&format!("{side}_move_{i}"), odd.mux(set.0, clear.0));
                let there = odd.mux(set.1, clear.1);
                *plane = *plane | stone(&m, layout, &format!("{side}_{i}"), (cell, there));
            }
        }
        planes
    } else {
        m.comment(SIDES);
        let [mover, replier] = sides.map(|stones: Vec<Sig>| any_of(stones));
        let (mover, replier) = (m.wire("root_mover", mover), m.wire("root_replier", replier));
        [odd.mux(replier, mover), odd.mux(mover, replier)]
    };
    let [own, other] = planes;
    let width = layout.count_bits.max(layout.length_bits) + 1;
    let stones = m.wire("stones", root_stones.zero_extend(width) + length.zero_extend(width));
    let node = Node {
        valid: m.cleared("node_valid", valid),
        tag: m.delayed("node_tag", packed),
        own: m.delayed("own", own),
        other: m.delayed("other", other),
        full: m.delayed("full", stones.is(cells)),
        one_empty: m.delayed("one_empty", stones.is(cells - 1)),
        empty_board: m.delayed("empty_board", stones.is(0)),
    };
    for (name, signal) in node.fields() {
        let port = if ["valid", "tag"].contains(&name) { format!("node_{name}") } else { name.into() };
        m.about(&port, &Node::<usize>::about(name));
        m.output(&port, signal);
    }
    m.circuit()
}

/// The stone of a move that is there, as a plane.
fn stone<'m>(m: &'m Module, layout: &Layout, name: &str, (cell, there): (Sig<'m>, Sig<'m>)) -> Sig<'m> {
    m.wire(&format!("stone_{name}"), stone_at(m, layout, &format!("move_{name}"), cell, Some(there)))
}
