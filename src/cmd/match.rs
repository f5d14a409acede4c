// SPDX-License-Identifier: MIT OR Apache-2.0
//! `tengen match`: a series of games between two engines.

use crate::board_line::EngineArguments;
use crate::configs::load;
use crate::found::Found;
use crate::progress::Progress;
use crate::reading;
use crate::sides::{Backend, Context, Side};
use crate::slurm::{self, Parts};
use crate::written;
use anyhow::{Context as _, bail};
use arena::openings::parse_openings;
use arena::series::{
    Contestant, End, GAMES_PER_OPENING, Identity, Record, Series, Shard, Task, collect, tasks,
};
use arena::sprt::{Sprt, Verdict};
use arena::statistics::Score;
use arena::summary::{Summary, summarise};
use arena::{psq, sgf};
use engine_model::position::Tables;
use engine_model::{Config, Geometry};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;
use tournament::page::Page;
use tournament::report::{forfeit, object, table};

/// Games between two looks at a test.
const SPRT_BATCH: usize = 8 * GAMES_PER_OPENING;

/// Arguments of `match`.
#[derive(clap::Args)]
#[command(
    after_help = "A and B each have one of three forms. [ENGINE:]CONFIG[@LEVELS], for example gomoku15, rtl:gomoku15 or fast:my.toml@2: ENGINE is model (the default), \
    fast (software that plays the model's moves in a fraction of the model's time), rtl, greedy, five-tuple, line-shape or pvs; CONFIG is a name (see `tengen configs`) \
    or a .toml file. board:PORT, for example board:/dev/ttyUSB0: a board. brain:PROGRAM ARGUMENTS: a program that speaks the Gomocup protocol."
)]
pub struct Arguments {
    /// First side; score and Elo are from its point of view
    #[arg(required_unless_present = "merge")]
    a: Option<String>,
    /// Second side
    #[arg(required_unless_present = "merge")]
    b: Option<String>,
    /// Openings, one per line: `dx,dy, dx,dy, ...` from the centre, or `x,y x,y ...`; each is played from both sides
    #[arg(long, value_name = "FILE", required_unless_present = "merge")]
    openings: Option<PathBuf>,
    /// Number of games, two per opening, beginning with the first opening; without it, two for each opening in the file
    #[arg(long, value_name = "N")]
    games: Option<usize>,
    /// Play only part I of N parts; --merge evaluates the records of all parts together
    #[arg(long, value_name = "I/N")]
    shard: Option<Shard>,
    /// Games played at the same time; the results do not depend on it
    #[arg(long, value_name = "T", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,
    /// Call a game a draw at this many moves, the opening included; without it a game ends on the board
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    max_moves: Option<u16>,
    #[command(flatten)]
    parts: Parts,
    /// Append each game to this file, one JSON object per line; games already in it are not played again
    #[arg(long, value_name = "FILE.jsonl")]
    records: Option<PathBuf>,
    /// Play nothing: evaluate the games of these record files together
    #[arg(
        long,
        value_name = "FILE",
        num_args = 1..,
        conflicts_with_all = ["a", "b", "openings", "games", "shard", "threads", "max_moves", "records", "slurm"]
    )]
    merge: Vec<PathBuf>,
    /// If both sides are boards or programs (board:, brain:), which name no configuration: play on the columns, rows and number in a row of this one
    #[arg(long, value_name = "NAME|FILE")]
    config: Option<String>,
    /// Time for a move of a program (brain:), in milliseconds
    #[arg(long, value_name = "MS", default_value_t = 1000)]
    turn: u64,
    #[command(flatten)]
    engines: EngineArguments,
    /// End the match when its result is clear: sequential probability ratio test that A is stronger by ELO1 rather than by ELO0
    #[arg(
        long,
        value_name = "ELO0,ELO1[,ALPHA,BETA]",
        value_parser = Sprt::parse,
        allow_hyphen_values = true,
        conflicts_with = "shard"
    )]
    sprt: Option<Sprt>,
    /// Write the games as an SGF collection
    #[arg(long, value_name = "FILE.sgf")]
    sgf: Option<PathBuf>,
    /// Write each game into this folder as a file in the Piskvork manager's format, GAME.psq
    #[arg(long, value_name = "FOLDER")]
    psq: Option<PathBuf>,
    /// Write the report as a page with plots
    #[arg(long, value_name = "FILE.html")]
    html: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// What could not be written after a long match is said before it.
