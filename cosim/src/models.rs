// SPDX-License-Identifier: MIT OR Apache-2.0
//! Simulations by what they are of: a configuration's core or slot, any other circuit. Compiled when first asked for.

use engine_model::{Config, EngineError};
use hdl::Emission;
use kit::{Choice, Direction};
use soc_integration::Face;
use std::collections::HashMap;
use std::sync::{Mutex, OnceLock, PoisonError};
use verilate::{Cache, Event, Functions, Port, Source, VerilateError, Waves, Workshop};

/// A simulation in this program.
#[derive(Clone, Debug)]
pub struct Model {
    /// Name, a C identifier.
    pub name: String,
    /// Its configuration, with or without trace outputs as the model has them.
    pub config: Config,
    /// Name of its clock.
    pub clock: String,
    /// Ports of the top module.
    pub ports: Vec<Port>,
    /// An input of at most 32 bits that stands at a value from power-up on, for what drives the other ones.
    pub tied: Option<(&'static str, u32)>,
    /// The simulator that it was made by.
    pub simulator: String,
    /// Its code.
    pub functions: Functions,
}

/// Why there is no simulation.
#[derive(Clone, Debug, thiserror::Error)]
pub enum ModelError {
    /// It could not be compiled or loaded.
    #[error(transparent)]
    Verilate(#[from] VerilateError),
}

/// Why there is no simulation of a board's top level.
#[derive(Debug, thiserror::Error)]
pub enum BoardModelError {
    /// It could not be compiled or loaded.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// The board cannot be so.
    #[error(transparent)]
    Board(#[from] boards::board::BoardError),
}

impl From<ModelError> for EngineError {
    fn from(error: ModelError) -> EngineError {
        EngineError::Backend { backend: "rtl".into(), reason: error.to_string() }
    }
}

/// What of a configuration is simulated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// The core between its streams, as it ships.
    Core,
    /// The core with trace outputs.
    TracedCore,
    /// The core behind the registers of a slot.
    Slot(Face),
}

impl Kind {
    /// The core with trace outputs or without.
    pub fn core(traced: bool) -> Kind {
        if traced { Kind::TracedCore } else { Kind::Core }
    }
}

/// A simulation that is wanted.
#[derive(Clone, Debug)]
pub struct Wanted {
    /// The configuration.
    pub config: Config,
    /// What of it.
    pub kind: Kind,
    /// What it must be able to write waveforms as.
    pub waves: Option<Waves>,
}

impl Wanted {
    /// Without waveforms.
    pub fn new(config: &Config, kind: Kind) -> Wanted {
        Wanted { config: config.clone(), kind, waves: None }
    }

    /// The text that is simulated.
    pub fn verilog(&self) -> Result<String, ModelError> {
        Ok(self.circuit()?.emission.verilog)
    }

    fn circuit(&self) -> Result<CircuitModel, ModelError> {
        let name = self.config.name.replace('-', "_");
        let config = Config { trace: self.kind == Kind::TracedCore, ..self.config.clone() };
        let waves =
            self.waves.map_or_else(String::new, |waves| format!(", with {} waveforms", waves.ending()));
        let (ending, about, clock, emission) = match self.kind {
            Kind::Core => ("", String::new(), "aclk", hdl::emit_engine(&config)),
            Kind::TracedCore => ("_traced", ", traced".into(), "aclk", hdl::emit_engine(&config)),
            Kind::Slot(face) => (
                face.name(),
                format!(" behind {} registers", face.name()),
                face.clock_and_reset().0,
                soc_integration::emit_slot(&config, face),
            ),
        };
        let separator = if matches!(self.kind, Kind::Slot(_)) { "_" } else { "" };
        let title = format!("{}{about}{waves}", self.config.name);
        Ok(CircuitModel {
            name: format!("{name}{separator}{ending}"),
            title,
            clock: clock.into(),
            config,
            waves: self.waves,
            coverage: false,
            emission,
        })
    }
}

/// Any circuit that is to be simulated.
#[derive(Clone, Debug)]
pub struct CircuitModel {
    /// Name, a C identifier.
    pub name: String,
    /// What a person calls it.
    pub title: String,
    /// Name of its clock.
    pub clock: String,
    /// Its configuration.
    pub config: Config,
    /// What it can write waveforms as.
    pub waves: Option<Waves>,
    /// Whether it counts how often signals change.
    pub coverage: bool,
    /// Its Verilog and ports.
    pub emission: Emission,
}

/// The workshop of this program, with the cache of [`Cache::find`].
pub fn workshop() -> Result<&'static Workshop, VerilateError> {
    static WORKSHOP: OnceLock<Result<Workshop, VerilateError>> = OnceLock::new();
    WORKSHOP.get_or_init(|| Cache::find().map(Workshop::new)).as_ref().map_err(Clone::clone)
}

/// Tells `observer` of every compilation from now on.
pub fn observe(observer: impl Fn(&Event) + Send + Sync + 'static) {
    // Without a workshop nothing is compiled; whoever asks for a model hears why.
    if let Ok(workshop) = workshop() {
        workshop.observe(observer);
    }
}

/// The version line of the simulator.
pub fn simulator() -> Result<&'static str, ModelError> {
    Ok(workshop()?.simulator()?)
}

