// SPDX-License-Identifier: MIT OR Apache-2.0
//! Level 0 of the search: plays moves on the root board and turns the root's evaluation into a decision.

use crate::circuits::search::node_tag::{child_potential, extended_path};
use crate::kit::{Body, Circuit, constant, state_bits, states, zero_extend};
use crate::layout::{GENERATION_BITS, Layout, PassKind};
use engine_model::Outcome;
use engine_model::engine::DEEPENING_STEP;

/// Its states.
pub const STATES: [&str; 12] = [
    "IDLE",
    "REMOVE",
    "REMOVED",
    "PROBE",
    "PROBED",
    "PLACED",
    "ROOT",
    "EVALUATED",
    "DECIDE",
    "REPLY",
    "SEARCH",
    "DECIDED",
];
/// Bits of its `state`.
pub const STATE_BITS: usize = state_bits(STATES.len());

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

/// Levels of the next search under a limit: `DEEPENING_STEP` more than the last, at most those wanted.
fn next_levels(layout: &Layout) -> String {
    let (bits, high) = (layout.level_bits, layout.level_bits - 1);
    if layout.config.levels <= DEEPENING_STEP {
        return format!("wire [{high}:0] next_levels = levels;");
    }
    format!(
        "wire [{high}:0] last_levels = deepens ? levels_now : {none};
wire [{high}:0] levels_left = levels - last_levels;
wire [{high}:0] next_levels = (levels_left > {step}) ? last_levels + {step} : levels;",
        none = constant(bits, 0),
        step = constant(bits, DEEPENING_STEP),
    )
}

