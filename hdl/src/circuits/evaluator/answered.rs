// SPDX-License-Identifier: MIT OR Apache-2.0
//! The end of the pipeline for boards that have the opponent's reply on them.

use super::beside::{Beside, stage_of};
use super::cell_threats::{PATTERNS, pattern_output};
use super::cover::flag_input;
use super::gains::Gains;
use super::survivors::{Reply, survivors};
use super::unbounded_cells::{unbounded_cells, windows_looked_at};
use crate::layout::{Layout, PassKind};
use kit::{Instance, Module, Sig};

/// What the end of the pipeline knows of a position.
pub(super) struct Ends<'m> {
    /// The mover has a four-three cell.
    pub four_three: Option<Sig<'m>>,
    pub best: Instance<'m>,
    /// The stage at which the pick is there.
    pub last: i32,
}

/// Which moves survive the reply on the board: `found_survivors`, with `found_valid` and the `found_context`. `bound_tag` says two
/// clocks before `alpha` comes in whose it should be.
pub(super) fn answered<'m>(
    m: &'m Module,
    layout: &Layout,
    beside: &Beside<'m>,
    flags: &[Instance<'m>],
    (threats, gain_sums): (Instance<'m>, Instance<'m>),
    occupied: Sig<'m>,
    ends: Ends<'m>,
) {
    let Ends { four_three, best, last } = ends;
    m.comment("Moves that survive the reply.");
    let unbounded = match layout.looks_ahead() {
        true => unbounded_by_pattern(m, layout, flags, threats, occupied),
        false => threats.get("four"),
    };
    let taken = m.delay_to("taken_unbounded", occupied, stage_of(unbounded));
    let mut unbounded = unbounded | taken;
    let (gains, bits) = (Gains::get(gain_sums, layout), layout.ceiling_bits());
    if bits < layout.gain_bits {
        let wide = gains.reach(bits);
        let both = stage_of(unbounded).max(stage_of(wide));
        unbounded = m.delay_to("unbounded_too", unbounded, both) | m.delay_to("wide_unbounded", wide, both);
    }
    let unbounded = m.delay_to("late_unbounded", unbounded, last);
    let gains = gains.low(bits).delay_to(m, "late_gains", last);
    let alpha = m.at_stage(m.input("alpha", layout.value_bits), last);
    let tag = layout.tag.unpack(beside.tag(last));
    // Both moves behind the node count as stones, the one that was passed as well: there is one cell more than it says.
    let fill = beside.fill(last);
    let little_room = fill.bit(0) | fill.bit(1);
    let known = Reply {
        node_potential: tag.potential,
        largest: if layout.scoring.half_gain { best.get("gain") } else { m.zero(0) },
        alpha,
        first: tag.order.bits(0..layout.cell_bits),
        all_survive: four_three.map_or(little_room, |four_three| four_three | little_room),
        unbounded,
    };
    let unit = m.child("surviving", survivors(layout));
    known.drive(unit);
    gains.drive(unit);
    let plane = unit.get("survivors");
    let after = (stage_of(plane) - last) as usize;
    let is_answered = beside.valid(last) & tag.kind.is(PassKind::Answered as u64);
    let valid = (0..after).fold(is_answered, |valid, clock| m.cleared(&format!("answered_{clock}"), valid));
    m.output("bound_tag", beside.tag(last - 2));
    m.output("found_valid", valid);
    m.output("found_context", m.delay("answered_context", tag.context, after));
    m.output("found_survivors", plane);
}

/// Cells that survive for what may come of them.
fn unbounded_by_pattern<'m>(
    m: &'m Module,
    layout: &Layout,
    flags: &[Instance<'m>],
    threats: Instance<'m>,
    occupied: Sig<'m>,
) -> Sig<'m> {
    let unbounded = m.child("unbounded_cells", unbounded_cells(layout));
    let patterned = stage_of(threats.get(&pattern_output(0, PATTERNS[0])));
    for (direction, flags) in flags.iter().enumerate() {
        for pattern in PATTERNS {
            let name = pattern_output(direction, pattern);
            unbounded.drive(&name, threats.get(&name));
        }
        for flag in windows_looked_at(layout) {
            let name = flag_input(direction, flag);
            unbounded.drive(&name, m.delay_to(&name, flags.get(flag), patterned));
        }
    }
    if layout.looks_at_pairs() {
        unbounded.drive("occupied", m.delay_to("occupied_unbounded", occupied, patterned));
    }
    unbounded.get("unbounded")
}
