// SPDX-License-Identifier: MIT OR Apache-2.0
//! The search: root board, level controllers, node builder and evaluator, and the routing of results.

use super::beam_picker::{BeamVisit, beam_picked, beam_picker};
use super::core::{Core, Result};
use super::move_picker::{Visit, move_picker, picked};
use super::move_store::{Access, move_store};
use super::node_builder::node_builder;
use super::node_tag::cell_to_rank;
use super::request_queue::request_queue;
use super::root_board::root_board;
use super::search_counters::{counters, trace_widths, traces};
use super::search_requests::{requests, store_writes};
use super::search_results::results;
use super::transposition_table::{TableAccess, transposition_table};
use super::transpositions::store_returns;
use super::visit_choice::{visit_choice, visit_reserves};
use super::visit_stage::{most_visits, visit_stages, widest_row};
use super::visits::visits;
use super::words::{CoreStatus, commands, level_name};
use crate::circuits::evaluator::{Node, evaluator, interval};
use crate::circuits::face::game_controller::{GameInputs, game_controller, game_outputs};
use crate::circuits::level::level_controller::level_controller;
use crate::circuits::level::ports::{LevelInputs, outputs as level_outputs};
use crate::circuits::level::words::Level;
use crate::layout::{GENERATION_BITS, Layout};
use kit::{Circuit, Instance, Module};
use std::cell::RefCell;

/// Longest way from a request to its result: while a context waits for it, its generation must not come round.
fn round_trip(layout: &Layout, evaluator_latency: usize) -> usize {
    visit_stages(layout)
        + most_visits(layout) * interval(layout)
        + 2
        + evaluator_latency
        + 2 * interval(layout)
}

