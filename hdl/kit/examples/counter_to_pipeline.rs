// SPDX-License-Identifier: MIT OR Apache-2.0
//! From a counter to a pipeline: described, printed as Verilog-2001, simulated. `cargo run -p kit --example counter_to_pipeline`.

use kit::{Circuit, Modules, Sig, Waves, when};

/// Counts up while `counts`.
///
/// Ports: in `counts` (1 bit); out `count` (`width` bits). Latency: a clock. Reset: to 0.
fn counter(width: usize) -> Circuit {
    let m = kit::Module::new("counter", "Counts up while it may.", true);
    let counts = m.input("counts", 1);
    let count = m.control("count", width, 0);
    m.at_edge([when(counts, [count.set(count + 1)])]);
    m.output("count", count);
    m.circuit()
}

/// The sum of one or two numbers, a bit wider than they, so that nothing is lost.
fn added<'m>(pair: &[Sig<'m>]) -> Sig<'m> {
    let wider = pair.iter().map(|number| number.zero_extend(number.width + 1));
    wider.reduce(|sum, number| sum + number).expect("a chunk holds a number")
}

/// The sum of numbers of `width` bits: a tree of adders with a register behind each level.
///
/// Ports: in `number_0`, `number_1`, ...; out `sum`, as wide as it may become. Latency: a clock for each doubling of the numbers, which the
/// signals count by themselves. Initiation interval: 1. No reset.
fn sum(numbers: usize, width: usize) -> Circuit {
    let m = kit::Module::new("sum", "The sum of its inputs, pipelined.", false);
    let mut level: Vec<Sig> =
        (0..numbers).map(|index| m.input_at(0, &format!("number_{index}"), width)).collect();
    while level.len() > 1 {
        level = level.chunks(2).map(|pair| m.stage("level", m.part("added", added(pair)))).collect();
    }
    m.output("sum", level[0]);
    m.circuit()
}

fn main() {
    let counter = counter(4);
    println!("{}", Modules::of(&counter, "example").verilog());
    let mut simulator = counter.simulator();
    let mut waves = Waves::of(&["counts", "count"]);
    for (reset, counts) in [(0, 0), (1, 1), (1, 1), (1, 0), (1, 1), (1, 1)] {
        assert!(simulator.set("aresetn", &[reset]) && simulator.set("counts", &[counts]));
        waves.sample(&mut simulator);
        simulator.tick();
    }
    println!("{waves}");

    let sum = sum(5, 8);
    println!("{}", Modules::of(&sum, "example").verilog());
    let latency = sum.latency("sum");
    let mut simulator = sum.simulator();
    for number in 0..5 {
        assert!(simulator.set(&format!("number_{number}"), &[200 + number]));
    }
    (0..latency).for_each(|_| simulator.tick());
    let found = simulator.get("sum").and_then(|value| value.words().first().copied());
    println!("after {latency} clocks: {found:?}");
    assert_eq!(found, Some(1010));
}