/// Runs one operation at a time. A move is played by asking the evaluator for its gain (so that the root's potential
/// stays exact without summing all windows), placing the stone, and evaluating the new root.
///
/// Ports: `aclk`, `aresetn`; `clear` (new game, at once, whatever runs); `operation` with `operation_code`,
/// `operation_cell` while `idle`; `abort_search` (acts while the tree is searched); `levels` of a search; if it is `limited` it
/// goes through 2, 4, 6, ... levels until it has `expired`, which may end all but the first of them: `levels_now`,
/// `decided_levels` of the decision; `operation_done`,
/// `operation_aborted` pulses; `over`, `decided_cell`, `score`; board commands `place`, `remove`, `square` and its
/// `stones`, `last_cell`; evaluator results (`result_valid` for level 0 with `result`); `child_valid`, `child_value`,
/// `child_move` of the root's search; requests as a level controller; `start` of level 1 with `start_tag`,
/// `start_result`, `start_single`; `awaiting` (a pass of its own is in flight), `generation` of its passes,
/// `stop_levels`, `decided` (once a search, however it ended), `searching`, `counting` (from the first to the last of them). Playing a move takes two passes and four clocks. Reset empties the game.
pub fn game_controller(layout: &Layout) -> Circuit {
    let bits = layout.value_bits;
    let tag_bits = layout.tag.width();
    let mut circuit = Circuit::new(
        "game_controller",
        "Plays moves on the root board and turns the root's evaluation and search into a decision.\n\
         One operation at a time; reset and clear start a new game.",
    );
    circuit.clocked(true);
    circuit.inputs(&[
        ("clear", 1),
        ("operation", 1),
        ("operation_code", 2),
        ("operation_cell", layout.cell_bits),
        ("abort_search", 1),
        ("levels", layout.level_bits),
        ("limited", 1),
        ("expired", 1),
        ("last_cell", layout.cell_bits),
        ("stones", layout.count_bits),
        ("result_valid", 1),
        ("result", layout.result.width()),
        ("child_valid", 1),
        ("child_value", bits),
        ("child_move", layout.cell_bits),
        ("request_ready", 1),
    ]);
    circuit.outputs(&[
        ("idle", 1),
        ("operation_done", 1),
        ("operation_aborted", 1),
        ("over", 2),
        ("decided_cell", layout.cell_bits),
        ("score", bits),
        ("decided", 1),
        ("place", 1),
        ("remove", 1),
        ("square", layout.cell_bits),
        ("request", 1),
        ("request_tag", tag_bits),
        ("awaiting", 1),
        ("generation", GENERATION_BITS),
        ("stop_levels", 1),
        ("start", 1),
        ("start_tag", tag_bits),
        ("start_result", layout.result.width()),
        ("start_single", 1),
        ("searching", 1),
        ("counting", 1),
        ("levels_now", layout.level_bits),
        ("decided_levels", layout.level_bits),
    ]);
    let got = |name: &str| layout.result.of("result", name);
    let kept = |name: &str| layout.result.of("root_result", name);
    let code = |outcome: Outcome| format!("{}'d{}", crate::layout::OUTCOME_BITS, outcome as u8);
    let extensions = layout.config.extensions;
    let mut body = Body::new();
    body.raw(format!(
        "
{states}
reg [{state_high}:0] state;
// Whether root_result is of the current position, a take-back runs, a search follows the root's evaluation, a shallower
// search has already decided.
reg root_known, taking_back, then_search, deepening;
reg [{result_high}:0] root_result;
reg [{potential_high}:0] potential_q;
",
        states = states(&STATES),
        state_high = STATE_BITS - 1,
        result_high = layout.result.width() - 1,
        potential_high = layout.potential_bits - 1,
    ));
    let (_, after_place) = child_potential(&mut body, layout, "potential_q", &got("gain"));
    body.comment("Taking back: the potential before was minus the one after, minus the move's gain.");
    let before = body.wire(
        "potential_before",
        layout.potential_bits,
        format!(
            "~potential_q + {}'d1 - {}",
            layout.potential_bits,
            zero_extend(&got("gain"), layout.gain_bits, layout.potential_bits)
        ),
    );
    let path_bits = layout.tag.field("path").width;
    let no_path = constant(path_bits, 0);
    let no_length = constant(layout.length_bits, 0);
    let all_extensions = constant(layout.extension_bits, extensions);
    let empty_tag = |kind: PassKind| {
        layout.tag.pack(&[
            ("path", no_path.clone()),
            ("length", no_length.clone()),
            ("potential", "potential_q".into()),
            ("extensions", all_extensions.clone()),
            ("depth_zero", "1'b0".into()),
            ("negate", "1'b0".into()),
            ("kind", format!("2'd{}", kind as u8)),
            ("generation", "generation".into()),
            ("level", constant(layout.level_bits, 0)),
            ("context", constant(layout.context_bits, 0)),
            ("child", constant(layout.context_bits, 0)),
            ("order", constant(layout.tag.field("order").width, 0)),
        ])
    };
    let probe_tag = body.wire("probe_tag", tag_bits, empty_tag(PassKind::Probe));
    let root_tag = body.wire("root_tag", tag_bits, empty_tag(PassKind::Node));
    // Without extensions a forced root is a level with one move; REPLY is then never entered.
    let reply_tag = if extensions > 0 {
        let (_, after_reply) = child_potential(&mut body, layout, "potential_q", &kept("gain"));
        let root_path = body.wire("root_path", path_bits, &no_path);
        let path = extended_path(&mut body, layout, &root_path, &no_length, &kept("cell"));
        let tag = layout.tag.pack(&[
            ("path", path),
            ("length", constant(layout.length_bits, 1)),
            ("potential", after_reply),
            ("extensions", constant(layout.extension_bits, extensions - 1)),
            ("depth_zero", "1'b0".into()),
            ("negate", "1'b1".into()),
            ("kind", format!("2'd{}", PassKind::Node as u8)),
            ("generation", "generation".into()),
            ("level", constant(layout.level_bits, 0)),
            ("context", constant(layout.context_bits, 0)),
            ("child", constant(layout.context_bits, 0)),
            ("order", constant(layout.tag.field("order").width, 0)),
        ]);
        body.wire("reply_tag", tag_bits, tag)
    } else {
        root_tag.clone()
    };
    let win = |plies: i32| format!("{bits}'d{}", layout.scoring.win_score - plies);
    body.raw(format!(
        "
wire forced = ({root_outcome} == {forced_code});
// The empty board is answered in its centre, without a search.
wire blank = (stones == {no_stones});
wire open = ({root_outcome} == {open_code}) & ~blank;
wire by_reply = {has_extensions} & forced;
always @(*) idle = (state == IDLE);
always @(*) request = (state == PROBE) | (state == ROOT) | (state == REPLY);
always @(*) request_tag = (state == PROBE) ? {probe_tag} : (state == ROOT) ? {root_tag} : {reply_tag};
always @(*) awaiting = (state == PROBED) | (state == EVALUATED);
always @(*) place = (state == PROBED) & result_valid & ~taking_back;
always @(*) remove = (state == REMOVED);
always @(*) start = (state == DECIDE) & ~clear & ~abort_search & (open | (forced & ~by_reply));
always @(*) start_tag = {root_tag};
always @(*) start_result = root_result;
always @(*) start_single = forced;
always @(*) searching = (state == DECIDE) | (state == REPLY) | (state == SEARCH);
always @(*) operation_aborted = searching & abort_search;
always @(*) operation_done = (state == PLACED);
always @(*) decided = (state == DECIDED);
// The limit ends a search that has a decision to fall back on.
wire expires = (state == SEARCH) & limited & expired & deepening & ~child_valid;
wire deepens = (state == DECIDED) & limited & ~expired & (open | forced) & (levels_now != levels);
{next_levels}
always @(*) stop_levels = clear | operation_aborted | expires;
always @(*) counting = searching | deepens | deepening;

always @(posedge aclk)
  if (!aresetn | clear) begin
    state <= IDLE;
    over <= 2'd0;
    root_known <= 1'b0;
    taking_back <= 1'b0;
    then_search <= 1'b0;
    deepening <= 1'b0;
    potential_q <= {zero_potential};
    generation <= (!aresetn) ? {zero_generation} : generation + {one_generation};
  end else if (operation_aborted) begin
    state <= IDLE;
    // The search may have asked for further moves of the root: what the pass left is no longer its first cells.
    root_known <= 1'b0;
    deepening <= 1'b0;
    generation <= generation + {one_generation};
  end else
    case (state)
      IDLE: if (operation) begin
        taking_back <= (operation_code == 2'd{take_back});
        then_search <= (operation_code == 2'd{search});
        case (operation_code)
          2'd{place}: state <= PROBE;
          2'd{take_back}: state <= REMOVE;
          default: state <= root_known ? DECIDE : ROOT;
        endcase
      end
      // last_cell follows the board by one clock.
      REMOVE: state <= REMOVED;
      REMOVED: state <= PROBE;
      PROBE: if (request_ready) state <= PROBED;
      PROBED: if (result_valid) begin
        potential_q <= taking_back ? {before} : {after_place};
        root_known <= 1'b0;
        state <= ROOT;
      end
      ROOT: if (request_ready) state <= EVALUATED;
      EVALUATED: if (result_valid) begin
        root_known <= 1'b1;
        over <= ({got_outcome} == {lost_code}) ? 2'd{line} : ({got_outcome} == {full_code}) ? 2'd{full} : 2'd0;
        state <= then_search ? DECIDE : PLACED;
      end
      DECIDE: state <= by_reply ? REPLY : (open | forced) ? SEARCH : DECIDED;
      REPLY: if (request_ready) state <= SEARCH;
      SEARCH: begin
        if (child_valid | expires) state <= DECIDED;
        if (expires) generation <= generation + {one_generation};
      end
      // Deeper from a new evaluation of the root: the search may have asked for further moves of it.
      DECIDED: if (deepens) begin
        deepening <= 1'b1;
        state <= ROOT;
      end else begin
        then_search <= 1'b0;
        taking_back <= 1'b0;
        deepening <= 1'b0;
        state <= PROBE;
      end
      default: state <= IDLE;
    endcase

always @(posedge aclk) begin
  if (!aresetn | clear) score <= {zero_value};
  else if ((state == DECIDE) & ~open & ~forced & ~abort_search)
    score <= ({root_outcome} == {win_code}) ? {win_1} : ({root_outcome} == {double_code}) ? {win_3} : blank ? {zero_value} : ~{win_2} + {one_value};
  else if ((state == SEARCH) & child_valid & ~abort_search) score <= child_value;
end
always @(posedge aclk) begin
  if ((state == EVALUATED) & result_valid) root_result <= result;
  if (state == IDLE) square <= operation_cell;
  else if (state == REMOVE) square <= last_cell;
  else if (state == DECIDED) square <= decided_cell;
  if ((state == IDLE) & operation) levels_now <= limited ? next_levels : levels;
  else if (deepens) levels_now <= next_levels;
  if (!aresetn) decided_levels <= {no_levels};
  else if ((state == DECIDE) & ~open & ~forced & ~abort_search) decided_levels <= levels_now;
  else if ((state == SEARCH) & child_valid & ~abort_search) decided_levels <= levels_now;
  if ((state == DECIDE) & ~deepening) decided_cell <= {root_cell};
  else if ((state == SEARCH) & child_valid & ~forced) decided_cell <= child_move;
end
",
        root_outcome = kept("outcome"),
        got_outcome = got("outcome"),
        root_cell = kept("cell"),
        forced_code = code(Outcome::Forced),
        open_code = code(Outcome::Open),
        lost_code = code(Outcome::Lost),
        full_code = code(Outcome::Full),
        win_code = code(Outcome::Win),
        double_code = code(Outcome::Double),
        no_levels = constant(layout.level_bits, 0),
        next_levels = next_levels(layout),
        no_stones = constant(layout.count_bits, 0),
        has_extensions = if extensions > 0 { "1'b1" } else { "1'b0" },
        zero_potential = constant(layout.potential_bits, 0),
        zero_generation = constant(GENERATION_BITS, 0),
        one_generation = constant(GENERATION_BITS, 1),
        zero_value = constant(bits, 0),
        one_value = constant(bits, 1),
        win_1 = win(1),
        win_2 = win(2),
        win_3 = win(3),
        place = Operation::Place as u8,
        take_back = Operation::TakeBack as u8,
        search = Operation::Search as u8,
        line = Over::Line as u8,
        full = Over::Full as u8,
    ));
    circuit.set_body(body.finish());
    circuit
}
