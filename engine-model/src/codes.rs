// SPDX-License-Identifier: MIT OR Apache-2.0
//! Enumerations of one-byte codes whose documentation is data too: protocols and their documents are written from it.

/// An enumeration of codes, each with a doc comment; its `ALL` lists them with that text, `from_code` finds one.
#[macro_export]
macro_rules! codes {
    ($(#[$doc:meta])* $name:ident { $($(#[doc = $text:literal])* $variant:ident = $code:literal,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[repr(u8)]
        pub enum $name { $($(#[doc = $text])* $variant = $code,)* }

        impl $name {
            /// All of them with their description.
            pub const ALL: &'static [($name, &'static str)] = &[$(($name::$variant, concat!($($text,)*)),)*];

            /// The one with this code.
            pub fn from_code(code: u8) -> Option<$name> {
                Self::ALL.iter().map(|(value, _)| *value).find(|value| *value as u8 == code)
            }
        }
    };
}
