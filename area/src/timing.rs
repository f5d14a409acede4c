// SPDX-License-Identifier: MIT OR Apache-2.0
//! Static timing: the longest paths from register to register by a family's [`Delays`].
//!
//! All registers count as clocked by one edge of one clock. Registers that no output of the top module depends on are left
//! out: the vendor's tool removes them. A loop without a register is an error.

use crate::delay::{Delays, Net, PinName};
use crate::flat::{Flat, FlatCell, FlatPin, unfold};
use crate::netlist::{Bit, Design, NetName};
use std::collections::{BTreeMap, VecDeque};

/// How many groups and nets are listed.
pub const LISTED: usize = 20;

/// Why a design cannot be timed.
#[derive(Debug, thiserror::Error)]
pub enum TimingError {
    /// A combinational loop.
    #[error("combinational loop through net {0}")]
    Loop(String),
}

/// A register, or another clocked cell, and the pin a path leaves or enters it by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// Its name with its path from the top.
    pub name: String,
    /// Module it stands in.
    pub module: String,
    /// The pin.
    pub pin: String,
}

/// A wire on a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wire {
    /// Name within the module of the cell it enters, if the source gave it one.
    pub net: Option<String>,
    /// Its loads, clocks not counted.
    pub fan_out: u32,
    /// Its delay in picoseconds; 0 inside a slice.
    pub ps: u32,
}

/// A cell on a path, with the wire into it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stage {
    /// The wire.
    pub wire: Wire,
    /// Type of the cell.
    pub cell: String,
    /// Module it stands in.
    pub module: String,
    /// From which pin to which.
    pub through: String,
    /// Its delay in picoseconds.
    pub ps: u32,
    /// Time since the clock edge at its output, in picoseconds.
    pub arrival_ps: u32,
}

/// A path from a clock edge to the next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Path {
    /// Its length in picoseconds, from clock-to-output to setup.
    pub ps: u32,
    /// Where it begins.
    pub start: Place,
    /// Clock-to-output time of the start.
    pub launch_ps: u32,
    /// Cells on the way.
    pub stages: Vec<Stage>,
    /// The wire into the end.
    pub last: Wire,
    /// Setup time of the end.
    pub setup_ps: u32,
    /// Where it ends.
    pub end: Place,
}

impl Path {
    /// Levels of logic by type of cell, carry chains and slice multiplexers counted as Vivado does.
    pub fn levels(&self) -> BTreeMap<&str, usize> {
        let mut levels = BTreeMap::new();
        for stage in &self.stages {
            *levels.entry(stage.cell.as_str()).or_default() += 1;
        }
        levels
    }
}

/// The bits of one register in all instances of its module, by the pin at which paths end. Registers that differ by a
/// number at the end of their name only (`row_0`, `row_1`) are one: `row_*`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// Module.
    pub module: String,
    /// Register.
    pub register: String,
    /// Pin.
    pub pin: String,
    /// How many paths end there: bits times instances.
    pub endpoints: usize,
    /// The longest of them.
    pub worst: Path,
}

/// The name with a number at its end left out.
fn series(name: &str) -> String {
    let stem = name.trim_end_matches(|c: char| c.is_ascii_digit());
    if stem.len() < name.len() && stem.ends_with('_') { format!("{stem}*") } else { name.to_string() }
}

/// A net by its loads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Load {
    /// Name with its path.
    pub net: String,
    /// Module of its driver.
    pub module: String,
    /// Type of its driver.
    pub driver: String,
    /// Loads, clocks not counted.
    pub fan_out: u32,
}

/// What the analysis finds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Timing {
    /// Endpoint groups, longest path first; at most [`LISTED`].
    pub groups: Vec<Group>,
    /// Nets with most loads, at most [`LISTED`].
    pub loads: Vec<Load>,
    /// Number of endpoints.
    pub endpoints: usize,
    /// Endpoints by the length of the longest path into them: entry n counts those of n to n + 1 nanoseconds.
    pub histogram: Vec<usize>,
    /// The longest path that ends in each module, in picoseconds.
    pub modules: BTreeMap<String, u32>,
    /// Cells no output depends on.
    pub dead_cells: usize,
}

impl Timing {
    /// The longest path; `None` if no path runs from register to register.
    pub fn longest(&self) -> Option<&Path> {
        self.groups.first().map(|group| &group.worst)
    }
}

/// A combinational way through a cell.
struct Edge {
    from: u32,
    to: u32,
    cell: u32,
    input: u32,
    output: u32,
}

