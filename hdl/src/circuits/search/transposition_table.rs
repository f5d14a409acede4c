// SPDX-License-Identifier: MIT OR Apache-2.0
//! The transposition table: values of nodes that have returned, by their stones.

use crate::layout::Layout;
use kit::{Circuit, Module, Sig, all_of, any_of, cat, when};

/// Clocks from a lookup to its answer.
pub const LOOKUP_LATENCY: usize = 3;
/// Bits of a cell that one bit of an index depends on: a table of one LUT6.
const HASHED_BITS: usize = 6;

kit::record! {
    /// What is looked up and what is stored.
    pub struct TableAccess {
        /// A search begins: nothing is known.
        clear,
        /// A node is looked up.
        look_up,
        /// Its path.
        look_up_path,
        /// Length of that.
        look_up_length,
        /// A node's value is stored.
        store,
        /// Its path.
        store_path,
        /// Length of that.
        store_length,
        /// The value, signed, seen by the node's mover.
        store_value,
        /// Whether it is exact: a [`BoundCode`](crate::circuits::level::words::BoundCode).
        store_bound,
    }
}

/// Widths of an access.
pub fn table_access(layout: &Layout) -> TableAccess<usize> {
    let (path, length) = (stored_path_bits(layout), layout.length_bits);
    TableAccess {
        look_up_path: path,
        look_up_length: length,
        store_path: path,
        store_length: length,
        store_value: layout.value_bits,
        store_bound: layout.returned.bound,
        ..TableAccess::uniform(1)
    }
}

/// Entries in block RAM, directly mapped; a new one replaces what was there.
///
/// [`TableAccess`] in, paths with their newest move first. Three clocks later ([`LOOKUP_LATENCY`]) out `hit`, and of it `value` and
/// `bound`: a node of the same search with the same stones of both sides has been stored, in whatever order they were put. Paths are
/// compared in full, so that the hash that finds an entry decides nothing. One lookup and one store a clock; a lookup finds what
/// was stored in the clock before. `clear` takes as many clocks as there are rows of marks, in which nothing is found or stored; reset does the same.
///
/// # Panics
/// Of a layout without a table.
pub fn transposition_table(layout: &Layout) -> Circuit {
    let module = Module::new(
        "transposition_table",
        &format!(
            "Values of nodes that have returned, by their stones: {} entries.\n\
             Latency {LOOKUP_LATENCY}, initiation interval 1; reset and clear empty it, row by row.",
            layout.config.transpositions
        ),
        true,
    );
    let m = &module;
    let access = table_access(layout).inputs(m);
    let index_bits = index_bits(layout);
    m.comment(
        "Marks of the entries that have been written in this search: a row of them is cleared a clock.",
    );
    let row_bits = index_bits / 2;
    let cleared = m.control("rows_cleared", row_bits + 1, 0);
    let ready = cleared.bit(row_bits);
    m.at_edge([when(access.clear, [cleared.set(0)]).else_when(!ready, [cleared.set(cleared + 1)])]);

    m.comment("Where a path's stones are kept.");
    let index = m.delayed("index", hashed(m, layout, "look_up", access.look_up_path, access.look_up_length));
    let store_index = hashed(m, layout, "store", access.store_path, access.store_length);
    let store_index = m.delayed("store_index", store_index);
    let stores = m.cleared("stores", access.store & ready & !access.clear);
    let path_bits = access.store_path.width;
    let entry = cat([access.store_bound, access.store_value, access.store_length, access.store_path]);
    let entry = m.delayed("stored", entry);
    let entries = m.memory("entries", entry.width, layout.config.transpositions);
    m.at_edge([when(stores, [entries.write(store_index, entry)])]);
    let found = m.read_register("found", entries, index);

    let [row, store_row] = [index, store_index].map(|index| index.bits(0..row_bits));
    let [column, store_column] = [index, store_index].map(|index| index.bits(row_bits..index_bits));
    let marked_row = m.wire("marked_row", ready.mux(store_row, cleared.bits(0..row_bits)));
    let marks = (0..1 << column.width).map(|number| {
        let marks = m.memory(&format!("marks_{number}"), 1, 1 << row_bits);
        let here = stores & store_column.is(number);
        m.at_edge([when(!ready | here, [marks.write(marked_row, ready)])]);
        marks.read(row)
    });
    let marks: Vec<Sig> = marks.collect();
    let written = m.delayed("written", m.select("mark", column, &marks) & ready);

    m.comment("The same stones: every move of the one is a move of the other, by the same side.");
    let asked_path = m.delay("asked_path", access.look_up_path, 2);
    let asked_length = m.delay("asked_length", access.look_up_length, 2);
    let asked = m.cleared("asked", m.cleared("asks", access.look_up));
    let [found_path, rest] = [found.bits(0..path_bits), found.bits(path_bits..found.width)];
    let (found_length, rest) = (rest.bits(0..layout.length_bits), rest.bits(layout.length_bits..rest.width));
    let [asked_cells, found_cells] = [asked_path, found_path].map(|path| path.each_word(layout.cell_bits));
    let there: Vec<Sig> =
        (0..places(layout)).map(|place| m.part("is_there", asked_length.more(place as u64))).collect();
    let is_found = |place: usize| {
        let same = |other: usize| there[other] & asked_cells[place].is(found_cells[other]);
        !there[place] | any_of((place % 2..places(layout)).step_by(2).map(same))
    };
    let same = m.wire("same_stones", all_of((0..places(layout)).map(is_found)));
    let hit = asked & written & found_length.is(asked_length) & same;
    m.output("hit", m.cleared("hits", hit));
    m.output("value", m.delayed("found_value", rest.bits(0..layout.value_bits)));
    m.output("bound", m.delayed("found_bound", rest.bits(layout.value_bits..rest.width)));
    module.circuit()
}

