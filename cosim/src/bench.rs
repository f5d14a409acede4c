// SPDX-License-Identifier: MIT OR Apache-2.0
//! The engine core between AXI4-Stream models: words in, answers and trace events out.

use crate::axis::{Beat, Monitor, Sink, Source, StreamFault};
use crate::dut::{Dut, PortId};
use crate::models::Model;
use crate::trace::{Decoder, TraceDecision, TraceNode, TraceReturn};
use crate::waits::{Clock, Waiting, Waits};
use engine_model::Stop;
use hdl::Layout;
use hdl::face_model::Answer;
use hdl::stream::ANSWER_WORDS;

/// How the streams around the core behave.
#[derive(Clone, Copy, Debug)]
pub struct BenchOptions {
    /// Seed of power-up state, idle clocks and back-pressure.
    pub seed: u64,
    /// Probability that a source with a word waiting stays idle in a clock.
    pub idle: f64,
    /// Probability that the sink refuses a clock.
    pub back_pressure: f64,
}

impl BenchOptions {
    /// Streams that are as fast as the core takes and gives words.
    pub fn unstalled(seed: u64) -> BenchOptions {
        BenchOptions { seed, idle: 0.0, back_pressure: 0.0 }
    }
}

impl Default for BenchOptions {
    fn default() -> Self {
        BenchOptions { seed: 1, idle: 0.1, back_pressure: 0.1 }
    }
}

/// Something the trace outputs showed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// A node came out of the evaluator.
    Node(TraceNode),
    /// A level controller returned.
    Return(TraceReturn),
    /// The game controller decided.
    Decision(TraceDecision),
}

/// What went wrong on the streams.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BenchError {
    /// The answer stream broke a rule of AXI4-Stream.
    #[error("m_axis_data at cycle {cycle}: {fault}")]
    Stream {
        /// Cycle.
        cycle: u64,
        /// Rule broken.
        fault: StreamFault,
    },
    /// `interrupt` is not `m_axis_data_tvalid`.
    #[error("interrupt differs from m_axis_data_tvalid at cycle {cycle}")]
    Interrupt {
        /// Cycle.
        cycle: u64,
    },
    /// tlast is not on the last word of an answer, or not only there.
    #[error("tlast is wrong in the answer {words:x?} at cycle {cycle}")]
    Framing {
        /// Words of the answer.
        words: Vec<u32>,
        /// Cycle.
        cycle: u64,
    },
    /// A context of the search stays taken after it.
    #[error("a context is still held {clocks} clocks after the end of the search (at cycle {cycle})")]
    Held {
        /// Clocks since the end of the search.
        clocks: u64,
        /// Cycle.
        cycle: u64,
    },
    /// Whoever waited for the answer gave it up; the core is still at it.
    #[error("given up at cycle {cycle}")]
    Stopped {
        /// Cycle.
        cycle: u64,
    },
    /// No answer in time.
    #[error("no answer, or words not taken, within {cycles} cycles (at cycle {cycle})")]
    Timeout {
        /// Cycles waited.
        cycles: u64,
        /// Cycle.
        cycle: u64,
    },
}

impl BenchError {
    /// The cycle that it is of.
    pub fn cycle(&self) -> u64 {
        match self {
            BenchError::Stream { cycle, .. }
            | BenchError::Interrupt { cycle }
            | BenchError::Framing { cycle, .. }
            | BenchError::Held { cycle, .. }
            | BenchError::Stopped { cycle }
            | BenchError::Timeout { cycle, .. } => *cycle,
        }
    }
}

struct Ports {
    reset_n: PortId,
    control_data: PortId,
    control_valid: PortId,
    control_ready: PortId,
    data_data: PortId,
    data_valid: PortId,
    data_ready: PortId,
    out_data: PortId,
    out_valid: PortId,
    out_last: PortId,
    out_ready: PortId,
    interrupt: PortId,
}

struct TracePorts {
    node_valid: PortId,
    node: PortId,
    return_valid: PortId,
    returns: PortId,
    decision_valid: PortId,
    decision: PortId,
    held: PortId,
    clock: PortId,
    waiting: PortId,
}

/// The core with its streams.
pub struct Bench {
    dut: Dut,
    ports: Ports,
    trace: Option<TracePorts>,
    decoder: Decoder,
    /// Source of `s_axis_control`.
    pub control: Source,
    /// Source of `s_axis_data`.
    pub data: Source,
    /// Sink of `m_axis_data`.
    pub sink: Sink,
    monitor: Monitor,
    reset_n: bool,
    rng: fastrand::Rng,
    events: Vec<(u64, Event)>,
    /// Clocks for which a context has been held without a search.
    held: u64,
    waiting: Waiting,
    /// Clocks of searches with the cycles that they are, if somebody wants to see them.
    clocks: Option<Vec<(u64, Clock)>>,
    stop: Option<Stop>,
    fault: Option<BenchError>,
}

