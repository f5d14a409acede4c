// SPDX-License-Identifier: MIT OR Apache-2.0
//! Node builder, comparison tree, outcome and the whole evaluator, each alone in Verilator, against the model; a new
//! input every clock, or slice by slice a new node as often as it is taken.
#![allow(missing_docs)]

use engine_model::evaluation::{
    NodeEvaluation, Outcome, Picked, REPLY_GRAIN, Remaining, evaluate, floor, is_unproved,
};
use engine_model::position::Tables;
use engine_model::scoring::Scoring;
use engine_model::{Cell, Position};
use hdl::Layout;
use hdl::circuits::evaluator;
use hdl::circuits::evaluator::best_cell::before_port;
use hdl::layout::PassKind;
use rtl_tests::requests::Request;
use rtl_tests::stimulus::{
    Unit, layout_of, owner_is, pack, pipelined, positions, set_field, set_gains, sides, with_slices,
};
use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

const ROUNDS: usize = 400;

fn requests(tables: &Arc<Tables>, layout: &Layout, seed: u64) -> Vec<Request> {
    let mut rng = fastrand::Rng::with_seed(seed);
    let random = |position| {
        let probed = rng.usize(0..layout.cells) as Cell;
        Request::random(layout, &mut rng, position, probed)
    };
    positions(tables, seed, ROUNDS).into_iter().map(random).collect()
}

/// Presents one slice of a request to the comparison tree.
fn present(unit: &mut Unit, layout: &Layout, request: &Request, slice: usize) {
    let position = &request.position;
    let (own, other) = sides(position);
    let empty = |cell| position.is_empty(cell);
    unit.set_core("occupied", slice, true, |c| !empty(c));
    let four = |side, c| empty(c) && position.makes_four(side, c);
    let mut plane = |name: &str, f: &dyn Fn(Cell) -> bool| unit.set_core(name, slice, false, f);
    plane("candidate", &|c| position.is_candidate(c));
    plane("own_complete", &|c| empty(c) && position.completes(own, c));
    plane("other_complete", &|c| empty(c) && position.completes(other, c));
    plane("own_double", &|c| position.is_double(own, c));
    plane("four", &|c| four(own, c));
    plane("restricted", &|c| four(own, c) || four(other, c));
    let gain = |core| layout.cell_of_core(core, slice).map_or(0, |cell| position.gain(own, cell as Cell));
    set_gains(unit, layout, (0..layout.frame.core_cells).map(gain));
    unit.set("own_wins", u32::from(position.completing_cells(own) > 0));
    unit.set("other_wins", u32::from(position.completing_cells(other) > 0));
    unit.set("own_has_double", u32::from(position.has_double(own)));
    unit.set("other_has_double", u32::from(position.has_double(other)));
    let depth_zero = request.remaining.depth == 0;
    unit.set("depth_zero", u32::from(depth_zero));
    unit.set("leaf", u32::from(depth_zero && request.remaining.extensions == 0));
    unit.set("kind", request.kind as u32);
    unit.set("probe_rank", layout.geometry.rank[request.probed as usize].into());
    unit.set_words(before_port(layout), &request.before_words(layout));
    if layout.config.has_ceilings() {
        unit.set_plane("survivors", |cell| request.survivors[cell as usize]);
    }
    unit.set("first_slice", u32::from(slice == 0));
    unit.set("slice", slice as u32);
}

/// What the tree says of a set: found, rank, group, gain, makes four, more.
fn picks(layout: &Layout, set: &[Picked]) -> Option<[u32; 5]> {
    set.first().map(|first| {
        let (cell, more) = (first.cell as usize, set.len() > 1);
        let (rank, group) = (layout.geometry.rank[cell], layout.group_of(cell));
        [rank.into(), group as u32, first.gain as u32, first.makes_four.into(), more.into()]
    })
}

