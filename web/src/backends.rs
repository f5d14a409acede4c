// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the page may ask to play: whoever starts the server says what there is.

use engine_model::{Config, Engine};
use serde::Serialize;
use std::sync::Arc;
use tokio::sync::Mutex;

/// An engine that can be chosen.
#[derive(Clone, Debug, Serialize)]
pub struct Offer {
    /// Name by which it is asked for.
    pub name: String,
    /// What it is, in a few words.
    pub about: String,
    /// Levels that it may be asked for whatever the configuration has; none: as many as the configuration.
    pub levels: Option<usize>,
}

/// The engines and configurations behind the page.
pub trait Backends: Send + Sync + 'static {
    /// Engines, the one to begin with first.
    fn offers(&self) -> Vec<Offer>;
    /// Configurations, the one to begin with first; their names differ.
    fn configs(&self) -> &[Config];
    /// A fresh engine of one of the offers for one of the configurations; why not, in words for a person.
    fn open(&self, name: &str, config: &Config) -> Result<Box<dyn Engine>, String>;
    /// Of an engine that there is once, as a board: what a search holds while it uses it.
    fn turn(&self, name: &str) -> Option<Arc<Mutex<()>>> {
        let _ = name;
        None
    }
}
