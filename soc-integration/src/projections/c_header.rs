// SPDX-License-Identifier: MIT OR Apache-2.0
//! The register map and the stream protocol's codes as a C header.

use super::origin::ORIGIN;
use crate::register_map::{EMPTY, WINDOW_BYTES, registers};
use crate::slots::SLOTS;
use hdl::stream::{ANSWER_WORDS, Command, Status, selector};
use std::fmt::Write;

/// `EngineWins` as `ENGINE_WINS`.
pub fn upper(name: &str) -> String {
    let mut text = String::new();
    for (index, letter) in name.char_indices() {
        if letter.is_ascii_uppercase() && index > 0 {
            text.push('_');
        }
        text.push(letter.to_ascii_uppercase());
    }
    text
}

/// The header.
pub fn text() -> String {
    let mut text = format!(
        "/* SPDX-License-Identifier: MIT OR Apache-2.0 */\n/* {ORIGIN} */\n#ifndef TENGEN_REGS_H\n#define TENGEN_REGS_H\n\n\
         /* Byte offsets of the 32-bit registers, and masks and positions of their fields. */\n\
         #define TENGEN_WINDOW_BYTES 0x{WINDOW_BYTES:x}u\n"
    );
    for register in registers() {
        let name = register.name;
        let _ = writeln!(text, "\n/* {} */", register.description);
        if register.count == 1 {
            let _ = writeln!(text, "#define TENGEN_{name} 0x{:03x}u", register.offset);
        } else {
            let _ = writeln!(
                text,
                "#define TENGEN_{name}(i) (0x{:03x}u + 4u * (i))\n#define TENGEN_{name}_COUNT {}u",
                register.offset, register.count
            );
        }
        for field in register.fields {
            let mask = register.mask(field.name);
            let _ = writeln!(
                text,
                "#define TENGEN_{name}_{} 0x{mask:08x}u /* {} */",
                field.name, field.description
            );
            if field.width > 1 {
                let _ = writeln!(text, "#define TENGEN_{name}_{}_SHIFT {}", field.name, field.low);
            }
        }
    }
    let _ = writeln!(
        text,
        "\n/* What TENGEN_ID reads. */\n#define TENGEN_IDENTITY 0x{:08x}u",
        hdl::stream::IDENTITY
    );
    let _ = writeln!(
        text,
        "/* What TENGEN_DATA_OUT reads while no answer word waits. */\n#define TENGEN_EMPTY 0x{EMPTY:08x}u"
    );
    text.push_str(&codes("TENGEN_CONTROL", "TENGEN_DATA_IN"));
    text.push_str("\n/* wujian100's low-speed slots: address and CLIC number. */\n");
    for (number, slot) in SLOTS.iter().enumerate() {
        let _ = writeln!(text, "#define TENGEN_SLOT{number}_BASE 0x{:08x}u", slot.base);
        let _ = writeln!(text, "#define TENGEN_SLOT{number}_INTERRUPT {}", slot.interrupt);
    }
    text.push_str("\n#endif\n");
    text
}

/// Commands, answers and selectors; `control` and `data` name where words go.
fn codes(control: &str, data: &str) -> String {
    let mut text =
        format!("\n/* Command words for {control}; in brackets the words they take from {data}. */\n");
    for (command, _) in Command::ALL {
        let _ = writeln!(
            text,
            "#define TENGEN_COMMAND_{} {}u /* [{}] */",
            upper(&format!("{command:?}")),
            *command as u8,
            command.arguments()
        );
    }
    let _ = writeln!(
        text,
        "\n/* An answer is {ANSWER_WORDS} words: in both the status, in the first x, in the second y. */\n\
         #define TENGEN_ANSWER_WORDS {ANSWER_WORDS}\n#define TENGEN_ANSWER_STATUS(word) (((word) >> 8) & 0xffffffu)\n\
         #define TENGEN_ANSWER_COORDINATE(word) ((word) & 0xffu)"
    );
    for (status, _) in Status::ALL {
        let _ = writeln!(
            text,
            "#define TENGEN_ANSWER_{} 0x{:02x}u",
            upper(&format!("{status:?}")),
            *status as u8
        );
    }
    text.push_str("\n/* Selectors of TENGEN_COMMAND_READ. */\n");
    for (name, value) in selector::ALL {
        let _ = writeln!(text, "#define TENGEN_SELECT_{name} {value}u");
    }
    text
}

/// The header of the bare core, which has no registers: what goes over its streams.
pub fn stream_codes() -> String {
    format!(
        "/* SPDX-License-Identifier: MIT OR Apache-2.0 */\n/* The words of the core's streams. */\n#ifndef TENGEN_STREAM_H\n\
         #define TENGEN_STREAM_H\n\n/* First word of the answer to TENGEN_COMMAND_READ with TENGEN_SELECT_IDENTITY. */\n\
         #define TENGEN_IDENTITY 0x{:08x}u\n{}\n#endif\n",
        hdl::stream::IDENTITY,
        codes("s_axis_control", "s_axis_data"),
    )
}