fn check_outputs(arguments: &Arguments) -> anyhow::Result<()> {
    let games = arguments.sgf.is_some() || arguments.psq.is_some();
    if games && arguments.a.is_none() && arguments.config.is_none() {
        bail!("--sgf or --psq with --merge: name the board with --config");
    }
    if let Some(folder) = &arguments.psq {
        std::fs::create_dir_all(folder).with_context(|| format!("cannot write into {}", folder.display()))?;
    }
    let html = arguments.html.as_ref();
    for path in arguments.sgf.iter().chain(html) {
        OpenOptions::new()
            .create(true)
            .append(true)
            .open(path)
            .with_context(|| format!("cannot write {}", path.display()))?;
    }
    Ok(())
}

/// The game that was played, where it can be told.
fn played(arguments: &Arguments) -> anyhow::Result<Option<Config>> {
    Ok(match (&arguments.a, &arguments.b, &arguments.config) {
        (Some(a), Some(b), _) => Some(Side::pair(a, b, &context(arguments))?.0.search.config),
        (.., Some(name)) => Some(load(name)?),
        _ => None,
    })
}

/// The board of the match's games.
fn geometry(arguments: &Arguments) -> anyhow::Result<Geometry> {
    let config = played(arguments)?.context("--sgf or --psq with --merge: name the board with --config")?;
    Ok(config.geometry())
}

/// The report as a page.
fn write_page(
    path: &Path,
    arguments: &Arguments,
    identity: &Identity,
    summary: &Summary,
    (records, faults): (&Records, &[String]),
) -> anyhow::Result<()> {
    let command = slurm::own_arguments(&[]);
    let command = shlex::try_join(command.iter().map(String::as_str)).context("a zero byte")?;
    let page = Page {
        identity,
        summary,
        faults,
        sprt: arguments.sprt,
        records: records.values().collect(),
        board: played(arguments)?.map(|config| (config.geometry(), config.in_a_row)),
        origin: &written::origin(&format!("./tengen {command}")),
    };
    written::file(path, page.html())
}

/// The games for other programs: all in one file, or a file each.
fn write_games(arguments: &Arguments, records: &Records) -> anyhow::Result<()> {
    if let Some(path) = &arguments.sgf {
        let geometry = geometry(arguments)?;
        let games = records.values().map(|record| sgf::game(record, &geometry));
        let text: String = games.collect::<Result<_, _>>()?;
        written::file(path, text)?;
    }
    if let Some(folder) = &arguments.psq {
        let geometry = geometry(arguments)?;
        for record in records.values() {
            let path = folder.join(format!("{:04}.psq", record.game));
            std::fs::write(&path, psq::game(record, &geometry)?)
                .with_context(|| format!("cannot write {}", path.display()))?;
        }
    }
    Ok(())
}

/// What the sides' names do not say.
fn context(arguments: &Arguments) -> Context<'_> {
    Context {
        config: arguments.config.as_deref(),
        turn: Duration::from_millis(arguments.turn),
        pvs: &arguments.engines.pvs,
    }
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> anyhow::Result<Found> {
    if let Some((folder, shards)) = arguments.parts.asked() {
        return give_away(arguments, folder, shards);
    }
    check_outputs(arguments)?;
    let (identity, records) = match (&arguments.a, &arguments.b, &arguments.openings) {
        (Some(a), Some(b), Some(openings)) => play(arguments, a, b, openings)?,
        _ => merged(&arguments.merge)?,
    };
    let summary = summarise(records.values());
    let faults: Vec<String> =
        records.values().filter(|record| record.end == End::Forfeit).map(forfeit).collect();
    let mut out = std::io::stdout().lock();
    if arguments.json {
        writeln!(out, "{}", object(&identity, &summary, &faults, arguments.sprt))?;
    } else {
        write!(out, "{}", table(&identity, &summary, &faults, arguments.sprt))?;
    }
    drop(out);
    write_games(arguments, &records)?;
    if let Some(path) = &arguments.html {
        write_page(path, arguments, &identity, &summary, (&records, &faults))?;
    }
    Ok(if faults.is_empty() { Found::Nothing } else { Found::Fault })
}