/// Cycles of a reset, as `Bench::new` applies it.
pub const RESET_CYCLES: usize = 4;
/// Clocks within which every context is free once a search has ended: children are killed one level a clock.
const LINGER: u64 = 20;

impl Bench {
    /// A core of `layout`'s configuration, powered up at random and reset.
    pub fn new(model: &'static Model, layout: Layout, options: BenchOptions) -> Bench {
        let mut rng = fastrand::Rng::with_seed(options.seed);
        let dut = Dut::new(model, rng.u32(..));
        let ports = Ports {
            reset_n: dut.port("aresetn"),
            control_data: dut.port("s_axis_control_tdata"),
            control_valid: dut.port("s_axis_control_tvalid"),
            control_ready: dut.port("s_axis_control_tready"),
            data_data: dut.port("s_axis_data_tdata"),
            data_valid: dut.port("s_axis_data_tvalid"),
            data_ready: dut.port("s_axis_data_tready"),
            out_data: dut.port("m_axis_data_tdata"),
            out_valid: dut.port("m_axis_data_tvalid"),
            out_last: dut.port("m_axis_data_tlast"),
            out_ready: dut.port("m_axis_data_tready"),
            interrupt: dut.port("interrupt"),
        };
        let trace = dut.find("trace_node_valid").map(|node_valid| TracePorts {
            node_valid,
            node: dut.port("trace_node"),
            return_valid: dut.port("trace_return_valid"),
            returns: dut.port("trace_return"),
            decision_valid: dut.port("trace_decision_valid"),
            decision: dut.port("trace_decision"),
            held: dut.port("trace_held"),
            clock: dut.port("trace_clock"),
            waiting: dut.port("trace_waiting"),
        });
        let mut bench = Bench {
            dut,
            ports,
            trace,
            waiting: Waiting::new(&layout),
            decoder: Decoder::new(layout),
            control: Source::new(options.idle),
            data: Source::new(options.idle),
            sink: Sink::new(options.back_pressure),
            monitor: Monitor::default(),
            reset_n: true,
            rng,
            events: Vec::new(),
            held: 0,
            clocks: None,
            stop: None,
            fault: None,
        };
        bench.reset(RESET_CYCLES);
        bench.dut.count_anew();
        bench
    }

    /// The layout of the core's configuration.
    pub fn layout(&self) -> &Layout {
        self.decoder.layout()
    }

    /// The simulated instance.
    pub fn dut(&mut self) -> &mut Dut {
        &mut self.dut
    }

    /// Cycles so far.
    pub fn cycle(&self) -> u64 {
        self.dut.cycle()
    }

    /// Holds aresetn low for `cycles` clocks; the sources drop their words, as the master behind them is reset too.
    pub fn reset(&mut self, cycles: usize) {
        self.reset_n = false;
        self.control.reset();
        self.data.reset();
        self.sink.clear();
        for _ in 0..cycles {
            self.tick();
        }
        self.reset_n = true;
        self.events.clear();
    }

    /// One clock cycle.
    pub fn tick(&mut self) {
        let cycle = self.dut.cycle();
        self.dut.set_word(self.ports.reset_n, u32::from(self.reset_n));
        let (valid, word) = if self.reset_n { self.control.drive(&mut self.rng) } else { (false, 0) };
        self.dut.set_word(self.ports.control_valid, u32::from(valid));
        self.dut.set_word(self.ports.control_data, word);
        let (valid, word) = if self.reset_n { self.data.drive(&mut self.rng) } else { (false, 0) };
        self.dut.set_word(self.ports.data_valid, u32::from(valid));
        self.dut.set_word(self.ports.data_data, word);
        let out_ready = self.sink.drive(&mut self.rng);
        self.dut.set_word(self.ports.out_ready, u32::from(out_ready));
        self.dut.settle();

        let control_ready = self.dut.get_word(self.ports.control_ready) == 1;
        let data_ready = self.dut.get_word(self.ports.data_ready) == 1;
        let out_valid = self.dut.get_word(self.ports.out_valid) == 1;
        let beat = Beat {
            data: self.dut.get_word(self.ports.out_data),
            last: self.dut.get_word(self.ports.out_last) == 1,
        };
        if let Err(fault) = self.monitor.clocked(self.reset_n, out_valid, out_ready, beat) {
            self.fault.get_or_insert(BenchError::Stream { cycle, fault });
        }
        if (self.dut.get_word(self.ports.interrupt) == 1) != out_valid {
            self.fault.get_or_insert(BenchError::Interrupt { cycle });
        }
        if self.reset_n {
            self.record(cycle);
            self.control.clocked(control_ready);
            self.data.clocked(data_ready);
            self.sink.clocked(out_valid, beat);
        }
        self.dut.tick();
    }

