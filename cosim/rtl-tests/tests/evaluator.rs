// SPDX-License-Identifier: MIT OR Apache-2.0
//! Node builder, comparison tree, outcome and the whole evaluator, each alone in Verilator, against the model; a new
//! input every clock.
#![allow(missing_docs)]

use engine_model::evaluation::{Outcome, Picked, Remaining, evaluate, is_restricted, ordered_moves};
use engine_model::position::Tables;
use engine_model::{Cell, Position};
use hdl::Layout;
use hdl::circuits::{best_cell, evaluator};
use hdl::layout::PassKind;
use rtl_tests::stimulus::{Unit, layout_of, owner_is, pack, pipelined, positions, sides};
use std::sync::Arc;

const ROUNDS: usize = 400;

/// A request to the comparison tree.
struct Request {
    position: Position,
    kind: PassKind,
    remaining: Remaining,
    excluded: Vec<Cell>,
}

fn requests(tables: &Arc<Tables>, seed: u64) -> Vec<Request> {
    let mut rng = fastrand::Rng::with_seed(seed);
    positions(tables, seed, ROUNDS)
        .into_iter()
        .map(|position| {
            let kind = PassKind::from_code(rng.u64(0..4));
            // Only a node can be at depth 0.
            let depth = if kind == PassKind::Node { rng.usize(0..2) } else { 1 };
            let remaining = Remaining { depth, extensions: rng.usize(0..2) };
            let cells = tables.geometry.cells();
            let mut excluded: Vec<Cell> =
                (0..rng.usize(0..cells)).map(|_| rng.usize(0..cells) as Cell).collect();
            if kind == PassKind::Probe {
                let keep = rng.usize(0..cells) as Cell;
                excluded = (0..cells as Cell).filter(|&c| c != keep).collect();
            }
            Request { position, kind, remaining, excluded }
        })
        .collect()
}

fn expected_pick(request: &Request) -> Option<Picked> {
    let position = &request.position;
    let allowed = |cell: Cell| !request.excluded.contains(&cell);
    match request.kind {
        PassKind::Node => evaluate(position, request.remaining).best,
        PassKind::Order => ordered_moves(position).into_iter().find(|m| allowed(m.cell)),
        PassKind::OrderFours => ordered_moves(position).into_iter().find(|m| allowed(m.cell) && m.makes_four),
        PassKind::Probe => {
            let side = position.side_to_move();
            let cells = position.tables().geometry.cells() as Cell;
            (0..cells).find(|&c| allowed(c) && position.is_empty(c)).map(|cell| Picked {
                cell,
                gain: position.gain(side, cell),
                makes_four: position.makes_four(side, cell),
            })
        }
    }
}

#[test]
fn best_cell_picks_the_first_in_static_order() {
    let (tables, layout) = layout_of("best_cell");
    let mut unit = Unit::new("best_cell", 6);
    pipelined(
        &mut unit,
        best_cell::latency(&layout),
        requests(&tables, 6),
        |unit, request| {
            let position = &request.position;
            let (own, other) = sides(position);
            let empty = |cell| position.is_empty(cell);
            unit.set_plane("occupied", |c| !empty(c));
            unit.set_plane("candidate", |c| position.is_candidate(c));
            unit.set_plane("own_complete", |c| empty(c) && position.completes(own, c));
            unit.set_plane("other_complete", |c| empty(c) && position.completes(other, c));
            unit.set_plane("own_double", |c| position.is_double(own, c));
            unit.set_plane("four", |c| empty(c) && position.makes_four(own, c));
            unit.set_plane("restricted", |c| {
                empty(c) && (position.makes_four(own, c) || position.makes_four(other, c))
            });
            unit.set_plane("exclude", |c| request.excluded.contains(&c));
            for bit in 0..layout.gain_bits {
                unit.set_plane(&format!("gain_{bit}"), |c| position.gain(own, c) >> bit & 1 == 1);
            }
            unit.set("own_wins", u32::from(position.completing_cells(own) > 0));
            unit.set("other_wins", u32::from(position.completing_cells(other) > 0));
            unit.set("own_has_double", u32::from(position.has_double(own)));
            unit.set("other_has_double", u32::from(position.has_double(other)));
            let depth_zero = request.remaining.depth == 0;
            unit.set("depth_zero", u32::from(depth_zero));
            unit.set("leaf", u32::from(depth_zero && request.remaining.extensions == 0));
            unit.set("kind", request.kind as u32);
        },
        |unit, request| {
            let got = (unit.get("found") == 1).then(|| Picked {
                cell: unit.get("picked") as Cell,
                gain: unit.get("gain") as i32,
                makes_four: unit.get("makes_four") == 1,
            });
            assert_eq!(got, expected_pick(request), "{:?} {:?}", request.kind, request.position.moves());
        },
    );
}

