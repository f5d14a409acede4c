// SPDX-License-Identifier: MIT OR Apache-2.0
//! A described circuit: a rust-hdl block with run-time ports.

use super::net::Net;
use super::port::Port;
use super::print::{self, Child};
use super::simulator::Simulator;
use super::value::Value;
use rust_hdl::prelude::*;
use std::sync::Arc;

/// A circuit: ports, children and a netlist. As a rust-hdl block it is printed with its hierarchy and runs in rust-hdl's simulator.
pub struct Circuit {
    pub(super) kind: String,
    pub(super) summary: String,
    pub(super) ports: Vec<Port>,
    pub(super) children: Vec<(String, Circuit)>,
    pub(super) net: Arc<Net>,
    pub(super) running: Option<Running>,
}

/// A circuit that is simulated as a rust-hdl block.
pub(super) struct Running {
    simulator: Simulator,
    clock: bool,
    changed: bool,
}

impl Circuit {
    /// Module name.
    pub fn kind(&self) -> &str {
        &self.kind
    }

    /// Ports in order of declaration.
    pub fn ports(&self) -> &[Port] {
        &self.ports
    }

    /// Children, by their instances' names.
    pub fn children(&self) -> &[(String, Circuit)] {
        &self.children
    }

    /// What has been described, for those that run or change it.
    pub fn net(&self) -> &Arc<Net> {
        &self.net
    }

    /// Its Verilog, but for its name: the port list and all behind it. `modules` are the names of its children's modules.
    pub fn verilog(&self, modules: &[String]) -> String {
        let below = self.children.iter().zip(modules);
        let below = below.map(|((name, child), module)| Child { name, ports: &child.ports, module });
        print::module(&self.net, &self.summary, &self.ports, &below.collect::<Vec<_>>())
    }

    /// Clocks from the pipeline's inputs to an output.
    ///
    /// # Panics
    /// If the output is of no pipeline stage.
    #[track_caller]
    pub fn latency(&self, output: &str) -> usize {
        let stage = self.net.port_stage(output);
        stage.and_then(|stage| usize::try_from(stage).ok()).unwrap_or_else(|| panic!("{output} has no stage"))
    }

    /// A simulator of it and all below.
    pub fn simulator(&self) -> Simulator {
        Simulator::new(&self.net.flattened())
    }

    /// Sets an input of the block, the lowest word first; false if there is none of this name. rust-hdl's `simulate` makes the outputs
    /// follow.
    #[must_use = "an input that is not there is not set"]
    pub fn set(&mut self, input: &str, words: &[u64]) -> bool {
        let running = self.running();
        running.changed = true;
        running.simulator.set(input, words)
    }

    /// The value of a port or of another named signal of the block.
    pub fn get(&mut self, name: &str) -> Option<Value> {
        self.running().simulator.get(name)
    }

    fn running(&mut self) -> &mut Running {
        let net = &self.net;
        self.running.get_or_insert_with(|| Running {
            simulator: Simulator::new(&net.flattened()),
            clock: false,
            changed: true,
        })
    }
}

impl Logic for Circuit {
    fn update(&mut self) {
        let clock_name = self.net.clock.clone();
        let running = self.running();
        let clock = running.simulator.get(&clock_name).is_some_and(|value| value.low() == 1);
        let rises = clock && !std::mem::replace(&mut running.clock, clock);
        running.clock = clock;
        if rises {
            running.simulator.tick();
        } else {
            running.simulator.settle();
        }
        running.changed = false;
    }
    fn hdl(&self) -> Verilog {
        Verilog::Custom(print::rust_hdl(&self.net, &self.summary))
    }
}

impl Block for Circuit {
    fn connect_all(&mut self) {}
    fn update_all(&mut self) {
        self.update();
    }
    fn has_changed(&self) -> bool {
        self.running.as_ref().is_some_and(|running| running.changed)
    }
    fn accept(&self, name: &str, probe: &mut dyn Probe) {
        probe.visit_start_scope(name, self);
        for port in &self.ports {
            probe.visit_atom(&port.name, port);
        }
        for (name, child) in &self.children {
            child.accept(name, probe);
        }
        probe.visit_end_scope(name, self);
    }
}
