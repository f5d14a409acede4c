// SPDX-License-Identifier: MIT OR Apache-2.0
//! The register map as a CMSIS-SVD file, for debuggers and register viewers.

use super::origin::ORIGIN;
use crate::register_map::{Access, Register, WINDOW_BYTES, registers};
use crate::slots::SLOTS;
use std::fmt::Write;

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

fn register(text: &mut String, register: &Register) {
    let (name, count) = (register.name, register.count);
    let _ = writeln!(text, "        <register>");
    if count > 1 {
        let _ = writeln!(text, "          <dim>{count}</dim>\n          <dimIncrement>4</dimIncrement>");
    }
    let suffix = if count > 1 { "[%s]" } else { "" };
    let _ = writeln!(text, "          <name>{name}{suffix}</name>");
    let _ = writeln!(text, "          <description>{}</description>", escaped(register.description));
    let _ = writeln!(text, "          <addressOffset>0x{:03X}</addressOffset>", register.offset);
    let access = match register.access {
        Access::Read | Access::Pop => "read-only",
        Access::Push => "write-only",
        Access::ReadWrite | Access::WriteOneToClear => "read-write",
    };
    let _ = writeln!(text, "          <access>{access}</access>");
    let _ = match register.reset {
        Some(reset) => writeln!(text, "          <resetValue>0x{reset:08X}</resetValue>"),
        None => writeln!(text, "          <resetMask>0x00000000</resetMask>"),
    };
    if let Some(effect) = register.write_effect() {
        let _ = writeln!(text, "          <modifiedWriteValues>{effect}</modifiedWriteValues>");
    }
    if let Some(effect) = register.read_effect() {
        let _ = writeln!(text, "          <readAction>{effect}</readAction>");
    }
    if !register.fields.is_empty() {
        let _ = writeln!(text, "          <fields>");
        for field in register.fields {
            let _ = writeln!(
                text,
                "            <field>\n              <name>{}</name>\n              <description>{}</description>\n              \
                 <bitOffset>{}</bitOffset>\n              <bitWidth>{}</bitWidth>\n            </field>",
                field.name,
                escaped(field.description),
                field.low,
                field.width
            );
        }
        let _ = writeln!(text, "          </fields>");
    }
    let _ = writeln!(text, "        </register>");
}

/// A peripheral: the same registers somewhere.
struct Place {
    name: String,
    description: String,
    base: u32,
    interrupt: Option<u32>,
}

/// The file, with a peripheral for each of wujian100's low-speed slots.
pub fn text() -> String {
    let places = SLOTS.iter().enumerate().map(|(index, slot)| Place {
        name: format!("TENGEN{index}"),
        description: format!("engine in {}", slot.instance),
        base: slot.base,
        interrupt: Some(slot.interrupt),
    });
    let about = "Gomoku search engine in wujian100's low-speed slots";
    device(&format!("<!-- {ORIGIN} -->\n"), about, &places.collect::<Vec<_>>())
}

/// The file of a slot that its user mounts: one peripheral at address 0, without an interrupt's number.
pub fn unmounted() -> String {
    let about = "Gomoku search engine; set baseAddress to where it is mounted";
    let place = Place { name: "TENGEN".into(), description: "engine".into(), base: 0, interrupt: None };
    device("", about, &[place])
}

fn device(origin: &str, about: &str, places: &[Place]) -> String {
    let mut text = format!(
        "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n{origin}\
         <device schemaVersion=\"1.3\" xmlns:xs=\"http://www.w3.org/2001/XMLSchema-instance\" \
         xs:noNamespaceSchemaLocation=\"CMSIS-SVD.xsd\">\n  <name>tengen</name>\n  <version>{}</version>\n  \
         <description>{about}</description>\n  \
         <addressUnitBits>8</addressUnitBits>\n  <width>32</width>\n  <size>32</size>\n  \
         <resetValue>0x00000000</resetValue>\n  <resetMask>0xFFFFFFFF</resetMask>\n  <peripherals>\n",
        env!("CARGO_PKG_VERSION")
    );
    for (index, place) in places.iter().enumerate() {
        let derived = if index > 0 { format!(" derivedFrom=\"{}\"", places[0].name) } else { String::new() };
        let _ = write!(
            text,
            "    <peripheral{derived}>\n      <name>{}</name>\n      <description>{}</description>\n      \
             <baseAddress>0x{:08X}</baseAddress>\n",
            place.name,
            escaped(&place.description),
            place.base
        );
        let interrupt = place.interrupt.map_or_else(String::new, |number| {
            format!(
                "      <interrupt>\n        <name>{}</name>\n        <description>an answer waits</description>\n        \
                 <value>{number}</value>\n      </interrupt>\n",
                place.name
            )
        });
        if index == 0 {
            let _ = write!(
                text,
                "      <addressBlock>\n        <offset>0</offset>\n        <size>0x{WINDOW_BYTES:X}</size>\n        \
                 <usage>registers</usage>\n      </addressBlock>\n{interrupt}      <registers>\n"
            );
            registers().iter().for_each(|r| register(&mut text, r));
            text.push_str("      </registers>\n");
        } else {
            text.push_str(&interrupt);
        }
        text.push_str("    </peripheral>\n");
    }
    text.push_str("  </peripherals>\n</device>\n");
    text
}
