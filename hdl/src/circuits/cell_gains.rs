// SPDX-License-Identifier: MIT OR Apache-2.0
//! Gain of every cell from the gain flags of the windows through it.

use super::DIRECTION_NAMES;
use crate::kit::{Body, Circuit, constant};
use crate::layout::Layout;
use engine_model::scoring::bits_for;
use std::collections::BTreeMap;

/// Name of a direction's gain flag at the input.
pub fn gain_input(direction: usize, flag: usize) -> String {
    format!("{}_gain_flag_{flag}", DIRECTION_NAMES[direction])
}

/// Clocks from the flags to the gains: first windows counted, all counted, weighted sum.
pub const LATENCY: usize = 3;

/// Windows that are counted in the first clock; the others' flags wait for the second.
const FIRST: usize = 12;

/// Counts, per cell and flag, the windows through the cell, and weighs the counts.
///
/// A cell has only as many windows as the board leaves it. The first six become a count by tables of six inputs; every
/// further six are added to it, five counted by the table in front of the adder, the sixth as its carry. A weighted
/// count is added the same way, its product a table.
///
/// Ports: `aclk`; `DIRECTION_gain_flag_J` planes of the frame in (windows at the bit of their first cell); `gain_B`
/// planes of the core cells out (bit B of every cell's gain). Latency [`LATENCY`], initiation interval 1, no reset.
pub fn cell_gains(layout: &Layout) -> Circuit {
    let (frame, core) = (layout.frame.cells, layout.frame.core_cells);
    let flags = layout.gain_flags();
    let mut circuit = Circuit::new(
        "cell_gains",
        &format!(
            "Gain of every cell: windows through it counted by flag, counts weighted.\n\
             Latency {LATENCY}, initiation interval 1, no reset (data only)."
        ),
    );
    circuit.clocked(false);
    for direction in 0..DIRECTION_NAMES.len() {
        for &(flag, _) in &flags {
            circuit.input(gain_input(direction, flag), frame);
        }
    }
    for bit in 0..layout.gain_bits {
        circuit.output(format!("gain_{bit}"), core);
    }
    let mut body = Body::new();
    body.comment("Flags of windows counted in the second clock.");
    for direction in 0..DIRECTION_NAMES.len() {
        for &(flag, _) in &flags {
            let input = gain_input(direction, flag);
            body.register(&format!("{input}_q"), frame, input);
        }
    }
    let mut tables = Tables::default();
    let mut gains = Vec::new();
    for cell in 0..core {
        let windows = windows_of(layout, cell);
        let counts: Vec<Number> = flags
            .iter()
            .map(|&(flag, weight)| {
                let input = |q: &str, &(direction, start): &(usize, usize)| {
                    format!("{}{q}[{start}]", gain_input(direction, flag))
                };
                let hint = format!("count_{cell}_{flag}");
                let (now, later) = windows.split_at(windows.len().min(FIRST));
                let now: Vec<String> = now.iter().map(|w| input("", w)).collect();
                let later: Vec<String> = later.iter().map(|w| input("_q", w)).collect();
                let first =
                    count(&mut body, &mut tables, &hint, Number::zero(), &now).registered(&mut body, &hint);
                let all = count(&mut body, &mut tables, &hint, first, &later);
                Number { weight, ..all.registered(&mut body, &hint) }
            })
            .collect();
        let sum = weighted(&mut body, &mut tables, &format!("gain_of_{cell}"), counts);
        let width = sum.width();
        gains.push((sum.name, width));
    }
    for bit in 0..layout.gain_bits {
        let planes: Vec<String> = gains
            .iter()
            .rev()
            .map(|(name, width)| match width {
                1 if bit == 0 => name.clone(),
                _ if bit < *width => format!("{name}[{bit}]"),
                _ => constant(1, 0),
            })
            .collect();
        body.drive_register(&format!("gain_{bit}"), format!("{{{}}}", planes.join(", ")));
    }
    let mut whole = Body::new();
    tables.declare(&mut whole);
    circuit.set_body(whole.finish() + &body.finish());
    circuit
}

