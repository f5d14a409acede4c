// SPDX-License-Identifier: MIT OR Apache-2.0
//! `tengen curves`: what a search costs against what is changed.

use crate::configs::{MAIN, load};
use crate::found::Found;
use crate::points::{fresh, measure_all, missing, prepare, report_fault};
use crate::shipped::MIDGAME;
use crate::written;
use anyhow::{Context, bail};
use engine_model::Config;
use lab::curves::plan::{Bases, Curve, Values};
use lab::curves::{html, page, plots, tables};
use lab::points::measure::Library;
use lab::points::point::{Figures, Point};
use lab::points::positions::COUNT;
use lab::points::results::{RESULTS, Results};
use lab::points::subject::Subject;
use serde_json::{Value, json};
use std::io::Write;
use std::path::{Path, PathBuf};

/// The configuration that searches more levels, beside the main one.
const DEEP: &str = "gomoku15-deep";
const LEVELS: std::ops::RangeInclusive<usize> = 2..=8;
const CONTEXTS: [usize; 6] = [1, 2, 4, 8, 16, 32];
const SIZES: [usize; 7] = [7, 9, 11, 13, 15, 17, 19];

/// Arguments of `curves`.
#[derive(clap::Args)]
pub struct Arguments {
    /// Configuration that is varied: a name (see `tengen configs`) or a .toml file
    #[arg(long, value_name = "NAME|FILE", default_value = MAIN)]
    config: String,
    /// Configuration for more levels over a beam; else, for gomoku15, gomoku15-deep
    #[arg(long, value_name = "NAME|FILE")]
    deep: Option<String>,
    /// Curves to measure; else all but area
    #[arg(long, value_name = "CURVE", num_args = 1..)]
    only: Vec<Curve>,
    /// Levels searched; else 2 to 8, as far as the configurations go
    #[arg(long, value_name = "N", num_args = 1..)]
    levels: Vec<usize>,
    /// Contexts a level; else 1 2 4 8 16 32
    #[arg(long, value_name = "N", num_args = 1..)]
    contexts: Vec<usize>,
    /// Columns and rows of boards; else 7 9 11 13 15 17 19
    #[arg(long, value_name = "N", num_args = 1..)]
    sizes: Vec<usize>,
    /// Measure only the first N positions
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    limit: Option<u32>,
    /// Write the curves as a page of its own, too
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Folder of the results file and the pictures; the page is beside it, DIR.md
    #[arg(long, value_name = "DIR", default_value = "docs/curves")]
    out: PathBuf,
    /// Yosys to synthesise with
    #[arg(long, value_name = "PATH")]
    yosys: Option<String>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> anyhow::Result<Found> {
    let bases = bases(arguments)?;
    let subjects = subjects(arguments, &bases)?;
    let file = arguments.out.join(RESULTS);
    let results = Results::read(&file)?;
    let limit = arguments.limit.map_or(COUNT, |limit| limit as usize);
    let library = Library::new(MIDGAME, limit);
    let missing = missing(&subjects, &library, &results)?;
    prepare(&missing)?;
    let page_file = page_file(&arguments.out);
    let old = old_page(&page_file)?;
    let images =
        arguments.out.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let mut run = Run { bases, results };
    let sections = |run: &Run| page::sections(&run.bases, run.results.points(), &run.fresh(), &images);
    // What cannot be drawn in the end is not measured in the beginning.
    page::updated(old.as_deref(), &sections(&run)).with_context(|| page_file.display().to_string())?;
    std::fs::create_dir_all(&arguments.out)
        .with_context(|| format!("cannot make the folder {}", arguments.out.display()))?;
    if run.results.foreign > 0 {
        say!("{}: {} lines of another version are left out", file.display(), run.results.foreign);
    }
    if let Err(fault) = measure_all(&missing, &library, &mut run.results, arguments.yosys.as_deref())? {
        return report_fault(&arguments.config, &fault, arguments.json);
    }
    for curve in Curve::ALL {
        let series = run.bases.series(curve, run.results.points());
        if !series.is_empty() {
            let picture = arguments.out.join(format!("{}.svg", curve.name()));
            std::fs::write(&picture, plots::picture(curve, &series))
                .with_context(|| format!("cannot write {}", picture.display()))?;
        }
    }
    if let Some(file) = &arguments.html {
        let command = format!("./tengen curves --config {}", arguments.config);
        let page = html::page(&run.bases, run.results.points(), &run.fresh(), &written::origin(&command));
        written::file(file, page)?;
    }
    let page = page::updated(old.as_deref(), &sections(&run))?;
    std::fs::write(&page_file, page).with_context(|| format!("cannot write {}", page_file.display()))?;
    let mut out = std::io::stdout().lock();
    if arguments.json {
        let kept = subjects.len() - missing.len();
        writeln!(out, "{}", object(arguments, &run, &page_file, missing.len(), kept))?;
    } else {
        write!(out, "{}", text(&run))?;
        writeln!(
            out,
            "\n{} measured, {} kept; {}",
            missing.len(),
            subjects.len() - missing.len(),
            page_file.display()
        )?;
    }
    Ok(Found::Nothing)
}

fn bases(arguments: &Arguments) -> anyhow::Result<Bases> {
    let deep = match &arguments.deep {
        Some(name) => Some(name.as_str()),
        None => (arguments.config == MAIN).then_some(DEEP),
    };
    let bases = Bases { main: load(&arguments.config)?, deep: deep.map(load).transpose()? };
    if let Some(deep) = &bases.deep {
        let game = |config: &Config| (config.columns, config.rows, config.in_a_row);
        if game(deep) != game(&bases.main) {
            bail!("--deep {}: plays another game than {}", deep.name, bases.main.name);
        }
        if deep.name == bases.main.name {
            bail!("--deep {}: has the name of the configuration that is varied: give it another", deep.name);
        }
    }
    Ok(bases)
}

/// What is asked for, each once.
fn subjects(arguments: &Arguments, bases: &Bases) -> anyhow::Result<Vec<Subject>> {
    let or = |asked: &[usize], usual: Vec<usize>| if asked.is_empty() { usual } else { asked.to_vec() };
    let most = bases.most_levels();
    let values = Values {
        levels: or(&arguments.levels, LEVELS.filter(|levels| *levels <= most).collect()),
        contexts: or(&arguments.contexts, CONTEXTS.into()),
        sizes: or(&arguments.sizes, SIZES.into()),
    };
    let mut curves = arguments.only.clone();
    if curves.is_empty() {
        curves.extend(Curve::ALL.into_iter().filter(|curve| *curve != Curve::Area));
    }
    let mut subjects: Vec<Subject> = Vec::new();
    for curve in curves {
        for subject in bases.subjects(curve, &values)? {
            if !subjects.contains(&subject) {
                subjects.push(subject);
            }
        }
    }
    Ok(subjects)
}

/// The curves and their points.
struct Run {
    bases: Bases,
    results: Results,
}

impl Run {
    fn fresh(&self) -> impl Fn(&Point) -> bool + use<> {
        fresh(self.results.points())
    }
}

fn page_file(out: &Path) -> PathBuf {
    let mut name = out.as_os_str().to_os_string();
    name.push(".md");
    PathBuf::from(name)
}

fn old_page(file: &Path) -> anyhow::Result<Option<String>> {
    match crate::reading::text(file) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error).with_context(|| format!("cannot read {}", file.display())),
    }
}

