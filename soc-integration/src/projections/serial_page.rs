// SPDX-License-Identifier: MIT OR Apache-2.0
//! The serial protocols as a page.

use driver::frame::{
    CRC_BYTES, Code, Frame, GAP_MS, HEADER_BYTES, Kind, MAX_PAYLOAD, REPLY, SYNC, VERSION, WAKE,
};
use driver::layout::{HEAD, Part, all, bytes};
use driver::link::{
    COMMAND, DATA_BYTE, DATA_WORD, DROP, MAX_READ, MEMORY_BYTES, OWN, PLACE, TAKE_HALF, TAKE_WORD,
};
use driver::original::{COMMAND_BYTES, ENGINE_FIRST, NEW_GAME, PROBE, encode};
use std::fmt::Write;

fn table(parts: &[Part], begin: usize) -> String {
    let mut text = String::from("| offset | bytes | part | what |\n|---|---|---|---|\n");
    let mut at = begin;
    for part in parts {
        let size =
            if part.count == 1 { part.bytes.to_string() } else { format!("{} x {}", part.count, part.bytes) };
        let _ = writeln!(text, "| {at} | {size} | {} | {} |", part.name, part.description);
        at += part.bytes * part.count;
    }
    text
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect::<Vec<_>>().join(" ")
}

/// Scripts, for a board without a processor.
fn scripts() -> String {
    let mut text = format!(
        "\n## Scripts\n\n\
         A board without a processor ([hardware](hardware.md)) answers `Hello` with `Scripted` and the payload of that `Hello`, and knows one more request,\n\
         `Script`. The payload of `Script`, at most {MEMORY_BYTES} bytes, is a sequence of operations that the hardware carries out in order. The reply is the code `Scripted`\n\
         followed by the bytes that the operations return (last column), at most {MAX_READ}. From these the driver composes the answers that firmware gives on other boards: the host\n\
         keeps the moves, and the core applies the rules. A reply with any other code consists of the code alone.\n\n\
         | operation | bytes behind it | what it does | bytes in the reply |\n|---|---|---|---|\n"
    );
    for (code, behind, what, reply) in [
        (
            COMMAND,
            "",
            "with the number of a command added to the code: sends the command as a word to the control stream",
            "",
        ),
        (DATA_BYTE, "1", "sends the byte as a word to the data stream", ""),
        (DATA_WORD, "4, little-endian", "sends the word to the data stream", ""),
        (TAKE_HALF, "", "waits for the next word of an answer", "its lower 2"),
        (TAKE_WORD, "", "waits for the next word of an answer", "4"),
        (DROP, "", "waits for the next word of an answer and drops it", ""),
        (
            OWN,
            "",
            "returns the CRC-32 of the board's name; with 1 added to the code, the rate of the line in baud; with 2 added, the clock of the core in Hz",
            "4",
        ),
        (
            PLACE,
            "n, then n times x and y",
            "`Place` for one stone after the other; a status other than `Done` ends the script",
            "1: the last status",
        ),
    ] {
        let _ = writeln!(text, "| 0x{code:02x} | {behind} | {what} | {reply} |");
    }
    text.push_str(
        "\nIf a script waits for a word that will not come because the core has nothing to do, it gets a word of all ones. A script that ends within\n\
         an operation ends there. A script also ends when the idle core does not take a word, because no command needs it or because answers that were not taken block it. These answers\n\
         are then dropped, and the reply holds what was read until then. While a script runs, a repetition of its request is answered\n\
         `Busy`, any other request `Running`. `Abort` under the sequence number of the script ends the searches that the script waits for; the script's reply then says how each ended. A request that comes\n\
         while a reply is being sent gets no answer until it is repeated. A command of the original protocol ends the session.\n",
    );
    text
}

