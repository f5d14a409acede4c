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
    /// Processes that ran or waited to run, mean of the minute before the run; more than 0 disturbs times.
    pub load: Option<f64>,
    /// How the software engines were compiled.
    pub compilation: Compilation,
    /// The simulator of the core.
    pub simulator: String,
}

impl Machine {
    /// This one; `cpuinfo` and `loadavg` are the texts of these files of /proc where there are any.
    pub fn this(cpuinfo: Option<&str>, loadavg: Option<&str>, simulator: String) -> Machine {
        Machine {
            processor: cpuinfo.and_then(processor).unwrap_or_else(|| "unknown processor".into()),
            cores: std::thread::available_parallelism().map_or(1, usize::from),
            load: loadavg.and_then(load),
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

fn load(loadavg: &str) -> Option<f64> {
    loadavg.split_whitespace().next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_load_is_the_first_figure() {
        assert_eq!(super::load("2.48 4.79 3.86 3/213 9\n"), Some(2.48));
        assert_eq!(super::load(""), None);
    }

    #[test]
    fn the_processor_names_itself() {
        let text = "processor\t: 0\nmodel name\t: Some CPU @ 2.00GHz\nmodel name\t: other\n";
        assert_eq!(super::processor(text).as_deref(), Some("Some CPU @ 2.00GHz"));
        assert_eq!(super::processor("flags: none"), None);
    }
}
