// SPDX-License-Identifier: MIT OR Apache-2.0
//! The curves: which configurations each asks for, and which points belong to it.

use crate::measure::Row;
use crate::points::point::{Figures, Point, Set};
use crate::points::subject::{Subject, What, natural_set};
use engine_model::{Config, ConfigError};
use std::cmp::Reverse;

/// A curve: what it costs against what is changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Curve {
    /// Cycles against levels searched
    Levels,
    /// Cycles against nodes under search at each level
    Contexts,
    /// Cycles against the side of the board
    Board,
    /// Cycles of each position against its moves at the root
    Candidates,
    /// LUTs and registers against the side of the board (one run of Yosys each)
    Area,
}

impl Curve {
    /// All, in the order they are shown.
    pub const ALL: [Curve; 5] =
        [Curve::Levels, Curve::Contexts, Curve::Board, Curve::Candidates, Curve::Area];

    /// Its name: on the command line, of its section and of its picture.
    pub fn name(self) -> &'static str {
        match self {
            Curve::Levels => "levels",
            Curve::Contexts => "contexts",
            Curve::Board => "board",
            Curve::Candidates => "candidates",
            Curve::Area => "area",
        }
    }

    /// What is changed.
    pub fn axis(self) -> &'static str {
        match self {
            Curve::Levels => "levels searched",
            Curve::Contexts => "contexts a level",
            Curve::Board | Curve::Area => "columns and rows of the board",
            Curve::Candidates => "moves at the root",
        }
    }
}

/// Most levels searched full width: each costs five to ten times the one before.
const FULL_WIDTH_LEVELS: usize = 5;

/// What the curves are measured for.
#[derive(Clone, Debug)]
pub struct Bases {
    /// The configuration that is varied.
    pub main: Config,
    /// The one that searches more levels over a beam.
    pub deep: Option<Config>,
}

/// The values asked for.
#[derive(Clone, Debug)]
pub struct Values {
    /// Levels searched.
    pub levels: Vec<usize>,
    /// Contexts a level.
    pub contexts: Vec<usize>,
    /// Sides of boards.
    pub sizes: Vec<usize>,
}

/// A value that no configuration can have.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("--{option} {value}: {reason}")]
pub struct ValueError {
    option: &'static str,
    value: usize,
    reason: ConfigError,
}

/// Points of one kind, rising.
#[derive(Clone, Debug)]
pub struct Series<'a> {
    /// What they have in common.
    pub name: String,
    /// Value on the axis, and the point.
    pub points: Vec<(usize, &'a Point)>,
}

fn varied(base: &Config, what: &str, value: usize, set: impl Fn(&mut Config)) -> Config {
    let mut config = base.clone();
    set(&mut config);
    if config != *base {
        config.name = format!("{}-{what}{value}", base.name);
    }
    config
}

fn with_levels(base: &Config, levels: usize) -> Config {
    varied(base, "levels", levels, |config| config.levels = levels)
}

fn with_contexts(base: &Config, contexts: usize) -> Config {
    varied(base, "contexts", contexts, |config| config.contexts = contexts)
}

/// Square, and as many of its rows evaluated a clock as if all were, or else as before.
fn with_size(base: &Config, side: usize) -> Config {
    let whole = base.rows_per_clock == base.rows;
    varied(base, "board", side, |config| {
        (config.columns, config.rows) = (side, side);
        config.rows_per_clock = if whole { side } else { base.rows_per_clock.min(side) };
    })
}

impl Bases {
    /// Most levels that are searched.
    pub fn most_levels(&self) -> usize {
        let deep = self.deep.as_ref().map_or(0, |deep| deep.levels);
        deep.max(self.main.levels).max(FULL_WIDTH_LEVELS)
    }

    /// What a curve needs.
    pub fn subjects(&self, curve: Curve, values: &Values) -> Result<Vec<Subject>, ValueError> {
        let (main, set) = (&self.main, natural_set(&self.main));
        let search = |config: Config, levels, set| Subject { config, what: What::Search { levels, set } };
        let mut subjects = Vec::new();
        let mut add = |option, value, subject: Subject| {
            let checked = subject.config.check();
            checked.map_err(|reason| ValueError { option, value, reason })?;
            subjects.push(subject);
            Ok(())
        };
        match curve {
            Curve::Levels => {
                for &levels in &values.levels {
                    if levels <= main.levels {
                        add("levels", levels, search(main.clone(), levels, set))?;
                    } else if levels <= FULL_WIDTH_LEVELS {
                        add("levels", levels, search(with_levels(main, levels), levels, set))?;
                    }
                    let deep = self.deep.as_ref().filter(|deep| levels <= deep.levels);
                    if let Some(deep) = deep {
                        add("levels", levels, search(deep.clone(), levels, set))?;
                    }
                    let high = self.most_levels();
                    if !(1..=high).contains(&levels) {
                        let reason = ConfigError::Range { field: "levels", value: levels, low: 1, high };
                        return Err(ValueError { option: "levels", value: levels, reason });
                    }
                }
            }
            Curve::Contexts => {
                for &contexts in &values.contexts {
                    add("contexts", contexts, search(with_contexts(main, contexts), main.levels, set))?;
                }
            }
            Curve::Board => {
                for &side in &values.sizes {
                    add("sizes", side, search(with_size(main, side), main.levels, Set::SelfPlay))?;
                }
                if set == Set::Frozen {
                    add("sizes", main.columns, search(main.clone(), main.levels, set))?;
                }
            }
            Curve::Candidates => {
                for config in std::iter::once(main).chain(&self.deep) {
                    add("levels", config.levels, search(config.clone(), config.levels, set))?;
                }
            }
            Curve::Area => {
                for &side in &values.sizes {
                    add("sizes", side, Subject { config: with_size(main, side), what: What::Area })?;
                }
            }
        }
        Ok(subjects)
    }

