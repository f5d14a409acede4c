// SPDX-License-Identifier: MIT OR Apache-2.0
//! The register map: one definition for the RTL decoder, the firmware's header, the SVD file, drivers and documents.
//!
//! 32-bit registers in a window of [`WINDOW_BYTES`] bytes. No access stalls and none is refused: what cannot be done is
//! dropped and told by [`ERRORS`]. Offsets without a register read 0 and ignore writes; a window larger than
//! [`WINDOW_BYTES`] shows the registers again and again.

/// Bytes of the window that the registers are decoded in.
pub const WINDOW_BYTES: u32 = 4096;
/// What [`DATA_OUT`] reads while no answer word waits. A word of a `Read` answer may have that value as well.
pub const EMPTY: u32 = 0xffff_ffff;

/// What software may do with a register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// Reading changes nothing, writing is ignored.
    Read,
    /// Keeps what is written, lane by lane.
    ReadWrite,
    /// Writing byte lane 0 pushes a word, in which the lanes that are not written are 0; reads 0.
    Push,
    /// Reading byte lane 0 takes a word away; writing is ignored.
    Pop,
    /// Bits written as 1 are cleared.
    WriteOneToClear,
}

/// Some bits of a register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    /// Name, upper case.
    pub name: &'static str,
    /// Lowest bit.
    pub low: u32,
    /// Width in bits.
    pub width: u32,
    /// What it says.
    pub description: &'static str,
}

/// A register, or several in a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Register {
    /// Name, upper case.
    pub name: &'static str,
    /// Byte offset of the first.
    pub offset: u32,
    /// How many in a row.
    pub count: u32,
    /// What software may do.
    pub access: Access,
    /// Value after reset, if every core has the same.
    pub reset: Option<u32>,
    /// What it is.
    pub description: &'static str,
    /// Its parts; none: the register is one number.
    pub fields: &'static [Field],
}

impl Register {
    /// What a write does beside writing, in the words of IP-XACT and SVD.
    pub fn write_effect(&self) -> Option<&'static str> {
        (self.access == Access::WriteOneToClear).then_some("oneToClear")
    }

    /// What a read does beside reading, in the words of IP-XACT and SVD.
    pub fn read_effect(&self) -> Option<&'static str> {
        (self.access == Access::Pop || *self == CYCLES_LOW).then_some("modify")
    }

    /// Whether the core changes it by itself.
    pub fn is_volatile(&self) -> bool {
        let constant = [ID, VERSION, CONFIGURATION].contains(self);
        !constant && matches!(self.access, Access::Read | Access::Pop | Access::WriteOneToClear)
    }

    /// The field `name` of the register as a mask.
    ///
    /// # Panics
    /// If the register has no such field.
    pub fn mask(&self, name: &str) -> u32 {
        let field = self.field(name);
        (((1u64 << field.width) - 1) << field.low) as u32
    }

    /// The field `name` of `word`.
    ///
    /// # Panics
    /// If the register has no such field.
    pub fn get(&self, name: &str, word: u32) -> u32 {
        (word & self.mask(name)) >> self.field(name).low
    }

    /// The field `name`.
    ///
    /// # Panics
    /// If the register has no such field.
    pub fn field(&self, name: &str) -> &'static Field {
        let found = self.fields.iter().find(|field| field.name == name);
        found.unwrap_or_else(|| panic!("{} has no field {name}", self.name))
    }
}

const fn bit(name: &'static str, low: u32, description: &'static str) -> Field {
    Field { name, low, width: 1, description }
}

const fn bits(name: &'static str, low: u32, width: u32, description: &'static str) -> Field {
    Field { name, low, width, description }
}

const fn read(name: &'static str, offset: u32, description: &'static str) -> Register {
    Register { name, offset, count: 1, access: Access::Read, reset: None, description, fields: &[] }
}

