// SPDX-License-Identifier: MIT OR Apache-2.0
//! A netlist as the Verilog of a module's body, as a person would write it. The only place where operators of Verilog are spelled.

use super::net::{Id, Item, Net, Node, Op, Statement, Step};
use std::fmt::Write;

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
fn tight(net: &Net, id: Id) -> String {
    match spelled(net, id) {
        (text, true) => text,
        (text, false) => format!("({text})"),
    }
}

fn constant(node: &Node) -> String {
    let radix = if node.width == 1 { 'b' } else { 'd' };
    format!("{}'{radix}{}", node.width, node.value.unwrap_or(0))
}

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
        Op::Const => (constant(node), true),
        Op::Not => (format!("~{}", part(0)), true),
        Op::Any => (format!("(|{})", part(0)), true),
        Op::And => chain("&"),
        Op::Or => chain("|"),
        Op::Xor => chain("^"),
        Op::Add => infix("+"),
        Op::Sub => infix("-"),
        Op::Eq => infix("=="),
        Op::Ne => infix("!="),
        Op::Lt => infix("<"),
        Op::Ge => infix(">="),
        Op::SignedLt => (format!("$signed({}) < $signed({})", whole(0), whole(1)), false),
        Op::Mux => {
            let other = net.node(args[2]);
            let other = if other.name.is_none() && other.op == Op::Mux {
                format!("\n    {}", whole(2))
            } else {
                format!(" {}", part(2))
            };
            (format!("{} ? {} :{other}", part(0), part(1)), false)
        }
        Op::Slice(low) if node.width == 1 => (format!("{}[{low}]", whole(0)), true),
        Op::Slice(low) => (format!("{}[{}:{low}]", whole(0), low + node.width - 1), true),
        Op::Cat => {
            let parts: Vec<String> = args.iter().map(|arg| expression(net, *arg)).collect();
            (format!("{{{}}}", parts.join(", ")), true)
        }
        Op::Repeat(count) => (format!("{{{count}{{{}}}}}", whole(0)), true),
        // These have names.
        Op::Input | Op::Wire | Op::Reg | Op::Table => (String::new(), true),
    }
}

fn range(width: usize) -> String {
    if width == 1 { String::new() } else { format!("[{}:0] ", width - 1) }
}

/// Puts names under what is sliced: Verilog slices names only.
fn named_slices(net: &Net) -> Net {
    let mut net = net.clone();
    let mut items = Vec::new();
    let mut parts = 0;
    let used = net.items.clone();
    for item in used {
        for id in roots(&net, &item) {
            name_below(&mut net, id, &mut items, &mut parts);
        }
        items.push(item);
    }
    net.items = items;
    net
}

/// Nodes whose expressions an item spells.
fn roots(net: &Net, item: &Item) -> Vec<Id> {
    fn of(statements: &[Statement], found: &mut Vec<Id>) {
        for Statement(step) in statements {
            match step {
                Step::Set { value, .. } => found.push(*value),
                Step::When { test, then, otherwise } => {
                    found.push(*test);
                    of(then, found);
                    of(otherwise, found);
                }
            }
        }
    }
    match item {
        Item::Wire(id) | Item::Drive(id) | Item::Table(id) => net.node(*id).args.clone(),
        Item::Edge(statements) => {
            let mut found = Vec::new();
            of(statements, &mut found);
            found
        }
        Item::Comment(_) | Item::Declaration(_) | Item::Register(_) => Vec::new(),
    }
}

fn name_below(net: &mut Net, id: Id, items: &mut Vec<Item>, parts: &mut usize) {
    let node = net.node(id).clone();
    if node.name.is_some() {
        return;
    }
    for &arg in &node.args {
        name_below(net, arg, items, parts);
    }
    if let (Op::Slice(_), Some(&arg)) = (node.op, node.args.first())
        && net.node(arg).name.is_none()
    {
        let below = net.node(arg).clone();
        let name = loop {
            *parts += 1;
            let name = format!("part_{parts}");
            if net.nodes.iter().all(|node| node.name.as_deref() != Some(&name)) {
                break name;
            }
        };
        net.nodes.push(Node { op: Op::Wire, args: vec![arg], name: Some(name), value: None, ..below });
        let wire = (net.nodes.len() - 1) as Id;
        net.nodes[id as usize].args[0] = wire;
        items.push(Item::Wire(wire));
    }
}

