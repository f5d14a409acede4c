// SPDX-License-Identifier: MIT OR Apache-2.0
//! States of a machine: their names stand once, for the circuit, its Verilog and for who watches it.

/// Bits of a register that holds one of so many states.
pub const fn state_bits(states: usize) -> usize {
    (usize::BITS - (states - 1).leading_zeros()) as usize
}

/// Values with names: an enum whose variants are numbered from 0 as they come.
pub trait States: Copy {
    /// Their names in the Verilog.
    const NAMES: &'static [&'static str];
    /// Bits of a register that holds one.
    const BITS: usize = state_bits(Self::NAMES.len());
    /// Its number.
    fn code(self) -> u64;
}

/// Defines an enum of states with the names that they have in the Verilog.
#[macro_export]
macro_rules! states {
    ($(#[$about:meta])* pub enum $name:ident { $($(#[$state_about:meta])* $state:ident = $text:literal),+ $(,)? }) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum $name { $($(#[$state_about])* $state),+ }

        impl $crate::States for $name {
            const NAMES: &'static [&'static str] = &[$($text),+];
            fn code(self) -> u64 {
                self as u64
            }
        }

        impl From<$name> for $crate::Number {
            fn from(state: $name) -> $crate::Number {
                $crate::Number(state as u64)
            }
        }

        impl<'m> $crate::Operand<'m> for $name {
            #[track_caller]
            fn of_width(self, of: &'m $crate::Description, width: usize) -> $crate::Sig<'m> {
                of.state(<$name as $crate::States>::NAMES[self as usize], self as u64, width)
            }

            fn own_width(&self) -> Option<usize> {
                Some(<$name as $crate::States>::BITS)
            }
        }
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_hold_all_states() {
        assert_eq!([1, 2, 3, 8, 9].map(state_bits), [0, 1, 2, 3, 4]);
    }
}
