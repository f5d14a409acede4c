// SPDX-License-Identifier: MIT OR Apache-2.0
//! The register map as a page.

use super::origin::ORIGIN;
use crate::register_map::{
    Access, CONTROL, DATA_IN, DATA_OUT, EMPTY, Register, STATUS, WINDOW_BYTES, registers,
};
use std::fmt::Write;

/// The table of registers, and that of their fields.
pub fn tables() -> String {
    let mut text = String::from("| offset | register | access | reset | what |\n|---|---|---|---|---|\n");
    for register in registers() {
        let last = register.offset + 4 * (register.count - 1);
        let (offset, name) = if register.count == 1 {
            (format!("0x{:03x}", register.offset), register.name.to_string())
        } else {
            (
                format!("0x{:03x} .. 0x{last:03x}", register.offset),
                format!("{}[0..{}]", register.name, register.count - 1),
            )
        };
        let access = match register.access {
            Access::Read => "r",
            Access::ReadWrite => "rw",
            Access::Push => "w, pushes",
            Access::Pop => "r, pops",
            Access::WriteOneToClear => "r, write 1 to clear",
        };
        let reset = register.reset.map_or("-".to_string(), |value| format!("0x{value:08x}"));
        let _ = writeln!(text, "| {offset} | {name} | {access} | {reset} | {} |", register.description);
    }
    text.push_str("\n| field | bits | what |\n|---|---|---|\n");
    for register in registers() {
        for field in register.fields {
            let bits = if field.width == 1 {
                field.low.to_string()
            } else {
                format!("{}:{}", field.low + field.width - 1, field.low)
            };
            let _ = writeln!(text, "| {}.{} | {bits} | {} |", register.name, field.name, field.description);
        }
    }
    text
}

/// A move of the opponent and the answer, access by access.
fn example() -> String {
    let at = |register: Register| format!("{} (0x{:03x})", register.name, register.offset);
    let answer = STATUS.field("ANSWER");
    let mut text = String::from("| access | meaning |\n|---|---|\n");
    for (access, meaning) in [
        (format!("write 7, then 7, to {}", at(DATA_IN)), "x and y of the opponent's move"),
        (
            format!("write {} to {}", hdl::stream::Command::Play as u32, at(CONTROL)),
            "`Play`: play it, search, answer",
        ),
        (
            format!("read {} until bit {}, {}, is set", at(STATUS), answer.low, answer.name),
            "a word waits; or take the interrupt",
        ),
        (format!("read {} twice", at(DATA_OUT)), "status in bits 15:8 of both; x, then y, in bits 7:0"),
    ] {
        let _ = writeln!(text, "| {access} | {meaning} |");
    }
    text
}

/// The page.
pub fn text() -> String {
    format!(
        "# Register map\n\nThe registers of a core behind a bus, for whoever writes its driver. A move of the opponent and the engine's \
         answer:\n\n{}\n{ORIGIN}\nThe same definition gives the RTL's decoder, the C header\n`soc-integration/firmware/tengen_regs.h` and \
         the SVD file `soc-integration/tengen.svd`.\n\n32-bit registers, little-endian, in a window of {WINDOW_BYTES} bytes, on AHB-Lite, \
         APB and AXI4-Lite alike. Commands, arguments and\nanswers are the words of the [stream protocol](stream-protocol.md).\n\n{}\n{}",
        example(),
        tables(),
        rules()
    )
}

/// What happens on every kind of access.
pub fn rules() -> String {
    format!(
        "## What happens when\n\n\
         | access | effect |\n|---|---|\n\
         | any | no error response; AHB-Lite and APB never wait, AXI4-Lite answers a clock after it has taken an access |\n\
         | offset without a register | reads 0; writes are ignored |\n\
         | beyond the window, in a larger slot | the registers again, every {WINDOW_BYTES} bytes |\n\
         | byte or half read | the whole register stands on the data lines; DATA_OUT pops only if byte 0 is read |\n\
         | byte or half write | SCRATCH, INTERRUPT_ENABLE and ERRORS: the written lanes only; CONTROL and DATA_IN: pushes if \
         byte 0 is written, other lanes count as 0 |\n\
         | APB | no byte lanes: every access is of the word |\n\
         | CONTROL or DATA_IN without room | the word is dropped, what waits stays; the bit in ERRORS is set |\n\
         | DATA_OUT without an answer | reads 0x{EMPTY:08x}; ERRORS.EMPTY_READ is set |\n\
         | CONTROL while the core is busy | waits its turn, as on the stream; Reset and Abort act once no word waits before them |\n\
         | Reset by CONTROL | arguments that waited are gone; an answer that waits in DATA_OUT stays: read it |\n\
         | ERRORS, a bit cleared in the clock in which it is set anew | stays set |\n\
         | reset by wire | the game is empty, words that waited are gone, registers are as above; accesses in reset, and on AHB \
         and APB in the three clocks after it, are lost |\n\n\
         The interrupt is a level: high while INTERRUPT_ENABLE.ANSWER is set and an answer word waits. It rises once per answer \
         and\nfalls when the second word has been read.\n\n\
         A command: write CONTROL (STATUS.CONTROL_ROOM says that it will be taken), then each argument to DATA_IN \
         (STATUS.DATA_ROOM).\nWait for the interrupt or for STATUS.ANSWER, read DATA_OUT twice. Write the next command only \
         then; only Reset and Abort may come earlier.\n\
         In the words of the stream protocol CONTROL is `s_axis_control`, DATA_IN `s_axis_data`, DATA_OUT `m_axis_data`.\n"
    )
}
