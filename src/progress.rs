// SPDX-License-Identifier: MIT OR Apache-2.0
//! Tells on standard error what goes on: a bar on a terminal, else a line now and then, so that no verb is silent for long.

use indicatif::{MultiProgress, ProgressBar, ProgressStyle};
use std::io::IsTerminal;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Arc, LazyLock, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// How often a clock that runs is drawn.
const TICK: Duration = Duration::from_millis(200);
/// Where nothing can be drawn: until the first line, and from there to the second; then twice as long each time, up to the longest.
const FIRST: Duration = Duration::from_millis(1500);
const PAUSE: Duration = Duration::from_secs(10);
const LONGEST_PAUSE: Duration = Duration::from_secs(160);
/// Set to anything, it keeps standard error for errors and warnings.
const QUIET: &str = "TENGEN_QUIET";

/// All bars of this program, below each other.
static BARS: LazyLock<MultiProgress> = LazyLock::new(MultiProgress::new);

/// Something that takes its time; gone when dropped.
pub struct Progress {
    shown: Shown,
}

enum Shown {
    Nothing,
    Bar(ProgressBar),
    Lines { state: Arc<Mutex<State>>, end: Option<Sender<()>>, thread: Option<JoinHandle<()>> },
}

/// What a line says.
struct State {
    begin: Instant,
    what: String,
    /// How many of how many, of what.
    count: Option<(u64, u64, &'static str)>,
    /// How many were done when it began.
    before: u64,
}

impl State {
    fn line(&self) -> String {
        let State { begin, what, count, before } = self;
        let elapsed = begin.elapsed().as_secs_f64();
        let left = match *count {
            Some((done, all, _)) if done > *before && all > done => {
                let rest = elapsed * (all - done) as f64 / (done - before) as f64;
                format!(", some {rest:.0} s left")
            }
            _ => String::new(),
        };
        let gap = if what.is_empty() { "" } else { ", " };
        let count =
            count.map_or_else(String::new, |(done, all, unit)| format!("{done} of {all} {unit}{gap}"));
        format!("... {count}{what}: {elapsed:.0} s{left}")
    }
}

impl Progress {
    /// Work without parts that could be counted.
    pub fn of(what: impl Into<String>) -> Progress {
        Progress::new(what.into(), None)
    }

    /// So many things of a kind, one after the other.
    pub fn counted(all: u64, unit: &'static str) -> Progress {
        Progress::new(String::new(), Some((0, all, unit)))
    }

    fn new(what: String, count: Option<(u64, u64, &'static str)>) -> Progress {
        let shown = if std::env::var_os(QUIET).is_some() {
            Shown::Nothing
        } else if std::io::stderr().is_terminal() {
            Shown::Bar(bar(what, count))
        } else {
            lines(State { begin: Instant::now(), what, count, before: 0 })
        };
        Progress { shown }
    }

    /// So many are done.
    pub fn set(&self, done: u64) {
        match &self.shown {
            Shown::Nothing => {}
            Shown::Bar(bar) => bar.set_position(done),
            Shown::Lines { state, .. } => {
                let mut state = state.lock().unwrap_or_else(PoisonError::into_inner);
                if let Some((before, ..)) = &mut state.count {
                    *before = done;
                }
            }
        }
    }

    /// So many were done before it began: they say nothing of how long the others take.
    pub fn begin_at(self, done: u64) -> Progress {
        self.set(done);
        match &self.shown {
            Shown::Nothing => {}
            Shown::Bar(bar) => bar.reset_eta(),
            Shown::Lines { state, .. } => {
                state.lock().unwrap_or_else(PoisonError::into_inner).before = done;
            }
        }
        self
    }

    /// What is being done now.
    pub fn say(&self, what: impl Into<String>) {
        match &self.shown {
            Shown::Nothing => {}
            Shown::Bar(bar) => bar.set_message(what.into()),
            Shown::Lines { state, .. } => {
                state.lock().unwrap_or_else(PoisonError::into_inner).what = what.into();
            }
        }
    }

    /// Prints while nothing is drawn.
    pub fn print<T>(&self, printing: impl FnOnce() -> T) -> T {
        match &self.shown {
            Shown::Bar(bar) => bar.suspend(printing),
            _ => printing(),
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        match &mut self.shown {
            Shown::Nothing => {}
            Shown::Bar(bar) => bar.finish_and_clear(),
            Shown::Lines { end, thread, .. } => {
                end.take();
                // It only prints: what it could not print is not missed.
                let _ = thread.take().map(JoinHandle::join);
            }
        }
    }
}

/// A line on standard error, above the bars.
pub fn tell(line: &str) {
    if std::env::var_os(QUIET).is_some() {
        return;
    }
    if std::io::stderr().is_terminal() {
        // A drawing that cannot be made is not worth an error.
        let _ = BARS.println(line);
    } else {
        say!("{line}");
    }
}

fn bar(what: String, count: Option<(u64, u64, &'static str)>) -> ProgressBar {
    let (bar, template) = match count {
        Some((done, all, unit)) => {
            let template =
                format!("{{bar:32}} {{pos}}/{{len}} {unit}, {{elapsed}}, {{eta}} left  {{wide_msg}}");
            (ProgressBar::new(all).with_position(done), template)
        }
        None => (ProgressBar::new_spinner(), "{spinner} {elapsed} {wide_msg}".to_string()),
    };
    let style = ProgressStyle::with_template(&template).expect("the templates are fixed");
    let bar = BARS.add(bar.with_style(style).with_message(what));
    bar.enable_steady_tick(TICK);
    bar
}

fn lines(state: State) -> Shown {
    let state = Arc::new(Mutex::new(state));
    let (end, ended) = channel();
    let seen = state.clone();
    let thread = std::thread::spawn(move || {
        let mut pause = FIRST;
        while ended.recv_timeout(pause) == Err(RecvTimeoutError::Timeout) {
            say!("{}", seen.lock().unwrap_or_else(PoisonError::into_inner).line());
            pause = if pause < PAUSE { PAUSE } else { (2 * pause).min(LONGEST_PAUSE) };
        }
    });
    Shown::Lines { state, end: Some(end), thread: Some(thread) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_says_how_far_it_is() {
        let line =
            |what: &str, count| State { begin: Instant::now(), what: what.into(), count, before: 0 }.line();
        assert_eq!(line("mapping", None), "... mapping: 0 s");
        assert_eq!(line("", Some((0, 20, "moves"))), "... 0 of 20 moves: 0 s");
        assert_eq!(line("", Some((17, 20, "moves"))), "... 17 of 20 moves: 0 s, some 0 s left");
        assert_eq!(
            line("fast", Some((17, 20, "positions"))),
            "... 17 of 20 positions, fast: 0 s, some 0 s left"
        );
        // Half a second of a busy machine changes nothing that is shown.
        let begin = Instant::now().checked_sub(Duration::from_secs(30)).unwrap();
        let state = State { begin, what: String::new(), count: Some((25, 28, "games")), before: 10 };
        assert_eq!(state.line(), "... 25 of 28 games: 30 s, some 6 s left");
    }
}
