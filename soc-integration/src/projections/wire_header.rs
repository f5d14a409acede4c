// SPDX-License-Identifier: MIT OR Apache-2.0
//! The framed and the original protocol's numbers as a C header.

use super::c_header::upper;
use driver::{frame, layout, original};
use std::fmt::Write;

/// The header.
pub fn text() -> String {
    let mut text = String::from(
        "/* SPDX-License-Identifier: MIT OR Apache-2.0 */\n\
         /* Generated from driver/src/frame.rs, layout.rs and original.rs by `UPDATE_EXPECT=1 cargo test -p \
         soc-integration`. */\n#ifndef TENGEN_WIRE_H\n#define TENGEN_WIRE_H\n\n/* Frames: sync, version, sequence, kind, length, \
         payload, CRC-32. */\n",
    );
    for (name, value) in [
        ("SYNC", usize::from(frame::SYNC)),
        ("VERSION", frame::VERSION.into()),
        ("HEADER_BYTES", frame::HEADER_BYTES),
        ("CRC_BYTES", frame::CRC_BYTES),
        ("MAX_MOVES", frame::MAX_MOVES),
        ("MAX_PAYLOAD", frame::MAX_PAYLOAD),
        ("MAX_FRAME", frame::MAX_FRAME),
        ("REPLY", frame::REPLY.into()),
        ("NONCE_BYTES", frame::NONCE_BYTES),
        ("GAP_MS", frame::GAP_MS as usize),
    ] {
        let _ = writeln!(text, "#define WIRE_{name} {value}u");
    }
    text.push_str("\n/* Kinds of request. */\n");
    for (kind, _) in frame::Kind::ALL {
        let _ = writeln!(text, "#define WIRE_{} 0x{:02x}u", upper(&format!("{kind:?}")), *kind as u8);
    }
    text.push_str("\n/* First byte of a reply; below 0xa0 a status of the core. */\n");
    for (code, _) in frame::Code::ALL {
        let _ = writeln!(text, "#define WIRE_CODE_{} 0x{:02x}u", upper(&format!("{code:?}")), *code as u8);
    }
    text.push_str("\n/* Where the parts of a reply's payload stand, and where it ends. */\n");
    for (name, begin, parts) in layout::all() {
        let name = name.to_uppercase();
        for part in parts {
            let at = begin + layout::offset(parts, part.name);
            let _ = writeln!(text, "#define WIRE_{name}_{} {at}u", part.name.to_uppercase());
        }
        let _ = writeln!(text, "#define WIRE_{name}_END {}u", begin + layout::bytes(parts));
    }
    let _ = writeln!(
        text,
        "\n/* The original protocol: x and y in 32 bits each. */\n#define ORIGINAL_COMMAND_BYTES {}u\n\
         #define ORIGINAL_NEW_GAME {}u\n#define ORIGINAL_ENGINE_FIRST {}u\n\n#endif",
        original::COMMAND_BYTES,
        original::NEW_GAME,
        original::ENGINE_FIRST
    );
    text
}
