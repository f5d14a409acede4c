// SPDX-License-Identifier: MIT OR Apache-2.0
//! Expressions of a netlist as Verilog. The only place where its operators are spelled.

use super::net::{Id, Net, Node, Op};
use super::value::Value;

/// A node where it is used: its name, or its expression.
pub(super) fn expression(net: &Net, id: Id) -> String {
    spelled(net, id).0
}

/// Text, and whether it holds together without parentheses.
fn spelled(net: &Net, id: Id) -> (String, bool) {
    let node = net.node(id);
    match &node.name {
        Some(name) => (name.clone(), true),
        None => operation(net, node),
    }
}

/// A part of an expression: in parentheses unless it holds together.
pub(super) fn tight(net: &Net, id: Id) -> String {
    match spelled(net, id) {
        (text, true) => text,
        (text, false) => format!("({text})"),
    }
}

pub(super) fn constant(node: &Node) -> String {
    let value = node.value.as_ref();
    let width = node.width;
    if node.op == Op::Plane {
        let digit = |at: usize| {
            let nibble = value.map_or(0, |value| value.slice(4 * at, 4).low());
            char::from_digit(nibble as u32, 16).unwrap_or('0')
        };
        let digits: String = (0..width.div_ceil(4)).rev().map(digit).collect();
        return format!("{width}'h{digits}");
    }
    let radix = if width == 1 { 'b' } else { 'd' };
    format!("{width}'{radix}{}", value.map_or(0, Value::low))
}

/// Characters of a chain of choices that stands on one line.
const CHAIN: usize = 100;

fn operation(net: &Net, node: &Node) -> (String, bool) {
    let args = &node.args;
    let part = |index: usize| tight(net, args[index]);
    let whole = |index: usize| expression(net, args[index]);
    let infix = |sign: &str| (format!("{} {sign} {}", part(0), part(1)), false);
    // a & b & c needs no parentheses.
    let chain = |sign: &str| {
        let left = net.node(args[0]);
        let left = if left.name.is_none() && left.op == node.op { whole(0) } else { part(0) };
        (format!("{left} {sign} {}", part(1)), false)
    };
    match node.op {
        Op::Const | Op::Plane => (constant(node), true),
        Op::Not => (format!("~{}", part(0)), true),
        // `|~` and `&~` would be other operators.
        Op::Any | Op::All => {
            let sign = if node.op == Op::Any { '|' } else { '&' };
            let of = part(0);
            let of = if of.starts_with('~') { format!("({of})") } else { of };
            (format!("({sign}{of})"), true)
        }
        Op::And => chain("&"),
        Op::Or => chain("|"),
        Op::Xor => chain("^"),
        Op::Add => chain("+"),
        Op::Sub => infix("-"),
        Op::Eq => infix("=="),
        Op::Ne => infix("!="),
        Op::Lt => infix("<"),
        Op::Gt => infix(">"),
        Op::Ge => infix(">="),
        Op::Le => infix("<="),
        Op::SignedLt => (format!("$signed({}) < $signed({})", whole(0), whole(1)), false),
        Op::SignedGt => (format!("$signed({}) > $signed({})", whole(0), whole(1)), false),
        Op::Mux => {
            let other = net.node(args[2]);
            let test = match spelled(net, args[0]) {
                (text, true) => text,
                (text, false) => format!("({text})"),
            };
            let (set, chained) = (part(1), other.name.is_none() && other.op == Op::Mux);
            let other = if chained { whole(2) } else { part(2) };
            let line = test.len() + set.len() + other.len();
            let gap = if chained && (line > CHAIN || other.contains('\n')) { "\n    " } else { " " };
            (format!("{test} ? {set} :{gap}{other}"), false)
        }
        Op::Slice(low) if node.width == 1 => (format!("{}[{low}]", whole(0)), true),
        Op::Slice(low) => (format!("{}[{}:{low}]", whole(0), low + node.width - 1), true),
        Op::Pick => (format!("{}[{}]", whole(0), whole(1)), true),
        Op::Read(memory) => (format!("{}[{}]", net.memories[memory].name, whole(0)), true),
        Op::Cat => {
            let parts: Vec<String> = args.iter().map(|arg| expression(net, *arg)).collect();
            (format!("{{{}}}", parts.join(", ")), true)
        }
        Op::Repeat(count) => (format!("{{{count}{{{}}}}}", whole(0)), true),
        Op::Up(places) => (format!("({} << {places})", part(0)), true),
        Op::Down(places) => (format!("({} >> {places})", part(0)), true),
        Op::UpBy => (format!("({} << {})", part(0), part(1)), true),
        Op::DownBy => (format!("({} >> {})", part(0), part(1)), true),
        // These have names.
        Op::Input | Op::Wire | Op::Reg | Op::Table | Op::Child(_) | Op::Outside => (String::new(), true),
    }
}

pub(super) fn range(width: usize) -> String {
    if width == 1 { String::new() } else { format!("[{}:0] ", width - 1) }
}

/// Replaces `$` inside names by `_`; system functions such as `$signed` keep theirs.
pub(super) fn plain_names(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut previous = ' ';
    for c in text.chars() {
        let inside = c == '$' && (previous.is_ascii_alphanumeric() || previous == '_');
        out.push(if inside { '_' } else { c });
        previous = c;
    }
    out
}