/// Models of circuits: those that are not in the cache are compiled at the same time. They stay until the program ends.
pub fn circuits(circuits: Vec<CircuitModel>) -> Result<Vec<&'static Model>, ModelError> {
    let workshop = workshop()?;
    let sources: Vec<Source> = circuits
        .iter()
        .map(|circuit| Source {
            name: circuit.name.clone(),
            title: circuit.title.clone(),
            top: circuit.emission.top.clone(),
            ports: ports(&circuit.emission),
            waves: circuit.waves,
            coverage: circuit.coverage,
            verilog: circuit.emission.verilog.clone(),
        })
        .collect();
    let functions = workshop.load(&sources)?;
    let simulator = workshop.simulator()?;
    let model = |(circuit, functions): (CircuitModel, Functions)| -> &'static Model {
        Box::leak(Box::new(Model {
            ports: ports(&circuit.emission),
            name: circuit.name,
            config: circuit.config,
            clock: circuit.clock,
            tied: None,
            simulator: simulator.into(),
            functions,
        }))
    };
    Ok(circuits.into_iter().zip(functions).map(model).collect())
}

fn ports(emission: &Emission) -> Vec<Port> {
    let port = |port: &kit::Port| Port {
        name: port.name.clone(),
        width: port.width,
        input: port.direction == Direction::Input,
    };
    emission.ports.iter().map(port).collect()
}

/// Models of configurations: those that are not in the cache are compiled at the same time.
pub fn load(wanted: &[Wanted]) -> Result<Vec<&'static Model>, ModelError> {
    /// By everything that tells them apart.
    type Known = HashMap<(String, Kind, Option<Waves>), &'static Model>;
    static KNOWN: OnceLock<Mutex<Known>> = OnceLock::new();
    let known = || KNOWN.get_or_init(Mutex::default).lock().unwrap_or_else(PoisonError::into_inner);
    let key = |wanted: &Wanted| (wanted.config.to_toml(), wanted.kind, wanted.waves);
    let mut missing: Vec<&Wanted> = Vec::new();
    for one in wanted {
        if !known().contains_key(&key(one)) && !missing.iter().any(|other| key(other) == key(one)) {
            missing.push(one);
        }
    }
    let models = circuits(missing.iter().map(|one| one.circuit()).collect::<Result<_, _>>()?)?;
    let mut known = known();
    known.extend(missing.into_iter().map(key).zip(models));
    Ok(wanted.iter().map(|one| known[&key(one)]).collect())
}

/// One model of a configuration, without waveforms.
pub fn model(config: &Config, kind: Kind) -> Result<&'static Model, ModelError> {
    Ok(load(&[Wanted::new(config, kind)])?[0])
}

/// The same with waveforms.
pub fn with_waves(config: &Config, kind: Kind, waves: Waves) -> Result<&'static Model, ModelError> {
    Ok(load(&[Wanted { waves: Some(waves), ..Wanted::new(config, kind) }])?[0])
}

/// The top level of a board, its line at `baud`.
pub fn board(
    board: &boards::board::Board,
    config: &Config,
    baud: u32,
) -> Result<&'static Model, BoardModelError> {
    let mut emission = boards::top::emit(board, config, baud)?;
    emission.verilog.push_str(boards::project::PRIMITIVES);
    let circuit = CircuitModel {
        name: format!("{}_{}", config.name, board.name).replace('-', "_"),
        title: format!("{} on {}", config.name, board.title),
        clock: "clk".into(),
        config: config.clone(),
        waves: None,
        coverage: false,
        emission,
    };
    Ok(circuits(vec![circuit])?[0])
}

/// The core of a configuration that counts how often signals change, and the conditions in it, each with a name of its own.
pub fn counting(config: &Config, traced: bool) -> Result<(&'static Model, Vec<Choice>), ModelError> {
    let config = Config { trace: traced, ..config.clone() };
    let (engine, choices) = hdl::engine(&config).with_named_choices();
    let circuit = CircuitModel {
        name: format!("{}_counting", config.name.replace('-', "_")),
        title: format!("{}, counting changes", config.name),
        clock: "aclk".into(),
        waves: None,
        coverage: true,
        emission: hdl::emit::emit(&engine, &config.name, &config),
        config,
    };
    Ok((circuits(vec![circuit])?[0], choices))
}