/// The page.
pub fn text() -> String {
    let mut text = format!(
        "# Serial protocols\n\n\
         The bytes between a host and a board, for people who write their own client. Examples: `{hello}` is the frame `Hello` with\n\
         sequence number 0, which a board answers with a description of itself. `{move_bytes}`, in the original protocol, is a move of the opponent at\n\
         x 7, y 7; the engine's comes back as two lines, y first.\n\
         Generated from `driver/src/frame.rs`, `layout.rs` and `original.rs` by `UPDATE_EXPECT=1 cargo test -p soc-integration`.\n\n\
         8 data bits, no parity, one stop bit. Two protocols share the line; the first byte of a command tells them apart:\n\
         0x{SYNC:02x} begins a frame, a value up to {NEW_GAME} begins a command of the original protocol, and any other byte is dropped. After {GAP_MS} ms of\n\
         silence the board discards an incomplete command and waits for a new one. After a byte that began neither, it accepts\n\
         only frames, until a valid frame has come or the line has been silent for {GAP_MS} ms.\n\n\
         A host that opens the line sends {wake} bytes 0x{wake_byte:02x} first and is silent for more than {GAP_MS} ms. The reason: when wujian100's UART is enabled, its own input may be low for one clock, which it may take for the start of a byte\n\
         (`uart_en` comes a clock after `sdata_en` in `soc/usi0.v`); it then receives the following bytes wrongly. After a byte of ones it finds\n\
         the next start bit again, and the silence discards the bytes received so far.\n\n\
         ## Frames\n\n\
         | offset | bytes | what |\n|---|---|---|\n\
         | 0 | 1 | sync: 0x{SYNC:02x} |\n| 1 | 1 | version of the protocol: {VERSION} |\n| 2 | 1 | sequence number |\n\
         | 3 | 1 | kind of request; + 0x{REPLY:02x} in its reply |\n| 4 | 2 | length of the payload, at most {MAX_PAYLOAD} ({MEMORY_BYTES} for a board without a processor) |\n\
         | {HEADER_BYTES} | length | payload |\n\
         | {HEADER_BYTES} + length | {CRC_BYTES} | CRC-32/ISO-HDLC (Ethernet's) of everything between sync and here |\n\n\
         Numbers are little-endian. The host repeats a request, byte for byte, until the reply comes: the board carries out the request of a sequence\n\
         number only once and keeps the reply to repeat it. The next request has the next number, modulo 256; any other number is refused, and `Hello`\n\
         begins a new session. While a search runs, each repetition of its request is answered `Busy`. The driver repeats a request {reply} ms after it\n\
         and its reply should have passed the line, {tries} times in all. The line has 8 data bits, no parity, one stop bit.\n\n\
         | kind | request | payload and effect |\n|---|---|---|\n",
        hello = hexadecimal(&Frame::request(0, Kind::Hello, &[]).encode()),
        move_bytes = hexadecimal(&encode(7, 7)),
        wake = WAKE.len(),
        reply = driver::Patience::default().reply.as_millis(),
        tries = driver::Patience::default().tries,
        wake_byte = WAKE[0],
    );
    for (kind, what) in Kind::ALL {
        let _ = writeln!(text, "| 0x{:02x} | {kind:?} | {what} |", *kind as u8);
    }
    let _ = write!(text, "\nEvery reply of the firmware begins with\n\n{}\n", table(HEAD, 0));
    text.push_str("| code | name | meaning |\n|---|---|---|\n");
    for (code, what) in Code::ALL {
        let _ = writeln!(text, "| 0x{:02x} | {code:?} | {what} |", *code as u8);
    }
    text.push_str(
        "| 0x81 .. 0x88 | | the core's own: see the [stream protocol](stream-protocol.md) |\n\n\
         and goes on, by kind, with\n",
    );
    for (name, begin, parts) in all().into_iter().filter(|(name, ..)| *name != "head") {
        let title = match name {
            "take_back" => "TakeBack".to_string(),
            "refused" => "Position, refused".to_string(),
            name => name[..1].to_uppercase() + &name[1..],
        };
        let _ = write!(text, "\n{title}:\n\n{}", table(parts, begin));
    }
    let _ = write!(
        text,
        "\nMoves: x and y of every move, from offset {}.\n\n\
         A search with a limit goes through 2, 4, 6, ... levels and answers with the result of the last one that it completed within the\n\
         limit; the first is always completed. The limit is in clock cycles of the core, and the core checks it in every clock.\n",
        bytes(HEAD)
    );
    text.push_str(&scripts());
    let _ = write!(
        text,
        "\n## The original protocol\n\n\
         A command is {COMMAND_BYTES} bytes: x and y, 32 bits each. An answer is two decimal numbers, a line each: y first, then x.\n\n\
         | x, y | effect | answer |\n|---|---|---|\n\
         | {NEW_GAME}, {NEW_GAME} | empties the board, also during a search | none |\n\
         | {ENGINE_FIRST}, {ENGINE_FIRST} | the engine moves first (where that is no cell of the board; columns, rows always do the same) | its move |\n\
         | x, y | the opponent's move, then the engine's | its move |\n\n\
         A board without a processor ignores a command with a number above {NEW_GAME}, and answers 65535 twice if the core does not take a move because a script has left\n\
         words in it; {NEW_GAME}, {NEW_GAME} removes them.\n\
         The move 0, 0 is accepted only if another valid command has come since the start and since the last `Hello`: at a tenth of the baud rate any data\n\
         is received as zeros.\n\n\
         If the answer is more than a plain move, 256 times the core's status is added to both numbers: 256 + y, 256 + x is a move that wins,\n\
         512 + y, 512 + x one that fills the board. 4352 + y, 4352 + x (0x11 * 256) says that the opponent's move x, y won,\n\
         4608 + y, 4608 + x (0x12 * 256) that it filled the board; in both cases the engine has not moved. The remainder of a number divided by 256 is the\n\
         coordinate, the quotient the status.\n\
         A number from 33024 (0x81 * 256) on is an error, and the position is unchanged: 33024 the square is occupied, 33280 it is outside the board, 33536 the game\n\
         is over, 34048 (0x85 * 256) a command came during a search, which continues. As a probe that changes nothing on any board a client can send\n\
         {PROBE}, {PROBE}; the answer is 33280 twice.\n"
    );
    text
}
