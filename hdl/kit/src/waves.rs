// SPDX-License-Identifier: MIT OR Apache-2.0
//! Waveforms as text, for tests that keep what a circuit does.

use super::simulator::Simulator;
use super::value::Value;
use std::fmt;

/// What some signals did, clock by clock: bits as lines, others in hexadecimal where they change.
#[derive(Clone, Debug, Default)]
pub struct Waves {
    rows: Vec<(String, Vec<Option<Value>>)>,
}

impl Waves {
    /// Of these signals; below a child `child.signal`.
    pub fn of(signals: &[&str]) -> Waves {
        Waves { rows: signals.iter().map(|name| (name.to_string(), Vec::new())).collect() }
    }

    /// Looks at them, as they are before the next edge.
    pub fn sample(&mut self, simulator: &mut Simulator) {
        for (name, values) in &mut self.rows {
            values.push(simulator.get(name));
        }
    }
}

/// Hexadecimal digits of a value, the highest first, without zeros before them.
fn digits(value: &Value) -> String {
    let all: String = value.words().iter().rev().map(|word| format!("{word:016x}")).collect();
    let shown = all.trim_start_matches('0');
    if shown.is_empty() { "0".into() } else { shown.into() }
}

impl fmt::Display for Waves {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = self.rows.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
        let is_bit = |value: &Option<Value>| value.as_ref().is_none_or(|value| value.width() == 1);
        let widest = |values: &[Option<Value>]| {
            let buses = values.iter().filter(|value| !is_bit(value)).flatten();
            buses.map(|value| digits(value).len() + 1).max().unwrap_or(0)
        };
        let cell = self.rows.iter().map(|(_, values)| widest(values)).max().unwrap_or(0).max(2);
        for (name, values) in &self.rows {
            write!(out, "{name:>names$} ")?;
            let mut before = &None;
            for value in values {
                match value {
                    None => write!(out, "{:?<cell$}", "")?,
                    Some(bit) if bit.width() == 1 => {
                        let line = if bit.low() == 1 { "▔" } else { "▁" };
                        write!(out, "{}", line.repeat(cell))?;
                    }
                    Some(_) if value == before => write!(out, "{:<cell$}", "")?,
                    Some(bus) => write!(out, "{:<cell$}", format!("|{}", digits(bus)))?,
                }
                before = value;
            }
            writeln!(out)?;
        }
        Ok(())
    }
}
