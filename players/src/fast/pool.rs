// SPDX-License-Identifier: MIT OR Apache-2.0
//! Threads that stay from search to search: a search of a tenth of a millisecond has no time to start any.

use std::hint::spin_loop;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::thread::JoinHandle;

/// Looks at the next round before a thread goes to sleep: some tenths of a millisecond, the time between two searches of a game
/// against a fast opponent.
const LOOKS: u32 = 10_000;
/// Looks at another thread's result before the processor is left to others.
const PATIENCE: u32 = 1_000;

/// What a thread of the pool does in every round.
pub type Work = Box<dyn FnMut() + Send>;

#[derive(Default)]
struct Rounds {
    /// Rounds begun.
    begun: AtomicU64,
    /// Threads that are not done with the last one.
    busy: AtomicUsize,
    closing: AtomicBool,
}

/// Threads, each with its work.
pub struct Pool {
    rounds: Arc<Rounds>,
    threads: Vec<JoinHandle<()>>,
}

/// Waits for what another thread is about to do.
pub fn wait_until(mut done: impl FnMut() -> bool) {
    let mut looks = 0;
    while !done() {
        looks += 1;
        if looks < PATIENCE {
            spin_loop();
        } else {
            std::thread::yield_now();
        }
    }
}

impl Pool {
    /// A thread for each work.
    pub fn new(works: Vec<Work>) -> Pool {
        let rounds = Arc::new(Rounds::default());
        let start = |work: Work| {
            let rounds = rounds.clone();
            std::thread::spawn(move || serve(&rounds, work))
        };
        let threads = works.into_iter().map(start).collect();
        Pool { rounds, threads }
    }

    /// Begins a round: every thread does its work once.
    pub fn begin(&self) {
        self.rounds.busy.store(self.threads.len(), Ordering::Relaxed);
        self.rounds.begun.fetch_add(1, Ordering::Release);
        self.threads.iter().for_each(|thread| thread.thread().unpark());
    }

    /// Waits until every thread is done with the round.
    pub fn finish(&self) {
        wait_until(|| self.rounds.busy.load(Ordering::Acquire) == 0);
    }
}

fn serve(rounds: &Rounds, mut work: Work) {
    let mut seen = 0;
    loop {
        let mut looks = 0;
        while rounds.begun.load(Ordering::Acquire) == seen {
            if rounds.closing.load(Ordering::Acquire) {
                return;
            }
            looks += 1;
            if looks < LOOKS {
                spin_loop();
            } else {
                // Woken by the next round, or for nothing.
                std::thread::park();
            }
        }
        seen += 1;
        work();
        rounds.busy.fetch_sub(1, Ordering::Release);
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        self.rounds.closing.store(true, Ordering::Release);
        for thread in self.threads.drain(..) {
            thread.thread().unpark();
            // A thread that panicked has told so already.
            let _ = thread.join();
        }
    }
}
