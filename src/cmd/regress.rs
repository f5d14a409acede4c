// SPDX-License-Identifier: MIT OR Apache-2.0
//! `tengen regress`: a plan of runs in lockstep and of packages before others' tools, and its report.

use crate::configs::load;
use crate::found::{self, Found};
use crate::progress::Progress;
use crate::{reading, slurm};
use anyhow::{Context, bail};
use lab::regress::{Job, Outcome, Plan, report};
use serde_json::json;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Arguments of `regress`.
#[derive(clap::Args)]
#[command(
    after_help = "A plan is TOML: title, about, moves, seeds, back_pressure, then a [[run]] for each configuration, with config (a name or \
    a file, seen from the plan), and as it likes name, change = { contexts = 1 }, moves, seeds, back_pressure, untraced, face. \
    [[bench]] runs the test bench of a configuration's package in Verilator and Icarus Verilog, with faces, tools and icarus_clocks; \
    [[random]] lints configurations, side, seed at random and plays a sample of sample_cells and sample_levels at most. \
    plans/ has one of each. What has run stays in --out and is run again only when job, core or simulator have changed."
)]
pub struct Arguments {
    /// The plan
    #[arg(value_name = "PLAN.toml")]
    plan: PathBuf,
    /// Folder of the outcomes, one file a job
    #[arg(long, value_name = "DIR", default_value = "target/regress")]
    out: PathBuf,
    /// Run nothing: print a command for each job, one a line, for any job scheduler
    #[arg(long, conflicts_with_all = ["job", "report"])]
    list: bool,
    /// Run only the job of this name
    #[arg(long, value_name = "NAME")]
    job: Option<String>,
    /// Run nothing: report what other runs have left in --out
    #[arg(long, conflicts_with_all = ["job", "list"])]
    merge: bool,
    /// Run nothing: write an array job for Slurm into --out, a task a job, with a task that merges after it; `sh OUT/submit`
    /// submits both
    #[arg(long, conflicts_with_all = ["job", "list", "merge"])]
    slurm: bool,
    /// Jobs at the same time; else as many as there are cores
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Write the report to this file as well
    #[arg(long, value_name = "FILE.md")]
    report: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> anyhow::Result<Found> {
    let shown = arguments.plan.display().to_string();
    let text = reading::named(&arguments.plan, "")?;
    let plan = Plan::parse(&text).with_context(|| shown.clone())?;
    // A file is meant as the plan sees it.
    let beside = arguments.plan.parent().unwrap_or(Path::new(""));
    let config = |name: &str| {
        let file = beside.join(name).display().to_string();
        load(if name.ends_with(".toml") { &file } else { name }).map_err(|error| found::message(&error))
    };
    let mut jobs = plan.jobs(config).with_context(|| shown.clone())?;
    let mut out = std::io::stdout().lock();
    if arguments.list {
        for job in &jobs {
            let folder = arguments.out.display().to_string();
            let name = job.name();
            let words = ["tengen", "regress", &shown, "--out", &folder, "--job", &name];
            writeln!(out, "{}", shlex::try_join(words).context("a path holds a zero byte")?)?;
        }
        return Ok(Found::Nothing);
    }
    if arguments.slurm {
        let folder = slurm_scripts(arguments, &jobs)?;
        writeln!(out, "{} tasks: {}", jobs.len(), slurm::submission(&folder)?)?;
        return Ok(Found::Nothing);
    }
    if let Some(name) = &arguments.job {
        let names: Vec<String> = jobs.iter().map(Job::name).collect();
        jobs.retain(|job| job.name() == *name);
        if jobs.is_empty() {
            bail!("{shown} has no job {name:?}: it has {}", names.join(", "));
        }
    }
    std::fs::create_dir_all(&arguments.out)
        .with_context(|| format!("cannot make the folder {}", arguments.out.display()))?;
    let mut missing = Vec::new();
    for job in &jobs {
        let outcome = kept(&arguments.out, job)?;
        if outcome.is_none_or(|outcome| !arguments.merge && job.again(&outcome)) {
            missing.push(job);
        }
    }
    if arguments.merge && !missing.is_empty() {
        let names: Vec<String> = missing.iter().map(|job| job.name()).collect();
        bail!("{}: these have not run on today's core: {}", arguments.out.display(), names.join(", "));
    }
    run_all(arguments, &missing)?;
    let mut outcomes = Vec::new();
    for job in &jobs {
        let outcome = kept(&arguments.out, job)?;
        outcomes.push(outcome.with_context(|| format!("{}: its outcome has gone", job.name()))?);
    }
    let page =
        report::page(&plan, &outcomes, &format!("`tengen regress {name}`", name = named(&arguments.plan)));
    if let Some(file) = &arguments.report {
        std::fs::write(file, &page).with_context(|| format!("cannot write {}", file.display()))?;
    }
    let mismatches = report::mismatches(&outcomes);
    if arguments.json {
        let ran = missing.len();
        let total = |of: fn(&Outcome) -> u64| outcomes.iter().map(of).sum::<u64>();
        let object = json!({
            "plan": shown, "jobs": outcomes, "ran": ran, "kept": jobs.len() - ran, "mismatches": mismatches,
            "moves": total(|outcome| outcome.moves), "nodes": total(|outcome| outcome.nodes),
            "returns": total(|outcome| outcome.returns),
        });
        writeln!(out, "{object}")?;
    } else {
        write!(out, "{page}")?;
    }
    Ok(if mismatches > 0 { Found::Fault } else { Found::Nothing })
}

/// The plan as a report names it: the same wherever it is called from.
fn named(plan: &Path) -> String {
    plan.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// Writes the scripts of an array job; returns the folder they are in.
fn slurm_scripts(arguments: &Arguments, jobs: &[Job]) -> anyhow::Result<PathBuf> {
    let folder = slurm::folder(&arguments.out)?;
    let plan = slurm::absolute(&arguments.plan)?;
    let words = ["regress".into(), plan, "--out".into(), folder.display().to_string()];
    let tasks = jobs.iter().map(|job| [&words[..], &["--job".into(), job.name()]].concat());
    let mut merge = [&words[..], &["--merge".into()]].concat();
    if let Some(report) = &arguments.report {
        merge.extend(["--report".into(), slurm::absolute(report)?]);
    }
    slurm::write(&folder, "regress", &tasks.collect::<Vec<_>>(), &merge)?;
    Ok(folder)
}

fn file_of(folder: &Path, job: &Job) -> PathBuf {
    folder.join(format!("{}.json", job.name()))
}

/// The outcome of a job as it is now, if there is one.
fn kept(folder: &Path, job: &Job) -> anyhow::Result<Option<Outcome>> {
    let Ok(text) = std::fs::read_to_string(file_of(folder, job)) else { return Ok(None) };
    let outcome: Option<Outcome> = serde_json::from_str(&text).ok();
    let identity = job.identity()?;
    Ok(outcome.filter(|outcome| outcome.identity == identity))
}

/// Runs jobs, some at the same time, the longest first; their outcomes are in the folder then.
fn run_all(arguments: &Arguments, missing: &[&Job]) -> anyhow::Result<()> {
    if missing.is_empty() {
        return Ok(());
    }
    let wanted: Vec<_> = missing.iter().filter_map(|job| job.wanted()).collect();
    if !wanted.is_empty() {
        cosim::models::load(&wanted)?;
    }
    let mut order: Vec<&Job> = missing.to_vec();
    order.sort_by_key(|job| std::cmp::Reverse(job.cost()));
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let threads = arguments.threads.map_or(cores, usize::from).min(order.len());
    let (next, failed) = (AtomicUsize::new(0), Mutex::new(None));
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some(job) = order.get(next.fetch_add(1, Ordering::Relaxed)) {
                    if let Err(error) = run_one(&arguments.out, job) {
                        // No further job is begun.
                        next.store(order.len(), Ordering::Relaxed);
                        failed.lock().expect("no thread panics with it").get_or_insert(error);
                    }
                }
            });
        }
    });
    failed.into_inner().expect("all threads have ended").map_or(Ok(()), Err)
}

fn run_one(folder: &Path, job: &Job) -> anyhow::Result<()> {
    let bar = Progress::counted(job.steps(), "steps");
    bar.say(job.name());
    let outcome = job.run(&mut |moves| bar.set(moves))?;
    drop(bar);
    // Whole or not at all: another program may read it, and this one may be killed.
    let file = file_of(folder, job);
    let part = file.with_extension(format!("{}.part", std::process::id()));
    std::fs::write(&part, serde_json::to_string(&outcome)?)
        .and_then(|()| std::fs::rename(&part, &file))
        .with_context(|| format!("cannot write {}", file.display()))
}
