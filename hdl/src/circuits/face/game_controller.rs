// SPDX-License-Identifier: MIT OR Apache-2.0
//! Level 0 of the search: plays moves on the root board and turns the root's evaluation into a decision.

use super::game_passes::{Child, First, first_move, tags};
use crate::circuits::search::node_tag::{child_potential, rank_to_cell};
use crate::layout::{GENERATION_BITS, Layout, OUTCOME_BITS};
use engine_model::Outcome;
use engine_model::engine::DEEPENING_STEP;
use kit::{Circuit, Module, Sig, States, when};

kit::states! {
    /// Its states.
    pub enum State {
        /// Nothing is under way.
        Idle = "IDLE",
        /// A stone is to be taken from the board.
        Remove = "REMOVE",
        /// It is.
        Removed = "REMOVED",
        /// A move's gain is asked for.
        Probe = "PROBE",
        /// It is on its way.
        Probed = "PROBED",
        /// The move has been played, the root evaluated.
        Placed = "PLACED",
        /// The root's evaluation is asked for.
        Root = "ROOT",
        /// It is on its way.
        Evaluated = "EVALUATED",
        /// The root's outcome decides, or a search begins.
        Decide = "DECIDE",
        /// A forced reply's search is asked for, or, with moves ahead, the root's first move.
        FirstMove = "FIRST_MOVE",
        /// The tree is searched.
        Search = "SEARCH",
        /// There is a decision.
        Decided = "DECIDED",
    }
}

/// Names of its states.
pub const STATES: &[&str] = State::NAMES;
/// Bits of its `state`.
pub const STATE_BITS: usize = State::BITS;
/// Bits of an operation's code.
const OPERATION_BITS: usize = 2;
/// Bits of how the game stands.
const OVER_BITS: usize = 2;

/// Operations of the game controller.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Operation {
    /// Plays `operation_cell` for the side to move.
    Place = 0,
    /// Takes the last move back.
    TakeBack = 1,
    /// Searches and plays the decision.
    Search = 2,
}

/// How the game stands, as on the `over` output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Over {
    /// Still running.
    No = 0,
    /// The side that moved last holds a line.
    Line = 1,
    /// The board is full.
    Full = 2,
}

kit::record! {
    /// What the game controller is told.
    pub struct GameInputs {
        /// A new game, at once, whatever runs.
        clear,
        /// An operation, while it is idle.
        operation,
        /// Which.
        operation_code,
        /// The cell that it is of.
        operation_cell,
        /// Ends the search of the tree.
        abort_search,
        /// Levels of a search.
        levels,
        /// A search goes through 2, 4, 6, ... levels.
        limited,
        /// Its limit has been reached, which may end all but the first of them.
        expired,
        /// The board's last move.
        last_cell,
        /// Its stones.
        stones,
        /// The result of a pass of its own is there.
        result_valid,
        /// The evaluator's result.
        result,
        /// The root's search has a value.
        child_valid,
        /// It, or without `child_keeps` its complement.
        child_value,
        /// `child_value` is the value itself.
        child_keeps,
        /// The rank of its move.
        child_rank,
        /// The request is taken.
        request_ready,
        /// With moves ahead: a context for the root's first move may be had.
        child_any,
        /// It.
        child,
        /// The generation of the root's context.
        child_generation,
    }
}

kit::record! {
    /// What the game controller says.
    pub struct GameOutputs {
        /// No operation is under way.
        idle,
        /// The operation has ended.
        operation_done,
        /// It has been aborted.
        operation_aborted,
        /// How the game stands.
        over,
        /// The last decision.
        decided_cell,
        /// Its score.
        score,
        /// There is one, once a search, however it ended.
        decided,
        /// A stone is put on `square`.
        place,
        /// A stone is taken from it.
        remove,
        /// The cell that is played or asked for.
        square,
        /// A pass is asked for.
        request,
        /// Its tag.
        request_tag,
        /// A pass of its own is in flight.
        awaiting,
        /// Generation of its passes.
        generation,
        /// The levels stop.
        stop_levels,
        /// The first level starts.
        start,
        /// With this tag.
        start_tag,
        /// And this result.
        start_result,
        /// Its one move is forced.
        start_single,
        /// The tree is searched.
        searching,
        /// From the first to the last of a limited search's searches.
        counting,
        /// Levels of the search under way.
        levels_now,
        /// Levels of the decision.
        decided_levels,
        /// With moves ahead: the root's first move takes its context.
        takes_child,
    }
}

