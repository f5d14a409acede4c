// SPDX-License-Identifier: MIT OR Apache-2.0
//! Markdown about one core and about the stream protocol, from the same definitions as the RTL.

use crate::circuits::evaluator::{self, best_cell};
use crate::layout::Layout;
use crate::stream::{Command, Status, selector};
use kit::{Direction, Port};
use std::fmt::Write;

/// What a port of the core is for.
pub fn port_purpose(name: &str) -> &'static str {
    match name {
        "aclk" => "clock; everything is synchronous to its rising edge",
        "aresetn" => "synchronous reset, active low; hold it for at least one clock",
        "interrupt" => "level, high while an answer waits (= m_axis_data_tvalid)",
        "s_axis_control_tdata" => "command word",
        "s_axis_data_tdata" => "argument word",
        "m_axis_data_tdata" => "answer word",
        "m_axis_data_tlast" => "high on the second word of an answer",
        "trace_node" => "{winners, fresh, result, tag} of the node that retires",
        "trace_return" => "one returned node per level, level 1 lowest",
        "trace_held" => {
            "a context is not free though no search is under way; for a few clocks after one it may be"
        }
        "trace_clock" => "{visit without a move, pass issued, pass possible, searching} in this clock",
        "trace_waiting" => "what decides what every context waits for, level 1 lowest",
        "trace_decision" => "{score, cell} of the decision",
        _ if name.ends_with("_tvalid") => "AXI4-Stream valid",
        _ if name.ends_with("_tready") => "AXI4-Stream ready",
        _ if name.ends_with("_valid") => "high for the clock in which the vector beside it means something",
        _ => "",
    }
}

/// Table of a top module's ports; `purpose` says what one is for.
pub fn ports(ports: &[Port], purpose: fn(&str) -> &'static str) -> String {
    let mut text = String::from("| port | direction | width | meaning |\n|---|---|---|---|\n");
    for port in ports {
        let direction = match port.direction {
            Direction::Input => "in",
            Direction::Output => "out",
        };
        let _ =
            writeln!(text, "| `{}` | {direction} | {} | {} |", port.name, port.width, purpose(&port.name));
    }
    text
}

