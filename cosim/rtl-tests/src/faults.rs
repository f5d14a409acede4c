// SPDX-License-Identifier: MIT OR Apache-2.0
//! Faults put into the engine on purpose, by circuit, signal and change. Each must be caught where it happens.

use cosim::Model;
use kit::{Change, Fault, Operator};
use std::sync::OnceLock;

/// The input of the top module that selects a fault: 0 none, k the k-th.
pub const SELECT: &str = "fault";

/// Faults that one model holds, of which an input chooses one.
pub struct FaultSet {
    /// Name of the model.
    pub model: &'static str,
    /// Name of its configuration.
    pub config: &'static str,
    /// The faults, each with the kinds of event that may report it first; `stream`, `answer`, `held` and `hang` are what the bench itself
    /// sees. What a register powers up with is random, and so is who meets a missing reset first.
    pub faults: &'static [(Fault, &'static [&'static str])],
    /// The model without and with each of them, once somebody has asked.
    pub(crate) choices: OnceLock<Vec<Model>>,
}

impl FaultSet {
    const fn new(
        model: &'static str,
        config: &'static str,
        faults: &'static [(Fault, &'static [&'static str])],
    ) -> FaultSet {
        FaultSet { model, config, faults, choices: OnceLock::new() }
    }

    /// Place of a fault.
    pub fn place(&self, name: &str) -> Option<usize> {
        self.faults.iter().position(|(fault, _)| fault.name == name)
    }
}

/// Faults of everything that the small core has.
pub static FAULTS: FaultSet = FaultSet::new("faults", "small", OF_ALL);
/// Of what refutes moves by a reply.
pub static FAULTS_OF_REPLIES: FaultSet = FaultSet::new("faults_of_replies", "answered", OF_REPLIES);
/// Of what nodes with the same stones were worth.
pub static FAULTS_OF_TRANSPOSITIONS: FaultSet =
    FaultSet::new("faults_of_transpositions", "transposed", OF_TRANSPOSITIONS);
/// All of them.
pub static SETS: [&FaultSet; 3] = [&FAULTS, &FAULTS_OF_REPLIES, &FAULTS_OF_TRANSPOSITIONS];

/// Engine moves within which games find every fault that games find.
pub const MOVES: u64 = 1500;

/// Rows per clock of the evaluators that see the gomoku7 board slice by slice; with 4 the last slice is not full.
pub const SLICED: [usize; 3] = [1, 2, 4];

/// A fault.
const fn fault(
    name: &'static str,
    circuit: &'static str,
    signals: &'static [&'static str],
    operands: &'static [&'static str],
    change: Change,
) -> Fault {
    Fault { name, circuit, signals, operands, change }
}

