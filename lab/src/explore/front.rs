// SPDX-License-Identifier: MIT OR Apache-2.0
//! Points with both figures, and the Pareto front of each search.

use crate::measure::Row;
use crate::points::point::{Area, Figures, Point, Search};
use engine_model::Config;

/// A configuration with its cycles and its area.
#[derive(Clone, Debug)]
pub struct Explored {
    /// Configuration.
    pub config: Config,
    /// Its searches.
    pub search: Search,
    /// What it takes.
    pub area: Area,
    /// Whether both figures are of the core as it is emitted now.
    pub current: bool,
    /// What is searched, in words: points of one search answer alike.
    pub group: String,
    /// Whether no other current point of its search has both fewer cycles and fewer LUTs, or one of them fewer and the other the
    /// same.
    pub front: bool,
}

impl Explored {
    /// Both coordinates: mean cycles of a search, LUTs.
    pub fn place(&self) -> (f64, f64) {
        (self.search.cycles.mean, self.area.lut as f64)
    }

    fn beats(&self, other: &Explored) -> bool {
        let ((cycles, lut), (other_cycles, other_lut)) = (self.place(), other.place());
        cycles <= other_cycles && lut <= other_lut && (cycles < other_cycles || lut < other_lut)
    }
}

/// What decides a move: of two configurations that are alike in it every position has the same answer.
fn decides(config: &Config) -> Config {
    Config {
        name: String::new(),
        contexts: 0,
        ahead: 0,
        low_gain: 0,
        transpositions: 0,
        rows_per_clock: 0,
        bound: engine_model::BoundKind::None,
        trace: false,
        clock_mhz: 0,
        ..config.clone()
    }
}

/// What is searched, in words.
fn words(config: &Config) -> String {
    let row = Row { config: config.clone(), levels: config.levels };
    format!("{} x {}, {} levels, {}", config.columns, config.rows, config.levels, row.width())
}

/// The configurations of a results file that have both figures; `fresh` tells the current ones.
pub fn explored(points: &[Point], fresh: &dyn Fn(&Point) -> bool) -> Vec<Explored> {
    let mut all: Vec<Explored> = Vec::new();
    let mut searches: Vec<((Config, String), String)> = Vec::new();
    for point in points {
        let Figures::Search(search) = &point.figures else { continue };
        if search.levels != point.config.levels {
            continue;
        }
        let area = points.iter().find_map(|other| match &other.figures {
            Figures::Area(area) if other.config == point.config => Some((area, fresh(other))),
            _ => None,
        });
        let Some((area, area_current)) = area else { continue };
        // Other positions cost other cycles.
        let key = (decides(&point.config), search.positions.sha256.clone());
        let mut group = words(&point.config);
        match searches.iter().find(|(known, _)| *known == key) {
            Some((_, name)) => group = name.clone(),
            None => {
                // Searches that differ in what the words leave out are told apart by number.
                let same = searches.iter().filter(|(_, name)| name.starts_with(&group)).count();
                if same > 0 {
                    group = format!("{group} ({})", same + 1);
                }
                searches.push((key, group.clone()));
            }
        }
        all.push(Explored {
            config: point.config.clone(),
            search: (**search).clone(),
            area: area.clone(),
            current: fresh(point) && area_current,
            group,
            front: false,
        });
    }
    for index in 0..all.len() {
        let point = &all[index];
        let beaten = all
            .iter()
            .filter(|other| other.current && other.group == point.group)
            .any(|other| other.beats(point));
        all[index].front = point.current && !beaten;
    }
    all.sort_by(|a, b| {
        (&a.group, a.search.cycles.mean).partial_cmp(&(&b.group, b.search.cycles.mean)).expect("finite")
    });
    all
}

/// The parameters in which the configurations differ, and each one's values for them.
pub fn differences(all: &[Explored]) -> (Vec<String>, Vec<Vec<String>>) {
    let objects: Vec<_> = all.iter().map(|point| point.config.parameters()).collect();
    let mut keys: Vec<String> = Vec::new();
    if let Some(first) = objects.first() {
        let differs =
            |key: &&String| *key != "name" && objects.iter().any(|object| object[*key] != first[*key]);
        keys.extend(first.keys().filter(differs).cloned());
    }
    let text = |value: &serde_json::Value| match value {
        serde_json::Value::String(word) => word.clone(),
        other => other.to_string(),
    };
    let values = objects.iter().map(|object| keys.iter().map(|key| text(&object[key])).collect()).collect();
    (keys, values)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::points::point::{Each, Positions, Set};
    use engine_model::named::named;
    use figures::statistics::Distribution;
    use std::collections::BTreeMap;

    fn points(config: Config, cycles: f64, lut: u64) -> [Point; 2] {
        let search = Search {
            levels: config.levels,
            width: "full width".into(),
            positions: Positions { set: Set::Frozen, count: 1, sha256: String::new() },
            simulator: String::new(),
            cycles: Distribution::of([cycles]),
            passes: Distribution::of([1.0]),
            clocks_per_pass: 1,
            busy: 0.5,
            bubbles: BTreeMap::new(),
            cancelled_of_passes: 0.0,
            orders_of_passes: 0.0,
            each: Each { stones: vec![], candidates: vec![], cycles: vec![] },
        };
        let area = Area {
            synthesis: String::new(),
            lut,
            ff: 0,
            carry4: 0,
            lutram: 0,
            bram: 0.0,
            dsp: 0,
            path_ns: None,
        };
        [Figures::Search(search.into()), Figures::Area(area)].map(|figures| Point {
            config: config.clone(),
            tengen: String::new(),
            core_sha256: String::new(),
            figures,
        })
    }

    #[test]
    fn the_front_holds_what_nothing_beats_in_its_search() {
        let base = named("gomoku15").unwrap();
        let with =
            |name: &str, contexts, levels| Config { name: name.into(), contexts, levels, ..base.clone() };
        let all = [
            points(with("fast", 16, 4), 100.0, 50),
            points(with("small", 4, 4), 200.0, 20),
            points(with("beaten", 8, 4), 210.0, 30),
            points(with("same", 9, 4), 200.0, 20),
            points(with("shallow", 16, 2), 10.0, 10),
        ]
        .concat();
        let found = explored(&all, &|_| true);
        let front: Vec<&str> =
            found.iter().filter(|point| point.front).map(|point| point.config.name.as_str()).collect();
        // Fewer levels give other answers: they beat nobody but their like.
        assert_eq!(front, ["shallow", "fast", "small", "same"]);
        assert_eq!(differences(&found).0, ["contexts", "levels"]);
        // A parameter that configurations leave out.
        let without = Config { name: "without".into(), ahead: 0, ..base.clone() };
        let found_ahead =
            explored(&[points(base.clone(), 1.0, 2), points(without, 2.0, 1)].concat(), &|_| true);
        assert_eq!(
            differences(&found_ahead),
            (vec!["ahead".into()], vec![vec![base.ahead.to_string()], vec!["0".into()]])
        );
        // An earlier core's figures keep nobody off the front, and are not on it.
        let found = explored(&all, &|point| point.config.name != "small" && point.config.name != "same");
        let front: Vec<&str> =
            found.iter().filter(|point| point.front).map(|point| point.config.name.as_str()).collect();
        assert_eq!(front, ["shallow", "fast", "beaten"]);
    }
}
