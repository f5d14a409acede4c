// SPDX-License-Identifier: MIT OR Apache-2.0
//! What some circuits do, clock by clock: the pictures in their documentation.
#![allow(missing_docs)]

use engine_model::Config;
use engine_model::named::named;
use hdl::circuits::{evaluator, face, search};
use hdl::layout::Layout;
use kit::{Circuit, Waves};

/// Signals of a circuit over some clocks: after two of reset, what changes at each; inputs keep their values.
fn drawn(circuit: &Circuit, signals: &[&str], clocks: &[&[(&str, u64)]]) -> Waves {
    let mut simulator = circuit.simulator();
    let mut waves = Waves::of(signals);
    assert!(simulator.set("aresetn", &[0]));
    simulator.tick();
    simulator.tick();
    assert!(simulator.set("aresetn", &[1]));
    for changes in clocks {
        for (input, value) in *changes {
            assert!(simulator.set(input, &[*value]), "no input {input}");
        }
        waves.sample(&mut simulator);
        simulator.tick();
    }
    waves
}

fn layout(config: Config) -> Layout {
    Layout::new(&config)
}

#[test]
fn axis_register() {
    // Two beats come while nobody takes one; then both leave, and a third goes straight through.
    let waves = drawn(
        &face::axis_register::axis_register(),
        &["s_tvalid", "s_tdata", "s_tready", "spare_full_q", "m_tvalid", "m_tdata", "m_tready"],
        &[
            &[("s_tvalid", 0), ("m_tready", 0)],
            &[("s_tvalid", 1), ("s_tdata", 0xa)],
            &[("s_tdata", 0xb)],
            &[("s_tdata", 0xc)],
            &[("m_tready", 1)],
            &[],
            &[("s_tvalid", 0)],
            &[],
        ],
    );
    insta::assert_snapshot!("axis_register", waves);
}

#[test]
fn request_queue() {
    // The first request is shown a clock later; the others wait behind it until it is taken.
    let waves = drawn(
        &search::request_queue::request_queue(8),
        &["push", "in_data", "out_valid", "out_data", "pop", "head", "tail"],
        &[
            &[("push", 1), ("in_data", 0x11)],
            &[("in_data", 0x22)],
            &[("in_data", 0x33)],
            &[("push", 0), ("pop", 1)],
            &[],
            &[],
            &[("pop", 0)],
        ],
    );
    insta::assert_snapshot!("request_queue", waves);
}

#[test]
fn board_slices() {
    // Two rows a clock of a board with six: a node every three clocks.
    let config = Config { rows_per_clock: 2, ..named("gomoku7").unwrap() };
    let waves = drawn(
        &evaluator::board_slices::board_slices(&layout(config)),
        &["valid", "own", "frame_valid", "first_slice", "slice"],
        &[
            &[("valid", 1), ("own", 0x11)],
            &[("valid", 0)],
            &[],
            &[("valid", 1), ("own", 0x22)],
            &[("valid", 0)],
            &[],
            &[],
            &[],
        ],
    );
    insta::assert_snapshot!("board_slices", waves);
}

#[test]
fn evaluator() {
    // Two nodes, one behind the other; the second one's mover has an open four.
    let layout = layout(named("gomoku7").unwrap());
    let none: &[(&str, u64)] = &[];
    let mut clocks = vec![none; evaluator::latency(&layout) + 4];
    let four = [("own", 0b1111 << 8), ("tag", 2)];
    clocks[1] = &[("valid", 1), ("tag", 1), ("empty_board", 1)];
    let second = [&four[..], &[("empty_board", 0)]].concat();
    clocks[2] = &second;
    clocks[3] = &[("valid", 0)];
    let waves = drawn(
        &evaluator::evaluator(&layout),
        &["valid", "tag", "own", "winners_valid", "winners_tag", "next_valid", "result_valid", "result_tag"],
        &clocks,
    );
    insta::assert_snapshot!("evaluator", waves);
}

#[test]
fn visit_choice() {
    // Without a clock: offers of three levels, of which the deepest due one is taken, or the deepest that may run ahead.
    let config = named("gomoku7").unwrap();
    let circuit = search::visit_choice::visit_choice(&layout(config));
    let mut simulator = circuit.simulator();
    let mut waves = Waves::of(&["offer", "due", "needs", "free_any", "few", "may", "take"]);
    for (offer, due, needs, free, few, may) in [
        (0b000, 0b000, 0b11, 0b11, 1, 1),
        (0b111, 0b011, 0b11, 0b11, 1, 1),
        (0b111, 0b011, 0b11, 0b01, 1, 1),
        (0b111, 0b000, 0b11, 0b11, 1, 1),
        (0b111, 0b000, 0b11, 0b11, 0, 1),
        (0b111, 0b111, 0b11, 0b11, 1, 0),
    ] {
        let inputs = [
            ("offer", offer),
            ("due", due),
            ("needs", needs),
            ("free_any", free),
            ("few", few),
            ("may", may),
        ];
        assert!(inputs.iter().all(|(input, value)| simulator.set(input, &[*value])));
        waves.sample(&mut simulator);
    }
    insta::assert_snapshot!("visit_choice", waves);
}
