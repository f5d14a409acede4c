// SPDX-License-Identifier: MIT OR Apache-2.0
//! A netlist as the Verilog of a module's body, as a person would write it. The only place where operators of Verilog are spelled.

use super::expression::{expression, plain_names, range};
use super::net::{Id, Item, Net, Node, Op, Statement, Step};
use super::port::{Direction, Port};
use super::print_edge::{edge, states, table};
use std::fmt::Write;

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
pub(super) fn roots(net: &Net, item: &Item) -> Vec<Id> {
    fn of(statements: &[Statement], found: &mut Vec<Id>) {
        for Statement(step) in statements {
            match step {
                Step::Set { value, .. } => found.push(*value),
                Step::Write { address, value, .. } => found.extend([*address, *value]),
                Step::Match { on, arms, otherwise } => {
                    found.push(*on);
                    arms.iter().for_each(|(_, block)| of(block, found));
                    of(otherwise, found);
                }
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
        Item::Connect(instance, port) => {
            net.instances[*instance].inputs.get(port).and_then(|(_, driver)| *driver).into_iter().collect()
        }
        Item::Release(_, asynchronous, value) => vec![*asynchronous, *value],
        Item::Comment(_)
        | Item::States(_)
        | Item::Declaration(_)
        | Item::Register(_)
        | Item::Released(..)
        | Item::Memory(_) => Vec::new(),
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
    if let (Op::Slice(_) | Op::Pick, Some(&arg)) = (node.op, node.args.first())
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

/// Whose conventions a body follows.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Dialect {
    /// Ours: what is driven is a wire.
    Plain,
    /// rust-hdl's: outputs and children's pins are declared as registers by it.
    RustHdl,
}

/// A circuit's body as rust-hdl puts it into a module that it prints.
pub(super) fn rust_hdl(net: &Net, summary: &str) -> String {
    let summary: String = summary.lines().map(|line| format!("// {line}\n")).collect();
    format!("{summary}{}", body(net, Dialect::RustHdl))
}

/// A child as it is printed: its instance's name, its ports, its module.
pub(super) struct Child<'a> {
    pub name: &'a str,
    pub ports: &'a [Port],
    pub module: &'a str,
}

/// A module but for `module` and its name: ports, comment, children, body.
pub(super) fn module(net: &Net, summary: &str, ports: &[Port], children: &[Child]) -> String {
    let kept = |name: &str| {
        let id = net.outputs.iter().find(|(output, _)| output == name).map(|(_, id)| *id);
        id.is_some_and(|id| matches!(net.node(id).op, Op::Reg | Op::Table))
    };
    let listed = ports.iter().enumerate().map(|(index, port)| {
        let net = match port.direction {
            Direction::Input => "input wire",
            Direction::Output if kept(&port.name) => "output reg",
            Direction::Output => "output wire",
        };
        let comma = if index + 1 < ports.len() { "," } else { "" };
        let about = if port.about.is_empty() { String::new() } else { format!(" // {}", port.about) };
        format!("  {net} {}{}{comma}{about}\n", range(port.width), port.name)
    });
    let mut out = format!(" (\n{});\n", listed.collect::<String>());
    let mut line = |text: &str| {
        let _ = writeln!(out, "  {text}");
    };
    summary.lines().for_each(|text| line(&format!("// {text}")));
    for Child { name, ports, .. } in children {
        ports.iter().for_each(|port| line(&format!("wire {}{name}_{};", range(port.width), port.name)));
    }
    for Child { name, ports, module } in children {
        line(&format!("{module} {name} ("));
        for (index, port) in ports.iter().enumerate() {
            let comma = if index + 1 < ports.len() { "," } else { "" };
            line(&format!("  .{0}({name}_{0}){comma}", port.name));
        }
        line(");");
    }
    for text in body(net, Dialect::Plain).lines() {
        line(&wrapped(text));
    }
    plain_names(&out)
}

/// Characters of the longest line: Verilator 5 stops at 40,000 tokens a line, and one of ours takes two characters or more.
const LONGEST_LINE: usize = 60_000;

/// The line, folded between the parts of a list if it is too long.
fn wrapped(line: &str) -> String {
    if line.len() <= LONGEST_LINE {
        return line.to_string();
    }
    let mut text = String::with_capacity(line.len() + line.len() / 64);
    let mut column = 0;
    for part in line.split_inclusive(", ") {
        if column + part.len() > LONGEST_LINE / 8 && column > 0 {
            text.truncate(text.trim_end().len());
            text.push_str("\n    ");
            column = 0;
        }
        text.push_str(part);
        column += part.len();
    }
    text
}

/// The body of a module.
fn body(net: &Net, dialect: Dialect) -> String {
    let net = &named_slices(net);
    let is_port = |id: Id| net.outputs.iter().any(|(_, port)| *port == id);
    let drives = if dialect == Dialect::Plain { "assign" } else { "always @(*)" };
    let mut out = String::new();
    for item in &net.items {
        let _ = match item {
            Item::Comment(text) => writeln!(out, "// {text}"),
            Item::States(names) => {
                states(names, &mut out);
                Ok(())
            }
            Item::Released(id, _, attribute) => {
                let attribute = attribute.map(|text| format!("(* {text} *) ")).unwrap_or_default();
                writeln!(out, "{attribute}reg {}{};", range(net.node(*id).width), net.name(*id))
            }
            Item::Release(id, asynchronous, value) => {
                let (name, clear) = (net.name(*id), expression(net, *asynchronous));
                let zero = format!("{}'d0", net.node(*id).width);
                let _ = writeln!(out, "always @(posedge {} or negedge {clear})", net.clock);
                writeln!(
                    out,
                    "  if (!{clear}) {name} <= {zero};\n  else {name} <= {};",
                    expression(net, *value)
                )
            }
            Item::Memory(number) => {
                let memory = &net.memories[*number];
                writeln!(out, "reg {}{} [0:{}];", range(memory.width), memory.name, memory.depth - 1)
            }
            Item::Connect(instance, port) => {
                let child = &net.instances[*instance];
                let driver = child.inputs.get(port).and_then(|(_, driver)| *driver);
                let value = driver.map(|driver| expression(net, driver)).unwrap_or_default();
                writeln!(out, "{drives} {}${port} = {value};", child.name)
            }
            Item::Declaration(id) | Item::Register(id) if is_port(*id) => Ok(()),
            Item::Declaration(id) => writeln!(out, "wire {}{};", range(net.node(*id).width), net.name(*id)),
            Item::Register(id) => writeln!(out, "reg {}{};", range(net.node(*id).width), net.name(*id)),
            Item::Wire(id) | Item::Drive(id) => {
                let (name, value) = (net.name(*id), expression(net, net.node(*id).args[0]));
                match (is_port(*id), matches!(item, Item::Wire(_))) {
                    (true, _) => writeln!(out, "{drives} {name} = {value};"),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lines_are_folded_between_parts() {
        let short = "assign a = {b, c};";
        assert_eq!(wrapped(short), short);
        let long = format!("assign a = {{{}}};", vec!["some_signal[7:0] & another"; 4000].join(", "));
        let folded = wrapped(&long);
        assert!(folded.lines().count() > 1 && folded.lines().all(|line| line.len() <= LONGEST_LINE));
        assert_eq!(folded.replace("\n    ", " "), long);
    }
}
