// SPDX-License-Identifier: MIT OR Apache-2.0
//! Functions on signals: choosing among many, the first of a set, counting.
//!
//! A "plane" is a vector with one bit per cell (index y * columns + x). Counting and adding on planes is bit-sliced: a
//! number per cell is a list of planes, least significant first.

use super::module::Module;
use super::sig::{Sig, any_of, bundle, cat};

/// Whether any of a set is set, and the number of the first that is.
#[derive(Clone, Copy)]
pub struct First<'m> {
    /// Whether there is one.
    pub any: Sig<'m>,
    /// Its number; of none, any number.
    pub number: Sig<'m>,
    /// The mark that goes with it.
    pub mark: Sig<'m>,
}

/// A bit for each of `count` numbers, the first lowest: whether the signal is that number.
#[track_caller]
pub fn one_hot<'m>(signal: Sig<'m>, count: usize) -> Sig<'m> {
    bundle((0..count).map(|number| signal.is(number)))
}

impl Module {
    /// Whether two or more are set: halves are counted to one and two, then joined.
    #[track_caller]
    pub fn two_set<'m>(&'m self, hint: &str, wires: &[Sig<'m>]) -> Sig<'m> {
        let mut counts: Vec<(Sig, Sig)> = wires.iter().map(|wire| (*wire, self.bit(false))).collect();
        while counts.len() > 1 {
            let join = |pair: &[(Sig<'m>, Sig<'m>)]| match *pair {
                [(a, aa), (b, bb)] => (
                    self.part(&format!("one_{hint}"), a | b),
                    self.part(&format!("two_{hint}"), aa | bb | (a & b)),
                ),
                _ => pair[0],
            };
            counts = counts.chunks(2).map(join).collect();
        }
        counts[0].1
    }

    /// The entry that `index` selects, as a tree over its bits; of a number without an entry nothing is promised.
    #[track_caller]
    pub fn select<'m>(&'m self, hint: &str, index: Sig<'m>, entries: &[Sig<'m>]) -> Sig<'m> {
        let mut entries = entries.to_vec();
        for bit in 0..index.width {
            if entries.len() == 1 {
                break;
            }
            let selector = index.bit(bit);
            entries = entries
                .chunks(2)
                .map(|pair| match pair {
                    [low, high] => self.part(hint, selector.mux(*high, *low)),
                    _ => pair[0],
                })
                .collect();
        }
        entries[0]
    }

    /// Whether any of some bits is set, and the number of the first that is. A tree: as deep as the number has bits.
    #[track_caller]
    pub fn first_set<'m>(&'m self, hint: &str, bits: usize, set: &[Sig<'m>]) -> First<'m> {
        self.first_set_with(hint, bits, set, &[])
    }

    /// The same, and the bit of `marks` that goes with it: it comes along the tree, no later than the number.
    #[track_caller]
    pub fn first_set_with<'m>(
        &'m self,
        hint: &str,
        bits: usize,
        set: &[Sig<'m>],
        marks: &[Sig<'m>],
    ) -> First<'m> {
        let marked = |i: usize| marks.get(i).copied().unwrap_or_else(|| self.bit(false));
        let mut nodes: Vec<First> = set
            .iter()
            .enumerate()
            .map(|(i, &any)| First { any, number: self.zero(0), mark: marked(i) })
            .collect();
        for _ in 0..bits {
            nodes = nodes
                .chunks(2)
                .map(|pair| {
                    let [low, high] = pair else {
                        return First { number: cat([self.bit(false), pair[0].number]), ..pair[0] };
                    };
                    let any = self.part(&format!("{hint}_any"), low.any | high.any);
                    let later = self.part(&format!("{hint}_later"), !low.any);
                    let number = match low.number.width {
                        0 => later,
                        _ => {
                            let number = cat([later, low.any.mux(low.number, high.number)]);
                            self.part(&format!("{hint}_number"), number)
                        }
                    };
                    let mark = match marks {
                        [] => low.mark,
                        _ => self.part(&format!("{hint}_mark"), low.any.mux(low.mark, high.mark)),
                    };
                    First { any, number, mark }
                })
                .collect();
        }
        let first = nodes[0];
        let number = if first.number.width == 0 { self.zero(bits) } else { first.number };
        First { number: self.part(hint, number), ..first }
    }

    /// Of some bits the first that is set, alone: no tree of numbers, so that what it chooses waits for no decoder. The bits before it are
    /// gathered in a tree as deep as their count has bits.
    #[track_caller]
    pub fn first_alone<'m>(&'m self, hint: &str, set: &[Sig<'m>]) -> Vec<Sig<'m>> {
        let mut up_to = set.to_vec();
        let mut distance = 1;
        while distance < set.len() {
            up_to = (0..set.len())
                .map(|i| match i / distance % 2 {
                    0 => up_to[i],
                    _ => self.part(&format!("{hint}_up_to"), up_to[i] | up_to[i / distance * distance - 1]),
                })
                .collect();
            distance *= 2;
        }
        let alone = |i: usize| if i == 0 { set[0] } else { set[i] & !up_to[i - 1] };
        (0..set.len()).map(|i| self.part(hint, alone(i))).collect()
    }

    /// Whether one bit is set and the number of the first that is, whether two are and the number of the second (of
    /// none, any number): one tree for both.
    #[track_caller]
    pub fn first_two_set<'m>(&'m self, hint: &str, bits: usize, set: &[Sig<'m>]) -> [(Sig<'m>, Sig<'m>); 2] {
        let no = || self.bit(false);
        let mut nodes: Vec<[(Sig, Sig); 2]> =
            set.iter().map(|bit| [(*bit, self.zero(0)), (no(), self.zero(0))]).collect();
        let part = |name: &str, value| self.part(&format!("{hint}_{name}"), value);
        for _ in 0..bits {
            let number = |high: bool, number: Sig<'m>| cat([self.bit(high), number]);
            nodes = nodes
                .chunks(2)
                .map(|pair| {
                    let [low, high] = pair else {
                        return pair[0].map(|(any, at)| (any, number(false, at)));
                    };
                    let [(low_one, low_first), (low_two, low_second)] = *low;
                    let [(high_one, high_first), (high_two, high_second)] = *high;
                    let one = part("one", low_one | high_one);
                    let two = part("two", low_two | high_two | (low_one & high_one));
                    let [later_first, later_second] = [high_first, high_second].map(|n| number(true, n));
                    let [low_first, low_second] = [low_first, low_second].map(|n| number(false, n));
                    let first = part("first", low_one.mux(low_first, later_first));
                    let second = low_two.mux(low_second, low_one.mux(later_first, later_second));
                    [(one, first), (two, part("second", second))]
                })
                .collect();
        }
        nodes[0].map(|(any, number)| (any, if number.width == 0 { self.zero(bits) } else { number }))
    }

    /// Bit-sliced sum of planes: `columns[w]` holds planes of weight 2^w; the result is the sum's planes, least
    /// significant first. Six planes at a time become a three-bit count (one 6-input table a bit), fewer at the end.
    #[track_caller]
    pub fn sum_columns<'m>(
        &'m self,
        hint: &str,
        width: usize,
        mut columns: Vec<Vec<Sig<'m>>>,
    ) -> Vec<Sig<'m>> {
        let mut sum = Vec::new();
        let mut weight = 0;
        while weight < columns.len() {
            let mut queue: std::collections::VecDeque<Sig> = std::mem::take(&mut columns[weight]).into();
            while queue.len() > 1 {
                let taken: Vec<Sig> = queue.drain(..queue.len().min(6)).collect();
                let count = self.small_count(hint, &taken, taken.len());
                for (above, plane) in count.into_iter().enumerate() {
                    if above == 0 {
                        queue.push_back(plane);
                        continue;
                    }
                    columns.resize(columns.len().max(weight + above + 1), Vec::new());
                    columns[weight + above].push(plane);
                }
            }
            sum.push(queue.pop_front().unwrap_or_else(|| self.zero(width)));
            weight += 1;
        }
        sum
    }

    /// Count of two to six planes, never more than `most`: at most three planes, least significant first.
    #[track_caller]
    pub fn small_count<'m>(&'m self, hint: &str, planes: &[Sig<'m>], most: usize) -> Vec<Sig<'m>> {
        if most == 1 && planes.len() > 1 {
            return vec![self.part(hint, any_of(planes.iter().copied()))];
        }
        let majority = |a: Sig<'m>, b: Sig<'m>, c: Sig<'m>| (a & b) | (a & c) | (b & c);
        let full_adder = |a: Sig<'m>, b: Sig<'m>, c: Sig<'m>| {
            (self.part(hint, a ^ b ^ c), self.part(hint, majority(a, b, c)))
        };
        match *planes {
            [a, b] => vec![self.part(hint, a ^ b), self.part(hint, a & b)],
            [a, b, c] => {
                let (total, carry) = full_adder(a, b, c);
                vec![total, carry]
            }
            [a, b, c, ref rest @ ..] => {
                let (first, first_carry) = full_adder(a, b, c);
                let (second, second_carry) = match *rest {
                    [d] => (d, None),
                    [d, e] => (self.part(hint, d ^ e), Some(self.part(hint, d & e))),
                    [d, e, f, ..] => {
                        let (total, carry) = full_adder(d, e, f);
                        (total, Some(carry))
                    }
                    [] => unreachable!("three planes were counted above"),
                };
                let total = self.part(hint, first ^ second);
                let both = self.part(hint, first & second);
                let (twos, fours) = match second_carry {
                    None => (first_carry ^ both, first_carry & both),
                    Some(other) => (first_carry ^ other ^ both, majority(first_carry, other, both)),
                };
                let mut count = vec![total, self.part(hint, twos)];
                if most >= 4 {
                    count.push(self.part(hint, fours));
                }
                count
            }
            _ => planes.to_vec(),
        }
    }

    /// Bit-sliced count of how many of the planes have each bit set.
    #[track_caller]
    pub fn count<'m>(&'m self, hint: &str, planes: &[Sig<'m>]) -> Vec<Sig<'m>> {
        self.sum_columns(hint, planes[0].width, vec![planes.to_vec()])
    }

    /// From planes to cells: for each bit of the planes, the lowest first, a number with as many bits as there are planes, the first plane's
    /// lowest.
    ///
    /// Squares of bits are transposed by exchanging halves, then quarters and so on, all along the planes at once (H. S. Warren, Hacker's
    /// Delight, 7-3). To a synthesizer these are wires; to a simulator they are operations on words, not three for every bit.
    #[track_caller]
    pub fn transposed<'m>(&'m self, hint: &str, planes: &[Sig<'m>]) -> Vec<Sig<'m>> {
        let (cells, side) = (planes[0].width, planes.len().next_power_of_two());
        let width = cells.next_multiple_of(side);
        let mut rows: Vec<Sig> = planes.iter().map(|plane| plane.zero_extend(width)).collect();
        let mut half = side / 2;
        while half > 0 {
            let low: Vec<bool> = (0..width).map(|bit| bit & half == 0).collect();
            let high: Vec<bool> = low.iter().map(|low| !low).collect();
            let [low, high] = [low, high].map(|bits| self.plane(&bits));
            // More than half of a square has planes: only in the first exchange a row may have no partner.
            let before = rows.clone();
            rows.resize(side, before[0]);
            for upper in (0..side).filter(|row| row & half == 0) {
                let lower = upper + half;
                let (a, b) = (before[upper], before.get(lower).copied());
                let with = |a: Sig<'m>, b: Option<Sig<'m>>| self.part(hint, b.map_or(a, |b| a | b));
                rows[upper] = with(a & low, b.map(|b| (b & low).up(half)));
                rows[lower] = with((a & high).down(half), b.map(|b| b & high));
            }
            half /= 2;
        }
        let number = |cell: usize| {
            let at = cell - cell % side;
            rows[cell % side].bits(at..at + planes.len())
        };
        (0..cells).map(number).collect()
    }

    /// Where the bit-sliced number equals `value`.
    #[track_caller]
    pub fn equals<'m>(&'m self, number: &[Sig<'m>], value: usize) -> Sig<'m> {
        if value >> number.len() != 0 {
            return self.zero(number[0].width);
        }
        let term = |(i, plane): (usize, &Sig<'m>)| if value >> i & 1 == 1 { *plane } else { !*plane };
        super::sig::all_of(number.iter().enumerate().map(term))
    }
}
