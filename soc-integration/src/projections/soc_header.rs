// SPDX-License-Identifier: MIT OR Apache-2.0
//! What of wujian100 the firmware touches, as a C header.

use crate::wujian100::{
    CLIC_CONFIGURATION, CLIC_ENABLE, CLIC_PRIORITY, CORET, CORET_BITS, CORET_INTERRUPT, CORET_REGISTERS,
    INTERRUPTS, USI_BITS, USI_FIFO, USI_OVERSAMPLING, USI_REGISTERS, USI0, USI0_INTERRUPT,
};
use std::fmt::Write;

/// The header.
pub fn text() -> String {
    let mut text = String::from(
        "/* SPDX-License-Identifier: MIT OR Apache-2.0 */\n\
         /* Generated from soc-integration/src/wujian100.rs by `UPDATE_EXPECT=1 cargo test -p soc-integration`. */\n\
         #ifndef WUJIAN100_H\n#define WUJIAN100_H\n\n",
    );
    for (name, value) in [
        ("USI0_BASE", USI0),
        ("CORET_BASE", CORET),
        ("CLIC_ENABLE", CLIC_ENABLE),
        ("CLIC_PRIORITY", CLIC_PRIORITY),
        ("CLIC_CONFIGURATION", CLIC_CONFIGURATION),
    ] {
        let _ = writeln!(text, "#define {name} 0x{value:08x}u");
    }
    for (name, value) in [
        ("USI0_INTERRUPT", USI0_INTERRUPT),
        ("CORET_INTERRUPT", CORET_INTERRUPT),
        ("CLIC_INTERRUPTS", INTERRUPTS),
        ("USI_FIFO_BYTES", USI_FIFO as u32),
        ("USI_OVERSAMPLING", USI_OVERSAMPLING),
    ] {
        let _ = writeln!(text, "#define {name} {value}u");
    }
    for (prefix, list) in
        [("USI", USI_REGISTERS), ("USI", USI_BITS), ("CORET", CORET_REGISTERS), ("CORET", CORET_BITS)]
    {
        text.push('\n');
        for (name, value) in list {
            let _ = writeln!(text, "#define {prefix}_{name} 0x{value:x}u");
        }
    }
    text.push_str("\n#endif\n");
    text
}