/// Routes results to level controllers by their tag and drops those of an older generation. A node that is searched
/// further starts its context, and its first child goes straight back into the node builder, as forced replies do and, with moves ahead,
/// the first survivor of a reply; the other children are issued by visits, but that the game controller may ask for the root's first
/// itself. At most one request an interval: what goes straight back, else a visit's, else the game's.
///
/// [`Commands`](super::words::Commands) in, [`CoreStatus`] out; with trace what [`Traces`](super::search_counters::Traces) shows. Reset stops everything and
/// empties the game.
///
/// # Panics
/// If a generation would come round in flight: the configuration's own checks keep that from happening.
pub fn search_core(layout: &Layout) -> Circuit {
    let module = Module::new(
        "search_core",
        &format!(
            "Root board, level controllers, node builder and evaluator, and the routing between them.\n\
             One node every {} clock(s); reset stops everything and empties the game.",
            interval(layout)
        ),
        true,
    );
    let m = &module;
    let command = commands(layout).inputs(m);
    let board = m.child("board", root_board(layout));
    let game_child = m.child("game", game_controller(layout));
    let builder = m.child("builder", node_builder(layout));
    let evaluated = evaluator(layout);
    let (latency, winners_latency) = (evaluated.latency("result"), evaluated.latency("winners"));
    assert!(round_trip(layout, latency) < 1 << GENERATION_BITS, "a generation would come round in flight");
    let evaluate = m.child("evaluate", evaluated);
    let store = m.child("store", move_store(layout));
    let picker = layout.config.has_full_width().then(|| m.child("picker", move_picker(layout)));
    let beams = layout.config.has_beam().then(|| m.child("beams", beam_picker(layout)));
    let choice = m.child("choice", visit_choice(layout));
    let apart = layout.shortens_paths() && layout.config.levels > 1;
    let reserves = apart.then(|| m.child("reserves", visit_reserves(layout)));
    let transpositions =
        layout.config.has_transpositions().then(|| m.child("transpositions", transposition_table(layout)));
    let queue = m.child("queue", request_queue(layout.tag.width() + widest_row(layout)));
    let levels: Vec<Instance> = (1..=layout.config.levels)
        .map(|level| m.child(&level_name(level), level_controller(layout, level)))
        .collect();
    let game = game_outputs(layout).get(game_child);

    for (port, signal) in [("clear", command.clear), ("query_cell", command.query_cell)] {
        board.drive(port, signal);
    }
    for (port, signal) in [("place", game.place), ("remove", game.remove), ("square", game.square)] {
        board.drive(port, signal);
    }
    let planes = match layout.newest_first() {
        true => [("root_first", "first"), ("root_second", "second")],
        false => [("root_own", "root_own"), ("root_other", "root_other")],
    };
    for (port, from) in planes.into_iter().chain([("root_stones", "stones")]) {
        builder.drive(port, board.get(from));
    }
    for (port, _) in Node::uniform(()).fields().into_iter().filter(|&(port, _)| port != "valid") {
        let from = if port == "tag" { "node_tag" } else { port };
        evaluate.drive(port, builder.get(from));
    }
    let square = m.wire("square", game.square);
    evaluate.drive("probe_rank", m.delayed("probe_rank", cell_to_rank(m, layout, square)));
    let (packed_tag, packed) = (evaluate.get("result_tag"), evaluate.get("result"));
    m.comment("A search that is stopped leaves the levels a clock later: the command is far away.");
    let stop = m.cleared("stop", game.stop_levels);
    let core = &Core {
        m,
        layout,
        command,
        game,
        evaluate,
        result: Result {
            next_valid: evaluate.get("next_valid"),
            next: layout.tag.unpack(evaluate.get("next_tag")),
            valid: evaluate.get("result_valid"),
            tag: layout.tag.unpack(packed_tag),
            result: layout.result.unpack(packed),
            packed_tag,
            packed,
        },
        store,
        picked: picker.map(|picker| picked(layout).get(picker)),
        beam_picked: beams.map(|beams| beam_picked(layout).get(beams)),
        choice,
        reserves,
        transpositions,
        queue,
        stop,
        said: levels
            .iter()
            .zip(1..)
            .map(|(child, level)| level_outputs(&Level::new(layout, level), level).get(*child))
            .collect(),
        to_levels: levels.iter().map(|_| RefCell::new(LevelInputs::uniform(None))).collect(),
        to_game: RefCell::new(GameInputs::uniform(None)),
        to_picker: RefCell::new(Visit::uniform(None)),
        to_beams: RefCell::new(BeamVisit::uniform(None)),
        to_store: RefCell::new(Access::uniform(None)),
        to_transpositions: RefCell::new(TableAccess::uniform(None)),
    };
    let arrived = results(core, latency);
    let request = visits(core, &arrived);
    let passes = requests(core, &arrived, &request, builder);
    store_writes(core, &arrived);
    store_returns(core);
    let counted = counters(core, &arrived, &request, &passes);
    {
        let mut to_game = core.to_game.borrow_mut();
        to_game.clear = Some(command.clear);
        to_game.operation = Some(command.operation);
        to_game.operation_code = Some(command.operation_code);
        to_game.operation_cell = Some(command.operation_cell);
        to_game.abort_search = Some(command.abort_search);
        to_game.levels = Some(command.levels);
        to_game.last_cell = Some(board.get("last_cell"));
        to_game.stones = Some(board.get("stones"));
    }
    m.comment("The face is far away: it hears of an operation's end a clock later.");
    let status = CoreStatus {
        idle: game.idle,
        operation_done: m.cleared("operation_done_q", game.operation_done),
        operation_aborted: m.cleared("operation_aborted_q", game.operation_aborted),
        over: game.over,
        decided_cell: game.decided_cell,
        score: game.score,
        decided_levels: game.decided_levels,
        query_occupied: board.get("query_occupied"),
        first: board.get("first"),
        second: board.get("second"),
        stones: board.get("stones"),
        last_cell: board.get("last_cell"),
        ..counted
    };
    status.outputs(m);
    if layout.config.trace {
        let widths = trace_widths(layout);
        let traces = traces(core, &arrived, &request, &passes, latency - winners_latency);
        debug_assert_eq!(traces.map(|_, signal| signal.width), widths);
        traces.outputs(m);
    }
    core.to_game.borrow().drive_given(game_child);
    if let Some(picker) = picker {
        core.to_picker.borrow().drive_given(picker);
    }
    if let Some(beams) = beams {
        core.to_beams.borrow().drive_given(beams);
    }
    core.to_store.borrow().drive_given(store);
    if let Some(transpositions) = transpositions {
        core.to_transpositions.borrow().drive_given(transpositions);
    }
    for (inputs, child) in core.to_levels.iter().zip(&levels) {
        inputs.borrow().drive_given(*child);
    }
    module.circuit()
}