/// Writes an array job whose tasks are shards; who merges also writes what was asked for.
fn give_away(arguments: &Arguments, folder: &Path, shards: u32) -> anyhow::Result<Found> {
    if arguments.sprt.is_some() || arguments.records.is_some() || arguments.shard.is_some() {
        bail!(
            "--slurm: its tasks are shards with records of their own: leave out --shard, --records and --sprt"
        );
    }
    let folder = slurm::folder(folder)?;
    let outputs = [("--html", true), ("--sgf", true), ("--psq", true), ("--json", false)];
    let own = slurm::own_arguments(&[&outputs[..], &[("--slurm", true), ("--shards", true)]].concat());
    let records = |index: u32| folder.join(format!("shard-{index}-of-{shards}.jsonl")).display().to_string();
    let tasks: Vec<Vec<String>> = (1..=shards)
        .map(|index| {
            let shard = ["--shard".into(), format!("{index}/{shards}"), "--records".into(), records(index)];
            [&own[..], &shard].concat()
        })
        .collect();
    let mut merge = vec!["match".to_string(), "--merge".into()];
    merge.extend((1..=shards).map(records));
    if arguments.sgf.is_some() || arguments.psq.is_some() {
        let game = Side::pair(
            arguments.a.as_deref().unwrap_or_default(),
            arguments.b.as_deref().unwrap_or_default(),
            &context(arguments),
        )?;
        merge.extend(["--config".into(), game.0.search.source]);
    }
    for (option, path) in [("--html", &arguments.html), ("--sgf", &arguments.sgf), ("--psq", &arguments.psq)]
    {
        merge.extend(path.iter().flat_map(|path| [option.to_string(), path.display().to_string()]));
    }
    if arguments.json {
        merge.push("--json".into());
    }
    slurm::write(&folder, "match", &tasks, &merge)?;
    writeln!(std::io::stdout(), "{shards} tasks: {}", slurm::submission(&folder)?)?;
    Ok(Found::Nothing)
}

type Records = BTreeMap<usize, Record>;

fn play(arguments: &Arguments, a: &str, b: &str, openings: &Path) -> anyhow::Result<(Identity, Records)> {
    let bar = Progress::of("getting both sides ready");
    let (a, b) = Side::pair(a, b, &context(arguments))?;
    Side::prepare(&[&a, &b])?;
    drop(bar);
    let boards = [&a, &b].into_iter().filter(|side| matches!(side.backend, Backend::Board(_))).count();
    if boards > 0 && arguments.threads > 1 {
        bail!("--threads {}: a board plays one game at a time", arguments.threads);
    }
    let board =
        |side: &Side| (side.search.config.columns, side.search.config.rows, side.search.config.in_a_row);
    if board(&a) != board(&b) {
        let text = |side: &Side| {
            let (columns, rows, in_a_row) = board(side);
            format!("{} plays {in_a_row} in a row on {columns} x {rows}", side.label())
        };
        bail!("{}, {}: both sides must play the same game", text(&a), text(&b));
    }
    let tables = Tables::new(&a.search.config);
    let text = reading::named(openings, "openings")?;
    let list = parse_openings(&text, &tables).with_context(|| format!("openings {}", openings.display()))?;
    let most = GAMES_PER_OPENING * list.len();
    let games = arguments.games.unwrap_or(most);
    if games == 0 || games > most || !games.is_multiple_of(GAMES_PER_OPENING) {
        bail!(
            "--games {games}: must be even and 2 to {most}, two for each of the {} openings of {}",
            list.len(),
            openings.display()
        );
    }
    let max_moves = arguments.max_moves.map(usize::from);
    let identity = identify(&a, &b, max_moves);
    let (make_a, make_b) = (|| a.engine(&arguments.engines), || b.engine(&arguments.engines));
    let series = Series {
        identity: identity.clone(),
        tables,
        openings: &list,
        a: Contestant { make: &make_a, levels: a.search.levels },
        b: Contestant { make: &make_b, levels: b.search.levels },
        max_moves,
    };

    let wanted = tasks(games, arguments.shard);
    let mut records = Records::new();
    let mut file = None;
    if let Some(path) = &arguments.records {
        if path.exists() {
            let old = collect(read_records(path)?).with_context(|| path.display().to_string())?;
            for record in old.values() {
                series.check(record).with_context(|| path.display().to_string())?;
            }
            records = old;
        }
        records.retain(|game, _| wanted.iter().any(|task| task.game == *game));
        file = Some(append_to(path)?);
    }
    let bar = Progress::counted(wanted.len() as u64, "games").begin_at(records.len() as u64);
    let mut score = Score::default();
    // A test is looked at after batches of the series' games in their order: where it ends depends neither on threads nor on
    // what an earlier run has left.
    let batch = if arguments.sprt.is_some() { SPRT_BATCH } else { wanted.len().max(1) };
    for tasks in wanted.chunks(batch) {
        let open: Vec<Task> =
            tasks.iter().copied().filter(|task| !records.contains_key(&task.game)).collect();
        series.run::<anyhow::Error>(&open, arguments.threads.into(), &mut |record| {
            if let Some(file) = &mut file {
                let line = serde_json::to_string(&record)? + "\n";
                file.write_all(line.as_bytes()).context("cannot write the records")?;
            }
            score.add(arena::summary::score_of(&record));
            bar.say(format!("+{} ={} -{}", score.wins, score.draws, score.losses));
            records.insert(record.game, record);
            bar.set(records.len() as u64);
            Ok(())
        })?;
        let last = tasks.last().map_or(0, |task| task.game);
        if arguments.sprt.is_some_and(|test| decided(test, records.range(..=last).map(|(_, record)| record)))
        {
            break;
        }
    }
    drop(bar);
    Ok((identity, records))
}

