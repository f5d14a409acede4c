// SPDX-License-Identifier: MIT OR Apache-2.0
//! Faults put into the emitted Verilog on purpose. Each must be caught where it happens.

/// One fault: a text of the emitted engine and what it is replaced by.
pub struct Fault {
    /// Name.
    pub name: &'static str,
    /// Module (without prefix) the text stands in.
    pub module: &'static str,
    /// Text to be replaced; must occur in the module.
    pub find: &'static str,
    /// Its replacement: changes one condition or one right-hand side of a line, no more.
    pub replace: &'static str,
    /// Kinds of event that may report it first.
    pub caught_by: &'static [&'static str],
}

/// Place of a fault in [`FAULTS`].
///
/// # Panics
/// If there is no such fault.
pub fn place(name: &str) -> usize {
    let place = FAULTS.iter().position(|fault| fault.name == name);
    place.unwrap_or_else(|| panic!("no fault {name}"))
}

/// The model with all faults to choose from.
pub const MODEL: &str = "faults";
/// Engine moves within which games find every fault that games find.
pub const MOVES: u64 = 1500;
/// Clocks after which a command counts as hung: a search on this board takes some thousand.
pub const LIMIT: u64 = 200_000;

/// Rows per clock of the evaluators that see the gomoku7 board slice by slice; with 4 the last slice is not full.
pub const SLICED: [usize; 3] = [1, 2, 4];

