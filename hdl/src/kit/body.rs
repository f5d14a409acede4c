// SPDX-License-Identifier: MIT OR Apache-2.0
//! Verilog text of a circuit's body, built line by line.
//!
//! A "plane" is a vector with one bit per cell (index y * columns + x). Counting and adding on planes is bit-sliced: a
//! number per cell is a list of planes, least significant first.

use std::collections::BTreeMap;
use std::fmt::Write;

/// The lines of one module body. Names are made unique by a number.
#[derive(Default)]
pub struct Body {
    text: String,
    used: BTreeMap<String, usize>,
}

/// A constant of `width` bits.
pub fn constant(width: usize, value: usize) -> String {
    format!("{width}'d{value}")
}

/// A constant vector from its bits, least significant first.
pub fn hex(bits: &[bool]) -> String {
    let digits: String = bits
        .chunks(4)
        .rev()
        .map(|nibble| {
            let value = nibble.iter().enumerate().map(|(i, &b)| u32::from(b) << i).sum::<u32>();
            char::from_digit(value, 16).expect("a nibble is below 16")
        })
        .collect();
    format!("{}'h{digits}", bits.len())
}

/// Declaration range of `width` bits, with a blank behind; nothing for one bit.
pub fn range(width: usize) -> String {
    if width == 1 { String::new() } else { format!("[{}:0] ", width - 1) }
}

/// A bit for each of `count` numbers, the lowest bit first of all: whether `signal` is that number.
pub fn one_hot(signal: &str, width: usize, count: usize) -> String {
    let bits: Vec<String> =
        (0..count).rev().map(|number| format!("({signal} == {})", constant(width, number))).collect();
    format!("{{{}}}", bits.join(", "))
}

impl Body {
    /// An empty body.
    pub fn new() -> Body {
        Body::default()
    }

    /// The text.
    pub fn finish(self) -> String {
        self.text
    }

    /// Appends raw lines.
    pub fn raw(&mut self, lines: impl AsRef<str>) {
        self.text.push_str(lines.as_ref().trim_matches('\n'));
        self.text.push('\n');
    }

    /// Appends a comment line.
    pub fn comment(&mut self, text: &str) {
        let _ = writeln!(self.text, "// {text}");
    }

    /// A name that has not been used in this body: the hint, or the hint with a number. For names that nobody writes as
    /// they are; those are declared by `named_...`.
    #[must_use = "the name may have a number: write what is returned, or declare it by its exact name"]
    pub fn unique(&mut self, hint: &str) -> String {
        let count = self.used.entry(hint.to_string()).or_insert(0);
        *count += 1;
        if *count == 1 { hint.to_string() } else { format!("{hint}_n{count}") }
    }

    /// Takes a name that is written as it is elsewhere in the body.
    ///
    /// # Panics
    /// If the body has it already: the other one would silently be meant.
    fn exact(&mut self, name: &str) {
        let count = self.used.entry(name.to_string()).or_insert(0);
        *count += 1;
        assert!(*count == 1, "{name} is declared twice in one body");
    }

    /// Declares a wire with its expression; returns its name.
    #[must_use = "the name may have a number: write what is returned, or use named_wire"]
    pub fn wire(&mut self, hint: &str, width: usize, expression: impl AsRef<str>) -> String {
        let name = self.unique(hint);
        self.declare_wire(&name, width, expression.as_ref());
        name
    }

    /// Declares a wire of exactly this name with its expression.
    pub fn named_wire(&mut self, name: &str, width: usize, expression: impl AsRef<str>) {
        self.exact(name);
        self.declare_wire(name, width, expression.as_ref());
    }

    fn declare_wire(&mut self, name: &str, width: usize, expression: &str) {
        let _ = writeln!(self.text, "wire {}{name} = {expression};", range(width));
    }

    /// Declares a data register (no reset: what it holds means nothing until a valid bit says so) that follows
    /// `next` on every clock; returns its name.
    #[must_use = "the name may have a number: write what is returned, or use named_register"]
    pub fn register(&mut self, hint: &str, width: usize, next: impl AsRef<str>) -> String {
        let name = self.unique(hint);
        self.declare_register(&name, width, next.as_ref());
        name
    }

