// SPDX-License-Identifier: MIT OR Apache-2.0
//! An estimate of every path beside what place-and-route made of it.

use crate::timing::Endpoint;
use serde::Deserialize;
use std::collections::HashMap;

/// Why nothing can be compared.
#[derive(Debug, thiserror::Error)]
pub enum ComparisonError {
    /// Not the report that nextpnr writes with `--detailed-timing-report`.
    #[error("cannot read the detailed timing report: {0}")]
    Json(#[from] serde_json::Error),
    /// Its cells are not those of the netlist.
    #[error("no register of the detailed timing report is in the netlist")]
    NothingInCommon,
}

/// The path into one clocked pin, in picoseconds, setup not included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pair {
    /// By the delay model, before placement.
    pub estimated: u32,
    /// Placed and routed.
    pub routed: u32,
}

impl Pair {
    /// How far the estimate lies above the routed path, as a share of it.
    pub fn error(&self) -> f64 {
        f64::from(self.estimated) / f64::from(self.routed.max(1)) - 1.0
    }
}

/// Estimated paths beside routed ones.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    /// The longest path into each pin, the longest routed one first; never empty.
    pub pairs: Vec<Pair>,
}

impl Comparison {
    /// Pairs the estimated endpoints with those of nextpnr's report.
    pub fn new(estimated: &[Endpoint], report: &[u8]) -> Result<Comparison, ComparisonError> {
        let routed = arrivals(report)?;
        let pair = |end: &Endpoint| {
            let routed = *routed.get(&(end.cell.clone(), end.port.clone()))?;
            Some(Pair { estimated: end.arrival_ps, routed })
        };
        let mut pairs: Vec<Pair> = estimated.iter().filter_map(pair).collect();
        if pairs.is_empty() {
            return Err(ComparisonError::NothingInCommon);
        }
        pairs.sort_by_key(|pair| std::cmp::Reverse(pair.routed));
        Ok(Comparison { pairs })
    }

    /// The longest by place-and-route, a tenth of all and one at least: those that limit the clock.
    pub fn long(&self) -> &[Pair] {
        &self.pairs[..self.pairs.len().div_ceil(10)]
    }

    /// The longest path by the model; it need not end where the longest routed one does.
    pub fn longest_estimated(&self) -> u32 {
        self.pairs.iter().map(|pair| pair.estimated).max().unwrap_or(0)
    }

    /// The longest routed path.
    pub fn longest_routed(&self) -> u32 {
        self.pairs[0].routed
    }
}

/// nextpnr reaches a register's data by `DI` from a LUT of its slice, else by `M`; the netlist knows one name.
fn data(port: &str) -> &str {
    if port == "M" { "DI" } else { port }
}

#[derive(Deserialize)]
struct Report<'a> {
    #[serde(borrow)]
    detailed_net_timings: Vec<NetTiming<'a>>,
}

#[derive(Deserialize)]
struct NetTiming<'a> {
    #[serde(borrow)]
    endpoints: Vec<Arrival<'a>>,
}

#[derive(Deserialize)]
struct Arrival<'a> {
    #[serde(borrow)]
    cell: std::borrow::Cow<'a, str>,
    #[serde(borrow)]
    port: std::borrow::Cow<'a, str>,
    /// Where the path begins: an edge of a clock, or `<async>`.
    #[serde(borrow)]
    event: std::borrow::Cow<'a, str>,
    /// Shortest and longest, in nanoseconds, setup not included.
    delay: [f64; 2],
}

/// Arrival at each clocked pin, in picoseconds, of the longest path that begins at a clock edge.
fn arrivals(report: &[u8]) -> Result<HashMap<(String, String), u32>, ComparisonError> {
    let report: Report = serde_json::from_slice(report)?;
    let mut longest: HashMap<(String, String), u32> = HashMap::new();
    for end in report.detailed_net_timings.iter().flat_map(|net| &net.endpoints) {
        if end.event == "<async>" {
            continue;
        }
        let ps = longest.entry((end.cell.to_string(), data(&end.port).to_string())).or_default();
        *ps = (*ps).max((1000.0 * end.delay[1]).round() as u32);
    }
    Ok(longest)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn end(cell: &str, port: &str, arrival_ps: u32) -> Endpoint {
        Endpoint { cell: cell.into(), port: port.into(), arrival_ps }
    }

    #[test]
    fn paths_meet_by_register_and_pin() {
        let report = br#"{"critical_paths":[],"detailed_net_timings":[
            {"net":"n","driver":"x","port":"F","event":"posedge c","endpoints":[
                {"cell":"core.a","port":"M","event":"posedge c","delay":[1.0,2.0]},
                {"cell":"core.a","port":"DI","event":"<async>","delay":[1.0,9.0]},
                {"cell":"core.b","port":"CE","event":"posedge c","delay":[1.0,4.0]},
                {"cell":"core.b","port":"CE","event":"posedge c","delay":[1.0,3.0]}]}]}"#;
        let ends = [end("core.a", "DI", 3_000), end("core.b", "CE", 3_000), end("core.c", "DI", 1)];
        let compared = Comparison::new(&ends, report).unwrap();
        let pair = |estimated, routed| Pair { estimated, routed };
        assert_eq!(compared.pairs, [pair(3_000, 4_000), pair(3_000, 2_000)]);
        assert_eq!(compared.long(), [pair(3_000, 4_000)]);
        assert_eq!((compared.longest_estimated(), compared.longest_routed()), (3_000, 4_000));
        assert_eq!([compared.pairs[0].error(), compared.pairs[1].error()], [-0.25, 0.5]);
        assert!(matches!(Comparison::new(&ends[2..], report), Err(ComparisonError::NothingInCommon)));
        assert!(matches!(Comparison::new(&ends, b"{}"), Err(ComparisonError::Json(_))));
    }
}