/// Commands, answers and selectors.
pub fn protocol() -> String {
    let mut text = String::from(
        "A command is one word on `s_axis_control` and its arguments on `s_axis_data`. Every answer is two words on\n\
         `m_axis_data`, the second with tlast. Both words carry the status in bits 15:8 and x or y in bits 7:0, so\n\
         anything but a plain move lies outside the board.\n\n\
         | control word | name | arguments and effect |\n|---|---|---|\n",
    );
    for (command, description) in Command::ALL {
        let _ = writeln!(text, "| {} | {command:?} |{description} |", *command as u8);
    }
    text.push_str("\n| status | name | meaning |\n|---|---|---|\n");
    for (status, description) in Status::ALL {
        let _ = writeln!(text, "| 0x{:02x} | {status:?} |{description} |", *status as u8);
    }
    text.push_str("\n| selector | first word | second word |\n|---|---|---|\n");
    for (selector, first, second) in [
        (selector::IDENTITY.to_string(), "\"TENG\" (0x54454e47)", "version: major << 16, minor << 8, patch"),
        (
            selector::CONFIGURATION.to_string(),
            "columns, rows << 8, k << 16, levels built << 24",
            "levels in use, contexts << 8, extensions << 16, trace << 24",
        ),
        (
            selector::GAME.to_string(),
            "score of the last decision, signed half-points, for the side whose move it decided: positive is good for the engine",
            "stones, over << 16 (1 a line, 2 a full board)",
        ),
        (selector::CYCLES.to_string(), "clock cycles of the last search, low", "high"),
        (selector::PASSES.to_string(), "evaluator passes of the last search", "results dropped as stale"),
        (
            selector::ORDERS.to_string(),
            "passes among them that asked for further moves in order",
            "clocks without a pass while one of those was waited for",
        ),
        (
            selector::WAITS.to_string(),
            "clocks without a pass while siblings waited for a first child",
            "clocks without a pass while moves waited for a free context",
        ),
        (selector::MISSES.to_string(), "clocks lost to a visit that found no move", "0"),
        (
            selector::LIMIT.to_string(),
            "clocks within which a search ends, 0: no limit; one that runs out of them has taken 4 clocks more, by the counter",
            "levels of the last decision",
        ),
        (format!("{} + ply, from 1", selector::NODES), "nodes at that ply in the last search", "0"),
        (
            format!("{} + row", selector::ROWS),
            "stones of the side that moved first, bit x = column x",
            "stones of the other side",
        ),
    ] {
        let _ = writeln!(text, "| {selector} | {first} | {second} |");
    }
    text.push_str(
        "\nAn illegal command leaves the position as it was and answers an error. While a command\n\
         runs, further control words wait (tready falls once two are held), except `Reset` and `Abort`, which act when\n\
         they reach the front: a word that waits before them holds them up. Waiting arguments are taken first. If the next\n\
         argument is missing when a further control word waits, the unfinished command is answered `Interrupted` and the\n\
         new word is carried out: present a control word only after the arguments of the command before it. `Abort` is ignored where no search is to be ended; one that\n\
         comes behind `Play` or `Search` before the search has begun ends it all the same. `Reset`\n\
         drops the argument words already accepted; an answer already presented stays until it is taken, as\n\
         AXI4-Stream demands. After a game is over, `Reset` and `TakeBack` open the board again. A whole position is\n\
         set by `Reset` and one `Place` per move. `Play` with x, y = columns, rows is `Search`, also in the middle of a game:\n\
         the engine moves for the side to move.\n\n\
         Answers come in the order of their commands, so a client that counts its commands knows which command an answer belongs to. The words of `Read` are\n\
         information and carry no status, whatever they look like (a count of 0x8600 is no `BadArgument`): a selector of the table is\n\
         always answered, another one never. After a `Reset` one old answer may still be there, at most the one that was presented: send\n\
         `Read` with selector 0 behind the `Reset` and drop answers until one begins with 0x54454e47. No other answer begins so, unless you\n\
         send a `Read` of your own.\n",
    );
    text
}

/// The parameters that are fixed in the RTL, and what follows from them.
pub fn parameters(layout: &Layout) -> String {
    let mut text = format!("Fixed in the RTL:\n\n```toml\n{}```\n\n", layout.config.to_toml());
    let _ = write!(
        text,
        "| derived | value |\n|---|---|\n| cells | {} |\n| windows | {} |\n| bits of a cell, a gain, a potential, a value | \
         {}, {}, {}, {} |\n| score of a win at ply 0 (half-points) | {} |\n| largest leaf value (half-points) | {} |\n",
        layout.cells,
        layout.geometry.windows.len(),
        layout.cell_bits,
        layout.gain_bits,
        layout.potential_bits,
        layout.value_bits,
        layout.scoring.win_score,
        2 * layout.scoring.max_potential + layout.scoring.max_gain + layout.scoring.four_three_bonus,
    );
    text
}

/// Clocks from a node's path to its result.
pub fn node_latency(layout: &Layout) -> usize {
    evaluator::latency(layout) + 1
}

/// What takes how many clocks.
pub fn latency(layout: &Layout) -> String {
    let node = node_latency(layout);
    format!(
        "| what | clocks |\n|---|---|\n| node builder | 1 |\n| evaluator, of which comparison trees {} | {} |\n\
         | a node, path to result | {node} |\n| initiation interval of the evaluator | {} |\n| playing a move (two passes) | {} |\n",
        best_cell::best_cell(layout).latency("found") - 1,
        evaluator::latency(layout),
        evaluator::interval(layout),
        2 * node + 4,
    )
}
