// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a run has moved: which bits of which signals changed, and which conditions of multiplexers and registers were met both ways.
//! What never was, nobody has checked.

use kit::Choice;
use std::collections::BTreeMap;
use std::fmt::Write;

/// Changes by circuit and signal, all instances of a circuit together.
#[derive(Clone, Debug, Default)]
pub struct Coverage {
    /// Of each bit by its number.
    signals: BTreeMap<(String, String), BTreeMap<usize, u64>>,
    /// Why counts could not be had.
    lost: Option<String>,
}

/// Of a circuit, or of all.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Covered {
    /// Bits of its signals, ports included.
    pub bits: usize,
    /// Those that changed.
    pub changed: usize,
    /// Conditions.
    pub choices: usize,
    /// Those that were met and were not met.
    pub both: usize,
}

/// What a run did not move.
#[derive(Clone, Debug, Default)]
pub struct Uncovered {
    /// By circuit.
    pub circuits: BTreeMap<String, Covered>,
    /// Circuit, signal, bits that never changed, of how many.
    pub signals: Vec<(String, String, Vec<usize>, usize)>,
    /// Conditions that never were or always.
    pub choices: Vec<Choice>,
}

/// A field of a record of Verilator's: what stands behind its letter or word.
fn field<'t>(record: &'t str, key: &str) -> Option<&'t str> {
    let mut fields = record.split('\u{1}').skip(1).map(|field| field.split_once('\u{2}'));
    fields.find_map(|field| field.filter(|(name, _)| *name == key).map(|(_, value)| value))
}

/// Newer Verilators count a bit's rising and falling apart, under names that end so.
const EDGES: [&str; 2] = [":0->1", ":1->0"];

/// A name of Verilator's for a bit, as `name[3]`, or of a signal of one bit.
fn bit(name: &str) -> (&str, usize) {
    let name = EDGES.iter().find_map(|edge| name.strip_suffix(edge)).unwrap_or(name);
    let index = name.strip_suffix(']').and_then(|name| name.rsplit_once('['));
    match index.map(|(signal, index)| (signal, index.parse())) {
        Some((signal, Ok(index))) => (signal, index),
        _ => (name, 0),
    }
}

impl Coverage {
    /// Adds the counts of a model, if it counts.
    pub fn add(&mut self, counts: Option<std::io::Result<String>>) {
        match counts {
            Some(Ok(text)) => self.add_text(&text),
            Some(Err(error)) => {
                self.lost = Some(format!("counts of changes cannot be written and read: {error}"))
            }
            None => {}
        }
    }

    fn add_text(&mut self, text: &str) {
        for line in text.lines() {
            let Some((record, count)) = line.strip_prefix("C '").and_then(|line| line.rsplit_once("' "))
            else {
                continue;
            };
            let (Some(page), Some(name)) = (field(record, "page"), field(record, "o")) else { continue };
            let Some(module) = page.strip_prefix("v_toggle/") else { continue };
            let (signal, index) = bit(name);
            let bits = self.signals.entry((module.into(), signal.into())).or_default();
            *bits.entry(index).or_default() += count.parse::<u64>().unwrap_or(0);
        }
    }

    /// What has not moved: of modules that begin with a prefix, which their circuits' names do without; `choices` are the conditions.
    pub fn uncovered(&self, prefix: &str, choices: &[Choice]) -> Result<Uncovered, String> {
        if let Some(lost) = &self.lost {
            return Err(lost.clone());
        }
        let mut uncovered = Uncovered::default();
        let by_name: BTreeMap<(&str, &str), &Choice> =
            choices.iter().map(|choice| ((&*choice.circuit, &*choice.signal), choice)).collect();
        let mut open: BTreeMap<(&str, &str), bool> = by_name.keys().map(|key| (*key, false)).collect();
        for ((module, signal), bits) in &self.signals {
            let circuit = module.strip_prefix(prefix).unwrap_or(module);
            let idle: Vec<usize> =
                bits.iter().filter(|(_, count)| **count == 0).map(|(bit, _)| *bit).collect();
            if let Some(met) = open.get_mut(&(circuit, &**signal)) {
                *met |= idle.is_empty();
            }
            // A condition that has no name in the core's own text counts as one, not as a signal.
            if by_name.get(&(circuit, &**signal)).is_some_and(|choice| choice.text != choice.signal) {
                continue;
            }
            let covered = uncovered.circuits.entry(circuit.into()).or_default();
            covered.bits += bits.len();
            covered.changed += bits.len() - idle.len();
            if !idle.is_empty() {
                uncovered.signals.push((circuit.into(), signal.clone(), idle, bits.len()));
            }
        }
        for (key, met) in open {
            let covered = uncovered.circuits.entry(key.0.into()).or_default();
            covered.choices += 1;
            covered.both += usize::from(met);
            if !met {
                uncovered.choices.push(by_name[&key].clone());
            }
        }
        Ok(uncovered)
    }
}

