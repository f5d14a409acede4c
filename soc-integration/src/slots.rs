// SPDX-License-Identifier: MIT OR Apache-2.0
//! wujian100's low-speed slots (XUANTIE-RV/wujian100_open at 83e2975: `soc/ls_sub_top.v`, `soc/matrix.v`,
//! `soc/core_top.v`).

/// A place for an AHB-Lite slave.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slot {
    /// Base address.
    pub base: u32,
    /// Bytes decoded to it.
    pub bytes: u32,
    /// Number of its interrupt in the CLIC; level, active high.
    pub interrupt: u32,
    /// Instance in the SoC's source.
    pub instance: &'static str,
}

/// The module that stands in every slot of the unchanged SoC.
pub const EMPTY_SLOT: &str = "ahb_dummy_top";
/// The port that a slot has beyond [`EMPTY_SLOT`]'s: the matrix holds no address phase.
pub const TIED: &str = ".hready_in(1'b1),";
/// The file of the SoC that instantiates them.
pub const SLOT_FILE: &str = "soc/ls_sub_top.v";
/// Interrupts that the vendor SDK's vector tables have room for.
pub const SDK_VECTORS: u32 = 48;

/// Slots 0 to 3.
pub const SLOTS: [Slot; 4] = [
    Slot { base: 0x4020_0000, bytes: 0x1000, interrupt: 46, instance: "x_lsbus_dummy_top0" },
    Slot { base: 0x4030_0000, bytes: 0x10_0000, interrupt: 47, instance: "x_lsbus_dummy_top1" },
    Slot { base: 0x7000_0000, bytes: 0x800_0000, interrupt: 48, instance: "x_lsbus_dummy_top2" },
    Slot { base: 0x7800_0000, bytes: 0x800_0000, interrupt: 49, instance: "x_lsbus_dummy_top3" },
];

impl Slot {
    /// The line of [`SLOT_FILE`] that changes, before and after, for a top module `module`.
    pub fn change(&self, module: &str) -> (String, String) {
        let line = |module: &str, tied: &str| format!("{module}  {} ({tied}", self.instance);
        (line(EMPTY_SLOT, ""), line(module, &format!(" {TIED}")))
    }

    /// Whether the vendor SDK's interrupt tables reach to its interrupt.
    pub fn fits_sdk(&self) -> bool {
        self.interrupt < SDK_VECTORS
    }
}
