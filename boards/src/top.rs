// SPDX-License-Identifier: MIT OR Apache-2.0
//! A board's top level: its pins, its clock, its reset, around the engine behind a serial line.

use crate::board::{Board, BoardError};
use crate::circuits::executor::Constants;
use crate::emit_link;
use engine_model::Config;
use hdl::Emission;
use kit::{Direction, Port};

/// Clocks that reset lasts behind power-up and behind a button.
const RESET_BITS: u32 = 8;
/// Bits of the count for which an LED shows what is too short to be seen: a twentieth of a second at 20 MHz.
const SHOWN_BITS: u32 = 20;

/// Name of the top module.
pub fn top_name(config: &Config) -> String {
    format!("{}_top", config.name.replace('-', "_"))
}

/// Emits the top level of a board, its line at `baud`; the top module has the board's pins as ports.
///
/// `clk`, `rx`, `tx` and, where the board has them, `busy`, `over` and `reset`. Every register of reset and of what LEDs show begins
/// with 0, as the FPGA's configuration sets them.
pub fn emit(board: &Board, config: &Config, baud: u32) -> Result<Emission, BoardError> {
    let rate = board.rate(baud)?;
    let constants = Constants { clock_hz: board.core_hz(), baud, board: board.digest() };
    let core = emit_link(config, constants, rate);
    let top = top_name(config);
    let ports: Vec<Port> = std::iter::once(("clk", Direction::Input))
        .chain(board.pins().into_iter().map(|(name, _)| {
            let inward = matches!(name, "rx" | "reset");
            (name, if inward { Direction::Input } else { Direction::Output })
        }))
        .map(|(name, direction)| Port { name: name.into(), width: 1, direction, about: String::new() })
        .collect();
    let text = module(board, &top, &core.top, &ports, board.pll()?.map(|pll| pll.verilog()));
    let verilog = format!("{}\n{text}", core.verilog.trim_end());
    let mut modules = core.modules;
    modules.push(top.clone());
    Ok(Emission { top, ports, verilog, modules })
}

fn module(board: &Board, top: &str, link: &str, ports: &[Port], pll: Option<String>) -> String {
    let listed: Vec<String> = ports
        .iter()
        .map(|port| {
            let direction = if port.direction == Direction::Input { "input" } else { "output" };
            format!("  {direction} wire {}", port.name)
        })
        .collect();
    let on = |low: bool, signal: &str| if low { format!("~{signal}") } else { signal.to_string() };
    let mut text = format!(
        "\n// {}: its pins around the engine behind a serial line.\n(* top *)\nmodule {top} (\n{}\n);\n  wire clock, locked;\n",
        board.title,
        listed.join(",\n")
    );
    text.push_str(&pll.unwrap_or_else(|| "  assign clock = clk;\n  assign locked = 1'b1;\n".into()));
    let pressed = board.reset.as_ref().map(|pin| on(pin.active_low, "reset"));
    let asynchronous = pressed.map_or("locked".into(), |pressed| format!("locked & ~({pressed})"));
    let last = RESET_BITS - 1;
    text.push_str(&format!(
        "  // Reset begins at once and ends with the clock, when it has been steady for a while.\n  wire steady = {asynchronous};\n  \
         reg [{last}:0] since = {RESET_BITS}'d0;\n  reg aresetn = 1'b0;\n  \
         always @(posedge clock or negedge steady)\n    if (!steady) since <= {RESET_BITS}'d0;\n    \
         else if (!since[{last}]) since <= since + {RESET_BITS}'d1;\n  \
         always @(posedge clock) aresetn <= since[{last}];\n  \
         wire is_busy, is_over;\n  \
         {link} link (.aclk(clock), .aresetn(aresetn), .rx(rx), .tx(tx), .busy(is_busy), .over(is_over));\n"
    ));
    if let Some(pin) = &board.busy {
        let last = SHOWN_BITS - 1;
        text.push_str(&format!(
            "  // A search is too short to be seen: what is shown lasts longer.\n  reg [{last}:0] shown = {SHOWN_BITS}'d0;\n  \
             always @(posedge clock)\n    if (is_busy) shown <= {{{SHOWN_BITS}{{1'b1}}}};\n    \
             else if (|shown) shown <= shown - {SHOWN_BITS}'d1;\n  assign busy = {};\n",
            on(pin.active_low, "(|shown)")
        ));
    }
    if let Some(pin) = &board.over {
        text.push_str(&format!("  assign over = {};\n", on(pin.active_low, "is_over")));
    }
    text.push_str("endmodule\n");
    text
}
