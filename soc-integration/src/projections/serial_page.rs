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
         A board without a processor ([hardware](hardware.md)) answers `Hello` with `Scripted` and its payload, and knows one more request,\n\
         `Script`. Its payload, at most {MEMORY_BYTES} bytes, is a row of operations that hardware carries out in order; what they take, at most {MAX_READ} bytes,\n\
         follows `Scripted` in the reply, and nothing else does. The driver makes of it what firmware answers elsewhere: the host keeps the moves, the\n\
         core the rules. Any other code stands alone in its reply.\n\n\
         | operation | bytes behind it | what it does | bytes in the reply |\n|---|---|---|---|\n"
    );
    for (code, behind, what, reply) in [
        (COMMAND, "", "+ command: a word for the control stream", ""),
        (DATA_BYTE, "1", "a word for the data stream", ""),
        (DATA_WORD, "4", "the same", ""),
        (TAKE_HALF, "", "takes a word of an answer, waiting for it", "its lower 2"),
        (TAKE_WORD, "", "the same", "4"),
        (DROP, "", "the same", ""),
        (
            OWN,
            "",
            "+ 0: CRC-32 of the board's name; + 1: rate of the line; + 2: clock of the core in Hz",
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
        "\nA word that does not come because the core has nothing to do is all ones. While a script runs it is answered `Busy`, another request\n\
         `Running`; `Abort` under its number ends the searches that it waits for, and its reply tells what came of each. A request that comes while a reply\n\
         is being sent is answered when it is sent again. A command of the original protocol ends the session.\n",
    );
    text
}

/// The page.
pub fn text() -> String {
    let mut text = format!(
        "# Serial protocols\n\n\
         The bytes between a host and a board, for whoever writes a client of their own. Examples: `{hello}` is the frame `Hello` with\n\
         sequence number 0, to which a board answers what it is. `{move_bytes}`, in the original protocol, is a move of the opponent at\n\
         x 7, y 7; the engine's comes back as two lines, y first.\n\
         Generated from `driver/src/frame.rs`, `layout.rs` and `original.rs` by `UPDATE_EXPECT=1 cargo test -p soc-integration`.\n\n\
         8 data bits, no parity, one stop bit. Two protocols share the line; the first byte of a command tells them apart:\n\
         0x{SYNC:02x} begins a frame, anything up to {NEW_GAME} a command of the original protocol, everything else is dropped. After {GAP_MS} ms of\n\
         silence the firmware gives up what has come of a command and listens anew. After something that was neither, it looks\n\
         for frames only, until a good one or that silence.\n\n\
         A host that opens the line sends {wake} bytes 0x{wake_byte:02x} first and is silent for more than {GAP_MS} ms. As it starts, wujian100's UART may take a\n\
         low of one clock on its own input for the start of a byte (`uart_en` comes a clock after `sdata_en` in `soc/usi0.v`) and hear the\n\
         bytes that come then wrongly; after a byte of ones it finds the next start again, and the silence ends whatever it has heard.\n\n\
         ## Frames\n\n\
         | offset | bytes | what |\n|---|---|---|\n\
         | 0 | 1 | sync: 0x{SYNC:02x} |\n| 1 | 1 | version of the protocol: {VERSION} |\n| 2 | 1 | sequence number |\n\
         | 3 | 1 | kind of request; + 0x{REPLY:02x} in its reply |\n| 4 | 2 | length of the payload, at most {MAX_PAYLOAD} |\n\
         | {HEADER_BYTES} | length | payload |\n\
         | {HEADER_BYTES} + length | {CRC_BYTES} | CRC-32/ISO-HDLC (Ethernet's) of everything between sync and here |\n\n\
         Numbers are little-endian. A request is sent again, byte for byte, until its reply comes: the firmware carries a sequence\n\
         number out once and keeps its reply. The next request has the next number, modulo 256; any other is refused, and `Hello`\n\
         begins anew. While a search runs its request is answered `Busy` each time it comes again.\n\n\
         | kind | request | payload and effect |\n|---|---|---|\n",
        hello = hexadecimal(&Frame::request(0, Kind::Hello, &[]).encode()),
        move_bytes = hexadecimal(&encode(7, 7)),
        wake = WAKE.len(),
        wake_byte = WAKE[0],
    );
    for (kind, what) in Kind::ALL {
        let _ = writeln!(text, "| 0x{:02x} | {kind:?} | {what} |", *kind as u8);
    }
    let _ = write!(text, "\nEvery reply begins with\n\n{}\n", table(HEAD, 0));
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
         A search with a limit goes through 2, 4, 6, ... levels and answers the last that it completed; the first is completed\n\
         whatever the limit says. The limit counts clock cycles of the core, which looks at it itself in every clock.\n",
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
         0, 0 counts only after another command since the start and the last Hello: a line at a tenth of the rate turns anything\n\
         into zeros.\n\n\
         An answer beyond a plain move has the core's status times 256 added to both numbers: 256 + y, 256 + x is a move that wins,\n\
         512 + y, 512 + x one that fills the board. 4352 + y, 4352 + x (0x11 * 256) says that the opponent's move, which it names, won;\n\
         4608 + y, 4608 + x that it filled the board: the engine has not moved. A client takes a number modulo 256 for the coordinate\n\
         and divided by 256 for the status.\n\
         From 33024 (0x81 * 256) on it is an error and nothing has moved: 33024 occupied, 33280 outside the board, 33536 game\n\
         over; 34048 (0x85 * 256) a command that came during a search, which goes on. A probe that moves nothing on any board:\n\
         {PROBE}, {PROBE}, answered 33280 twice.\n"
    );
    text
}