#[rustfmt::skip]
const OF_ALL: &[(Fault, &[&str])] = &[
    (fault("wrong_weight", "window_flags_row", &["gain_flag_1"], &["own1_other0"], Change::Signal("own0_other0")),
        &["probe"]),
    (fault("wrong_count_of_windows", "cell_gains", &["count_*"], &["count_n2 ^ count_n4 ^ count_n6"], Change::Operator(Operator::Or)),
        &["probe", "node"]),
    (fault("dropped_tie_break", "best_cell", &["take_0*", "take_1*", "take_2*", "take_3*", "take_4*", "take_5*", "take_6*", "take_7*", "take_8*", "take_9*"], &[], Change::Operator(Operator::AtLeast)),
        &["node", "order"]),
    (fault("tie_between_groups", "best_cell", &["take_right*"], &["~best_3*"], Change::Not),
        &["node", "order"]),
    (fault("later_move_wins_a_tie", "level_controller_root", &["better"], &["precedes_best"], Change::Ones),
        &["decision"]),
    (fault("earlier_move_is_not_given_its_tie", "level_controller_root", &["window_alpha"], &["less_shown"], Change::Signal("alpha_shown")),
        &["decision", "return"]),
    (fault("stale_tag", "search_core", &["hitting_2"], &["next_generation == level_2_generation", "level_2_generation_stays"], Change::Ones),
        &["held", "node", "return", "hang", "counter"]),
    (fault("children_outlive_their_node", "search_core", &["level_3.killed"], &[], Change::Zeros),
        &["held", "node", "return", "hang"]),
    (fault("context_taken_twice", "visit_choice", &["any_1", "due_1"], &["free_both[1]"], Change::Signal("free_any[1]")),
        &["node", "return", "hang"]),
    (fault("first_child_issued_twice", "move_picker", &["first_issued_*"], &["mark_issued"], Change::Zeros),
        &["node"]),
    (fault("refresh_widens_a_window", "level_controller_6_below_4_last", &["from_higher"], &["$signed(from_alpha) > *"], Change::Operator(Operator::Differs)),
        &["return"]),
    (fault("bound_used_too_early", "search_core", &["picker.bounded"], &["s2_leaf_children"], Change::Ones),
        &["return", "decision"]),
    (fault("bound_drops_fours", "group_judged", &["stays"], &["four"], Change::Zeros),
        &["return"]),
    (fault("missing_reset", "level_controller_second_4_beamed", &["active_0"], &[], Change::NoReset),
        &["node", "return", "held"]),
    (fault("stones_not_reset", "root_board", &["first", "second", "stones"], &[], Change::NoReset),
        &["node", "probe", "answer"]),
    (fault("game_not_reset", "game_controller", &["state"], &[], Change::NoReset),
        &["node", "probe", "decision", "answer", "hang"]),
    (fault("answer_not_reset", "command_face", &["m_axis_data_tvalid"], &[], Change::NoReset),
        &["stream"]),
    (fault("face_not_reset", "command_face", &["state"], &[], Change::NoReset),
        &["node", "probe", "decision", "answer", "hang", "stream"]),
    (fault("sign_of_a_forced_reply", "search_core", &["back_tag"], &["~negate"], Change::Not),
        &["return", "decision"]),
    (fault("extension_not_counted", "search_core", &["back_tag"], &["* - recirculate"], Change::First),
        &["node"]),
    (fault("depth_of_a_forced_reply", "search_core", &["back_tag"], &["depth_zero"], Change::Zeros),
        &["node"]),
    (fault("order_pass_repeats_a_cell", "best_cell", &["set"], &["remaining & later"], Change::First),
        &["order"]),
    (fault("beam_one_too_wide", "level_controller_second_4_beamed", &["beam_left_*"], &["beam - {4'd0, start_issued}"], Change::First),
        &["node", "order"]),
    (fault("next_gain_unknown", "best_cell", &["next_*"], &[], Change::Zeros),
        &["node", "order"]),
    (fault("unknown_move_issued", "beam_picker", &["standing_*"], &["issued_before[*]"], Change::Zeros),
        &["node"]),
    (fault("order_goes_on_where_it_was", "search_core", &["store.last_write"], &["last_write"], Change::Zeros),
        &["order"]),
    (fault("win_one_ply_late", "node_outcome", &["value"], &["11'd* - ply"], Change::OneLess),
        &["node"]),
    (fault("bonus_under_threat", "node_outcome", &["leaf_value"], &["four_three & no_threat"], Change::First),
        &["node"]),
    (fault("floor_without_growth", "node_outcome", &["extra"], &["outgrows & ~makes_four"], Change::First),
        &["node"]),
    (fault("floor_over_a_double", "node_outcome", &["floor_holds"], &["other_has_double"], Change::Zeros),
        &["node"]),
    (fault("reply_on_a_stone", "largest_gain", &["gain_of_12"], &["occupied[12]"], Change::Zeros),
        &["node"]),
    (fault("floor_below_beta", "level_controller_second_4_beamed", &["floor_above"], &[], Change::Zeros),
        &["return", "decision"]),
    (fault("span_ignores_its_ends", "cell_threats", &["row_*_pair*"], &["~occupied"], Change::Ones),
        &["node"]),
    (fault("candidates_wrap_around", "candidates", &["right"], &[], Change::Operator(Operator::Or)),
        &["node", "order"]),
    (fault("restriction_at_a_leaf", "set_choice", &["moves"], &["~depth_zero"], Change::Ones),
        &["node"]),
    (fault("window_turned_round", "level_controller_6_below_4_last", &["starting_alpha", "starting_limit"], &["start_negate"], Change::Not),
        &["return", "hang"]),
    (fault("cutoff_not_seen", "level_controller_6_below_4_last", &["cutting.reaches"], &[], Change::Zeros),
        &["return", "node", "hang"]),
    (fault("move_issued_twice", "move_picker", &["same"], &[], Change::Zeros),
        &["node", "return"]),
    (fault("window_written_over", "window_follow_6_last", &["settled"], &["~start", "~update"], Change::Ones),
        &["return", "node", "hang"]),
    (fault("window_of_another_context", "window_follow_4", &["settled"], &[], Change::Ones),
        &["return", "node", "hang"]),
    (fault("a_loss_that_a_cut_move_may_save", "return_choice_second_4_beamed", &["unproved_loss*"], &[], Change::Zeros),
        &["return", "decision"]),
    (fault("the_empty_board_is_searched", "game_controller", &["blank"], &[], Change::Zeros),
        &["decision"]),
    (fault("passes_for_order_are_not_counted", "search_core", &["passed"], &["node_came"], Change::AndNot("order_waited")),
        &["counter"]),
    (fault("orders_counted_when_idle", "search_core", &["ordered_again"], &["node_came"], Change::Ones),
        &["counter"]),
    (fault("stale_results_counted_once_in_a_while", "search_core", &["dropped_stale"], &["~fresh"], Change::AndNot("passed")),
        &["counter"]),
    (fault("a_busy_clock_counts_as_a_wait", "search_core", &["by_first"], &["idle_slot"], Change::Or("passed")),
        &["counter"]),
    (fault("a_miss_is_charged_to_the_clock_before", "search_core", &["by_miss"], &["missed_q"], Change::Signal("missed")),
        &["counter"]),
    (fault("a_wait_for_a_context_counts_for_order_too", "search_core", &["by_order"], &["~waits_for_context_q"], Change::Ones),
        &["counter"]),
    (fault("a_wait_behind_a_miss_counts_twice", "search_core", &["by_context"], &["~missed_q"], Change::Ones),
        &["counter"]),
    (fault("the_first_level_never_waits", "search_core", &["waits_for_first"], &["level_1_waits_first"], Change::Zeros),
        &["counter"]),
];

