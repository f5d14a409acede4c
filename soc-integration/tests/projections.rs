// SPDX-License-Identifier: MIT OR Apache-2.0
//! What is checked in is what the register map says today; the SVD file is one that a parser reads back.
#![allow(missing_docs)]

use soc_integration::projections;
use soc_integration::register_map::{Access, registers};
use soc_integration::slots::SLOTS;
use std::path::Path;

#[test]
fn no_projection_is_stale() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut stale = Vec::new();
    for (file, text) in projections::files() {
        let path = root.join(file);
        if std::env::var_os("UPDATE_EXPECT").is_some() {
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(&path, &text).unwrap();
        }
        if std::fs::read_to_string(&path).unwrap_or_default() != text {
            stale.push(file);
        }
    }
    assert!(stale.is_empty(), "{stale:?}: run UPDATE_EXPECT=1 cargo test -p soc-integration");
}

#[test]
fn a_parser_reads_every_register_and_field_back() {
    let device = svd_parser::parse(&projections::svd::text()).expect("the SVD file is valid");
    assert_eq!(device.peripherals.len(), SLOTS.len());
    for (peripheral, slot) in device.peripherals.iter().zip(&SLOTS) {
        assert_eq!(peripheral.base_address, u64::from(slot.base));
        assert_eq!(peripheral.interrupt[0].value, slot.interrupt);
    }
    let alone = svd_parser::parse(&projections::svd::unmounted()).expect("the SVD file is valid");
    assert_eq!((alone.peripherals.len(), alone.peripherals[0].base_address), (1, 0));
    assert!(alone.peripherals[0].registers().eq(device.peripherals[0].registers()));
    let first = &device.peripherals[0];
    let read: Vec<_> = first.registers().collect();
    let all = registers();
    assert_eq!(read.len(), all.len());
    for (read, register) in read.iter().zip(&all) {
        assert_eq!(read.name.trim_end_matches("[%s]"), register.name);
        assert_eq!(read.address_offset, register.offset);
        let writable = read.properties.access.is_some_and(|access| access.can_write());
        assert_eq!(writable, !matches!(register.access, Access::Read | Access::Pop), "{}", register.name);
        let fields: Vec<_> =
            read.fields().map(|f| (f.name.as_str(), f.bit_range.offset, f.bit_range.width)).collect();
        let wanted: Vec<_> = register.fields.iter().map(|f| (f.name, f.low, f.width)).collect();
        assert_eq!(fields, wanted);
    }
}