#[test]
fn best_cell_finds_the_first_in_static_order() {
    for name in
        with_slices("best_cell").into_iter().chain(["best_cell_all", "best_cell_short"].map(String::from))
    {
        let (tables, layout) = layout_of(&name);
        let slices = layout.frame.slices;
        let requests = requests(&tables, &layout, 6);
        let stimuli = || requests.iter().flat_map(|r| (0..slices).map(move |slice| (r, slice))).collect();
        let drive = |unit: &mut Unit, (request, slice): &(&Request, usize)| {
            present(unit, &layout, request, *slice);
        };
        let mut unit = Unit::new(&name, 6);
        // Counted from the first slice; a stimulus is a slice.
        let latency = unit.latency("found") - (slices - 1);
        pipelined(&mut unit, latency, stimuli(), drive, |unit, (request, slice)| {
            if *slice + 1 == slices {
                let ports = ["rank", "cell_group", "gain", "makes_four", "more"];
                let got = (unit.get("found") == 1).then(|| ports.map(|port| unit.get(port)));
                assert_eq!(got, picks(&layout, &request.set(&layout)), "{name} {}", request.describe());
            }
        });
        let mut unit = Unit::new(&name, 7);
        let latency = unit.latency("winners") - (slices - 1);
        pipelined(&mut unit, latency, stimuli(), drive, |unit, (request, slice)| {
            if *slice + 1 == slices {
                let got = rtl_tests::stimulus::found_winners(&layout, &unit.words("winners"));
                assert_eq!(got, request.winners(&layout), "{name} {}", request.describe());
                if layout.marks_cells() {
                    assert_eq!(unit.words("marks"), request.marks(&layout), "{name} {}", request.describe());
                }
            }
        });
    }
}

/// Value of a node that ends `length` moves from the root.
fn ending_value(scoring: &Scoring, evaluation: &NodeEvaluation, length: usize) -> i32 {
    match evaluation.outcome {
        Outcome::Full => 0,
        Outcome::Win => scoring.win_at(length + 1),
        Outcome::Loss => -scoring.win_at(length + 2),
        Outcome::Double => scoring.win_at(length + 3),
        _ => evaluation.leaf_value,
    }
}

#[test]
fn node_outcome_follows_the_rules() {
    let (tables, layout) = layout_of("node_outcome");
    let mut unit = Unit::new("node_outcome", 7);
    let mut rng = fastrand::Rng::with_seed(7);
    let stimuli: Vec<(Position, usize, Remaining)> = positions(&tables, 7, ROUNDS)
        .into_iter()
        .map(|position| {
            let remaining = Remaining { depth: rng.usize(0..2), extensions: rng.usize(0..2) };
            (position, rng.usize(0..=layout.max_path), remaining)
        })
        .collect();
    pipelined(
        &mut unit,
        1,
        stimuli,
        |unit, (position, length, remaining)| {
            let (own, other) = sides(position);
            let evaluation = evaluate(position, *remaining);
            let best = evaluation.best.unwrap_or(Picked { cell: 0, gain: 0, makes_four: false });
            let cells = layout.cells as Cell;
            let replies = (0..cells).filter(|&c| position.is_empty(c)).map(|c| position.gain(other, c));
            unit.set("reply", replies.max().unwrap_or(0) as u32 >> REPLY_GRAIN);
            for (fact, value) in [
                ("own_wins", position.completing_cells(own) > 0),
                ("other_wins_once", position.completing_cells(other) == 1),
                ("other_wins_twice", position.completing_cells(other) >= 2),
                ("own_has_double", position.has_double(own)),
                ("line", position.winner() == Some(other)),
                ("full", position.is_full()),
                ("one_empty", position.stones() + 1 == layout.cells),
                ("four_three", (0..cells).any(|c| position.is_four_three(own, c))),
                ("other_four_three", (0..cells).any(|c| position.is_four_three(other, c))),
                ("other_has_double", position.has_double(other)),
                ("goes_deeper", remaining.depth > 0),
                ("extendable", remaining.extensions > 0),
                ("found", evaluation.best.is_some()),
                ("makes_four", best.makes_four),
                ("more", *length % 2 == 0),
            ] {
                unit.set(fact, u32::from(value));
            }
            unit.set("rank", layout.geometry.rank[best.cell as usize].into());
            unit.set("cell_group", layout.group_of(best.cell as usize) as u32);
            unit.set("gain", best.gain as u32);
            unit.set("length", *length as u32);
            unit.set("node_potential", evaluation.potential as u32 & ((1 << layout.potential_bits) - 1));
        },
        |unit, (position, length, remaining)| {
            let evaluation = evaluate(position, *remaining);
            let field = |name| unit.field("result", &layout.result.field(name));
            let outcome = Outcome::from_code(field("outcome") as u8).unwrap();
            assert_eq!(outcome, evaluation.outcome, "{:?}", position.moves());
            let best = evaluation.best.unwrap_or(Picked { cell: 0, gain: 0, makes_four: false });
            assert_eq!(field("cell"), u64::from(best.cell));
            assert_eq!(field("rank"), u64::from(layout.geometry.rank[best.cell as usize]));
            assert_eq!(field("group"), layout.group_of(best.cell as usize) as u64);
            assert_eq!(field("gain"), best.gain as u64);
            assert_eq!(field("more") == 1, length % 2 == 0);
            assert_eq!(field("one_empty") == 1, position.stones() + 1 == layout.cells);
            let unproved = is_unproved(position, &evaluation);
            assert_eq!(field("unproved") == 1, unproved, "{:?}", position.moves());
            let signed = |name| unit.signed_field("result", &layout.result.field(name));
            assert_eq!(signed("leaf_value"), evaluation.leaf_value);
            let floor = floor(position, *remaining, &evaluation);
            assert_eq!(field("floor_holds") == 1, floor.is_some(), "{:?}", position.moves());
            let value = floor.unwrap_or_else(|| ending_value(&tables.scoring, &evaluation, *length));
            assert_eq!(signed("value"), value, "{:?}", position.moves());
        },
    );
}

