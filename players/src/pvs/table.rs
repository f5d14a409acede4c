// SPDX-License-Identifier: MIT OR Apache-2.0
//! The transposition table: of bounded size, under all threads without a lock.

use engine_model::geometry::Cell;
use std::sync::atomic::{AtomicU64, Ordering};

/// What a value says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bound {
    /// It is the value.
    Exact,
    /// The value is as high or higher.
    Lower,
    /// The value is as low or lower.
    Upper,
}

/// What is known of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    pub(super) depth: u8,
    pub(super) bound: Bound,
    pub(super) value: i32,
    pub(super) best: Cell,
}

impl Entry {
    fn packed(self) -> u64 {
        let bound = match self.bound {
            Bound::Exact => 0,
            Bound::Lower => 1,
            Bound::Upper => 2,
        };
        u64::from(self.value as u32) << 32 | u64::from(self.best) << 16 | bound << 8 | u64::from(self.depth)
    }

    fn unpacked(word: u64) -> Option<Entry> {
        let bound = match word >> 8 & 0xff {
            0 => Bound::Exact,
            1 => Bound::Lower,
            2 => Bound::Upper,
            _ => return None,
        };
        Some(Entry { depth: word as u8, bound, value: (word >> 32) as u32 as i32, best: (word >> 16) as u16 })
    }
}

/// A slot: the entry, and the key with the entry's bits turned over it, so that halves of two writers do not fit (R. Hyatt's
/// lockless table).
#[derive(Default)]
struct Slot {
    check: AtomicU64,
    entry: AtomicU64,
}

/// The table. A deeper entry of another position gives way to whatever comes: the newest is the likeliest to be asked for; of the
/// same position the deeper one stays.
pub(super) struct Table {
    slots: Vec<Slot>,
}

impl Table {
    /// Of so many bytes at most; without room for a slot it keeps nothing.
    pub(super) fn new(bytes: usize) -> Table {
        let slots = bytes / size_of::<Slot>();
        // A power of two: the key's low bits choose the slot.
        let slots = if slots == 0 { 0 } else { 1 << slots.ilog2() };
        Table { slots: (0..slots).map(|_| Slot::default()).collect() }
    }

    fn slot(&self, key: u64) -> Option<&Slot> {
        self.slots.get(key as usize & self.slots.len().wrapping_sub(1))
    }

    /// What is known of the position with this key.
    pub(super) fn get(&self, key: u64) -> Option<Entry> {
        let slot = self.slot(key)?;
        let word = slot.entry.load(Ordering::Relaxed);
        let fits = word != 0 && slot.check.load(Ordering::Relaxed) ^ word == key;
        fits.then(|| Entry::unpacked(word)).flatten()
    }

    /// Keeps what is known.
    pub(super) fn put(&self, key: u64, entry: Entry) {
        let Some(slot) = self.slot(key) else { return };
        if self.get(key).is_some_and(|known| known.depth > entry.depth) {
            return;
        }
        let word = entry.packed();
        slot.entry.store(word, Ordering::Relaxed);
        slot.check.store(key ^ word, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_come_back_and_give_way() {
        let table = Table::new(1 << 10);
        assert_eq!(table.slots.len(), 64);
        let entry = Entry { depth: 3, bound: Bound::Lower, value: -123_456, best: 224 };
        table.put(7, entry);
        assert_eq!(table.get(7), Some(entry));
        // Another position in the same slot.
        assert_eq!(table.get(7 + 64), None);
        table.put(7, Entry { depth: 2, value: 0, ..entry });
        assert_eq!(table.get(7), Some(entry), "the deeper one stays");
        let other = Entry { depth: 1, bound: Bound::Upper, value: 5, best: 0 };
        table.put(7 + 64, other);
        assert_eq!((table.get(7), table.get(7 + 64)), (None, Some(other)));
        // No room: nothing is kept.
        let none = Table::new(10);
        none.put(7, entry);
        assert_eq!(none.get(7), None);
    }
}
