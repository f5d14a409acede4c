// SPDX-License-Identifier: MIT OR Apache-2.0
//! Tells a person what is being compiled, that it happens once, and how long it takes: on standard error.

use cosim::verilate::Event;
use indicatif::{MultiProgress, ProgressBar, ProgressStyle};
use std::collections::HashMap;
use std::io::IsTerminal;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// How often a clock that runs is drawn.
const TICK: Duration = Duration::from_millis(200);

/// Shows compilations from now on: a running clock each on a terminal, else a line when one begins and ends.
pub fn show() {
    if std::io::stderr().is_terminal() {
        let (all, running) = (MultiProgress::new(), Mutex::new(HashMap::new()));
        cosim::models::observe(move |event| {
            let mut running = running.lock().unwrap_or_else(PoisonError::into_inner);
            draw(&all, &mut running, event);
        });
    } else {
        cosim::models::observe(|event| eprintln!("{}", line(event)));
    }
}

fn draw(all: &MultiProgress, running: &mut HashMap<String, ProgressBar>, event: &Event) {
    match event {
        Event::Compiling { title } | Event::Waiting { title } => {
            let style = ProgressStyle::with_template("{msg} {elapsed}").expect("the template is fixed");
            let clock = all.add(ProgressBar::new_spinner().with_style(style).with_message(line(event)));
            clock.enable_steady_tick(TICK);
            if let Some(before) = running.insert(title.clone(), clock) {
                before.finish_and_clear();
            }
        }
        Event::Done { title, .. } => {
            if let Some(clock) = running.remove(title) {
                clock.finish_and_clear();
            }
            // A drawing that cannot be made is not worth an error.
            let _ = all.println(line(event));
        }
    }
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
