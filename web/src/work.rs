// SPDX-License-Identifier: MIT OR Apache-2.0
//! Searches on a few threads, with a queue in front of them that takes no more than so many.

use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, PoisonError};

/// A search.
type Task = Box<dyn FnOnce() + Send>;

#[derive(Default)]
struct Queue {
    waiting: VecDeque<Task>,
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

    /// Queues a search; answers how many are in front of it.
    pub fn queue(&self, task: impl FnOnce() + Send + 'static) -> Result<usize, Full> {
        let mut queue = self.shared.queue.lock().unwrap_or_else(PoisonError::into_inner);
        if queue.waiting.len() >= self.shared.room {
            return Err(Full { waiting: queue.waiting.len() });
        }
        queue.waiting.push_back(Box::new(task));
        let in_front = (queue.waiting.len() + queue.running).saturating_sub(self.workers);
        drop(queue);
        self.shared.changed.notify_one();
        Ok(in_front)
    }

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
        let task = loop {
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
        let _ = std::panic::catch_unwind(std::panic::AssertUnwindSafe(task));
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
        assert_eq!(
            pool.queue(move || {
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
            assert_eq!(pool.queue(move || tell.send(number).unwrap()), Ok(number));
        }
        assert_eq!(pool.queue(|| ()), Err(Full { waiting: 2 }));
        go.send(()).unwrap();
        assert_eq!([told.recv(), told.recv(), told.recv()], [Ok(0), Ok(1), Ok(2)]);
    }

    #[test]
    fn a_search_that_breaks_down_takes_no_other_with_it() {
        let pool = Pool::new(1, 2);
        let (tell, told) = channel();
        pool.queue(|| panic!("broken")).unwrap();
        pool.queue(move || tell.send(7).unwrap()).unwrap();
        assert_eq!(told.recv(), Ok(7));
    }
}
