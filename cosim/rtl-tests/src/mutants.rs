// SPDX-License-Identifier: MIT OR Apache-2.0
//! Mutants of every kind that the netlist of a core allows, and what becomes of them in lockstep.

use crate::circuits::{SMALL_CONFIG, described_as};
use crate::hunt;
use cosim::Model;
use cosim::dut::{Dut, PortId};
use cosim::models::{CircuitModel, ModelError};
use engine_model::Config;
use kit::Mutant;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};

/// The input of the top module that chooses one: 0 none, k the k-th.
const SELECT: &str = "mutant";
/// Engine moves of the games that look for one.
const MOVES: u64 = 2000;
/// Commands of the session that looks for one on the streams.
const WORDS: usize = 1500;

/// A core with mutants to choose from.
pub struct Bred {
    /// In the order of their numbers, the first one's 1.
    pub mutants: Vec<Mutant>,
    /// How many there are to draw from.
    pub of: usize,
    model: &'static Model,
    clocks: OnceLock<Option<Vec<u64>>>,
}

/// What becomes of a mutant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fate {
    /// Lockstep finds it: what saw it, `clocks` if only those of searches differ.
    Found(&'static str),
    /// Lockstep does not, though its streams differ from the sound core's.
    Missed {
        /// Clock of the first difference beside the sound core.
        clock: u64,
    },
    /// Its streams never differ from the sound core's: it counts as the same circuit.
    Same,
}

/// So many of all, as many of each kind as there are, or as its share is.
fn drawn(all: Vec<Mutant>, count: usize, seed: u64) -> Vec<Mutant> {
    let mut kinds: BTreeMap<&'static str, Vec<Mutant>> = BTreeMap::new();
    for mutant in all {
        kinds.entry(mutant.kind()).or_default().push(mutant);
    }
    let mut rng = fastrand::Rng::with_seed(seed);
    kinds.values_mut().for_each(|kind| rng.shuffle(kind));
    let mut drawn = Vec::new();
    while drawn.len() < count && kinds.values().any(|kind| !kind.is_empty()) {
        drawn.extend(kinds.values_mut().filter_map(Vec::pop));
    }
    drawn.truncate(count);
    drawn
}

/// The small core with so many mutants of a seed.
pub fn breed(count: usize, seed: u64) -> Result<Bred, ModelError> {
    let config = Config::from_toml(SMALL_CONFIG).expect("the small configuration is one");
    let engine = || hdl::engine(&config);
    let all = engine().mutants();
    let (of, mutants) = (all.len(), drawn(all, count, seed));
    let top = format!("{}_engine", config.name);
    let emission = hdl::emit::emit(&engine().with_mutants(&mutants, &top, SELECT), &config.name, &config);
    let title = format!("{} mutants of {}", mutants.len(), config.name);
    let circuit = CircuitModel { title, ..described_as("mutants", emission, config) };
    Ok(Bred { mutants, of, model: cosim::models::circuits(vec![circuit])?[0], clocks: OnceLock::new() })
}

impl Bred {
    /// Clocks of the sound core's searches, if nothing is found in them.
    fn clocks(&self) -> Option<&Vec<u64>> {
        self.clocks.get_or_init(|| hunt::clocks_of_games(self.model(0), MOVES).ok()).as_ref()
    }

    fn model(&self, number: usize) -> &'static Model {
        Box::leak(Box::new(Model { tied: Some((SELECT, number as u32)), ..self.model.clone() }))
    }

    /// What becomes of all, in their order, each on one of the machine's processors; `told` hears of each. Those that nothing has found run
    /// so many clocks beside the sound core.
    pub fn fates(&self, clocks: u64, told: impl Fn(usize, &Fate) + Sync) -> Vec<Fate> {
        let (next, fates) = (AtomicUsize::new(1), Mutex::new(vec![Fate::Same; self.mutants.len()]));
        let work = || {
            loop {
                let number = next.fetch_add(1, Ordering::Relaxed);
                if number > self.mutants.len() {
                    return;
                }
                let fate = self.fate(number, clocks);
                told(number, &fate);
                fates.lock().unwrap_or_else(PoisonError::into_inner)[number - 1] = fate;
            }
        };
        std::thread::scope(|scope| {
            let workers = std::thread::available_parallelism().map_or(1, usize::from);
            (0..workers).for_each(|_| drop(scope.spawn(work)));
        });
        fates.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    /// What becomes of the mutant of a number; of none with 0, which must be found by nothing.
    pub fn fate(&self, number: usize, clocks: u64) -> Fate {
        let model = self.model(number);
        let found = match hunt::clocks_of_games(model, MOVES) {
            Err(found) => Some(hunt::seen_by(&found)),
            // Every configuration's clocks are pinned: a search that only takes longer is seen too.
            Ok(clocks) if Some(&clocks) != self.clocks() => Some("clocks"),
            Ok(_) => hunt::first_fault_of_aborts(model)
                .or_else(|| hunt::first_fault_of_words(model, WORDS))
                .map(|found| hunt::seen_by(&found)),
        };
        match found {
            Some(found) => Fate::Found(found),
            None => match first_difference(self.model(0), model, clocks) {
                Some(clock) => Fate::Missed { clock },
                None => Fate::Same,
            },
        }
    }
}