    fn record(&mut self, cycle: u64) {
        let Some(ports) = &self.trace else { return };
        if self.dut.get_word(ports.node_valid) == 1 {
            let node = self.decoder.node(&self.dut.get(ports.node));
            self.events.push((cycle, Event::Node(node)));
        }
        let returned = self.dut.get_word(ports.return_valid);
        if returned != 0 {
            let words = self.dut.get(ports.returns);
            for level in
                (1..=self.decoder.layout().config.levels).filter(|level| returned >> (level - 1) & 1 == 1)
            {
                self.events.push((cycle, Event::Return(self.decoder.returned(&words, level))));
            }
        }
        self.held = if self.dut.get_word(ports.held) == 1 { self.held + 1 } else { 0 };
        if self.held > LINGER {
            self.fault.get_or_insert(BenchError::Held { clocks: self.held, cycle });
        }
        let clock = self.dut.get_word(ports.clock);
        match &mut self.clocks {
            Some(clocks) => {
                let seen = self.waiting.clock_seen(clock, &self.dut.get(ports.waiting));
                clocks.extend(seen.map(|seen| (cycle, seen)));
            }
            None => _ = self.waiting.clock(clock, || self.dut.get(ports.waiting)),
        }
        if self.dut.get_word(ports.decision_valid) == 1 {
            let decision = self.decoder.decision(&self.dut.get(ports.decision));
            self.events.push((cycle, Event::Decision(decision)));
        }
    }

    /// Clocks without a pass, by cause, as the contexts explain them; with trace outputs only.
    pub fn waits(&self) -> Waits {
        self.waiting.so_far()
    }

    /// Keeps every clock of a search from now on; with trace outputs only.
    pub fn keep_clocks(&mut self) {
        self.clocks = Some(Vec::new());
    }

    /// Takes the clocks that were kept, with their cycles, and keeps no more.
    pub fn take_clocks(&mut self) -> Vec<(u64, Clock)> {
        self.clocks.take().unwrap_or_default()
    }

    /// Gives up an answer with [`BenchError::Stopped`] once this is set; none: waits for all of them.
    pub fn stop_by(&mut self, stop: Option<Stop>) {
        self.stop = stop;
    }

    /// Takes the trace events seen so far.
    pub fn take_events(&mut self) -> Vec<(u64, Event)> {
        std::mem::take(&mut self.events)
    }

    /// Queues a control word and its data words.
    pub fn send(&mut self, word: u32, arguments: &[u32]) {
        self.control.push(word);
        arguments.iter().for_each(|&argument| self.data.push(argument));
    }

    /// Runs `cycles` clocks.
    pub fn run(&mut self, cycles: u64) -> Result<(), BenchError> {
        (0..cycles).for_each(|_| self.tick());
        self.fault.clone().map_or(Ok(()), Err)
    }

    /// Runs until the core has taken every word sent, at most `limit` clocks, and `more` clocks after that.
    pub fn deliver(&mut self, limit: u64, more: u64) -> Result<(), BenchError> {
        let begin = self.cycle();
        while self.control.waiting() + self.data.waiting() > 0 && self.fault.is_none() {
            if self.cycle() - begin >= limit {
                return Err(BenchError::Timeout { cycles: limit, cycle: self.cycle() });
            }
            self.tick();
        }
        self.run(more)
    }

    /// Runs until a whole answer has come, at most `limit` clocks.
    pub fn answer(&mut self, limit: u64) -> Result<Answer, BenchError> {
        let begin = self.cycle();
        while self.sink.len() < ANSWER_WORDS {
            if self.cycle() - begin >= limit {
                return Err(BenchError::Timeout { cycles: limit, cycle: self.cycle() });
            }
            self.tick();
            if let Some(fault) = &self.fault {
                return Err(fault.clone());
            }
            if self.stop.as_ref().is_some_and(Stop::is_set) {
                return Err(BenchError::Stopped { cycle: self.cycle() });
            }
        }
        let beats: Vec<Beat> = (0..ANSWER_WORDS).filter_map(|_| self.sink.pop()).collect();
        let words: Vec<u32> = beats.iter().map(|beat| beat.data).collect();
        if beats.iter().enumerate().any(|(i, beat)| beat.last != (i + 1 == ANSWER_WORDS)) {
            return Err(BenchError::Framing { words, cycle: self.cycle() });
        }
        Ok(Answer { words: [words[0], words[1]] })
    }
}
