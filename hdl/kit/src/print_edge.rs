// SPDX-License-Identifier: MIT OR Apache-2.0
//! Tables, states and what happens at the clock's edge, as Verilog.

use super::expression::{constant, expression, range, tight};
use super::net::{Id, Net, Node, Op, Statement, Step};
use std::fmt::Write;

pub(super) fn table(net: &Net, id: Id, is_port: bool, out: &mut String) {
    let (node, name) = (net.node(id), net.name(id));
    if !is_port {
        let _ = writeln!(out, "reg {}{name};", range(node.width));
    }
    let on = node.args[0];
    let _ = writeln!(out, "always @(*)\n  case ({})", expression(net, on));
    for (code, value) in node.codes.iter().zip(&node.args[1..]) {
        let _ = writeln!(out, "    {}'d{code}: {name} = {};", net.node(on).width, expression(net, *value));
    }
    let otherwise = node.args.last().copied().unwrap_or(on);
    let _ = writeln!(out, "    default: {name} = {};\n  endcase", expression(net, otherwise));
}

pub(super) fn edge(net: &Net, statements: &[Statement], out: &mut String) {
    let _ = write!(out, "always @(posedge {})", net.clock);
    let targets = Statement::targets(statements);
    let mut resets: Vec<String> = Vec::new();
    for (id, _) in &targets {
        let node = net.node(*id);
        if node.value.is_some() {
            let reset = Node { op: Op::Const, ..node.clone() };
            let value = constant(&reset);
            let value = match node.kept {
                Some(kept) => format!("{} ? {} : {value}", tight(net, kept), net.name(*id)),
                None => value,
            };
            let line = format!("{} <= {value};", net.name(*id));
            if !resets.contains(&line) {
                resets.push(line);
            }
        }
    }
    if resets.is_empty() {
        block(net, statements, 0, Head::Other, out);
        return;
    }
    let reset = net.reset.map(|id| tight(net, id)).unwrap_or_default();
    let _ = write!(out, "\n  if (!{reset})");
    match &resets[..] {
        [one] => {
            let _ = writeln!(out, " {one}");
        }
        several => {
            out.push_str(" begin\n");
            for line in several {
                let _ = writeln!(out, "    {line}");
            }
            out.push_str("  end\n");
        }
    }
    out.push_str("  else");
    block(net, statements, 1, Head::Other, out);
}

/// The names of states as constants, from 0; lines end before they are too long.
pub(super) fn states(names: &[&str], out: &mut String) {
    const LINE: usize = 128;
    const BEGIN: &str = "localparam ";
    let bits = super::states::state_bits(names.len());
    let mut column = BEGIN.len();
    out.push_str(BEGIN);
    for (value, name) in names.iter().enumerate() {
        let end = if value + 1 == names.len() { ";" } else { "," };
        let one = format!("{name} = {bits}'d{value}{end}");
        if value > 0 && column + 1 + one.len() > LINE {
            let _ = write!(out, "\n{:width$}", "", width = BEGIN.len());
            column = BEGIN.len();
        } else if value > 0 {
            out.push(' ');
            column += 1;
        }
        column += one.len();
        out.push_str(&one);
    }
    out.push('\n');
}

/// What statements stand behind, as far as an `else` might be taken for another's.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Head {
    /// An `if` with an `else` to come.
    IfElse,
    /// An `if` without.
    If,
    /// Anything else: an `else`, an edge, a case.
    Other,
}

/// Statements behind a head that has no end of line yet. A single `if` stands right behind it, unless it could not be told which of the
/// two an `else` belongs to.
fn block(net: &Net, statements: &[Statement], indent: usize, head: Head, out: &mut String) {
    match statements {
        [Statement(Step::Set { .. } | Step::Write { .. })] => {
            out.push(' ');
            step(net, &statements[0].0, indent, out);
        }
        [Statement(Step::When { otherwise, .. })]
            if head == Head::Other || (head == Head::If && otherwise.is_empty()) =>
        {
            out.push(' ');
            step(net, &statements[0].0, indent, out);
        }
        several => {
            out.push_str(" begin\n");
            for Statement(one) in several {
                let _ = write!(out, "{}", "  ".repeat(indent + 1));
                step(net, one, indent + 1, out);
            }
            let _ = writeln!(out, "{}end", "  ".repeat(indent));
        }
    }
}

fn step(net: &Net, step: &Step, indent: usize, out: &mut String) {
    let pad = "  ".repeat(indent);
    match step {
        Step::Set { register, value, .. } => {
            let _ = writeln!(out, "{} <= {};", net.name(*register), expression(net, *value));
        }
        Step::Write { memory, address, value, .. } => {
            let (name, at) = (&net.memories[*memory].name, expression(net, *address));
            let _ = writeln!(out, "{name}[{at}] <= {};", expression(net, *value));
        }
        Step::When { test, then, otherwise } => {
            let _ = write!(out, "if ({})", expression(net, *test));
            block(net, then, indent, if otherwise.is_empty() { Head::If } else { Head::IfElse }, out);
            if !otherwise.is_empty() {
                let _ = write!(out, "{pad}else");
                block(net, otherwise, indent, Head::Other, out);
            }
        }
        Step::Match { on, arms, otherwise } => {
            let _ = writeln!(out, "case ({})", expression(net, *on));
            for (values, statements) in arms {
                let values: Vec<String> = values.iter().map(|value| expression(net, *value)).collect();
                let _ = write!(out, "{pad}  {}:", values.join(", "));
                arm(net, statements, indent + 1, out);
            }
            let _ = write!(out, "{pad}  default:");
            arm(net, otherwise, indent + 1, out);
            let _ = writeln!(out, "{pad}endcase");
        }
    }
}

fn arm(net: &Net, statements: &[Statement], indent: usize, out: &mut String) {
    match statements {
        [] => out.push_str(" ;\n"),
        some => block(net, some, indent, Head::Other, out),
    }
}