impl Uncovered {
    /// Of all circuits.
    pub fn total(&self) -> Covered {
        self.circuits.values().fold(Covered::default(), |sum, one| Covered {
            bits: sum.bits + one.bits,
            changed: sum.changed + one.changed,
            choices: sum.choices + one.choices,
            both: sum.both + one.both,
        })
    }

    /// As a text: a table of circuits, then each signal and each condition.
    pub fn text(&self) -> String {
        let mut out = String::new();
        let width = self.circuits.keys().map(String::len).max().unwrap_or(0);
        let _ = writeln!(out, "{:width$}  {:>15}  {:>15}", "circuit", "bits changed", "choices both");
        for (circuit, covered) in &self.circuits {
            let Covered { bits, changed, choices, both } = covered;
            let _ = writeln!(out, "{circuit:width$}  {changed:7}/{bits:7}  {both:7}/{choices:7}");
        }
        let _ = writeln!(out, "\nSignals of which these bits never changed:");
        for (circuit, signal, idle, bits) in &self.signals {
            let idle = if idle.len() == *bits { "all".into() } else { ranges(idle) };
            let _ = writeln!(out, "{circuit}: {signal}: {idle} of {bits}");
        }
        let _ = writeln!(out, "\nConditions that were never met, or always:");
        for choice in &self.choices {
            let _ = writeln!(out, "{choice}");
        }
        out
    }
}

/// Numbers in their order, neighbours together.
fn ranges(numbers: &[usize]) -> String {
    let mut parts: Vec<(usize, usize)> = Vec::new();
    for &number in numbers {
        match parts.last_mut() {
            Some((_, last)) if *last + 1 == number => *last = number,
            _ => parts.push((number, number)),
        }
    }
    let part = |(first, last): &(usize, usize)| match first == last {
        true => first.to_string(),
        false => format!("{first}-{last}"),
    };
    parts.iter().map(part).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_are_read_bit_by_bit() {
        let record = |name: &str, count: u64| {
            format!(
                "C '\u{1}f\u{2}a.v\u{1}l\u{2}7\u{1}page\u{2}v_toggle/small_best\u{1}o\u{2}{name}\u{1}h\u{2}TOP.x' {count}\n"
            )
        };
        let text = ["a[0]", "a[1]", "a[3]"].map(|name| record(name, 0)).concat()
            + &record("a[2]", 4)
            + &record("b:0->1", 1)
            + &record("b:1->0", 0);
        let mut coverage = Coverage::default();
        coverage.add(Some(Ok(format!("# SystemC::Coverage-3\n{text}"))));
        coverage.add(Some(Ok(record("a[0]", 2))));
        let uncovered = coverage.uncovered("small_", &[]).unwrap();
        assert_eq!(uncovered.total(), Covered { bits: 5, changed: 3, choices: 0, both: 0 });
        assert_eq!(uncovered.signals, [("best".into(), "a".into(), vec![1, 3], 4)]);
        assert!(uncovered.text().contains("best: a: 1, 3 of 4"), "{}", uncovered.text());
        coverage.add(Some(Err(std::io::Error::other("full"))));
        assert!(coverage.uncovered("small_", &[]).is_err());
    }

    #[test]
    fn neighbours_stand_together() {
        assert_eq!(ranges(&[0, 1, 2, 5, 7, 8]), "0-2, 5, 7-8");
    }
}