const fn counter(name: &'static str, offset: u32, description: &'static str) -> Register {
    Register { reset: Some(0), ..read(name, offset, description) }
}

/// "TENG".
pub const ID: Register = Register {
    reset: Some(hdl::stream::IDENTITY),
    ..read("ID", 0x000, "identity: \"TENG\" in ASCII, T highest")
};
/// Version of the core.
pub const VERSION: Register = Register {
    fields: &[
        bits("PATCH", 0, 8, "patch"),
        bits("MINOR", 8, 8, "minor version"),
        bits("MAJOR", 16, 8, "major version"),
    ],
    ..read("VERSION", 0x004, "version of the core")
};
/// The core's configuration.
pub const CONFIGURATION: Register = Register {
    fields: &[
        bits("COLUMNS", 0, 8, "columns of the board"),
        bits("ROWS", 8, 8, "rows of the board"),
        bits("IN_A_ROW", 16, 8, "stones in a row that win"),
        bits("LEVELS", 24, 8, "search levels built"),
    ],
    ..read("CONFIGURATION", 0x008, "what the core was built for")
};
/// A word for bring-up.
pub const SCRATCH: Register = Register {
    access: Access::ReadWrite,
    reset: Some(0),
    ..read("SCRATCH", 0x00c, "keeps what is written: to see that the bus works, lane by lane")
};
/// Command words.
pub const CONTROL: Register = Register {
    access: Access::Push,
    reset: Some(0),
    ..read(
        "CONTROL",
        0x010,
        "pushes a command word; dropped if STATUS.CONTROL_ROOM is 0 (ERRORS.CONTROL_DROPPED)",
    )
};
/// Argument words.
pub const DATA_IN: Register = Register {
    access: Access::Push,
    reset: Some(0),
    ..read(
        "DATA_IN",
        0x014,
        "pushes an argument word; dropped if STATUS.DATA_ROOM is 0 (ERRORS.DATA_DROPPED)",
    )
};
/// Answer words.
pub const DATA_OUT: Register = Register {
    access: Access::Pop,
    reset: Some(EMPTY),
    ..read(
        "DATA_OUT",
        0x018,
        "takes the next answer word; reads all ones if none waits (ERRORS.EMPTY_READ; check STATUS.ANSWER first)",
    )
};
/// State of the streams.
pub const STATUS: Register = Register {
    reset: Some(0x0000_000c),
    fields: &[
        bit("ANSWER", 0, "an answer word waits in DATA_OUT"),
        bit("LAST", 1, "the word that waits is the last of its answer"),
        bit("CONTROL_ROOM", 2, "the next write to CONTROL is taken"),
        bit("DATA_ROOM", 3, "the next write to DATA_IN is taken"),
        bit(
            "BUSY",
            4,
            "the core plays a move or searches; goes low for one clock within Play: wait for ANSWER instead",
        ),
        bit("ERROR", 5, "a bit of ERRORS is set"),
    ],
    ..read("STATUS", 0x01c, "state of the streams; poll it, or use the interrupt")
};
/// What went wrong.
pub const ERRORS: Register = Register {
    access: Access::WriteOneToClear,
    reset: Some(0),
    fields: &[
        bit("CONTROL_DROPPED", 0, "a write to CONTROL found no room"),
        bit("DATA_DROPPED", 1, "a write to DATA_IN found no room"),
        bit("EMPTY_READ", 2, "a read of DATA_OUT found no word"),
    ],
    ..read("ERRORS", 0x020, "accesses that could not be carried out, until cleared")
};
/// What may interrupt.
pub const INTERRUPT_ENABLE: Register = Register {
    access: Access::ReadWrite,
    reset: Some(0),
    fields: &[bit("ANSWER", 0, "interrupt while an answer word waits")],
    ..read("INTERRUPT_ENABLE", 0x024, "what drives the interrupt line (level, active high)")
};
/// What interrupts.
pub const INTERRUPT_STATUS: Register = Register {
    reset: Some(0),
    fields: &[bit("ANSWER", 0, "an answer word waits and its interrupt is enabled")],
    ..read("INTERRUPT_STATUS", 0x028, "the interrupt line's cause; falls when the answer has been read")
};
/// Clock cycles, low word.
pub const CYCLES_LOW: Register =
    counter("CYCLES_LOW", 0x040, "clock cycles of the last search, low word; reading it holds CYCLES_HIGH");
