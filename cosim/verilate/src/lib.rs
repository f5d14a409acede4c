// SPDX-License-Identifier: MIT OR Apache-2.0
//! Verilog that is simulated: compiled when a run first asks for it, loaded into the running program.
//!
//! - [`source`]: what can be simulated.
//! - [`toolchain`]: Verilator and the C++ compiler; `shim`: the C interface of a model.
//! - `compiler`: which C++ compiler, and what it is told to optimise for; `tool`: programs run for what they print.
//! - `compile`: from text to a shared library; the runtime that all models share; `units`: how its C++ is divided among compilations.
//! - [`cache`]: where libraries are kept, by a hash of all they depend on.
//! - `library`: the functions of a loaded one.
//!
//! [`Workshop::load`] does it all.

pub mod cache;
mod compile;
mod compiler;
mod error;
mod library;
mod shim;
pub mod source;
mod tool;
pub mod toolchain;
mod units;

pub use cache::Cache;
pub use error::VerilateError;
pub use library::{Functions, Waveform};
pub use source::{Port, Source, Waves};
pub use toolchain::Toolchain;

use library::WriterFunctions;
use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

/// What happens while a model is got ready, for whoever waits for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// Its compilation begins.
    Compiling {
        /// What a person calls it.
        title: String,
    },
    /// Another program compiles it: this one waits.
    Waiting {
        /// What a person calls it.
        title: String,
    },
    /// It has been compiled, here or there, or has failed.
    Done {
        /// What a person calls it.
        title: String,
        /// How long that took.
        took: Duration,
        /// Whether it can be used now.
        good: bool,
    },
}

/// Compiles and loads models.
pub struct Workshop {
    cache: Cache,
    tools: OnceLock<Result<Toolchain, VerilateError>>,
    runtime: OnceLock<Result<Runtime, VerilateError>>,
    loaded: Mutex<HashMap<String, Functions>>,
    observer: OnceLock<Observer>,
}

/// The runtime that all models share.
#[derive(Clone)]
struct Runtime {
    library: PathBuf,
    /// How it writes VCD.
    vcd: WriterFunctions,
}

/// Is told what happens.
type Observer = Box<dyn Fn(&Event) + Send + Sync>;

impl Workshop {
    /// A workshop with this cache.
    pub fn new(cache: Cache) -> Workshop {
        Workshop {
            cache,
            tools: OnceLock::new(),
            runtime: OnceLock::new(),
            loaded: Mutex::default(),
            observer: OnceLock::new(),
        }
    }

    /// Tells `observer` of every compilation, from any thread. The first observer stays.
    pub fn observe(&self, observer: impl Fn(&Event) + Send + Sync + 'static) {
        let _ = self.observer.set(Box::new(observer));
    }

    /// Where libraries are kept.
    pub fn cache(&self) -> &Cache {
        &self.cache
    }

    /// The tools, looked for once.
    pub fn tools(&self) -> Result<&Toolchain, VerilateError> {
        self.tools.get_or_init(Toolchain::find).as_ref().map_err(Clone::clone)
    }

    /// The version line of the simulator.
    pub fn simulator(&self) -> Result<&str, VerilateError> {
        Ok(&self.tools()?.version)
    }

    /// Compiles what is not in the cache, all at once, and loads everything.
    pub fn load(&self, sources: &[Source]) -> Result<Vec<Functions>, VerilateError> {
        let tools = self.tools()?;
        std::thread::scope(|scope| {
            let models: Vec<_> =
                sources.iter().map(|source| scope.spawn(|| self.load_one(tools, source))).collect();
            models.into_iter().map(|model| model.join().expect("errors are returned")).collect()
        })
    }

    fn load_one(&self, tools: &Toolchain, source: &Source) -> Result<Functions, VerilateError> {
        let mut parts = vec![source.name.clone(), source.top.clone(), source.verilog.clone()];
        parts.push(format!("waves {:?}", source.waves));
        parts.extend(compile::texts(source));
        parts.push(self.runtime_key(tools));
        let key = format!("{}-{}", source.name, cache::hash(parts.iter().map(String::as_str)));
        let known = |key: &str| {
            let loaded = self.loaded.lock().unwrap_or_else(PoisonError::into_inner);
            loaded.get(key).copied()
        };
        if let Some(functions) = known(&key) {
            return Ok(functions);
        }
        // Both at once: the runtime is some seconds of work too.
        let (library, vcd) = std::thread::scope(|scope| {
            let runtime = scope.spawn(|| self.runtime());
            let linked_with = || self.runtime().map(|runtime| runtime.library);
            let library = self
                .entry(tools, &key, &source.title, |work| compile::model(tools, source, work, linked_with));
            let runtime = runtime.join().expect("errors are returned")?;
            library.map(|library| (library, runtime.vcd))
        })?;
        let functions = library::model(&library, source, vcd)?;
        self.loaded.lock().unwrap_or_else(PoisonError::into_inner).insert(key, functions);
        Ok(functions)
    }

    fn runtime_key(&self, tools: &Toolchain) -> String {
        let identity = tools.identity();
        let parts = identity.iter().map(String::as_str).chain(compile::runtime_texts());
        format!("runtime-{}", cache::hash(parts))
    }

    fn runtime(&self) -> Result<Runtime, VerilateError> {
        let load = || {
            let tools = self.tools()?;
            let key = self.runtime_key(tools);
            let library =
                self.entry(tools, &key, compile::RUNTIME_TITLE, |work| compile::runtime(tools, work))?;
            let vcd = library::runtime(&library)?;
            Ok(Runtime { library, vcd })
        };
        self.runtime.get_or_init(load).clone()
    }

    /// The library of a key, compiled by `build` if there is none.
    fn entry(
        &self,
        tools: &Toolchain,
        key: &str,
        title: &str,
        build: impl FnOnce(&std::path::Path) -> Result<(), VerilateError>,
    ) -> Result<PathBuf, VerilateError> {
        if let Some(library) = self.cache.library(key) {
            return Ok(library);
        }
        let tell = |event: Event| {
            if let Some(observer) = self.observer.get() {
                observer(&event);
            }
        };
        let title = || title.to_string();
        let begin = Instant::now();
        let made = self.cache.make(
            key,
            &title(),
            &tools.version,
            || tell(Event::Waiting { title: title() }),
            |work| {
                tell(Event::Compiling { title: title() });
                build(work)
            },
        );
        tell(Event::Done { title: title(), took: begin.elapsed(), good: made.is_ok() });
        made
    }
}
