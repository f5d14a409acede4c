// SPDX-License-Identifier: MIT OR Apache-2.0
//! What can be wrong with a description, before any tool sees it.

use std::fmt;
use std::panic::Location;

/// One mistake: in which circuit, of which signal, on which line of Rust.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DesignError {
    /// Module.
    pub circuit: String,
    /// Where it was written.
    pub place: &'static Location<'static>,
    /// What is wrong.
    pub mistake: Mistake,
}

/// What can be wrong.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Mistake {
    /// Two widths meet.
    #[error("{signal} has {width} bits where {due} are due")]
    Width {
        /// Signal.
        signal: String,
        /// Its bits.
        width: usize,
        /// The other's.
        due: usize,
    },
    /// A number is too large.
    #[error("{value} does not fit {width} bits")]
    Number {
        /// The number.
        value: u64,
        /// Bits.
        width: usize,
    },
    /// Bits that are not there.
    #[error("bits {low} to {high} of {signal}, which has {width}")]
    Range {
        /// Signal.
        signal: String,
        /// Lowest bit asked for.
        low: usize,
        /// Highest.
        high: usize,
        /// Bits there are.
        width: usize,
    },
    /// A name that is taken.
    #[error("{name} is declared twice, first at {first}")]
    Name {
        /// The name.
        name: String,
        /// Where the other one is.
        first: &'static Location<'static>,
    },
    /// A name that a tool takes for something else.
    #[error("{name} is a keyword of {language}: find another name")]
    Keyword {
        /// The name.
        name: String,
        /// Language of a tool that may read the circuit.
        language: &'static str,
    },
    /// A table has two values for one code.
    #[error("{table} has code {code} twice")]
    Code {
        /// Name of the table.
        table: String,
        /// The code.
        code: u64,
    },
    /// Nobody gives it a value.
    #[error("{signal} is never driven")]
    Undriven {
        /// Signal.
        signal: String,
    },
    /// Two do.
    #[error("{signal} is driven twice")]
    DrivenTwice {
        /// Signal.
        signal: String,
    },
    /// Only registers are set at an edge, only declared wires are driven.
    #[error("{signal} is no {due}")]
    Kind {
        /// Signal.
        signal: String,
        /// What it would have to be.
        due: &'static str,
    },
    /// A register with a reset and one without in one block.
    #[error("{signal} has {} reset, unlike {other}, which is set at the same edge: give each a block of its own", if *.has { "a" } else { "no" })]
    Reset {
        /// Signal.
        signal: String,
        /// Whether it has one.
        has: bool,
        /// Another of the block.
        other: String,
    },
    /// A register has a reset value, but its module no reset.
    #[error("{signal} has a reset value, but the module no reset")]
    NoReset {
        /// Signal.
        signal: String,
    },
    /// A memory is written in a block that reset acts on.
    #[error(
        "memory {signal} is written where registers are reset: it has no reset, give it a block of its own"
    )]
    MemoryReset {
        /// The memory.
        signal: String,
    },
    /// A child has no such port.
    #[error("{signal} has no such port: {port}")]
    Port {
        /// The child's instance.
        signal: String,
        /// What was asked for.
        port: String,
    },
    /// A state is written where its machine is not declared.
    #[error("{signal} is no state that has been declared")]
    State {
        /// The state.
        signal: String,
    },
    /// Two pipeline stages meet.
    #[error("{whole} joins stage {stage} ({signal}) and stage {unlike} ({other})")]
    Stage {
        /// What they meet in.
        whole: String,
        /// A signal of one.
        signal: String,
        /// Its stage, in clocks.
        stage: i32,
        /// A signal of the other.
        other: String,
        /// Its stage.
        unlike: i32,
    },
    /// A signal is wanted before it is there.
    #[error("{signal} comes at stage {stage}, after stage {due} where it is wanted")]
    Late {
        /// The signal.
        signal: String,
        /// Its stage, in clocks.
        stage: i32,
        /// The stage asked for.
        due: i32,
    },
    /// A wire depends on itself.
    #[error("a combinational loop: {}", names.join(" -> "))]
    Loop {
        /// Names along it.
        names: Vec<String>,
    },
}

impl fmt::Display for DesignError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}: {}: {}", self.place, self.circuit, self.mistake)
    }
}

/// All mistakes of a description, in the order in which they were made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DesignErrors(pub Vec<DesignError>);

impl fmt::Display for DesignErrors {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|error| writeln!(out, "{error}"))
    }
}

impl std::error::Error for DesignErrors {}
