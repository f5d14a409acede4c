// SPDX-License-Identifier: MIT OR Apache-2.0
//! Values of any width.

/// Bits of a word.
const WORD: usize = u64::BITS as usize;

/// A value of any width: words, the lowest first, no bit set above the width.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Value {
    words: Vec<u64>,
    width: usize,
}

impl Value {
    /// A number of so many bits; what does not fit is cut off.
    pub fn new(width: usize, words: &[u64]) -> Value {
        let mut value = Value { words: words.to_vec(), width };
        value.words.resize(width.div_ceil(WORD), 0);
        if let (Some(last), 1..) = (value.words.last_mut(), width % WORD) {
            *last &= (1 << (width % WORD)) - 1;
        }
        value
    }

    /// Its words, the lowest first.
    pub fn words(&self) -> &[u64] {
        &self.words
    }

    /// The lowest 64 bits.
    pub fn low(&self) -> u64 {
        self.words.first().copied().unwrap_or(0)
    }

    /// A field of at most 64 bits.
    pub fn field(&self, low: usize, width: usize) -> u64 {
        self.slice(low, width).low()
    }

    /// A bit.
    pub fn bit(&self, at: usize) -> bool {
        self.words[at / WORD] >> (at % WORD) & 1 == 1
    }

    /// 64 bits from one on.
    fn from(&self, low: usize) -> u64 {
        let (word, shift) = (low / WORD, low % WORD);
        let at = |index: usize| self.words.get(index).copied().unwrap_or(0);
        let high = if shift == 0 { 0 } else { at(word + 1) << (WORD - shift) };
        at(word) >> shift | high
    }

    pub(super) fn slice(&self, low: usize, width: usize) -> Value {
        let words: Vec<u64> = (0..width.div_ceil(WORD)).map(|index| self.from(low + index * WORD)).collect();
        Value::new(width, &words)
    }

    /// Of bits, the lowest first.
    pub fn of_bits(bits: &[bool]) -> Value {
        let mut words = vec![0; bits.len().div_ceil(WORD)];
        bits.iter()
            .enumerate()
            .filter(|(_, bit)| **bit)
            .for_each(|(at, _)| words[at / WORD] |= 1 << (at % WORD));
        Value { words, width: bits.len() }
    }

    /// Bits that it has.
    pub fn width(&self) -> usize {
        self.width
    }
}
