// SPDX-License-Identifier: MIT OR Apache-2.0
//! How fast a simulation runs.

use std::ops::AddAssign;
use std::time::Duration;

/// The time that this thread has had of a processor.
pub fn thread_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

/// Clocks simulated, and what they took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Speed {
    /// Clock cycles.
    pub cycles: u64,
    /// Processor time of the thread.
    pub time: Duration,
}

impl Speed {
    /// Clock cycles a second; none in no time.
    pub fn per_second(self) -> f64 {
        if self.time.is_zero() { 0.0 } else { self.cycles as f64 / self.time.as_secs_f64() }
    }

    /// The faster one.
    pub fn max(self, other: Speed) -> Speed {
        if other.per_second() > self.per_second() { other } else { self }
    }
}

impl AddAssign for Speed {
    fn add_assign(&mut self, other: Speed) {
        self.cycles += other.cycles;
        self.time += other.time;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fastest_is_not_the_longest_and_nothing_is_not_fast() {
        let of = |cycles, millis| Speed { cycles, time: Duration::from_millis(millis) };
        let (long, short) = (of(10_000, 1_000), of(500, 10));
        assert_eq!(Speed::default().per_second(), 0.0);
        assert_eq!(Speed::default().max(long).max(short).max(Speed::default()), short);
        let mut all = long;
        all += short;
        assert_eq!(all, of(10_500, 1_010));
    }
}
