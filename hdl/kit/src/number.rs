// SPDX-License-Identifier: MIT OR Apache-2.0
//! Numbers that stand for constants.

/// A number of a constant, or of a register's reset.
pub struct Number(pub u64);

macro_rules! numbers {
    ($($number:ident)*) => { $(
        impl From<$number> for Number {
            /// A negative number is one that fits no signal.
            fn from(value: $number) -> Number {
                Number(u64::try_from(value).unwrap_or(u64::MAX))
            }
        }
    )* };
}
numbers! { u64 usize i32 }

impl From<bool> for Number {
    fn from(value: bool) -> Number {
        Number(u64::from(value))
    }
}