fn random_tag(layout: &Layout, rng: &mut fastrand::Rng, path: &[Cell]) -> Vec<u32> {
    let mut tag = pack((0..layout.tag.width()).map(|_| rng.bool()));
    let base = layout.tag.field("path").offset;
    for (i, &cell) in path.iter().enumerate() {
        let i = if layout.newest_first() { path.len() - 1 - i } else { i };
        set_field(&mut tag, base + i * layout.cell_bits, layout.cell_bits, cell.into());
    }
    let length = layout.tag.field("length");
    set_field(&mut tag, length.offset, length.width, path.len() as u64);
    tag
}

#[test]
fn node_builder_puts_the_path_on_the_board() {
    for name in ["node_builder", "node_builder_short"] {
        puts_the_path_on_the_board(name);
    }
}

fn puts_the_path_on_the_board(name: &str) {
    let (tables, layout) = layout_of(name);
    let mut unit = Unit::new(name, 8);
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
            let ports = match (layout.newest_first(), root.stones() % 2) {
                (false, _) => ["root_own", "root_other"],
                (true, 0) => ["root_first", "root_second"],
                (true, _) => ["root_second", "root_first"],
            };
            for (port, side) in ports.into_iter().zip([own, other]) {
                unit.set_plane(port, owner_is(root, side));
            }
            unit.set("root_stones", root.stones() as u32);
            unit.set_words("tag", tag);
            unit.set("valid", u32::from(*valid));
        },
        |unit, (_, node, tag, valid)| {
            let (own, other) = sides(node);
            assert_eq!(unit.get("node_valid") == 1, *valid);
            assert_eq!(&unit.words("node_tag"), tag);
            // Passed on, that is no stone: the newest move of a pass for a reply, the one before it of one for what survives.
            let field = |name| {
                let field = layout.tag.field(name);
                cosim::trace::bits(tag, field.offset, field.width)
            };
            let passed = match PassKind::from_code(field("kind")) {
                _ if !layout.config.has_ceilings() => None,
                PassKind::Reply => Some(1),
                PassKind::Answered => Some(2),
                _ => None,
            };
            let passed = passed.filter(|&after| after <= field("length") as usize);
            let passed = passed.map(|after| node.moves()[node.stones() - after]);
            for (port, side) in [("own", own), ("other", other)] {
                let owns = owner_is(node, side);
                unit.expect_plane(port, |cell| owns(cell) && passed != Some(cell), node);
            }
            assert_eq!(unit.get("full") == 1, node.is_full());
            assert_eq!(unit.get("one_empty") == 1, node.stones() + 1 == layout.cells);
            assert_eq!(unit.get("empty_board") == 1, node.stones() == 0);
        },
    );
}

