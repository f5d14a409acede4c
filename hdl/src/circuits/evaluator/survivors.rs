// SPDX-License-Identifier: MIT OR Apache-2.0
//! The moves that survive the opponent's best reply.

use super::gains::Gains;
use crate::layout::Layout;
use kit::{Circuit, Module, bundle};

kit::record! {
    /// What is known of a node with the reply on its board.
    pub struct Reply {
        /// Potential, seen by the mover.
        node_potential,
        /// The mover's largest gain over the empty cells.
        largest,
        /// Alpha of the node.
        alpha,
        /// The node's first child, which has been searched: it is none of them.
        first,
        /// All survive.
        all_survive,
        /// Cells that survive whatever they gain.
        unbounded,
    }
}

/// Widths of what is known.
pub fn reply(layout: &Layout) -> Reply<usize> {
    Reply {
        node_potential: layout.potential_bits,
        largest: if layout.scoring.half_gain { layout.gain_bits } else { 0 },
        alpha: layout.value_bits,
        first: layout.cell_bits,
        all_survive: 1,
        unbounded: layout.cells,
    }
}

/// Which cells may be worth more than alpha by [`engine_model::evaluation::ceilings`]: a move is worth at most
///
/// 2 potential + 2 gain + largest + growth.
///
/// A [`Reply`] in, and of the other cells' gains the bits that are compared ([`gains::ports`](super::gains::ports)); out `survivors`, a
/// plane. Latency 3: what a gain may come to, the comparisons. Initiation interval 1, no reset (data only).
pub fn survivors(layout: &Layout) -> Circuit {
    let m = Module::new(
        "survivors",
        "Cells that may be worth more than alpha once the opponent has replied.\n\
         Latency 3, initiation interval 1, no reset (data only).",
        false,
    );
    let known = reply(layout).map(|name, width| match width {
        0 => m.zero(0),
        _ => m.input_at(0, name, width),
    });
    let (cells, bits, scoring) = (layout.cells, layout.ceiling_bits(), &layout.scoring);
    let gains = Gains::inputs(&m, layout, bits);
    let wide = layout.value_bits + 2;
    m.comment("A gain is refuted if twice that is no more than left - 2: if it is less than half of left.");
    let mut cost = known.node_potential.sign_extend(wide - 1).doubled();
    let mut growth = 0;
    if scoring.half_gain {
        cost = cost + known.largest.zero_extend(wide);
        growth = scoring.own_step;
    }
    let cost = m.wire("cost", cost);
    // As a number of this width, whatever its sign.
    let rest = (2 - growth).rem_euclid(1 << wide) as usize;
    let left = m.delayed("left", known.alpha.sign_extend(wide) - cost + m.constant(wide, rest));
    let all = m.delayed("all_survive_q", known.all_survive);
    let first = m.constant(cells, 1).up_by(known.first);
    let unbounded = m.delayed("unbounded_q", known.unbounded);
    let first = m.delay("first_q", first, 2);
    let over = m.delayed("over", left.bits(1 + bits..wide).any());
    let none = m.delayed("none", all | left.sign());
    let unbounded = m.delayed("unbounded_qq", unbounded);
    let gains = gains.delay(&m, "gains_q", 2);
    let least = m.delayed("least", left.bits(1..1 + bits));
    let refuted = bundle(gains.cells(&m).into_iter().map(|gain| over | gain.less(least)));
    let refuted = m.wire("refuted", refuted);
    let survivors = (unbounded | !refuted | none.times(cells)) & !first;
    m.output("survivors", m.delayed("survivors", survivors));
    m.circuit()
}
