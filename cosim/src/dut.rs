// SPDX-License-Identifier: MIT OR Apache-2.0
//! One instance of a verilated model.

use crate::models::Model;
use engine_model::Config;
use std::ffi::{CString, c_int, c_void};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use verilate::Waveform;

/// Place of a port in its model's table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PortId {
    index: u32,
    words: usize,
}

/// Levels of hierarchy that a waveform shows.
const WAVE_LEVELS: c_int = 99;
/// Picoseconds that a clock cycle takes in a waveform: at the configuration's clock.
pub fn period_ps(config: &Config) -> u64 {
    const PS_PER_US: u64 = 1_000_000;
    PS_PER_US / u64::from(config.clock_mhz.max(1))
}

/// A running instance with its clock.
pub struct Dut {
    model: &'static Model,
    instance: *mut c_void,
    clock: PortId,
    cycle: u64,
    waves: Option<Waveform>,
}

// SAFETY: an instance is used by one thread at a time, whichever (`verilate::Functions`); nothing of it is shared with another instance but
// the runtime, whose own state has locks.
unsafe impl Send for Dut {}

impl Dut {
    /// A new instance in a random state that follows from `seed`; the clock is low and no edge has been seen.
    pub fn new(model: &'static Model, seed: u32) -> Dut {
        // SAFETY: the functions are the shim's own; `new` returns an instance that lives until `delete`.
        let instance = unsafe { (model.functions.new)(seed) };
        let clock = find(model, &model.clock).expect("every model has a clock");
        let mut dut = Dut { model, instance, clock, cycle: 0, waves: None };
        dut.set(clock, &[0]);
        if let Some((input, value)) = model.tied {
            dut.set_word(dut.port(input), value);
        }
        // Verilator takes the clock's first value as its past: settle once before the first edge.
        dut.settle();
        dut
    }

    /// The model.
    pub fn model(&self) -> &'static Model {
        self.model
    }

    /// Place of a port, if the model has it.
    pub fn find(&self, name: &str) -> Option<PortId> {
        find(self.model, name)
    }

    /// Place of a port that the model must have.
    pub fn port(&self, name: &str) -> PortId {
        self.find(name).unwrap_or_else(|| panic!("model {} has no port {name}", self.model.name))
    }

    /// Sets an input; missing words count as 0.
    pub fn set(&mut self, port: PortId, words: &[u32]) {
        let mut value = words.to_vec();
        value.resize(port.words.max(words.len()), 0);
        // SAFETY: the instance is alive and `value` holds at least the port's words.
        unsafe { (self.model.functions.set)(self.instance, port.index, value.as_ptr()) }
    }

    /// Reads a port, lowest word first.
    pub fn get(&self, port: PortId) -> Vec<u32> {
        let mut words = vec![0; port.words];
        // SAFETY: the instance is alive and `words` has room for the port.
        unsafe { (self.model.functions.get)(self.instance, port.index, words.as_mut_ptr()) }
        words
    }

    /// Sets an input of at most 32 bits.
    pub fn set_word(&mut self, port: PortId, value: u32) {
        debug_assert_eq!(port.words, 1);
        // SAFETY: as in `set`; the port takes one word.
        unsafe { (self.model.functions.set)(self.instance, port.index, &raw const value) }
    }

    /// Reads a port of at most 32 bits.
    pub fn get_word(&self, port: PortId) -> u32 {
        debug_assert_eq!(port.words, 1);
        let mut word = 0;
        // SAFETY: as in `get`; the port fills one word.
        unsafe { (self.model.functions.get)(self.instance, port.index, &raw mut word) }
        word
    }

    /// Lets combinational logic settle without a clock edge.
    pub fn settle(&mut self) {
        // SAFETY: the instance is alive.
        unsafe { (self.model.functions.eval)(self.instance) }
    }

    /// One clock cycle: inputs settle, rising edge, falling edge. Outputs are those after the edge.
    pub fn tick(&mut self) {
        self.settle();
        self.dump(false);
        self.set_word(self.clock, 1);
        self.settle();
        self.dump(true);
        self.set_word(self.clock, 0);
        self.settle();
        self.cycle += 1;
    }

    fn dump(&mut self, risen: bool) {
        let period = period_ps(&self.model.config);
        if let Some(waves) = &mut self.waves {
            waves.dump(self.cycle * period + if risen { period / 2 } else { 0 });
        }
    }

    /// How often each bit has changed so far, in Verilator's words, if the model counts: written to a file and read back.
    pub fn counts(&self) -> Option<std::io::Result<String>> {
        let write = self.model.functions.coverage?;
        let counts = || {
            // A name that no other instance of any program has.
            let name = format!("tengen-counts-{}-{:p}", std::process::id(), self.instance);
            let file = std::env::temp_dir().join(name);
            std::fs::write(&file, "")?;
            let path = CString::new(file.as_os_str().as_bytes())?;
            // SAFETY: the instance is alive and the path ends with a zero.
            unsafe { write(self.instance, path.as_ptr()) }
            let text = std::fs::read_to_string(&file);
            std::fs::remove_file(&file)?;
            text
        };
        Some(counts())
    }

    /// Counts changes from now on, if the model counts.
    pub fn count_anew(&mut self) {
        if let Some(count) = self.model.functions.coverage {
            // SAFETY: the instance is alive; no file is to count anew.
            unsafe { count(self.instance, std::ptr::null()) }
        }
    }

    /// Cycles so far.
    pub fn cycle(&self) -> u64 {
        self.cycle
    }

    /// Writes a waveform of everything from now on, in the model's format. A model can do this once.
    pub fn open_waves(&mut self, file: &Path) -> std::io::Result<()> {
        let functions = self.model.functions.waves.ok_or_else(|| {
            let name = &self.model.name;
            std::io::Error::new(
                std::io::ErrorKind::Unsupported,
                format!("model {name} was compiled without waveforms"),
            )
        })?;
        // SAFETY: the instance is of this model; the waveform is closed before it is destroyed.
        let mut waves = unsafe { Waveform::of(self.instance, &functions, WAVE_LEVELS) };
        waves.open(file)?;
        self.waves = Some(waves);
        Ok(())
    }

    /// Ends the waveform, if one is being written.
    pub fn close_waves(&mut self) {
        self.waves = None;
    }
}

fn find(model: &Model, name: &str) -> Option<PortId> {
    let index = model.ports.iter().position(|p| p.name == name)?;
    Some(PortId { index: index as u32, words: model.ports[index].width.div_ceil(32) })
}

impl Drop for Dut {
    fn drop(&mut self) {
        self.waves = None;
        // SAFETY: the instance is destroyed once, here.
        unsafe { (self.model.functions.delete)(self.instance) }
    }
}