/// Bits of an entry's number.
fn index_bits(layout: &Layout) -> usize {
    layout.config.transpositions.ilog2() as usize
}

/// Bits of the longest path that is stored, which are the lowest of any.
pub(super) fn stored_path_bits(layout: &Layout) -> usize {
    places(layout) * layout.cell_bits
}

/// Its moves.
fn places(layout: &Layout) -> usize {
    layout.stored_lengths().end - 1
}

/// The entry of a path's stones: the exclusive or of a number for each, whatever their order. Every second move is the same side's.
fn hashed<'m>(m: &'m Module, layout: &Layout, who: &str, path: Sig<'m>, length: Sig<'m>) -> Sig<'m> {
    let number = |(place, cell): (usize, Sig<'m>)| {
        let stone = m.child(&format!("{who}_stone_{place}"), stone_hash(layout, place % 2));
        stone.drive("cell_there", cell);
        stone.get("hash").only_if(length.more(place as u64))
    };
    let index =
        path.each_word(layout.cell_bits).into_iter().enumerate().map(number).reduce(|all, one| all ^ one);
    m.wire(&format!("{who}_hash"), index.expect("a path of stored nodes has moves"))
}

/// A number for a stone on `cell_there`, of the side that made the newest move (`side` 0) or the other one: out `hash`, as wide as an
/// entry's number. Each of its bits is a table of [`HASHED_BITS`] bits of the cell. No clock.
fn stone_hash(layout: &Layout, side: usize) -> Circuit {
    let name = format!("stone_hash_{side}");
    let m = Module::combinational(&name, "A number for a stone.\nCombinational.");
    let cell = m.input("cell_there", layout.cell_bits);
    let hash = |cell: usize| {
        let bit = |bit: usize| {
            let left_out = layout.cell_bits.saturating_sub(HASHED_BITS);
            let seen = (0..left_out).fold(cell, |seen, i| seen & !(1 << ((bit + 3 * i) % layout.cell_bits)));
            let seed = (seen << 1 | side) << 5 | bit;
            (splitmix(seed as u64) & 1) << bit
        };
        (0..index_bits(layout)).map(bit).sum::<u64>() as u16
    };
    let table: Vec<u16> = (0..1 << layout.cell_bits).map(hash).collect();
    m.output("hash", m.lookup("hash_of_cell", cell, index_bits(layout), &table));
    m.circuit()
}

/// SplitMix64 (Steele, Lea and Flood: Fast Splittable Pseudorandom Number Generators, OOPSLA 2014).
fn splitmix(seed: u64) -> u64 {
    let mut z = seed.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
