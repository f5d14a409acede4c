// SPDX-License-Identifier: MIT OR Apache-2.0
//! Tells a person what is being compiled, that it happens once, and how long it takes: on standard error.

use crate::progress::{Progress, tell};
use cosim::verilate::Event;
use std::collections::HashMap;
use std::sync::{Mutex, OnceLock, PoisonError};

/// Takes a line.
type Listener = Box<dyn Fn(&str) + Send + Sync>;

/// Who else wants to hear of it.
static LISTENER: OnceLock<Listener> = OnceLock::new();

/// Tells this one too, from now on; the first one stays.
pub fn also(listener: impl Fn(&str) + Send + Sync + 'static) {
    let _ = LISTENER.set(Box::new(listener));
}

/// Tells a line.
fn told(line: &str) {
    tell(line);
    if let Some(listener) = LISTENER.get() {
        listener(line);
    }
}

/// Shows compilations from now on: a line when one begins and ends, and how long it has been running meanwhile.
pub fn show() {
    let running: Mutex<HashMap<String, Progress>> = Mutex::default();
    cosim::models::observe(move |event| {
        let mut running = running.lock().unwrap_or_else(PoisonError::into_inner);
        match event {
            Event::Compiling { title } | Event::Waiting { title } => {
                told(&line(event));
                running.insert(title.clone(), Progress::of(format!("compiling {title}")));
            }
            Event::Done { title, .. } => {
                running.remove(title);
                told(&line(event));
            }
        }
    });
}

fn line(event: &Event) -> String {
    match event {
        Event::Compiling { title } => format!("compiling {title} (once) ..."),
        Event::Waiting { title } => format!("waiting for {title}: another tengen compiles it ..."),
        Event::Done { title, took, good: true } => format!("compiled {title}: {:.0} s", took.as_secs_f64()),
        Event::Done { title, took, good: false } => {
            format!("{title} could not be compiled: {:.0} s", took.as_secs_f64())
        }
    }
}
