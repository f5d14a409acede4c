// SPDX-License-Identifier: MIT OR Apache-2.0
//! Puts all faults into one text: each place chooses by an input what it computes, so that one model shows every fault.

use crate::faults::Fault;
use engine_model::scoring::bits_for;
use hdl::kit::{constant, range};
use std::collections::BTreeMap;
use std::ops::Range;

/// The input of the top module that selects a fault: 0 none, k the k-th.
pub const SELECT: &str = "fault";

/// Why a fault cannot be put into a text.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum InjectError {
    /// The text has no such module.
    #[error("the engine has no module {0}")]
    NoModule(String),
    /// A fault's text does not occur in its module.
    #[error("{0}: its text does not occur: bring `find` to today's Verilog")]
    NotFound(&'static str),
    /// What a fault changes is neither within one condition nor within one right-hand side.
    #[error("{0}: can only change one condition or one right-hand side of {1:?}")]
    NotAnExpression(&'static str, String),
}

/// What the faults make of a line.
struct Change {
    /// The expression they change, in bytes of the line.
    slot: Range<usize>,
    /// It with a fault, by the value that selects the fault.
    variants: Vec<(usize, String)>,
}

/// The Verilog of module `top` and its children, whose names begin with `prefix`, with every fault in each place where
/// its text occurs in its module. `top` gains the input [`SELECT`], which the others read by its hierarchical name.
pub fn inject(verilog: &str, prefix: &str, top: &str, faults: &[Fault]) -> Result<String, InjectError> {
    let width = bits_for(faults.len());
    let lines: Vec<&str> = verilog.lines().collect();
    let mut changes: BTreeMap<usize, Change> = BTreeMap::new();
    for (index, fault) in faults.iter().enumerate() {
        let module = module_lines(&lines, &format!("{prefix}{}", fault.module))?;
        let begin = module.start;
        let sound = lines[module].join("\n");
        let faulty = sound.replace(fault.find, fault.replace);
        let unfit = |line: &str| InjectError::NotAnExpression(fault.name, line.to_string());
        if faulty == sound {
            return Err(InjectError::NotFound(fault.name));
        }
        if faulty.lines().count() != sound.lines().count() {
            return Err(unfit(fault.find));
        }
        for (offset, (old, new)) in sound.lines().zip(faulty.lines()).enumerate().filter(|(_, (a, b))| a != b)
        {
            let slot = expression(old, common_prefix(old, new)).ok_or_else(|| unfit(old))?;
            let rest = &old[slot.end..];
            let inside = new.strip_prefix(&old[..slot.start]).and_then(|tail| tail.strip_suffix(rest));
            let variant = inside.ok_or_else(|| unfit(old))?.to_string();
            let change = changes
                .entry(begin + offset)
                .or_insert_with(|| Change { slot: slot.clone(), variants: Vec::new() });
            if change.slot != slot {
                return Err(unfit(old));
            }
            change.variants.push((index + 1, variant));
        }
    }
    let head = module_lines(&lines, top)?.start;
    let mut text = String::with_capacity(verilog.len() + verilog.len() / 8);
    for (number, line) in lines.iter().enumerate() {
        match changes.get(&number) {
            Some(Change { slot, variants }) => {
                text.push_str(&line[..slot.start]);
                for (select, variant) in variants {
                    let select = constant(width, *select);
                    text.push_str(&format!("({top}.{SELECT} == {select}) ? ({variant}) : "));
                }
                text.push_str(&format!("({}){}", &line[slot.clone()], &line[slot.end..]));
            }
            None => text.push_str(line),
        }
        text.push('\n');
        if number == head {
            text.push_str(&format!("  input wire {}{SELECT},\n", range(width)));
        }
    }
    Ok(text)
}

/// Lines of a module, from its head to before `endmodule`.
fn module_lines(lines: &[&str], module: &str) -> Result<Range<usize>, InjectError> {
    let missing = || InjectError::NoModule(module.to_string());
    let head = format!("module {module} (");
    let begin = lines.iter().position(|line| line.starts_with(&head)).ok_or_else(missing)?;
    let length = lines[begin..].iter().position(|line| line.starts_with("endmodule")).ok_or_else(missing)?;
    Ok(begin..begin + length)
}

/// Bytes that two lines begin with alike.
fn common_prefix(a: &str, b: &str) -> usize {
    a.bytes().zip(b.bytes()).take_while(|(x, y)| x == y).count()
}

/// The condition of an `if` or the right-hand side of an assignment that the byte at `place` of a line lies in.
fn expression(line: &str, place: usize) -> Option<Range<usize>> {
    let bytes = line.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        let rest = &line[at..];
        // A range or an index of a left-hand side holds no assignment; parentheses are those of a condition.
        let slot = if rest.starts_with("if (") {
            at + 4..closing(bytes, at + 4, b')')?
        } else if let Some(sign) = ["<= ", "= "].iter().find(|sign| rest.starts_with(*sign)) {
            at + sign.len()..closing(bytes, at + sign.len(), b';')?
        } else {
            at += 1;
            continue;
        };
        if slot.contains(&place) {
            return Some(slot);
        }
        at = slot.end;
    }
    None
}