/// Whether a test has ended.
fn decided<'a>(test: Sprt, records: impl Iterator<Item = &'a Record>) -> bool {
    test.verdict(&summarise(records).openings) != Verdict::Open
}

/// What determines a game but its number and opening.
fn identify(a: &Side, b: &Side, max_moves: Option<usize>) -> Identity {
    let text = format!("{}\n{}\n{max_moves:?}", a.identity(), b.identity());
    let fingerprint = Sha256::digest(text.as_bytes()).iter().take(8).map(|b| format!("{b:02x}")).collect();
    Identity { a: a.label(), b: b.label(), fingerprint }
}

fn merged(files: &[PathBuf]) -> anyhow::Result<(Identity, Records)> {
    let mut all = Vec::new();
    for path in files {
        all.extend(read_records(path)?);
    }
    let records = collect(all).context("the files do not belong together")?;
    let Some(first) = records.values().next() else { bail!("there is no game in the files") };
    Ok((Identity::of(first), records))
}

/// The records of a file, a line each. What an interrupted run leaves of a last line does not count.
fn read_records(path: &Path) -> anyhow::Result<Vec<Record>> {
    whole_lines(path)?
        .0
        .lines()
        .enumerate()
        .map(|(index, line)| {
            serde_json::from_str(line).with_context(|| {
                format!("{}: line {} is not the record of a game", path.display(), index + 1)
            })
        })
        .collect()
}

/// The lines of a records file as text, each with its end, and whether the file holds just that.
fn whole_lines(path: &Path) -> anyhow::Result<(String, bool)> {
    let bytes = std::fs::read(path).with_context(|| format!("cannot read records {}", path.display()))?;
    // A character that is cut too is no reason to take the file for one of another charset.
    let characters = match std::str::from_utf8(&bytes) {
        Err(error) if error.error_len().is_none() => &bytes[..error.valid_up_to()],
        _ => &bytes[..],
    };
    let text = arena::text::decode(characters).with_context(|| path.display().to_string())?;
    let end = text.rfind('\n').map_or(0, |end| end + 1);
    let is_cut = serde_json::from_str::<serde_json::Value>(&text[end..]).is_err_and(|error| error.is_eof());
    let mut whole = if is_cut { text[..end].to_string() } else { text };
    if !whole.is_empty() && !whole.ends_with('\n') {
        whole.push('\n');
    }
    let is_all = bytes == whole.as_bytes();
    Ok((whole, is_all))
}

/// The records file, opened behind its last complete line. One of another charset or other ends of lines is written anew first.
fn append_to(path: &Path) -> anyhow::Result<File> {
    let cannot = || format!("cannot write records {}", path.display());
    if path.exists() {
        let (whole, is_all) = whole_lines(path)?;
        if !is_all {
            let file = std::fs::canonicalize(path).with_context(cannot)?;
            let beside = file.with_extension("new");
            std::fs::write(&beside, whole)
                .and_then(|()| std::fs::rename(&beside, &file))
                .with_context(cannot)?;
        }
    }
    OpenOptions::new().create(true).append(true).open(path).with_context(cannot)
}
