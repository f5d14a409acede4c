// SPDX-License-Identifier: MIT OR Apache-2.0
//! The register map, the serial protocols and the SoC's numbers for other readers than this crate. What is checked in is compared with these texts by a test.

pub mod c_header;
pub mod markdown;
mod origin;
pub mod serial_page;
pub mod soc_header;
pub mod svd;
pub mod wire_header;

/// Checked-in projections: path from the workspace's root, and the text.
pub fn files() -> [(&'static str, String); 6] {
    [
        ("soc-integration/firmware/tengen_regs.h", c_header::text()),
        ("soc-integration/tengen.svd", svd::text()),
        ("docs/register-map.md", markdown::text()),
        ("soc-integration/firmware/tengen_wire.h", wire_header::text()),
        ("soc-integration/firmware/wujian100.h", soc_header::text()),
        ("docs/serial-protocol.md", serial_page::text()),
    ]
}