struct Graph<'a> {
    delays: &'a dyn Delays,
    flat: Flat<'a>,
    /// Cell and pin that drive each net.
    driver: Vec<Option<(u32, u32)>>,
    fan_out: Vec<u32>,
    /// Register inputs `D` on each net.
    d_pins: Vec<u32>,
    live: Vec<bool>,
    edges: Vec<Edge>,
    /// Time at the driver of each net, if a register is before it.
    arrival: Vec<Option<u32>>,
    /// Edge by which the arrival came; `None`: from a clock.
    by: Vec<Option<u32>>,
}

/// Times a design.
pub fn analyse(design: &Design, delays: &dyn Delays) -> Result<Timing, TimingError> {
    let mut graph = Graph::new(unfold(design), delays);
    graph.propagate()?;
    Ok(graph.report())
}

/// The longest path into a clocked pin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Endpoint {
    /// Name of the cell in the netlist, with its path from the top.
    pub cell: String,
    /// The pin.
    pub port: String,
    /// When its value arrives, setup not included, in picoseconds.
    pub arrival_ps: u32,
}

/// Every clocked pin that a path from a register ends at.
pub fn endpoints(design: &Design, delays: &dyn Delays) -> Result<Vec<Endpoint>, TimingError> {
    let mut graph = Graph::new(unfold(design), delays);
    graph.propagate()?;
    let endpoint = |(cell, pin, arrival_ps, _): (&FlatCell<'_>, &FlatPin<'_>, u32, u32)| Endpoint {
        cell: graph.path_of(cell.instance, &cell.cell.name),
        port: pin.port.into(),
        arrival_ps,
    };
    Ok(graph.ends().map(endpoint).collect())
}

fn name(pin: &FlatPin<'_>, cell: &FlatCell<'_>) -> String {
    let width = cell.cell.pins.iter().find(|p| p.port == pin.port).map_or(1, |p| p.bits.len());
    if width > 1 { format!("{}[{}]", pin.port, pin.bit) } else { pin.port.to_string() }
}

