// SPDX-License-Identifier: MIT OR Apache-2.0
//! Counting and timing of hand-made netlists, and what is refused.
#![allow(missing_docs)]

use area::artix7::{self, Artix7};
use area::ecp5::{self, Ecp5};
use area::netlist::{Design, NetlistError};
use area::timing::{TimingError, analyse, endpoints};
use area::utilisation::count;
use serde_json::{Value, json};

fn design(modules: Value) -> Result<Design, NetlistError> {
    Design::from_json(json!({ "modules": modules }).to_string().as_bytes())
}

fn cell(kind: &str, inputs: &[(&str, Value)], output: (&str, Value)) -> Value {
    let mut connections = serde_json::Map::new();
    let mut directions = serde_json::Map::new();
    for (port, bits) in inputs {
        connections.insert((*port).into(), bits.clone());
        directions.insert((*port).into(), json!("input"));
    }
    connections.insert(output.0.into(), output.1);
    directions.insert(output.0.into(), json!("output"));
    json!({ "type": kind, "connections": connections, "port_directions": directions })
}

fn register(d: u32, q: u32) -> Value {
    cell(
        "FDRE",
        &[("C", json!([1])), ("CE", json!(["1"])), ("D", json!([d])), ("R", json!(["0"]))],
        ("Q", json!([q])),
    )
}

/// A module of the registers and logic given, with net 1 as its clock and the nets named in `outputs` leaving it.
fn top(cells: Value, outputs: &[u32]) -> Value {
    json!({
        "attributes": { "top": "00000000000000000000000000000001" },
        "ports": { "clk": { "direction": "input", "bits": [1] }, "out": { "direction": "output", "bits": outputs } },
        "cells": cells,
        "netnames": {},
    })
}

/// A register in a module of its own.
fn leaf() -> Value {
    json!({
        "ports": {
            "clk": { "direction": "input", "bits": [1] },
            "d": { "direction": "input", "bits": [2] },
            "q": { "direction": "output", "bits": [3] },
        },
        "cells": { "ff": register(2, 3) },
        "netnames": {
            "q": { "hide_name": 0, "bits": [3] },
            "d": { "hide_name": 0, "bits": [2] },
            "$hidden": { "hide_name": 1, "bits": [3] },
        },
    })
}

fn instance(d: u32, q: u32) -> Value {
    cell("leaf", &[("clk", json!([1])), ("d", json!([d]))], ("q", json!([q])))
}

/// Register `a` takes a function of both, register `b` takes `a`; `unused` is read by nobody.
fn two_registers() -> Value {
    let cells = json!({
        "a": instance(4, 2),
        "b": instance(2, 3),
        "unused": register(2, 9),
        "l": cell("LUT2", &[("I0", json!([2])), ("I1", json!([3]))], ("O", json!([4]))),
    });
    json!({ "top": top(cells, &[3]), "leaf": leaf(), "FDRE": { "attributes": { "blackbox": "1" } } })
}

#[test]
fn cells_are_counted_per_module_and_in_all() {
    let design = design(two_registers()).unwrap();
    let utilisation = count(&design);
    assert_eq!((utilisation.total.lut(), utilisation.total.ff), (1, 3));
    assert_eq!(utilisation.total.luts, [0, 1, 0, 0, 0, 0]);
    let [top, leaf] = &utilisation.modules[..] else { panic!("two modules, parents first") };
    assert_eq!((top.name.as_str(), top.instances, top.own.ff, top.with_children.ff), ("top", 1, 1, 3));
    assert_eq!((leaf.name.as_str(), leaf.instances, leaf.own.ff), ("leaf", 2, 1));
}

#[test]
fn every_kind_is_counted_by_what_it_takes() {
    let kinds = [
        "LUT6",
        "INV",
        "FDSE",
        "FDCE",
        "FDPE",
        "CARRY4",
        "MUXF7",
        "MUXF8",
        "RAM32M",
        "RAM64M",
        "RAM32X1D",
        "RAM64X1D",
        "RAM128X1D",
        "SRL16E",
        "SRLC32E",
        "RAMB18E1",
        "RAMB36E1",
        "DSP48E1",
    ];
    let cells: serde_json::Map<String, Value> =
        kinds.iter().map(|kind| (kind.to_string(), json!({ "type": kind, "connections": {} }))).collect();
    let total = count(&design(json!({ "top": top(Value::Object(cells), &[]) })).unwrap()).total;
    assert_eq!((total.lut(), total.inverters, total.ff, total.carry4, total.muxf), (1, 1, 3, 1, 2));
    assert_eq!(total.lutram, 4 + 4 + 2 + 2 + 4 + 1 + 1);
    assert_eq!((total.bram(), total.dsp), (1.5, 1));
}

