// SPDX-License-Identifier: MIT OR Apache-2.0
//! Records: one definition gives the widths of a bundle, its signals, its packed vector and the values in it.

/// Defines a record: a struct that is generic in what stands for a field, a width (`usize`), a [`Signal`](super::Signal) or a
/// value, the first field lowest in the packed vector.
#[macro_export]
macro_rules! record {
    ($(#[$about:meta])* pub struct $name:ident { $($(#[$field_about:meta])* $field:ident),+ $(,)? }) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct $name<T> { $($(#[$field_about])* pub $field: T),+ }

        #[allow(dead_code)]
        impl<T: Copy> $name<T> {
            /// The same with something else in every field.
            pub fn map<U>(self, mut of: impl FnMut(&'static str, T) -> U) -> $name<U> {
                $name { $($field: of(stringify!($field), self.$field)),+ }
            }

            /// Its fields, the lowest first.
            pub fn fields(self) -> Vec<(&'static str, T)> {
                vec![$((stringify!($field), self.$field)),+]
            }
        }

        #[allow(dead_code)]
        impl $name<usize> {
            /// Bits of the packed vector.
            pub fn width(self) -> usize {
                self.fields().iter().map(|(_, width)| width).sum()
            }

            /// An input port for each field.
            #[track_caller]
            pub fn inputs(self, module: &$crate::kit::typed::Module) -> $name<$crate::kit::typed::Signal<'_>> {
                self.map(|name, width| module.input(name, width))
            }

            /// The fields of a packed vector.
            #[track_caller]
            pub fn unpack<'m>(
                self,
                packed: $crate::kit::typed::Signal<'m>,
            ) -> $name<$crate::kit::typed::Signal<'m>> {
                let mut low = 0;
                self.map(|_, width| {
                    low += width;
                    packed.bits(low - width..low)
                })
            }

            /// The values in a packed vector, as co-simulation sees it; a field has at most 64 bits.
            pub fn values(self, packed: &$crate::kit::typed::Value) -> $name<u64> {
                let mut low = 0;
                self.map(|_, width| {
                    low += width;
                    packed.field(low - width, width)
                })
            }
        }

        #[allow(dead_code)]
        impl<'m> $name<$crate::kit::typed::Signal<'m>> {
            /// The packed vector.
            #[track_caller]
            pub fn pack(self) -> $crate::kit::typed::Signal<'m> {
                $crate::kit::typed::cat(self.fields().into_iter().rev().map(|(_, signal)| signal))
            }
        }
    };
}
