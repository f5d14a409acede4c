// SPDX-License-Identifier: MIT OR Apache-2.0
//! What is kept of every context beside its window: its node, the first cells of its groups, in a beam the last move.

use crate::circuits::evaluator::best_cell::before_port;
use crate::layout::{Last, Layout};
use kit::{Circuit, Memory, Module, Sig, bundle, when};

kit::record! {
    /// What is written to the store, and which contexts are read.
    pub struct Access {
        /// A context starts.
        start,
        /// Which.
        start_context,
        /// With this node.
        start_node,
        /// First cells have come.
        winners_write,
        /// Of this context.
        winners_context,
        /// They.
        winners,
        /// Where cells that have come out are marked: those of this context, these first cells included.
        marks,
        /// The context of a visit.
        visit_context,
        /// The context whose last cells a pass for order asks for.
        after_context,
        /// With beams: a pass for order goes on behind another move.
        last_write,
        /// Of this context.
        last_context,
        /// {gain, rank}.
        last,
        /// The context of a pass for order has a beam.
        after_beamed,
        /// With a transposition table: a context that has returned.
        returned_context,
        /// With ceilings: it is known what survives.
        survivors_write,
        /// Of this context.
        survivors_context,
        /// It.
        survivors,
    }
}

/// Widths of an access.
pub fn access(layout: &Layout) -> Access<usize> {
    let (bits, beam) = (layout.context_bits, usize::from(layout.config.has_beam()));
    let ceilings = usize::from(layout.config.has_ceilings());
    Access {
        start_context: bits,
        start_node: layout.kept_node().width(),
        winners_context: bits,
        winners: layout.winners_width(),
        marks: if layout.marks_cells() { layout.cells } else { 0 },
        visit_context: bits,
        after_context: bits,
        last_write: beam,
        last_context: beam * bits,
        last: beam * (layout.gain_bits + layout.cell_bits),
        after_beamed: beam,
        returned_context: usize::from(layout.config.has_transpositions()) * bits,
        survivors_write: ceilings,
        survivors_context: ceilings * bits,
        survivors: ceilings * layout.cells,
        ..Access::uniform(1)
    }
}

/// Memories by context.
///
/// [`Access`] in; out one clock later `visit_node` and `visit_winners` of the visited context, `last_found`, a [`Last`] per group, or
/// `marked`, the cells that have come out ([`Layout::marks_cells`]), of the context `after_context`; with ceilings `after_survivors` of the
/// same; with a transposition table `returned_node` of the context `returned_context`. With trace `trace_context_N` in and `trace_node_N`
/// out in the same clock, per level. One write and one read a clock each; no reset: what a context holds is written before it is read.
pub fn move_store(layout: &Layout) -> Circuit {
    let m = Module::new(
        "move_store",
        "Memories by context: its node, the first cells of its groups, the last cell that came out.\n\
         Reads take one clock; no reset (data only).",
        false,
    );
    let access = access(layout).inputs(&m);
    let node_bits = layout.kept_node().width();
    let last_place = (1usize << layout.context_bits).min(layout.contexts().next_power_of_two());
    let nodes = m.memory("nodes", node_bits, last_place);
    let first_cells = m.memory("first_cells", layout.winners_width(), last_place);
    m.at_edge([when(access.start, [nodes.write(access.start_context, access.start_node)])]);
    m.at_edge([when(access.winners_write, [first_cells.write(access.winners_context, access.winners)])]);
    let visit_node = m.read_register("visit_node", nodes, access.visit_context);
    let visit_winners = m.read_register("visit_winners", first_cells, access.visit_context);
    let before = match layout.marks_cells() {
        true => {
            let marked = m.memory("marked_cells", layout.cells, last_place);
            m.at_edge([when(access.winners_write, [marked.write(access.winners_context, access.marks)])]);
            m.read_register("marked_read", marked, access.after_context)
        }
        false => last_found(&m, layout, &access, first_cells),
    };
    m.output("visit_node", visit_node);
    m.output("visit_winners", visit_winners);
    m.output(before_port(layout), before);
    if layout.config.has_ceilings() {
        let planes = m.memory("planes", layout.cells, last_place);
        m.at_edge([when(access.survivors_write, [planes.write(access.survivors_context, access.survivors)])]);
        m.output("after_survivors", m.read_register("survivors_read", planes, access.after_context));
    }
    if layout.config.has_transpositions() {
        m.output("returned_node", m.read_register("returned_node", nodes, access.returned_context));
    }
    if layout.config.trace {
        for level in 1..=layout.config.levels {
            let context: Sig = m.input(&format!("trace_context_{level}"), layout.context_bits);
            m.output(&format!("trace_node_{level}"), nodes.read(context));
        }
    }
    m.circuit()
}

/// What came out of each group of a context last, or in a beam its last move.
fn last_found<'m>(
    m: &'m Module,
    layout: &Layout,
    access: &Access<Sig<'m>>,
    first_cells: Memory<'m>,
) -> Sig<'m> {
    let deepest = layout.contexts().next_power_of_two();
    let after_winners = m.read_register("after_winners", first_cells, access.after_context);
    let width = layout.winner.width();
    let group_after = |group: usize| {
        let winner = layout.winner.unpack(after_winners.bits(group * width..(group + 1) * width));
        Last { rank: winner.rank, gain: winner.gain, found: winner.found }.pack()
    };
    let all = bundle((0..layout.groups).map(group_after));
    match layout.config.has_beam() {
        true => {
            m.comment("A beam takes its moves one by one: every group goes on behind the last one.");
            let last_cells = m.memory("last_cells", access.last.width, deepest);
            m.at_edge([when(access.last_write, [last_cells.write(access.last_context, access.last)])]);
            let last = m.read_register("after_last", last_cells, access.after_context);
            let beamed = m.delayed("after_beamed_q", access.after_beamed);
            let found = bundle(&[last, m.bit(true)]);
            beamed.mux(found.times(layout.groups), all)
        }
        false => all,
    }
}