#[rustfmt::skip]
const OF_REPLIES: &[(Fault, &[&str])] = &[
    (fault("patterns_do_not_survive", "survivors", &["survivors"], &["unbounded_qq"], Change::Zeros),
        &["surviving"]),
    (fault("doubles_do_not_survive", "unbounded_cells", &["unbounded_now"], &["*_own_threes"], Change::Zeros),
        &["surviving", "return"]),
    (fault("four_threes_do_not_survive", "unbounded_cells", &["makes_more*", "makes_open*"], &[], Change::Zeros),
        &["surviving", "return"]),
    (fault("a_bit_of_some_gains_is_lost", "best_cell", &["cells_n5"], &[], Change::Zeros),
        &["node", "order"]),
    (fault("first_child_survives", "survivors", &["survivors"], &["~first_q*"], Change::Ones),
        &["surviving", "node"]),
    (fault("bonus_forgotten", "evaluator", &["surviving.all_survive"], &["*four_three*"], Change::Zeros),
        &["surviving", "return"]),
    (fault("stone_for_a_move_passed", "node_builder", &["move_*_high"], &["~(tag*"], Change::Ones),
        &["reply", "answered", "surviving", "return"]),
    (fault("reply_in_a_search_of_fewer_levels", "search_core", &["start_replies"], &["searches_all"], Change::Ones),
        &["reply", "answered", "surviving"]),
    (fault("reply_asked_for_twice", "level_controller_second_4_answered", &["replies_*"], &["orders_*"], Change::Zeros),
        &["node", "surviving", "hang"]),
    (fault("survivors_of_another_node", "search_core", &["store.survivors_context"], &[], Change::Zeros),
        &["surviving"]),
    (fault("moves_do_not_wait", "level_controller_second_4_answered", &["has_moves_*"], &["~start_replies"], Change::Ones),
        &["node", "order", "surviving"]),
    (fault("survivor_keeps_what_the_reply_gained", "search_core", &["potential_before"], &["* + *"], Change::First),
        &["surviving", "node"]),
    (fault("survivor_issued_twice", "search_core", &["set_mark_issued"], &["survivor_back"], Change::Zeros),
        &["node"]),
    (fault("survivor_not_counted", "level_controller_second_4_answered", &["next_pending_*"], &["ordered_issued"], Change::Zeros),
        &["return", "hang", "node", "held"]),
    (fault("survivor_and_visit_take_one_context", "search_core", &["claims_2"], &["next_level == 2'd2"], Change::Zeros),
        &["node", "return", "hang", "held"]),
    (fault("survivor_takes_no_context", "search_core", &["level_3.reserve_first"], &["survivor_back"], Change::Zeros),
        &["node", "return", "hang", "held"]),
    (fault("first_move_issued_twice", "search_core", &["set_mark_issued"], &["game_start"], Change::Zeros),
        &["node"]),
    (fault("first_move_takes_no_context", "search_core", &["level_2.reserve_first"], &["game_takes_child"], Change::Zeros),
        &["node", "return", "hang", "held"]),
    (fault("later_order_takes_all", "search_core", &["s2_kind"], &["*visit_surviving"], Change::Zeros),
        &["node", "order"]),
];

#[rustfmt::skip]
const OF_TRANSPOSITIONS: &[(Fault, &[&str])] = &[
    (fault("other_stones_are_the_same", "transposition_table", &["same_stones"], &[], Change::Ones),
        &["return", "decision"]),
    (fault("values_of_the_search_before", "transposition_table", &["rows_cleared"], &["clear"], Change::Zeros),
        &["return", "decision"]),
    (fault("nodes_of_other_levels", "transposition_table", &["hits"], &["found[*] == asked_length*"], Change::Ones),
        &["return", "decision"]),
    (fault("a_least_value_is_exact", "search_core", &["next_transposed"], &["~level_*_known_above"], Change::Ones),
        &["return", "decision"]),
    (fault("a_largest_value_is_exact", "search_core", &["next_transposed"], &["level_*_known_cuts"], Change::Ones),
        &["return", "decision"]),
    (fault("stored_from_the_other_side", "search_core", &["transpositions.store_value"], &[], Change::Not),
        &["return", "decision"]),
];