/// The streams of a core, driven without a protocol.
struct Streams {
    dut: Dut,
    control: [PortId; 3],
    data: [PortId; 3],
    out: [PortId; 4],
    interrupt: PortId,
    reset_n: PortId,
}

/// What is put on them in a clock.
#[derive(Clone, Copy)]
struct Driven {
    reset_n: bool,
    control: Option<u32>,
    data: Option<u32>,
    ready: bool,
}

/// What they show in a clock: ready for control, for data; an answer's word, if it is the last, the interrupt.
type Shown = (bool, bool, Option<(u32, bool)>, bool);

impl Streams {
    fn new(model: &'static Model, seed: u32) -> Streams {
        let dut = Dut::new(model, seed);
        let stream =
            |name: &str| ["tdata", "tvalid", "tready"].map(|part| dut.port(&format!("{name}_{part}")));
        let [data, valid, ready] = stream("m_axis_data");
        let out = [data, valid, ready, dut.port("m_axis_data_tlast")];
        let (control, data) = (stream("s_axis_control"), stream("s_axis_data"));
        let (interrupt, reset_n) = (dut.port("interrupt"), dut.port("aresetn"));
        Streams { dut, control, data, out, interrupt, reset_n }
    }

    /// A clock; what is shown before its edge.
    fn clock(&mut self, driven: Driven) -> Shown {
        let bit = |dut: &Dut, port| dut.get_word(port) == 1;
        self.dut.set_word(self.reset_n, u32::from(driven.reset_n));
        for ([data, valid, _], word) in [(self.control, driven.control), (self.data, driven.data)] {
            self.dut.set_word(data, word.unwrap_or(0));
            self.dut.set_word(valid, u32::from(word.is_some()));
        }
        self.dut.set_word(self.out[2], u32::from(driven.ready));
        self.dut.settle();
        let word = bit(&self.dut, self.out[1])
            .then(|| (self.dut.get_word(self.out[0]), bit(&self.dut, self.out[3])));
        let shown = (
            bit(&self.dut, self.control[2]),
            bit(&self.dut, self.data[2]),
            word,
            bit(&self.dut, self.interrupt),
        );
        self.dut.tick();
        shown
    }
}

/// The clock in which the streams of two cores, driven alike and powered up unlike, first differ.
fn first_difference(sound: &'static Model, other: &'static Model, clocks: u64) -> Option<u64> {
    /// Clocks of the first reset; clocks between resets.
    const RESET: u64 = 4;
    const ROUND: u64 = 100_000;
    let config = &sound.config;
    let side = config.columns.max(config.rows) as u32;
    let mut rng = fastrand::Rng::with_seed(1);
    let mut cores = [Streams::new(sound, 1), Streams::new(other, 2)];
    let (mut control, mut data, mut waits) = (None, None, false);
    let word = |rng: &mut fastrand::Rng| match rng.u32(0..100) {
        // Mostly moves and searches, for whose answer is waited; now and then any word.
        number @ 0..72 => ([1, 2, 3][number as usize % 3], true),
        number @ 72..96 => ([4, 5, 6, 7, 8][number as usize % 5], false),
        96 | 97 => (0, false),
        98 => (1 << rng.u32(0..32), false),
        _ => (rng.u32(..), false),
    };
    let argument = |rng: &mut fastrand::Rng| match rng.u32(0..100) {
        0..90 => rng.u32(0..=side),
        90..96 => rng.u32(0..80),
        96 | 97 => 1 << rng.u32(0..32),
        _ => rng.u32(..),
    };
    (0..clocks).find(|clock| {
        let reset_n = *clock >= RESET && clock % ROUND > 2;
        if control.is_none() && (!waits || rng.u32(0..400) == 0) {
            let next = word(&mut rng);
            (control, waits) = (Some(next.0), next.1);
        }
        if data.is_none() && rng.u32(0..4) != 0 {
            data = Some(argument(&mut rng));
        }
        let driven = Driven {
            reset_n,
            control: control.filter(|_| reset_n),
            data: data.filter(|_| reset_n),
            ready: rng.u32(0..4) != 0,
        };
        let [sound, other] = &mut cores;
        let (shown, by_other) = (sound.clock(driven), other.clock(driven));
        if reset_n {
            control = control.filter(|_| !shown.0);
            data = data.filter(|_| !shown.1);
            waits &= !shown.2.is_some_and(|(_, last)| last && driven.ready);
        }
        *clock >= RESET && shown != by_other
    })
}