/// The tag of a request; the rest of it is random.
fn tag_of(layout: &Layout, rng: &mut fastrand::Rng, request: &Request) -> Vec<u32> {
    let length = rng.usize(0..=layout.max_path);
    let path: Vec<Cell> = (0..length).map(|_| rng.usize(0..layout.cells) as Cell).collect();
    let mut tag = random_tag(layout, rng, &path);
    for (name, value) in [
        ("kind", request.kind as u64),
        ("depth_zero", u64::from(request.remaining.depth == 0)),
        ("extensions", request.remaining.extensions as u64),
        ("potential", request.position.potential() as u64),
    ] {
        let field = layout.tag.field(name);
        set_field(&mut tag, field.offset, field.width, value);
    }
    tag
}

fn check_result(unit: &Unit, layout: &Layout, scoring: &Scoring, request: &Request, tag: &[u32]) {
    assert_eq!(unit.words("result_tag"), tag);
    let field = |name| unit.field("result", &layout.result.field(name)) as u32;
    let got = (field("found") == 1).then(|| ["rank", "group", "gain", "makes_four", "more"].map(field));
    let set = request.set(layout);
    assert_eq!(got, picks(layout, &set), "{}", request.describe());
    if let Some(first) = set.first() {
        assert_eq!(field("cell"), u32::from(first.cell));
    }
    if request.kind == PassKind::Node {
        let expected = evaluate(&request.position, request.remaining);
        assert_eq!(expected.best, set.first().copied(), "the test's own set, {}", request.describe());
        assert_eq!(field("outcome") as u8, expected.outcome as u8, "{}", request.describe());
        let unproved = is_unproved(&request.position, &expected);
        assert_eq!(field("unproved") == 1, unproved, "{}", request.describe());
        let signed = |name| unit.signed_field("result", &layout.result.field(name));
        assert_eq!(signed("leaf_value"), expected.leaf_value, "{}", request.describe());
        let length = layout.tag.field("length");
        let length = cosim::trace::bits(tag, length.offset, length.width) as usize;
        let floor = floor(&request.position, request.remaining, &expected);
        let floor = floor.filter(|_| layout.config.has_floor());
        if layout.config.has_floor() {
            assert_eq!(field("floor_holds") == 1, floor.is_some(), "{}", request.describe());
        }
        let value = floor.unwrap_or_else(|| ending_value(scoring, &expected, length));
        assert_eq!(signed("value"), value, "{}", request.describe());
    }
}

fn due_at(due: &mut VecDeque<(usize, usize)>, clock: usize) -> Option<usize> {
    due.front().is_some_and(|(at, _)| *at == clock).then(|| due.pop_front().expect("there is a front").1)
}