#[test]
fn the_longest_path_adds_up() {
    let design = design(two_registers()).unwrap();
    let timing = analyse(&design, &Artix7).unwrap();
    let path = timing.longest().unwrap();
    // a drives the LUT and b: fan-out 2 without the dead register. The LUT's register stands in its slice.
    let expected = artix7::CLOCK_TO_Q.ps + artix7::net(2) + artix7::LUT.ps + artix7::SETUP_D.ps;
    assert_eq!(path.ps, expected);
    assert_eq!((path.start.name.as_str(), path.start.pin.as_str()), ("a.q", "Q"));
    assert_eq!(
        (path.end.name.as_str(), path.end.pin.as_str(), path.end.module.as_str()),
        ("a.q", "D", "leaf")
    );
    assert_eq!(path.levels().into_iter().collect::<Vec<_>>(), [("LUT2", 1)]);
    assert_eq!((path.stages[0].wire.fan_out, path.stages[0].through.as_str()), (2, "I0 -> O"));
    assert_eq!((timing.endpoints, timing.dead_cells), (2, 1));
    assert_eq!((timing.histogram.as_slice(), timing.modules["leaf"]), (&[0, 2][..], expected));
    assert_eq!((timing.groups.len(), timing.groups[0].endpoints), (1, 2));
    assert_eq!((timing.loads[0].net.as_str(), timing.loads[0].fan_out), ("a.q", 2));
}

#[test]
fn a_carry_chain_costs_its_entry_and_a_little_per_cell() {
    let carry = |ci: Value, s: Value, co: [u32; 4]| {
        let inputs = [("CI", json!([ci])), ("CYINIT", json!(["0"])), ("DI", json!(["0", "0", "0", "0"]))];
        let mut cell = cell("CARRY4", &inputs, ("CO", json!(co)));
        cell["connections"]["S"] = json!([s, "0", "0", "0"]);
        cell["port_directions"]["S"] = json!("input");
        cell
    };
    let cells = json!({
        "from": register(30, 2),
        "c0": carry(json!("0"), json!(2), [10, 11, 12, 13]),
        "c1": carry(json!(13), json!("0"), [14, 15, 16, 17]),
        "to": register(17, 30),
    });
    let design = design(json!({ "top": top(cells, &[30]) })).unwrap();
    let timing = analyse(&design, &Artix7).unwrap();
    // A register enters a carry chain through a LUT.
    let expected = artix7::CLOCK_TO_Q.ps + artix7::net(1) + artix7::LUT.ps + 508 + 114;
    assert_eq!(timing.longest().unwrap().ps, expected);
    assert_eq!(timing.longest().unwrap().levels().into_iter().collect::<Vec<_>>(), [("CARRY4", 2)]);
}

#[test]
fn memories_begin_and_end_paths() {
    let inputs = [
        ("WCLK", json!([1])),
        ("WE", json!([2])),
        ("D", json!(["0"])),
        ("A0", json!(["0"])),
        ("DPRA0", json!([2])),
    ];
    let cells = json!({
        "from": register(5, 2),
        "memory": cell("RAM64X1D", &inputs, ("DPO", json!([5]))),
    });
    let design = design(json!({ "top": top(cells, &[5]) })).unwrap();
    let timing = analyse(&design, &Artix7).unwrap();
    let ps: Vec<u32> = timing.groups.iter().map(|group| group.worst.ps).collect();
    // Into the memory's WE; out of it into the register: written value, then read address.
    let write = artix7::CLOCK_TO_Q.ps + artix7::net(2) + artix7::LUTRAM_WE.ps;
    let read =
        artix7::LUTRAM_CLOCK.ps.max(artix7::CLOCK_TO_Q.ps + artix7::net(2) + artix7::LUT.ps) + artix7::net(1);
    assert_eq!(ps, [write.max(read), write.min(read)]);
}

