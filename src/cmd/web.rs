// SPDX-License-Identifier: MIT OR Apache-2.0
//! `tengen web`: a page on which to play, to analyse, and to watch the core search.

use crate::board_line::EngineArguments;
use crate::compiling;
use crate::configs::{AtLevels, MAIN, NAMED, load};
use crate::found::Found;
use crate::opponent::check_port;
use crate::sides::{Backend, Side};
use crate::software::MODEL;
use anyhow::bail;
use engine_model::{BoundKind, Config, Engine, RuleSet};
use players::roster::{MOST_LEVELS, PLAYERS};
use serde_json::json;
use std::io::Write;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, UdpSocket};
use std::path::PathBuf;
use std::sync::Arc;
use tokio::sync::{Mutex, watch};
use web::{Backends, Offer, Options, Server};

/// Arguments of `web`.
#[derive(clap::Args)]
pub struct Arguments {
    /// Configuration to begin with: a name (see `tengen configs`) or a .toml file; again for further files
    #[arg(long, value_name = "NAME|FILE", default_values_t = [MAIN.to_string()])]
    config: Vec<String>,
    /// Where to listen; port 0: any that is free. Beyond this machine it is open to whoever reaches it
    #[arg(long, value_name = "ADDRESS:PORT", default_value = "127.0.0.1:7015")]
    listen: SocketAddr,
    /// Another name that the page is reached by, as that of a proxy in front; again for further ones
    #[arg(long, value_name = "NAME")]
    host: Vec<String>,
    /// Open the page in this machine's browser
    #[arg(long)]
    open: bool,
    /// Keep games in a folder, each as SGF, written anew as it goes on
    #[arg(long, value_name = "DIR")]
    games: Option<PathBuf>,
    /// Offer a board on this port too, as /dev/ttyUSB0; again for further ones
    #[arg(long, value_name = "PORT")]
    board: Vec<String>,
    /// Searches at a time; else as many as this machine has processors
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: Option<u16>,
    #[command(flatten)]
    engine: EngineArguments,
    /// Print one JSON object with the page's address
    #[arg(long)]
    json: bool,
}

/// What this program has to offer.
struct Here {
    configs: Vec<Config>,
    /// Ports, each with what a search holds while it uses its board.
    boards: Vec<(String, Arc<Mutex<()>>)>,
    arguments: EngineArguments,
}

impl Backends for Here {
    fn offers(&self) -> Vec<Offer> {
        let offer =
            |name: &str, about: &str, levels| Offer { name: name.into(), about: about.into(), levels };
        let mut offers = vec![
            offer("fast", "the model's search, in fast software", None),
            offer("rtl", "the simulated core", None),
            offer(MODEL[0], "the golden model", None),
        ];
        offers.extend(PLAYERS.iter().rev().map(|(name, _)| offer(name, "other software", Some(MOST_LEVELS))));
        offers.extend(self.boards.iter().map(|(port, _)| offer(port, "a board", None)));
        offers
    }

    fn configs(&self) -> &[Config] {
        &self.configs
    }

    fn open(&self, name: &str, config: &Config) -> Result<Box<dyn Engine>, String> {
        // What has no name of itself is one of the ports.
        let backend = Backend::named(name).unwrap_or_else(|| Backend::Board(name.into()));
        let search = AtLevels { source: config.name.clone(), config: config.clone(), levels: None };
        let side = Side { backend, search, options: String::new() };
        side.engine(&self.arguments).map_err(|error| error.to_string())
    }

    fn turn(&self, name: &str) -> Option<Arc<Mutex<()>>> {
        self.boards.iter().find(|(port, _)| port == name).map(|(_, turn)| turn.clone())
    }
}

/// Small cores to explain a search with: a context a level (the last has a second one) and no bounds, so that every step is one of textbook alpha-beta.
fn lectures() -> anyhow::Result<[Config; 2]> {
    let of = |name: &str, side: usize| -> anyhow::Result<Config> {
        let config = Config {
            name: name.into(),
            columns: side,
            rows: side,
            rows_per_clock: side,
            levels: 3,
            rules: RuleSet::None,
            contexts: 1,
            bound: BoundKind::None,
            ..load("tictactoe")?
        };
        config.check()?;
        Ok(config)
    };
    Ok([of("lecture-3x3", 3)?, of("lecture-4x4", 4)?])
}

/// The configurations that were asked for, then the named ones, then those of lectures.
fn configs(asked: &[String]) -> anyhow::Result<Vec<Config>> {
    let mut configs: Vec<Config> = Vec::new();
    for name in asked.iter().map(String::as_str) {
        let config = load(name)?;
        if let Some(other) = configs.iter().find(|other| other.name == config.name) {
            if *other != config {
                bail!("two configurations are called {:?}: give one of them another name", other.name);
            }
            continue;
        }
        configs.push(config);
    }
    for (name, _) in NAMED {
        let config = load(name)?;
        if configs.iter().all(|other| other.name != config.name) {
            configs.push(config);
        }
    }
    let known = |config: &Config| configs.iter().any(|other| other.name == config.name);
    let lectures: Vec<Config> = lectures()?.into_iter().filter(|config| !known(config)).collect();
    configs.extend(lectures);
    Ok(configs)
}

/// The address at which others reach a server: of one that listens at every address of this machine, the one that this machine has to
/// others.
fn reached_at(address: SocketAddr) -> SocketAddr {
    if !address.ip().is_unspecified() {
        return address;
    }
    // Nothing is sent: the system is asked by which of its addresses it would go out. The other end's is of a net that is kept for documents.
    let (own, other) =
        if address.is_ipv4() { ("0.0.0.0:0", "192.0.2.1:9") } else { ("[::]:0", "[2001:db8::1]:9") };
    let outward = UdpSocket::bind(own).and_then(|socket| {
        socket.connect(other)?;
        socket.local_addr()
    });
    let loopback = if address.is_ipv4() { Ipv4Addr::LOCALHOST.into() } else { Ipv6Addr::LOCALHOST.into() };
    let ip: IpAddr = outward.map_or(loopback, |found| found.ip());
    SocketAddr::new(if ip.is_unspecified() { loopback } else { ip }, address.port())
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> anyhow::Result<Found> {
    for port in &arguments.board {
        check_port(port)?;
    }
    let backends = Here {
        configs: configs(&arguments.config)?,
        boards: arguments.board.iter().map(|port| (port.clone(), Arc::default())).collect(),
        arguments: arguments.engine.framed(),
    };
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let options = Options {
        address: arguments.listen,
        workers: arguments.threads.map_or(cores, usize::from),
        games: arguments.games.clone(),
        hosts: arguments.host.clone(),
    };
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    let (close, closing) = watch::channel(false);
    ctrlc::set_handler(move || {
        // Who asks twice does not want to wait.
        if close.send_replace(true) {
            std::process::exit(130);
        }
    })?;
    runtime.block_on(async {
        let server = Server::bind(options, Box::new(backends), closing).await?;
        let notices = server.notices();
        compiling::also(move |line| _ = notices.send(line.into()));
        let url = format!("http://{}/", reached_at(server.address()));
        let mut out = std::io::stdout();
        if arguments.json {
            writeln!(out, "{}", json!({ "url": url }))?;
        } else {
            writeln!(out, "{url}")?;
        }
        out.flush()?;
        say!("the page is at {url}; Ctrl-C stops it");
        if arguments.open
            && let Err(error) = open::that_detached(&url)
        {
            say!("no browser could be opened ({error}): open {url} by hand");
        }
        server.serve().await?;
        Ok(Found::Nothing)
    })
}