/// All faults. `stream`, `answer`, `held` and `hang` are what the bench itself sees.
pub const FAULTS: &[Fault] = &[
    Fault {
        name: "wrong_weight",
        module: "window_flags_row",
        find: "gain_flag_1 <= own1_other0",
        replace: "gain_flag_1 <= own0_other0",
        caught_by: &["probe"],
    },
    Fault {
        name: "wrong_count_of_windows",
        module: "cell_gains",
        find: "count_n2 ^ count_n4 ^ count_n6",
        replace: "count_n2 | count_n4 | count_n6",
        caught_by: &["probe", "node"],
    },
    Fault {
        name: "dropped_tie_break",
        module: "best_cell",
        find: "] > entry_",
        replace: "] >= entry_",
        caught_by: &["node", "order"],
    },
    Fault {
        name: "tie_between_groups",
        module: "best_cell",
        find: "~best_3",
        replace: "best_3",
        caught_by: &["node", "order"],
    },
    Fault {
        name: "later_move_wins_a_tie",
        module: "level_controller_root",
        find: "(raised_0 & exceeds_alpha_less_above & (",
        replace: "(raised_0 & exceeds_alpha_less_above & (1'b1 | ",
        caught_by: &["decision"],
    },
    Fault {
        name: "earlier_move_is_not_given_its_tie",
        module: "level_controller_root",
        find: "? less_shown : alpha_shown",
        replace: "? alpha_shown : alpha_shown",
        caught_by: &["decision", "return"],
    },
    Fault {
        name: "stale_tag",
        module: "search_core",
        find: " & (next_generation == level_2_generation) & level_2_generation_stays",
        replace: "",
        caught_by: &["held", "node", "return", "hang", "counter"],
    },
    Fault {
        name: "children_outlive_their_node",
        module: "search_core",
        find: "assign level_3_killed = level_2_kill;",
        replace: "assign level_3_killed = 4'd0;",
        caught_by: &["held", "node", "return", "hang"],
    },
    Fault {
        name: "context_taken_twice",
        module: "visit_choice",
        find: "claimed[1] ? free_both[1]",
        replace: "claimed[1] ? free_any[1]",
        caught_by: &["node", "return", "hang"],
    },
    Fault {
        name: "first_child_issued_twice",
        module: "move_picker",
        find: " <= mark_issued;",
        replace: " <= 1'b0;",
        caught_by: &["node"],
    },
    Fault {
        name: "refresh_widens_a_window",
        module: "level_controller_6_below_4_last",
        find: "up_higher <= above_valid & ($signed(from_alpha) > ",
        replace: "up_higher <= above_valid & ($signed(from_alpha) != ",
        caught_by: &["return"],
    },
    Fault {
        name: "bound_used_too_early",
        module: "search_core",
        find: "picker_bounded = 1'b1 & (",
        replace: "picker_bounded = 1'b1 & (1'b1 | ",
        caught_by: &["return", "decision"],
    },
    Fault {
        name: "bound_drops_fours",
        module: "move_picker",
        find: "] | ~low_",
        replace: "] & 1'b0 | ~low_",
        caught_by: &["return"],
    },
    Fault {
        name: "missing_reset",
        module: "level_controller_second_4_beamed",
        find: "active_0 <= 1'b0;\n      kill[0]",
        replace: "active_0 <= active_0;\n      kill[0]",
        // What the register powers up with is random, and so is who meets it first.
        caught_by: &["node", "return", "held"],
    },
    Fault {
        name: "stones_not_reset",
        module: "root_board",
        find: "if (!aresetn | clear)",
        replace: "if (clear)",
        caught_by: &["node", "probe", "answer"],
    },
    Fault {
        name: "game_not_reset",
        module: "game_controller",
        find: "if (!aresetn | clear) begin\n      state <= IDLE;",
        replace: "if (!aresetn | clear) begin\n      state <= state;",
        caught_by: &["node", "probe", "decision", "answer", "hang"],
    },
    Fault {
        name: "answer_not_reset",
        module: "command_face",
        find: "m_axis_data_tvalid <= 1'b0;\n      m_axis_data_tlast",
        replace: "m_axis_data_tvalid <= m_axis_data_tvalid;\n      m_axis_data_tlast",
        caught_by: &["stream"],
    },
    Fault {
        name: "face_not_reset",
        module: "command_face",
        find: "if (!aresetn) begin\n      state <= IDLE;",
        replace: "if (!aresetn) begin\n      state <= state;",
        caught_by: &["node", "probe", "decision", "answer", "hang", "stream"],
    },
    Fault {
        name: "sign_of_a_forced_reply",
        module: "search_core",
        find: "recirculate & ~negate,",
        replace: "recirculate & negate,",
        caught_by: &["return", "decision"],
    },
    Fault {
        name: "extension_not_counted",
        module: "search_core",
        find: " - {recirculate}",
        replace: "",
        caught_by: &["node"],
    },
    Fault {
        name: "depth_of_a_forced_reply",
        module: "search_core",
        find: "recirculate ? depth_zero : (",
        replace: "recirculate ? 1'b0 : (",
        caught_by: &["node"],
    },
    Fault {
        name: "order_pass_repeats_a_cell",
        module: "best_cell",
        find: "(remaining & later)",
        replace: "remaining",
        caught_by: &["order"],
    },
    Fault {
        name: "beam_one_too_wide",
        module: "level_controller_second_4_beamed",
        find: "<= beam - 5'd1;",
        replace: "<= beam;",
        caught_by: &["order"],
    },
    Fault {
        name: "win_one_ply_late",
        module: "node_outcome",
        find: "(outcome == 3'd2) ? (",
        replace: "(outcome == 3'd2) ? (11'd2047 + ",
        caught_by: &["node"],
    },
    Fault {
        name: "bonus_under_threat",
        module: "node_outcome",
        find: "four_three & no_threat",
        replace: "four_three",
        caught_by: &["node"],
    },
    Fault {
        name: "floor_without_growth",
        module: "node_outcome",
        find: "{outgrows & ~makes_four}",
        replace: "{outgrows}",
        caught_by: &["node"],
    },
    Fault {
        name: "floor_over_a_double",
        module: "node_outcome",
        find: "(makes_four ? extendable : other_has_double)",
        replace: "(makes_four & extendable)",
        caught_by: &["node"],
    },
    Fault {
        name: "reply_on_a_stone",
        module: "largest_gain",
        find: "if (occupied[12])",
        replace: "if (1'b0)",
        caught_by: &["node"],
    },
    Fault {
        name: "floor_below_beta",
        module: "level_controller_second_4_beamed",
        find: "floor_above = exceeds_floor_above",
        replace: "floor_above = 1'b0",
        caught_by: &["return", "decision"],
    },
    Fault {
        name: "span_ignores_its_ends",
        module: "cell_threats",
        find: " >> 1) & ~occupied",
        replace: " >> 1)",
        caught_by: &["node"],
    },
    Fault {
        name: "candidates_wrap_around",
        module: "candidates",
        find: "(occupied << 1) & ",
        replace: "(occupied << 1) | ",
        caught_by: &["node", "order"],
    },
    Fault {
        name: "restriction_at_a_leaf",
        module: "set_choice",
        find: "other_has_double & ~depth_zero",
        replace: "other_has_double",
        caught_by: &["node"],
    },
    Fault {
        name: "window_turned_round",
        module: "level_controller_6_below_4_last",
        find: "same_side = start ? start_negate",
        replace: "same_side = start ? ~start_negate",
        caught_by: &["return", "hang"],
    },
    Fault {
        name: "cutoff_not_seen",
        module: "level_controller_6_below_4_last",
        find: " & reaches;",
        replace: " & 1'b0;",
        caught_by: &["return", "node", "hang"],
    },
    Fault {
        name: "move_issued_twice",
        module: "move_picker",
        find: "(visit & picked & (visited == next_visited))",
        replace: "(1'b0)",
        caught_by: &["node", "return"],
    },
    Fault {
        name: "window_written_over",
        module: "level_controller_second_4_beamed",
        find: "missed_turn = ~follows_up | start | update |",
        replace: "missed_turn = ~follows_up |",
        caught_by: &["return", "node", "hang"],
    },
    Fault {
        name: "a_loss_that_a_cut_move_may_save",
        module: "level_controller_second_4_beamed",
        find: "wire unproved = ",
        replace: "wire unproved = 1'b0 & ",
        caught_by: &["return", "decision"],
    },
    Fault {
        name: "the_empty_board_is_searched",
        module: "game_controller",
        find: "wire blank = ",
        replace: "wire blank = 1'b0 & ",
        caught_by: &["decision"],
    },
    Fault {
        name: "passes_for_order_are_not_counted",
        module: "search_core",
        find: "passed <= aresetn & game_searching",
        replace: "passed <= aresetn & ~is_order & game_searching",
        caught_by: &["counter"],
    },
    Fault {
        name: "orders_counted_when_idle",
        module: "search_core",
        find: "ordered_again <= aresetn & game_searching",
        replace: "ordered_again <= aresetn & ~passed & game_searching",
        caught_by: &["counter"],
    },
    Fault {
        name: "stale_results_counted_once_in_a_while",
        module: "search_core",
        find: "dropped_stale <= aresetn & evaluate_result_valid",
        replace: "dropped_stale <= aresetn & ~passed & evaluate_result_valid",
        caught_by: &["counter"],
    },
    Fault {
        name: "a_busy_clock_counts_as_a_wait",
        module: "search_core",
        find: "by_first <= idle_slot & ~missed",
        replace: "by_first <= (idle_slot | passed) & ~missed",
        caught_by: &["counter"],
    },
    Fault {
        name: "a_miss_is_charged_to_the_clock_before",
        module: "search_core",
        find: "by_miss <= idle_slot & missed;",
        replace: "by_miss <= idle_slot & s4_missed;",
        caught_by: &["counter"],
    },
    Fault {
        name: "a_wait_for_a_context_counts_for_order_too",
        module: "search_core",
        find: "by_order <= idle_slot & ~missed & ~waits_for_context & waits_for_order;",
        replace: "by_order <= idle_slot & ~missed & waits_for_order;",
        caught_by: &["counter"],
    },
    Fault {
        name: "a_wait_behind_a_miss_counts_twice",
        module: "search_core",
        find: "by_context <= idle_slot & ~missed & waits_for_context;",
        replace: "by_context <= idle_slot & waits_for_context;",
        caught_by: &["counter"],
    },
    Fault {
        name: "the_first_level_never_waits",
        module: "search_core",
        find: "wire waits_for_first = level_1_waits_first | ",
        replace: "wire waits_for_first = ",
        caught_by: &["counter"],
    },
];