    /// Declares a data register of exactly this name.
    pub fn named_register(&mut self, name: &str, width: usize, next: impl AsRef<str>) {
        self.exact(name);
        self.declare_register(name, width, next.as_ref());
    }

    fn declare_register(&mut self, name: &str, width: usize, next: &str) {
        let _ = writeln!(self.text, "reg {}{name};", range(width));
        let _ = writeln!(self.text, "always @(posedge aclk) {name} <= {next};");
    }

    /// Declares a control register cleared by reset that follows `next`; returns its name.
    #[must_use = "the name may have a number: write what is returned, or use named_control_register"]
    pub fn control_register(&mut self, hint: &str, width: usize, next: impl AsRef<str>) -> String {
        let name = self.unique(hint);
        self.declare_control_register(&name, width, next.as_ref());
        name
    }

    /// Declares a control register of exactly this name.
    pub fn named_control_register(&mut self, name: &str, width: usize, next: impl AsRef<str>) {
        self.exact(name);
        self.declare_control_register(name, width, next.as_ref());
    }

    fn declare_control_register(&mut self, name: &str, width: usize, next: &str) {
        let zero = constant(width, 0);
        let _ = writeln!(self.text, "reg {}{name};", range(width));
        let _ = writeln!(
            self.text,
            "always @(posedge aclk) if (!aresetn) {name} <= {zero}; else {name} <= {next};"
        );
    }

    /// `count` data registers in a row.
    pub fn delay(&mut self, hint: &str, width: usize, signal: &str, count: usize) -> String {
        (0..count).fold(signal.to_string(), |signal, _| self.register(hint, width, signal))
    }

    /// The entry that `index` (a name of `index_bits` bits) selects, as a tree over the bits of the index.
    pub fn select(
        &mut self,
        hint: &str,
        width: usize,
        index: &str,
        index_bits: usize,
        entries: &[String],
    ) -> String {
        let mut entries = entries.to_vec();
        for bit in 0..index_bits {
            if entries.len() == 1 {
                break;
            }
            let selector = if index_bits == 1 { index.to_string() } else { format!("{index}[{bit}]") };
            entries = entries
                .chunks(2)
                .map(|pair| match pair {
                    [low, high] => self.wire(hint, width, format!("{selector} ? {high} : {low}")),
                    _ => pair[0].clone(),
                })
                .collect();
        }
        entries.swap_remove(0)
    }

    /// The one of two entries or more whose bit of `at` is set, zero if none is: three of them a 6-input table.
    pub fn masked(&mut self, hint: &str, width: usize, at: &str, entries: &[String]) -> String {
        let numbered: Vec<(usize, &String)> = entries.iter().enumerate().collect();
        let terms: Vec<String> = numbered
            .chunks(3)
            .map(|three| {
                let masked: Vec<String> =
                    three.iter().map(|(i, entry)| format!("({{{width}{{{at}[{i}]}}}} & {entry})")).collect();
                self.wire(&format!("{hint}_part"), width, masked.join(" | "))
            })
            .collect();
        self.wire(hint, width, terms.join(" | "))
    }

    /// Whether any wire is set, and the number of the first that is (of none, any number). A tree: as deep as the
    /// number has bits.
    pub fn first_set(&mut self, hint: &str, bits: usize, wires: &[String]) -> (String, String) {
        let (any, number, _) = self.first_set_with(hint, bits, wires, &[]);
        (any, number)
    }

    /// The same, and the bit of `marks` that goes with the wire: it comes along the tree, no later than the number.
    pub fn first_set_with(
        &mut self,
        hint: &str,
        bits: usize,
        wires: &[String],
        marks: &[String],
    ) -> (String, String, String) {
        let mark = |i: usize| marks.get(i).cloned().unwrap_or_else(|| "1'b0".into());
        let mut nodes: Vec<(String, String, String)> =
            wires.iter().enumerate().map(|(i, wire)| (wire.clone(), String::new(), mark(i))).collect();
        for low_bits in 0..bits {
            nodes = nodes
                .chunks(2)
                .map(|pair| {
                    let [(low, low_at, low_mark), (high, high_at, high_mark)] = pair else {
                        let (any, at, mark) = pair[0].clone();
                        let at = if low_bits == 0 { "1'b0".into() } else { format!("{{1'b0, {at}}}") };
                        return (any, at, mark);
                    };
                    let any = self.wire(&format!("{hint}_any"), 1, format!("{low} | {high}"));
                    let later = self.wire(&format!("{hint}_later"), 1, format!("~{low}"));
                    let at = if low_bits == 0 {
                        later
                    } else {
                        let number = format!("{{{later}, {low} ? {low_at} : {high_at}}}");
                        self.wire(&format!("{hint}_number"), low_bits + 1, number)
                    };
                    let mark = match marks {
                        [] => "1'b0".to_string(),
                        _ => {
                            self.wire(&format!("{hint}_mark"), 1, format!("{low} ? {low_mark} : {high_mark}"))
                        }
                    };
                    (any, at, mark)
                })
                .collect();
        }
        let (any, number, mark) = nodes.swap_remove(0);
        let number = if number.is_empty() { constant(bits, 0) } else { number };
        (any, self.wire(hint, bits, number), mark)
    }

