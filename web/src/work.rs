// SPDX-License-Identifier: MIT OR Apache-2.0
//! Searches on a few threads: a queue that takes no more than so many, and what is waiting or running can be given up.

use crate::cancel::Cancel;
use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, PoisonError};

/// A search, told when it is to end.
type Task = Box<dyn FnOnce(&Cancel) + Send>;

struct Waiting {
    task: Task,
    stop: Cancel,
}

#[derive(Default)]
struct Queue {
    waiting: VecDeque<Waiting>,
    running: usize,
    closed: bool,
}

struct Shared {
    queue: Mutex<Queue>,
    changed: Condvar,
    room: usize,
}

/// The threads and their queue.
pub struct Pool {
    shared: Arc<Shared>,
    workers: usize,
}

/// The queue is full.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{waiting} searches are waiting already: try again in a while")]
pub struct Full {
    /// Searches that wait.
    pub waiting: usize,
}

impl Pool {
    /// So many threads, with a queue of so many searches in front of them.
    pub fn new(workers: usize, room: usize) -> Pool {
        let shared = Arc::new(Shared { queue: Mutex::default(), changed: Condvar::new(), room });
        for _ in 0..workers {
            let shared = shared.clone();
            std::thread::spawn(move || work(&shared));
        }
        Pool { shared, workers }
    }

    /// Queues a search; answers how many are in front of it. It is run even if its stop is set meanwhile, so that it can say so.
    pub fn queue(&self, stop: &Cancel, task: impl FnOnce(&Cancel) + Send + 'static) -> Result<usize, Full> {
        let mut queue = self.shared.queue.lock().unwrap_or_else(PoisonError::into_inner);
        if queue.waiting.len() >= self.shared.room {
            return Err(Full { waiting: queue.waiting.len() });
        }
        queue.waiting.push_back(Waiting { task: Box::new(task), stop: stop.clone() });
        let in_front = (queue.waiting.len() + queue.running).saturating_sub(self.workers);
        drop(queue);
        self.shared.changed.notify_one();
        Ok(in_front)
    }
}

impl Pool {
    /// Nothing waits any more, and nothing begins.
    pub fn close(&self) {
        let mut queue = self.shared.queue.lock().unwrap_or_else(PoisonError::into_inner);
        queue.closed = true;
        queue.waiting.clear();
        drop(queue);
        self.shared.changed.notify_all();
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        self.close();
    }
}

fn work(shared: &Shared) {
    loop {
        let mut queue = shared.queue.lock().unwrap_or_else(PoisonError::into_inner);
        let Waiting { task, stop } = loop {
            if queue.closed {
                return;
            }
            if let Some(next) = queue.waiting.pop_front() {
                break next;
            }
            queue = shared.changed.wait(queue).unwrap_or_else(PoisonError::into_inner);
        };
        queue.running += 1;
        drop(queue);
        // A search that breaks down is its own affair; the thread goes on.
        let _ = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| task(&stop)));
        shared.queue.lock().unwrap_or_else(PoisonError::into_inner).running -= 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc::channel;

    #[test]
    fn searches_run_in_turn_and_no_more_are_taken_than_there_is_room_for() {
        let pool = Pool::new(1, 2);
        let (go, wait) = channel::<()>();
        let (tell, told) = channel();
        let first = tell.clone();
        let stop = Cancel::default();
        assert_eq!(
            pool.queue(&stop, move |_| {
                wait.recv().unwrap();
                first.send(0).unwrap();
            }),
            Ok(0)
        );
        // Until the thread has taken it, it stands in the queue.
        while !pool.shared.queue.lock().unwrap().waiting.is_empty() {
            std::thread::yield_now();
        }
        for number in 1..=2 {
            let tell = tell.clone();
            let queued = pool
                .queue(&stop, move |stop| tell.send(if stop.is_set() { -number } else { number }).unwrap());
            assert_eq!(queued, Ok(number as usize));
        }
        assert_eq!(pool.queue(&stop, |_| ()), Err(Full { waiting: 2 }));
        stop.set();
        go.send(()).unwrap();
        assert_eq!([told.recv(), told.recv(), told.recv()], [Ok(0), Ok(-1), Ok(-2)]);
    }

    #[test]
    fn a_search_that_breaks_down_takes_no_other_with_it() {
        let pool = Pool::new(1, 2);
        let (tell, told) = channel();
        pool.queue(&Cancel::default(), |_| panic!("broken")).unwrap();
        pool.queue(&Cancel::default(), move |_| tell.send(7).unwrap()).unwrap();
        assert_eq!(told.recv(), Ok(7));
    }
}
