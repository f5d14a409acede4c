// SPDX-License-Identifier: MIT OR Apache-2.0
//! Models for the RTL tests: every circuit alone, and an engine with faults to choose from, each compiled when a test asks
//! for it. The tests are in `tests/`.

pub mod circuits;
mod context;
pub mod contexts;
pub mod equal;
pub mod faults;
pub mod hunt;
pub mod level_events;
pub mod level_surroundings;
pub mod mutants;
pub mod requests;
pub mod stimulus;

use cosim::Model;
use cosim::models::ModelError;
use std::collections::HashMap;
use std::sync::{LazyLock, Mutex, OnceLock, PoisonError};

/// The models with these names, compiled at the same time if need be.
pub fn models(names: &[&str]) -> Vec<&'static Model> {
    static KNOWN: LazyLock<Mutex<HashMap<String, &'static Model>>> = LazyLock::new(Mutex::default);
    let known = || KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    let missing: Vec<&str> = names.iter().filter(|name| !known().contains_key(**name)).copied().collect();
    let made = cosim::models::circuits(missing.iter().map(|name| circuits::described(name)).collect());
    let made = made.unwrap_or_else(|error| panic!("{error}"));
    let mut known = known();
    known.extend(missing.into_iter().map(str::to_string).zip(made));
    names.iter().map(|name| known[*name]).collect()
}

/// The model with this name.
pub fn model(name: &str) -> &'static Model {
    models(&[name])[0]
}

/// The engine with a fault of [`faults::FAULTS`], or with none.
pub fn faulty(name: Option<&str>) -> &'static Model {
    with_fault(name.map(faults::place)).unwrap_or_else(|error| panic!("{error}"))
}

/// The same by the fault's place in the list, or why the model cannot be had.
pub fn with_fault(place: Option<usize>) -> Result<&'static Model, ModelError> {
    static CHOICES: OnceLock<Vec<Model>> = OnceLock::new();
    chosen(&CHOICES, faults::MODEL, faults::FAULTS.len(), place)
}

/// The configuration `answered` with a fault of [`faults::FAULTS_OF_REPLIES`] by its place in the list, or with none.
pub fn with_fault_of_replies(place: Option<usize>) -> Result<&'static Model, ModelError> {
    static CHOICES: OnceLock<Vec<Model>> = OnceLock::new();
    chosen(&CHOICES, faults::MODEL_OF_REPLIES, faults::FAULTS_OF_REPLIES.len(), place)
}

/// The configuration `transposed` with a fault of [`faults::FAULTS_OF_TRANSPOSITIONS`] by its place in the list, or with none.
pub fn with_fault_of_transpositions(place: Option<usize>) -> Result<&'static Model, ModelError> {
    static CHOICES: OnceLock<Vec<Model>> = OnceLock::new();
    chosen(&CHOICES, faults::MODEL_OF_TRANSPOSITIONS, faults::FAULTS_OF_TRANSPOSITIONS.len(), place)
}

/// One model holds all faults of a list, and an input chooses.
fn chosen(
    choices: &'static OnceLock<Vec<Model>>,
    name: &str,
    faults: usize,
    place: Option<usize>,
) -> Result<&'static Model, ModelError> {
    if choices.get().is_none() {
        let all = cosim::models::circuits(vec![circuits::described(name)])?[0];
        let choice = |select| Model { tied: Some((faults::SELECT, select)), ..all.clone() };
        // Who comes second finds the same.
        let _ = choices.set((0..=faults as u32).map(choice).collect());
    }
    Ok(&choices.get().expect("just set")[place.map_or(0, |place| place + 1)])
}