    /// Whether one wire is set and the number of the first that is, whether two are and the number of the second (of
    /// none, any number): one tree for both.
    pub fn first_two_set(&mut self, hint: &str, bits: usize, wires: &[String]) -> [(String, String); 2] {
        let zero = || "1'b0".to_string();
        let mut nodes: Vec<[(String, String); 2]> =
            wires.iter().map(|wire| [(wire.clone(), zero()), (zero(), zero())]).collect();
        for low_bits in 0..bits {
            let number = |high: &str, number: &str| match low_bits {
                0 => high.to_string(),
                _ => format!("{{{high}, {number}}}"),
            };
            nodes = nodes
                .chunks(2)
                .map(|pair| {
                    let [low, high] = pair else {
                        return pair[0].clone().map(|(any, at)| (any, number("1'b0", &at)));
                    };
                    let [(low_one, low_first), (low_two, low_second)] = low;
                    let [(high_one, high_first), (high_two, high_second)] = high;
                    let mut wire =
                        |name: &str, width, text| self.wire(&format!("{hint}_{name}"), width, text);
                    let one = wire("one", 1, format!("{low_one} | {high_one}"));
                    let two = wire("two", 1, format!("{low_two} | {high_two} | ({low_one} & {high_one})"));
                    let [later_first, later_second] =
                        [number("1'b1", high_first), number("1'b1", high_second)];
                    let [low_first, low_second] = [number("1'b0", low_first), number("1'b0", low_second)];
                    let first =
                        wire("first", low_bits + 1, format!("{low_one} ? {low_first} : {later_first}"));
                    let second =
                        format!("{low_two} ? {low_second} : {low_one} ? {later_first} : {later_second}");
                    let second = wire("second", low_bits + 1, second);
                    [(one, first), (two, second)]
                })
                .collect();
        }
        nodes.swap_remove(0)
    }

    /// Drives an output or a child's input.
    pub fn drive(&mut self, target: &str, expression: impl AsRef<str>) {
        let _ = writeln!(self.text, "always @(*) {target} = {};", expression.as_ref());
    }

    /// Drives a registered output.
    pub fn drive_register(&mut self, target: &str, next: impl AsRef<str>) {
        let _ = writeln!(self.text, "always @(posedge aclk) {target} <= {};", next.as_ref());
    }

    /// Bit-sliced sum of planes: `columns[w]` holds planes of weight 2^w; the result is the sum's planes, least
    /// significant first. Six planes at a time become a three-bit count (one 6-input table a bit), fewer at the end.
    pub fn sum_columns(&mut self, hint: &str, width: usize, mut columns: Vec<Vec<String>>) -> Vec<String> {
        let mut sum = Vec::new();
        let mut weight = 0;
        while weight < columns.len() {
            let mut queue: std::collections::VecDeque<String> = std::mem::take(&mut columns[weight]).into();
            while queue.len() > 1 {
                let taken: Vec<String> = queue.drain(..queue.len().min(6)).collect();
                let count = self.small_count(hint, width, &taken, taken.len());
                for (above, plane) in count.into_iter().enumerate() {
                    if above == 0 {
                        queue.push_back(plane);
                        continue;
                    }
                    columns.resize(columns.len().max(weight + above + 1), Vec::new());
                    columns[weight + above].push(plane);
                }
            }
            sum.push(queue.pop_front().unwrap_or_else(|| constant(width, 0)));
            weight += 1;
        }
        sum
    }