fn text(run: &Run) -> String {
    let points = run.results.points();
    let fresh = run.fresh();
    let mut text = String::new();
    for curve in Curve::ALL {
        let series = run.bases.series(curve, points);
        if !series.is_empty() {
            text.push_str(&tables::table(curve, &series, &fresh).text());
            if let Some(marks) = tables::marks(curve, &series, &fresh) {
                text.push_str(&format!("  {marks}\n"));
            }
        }
    }
    for (name, power) in page::exponents(&run.bases, points) {
        text.push_str(&format!("  {name}: cycles grow with the moves at the root to the power {power:.2}\n"));
    }
    let limits = tables::limits(&run.bases, points, &fresh);
    if !limits.rows.is_empty() {
        text.push_str(&limits.text());
    }
    text
}

fn object(arguments: &Arguments, run: &Run, page: &Path, measured: usize, kept: usize) -> Value {
    let points = run.results.points();
    let fresh = run.fresh();
    let point = |value: usize, point: &Point| {
        let mut object = match &point.figures {
            Figures::Search(search) => json!({
                "levels": search.levels, "cycles": search.cycles, "passes": search.passes, "busy": search.busy,
                "bubbles": search.bubbles, "cancelled_of_passes": search.cancelled_of_passes,
                "orders_of_passes": search.orders_of_passes, "positions": search.positions,
            }),
            Figures::Area(area) => json!(area),
        };
        object["value"] = json!(value);
        object["config"] = json!(point.config.name);
        object["current"] = json!(fresh(point));
        object
    };
    let curves = Curve::ALL.map(|curve| {
        let series = run.bases.series(curve, points);
        let series = series.iter().map(|series| {
            let points: Vec<Value> = series.points.iter().map(|(value, of)| point(*value, of)).collect();
            json!({ "series": series.name, "points": points })
        });
        json!({ "curve": curve.name(), "axis": curve.axis(), "series": series.collect::<Vec<_>>() })
    });
    json!({
        "config": run.bases.main.name,
        "results": arguments.out.join(RESULTS),
        "page": page,
        "measured": measured,
        "kept": kept,
        "curves": curves,
        "mismatches": 0,
    })
}
