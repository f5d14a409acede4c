// SPDX-License-Identifier: MIT OR Apache-2.0
//! How a running search is ended.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A flag that ends a running search from another thread. Whoever sets it clears it, before the next search.
#[derive(Clone, Debug, Default)]
pub struct Stop(Arc<AtomicBool>);

impl From<Arc<AtomicBool>> for Stop {
    fn from(flag: Arc<AtomicBool>) -> Stop {
        Stop(flag)
    }
}

impl Stop {
    /// The running search is to end.
    pub fn set(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// The next search may begin.
    pub fn clear(&self) {
        self.0.store(false, Ordering::Relaxed);
    }

    /// Whether it is set.
    pub fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
