// SPDX-License-Identifier: MIT OR Apache-2.0
//! A circuit and all below it as Verilog modules.
//!
//! Each distinct module is printed once under its circuit's name, children before parents. The result depends on nothing but the
//! circuits, so it is the same bytes on every run.

use crate::Circuit;
use std::collections::{BTreeSet, HashMap};

/// The modules of a circuit.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Modules {
    /// Name of the top module.
    pub top: String,
    /// Names and texts, children before parents.
    pub texts: Vec<(String, String)>,
}

impl Modules {
    /// Prints a circuit and everything below it; module names get the prefix `PREFIX_`, in which a hyphen becomes an underscore.
    pub fn of(circuit: &Circuit, prefix: &str) -> Modules {
        let mut printer = Printer { prefix: prefix.replace('-', "_"), ..Printer::default() };
        let top = printer.place(circuit);
        Modules { top, texts: printer.order }
    }

    /// All texts, an empty line before each.
    pub fn verilog(&self) -> String {
        self.texts.iter().map(|(_, text)| format!("\n{text}")).collect()
    }
}

/// Modules printed so far.
#[derive(Default)]
struct Printer {
    prefix: String,
    /// Final name by text (without the name).
    by_text: HashMap<String, String>,
    taken: BTreeSet<String>,
    order: Vec<(String, String)>,
}

impl Printer {
    /// Places a circuit's module behind those below it; returns its final name.
    fn place(&mut self, circuit: &Circuit) -> String {
        let below: Vec<String> = circuit.children().iter().map(|(_, child)| self.place(child)).collect();
        let body = circuit.verilog(&below);
        if let Some(name) = self.by_text.get(&body) {
            return name.clone();
        }
        let base = format!("{}_{}", self.prefix, circuit.kind());
        let mut name = base.clone();
        let mut number = 1;
        while !self.taken.insert(name.clone()) {
            number += 1;
            name = format!("{base}_{number}");
        }
        self.order.push((name.clone(), format!("module {name}{body}endmodule\n")));
        self.by_text.insert(body, name.clone());
        name
    }
}