/// Direction and first cell of the windows through a core cell, in the frame.
fn windows_of(layout: &Layout, core: usize) -> Vec<(usize, usize)> {
    let frame = &layout.frame;
    let cell = frame.margin * frame.geometry.columns + core;
    let mut windows = Vec::new();
    for direction in 0..DIRECTION_NAMES.len() {
        let stride = frame.geometry.stride(direction);
        for i in 0..layout.config.in_a_row {
            if let Some(start) = cell.checked_sub(i * stride) {
                let window = frame.geometry.window_at[direction][start];
                let here = |id: u16| frame.geometry.windows[id as usize].cells.contains(&(cell as u16));
                if window.is_some_and(here) {
                    windows.push((direction, start));
                }
            }
        }
    }
    windows
}

/// A number of a cell: a vector, the largest value it takes, and what one of it is worth.
#[derive(Clone, Debug)]
struct Number {
    name: String,
    most: usize,
    weight: usize,
}

impl Number {
    fn zero() -> Number {
        Number { name: constant(1, 0), most: 0, weight: 1 }
    }

    fn width(&self) -> usize {
        bits_for(self.most)
    }

    fn registered(self, body: &mut Body, hint: &str) -> Number {
        if self.most == 0 {
            return self;
        }
        Number { name: body.register(&format!("{hint}_q"), self.width(), &self.name), ..self }
    }
}

/// Tables of up to six inputs, each a constant that the inputs index.
#[derive(Default)]
struct Tables {
    names: BTreeMap<Vec<bool>, String>,
}

impl Tables {
    fn name(&mut self, entries: Vec<bool>) -> String {
        let next = format!("table_{}", self.names.len());
        self.names.entry(entries).or_insert(next).clone()
    }

    /// The bits of `value(index)` for an index of the given width; bit b of an entry is looked up in table b.
    fn look_up(
        &mut self,
        index: &str,
        index_bits: usize,
        bits: usize,
        value: impl Fn(usize) -> usize,
    ) -> String {
        let looked: Vec<String> = (0..bits)
            .rev()
            .map(|bit| {
                let entries = (0..1usize << index_bits).map(|i| value(i) >> bit & 1 == 1).collect();
                format!("{}[{index}]", self.name(entries))
            })
            .collect();
        format!("{{{}}}", looked.join(", "))
    }

    fn declare(&self, body: &mut Body) {
        body.comment("Tables of up to six inputs: an entry for every value of the index.");
        for (entries, name) in &self.names {
            body.wire(name, entries.len(), crate::kit::hex(entries));
        }
    }
}

/// `start` plus how many of the flags are set.
fn count(body: &mut Body, tables: &mut Tables, hint: &str, start: Number, flags: &[String]) -> Number {
    let mut sum = start;
    let mut rest = flags;
    while !rest.is_empty() {
        let (taken, after) = rest.split_at(rest.len().min(6));
        rest = after;
        let ones = |i: usize| i.count_ones() as usize;
        if sum.most == 0 {
            let bits = bits_for(taken.len());
            let text = if taken.len() == 1 {
                taken[0].clone()
            } else {
                let index =
                    body.wire(&format!("{hint}_of"), taken.len(), format!("{{{}}}", taken.join(", ")));
                tables.look_up(&index, taken.len(), bits, ones)
            };
            sum = Number { name: body.wire(hint, bits, text), most: taken.len(), weight: 1 };
            continue;
        }
        // One flag alone goes through a table rather than the carry, which would need an adder of its own kind.
        let (carry, counted) =
            if taken.len() == 1 { ("1'b0".to_string(), taken) } else { (taken[0].clone(), &taken[1..]) };
        let index = body.wire(&format!("{hint}_of"), counted.len(), format!("{{{}}}", counted.join(", ")));
        let bits = bits_for(counted.len());
        let more = if counted.len() == 1 { index } else { tables.look_up(&index, counted.len(), bits, ones) };
        let more = body.wire(&format!("{hint}_more"), bits, more);
        sum = add(body, hint, &sum, &Number { name: more, most: counted.len(), weight: 1 }, Some(carry));
    }
    sum
}