/// Widths of what the game controller is told.
fn game_inputs(layout: &Layout) -> GameInputs<usize> {
    let child = usize::from(layout.begins_at_once() && layout.config.levels > 1);
    GameInputs {
        child_any: child,
        child: child * layout.context_bits,
        child_generation: usize::from(layout.begins_at_once()) * GENERATION_BITS,
        operation_code: OPERATION_BITS,
        operation_cell: layout.cell_bits,
        levels: layout.level_bits,
        last_cell: layout.cell_bits,
        stones: layout.count_bits,
        result: layout.result.width(),
        child_value: layout.value_bits,
        child_rank: layout.cell_bits,
        ..GameInputs::uniform(1)
    }
}

/// Widths of what the game controller says.
pub fn game_outputs(layout: &Layout) -> GameOutputs<usize> {
    GameOutputs {
        over: OVER_BITS,
        decided_cell: layout.cell_bits,
        score: layout.value_bits,
        square: layout.cell_bits,
        request_tag: layout.tag.width(),
        generation: GENERATION_BITS,
        start_tag: layout.tag.width(),
        start_result: layout.result.width(),
        levels_now: layout.level_bits,
        decided_levels: layout.level_bits,
        takes_child: usize::from(layout.begins_at_once() && layout.config.levels > 1),
        ..GameOutputs::uniform(1)
    }
}

/// Levels of the next search under a limit: `DEEPENING_STEP` more than the last, at most those wanted.
fn next_levels<'m>(
    m: &'m Module,
    layout: &Layout,
    levels: Sig<'m>,
    now: Sig<'m>,
    deepens: Sig<'m>,
) -> Sig<'m> {
    if layout.config.levels <= DEEPENING_STEP {
        return m.wire("next_levels", levels);
    }
    let last = m.wire("last_levels", now.only_if(deepens));
    let left = m.wire("levels_left", levels - last);
    m.wire("next_levels", left.more(DEEPENING_STEP).mux(last + DEEPENING_STEP, levels))
}

