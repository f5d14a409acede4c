// SPDX-License-Identifier: MIT OR Apache-2.0
//! How a request is given up, whatever works on it.

use engine_model::{Engine, Stop};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

#[derive(Default)]
struct Inner {
    set: AtomicBool,
    reached: Mutex<Vec<Stop>>,
}

/// A request's end, from another thread; copies are the same one.
#[derive(Clone, Default)]
pub struct Cancel(Arc<Inner>);

impl Cancel {
    /// The request is given up: whatever it has reached ends.
    pub fn set(&self) {
        let reached = self.0.reached.lock().unwrap_or_else(PoisonError::into_inner);
        self.0.set.store(true, Ordering::Relaxed);
        reached.iter().for_each(Stop::set);
    }

    /// Whether it is.
    pub fn is_set(&self) -> bool {
        self.0.set.load(Ordering::Relaxed)
    }

    /// From now on, and if it is given up already, the engine's searches end with it.
    pub fn reach(&self, engine: &dyn Engine) {
        if let Some(stop) = engine.stop() {
            self.reach_stop(&stop);
        }
    }

    /// The same of whatever ends by a stop.
    pub fn reach_stop(&self, stop: &Stop) {
        let mut reached = self.0.reached.lock().unwrap_or_else(PoisonError::into_inner);
        if self.is_set() {
            stop.set();
        }
        reached.push(stop.clone());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_reached_before_and_after_ends() {
        let (cancel, before, after) = (Cancel::default(), Stop::default(), Stop::default());
        cancel.reach_stop(&before);
        assert!(!cancel.is_set() && !before.is_set());
        cancel.clone().set();
        cancel.reach_stop(&after);
        assert!(cancel.is_set() && before.is_set() && after.is_set());
    }
}