/// Place of the first `end` from `from` on that stands in no parentheses opened since.
fn closing(bytes: &[u8], from: usize, end: u8) -> Option<usize> {
    let mut depth = 0;
    for (at, byte) in bytes.iter().enumerate().skip(from) {
        match byte {
            _ if *byte == end && depth == 0 => return Some(at),
            b'(' => depth += 1,
            b')' => depth -= 1,
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "module e_top (\n  input wire a\n);\n  e_leaf leaf (.a(a));\nendmodule\nmodule e_leaf (\n  \
                        input wire a\n);\n  wire b = (a <= 1) & c;\n  always @(posedge k) if (r | a) q <= b; else q <= \
                        b + 1;\nendmodule\n";

    fn fault(name: &'static str, find: &'static str, replace: &'static str) -> Fault {
        Fault { name, module: "leaf", find, replace, caught_by: &[] }
    }

    fn injected(faults: &[Fault]) -> Result<String, InjectError> {
        inject(TEXT, "e_", "e_top", faults)
    }

    #[test]
    fn every_place_chooses() {
        let faults =
            [fault("one", "& c", "| c"), fault("two", "r | a", "a"), fault("three", "(a <= 1)", "1'b1")];
        let text = injected(&faults).unwrap();
        for line in [
            "module e_top (\n  input wire [1:0] fault,\n  input wire a\n",
            "  wire b = (e_top.fault == 2'd1) ? ((a <= 1) | c) : (e_top.fault == 2'd3) ? (1'b1 & c) : ((a <= 1) & c);\n",
            "if ((e_top.fault == 2'd2) ? (a) : (r | a)) q <= b; else q <= b + 1;\n",
        ] {
            assert!(text.contains(line), "{line:?} is not in\n{text}");
        }
        assert_eq!(text.matches("e_top.fault").count(), 3, "{text}");
    }

    #[test]
    fn the_second_assignment_of_a_line_is_told_from_the_first() {
        let text = injected(&[fault("one", "b + 1", "b - 1")]).unwrap();
        assert!(text.contains("q <= b; else q <= (e_top.fault == 1'd1) ? (b - 1) : (b + 1);"), "{text}");
    }

    #[test]
    fn what_cannot_be_put_in_is_an_error() {
        assert_eq!(injected(&[fault("one", "absent", "")]), Err(InjectError::NotFound("one")));
        let whole = injected(&[fault("one", "wire b =", "wire d =")]);
        assert!(matches!(whole, Err(InjectError::NotAnExpression("one", _))), "{whole:?}");
        let two = injected(&[fault("one", "b; else q <= b", "c; else q <= c")]);
        assert!(matches!(two, Err(InjectError::NotAnExpression("one", _))), "{two:?}");
        let gone = injected(&[fault("one", "if (r | a) q <= b; else", "")]);
        assert!(matches!(gone, Err(InjectError::NotAnExpression("one", _))), "{gone:?}");
        let elsewhere = inject(TEXT, "x_", "e_top", &[fault("one", "b", "c")]);
        assert_eq!(elsewhere, Err(InjectError::NoModule("x_leaf".into())));
    }
}
