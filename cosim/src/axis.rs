// SPDX-License-Identifier: MIT OR Apache-2.0
//! AXI4-Stream source, sink and monitor (Arm IHI 0051). Idle and back-pressure are probabilities drawn from a seed.

use std::collections::VecDeque;

/// One transfer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Beat {
    /// tdata.
    pub data: u32,
    /// tlast.
    pub last: bool,
}

/// Drives tvalid and tdata; once a beat is presented it stays until taken.
#[derive(Debug)]
pub struct Source {
    queue: VecDeque<u32>,
    presented: bool,
    idle: f64,
}

impl Source {
    /// A source that, with a beat waiting, stays idle in a clock with probability `idle`.
    pub fn new(idle: f64) -> Source {
        Source { queue: VecDeque::new(), presented: false, idle }
    }

    /// Queues a word.
    pub fn push(&mut self, word: u32) {
        self.queue.push_back(word);
    }

    /// Words not yet taken.
    pub fn waiting(&self) -> usize {
        self.queue.len()
    }

    /// Drops what is queued; only legal during reset, as a presented beat may not be withdrawn.
    pub fn reset(&mut self) {
        self.queue.clear();
        self.presented = false;
    }

    /// tvalid and tdata of this clock.
    pub fn drive(&mut self, rng: &mut fastrand::Rng) -> (bool, u32) {
        if !self.presented && !self.queue.is_empty() {
            self.presented = rng.f64() >= self.idle;
        }
        (self.presented, if self.presented { self.queue[0] } else { rng.u32(..) })
    }

    /// Tells what tready was in this clock.
    pub fn clocked(&mut self, ready: bool) {
        if self.presented && ready {
            self.queue.pop_front();
            self.presented = false;
        }
    }
}

/// Drives tready and collects beats.
#[derive(Debug)]
pub struct Sink {
    beats: VecDeque<Beat>,
    ready: bool,
    back_pressure: f64,
}

impl Sink {
    /// A sink that refuses a clock with probability `back_pressure`.
    pub fn new(back_pressure: f64) -> Sink {
        Sink { beats: VecDeque::new(), ready: false, back_pressure }
    }

    /// tready of this clock.
    pub fn drive(&mut self, rng: &mut fastrand::Rng) -> bool {
        self.ready = rng.f64() >= self.back_pressure;
        self.ready
    }

    /// Tells what the source showed in this clock.
    pub fn clocked(&mut self, valid: bool, beat: Beat) {
        if valid && self.ready {
            self.beats.push_back(beat);
        }
    }

    /// Forgets what it holds.
    pub fn clear(&mut self) {
        self.beats.clear();
    }

    /// Takes the oldest beat.
    pub fn pop(&mut self) -> Option<Beat> {
        self.beats.pop_front()
    }

    /// Number of beats held.
    pub fn len(&self) -> usize {
        self.beats.len()
    }

    /// Whether no beat is held.
    pub fn is_empty(&self) -> bool {
        self.beats.is_empty()
    }
}

/// A rule of AXI4-Stream that a master broke.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StreamFault {
    /// tvalid went away before tready.
    #[error("tvalid fell before the beat {0:?} was taken")]
    Withdrawn(Beat),
    /// tdata or tlast changed while waiting.
    #[error("the waiting beat changed from {before:?} to {after:?}")]
    Changed {
        /// Beat first shown.
        before: Beat,
        /// Beat shown later.
        after: Beat,
    },
    /// tvalid during reset.
    #[error("tvalid is high during reset")]
    ValidInReset,
}

/// Watches a master passively.
#[derive(Debug, Default)]
pub struct Monitor {
    waiting: Option<Beat>,
    in_reset: u32,
}

impl Monitor {
    /// Checks one clock as seen just before the rising edge.
    pub fn clocked(
        &mut self,
        reset_n: bool,
        valid: bool,
        ready: bool,
        beat: Beat,
    ) -> Result<(), StreamFault> {
        if !reset_n {
            self.waiting = None;
            self.in_reset += 1;
            // The first edge with reset low is what clears tvalid.
            return if valid && self.in_reset > 1 { Err(StreamFault::ValidInReset) } else { Ok(()) };
        }
        // The last edge of the reset has been seen, so tvalid must still be low in the first clock after it.
        let first_clock = std::mem::take(&mut self.in_reset) > 0;
        if first_clock && valid {
            return Err(StreamFault::ValidInReset);
        }
        match self.waiting {
            Some(before) if !valid => return Err(StreamFault::Withdrawn(before)),
            Some(before) if before != beat => return Err(StreamFault::Changed { before, after: beat }),
            _ => {}
        }
        self.waiting = (valid && !ready).then_some(beat);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BEAT: Beat = Beat { data: 7, last: false };

    #[test]
    fn the_monitor_sees_each_broken_rule() {
        let mut monitor = Monitor::default();
        monitor.clocked(false, true, true, BEAT).unwrap();
        assert_eq!(monitor.clocked(false, true, true, BEAT), Err(StreamFault::ValidInReset));
        assert_eq!(monitor.clocked(true, true, true, BEAT), Err(StreamFault::ValidInReset));
        monitor.clocked(true, true, false, BEAT).unwrap();
        assert_eq!(monitor.clocked(true, false, false, BEAT), Err(StreamFault::Withdrawn(BEAT)));
        let after = Beat { data: 8, last: false };
        assert_eq!(
            monitor.clocked(true, true, false, after),
            Err(StreamFault::Changed { before: BEAT, after })
        );
    }

    #[test]
    fn idle_and_back_pressure_really_stall() {
        let mut rng = fastrand::Rng::with_seed(1);
        let (mut source, mut sink) = (Source::new(0.5), Sink::new(0.5));
        (0..1000).for_each(|word| source.push(word));
        let mut clocks = 0;
        let mut monitor = Monitor::default();
        while sink.len() < 1000 {
            let (valid, data) = source.drive(&mut rng);
            let ready = sink.drive(&mut rng);
            let beat = Beat { data, last: false };
            if valid {
                monitor.clocked(true, valid, ready, beat).unwrap();
            }
            sink.clocked(valid, beat);
            source.clocked(ready);
            clocks += 1;
        }
        assert!(clocks > 2000, "{clocks} clocks");
        assert!((0..1000).all(|word| sink.pop().unwrap().data == word));
    }
}