/// Runs one operation at a time: [`GameInputs`] in, [`GameOutputs`] out. A move is played by asking the evaluator for its gain (so
/// that the root's potential stays exact without summing all windows), placing the stone, and evaluating the new root. Playing a move
/// takes two passes and four clocks. With moves ahead it asks for the root's first move itself, once a context for it may be had. Reset
/// empties the game.
pub fn game_controller(layout: &Layout) -> Circuit {
    let module = Module::new(
        "game_controller",
        "Plays moves on the root board and turns the root's evaluation and search into a decision.\n\
         One operation at a time; reset and clear start a new game.",
        true,
    );
    let m = &module;
    let input = game_inputs(layout).inputs(m);
    m.states::<State>();
    let state = m.control("state", STATE_BITS, State::Idle);
    let is = |other: State| state.is(other);
    m.comment("Whether root_result is of the current position, a take-back runs, a search follows the root's evaluation, a shallower search has already decided.");
    let [root_known, taking_back, then_search, deepening] =
        ["root_known", "taking_back", "then_search", "deepening"].map(|name| m.control(name, 1, 0));
    let over = m.control("over", OVER_BITS, Over::No as u64);
    let potential = m.control("potential_q", layout.potential_bits, 0);
    let generation = m.control("generation", GENERATION_BITS, 0);
    let score = m.control("score_q", layout.value_bits, 0);
    let decided_levels = m.control("decided_levels", layout.level_bits, 0);
    let levels_now = m.register("levels_now", layout.level_bits);
    let root_result = m.register("root_result", layout.result.width());
    let square = m.register("square", layout.cell_bits);
    let decided_cell = m.register("decided_cell_q", layout.cell_bits);
    let (got, root) = (layout.result.unpack(input.result), layout.result.unpack(root_result));
    let minus_potential = m.wire("minus_potential", potential.negated());
    m.comment("Taking back a move is the same as playing it: the potential before was minus the one after, minus its gain.");
    let after_pass = child_potential(m, layout, minus_potential, got.gain);
    let after_best = child_potential(m, layout, minus_potential, root.gain);
    let tags = tags(m, layout, potential, generation, root.cell, after_best);
    let child = (layout.config.levels > 1).then_some(Child { any: input.child_any, context: input.child });
    let first = layout.begins_at_once().then(|| {
        first_move(m, layout, input.child_generation, child, (tags.root, root, after_best), levels_now)
    });
    let code = |outcome: Outcome| m.constant(OUTCOME_BITS, outcome as usize);
    let forced = m.wire("forced", root.outcome.is(code(Outcome::Forced)));
    m.comment("The empty board is answered in its centre, without a search.");
    let blank = match layout.shortens_paths() {
        // The board has stood longer than that when a decision is made.
        true => m.delayed("blank", input.stones.is(0)),
        false => m.wire("blank", input.stones.is(0)),
    };
    let open = m.wire("is_open", root.outcome.is(code(Outcome::Open)) & !blank);
    // Without extensions a forced root is a level with one move: no reply is asked for.
    let by_reply = m.wire("by_reply", if layout.config.extensions > 0 { forced } else { m.bit(false) });
    let searching = m.wire("searching", is(State::Decide) | is(State::FirstMove) | is(State::Search));
    let aborted = m.wire("operation_aborted", searching & input.abort_search);
    m.comment("The limit ends a search that has a decision to fall back on.");
    let late = input.limited & input.expired & deepening;
    let expires = m.wire("expires", is(State::Search) & late & !input.child_valid);
    let unfinished = (open | forced) & levels_now.is_not(input.levels);
    let deepens = m.wire("deepens", is(State::Decided) & input.limited & !input.expired & unfinished);
    let next_levels = next_levels(m, layout, input.levels, levels_now, deepens);

    let operation = |operation: Operation| m.constant(OPERATION_BITS, operation as usize);
    let older = generation.set(generation + 1);
    let waits = |next: State| when(input.request_ready, [state.set(next)]);
    let begins = if first.is_some() { State::FirstMove } else { State::Search };
    let (mut asks, mut granted, mut asked) = (is(State::FirstMove), input.request_ready, tags.reply);
    if let Some(First { tag, may, .. }) = first {
        let may = m.wire("may_ask", by_reply | may);
        (asks, granted, asked) = (asks & may, granted & may, by_reply.mux(asked, tag));
    }
    let lost = got.outcome.is(code(Outcome::Lost));
    let full = got.outcome.is(code(Outcome::Full));
    let over_code = |over: Over| m.constant(OVER_BITS, over as usize);
    let stands = lost.mux(over_code(Over::Line), full.mux(over_code(Over::Full), over_code(Over::No)));
    let go = root_known.mux(m.state(State::Decide), m.state(State::Root));
    let runs = state.matches(
        [
            (
                State::Idle,
                vec![when(
                    input.operation,
                    [
                        taking_back.set(input.operation_code.is(operation(Operation::TakeBack))),
                        then_search.set(input.operation_code.is(operation(Operation::Search))),
                        input.operation_code.matches(
                            [
                                (operation(Operation::Place), vec![state.set(State::Probe)]),
                                (operation(Operation::TakeBack), vec![state.set(State::Remove)]),
                            ],
                            [state.set(go)],
                        ),
                    ],
                )],
            ),
            // last_cell follows the board by one clock.
            (State::Remove, vec![state.set(State::Removed)]),
            (State::Removed, vec![state.set(State::Probe)]),
            (State::Probe, vec![waits(State::Probed)]),
            (
                State::Probed,
                vec![when(
                    input.result_valid,
                    [potential.set(after_pass), root_known.set(false), state.set(State::Root)],
                )],
            ),
            (State::Root, vec![waits(State::Evaluated)]),
            (
                State::Evaluated,
                vec![when(
                    input.result_valid,
                    [
                        root_known.set(true),
                        over.set(stands),
                        state.set(then_search.mux(m.state(State::Decide), m.state(State::Placed))),
                    ],
                )],
            ),
            (
                State::Decide,
                vec![state.set(by_reply.mux(
                    m.state(State::FirstMove),
                    (open | forced).mux(m.state(begins), m.state(State::Decided)),
                ))],
            ),
            (State::FirstMove, vec![when(granted, [state.set(State::Search)])]),
            (
                State::Search,
                vec![
                    when(input.child_valid | expires, [state.set(State::Decided)]),
                    when(expires, [older.clone()]),
                ],
            ),
            // Deeper from a new evaluation of the root: the search may have asked for further moves of it.
            (
                State::Decided,
                vec![when(deepens, [deepening.set(true), state.set(State::Root)]).otherwise([
                    then_search.set(false),
                    taking_back.set(false),
                    deepening.set(false),
                    state.set(State::Probe),
                ])],
            ),
        ],
        [state.set(State::Idle)],
    );
    m.comment("What an aborted search has asked for of the root's moves is no longer its first cells.");
    m.at_edge([when(
        input.clear,
        [
            state.set(State::Idle),
            over.set(0),
            root_known.set(false),
            taking_back.set(false),
            then_search.set(false),
            deepening.set(false),
            potential.set(0),
            older.clone(),
        ],
    )
    .else_when(aborted, [state.set(State::Idle), root_known.set(false), deepening.set(false), older])
    .otherwise([runs])]);

    let by_rule = is(State::Decide) & !open & !forced & !input.abort_search;
    let by_rule = m.wire("by_rule", by_rule);
    let by_search = m.wire("by_search", is(State::Search) & input.child_valid & !input.abort_search);
    let win = |plies: i32| m.constant(layout.value_bits, (layout.scoring.win_score - plies) as usize);
    let ruled = root.outcome.is(code(Outcome::Double)).mux(win(3), blank.mux(0, win(2).negated()));
    let ruled = root.outcome.is(code(Outcome::Win)).mux(win(1), ruled);
    m.comment("What comes from a search comes late in its clock: it becomes a score and a cell in the next.");
    let came = m.cleared("came", by_search & !input.clear);
    let came_move = m.cleared("came_move", by_search & !forced);
    let [value, keeps, rank] = [
        ("came_value", input.child_value),
        ("came_keeps", input.child_keeps),
        ("came_rank", input.child_rank),
    ]
    .map(|(name, late)| m.delayed(name, late));
    let score_now = came.mux(value + (!keeps).zero_extend(layout.value_bits), score);
    let score_now = m.wire("score", score_now);
    let cell_now = m.wire("decided_cell", came_move.mux(rank_to_cell(m, layout, rank), decided_cell));
    m.at_edge([when(input.clear, [score.set(0)])
        .else_when(by_rule, [score.set(ruled)])
        .otherwise([score.set(score_now)])]);
    m.at_edge([when(by_rule, [decided_levels.set(levels_now)])
        .else_when(by_search, [decided_levels.set(levels_now)])]);
    m.at_edge([
        when(is(State::Evaluated) & input.result_valid, [root_result.set(input.result)]),
        when(is(State::Idle), [square.set(input.operation_cell)])
            .else_when(is(State::Remove), [square.set(input.last_cell)])
            .else_when(is(State::Decided), [square.set(cell_now)]),
        when(
            is(State::Idle) & input.operation,
            [levels_now.set(input.limited.mux(next_levels, input.levels))],
        )
        .else_when(deepens, [levels_now.set(next_levels)]),
        when(is(State::Decide) & !deepening, [decided_cell.set(root.cell)])
            .otherwise([decided_cell.set(cell_now)]),
    ]);
    let request_tag = match layout.shortens_paths() {
        // Known a clock before: a register chooses.
        true => {
            let asks_move = m.delayed("asks_move", is(State::Decide) | is(State::FirstMove));
            asks_move.mux(asked, is(State::Probe).mux(tags.probe, tags.root))
        }
        false => is(State::Probe).mux(tags.probe, is(State::Root).mux(tags.root, asked)),
    };
    let start = is(State::Decide) & !input.clear & !input.abort_search & (open | (forced & !by_reply));
    let outputs = GameOutputs {
        idle: is(State::Idle),
        operation_done: is(State::Placed),
        operation_aborted: aborted,
        over,
        decided_cell: cell_now,
        score: score_now,
        decided: is(State::Decided),
        place: is(State::Probed) & input.result_valid & !taking_back,
        remove: is(State::Removed),
        square,
        request: is(State::Probe) | is(State::Root) | asks,
        request_tag,
        awaiting: is(State::Probed) | is(State::Evaluated),
        generation,
        stop_levels: input.clear | aborted | expires,
        start,
        start_tag: tags.root,
        start_result: root_result,
        start_single: forced,
        searching,
        counting: searching | deepens | deepening,
        levels_now,
        decided_levels,
        takes_child: first
            .and_then(|first| first.takes)
            .map_or(m.zero(0), |takes| is(State::FirstMove) & !by_reply & input.request_ready & takes),
    };
    outputs.outputs(m);
    module.circuit()
}