#[test]
fn node_outcome_follows_the_rules() {
    let (tables, layout) = layout_of("node_outcome");
    let mut unit = Unit::new("node_outcome", 7);
    let mut rng = fastrand::Rng::with_seed(7);
    let stimuli: Vec<(Position, usize)> =
        positions(&tables, 7, ROUNDS).into_iter().map(|p| (p, rng.usize(0..=layout.max_path))).collect();
    let leaf = Remaining { depth: 0, extensions: 0 };
    pipelined(
        &mut unit,
        1,
        stimuli,
        |unit, (position, length)| {
            let (own, other) = sides(position);
            let evaluation = evaluate(position, leaf);
            let best = evaluation.best.unwrap_or(Picked { cell: 0, gain: 0, makes_four: false });
            let cells = layout.cells as Cell;
            for (fact, value) in [
                ("own_wins", position.completing_cells(own) > 0),
                ("other_wins_once", position.completing_cells(other) == 1),
                ("other_wins_twice", position.completing_cells(other) >= 2),
                ("own_has_double", position.has_double(own)),
                ("line", position.winner() == Some(other)),
                ("full", position.is_full()),
                ("one_empty", position.stones() + 1 == layout.cells),
                ("four_three", (0..cells).any(|c| position.is_four_three(own, c))),
                ("found", evaluation.best.is_some()),
                ("makes_four", best.makes_four),
            ] {
                unit.set(fact, u32::from(value));
            }
            unit.set("picked", best.cell.into());
            unit.set("gain", best.gain as u32);
            unit.set("length", *length as u32);
            unit.set("potential", evaluation.potential as u32 & ((1 << layout.potential_bits) - 1));
        },
        |unit, (position, length)| {
            let evaluation = evaluate(position, leaf);
            let field = |name| unit.field("result", layout.result.field(name));
            let outcome = Outcome::from_code(field("outcome") as u8).unwrap();
            assert_eq!(outcome, evaluation.outcome, "{:?}", position.moves());
            let signed = |name| unit.signed_field("result", layout.result.field(name));
            assert_eq!(signed("leaf_value"), evaluation.leaf_value);
            let scoring = &tables.scoring;
            let value = match outcome {
                Outcome::Full => 0,
                Outcome::Win => scoring.win_at(length + 1),
                Outcome::Loss => -scoring.win_at(length + 2),
                Outcome::Double => scoring.win_at(length + 3),
                _ => evaluation.leaf_value,
            };
            assert_eq!(signed("value"), value);
        },
    );
}

fn random_tag(layout: &Layout, rng: &mut fastrand::Rng, path: &[Cell]) -> Vec<u32> {
    let mut bits: Vec<bool> = (0..layout.tag.width()).map(|_| rng.bool()).collect();
    let mut put = |offset: usize, width: usize, value: usize| {
        (0..width).for_each(|i| bits[offset + i] = value >> i & 1 == 1);
    };
    let base = layout.tag.field("path").offset;
    for (i, &cell) in path.iter().enumerate() {
        put(base + i * layout.cell_bits, layout.cell_bits, cell.into());
    }
    let length = layout.tag.field("length");
    put(length.offset, length.width, path.len());
    pack(bits)
}

