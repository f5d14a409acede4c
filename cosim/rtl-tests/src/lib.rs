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
use faults::FaultSet;
use std::collections::HashMap;
use std::sync::{LazyLock, Mutex, PoisonError};

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

/// The small engine with a fault, or with none.
///
/// # Panics
/// If there is no such fault.
pub fn faulty(name: Option<&str>) -> &'static Model {
    let set = &faults::FAULTS;
    let place = |name| set.place(name).unwrap_or_else(|| panic!("no fault {name}"));
    with_fault(set, name.map(place)).unwrap_or_else(|error| panic!("{error}"))
}

/// The engine of a set with a fault by its place in the list, or with none; or why the model cannot be had. One model holds all faults, and
/// an input chooses.
pub fn with_fault(set: &'static FaultSet, place: Option<usize>) -> Result<&'static Model, ModelError> {
    let choices = &set.choices;
    if choices.get().is_none() {
        let all = cosim::models::circuits(vec![circuits::described(set.model)])?[0];
        let choice = |select| Model { tied: Some((faults::SELECT, select)), ..all.clone() };
        // Who comes second finds the same.
        let _ = choices.set((0..=set.faults.len() as u32).map(choice).collect());
    }
    Ok(&choices.get().expect("just set")[place.map_or(0, |place| place + 1)])
}
