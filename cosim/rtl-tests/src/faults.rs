// SPDX-License-Identifier: MIT OR Apache-2.0
//! Faults put into the emitted Verilog on purpose. Each must be caught where it happens.

/// One fault: a text of the emitted engine and what it is replaced by.
pub struct Fault {
    /// Name, also the model's.
    pub name: &'static str,
    /// Module (without prefix) the text stands in.
    pub module: &'static str,
    /// Text to be replaced; must occur in the module.
    pub find: &'static str,
    /// Its replacement.
    pub replace: &'static str,
    /// Kinds of event that may report it first.
    pub caught_by: &'static [&'static str],
}

/// Configurations that the shipped ones do not cover, in `variants/`.
pub const VARIANTS: &[&str] = &["bare", "wide", "line", "forced", "shallow"];

/// All faults. `stream`, `answer` and `hang` are what the bench itself sees.
pub const FAULTS: &[Fault] = &[
    Fault {
        name: "wrong_weight",
        module: "window_flags_row",
        find: "gain_digit_1 <= own1_other0",
        replace: "gain_digit_1 <= own0_other0",
        caught_by: &["probe"],
    },
    Fault {
        name: "dropped_tie_break",
        module: "best_cell",
        find: " > best_4[",
        replace: " >= best_4[",
        caught_by: &["order"],
    },
    Fault {
        name: "later_move_wins_a_tie",
        module: "level_controller",
        find: "$signed(child_value) > $signed(alpha)",
        replace: "$signed(child_value) >= $signed(alpha)",
        caught_by: &["decision"],
    },
    Fault {
        name: "stale_tag",
        module: "search_core",
        find: "fresh = evaluate_result_valid & (",
        replace: "fresh = evaluate_result_valid & (1'b1 | ",
        caught_by: &["node"],
    },
    Fault {
        name: "bound_used_too_early",
        module: "level_controller",
        find: "& leaf_children & ~single",
        replace: "& ~single",
        caught_by: &["return"],
    },
    Fault {
        name: "bound_drops_fours",
        module: "level_controller",
        find: "~single & ~next_four &",
        replace: "~single &",
        caught_by: &["return"],
    },
    Fault {
        name: "missing_reset",
        module: "level_controller",
        find: "active <= 1'b0;\n      next_valid <= 1'b0;",
        replace: "next_valid <= 1'b0;",
        caught_by: &["node", "return"],
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
        replace: "if (!aresetn | clear) begin",
        caught_by: &["node", "probe", "decision", "answer", "hang"],
    },
    Fault {
        name: "answer_not_reset",
        module: "command_face",
        find: "m_axis_data_tvalid <= 1'b0;\n      m_axis_data_tlast",
        replace: "m_axis_data_tlast",
        caught_by: &["stream"],
    },
    Fault {
        name: "face_not_reset",
        module: "command_face",
        find: "if (!aresetn) begin\n      state <= IDLE;",
        replace: "if (!aresetn) begin",
        caught_by: &["node", "probe", "decision", "answer", "hang", "stream"],
    },
    Fault {
        name: "sign_of_a_forced_reply",
        module: "search_core",
        find: "~negate, ",
        replace: "negate, ",
        caught_by: &["return"],
    },
    Fault {
        name: "extension_not_counted",
        module: "search_core",
        find: " - 1'd1, child_potential,",
        replace: ", child_potential,",
        caught_by: &["node"],
    },
    Fault {
        name: "tried_moves_not_excluded",
        module: "best_cell",
        find: "& ~exclude & (",
        replace: "& (",
        caught_by: &["order"],
    },
    Fault {
        name: "beam_one_too_wide",
        module: "level_controller",
        find: "beam_left <= beam;",
        replace: "beam_left <= beam + 5'd1;",
        caught_by: &["order"],
    },
    Fault {
        name: "win_one_ply_late",
        module: "node_outcome",
        find: "(outcome == 3'd2) ? (",
        replace: "(outcome == 3'd2) ? (12'd4095 + ",
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
        name: "span_ignores_its_ends",
        module: "line_cells_row",
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
        module: "best_cell",
        find: "other_has_double & ~depth_zero",
        replace: "other_has_double",
        caught_by: &["node"],
    },
    Fault {
        name: "window_turned_round",
        module: "search_core",
        find: "assign level_2_start_alpha = negate ? level_1_alpha : ",
        replace: "assign level_2_start_alpha = ~negate ? level_1_alpha : ",
        caught_by: &["return"],
    },
];
