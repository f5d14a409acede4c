// SPDX-License-Identifier: MIT OR Apache-2.0
//! Records: one definition gives the widths of a bundle, its signals, its packed vector, its ports and the values in it.

/// One field of a packed vector.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// Name.
    pub name: &'static str,
    /// Lowest bit.
    pub offset: usize,
    /// Width in bits.
    pub width: usize,
}

/// The widths of a record, whichever: what reads packed vectors asks for.
pub trait Packed {
    /// A field by name.
    fn field(&self, name: &str) -> Field;
    /// All fields' names, the lowest first.
    fn names(&self) -> Vec<&'static str>;
    /// Bits of the packed vector.
    fn width(&self) -> usize;
}

/// Defines a record: a struct that is generic in what stands for a field, a width (`usize`), a [`Sig`](super::Sig) or a
/// value, the first field lowest in the packed vector. A width of 0 is a field that a configuration is without. What is written of a
/// field is printed beside a port of its name.
#[macro_export]
macro_rules! record {
    ($(#[$about:meta])* pub struct $name:ident { $($(#[doc = $doc:expr])+ $field:ident),+ $(,)? }) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct $name<T> { $($(#[doc = $doc])+ pub $field: T),+ }

        #[allow(dead_code)]
        impl<T: Copy> $name<T> {
            /// The same with something else in every field.
            pub fn map<U>(self, mut of: impl FnMut(&'static str, T) -> U) -> $name<U> {
                $name { $($field: of(stringify!($field), self.$field)),+ }
            }

            /// The same in every field.
            pub fn uniform(value: T) -> $name<T> {
                $name { $($field: value),+ }
            }

            /// Its fields, the lowest first.
            pub fn fields(self) -> Vec<(&'static str, T)> {
                vec![$((stringify!($field), self.$field)),+]
            }

            /// What is written of a field.
            pub fn about(field: &str) -> String {
                match field {
                    $(stringify!($field) => [$($doc),+].map(str::trim).join(" "),)+
                    _ => String::new(),
                }
            }
        }

        #[allow(dead_code)]
        impl $name<usize> {
            /// Bits of the packed vector.
            pub fn width(&self) -> usize {
                0 $(+ self.$field)+
            }

            /// A field by name.
            ///
            /// # Panics
            /// If there is none of that name.
            pub fn field(&self, name: &str) -> $crate::Field {
                let mut offset = 0;
                $(
                    if name == stringify!($field) {
                        return $crate::Field { name: stringify!($field), offset, width: self.$field };
                    }
                    offset += self.$field;
                )+
                let _ = offset;
                panic!("no field {name}")
            }

            /// Lowest bit and width of every field.
            pub fn places(self) -> $name<(usize, usize)> {
                let mut low = 0;
                self.map(|_, width| {
                    low += width;
                    (low - width, width)
                })
            }

            /// An input port for each field that there is.
            #[track_caller]
            pub fn inputs(self, module: &$crate::Module) -> $name<$crate::Sig<'_>> {
                self.map(|name, width| match width {
                    0 => module.zero(0),
                    _ => {
                        module.about(name, &Self::about(name));
                        module.input(name, width)
                    }
                })
            }

            /// The same at a pipeline stage.
            #[track_caller]
            pub fn inputs_at(
                self,
                stage: i32,
                module: &$crate::Module,
            ) -> $name<$crate::Sig<'_>> {
                self.inputs(module).map(|_, input| module.at_stage(input, stage))
            }

            /// The fields of a packed vector.
            #[track_caller]
            pub fn unpack<'m>(self, packed: $crate::Sig<'m>) -> $name<$crate::Sig<'m>> {
                let mut low = 0;
                self.map(|_, width| {
                    low += width;
                    if width == 0 { packed.nothing() } else { packed.bits(low - width..low) }
                })
            }

            /// A child's outputs of these names.
            #[track_caller]
            pub fn get<'m>(self, child: $crate::Instance<'m>) -> $name<$crate::Sig<'m>> {
                self.map(|name, width| if width == 0 { child.nothing() } else { child.get(name) })
            }

            /// The values in a packed vector, as co-simulation sees it; a field has at most 64 bits.
            pub fn values(self, packed: &$crate::Value) -> $name<u64> {
                let mut low = 0;
                self.map(|_, width| {
                    low += width;
                    packed.field(low - width, width)
                })
            }
        }

        impl $crate::Packed for $name<usize> {
            fn field(&self, name: &str) -> $crate::Field {
                $name::field(self, name)
            }

            fn names(&self) -> Vec<&'static str> {
                self.fields().into_iter().map(|(name, _)| name).collect()
            }

            fn width(&self) -> usize {
                $name::width(self)
            }
        }

        #[allow(dead_code)]
        impl<'m> $name<Option<$crate::Sig<'m>>> {
            /// Drives a child's inputs of these names, as far as they have been given.
            #[track_caller]
            pub fn drive_given(self, child: $crate::Instance<'m>) {
                for (name, signal) in self.fields() {
                    if let Some(signal) = signal.filter(|signal| signal.width > 0) {
                        child.drive(name, signal);
                    }
                }
            }
        }

        #[allow(dead_code)]
        impl<'m> $name<$crate::Sig<'m>> {
            /// The packed vector.
            #[track_caller]
            pub fn pack(self) -> $crate::Sig<'m> {
                $crate::cat(self.fields().into_iter().rev().map(|(_, signal)| signal))
            }

            /// One of two by a bit, field by field.
            #[track_caller]
            pub fn choose(
                test: $crate::Sig<'m>,
                set: $name<$crate::Sig<'m>>,
                clear: $name<$crate::Sig<'m>>,
            ) -> $name<$crate::Sig<'m>> {
                $name { $($field: test.mux(set.$field, clear.$field)),+ }
            }

            /// An output port for each field that there is.
            #[track_caller]
            pub fn outputs(self, module: &'m $crate::Module) {
                for (name, signal) in self.fields().into_iter().filter(|(_, signal)| signal.width > 0) {
                    module.about(name, &Self::about(name));
                    module.output(name, signal);
                }
            }

            /// Drives a child's inputs of these names.
            #[track_caller]
            pub fn drive(self, child: $crate::Instance<'m>) {
                for (name, signal) in self.fields().into_iter().filter(|(_, signal)| signal.width > 0) {
                    child.drive(name, signal);
                }
            }
        }
    };
}