/// The body of a module.
pub(super) fn body(net: &Net) -> String {
    let net = &named_slices(net);
    let is_port = |id: Id| net.outputs.iter().any(|(_, port)| *port == id);
    let mut out = String::new();
    for item in &net.items {
        let _ = match item {
            Item::Comment(text) => writeln!(out, "// {text}"),
            Item::Declaration(id) | Item::Register(id) if is_port(*id) => Ok(()),
            Item::Declaration(id) => writeln!(out, "wire {}{};", range(net.node(*id).width), net.name(*id)),
            Item::Register(id) => writeln!(out, "reg {}{};", range(net.node(*id).width), net.name(*id)),
            Item::Wire(id) | Item::Drive(id) => {
                let (name, value) = (net.name(*id), expression(net, net.node(*id).args[0]));
                match (is_port(*id), matches!(item, Item::Wire(_))) {
                    (true, _) => writeln!(out, "always @(*) {name} = {value};"),
                    (false, true) => writeln!(out, "wire {}{name} = {value};", range(net.node(*id).width)),
                    (false, false) => writeln!(out, "assign {name} = {value};"),
                }
            }
            Item::Table(id) => {
                table(net, *id, is_port(*id), &mut out);
                Ok(())
            }
            Item::Edge(statements) => {
                edge(net, statements, &mut out);
                Ok(())
            }
        };
    }
    out
}

fn table(net: &Net, id: Id, is_port: bool, out: &mut String) {
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

fn edge(net: &Net, statements: &[Statement], out: &mut String) {
    out.push_str("always @(posedge aclk)");
    let targets = Statement::targets(statements);
    let mut resets: Vec<String> = Vec::new();
    for (id, _) in &targets {
        let node = net.node(*id);
        if let Some(value) = node.value {
            let reset = Node { op: Op::Const, value: Some(value), ..node.clone() };
            let line = format!("{} <= {};", net.name(*id), constant(&reset));
            if !resets.contains(&line) {
                resets.push(line);
            }
        }
    }
    if resets.is_empty() {
        block(net, statements, 0, false, out);
        return;
    }
    out.push_str("\n  if (!aresetn)");
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
    block(net, statements, 1, false, out);
}

/// Statements behind a head that has no end of line yet. Where no `else` follows, which an `if` without one would take, a single `if`
/// stands behind its head.
fn block(net: &Net, statements: &[Statement], indent: usize, else_follows: bool, out: &mut String) {
    let pad = "  ".repeat(indent);
    match statements {
        [Statement(Step::Set { register, value, .. })] => {
            let _ = writeln!(out, " {} <= {};", net.name(*register), expression(net, *value));
        }
        [Statement(Step::When { test, then, otherwise })] if !else_follows => {
            out.push(' ');
            branches(net, (*test, then, otherwise), indent, out);
        }
        several => {
            out.push_str(" begin\n");
            for Statement(step) in several {
                let _ = write!(out, "{pad}  ");
                match step {
                    Step::Set { register, value, .. } => {
                        let _ = writeln!(out, "{} <= {};", net.name(*register), expression(net, *value));
                    }
                    Step::When { test, then, otherwise } => {
                        branches(net, (*test, then, otherwise), indent + 1, out);
                    }
                }
            }
            let _ = writeln!(out, "{pad}end");
        }
    }
}

fn branches(
    net: &Net,
    (test, then, otherwise): (Id, &[Statement], &[Statement]),
    indent: usize,
    out: &mut String,
) {
    let _ = write!(out, "if ({})", expression(net, test));
    block(net, then, indent, !otherwise.is_empty(), out);
    if !otherwise.is_empty() {
        let _ = write!(out, "{}else", "  ".repeat(indent));
        block(net, otherwise, indent, false, out);
    }
}