    /// Count of two to six planes, never more than `most`: at most three planes, least significant first.
    pub fn small_count(&mut self, hint: &str, width: usize, planes: &[String], most: usize) -> Vec<String> {
        if most == 1 && planes.len() > 1 {
            return vec![self.wire(hint, width, planes.join(" | "))];
        }
        let mut full_adder = |a: &str, b: &str, c: &str| {
            let total = self.wire(hint, width, format!("{a} ^ {b} ^ {c}"));
            (total, self.wire(hint, width, format!("({a} & {b}) | ({a} & {c}) | ({b} & {c})")))
        };
        match planes {
            [a, b] => {
                vec![
                    self.wire(hint, width, format!("{a} ^ {b}")),
                    self.wire(hint, width, format!("{a} & {b}")),
                ]
            }
            [a, b, c] => {
                let (total, carry) = full_adder(a, b, c);
                vec![total, carry]
            }
            [a, b, c, rest @ ..] => {
                let (first, first_carry) = full_adder(a, b, c);
                let (second, second_carry) = match rest {
                    [d] => (d.clone(), None),
                    [d, e] => {
                        let total = self.wire(hint, width, format!("{d} ^ {e}"));
                        (total, Some(self.wire(hint, width, format!("{d} & {e}"))))
                    }
                    _ => {
                        let (total, carry) = full_adder(&rest[0], &rest[1], &rest[2]);
                        (total, Some(carry))
                    }
                };
                let total = self.wire(hint, width, format!("{first} ^ {second}"));
                let both = self.wire(hint, width, format!("{first} & {second}"));
                let (twos, fours) = match second_carry {
                    None => (format!("{first_carry} ^ {both}"), format!("{first_carry} & {both}")),
                    Some(other) => (
                        format!("{first_carry} ^ {other} ^ {both}"),
                        format!("({first_carry} & {other}) | ({first_carry} & {both}) | ({other} & {both})"),
                    ),
                };
                let mut count = vec![total, self.wire(hint, width, twos)];
                if most >= 4 {
                    count.push(self.wire(hint, width, fours));
                }
                count
            }
            _ => planes.to_vec(),
        }
    }

    /// Bit-sliced count of how many of the planes have each bit set.
    pub fn count(&mut self, hint: &str, width: usize, planes: &[String]) -> Vec<String> {
        self.sum_columns(hint, width, vec![planes.to_vec()])
    }

    /// Expression that is set where the bit-sliced number equals `value`.
    pub fn equals(&self, width: usize, number: &[String], value: usize) -> String {
        if value >> number.len() != 0 {
            return constant(width, 0);
        }
        let terms: Vec<String> = number
            .iter()
            .enumerate()
            .map(|(i, plane)| if value >> i & 1 == 1 { plane.clone() } else { format!("~{plane}") })
            .collect();
        format!("({})", terms.join(" & "))
    }
}

/// Vectors side by side, the first one lowest.
pub fn concatenated(parts: &[String]) -> String {
    let parts: Vec<&str> = parts.iter().rev().map(String::as_str).collect();
    format!("{{{}}}", parts.join(", "))
}

/// `signal` of `from` bits as an unsigned number of `to` bits.
pub fn zero_extend(signal: &str, from: usize, to: usize) -> String {
    if from == to { signal.to_string() } else { format!("{{{}'d0, {signal}}}", to - from) }
}

/// `signal` (a name) of `from` bits as a signed number of `to` bits.
pub fn sign_extend(signal: &str, from: usize, to: usize) -> String {
    if from == to {
        signal.to_string()
    } else {
        format!("{{{{{}{{{signal}[{}]}}}}, {signal}}}", to - from, from - 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hint_is_numbered() {
        let mut body = Body::new();
        assert_eq!([body.wire("a", 1, "b"), body.wire("a", 1, "c")], ["a", "a_n2"]);
        body.named_wire("d", 2, "e");
        assert_eq!(body.register("d", 1, "f"), "d_n2");
    }

    #[test]
    #[should_panic(expected = "tag_level is declared twice in one body")]
    fn an_exact_name_is_refused_the_second_time() {
        let mut body = Body::new();
        body.named_register("tag_level", 2, "a");
        body.named_wire("tag_level", 2, "b");
    }
}