/// Clock cycles, high word.
pub const CYCLES_HIGH: Register =
    counter("CYCLES_HIGH", 0x044, "clock cycles of the last search, high word as CYCLES_LOW was read");
/// Registers that show one counter of the core, with the name of its port.
pub const COUNTERS: [(&str, Register); 7] = [
    (
        "passes",
        counter(
            "PASSES",
            0x048,
            "evaluator passes of the last search; counters begin anew with a search and count while it runs",
        ),
    ),
    ("stale", counter("STALE", 0x04c, "results among them that were dropped as stale")),
    ("orders", counter("ORDERS", 0x050, "passes among them that asked for further moves in order")),
    ("waits_order", counter("WAITS_ORDER", 0x054, "clocks without a pass while one of those was waited for")),
    (
        "waits_first",
        counter("WAITS_FIRST", 0x058, "clocks without a pass while siblings waited for a first child"),
    ),
    (
        "waits_context",
        counter("WAITS_CONTEXT", 0x05c, "clocks without a pass while moves waited for a free context"),
    ),
    ("misses", counter("MISSES", 0x060, "clocks lost to a visit that found no move")),
];
/// The limit of searches.
pub const LIMIT: Register = counter(
    "LIMIT",
    0x064,
    "clock cycles within which a search ends, as the command Limit set them; 0: no limit",
);
/// Levels of the last decision.
pub const DECIDED_LEVELS: Register =
    counter("DECIDED_LEVELS", 0x068, "levels of the search that the last decision comes from");
/// Plies that a register counts the nodes of.
pub const PLIES: u32 = 18;
/// Nodes by ply.
pub const NODES: Register = Register {
    count: PLIES,
    ..counter(
        "NODES",
        0x080,
        "nodes of the last search, one register a ply from the root's moves on; 0 where none is built",
    )
};

/// Every register, in order of offset.
pub fn registers() -> Vec<Register> {
    let mut all = vec![
        ID,
        VERSION,
        CONFIGURATION,
        SCRATCH,
        CONTROL,
        DATA_IN,
        DATA_OUT,
        STATUS,
        ERRORS,
        INTERRUPT_ENABLE,
        INTERRUPT_STATUS,
        CYCLES_LOW,
        CYCLES_HIGH,
    ];
    all.extend(COUNTERS.iter().map(|(_, register)| *register));
    all.extend([LIMIT, DECIDED_LEVELS, NODES]);
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn registers_do_not_overlap_and_fit_the_window() {
        let all = registers();
        let mut end = 0;
        for register in &all {
            assert!(register.offset >= end && register.offset % 4 == 0, "{}", register.name);
            end = register.offset + 4 * register.count;
        }
        assert!(end <= WINDOW_BYTES);
    }

    #[test]
    fn fields_do_not_overlap_and_names_differ() {
        let all = registers();
        for register in &all {
            let mut end = 0;
            for field in register.fields {
                assert!(field.low >= end && field.width > 0, "{}.{}", register.name, field.name);
                end = field.low + field.width;
            }
            assert!(end <= 32);
            assert_eq!(all.iter().filter(|other| other.name == register.name).count(), 1);
        }
    }

    #[test]
    fn every_path_the_core_can_build_has_its_counter() {
        use engine_model::config::{MAX_EXTENSIONS, MAX_LEVELS};
        assert_eq!(PLIES as usize, MAX_LEVELS + MAX_EXTENSIONS);
    }
}