    /// The points that belong to a curve.
    pub fn series<'a>(&self, curve: Curve, points: &'a [Point]) -> Vec<Series<'a>> {
        let mut all: Vec<Series> = Vec::new();
        for point in points {
            let Some((name, value)) = self.place(curve, point) else { continue };
            match all.iter_mut().find(|series| series.name == name) {
                Some(series) => series.points.push((value, point)),
                None => all.push(Series { name, points: vec![(value, point)] }),
            }
        }
        for series in &mut all {
            series.points.sort_by_key(|(value, _)| *value);
        }
        // The varied configuration's come first, longest first.
        let others = |name: &str| {
            let rest = name.strip_prefix(&self.main.name);
            !rest.is_some_and(|rest| rest.is_empty() || rest.starts_with([',', '@']))
        };
        all.sort_by_key(|series| (others(&series.name), Reverse(series.points.len())));
        all
    }

    /// Series and value of a point that belongs to the curve.
    fn place(&self, curve: Curve, point: &Point) -> Option<(String, usize)> {
        let (main, config) = (&self.main, &point.config);
        let search = match (&point.figures, curve) {
            (Figures::Area(_), Curve::Area) => {
                let fits = *config == with_size(main, config.columns);
                return fits.then(|| (main.name.clone(), config.columns));
            }
            (Figures::Search(search), _) => search,
            _ => return None,
        };
        let natural = search.positions.set == natural_set(&self.main);
        let full = search.levels == main.levels;
        let of = |base: &Config| {
            let width = Row { config: base.clone(), levels: base.levels }.width();
            format!("{}, {width}", base.name)
        };
        match curve {
            Curve::Levels if natural => {
                let deeper = *config == with_levels(main, config.levels) && search.levels == config.levels;
                if *config == *main || deeper {
                    return Some((of(main), search.levels));
                }
                let deep = self.deep.as_ref().filter(|deep| *deep == config)?;
                Some((of(deep), search.levels))
            }
            Curve::Contexts if natural && full => {
                let fits = *config == with_contexts(main, config.contexts);
                fits.then(|| (of(main), config.contexts))
            }
            Curve::Board if full && *config == with_size(main, config.columns) => {
                let positions = search.positions.set.name();
                Some((format!("{}, {positions} positions", main.name), config.columns))
            }
            Curve::Candidates if natural && search.levels == config.levels => {
                let fits = config == main || self.deep.as_ref() == Some(config);
                fits.then(|| (format!("{}@{}", config.name, search.levels), search.levels))
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    use engine_model::named::named;

    fn bases() -> Bases {
        Bases { main: named("gomoku15").unwrap(), deep: Some(named("gomoku15-deep").unwrap()) }
    }

    fn labels(curve: Curve) -> Vec<String> {
        let values = Values { levels: (2..=8).collect(), contexts: vec![1, 16], sizes: vec![9, 15] };
        bases().subjects(curve, &values).unwrap().iter().map(Subject::label).collect()
    }

    #[test]
    fn a_core_is_built_only_where_no_limit_at_run_time_will_do() {
        let levels = labels(Curve::Levels);
        assert_eq!(levels[..2], ["gomoku15@2", "gomoku15-deep@2"]);
        assert_eq!(
            levels[6..],
            [
                "gomoku15-levels5@5",
                "gomoku15-deep@5",
                "gomoku15-deep@6",
                "gomoku15-deep@7",
                "gomoku15-deep@8"
            ]
        );
        assert_eq!(labels(Curve::Contexts), ["gomoku15-contexts1@4", "gomoku15@4"]);
        assert_eq!(labels(Curve::Board), ["gomoku15-board9@4", "gomoku15@4", "gomoku15@4"]);
        assert_eq!(labels(Curve::Area), ["gomoku15-board9, area", "gomoku15, area"]);
    }

    #[test]
    fn impossible_values_are_refused() {
        for (curve, values, part) in [
            (Curve::Levels, [9, 4, 9], "--levels 9: levels = 9: must be 1 to 8"),
            (Curve::Contexts, [2, 65, 9], "--contexts 65: contexts = 65: must be 1 to 64"),
            (Curve::Area, [2, 4, 3], "--sizes 3: in_a_row = 5"),
        ] {
            let [levels, contexts, size] = values;
            let values = Values { levels: vec![levels], contexts: vec![contexts], sizes: vec![size] };
            let message = bases().subjects(curve, &values).unwrap_err().to_string();
            assert!(message.starts_with(part), "{message}");
        }
    }
}