#[test]
fn node_builder_puts_the_path_on_the_board() {
    let (tables, layout) = layout_of("node_builder");
    let mut unit = Unit::new("node_builder", 8);
    let mut rng = fastrand::Rng::with_seed(8);
    let mut stimuli = Vec::new();
    for root in positions(&tables, 8, ROUNDS) {
        let mut node = root.clone();
        let length = rng.usize(0..=layout.max_path);
        while node.stones() - root.stones() < length && !node.is_over() {
            let open: Vec<Cell> = (0..layout.cells as Cell).filter(|&c| node.is_empty(c)).collect();
            node.play(open[rng.usize(0..open.len())]).unwrap();
        }
        let tag = random_tag(&layout, &mut rng, &node.moves()[root.stones()..]);
        stimuli.push((root, node, tag, rng.bool()));
    }
    pipelined(
        &mut unit,
        1,
        stimuli,
        |unit, (root, _, tag, valid)| {
            let (own, other) = sides(root);
            unit.set_plane("root_own", owner_is(root, own));
            unit.set_plane("root_other", owner_is(root, other));
            unit.set("root_stones", root.stones() as u32);
            unit.set_words("tag", tag);
            unit.set("valid", u32::from(*valid));
        },
        |unit, (_, node, tag, valid)| {
            let (own, other) = sides(node);
            assert_eq!(unit.get("node_valid") == 1, *valid);
            assert_eq!(&unit.words("node_tag"), tag);
            unit.expect_plane("own", owner_is(node, own), node);
            unit.expect_plane("other", owner_is(node, other), node);
            assert_eq!(unit.get("full") == 1, node.is_full());
            assert_eq!(unit.get("one_empty") == 1, node.stones() + 1 == layout.cells);
        },
    );
}

#[test]
fn evaluator_takes_a_node_every_clock() {
    let (tables, layout) = layout_of("evaluator");
    let mut unit = Unit::new("evaluator", 9);
    let mut rng = fastrand::Rng::with_seed(9);
    let kind = layout.tag.field("kind");
    let mut stimuli = Vec::new();
    for mut request in requests(&tables, 9) {
        // A node: the level's tried moves must not matter.
        request.kind = PassKind::Node;
        let mut tag = random_tag(&layout, &mut rng, &[]);
        for (name, value) in [
            ("kind", PassKind::Node as u64),
            ("depth_zero", u64::from(request.remaining.depth == 0)),
            ("extensions", request.remaining.extensions as u64),
            ("potential", request.position.potential() as u64),
        ] {
            let field = layout.tag.field(name);
            for i in 0..field.width {
                let (word, bit) = ((field.offset + i) / 32, (field.offset + i) % 32);
                tag[word] = tag[word] & !(1 << bit) | ((value >> i & 1) as u32) << bit;
            }
        }
        stimuli.push((request, tag));
    }
    assert_eq!(kind.width, 2);
    pipelined(
        &mut unit,
        evaluator::latency(&layout),
        stimuli,
        |unit, (request, tag)| {
            let (own, other) = sides(&request.position);
            unit.set_plane("own", owner_is(&request.position, own));
            unit.set_plane("other", owner_is(&request.position, other));
            unit.set("full", u32::from(request.position.is_full()));
            unit.set("one_empty", u32::from(request.position.stones() + 1 == layout.cells));
            unit.set_words("tag", tag);
            unit.set("valid", 1);
            unit.set_plane("exclude", |_| true);
        },
        |unit, (request, tag)| {
            assert_eq!(unit.get("result_valid"), 1);
            assert_eq!(&unit.words("result_tag"), tag);
            let expected = evaluate(&request.position, request.remaining);
            let field = |name| unit.field("result", layout.result.field(name));
            let moves = request.position.moves();
            assert_eq!(field("outcome") as u8, expected.outcome as u8, "{moves:?}");
            let best = (field("found") == 1).then(|| Picked {
                cell: field("cell") as Cell,
                gain: field("gain") as i32,
                makes_four: field("makes_four") == 1,
            });
            assert_eq!(best, expected.best, "{moves:?}, restricted {}", is_restricted(&request.position));
            let leaf = unit.signed_field("result", layout.result.field("leaf_value"));
            assert_eq!(leaf, expected.leaf_value, "{moves:?}");
        },
    );
}