/// Puts requests into the evaluator, at most one an interval, and compares what comes out with the model. Between them
/// its inputs are noise. How often it was compared what survives a reply.
fn through_the_evaluator(
    unit: &mut Unit,
    scoring: &Scoring,
    requests: &[Request],
    rng: &mut fastrand::Rng,
) -> usize {
    let layout = unit.layout.clone();
    let tags: Vec<Vec<u32>> = requests.iter().map(|request| tag_of(&layout, rng, request)).collect();
    let by_tag: HashMap<&Vec<u32>, usize> = tags.iter().zip(0..).collect();
    let (mut next, mut free_at) = (0, 0);
    let (mut winners_due, mut results_due) = (VecDeque::new(), VecDeque::new());
    let ceilings = layout.config.has_ceilings().then(|| unit.latency("found_survivors"));
    let (mut survivors_due, mut bounded, mut survivors_seen) = (VecDeque::new(), None, 0);
    for clock in 0.. {
        let takes = next < requests.len() && clock >= free_at && rng.u32(0..8) > 0;
        unit.set("valid", takes.into());
        if takes {
            let position = &requests[next].position;
            let (own, other) = sides(position);
            unit.set_plane("own", owner_is(position, own));
            unit.set_plane("other", owner_is(position, other));
            unit.set("full", u32::from(position.is_full()));
            unit.set("one_empty", u32::from(position.stones() + 1 == layout.cells));
            unit.set("empty_board", u32::from(position.stones() == 0));
            unit.set_words("tag", &tags[next]);
            winners_due.push_back((clock + evaluator::winners_stage(&layout), next));
            results_due.push_back((clock + evaluator::latency(&layout), next));
            if let Some(latency) = ceilings.filter(|_| requests[next].kind == PassKind::Answered) {
                survivors_due.push_back((clock + latency, next));
            }
            next += 1;
            free_at = clock + evaluator::interval(&layout);
        } else {
            let noise = rng.u64(..);
            unit.set_plane("own", |c| noise >> (c % 64) & 1 == 1);
            ["full", "one_empty", "empty_board"].iter().for_each(|port| unit.set(port, rng.bool().into()));
            unit.set_words("tag", &random_tag(&layout, rng, &[]));
        }
        let asked = by_tag.get(&unit.words("after_tag")).copied();
        let soon_bounded = ceilings.and_then(|_| by_tag.get(&unit.words("bound_tag")).copied());
        unit.tick();
        let noise = rng.u64(..);
        let before = asked.map(|number| requests[number].before_words(&layout));
        let width = layout.before_width();
        let before = before.unwrap_or_else(|| pack((0..width).map(|bit| noise >> (bit % 61) & 1 == 1)));
        unit.set_words(before_port(&layout), &before);
        if ceilings.is_some() {
            let survives = |cell: Cell| match asked {
                Some(number) => requests[number].survivors[cell as usize],
                None => noise >> (cell % 59) & 1 == 1,
            };
            unit.set_plane("survivors", survives);
            let alpha = bounded.map_or(noise as i32, |number: usize| requests[number].alpha);
            unit.set("alpha", alpha as u32 & ((1 << layout.value_bits) - 1));
            bounded = soon_bounded;
            let due = due_at(&mut survivors_due, clock + 1);
            assert_eq!(unit.get("found_valid") == 1, due.is_some());
            if let Some(number) = due {
                let order = layout.tag.field("order");
                let first = cosim::trace::bits(&tags[number], order.offset, layout.cell_bits) as Cell;
                let expected = requests[number].surviving(&layout);
                let position = &requests[number].position;
                // A node whose mover has a double cell is not searched.
                if !position.has_double(position.side_to_move()) {
                    unit.expect_plane("found_survivors", |c| expected[c as usize] && c != first, position);
                    survivors_seen += 1;
                }
            }
        }

        let due = due_at(&mut winners_due, clock + 1);
        assert_eq!(unit.get("winners_valid") == 1, due.is_some());
        if let Some(number) = due {
            assert_eq!(unit.words("winners_tag"), tags[number]);
            let got = rtl_tests::stimulus::found_winners(&layout, &unit.words("winners"));
            assert_eq!(got, requests[number].winners(&layout), "{}", requests[number].describe());
            if layout.marks_cells() {
                assert_eq!(unit.words("marks"), requests[number].marks(&layout));
            }
        }
        let due = due_at(&mut results_due, clock + 1);
        assert_eq!(unit.get("result_valid") == 1, due.is_some());
        if let Some(number) = due {
            check_result(unit, &layout, scoring, &requests[number], &tags[number]);
        }
        if next == requests.len() && results_due.is_empty() && survivors_due.is_empty() {
            break;
        }
    }
    survivors_seen
}

#[test]
fn evaluator_takes_a_node_every_interval() {
    for name in
        with_slices("evaluator").into_iter().chain(["evaluator_all", "evaluator_short"].map(String::from))
    {
        let (tables, layout) = layout_of(&name);
        let mut unit = Unit::new(&name, 9);
        let mut rng = fastrand::Rng::with_seed(9);
        let mut survivors_seen = 0;
        // What a probe asks for stands still while one is on its way.
        for batch in positions(&tables, 9, ROUNDS).chunks(50) {
            let probed = rng.usize(0..layout.cells) as Cell;
            unit.set("probe_rank", layout.geometry.rank[probed as usize].into());
            let random = |p: &Position| Request::random(&layout, &mut rng, p.clone(), probed);
            let requests: Vec<Request> = batch.iter().map(random).collect();
            survivors_seen += through_the_evaluator(&mut unit, &tables.scoring, &requests, &mut rng);
        }
        assert_eq!(survivors_seen > 10, layout.config.has_ceilings(), "{name}: {survivors_seen}");
    }
}