#[test]
fn a_design_without_registers_has_no_path() {
    let cells = json!({ "l": cell("LUT1", &[("I0", json!([1]))], ("O", json!([2]))) });
    let timing = analyse(&design(json!({ "top": top(cells, &[2]) })).unwrap(), &Artix7).unwrap();
    assert_eq!((timing.longest(), timing.endpoints), (None, 0));
}

#[test]
fn a_loop_is_named() {
    let mut modules = json!({ "top": top(
        json!({
            "l": cell("LUT1", &[("I0", json!([3]))], ("O", json!([2]))),
            "m": cell("LUT1", &[("I0", json!([2]))], ("O", json!([3]))),
        }),
        &[2],
    ) });
    modules["top"]["netnames"] = json!({ "round": { "hide_name": 0, "bits": [2, 3] } });
    let design = design(modules).unwrap();
    let error = analyse(&design, &Artix7).unwrap_err();
    assert!(matches!(&error, TimingError::Loop(net) if net.starts_with("round[")), "{error}");
}

#[test]
fn what_cannot_be_read_is_refused_with_the_reason() {
    for text in ["", "{", "[]", "{\"modules\":{\"m\":{\"cells\":{\"c\":{}}}}}", "{\"modules\":7}"] {
        assert!(matches!(Design::from_json(text.as_bytes()), Err(NetlistError::Json(_))), "{text}");
    }
    assert!(matches!(design(json!({})), Err(NetlistError::NoTop)));
    let unknown = json!({ "c": { "type": "MYSTERY", "connections": {} } });
    assert!(matches!(
        design(json!({ "top": top(unknown, &[]) })),
        Err(NetlistError::UnknownCell { kind, .. }) if kind == "MYSTERY"
    ));
    let itself = json!({ "c": { "type": "top", "connections": {} } });
    assert!(matches!(design(json!({ "top": top(itself, &[]) })), Err(NetlistError::Recursive(_))));
    let narrow = json!({ "a": cell("leaf", &[("d", json!([1, 2]))], ("q", json!([3]))) });
    assert!(matches!(
        design(json!({ "top": top(narrow, &[]), "leaf": leaf() })),
        Err(NetlistError::Port { port, .. }) if port == "d"
    ));
    // Ten modules, each with a hundred of the next: more than anything can hold, and refused before it is unfolded.
    let mut modules = json!({ "top": top(json!({}), &[]), "m9": { "cells": {} } });
    for level in (0..9).rev() {
        let cells: serde_json::Map<String, Value> = (0..100)
            .map(|i| (format!("c{i}"), json!({ "type": format!("m{}", level + 1), "connections": {} })))
            .collect();
        modules[format!("m{level}")] = json!({ "cells": cells });
    }
    modules["top"]["cells"] = json!({ "c": { "type": "m0", "connections": {} } });
    assert!(matches!(design(modules), Err(NetlistError::TooLarge)));
}

#[test]
fn an_ecp5_is_timed_pin_by_pin() {
    let register = |d: u32, q: u32| {
        cell(
            "TRELLIS_FF",
            &[("CLK", json!([1])), ("CE", json!(["1"])), ("DI", json!([d])), ("LSR", json!(["0"]))],
            ("Q", json!([q])),
        )
    };
    let lut = cell("LUT4", &[("A", json!([2])), ("B", json!(["0"]))], ("Z", json!([3])));
    let carry = cell("CCU2C", &[("A0", json!([4])), ("CIN", json!(["0"]))], ("S1", json!([5])));
    let cells = json!({
        "first": register(6, 2), "table": lut, "second": register(3, 4), "sum": carry, "third": register(5, 6),
    });
    let mut ends = endpoints(&design(json!({ "top": top(cells, &[6]) })).unwrap(), &Ecp5).unwrap();
    ends.sort_by(|a, b| a.cell.cmp(&b.cell));
    let shown: Vec<(&str, &str, u32)> =
        ends.iter().map(|end| (end.cell.as_str(), end.port.as_str(), end.arrival_ps)).collect();
    let leaves = ecp5::CLOCK_TO_Q + ecp5::NET_BASE;
    let through = ecp5::INTO_CARRY + ecp5::CARRY_TO_SUM[1];
    let expected = [
        // From a register straight into another: no slice holds both.
        ("first", "DI", leaves),
        ("second", "DI", leaves + ecp5::LUT),
        ("third", "DI", leaves + through),
    ];
    assert_eq!(shown, expected);
}
