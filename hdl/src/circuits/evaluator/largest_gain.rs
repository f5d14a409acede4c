// SPDX-License-Identifier: MIT OR Apache-2.0
//! The largest of the empty cells' gains, its lowest bits left out.

use super::gains::Gains;
use super::group_tree::{clocks, depth, keep};
use crate::layout::Layout;
use engine_model::evaluation::REPLY_GRAIN;
use kit::{Circuit, Module, Sig, when};

/// The largest gain of the opponent: all a floor asks of its replies, and only of its higher bits.
///
/// Planes of the core cells `occupied` and their [`Gains`] in; out `largest`, without the lowest [`REPLY_GRAIN`] bits.
/// Latency by the tree's registers, initiation interval 1, no reset (data only).
pub fn largest_gain(layout: &Layout) -> Circuit {
    let (cells, bits) = (layout.frame.core_cells, layout.reply_bits());
    let m = Module::new(
        "largest_gain",
        &format!(
            "Largest gain of the empty cells, its lowest bits left out.\n\
             Latency {}, initiation interval 1, no reset (data only).",
            1 + clocks(depth(cells))
        ),
        false,
    );
    let occupied = m.input_at(0, "occupied", cells);
    let gains = Gains::inputs(&m, layout, layout.gain_bits);
    m.comment("Taken cells gain nothing: the reset of their registers, which costs no table.");
    let gains = gains.cells(&m).into_iter().enumerate();
    let mut largest: Vec<Sig> = gains
        .map(|(cell, gain)| {
            let register = m.register(&format!("gain_of_{cell}"), bits);
            let gain = gain.bits(REPLY_GRAIN..layout.gain_bits);
            m.at_edge([when(occupied.bit(cell), [register.set(0)]).otherwise([register.set(gain)])]);
            m.at_stage(register, 1)
        })
        .collect();
    m.comment("a > b if a + ~b carries: as a comparison Yosys makes more tables of it.");
    let levels = depth(cells);
    for level in 0..levels {
        largest = largest
            .chunks(2)
            .map(|pair| {
                let larger = match *pair {
                    [a, b] => {
                        let [wide, turned] = [a, !b].map(|number| number.zero_extend(bits + 1));
                        let compared = m.part("compared", wide + turned);
                        compared.bit(bits).mux(a, b)
                    }
                    _ => pair[0],
                };
                keep(&m, levels - 1 - level, "larger", larger)
            })
            .collect();
    }
    m.output("largest", largest[0]);
    m.circuit()
}