/// Sum of the numbers and a carry by one chain. The first number is the one that enters the chain as it is: what
/// precedes the second becomes part of the chain's tables.
fn add(body: &mut Body, hint: &str, a: &Number, b: &Number, carry: Option<String>) -> Number {
    let most = a.most + b.most + usize::from(carry.as_ref().is_some_and(|c| c != "1'b0"));
    let width = bits_for(most);
    let carry = carry.unwrap_or_else(|| "1'b0".into());
    let operand = |n: &Number| {
        let pad = width - n.width();
        let pad = if pad == 0 { String::new() } else { format!("{pad}'d0, ") };
        format!("{{{pad}{}, {carry}}}", n.name)
    };
    let chain = body.wire(&format!("{hint}_chain"), width + 1, format!("{} + {}", operand(a), operand(b)));
    Number { name: body.wire(hint, width, format!("{chain}[{width}:1]")), most, weight: 1 }
}

/// The counts times their weights, summed: neighbours first.
fn weighted(body: &mut Body, tables: &mut Tables, hint: &str, counts: Vec<Number>) -> Number {
    let mut terms: Vec<Number> = counts.into_iter().filter(|count| count.most > 0).collect();
    if terms.is_empty() {
        return Number::zero();
    }
    while terms.len() > 1 || terms[0].weight > 1 {
        terms = terms
            .chunks(2)
            .map(|pair| match pair {
                [a, b] => weighted_pair(body, tables, hint, a, b),
                _ if terms.len() > 1 => pair[0].clone(),
                _ => times(body, tables, hint, &pair[0], pair[0].weight),
            })
            .collect();
    }
    terms.swap_remove(0)
}

/// `a` and `b` by their weights. What both weights share remains the sum's weight; so do low bits that need no adding.
fn weighted_pair(body: &mut Body, tables: &mut Tables, hint: &str, a: &Number, b: &Number) -> Number {
    let common = 1usize << a.weight.trailing_zeros().min(b.weight.trailing_zeros());
    let (a, b) = if a.weight / common % 2 == 1 { (a, b) } else { (b, a) };
    let a = times(body, tables, hint, a, a.weight / common);
    // Bits of `a` below the other's lowest are the sum's as they are.
    let low = (b.weight / common).trailing_zeros() as usize;
    let low = low.min(a.width() - 1);
    let b = times(body, tables, hint, b, (b.weight / common) >> low);
    let (width, name) = (a.width(), a.name.clone());
    let high = if low == 0 { name.clone() } else { format!("{name}[{}:{low}]", width - 1) };
    let high = body.wire(&format!("{hint}_high"), width - low, high);
    let sum = add(body, hint, &Number { name: high, most: a.most >> low, weight: 1 }, &b, None);
    if low == 0 {
        return Number { weight: common, ..sum };
    }
    let most = a.most + (b.most << low);
    let width = bits_for(most);
    let text = format!("{{{}[{}:0], {name}[{}:0]}}", sum.name, width - low - 1, low - 1);
    Number { name: body.wire(hint, width, text), most, weight: common }
}

/// A number times a constant: a shift, or a table.
fn times(body: &mut Body, tables: &mut Tables, hint: &str, number: &Number, factor: usize) -> Number {
    let most = number.most * factor;
    let bits = bits_for(most);
    let shift = factor.trailing_zeros();
    let text = match factor {
        1 => return Number { weight: 1, ..number.clone() },
        _ if factor.is_power_of_two() => format!("{{{}, {shift}'d0}}", number.name),
        _ => tables.look_up(&number.name, number.width(), bits, |value| value * factor),
    };
    Number { name: body.wire(&format!("{hint}_times"), bits, text), most, weight: 1 }
}
