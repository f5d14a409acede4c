// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the software ran on, and how it was compiled.

use players::{COMPILATION, Compilation};

/// A processor, a compiler, a simulator.
#[derive(Clone, Debug)]
pub struct Machine {
    /// The processor's own name.
    pub processor: String,
    /// Cores it gives us.
    pub cores: usize,
    /// Cores that other processes used while the software was timed, mean; more than [`DISTURBS`] makes times worthless.
    pub others: Option<f64>,
    /// How the software engines were compiled.
    pub compilation: Compilation,
    /// The simulator of the core.
    pub simulator: String,
}

impl Machine {
    /// This one; `cpuinfo` is the text of this file of /proc where there is one.
    pub fn this(cpuinfo: Option<&str>, simulator: String) -> Machine {
        Machine {
            processor: cpuinfo.and_then(processor).unwrap_or_else(|| "unknown processor".into()),
            cores: std::thread::available_parallelism().map_or(1, usize::from),
            others: None,
            compilation: COMPILATION,
            simulator,
        }
    }

    /// Compiler and flags in one line.
    pub fn compiler(&self) -> String {
        let Compilation { rustc, opt_level, target, flags, debug_assertions } = self.compilation;
        format!(
            "{rustc}, opt-level {opt_level}, {target}, {}{}",
            if flags.is_empty() { "no RUSTFLAGS".into() } else { format!("RUSTFLAGS {flags}") },
            if debug_assertions { ", debug assertions on" } else { "" },
        )
    }
}

fn processor(cpuinfo: &str) -> Option<String> {
    let value = |line: &str| line.split_once(':').map(|(_, value)| value.trim().to_string());
    cpuinfo.lines().find(|line| line.starts_with("model name")).and_then(value)
}

/// Cores that others may use before times are called disturbed.
pub const DISTURBS: f64 = 0.5;

impl Machine {
    /// Whether others disturbed the times.
    pub fn disturbed(&self) -> bool {
        self.others.is_some_and(|others| others > DISTURBS)
    }
}

/// Clock ticks that processors have worked since the start, and those that they worked for this process and its children, by the texts of /proc/stat
/// and /proc/self/stat.
pub fn ticks(stat: &str, own: &str) -> Option<(u64, u64)> {
    // cpu user nice system idle iowait irq softirq steal guest guest_nice; guests are in user and nice as well.
    let all: Vec<u64> =
        stat.lines().next()?.split_whitespace().skip(1).map_while(|word| word.parse().ok()).collect();
    let [user, nice, system, _, _, irq, softirq, steal, ..] = all[..] else { return None };
    // Behind the name, which may hold anything: utime, stime and the same of children that have ended are the 12th to 15th.
    let words: Vec<&str> = own.rsplit_once(')')?.1.split_whitespace().collect();
    let own: Vec<u64> = words.get(11..15)?.iter().map_while(|word| word.parse().ok()).collect();
    (own.len() == 4).then(|| (user + nice + system + irq + softirq + steal, own.iter().sum()))
}

#[cfg(test)]
mod tests {
    #[test]
    fn ticks_of_all_and_of_this_process() {
        let stat = "cpu  100 5 20 9000 7 1 2 3 0 0\ncpu0 50 0 0 0 0 0 0 0 0 0\n";
        let own = "77 (a) name) R 1 2 3 4 5 6 7 8 9 10 40 8 1 2 20\n";
        assert_eq!(super::ticks(stat, own), Some((131, 51)));
        assert_eq!(super::ticks("", own), None);
    }

    #[test]
    fn the_processor_names_itself() {
        let text = "processor\t: 0\nmodel name\t: Some CPU @ 2.00GHz\nmodel name\t: other\n";
        assert_eq!(super::processor(text).as_deref(), Some("Some CPU @ 2.00GHz"));
        assert_eq!(super::processor("flags: none"), None);
    }
}