impl<'a> Graph<'a> {
    fn new(flat: Flat<'a>, delays: &'a dyn Delays) -> Graph<'a> {
        let mut driver = vec![None; flat.nets];
        for (index, cell) in flat.cells.iter().enumerate() {
            for (pin_index, pin) in cell.pins.iter().enumerate().filter(|(_, pin)| pin.output) {
                if let Some(net) = pin.net {
                    driver[net as usize] = Some((index as u32, pin_index as u32));
                }
            }
        }
        let live = flat.live(&driver);
        let (mut fan_out, mut d_pins) = (vec![0; flat.nets], vec![0; flat.nets]);
        for cell in flat.cells.iter().zip(&live).filter_map(|(cell, live)| live.then_some(cell)) {
            for pin in cell.pins.iter().filter(|pin| !pin.output && !cell.primitive.is_clock(pin.port)) {
                let Some(net) = pin.net else { continue };
                fan_out[net as usize] += 1;
                d_pins[net as usize] += u32::from(cell.primitive.is_register_data(pin.port));
            }
        }
        let (arrival, by) = (vec![None; flat.nets], vec![None; flat.nets]);
        Graph { delays, flat, driver, fan_out, d_pins, live, edges: Vec::new(), arrival, by }
    }

    /// Delay of the wire into an input.
    fn wire(&self, cell: &FlatCell<'_>, pin: &FlatPin<'_>, net: u32) -> u32 {
        let from = self.driver[net as usize].map(|(cell, pin)| {
            let cell = &self.flat.cells[cell as usize];
            (cell.primitive, cell.pins[pin as usize].port)
        });
        let net = Net { from, fan_out: self.fan_out[net as usize], registers: self.d_pins[net as usize] };
        self.delays.wire(net, cell.primitive, pin.port)
    }

    fn edge_ps(&self, edge: &Edge) -> (u32, u32) {
        let cell = &self.flat.cells[edge.cell as usize];
        let (input, output) = (&cell.pins[edge.input as usize], &cell.pins[edge.output as usize]);
        let through = self.delays.arc(
            cell.primitive,
            cell.cell,
            PinName { port: input.port, bit: input.bit },
            PinName { port: output.port, bit: output.bit },
        );
        (self.wire(cell, input, edge.from), through.unwrap_or(0))
    }

    fn find_edges(&mut self) {
        for (index, cell) in self.flat.cells.iter().enumerate().filter(|(index, _)| self.live[*index]) {
            for (output_index, output) in cell.pins.iter().enumerate().filter(|(_, pin)| pin.output) {
                let Some(to) = output.net else { continue };
                if let Some(ps) = self.delays.launch(cell.primitive, cell.cell, output.port) {
                    self.arrival[to as usize] = Some(ps);
                }
                for (input_index, input) in cell.pins.iter().enumerate().filter(|(_, pin)| !pin.output) {
                    let Some(from) = input.net else { continue };
                    let (a, b) = (
                        PinName { port: input.port, bit: input.bit },
                        PinName { port: output.port, bit: output.bit },
                    );
                    if self.delays.arc(cell.primitive, cell.cell, a, b).is_some() {
                        self.edges.push(Edge {
                            from,
                            to,
                            cell: index as u32,
                            input: input_index as u32,
                            output: output_index as u32,
                        });
                    }
                }
            }
        }
        self.edges.sort_by_key(|edge| edge.from);
    }

    /// Arrival times in topological order.
    fn propagate(&mut self) -> Result<(), TimingError> {
        self.find_edges();
        let mut waiting = vec![0u32; self.flat.nets];
        self.edges.iter().for_each(|edge| waiting[edge.to as usize] += 1);
        let mut ready: VecDeque<u32> =
            (0..self.flat.nets as u32).filter(|net| waiting[*net as usize] == 0).collect();
        while let Some(net) = ready.pop_front() {
            let first = self.edges.partition_point(|edge| edge.from < net);
            let mut index = first;
            while let Some(edge) = self.edges.get(index).filter(|edge| edge.from == net) {
                let to = edge.to as usize;
                if let Some(arrival) = self.arrival[net as usize] {
                    let (wire, through) = self.edge_ps(edge);
                    let time = arrival + wire + through;
                    if self.arrival[to].is_none_or(|known| known < time) {
                        self.arrival[to] = Some(time);
                        self.by[to] = Some(index as u32);
                    }
                }
                waiting[to] -= 1;
                if waiting[to] == 0 {
                    ready.push_back(to as u32);
                }
                index += 1;
            }
        }
        match waiting.iter().position(|count| *count > 0) {
            Some(net) => Err(TimingError::Loop(self.full_name(net as u32))),
            None => Ok(()),
        }
    }

    fn path_of(&self, instance: u32, name: &str) -> String {
        let path = &self.flat.instances[instance as usize].path;
        if path.is_empty() { name.to_string() } else { format!("{path}.{name}") }
    }

    fn full_name(&self, net: u32) -> String {
        match self.driver[net as usize] {
            Some((cell, pin)) => {
                let cell = &self.flat.cells[cell as usize];
                let name = self.flat.net_name(cell, &cell.pins[pin as usize]);
                self.path_of(cell.instance, &name.map_or_else(String::new, NetName::to_string))
            }
            None => {
                let top = &self.flat.instances[0].module;
                let bit = top.ports.iter().flat_map(|port| &port.bits).find(|bit| **bit == Bit::Net(net));
                match bit {
                    Some(Bit::Net(net)) => top.nets[*net as usize].to_string(),
                    _ => "an undriven net".into(),
                }
            }
        }
    }

    fn module_of(&self, cell: &FlatCell<'_>) -> String {
        self.flat.instances[cell.instance as usize].module_name.to_string()
    }

    /// A clocked cell by the name of what it drives: the bit at `output`, or its first output.
    fn place(&self, cell: &FlatCell<'_>, pin: &FlatPin<'_>) -> Place {
        let shown = if pin.output { Some(pin) } else { cell.pins.iter().find(|pin| pin.output) };
        let local = shown
            .and_then(|pin| self.flat.net_name(cell, pin))
            .map_or_else(|| cell.cell.name.clone(), NetName::to_string);
        Place {
            name: self.path_of(cell.instance, &local),
            module: self.module_of(cell),
            pin: name(pin, cell),
        }
    }

    /// The longest path that ends at an input.
    fn path(&self, end: &FlatCell<'_>, end_pin: &FlatPin<'_>, mut net: u32) -> Option<Path> {
        let arrival = self.arrival[net as usize]?;
        let setup_ps = self.delays.setup(end.primitive, end.cell, end_pin.port)?;
        let wire = |cell: &FlatCell<'_>, pin: &FlatPin<'_>, net: u32| Wire {
            net: self.flat.net_name(cell, pin).filter(|name| !name.hidden).map(NetName::to_string),
            fan_out: self.fan_out[net as usize],
            ps: self.wire(cell, pin, net),
        };
        let last = wire(end, end_pin, net);
        let mut stages = Vec::new();
        while let Some(index) = self.by[net as usize] {
            let edge = &self.edges[index as usize];
            let cell = &self.flat.cells[edge.cell as usize];
            let (input, output) = (&cell.pins[edge.input as usize], &cell.pins[edge.output as usize]);
            stages.push(Stage {
                wire: wire(cell, input, edge.from),
                cell: cell.cell.type_name.clone(),
                module: self.module_of(cell),
                through: format!("{} -> {}", name(input, cell), name(output, cell)),
                ps: self.edge_ps(edge).1,
                arrival_ps: self.arrival[net as usize]?,
            });
            net = edge.from;
        }
        stages.reverse();
        let (start, start_pin) = self.driver[net as usize]?;
        let start = &self.flat.cells[start as usize];
        Some(Path {
            ps: arrival + last.ps + setup_ps,
            start: self.place(start, &start.pins[start_pin as usize]),
            launch_ps: self.arrival[net as usize]?,
            stages,
            last,
            setup_ps,
            end: self.place(end, end_pin),
        })
    }

    /// Clocked pins that a path from a register ends at, with the arrival of the longest and the pin's setup time.
    fn ends(&self) -> impl Iterator<Item = (&FlatCell<'a>, &FlatPin<'a>, u32, u32)> {
        let live = self.flat.cells.iter().zip(&self.live).filter_map(|(cell, live)| live.then_some(cell));
        let pins = live.flat_map(|cell| cell.pins.iter().map(move |pin| (cell, pin)));
        pins.filter(|(_, pin)| !pin.output).filter_map(|(cell, pin)| {
            let net = pin.net?;
            let setup = self.delays.setup(cell.primitive, cell.cell, pin.port)?;
            let arrival = self.arrival[net as usize]?;
            Some((cell, pin, arrival + self.wire(cell, pin, net), setup))
        })
    }

    fn report(&self) -> Timing {
        /// Paths that end at one register.
        struct Ends<'g> {
            count: usize,
            ps: u32,
            cell: &'g FlatCell<'g>,
            pin: &'g FlatPin<'g>,
        }
        let mut groups: BTreeMap<(String, String, String), Ends<'_>> = BTreeMap::new();
        let mut timing = Timing::default();
        for (cell, pin, arrival, setup) in self.ends() {
            let ps = arrival + setup;
            timing.endpoints += 1;
            let whole_ns = (ps / 1000) as usize;
            timing.histogram.resize(timing.histogram.len().max(whole_ns + 1), 0);
            timing.histogram[whole_ns] += 1;
            let longest = timing.modules.entry(self.module_of(cell)).or_default();
            *longest = ps.max(*longest);
            let register = series(&self.flat.vector_name(cell));
            let key = (self.module_of(cell), register, pin.port.to_string());
            let ends = groups.entry(key).or_insert(Ends { count: 0, ps, cell, pin });
            ends.count += 1;
            if ps > ends.ps {
                (ends.ps, ends.cell, ends.pin) = (ps, cell, pin);
            }
        }
        let mut ranked: Vec<_> = groups.into_iter().collect();
        ranked.sort_by_key(|(_, ends)| std::cmp::Reverse(ends.ps));
        timing.groups = ranked
            .into_iter()
            .take(LISTED)
            .filter_map(|((module, register, pin), ends)| {
                let worst = self.path(ends.cell, ends.pin, ends.pin.net?)?;
                Some(Group { module, register, pin, endpoints: ends.count, worst })
            })
            .collect();
        timing.loads = self.loads();
        timing.dead_cells = self.live.iter().filter(|live| !**live).count();
        timing
    }

    fn loads(&self) -> Vec<Load> {
        let mut nets: Vec<u32> = (0..self.flat.nets as u32).collect();
        nets.sort_by_key(|net| std::cmp::Reverse(self.fan_out[*net as usize]));
        nets.truncate(LISTED);
        nets.into_iter()
            .filter(|net| self.fan_out[*net as usize] > 0)
            .map(|net| {
                let driver = self.driver[net as usize].map(|(cell, _)| &self.flat.cells[cell as usize]);
                Load {
                    net: self.full_name(net),
                    module: driver.map_or_else(
                        || self.flat.instances[0].module_name.to_string(),
                        |cell| self.module_of(cell),
                    ),
                    driver: driver.map_or_else(|| "input".into(), |cell| cell.cell.type_name.clone()),
                    fan_out: self.fan_out[net as usize],
                }
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbered_registers_are_one_series() {
        for (name, expected) in [
            ("core.level_2.alpha_15", "core.level_2.alpha_*"),
            ("core.level_2.alpha", "core.level_2.alpha"),
            ("core.send_1", "core.send_*"),
            ("s2", "s2"),
            ("7", "7"),
        ] {
            assert_eq!(series(name), expected);
        }
    }
}
