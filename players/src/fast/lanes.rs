// SPDX-License-Identifier: MIT OR Apache-2.0
//! Lanes, one per cell, and the two comparisons of them that end in a bit per lane.

use std::ops::{AddAssign, BitAnd};

/// Lanes compared at a time.
pub const CHUNK: usize = 16;

/// The integer that holds a cell's gain: 16 bits where the configuration's gains fit, else 32.
pub trait Lane:
    Copy + Ord + Default + BitAnd<Output = Self> + AddAssign + From<i16> + Into<i32> + Send + Sync + 'static
{
    /// One bit per lane: whether it exceeds `threshold`.
    #[inline(always)]
    fn above(lanes: &[Self; CHUNK], threshold: i32) -> u16 {
        let mut found = 0;
        for (bit, &lane) in lanes.iter().enumerate() {
            found |= u16::from(lane.into() > threshold) << bit;
        }
        found
    }
}

impl Lane for i32 {}

impl Lane for i16 {
    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    fn above(lanes: &[i16; CHUNK], threshold: i32) -> u16 {
        use std::arch::x86_64::{_mm_cmpgt_epi16, _mm_movemask_epi8, _mm_packs_epi16, _mm_set1_epi16};
        let threshold = threshold.clamp(i16::MIN.into(), i16::MAX.into()) as i16;
        // SAFETY: SSE2 is part of every x86-64 processor.
        unsafe {
            let threshold = _mm_set1_epi16(threshold);
            let [low, high] = halves(lanes);
            let found = _mm_packs_epi16(_mm_cmpgt_epi16(low, threshold), _mm_cmpgt_epi16(high, threshold));
            _mm_movemask_epi8(found) as u16
        }
    }
}

/// One bit per lane: whether it has a bit of `mask`.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
pub fn has_bit(lanes: &[u16; CHUNK], mask: u16) -> u16 {
    use std::arch::x86_64::{
        _mm_and_si128, _mm_cmpeq_epi16, _mm_movemask_epi8, _mm_packs_epi16, _mm_set1_epi16, _mm_setzero_si128,
    };
    // SAFETY: SSE2 is part of every x86-64 processor.
    unsafe {
        let mask = _mm_set1_epi16(mask as i16);
        let none = halves(lanes).map(|half| _mm_cmpeq_epi16(_mm_and_si128(half, mask), _mm_setzero_si128()));
        !_mm_movemask_epi8(_mm_packs_epi16(none[0], none[1])) as u16
    }
}

/// One bit per lane: whether it has a bit of `mask`.
#[cfg(not(target_arch = "x86_64"))]
pub fn has_bit(lanes: &[u16; CHUNK], mask: u16) -> u16 {
    let mut found = 0;
    for (bit, &lane) in lanes.iter().enumerate() {
        found |= u16::from(lane & mask != 0) << bit;
    }
    found
}

/// The lanes as two vectors.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn halves<T: Copy>(lanes: &[T; CHUNK]) -> [std::arch::x86_64::__m128i; 2] {
    const { assert!(size_of::<[T; CHUNK]>() == 32) };
    // SAFETY: both types are 32 plain bytes, and any bytes are a vector.
    unsafe { std::mem::transmute_copy(lanes) }
}
