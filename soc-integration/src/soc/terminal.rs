// SPDX-License-Identifier: MIT OR Apache-2.0
//! The virtual board on a pseudo-terminal: bytes between the terminal and the simulated SoC, at the pace of real time.

use super::{Paused, Soc};
use serialport::{SerialPort, TTYPort};
use std::io::{ErrorKind, Read, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Clocks of the SoC between two looks at the terminal.
const LOOK_CLOCKS: u64 = 1_000;
/// Time between two looks at the terminal while the processor works.
const LOOK_TIME: Duration = Duration::from_millis(2);
/// How long a sleeping board waits for a byte before timers get their share of time.
const NAP: Duration = Duration::from_millis(1);

/// Folder of pseudo-terminals.
const TERMINALS: &str = "/dev/pts";

/// What is wrong with a pseudo-terminal.
#[derive(Debug, thiserror::Error)]
pub enum TerminalError {
    /// The system gives none, or not its settings.
    #[error("cannot open a pseudo-terminal: {0}")]
    Open(#[from] serialport::Error),
    /// It has no path that a client could open.
    #[error("the pseudo-terminal has no name")]
    Nameless,
    /// The link cannot be made.
    #[error("cannot make the link {}: {reason}", link.display())]
    Link {
        /// The link.
        link: PathBuf,
        /// What the system says.
        reason: std::io::Error,
    },
    /// There is a link of somebody else's.
    #[error(
        "{} is a link to {} already: another board's, or a file of yours; name another, or remove it",
        link.display(),
        target.display()
    )]
    Taken {
        /// The link.
        link: PathBuf,
        /// Where it leads.
        target: PathBuf,
    },
    /// Bytes do not pass.
    #[error("the pseudo-terminal fails: {0}")]
    Line(#[from] std::io::Error),
}

/// A pseudo-terminal with its other end open, so that clients may come and go.
pub struct Terminal {
    board: TTYPort,
    _client: TTYPort,
    path: String,
    link: Option<PathBuf>,
}

impl Terminal {
    /// A fresh one; `link` becomes a symbolic link to it, in place of one that a board left which was killed.
    pub fn open(link: Option<&Path>) -> Result<Terminal, TerminalError> {
        let (mut board, client) = TTYPort::pair()?;
        board.set_timeout(Duration::ZERO)?;
        let path = client.name().ok_or(TerminalError::Nameless)?;
        if let Some(link) = link {
            let cannot = |reason| TerminalError::Link { link: link.into(), reason };
            if link.symlink_metadata().is_ok_and(|data| data.file_type().is_symlink()) {
                // Of a board that was killed: to a terminal that has gone. Whatever else it is belongs to somebody.
                let target = std::fs::read_link(link).map_err(cannot)?;
                // The system may have given its terminal's number to this one.
                let gone = !target.exists() || target == Path::new(&path);
                if target.starts_with(TERMINALS) && gone {
                    std::fs::remove_file(link).map_err(cannot)?;
                } else {
                    return Err(TerminalError::Taken { link: link.into(), target });
                }
            }
            std::os::unix::fs::symlink(&path, link)
                .map_err(|reason| TerminalError::Link { link: link.into(), reason })?;
        }
        Ok(Terminal { board, _client: client, path, link: link.map(Path::to_path_buf) })
    }

    /// Path that clients open.
    pub fn path(&self) -> String {
        self.link.as_ref().map_or_else(|| self.path.clone(), |link| link.display().to_string())
    }

    /// Bytes that clients have sent, waiting so long for the first.
    pub fn receive(&mut self, wait: Duration) -> Result<Vec<u8>, TerminalError> {
        self.board.set_timeout(wait)?;
        let mut bytes = [0; 1024];
        match self.board.read(&mut bytes) {
            Ok(count) => Ok(bytes[..count].to_vec()),
            Err(error) if matches!(error.kind(), ErrorKind::TimedOut | ErrorKind::Interrupted) => {
                Ok(Vec::new())
            }
            Err(error) => Err(error.into()),
        }
    }

    /// Bytes for whoever reads; where nobody does, they are gone.
    pub fn send(&mut self, bytes: &[u8]) -> Result<(), TerminalError> {
        self.board.set_timeout(Duration::from_millis(100))?;
        match self.board.write_all(bytes) {
            // Nobody reads: as on a wire, the bytes are gone.
            Err(error) if error.kind() == ErrorKind::TimedOut => Ok(()),
            other => Ok(other?),
        }
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        // Another board may have made one in its place meanwhile.
        if let Some(link) = self
            .link
            .as_ref()
            .filter(|link| std::fs::read_link(link).is_ok_and(|target| target == Path::new(&self.path)))
        {
            let _ = std::fs::remove_file(link);
        }
    }
}

/// Runs a board on a terminal until `stop` says so; tells new traps to `told`.
///
/// Timers run in real time while the processor sleeps. With `exact`, nothing runs faster than real time; a core that is
/// simulated is slower anyhow, and what it takes is not made up for.
pub fn serve(
    soc: &mut Soc,
    terminal: &mut Terminal,
    clock_hz: u32,
    exact: bool,
    mut told: impl FnMut(&str),
    mut stop: impl FnMut() -> bool,
) -> Result<(), TerminalError> {
    let mut known_traps = 0;
    let mut wait = Duration::ZERO;
    let mut begun = (Instant::now(), soc.clock());
    while !stop() {
        let looked = Instant::now();
        let bytes = terminal.receive(wait)?;
        soc.send(&bytes);
        let slept = wait > Duration::ZERO;
        let mut idle = if slept { clocks_in(looked.elapsed(), clock_hz) } else { 0 };
        wait = Duration::ZERO;
        let working = Instant::now();
        while working.elapsed() < LOOK_TIME {
            if soc.run(LOOK_CLOCKS, std::mem::take(&mut idle)) == Paused::Asleep {
                wait = NAP;
                break;
            }
        }
        terminal.send(&soc.receive())?;
        for trap in &soc.traps()[known_traps..] {
            told(trap);
        }
        known_traps = soc.traps().len();
        if exact {
            let simulated = Duration::from_secs_f64((soc.clock() - begun.1) as f64 / f64::from(clock_hz));
            match simulated.checked_sub(begun.0.elapsed()) {
                Some(ahead) => std::thread::sleep(ahead),
                None => begun = (Instant::now(), soc.clock()),
            }
        }
    }
    Ok(())
}

fn clocks_in(time: Duration, clock_hz: u32) -> u64 {
    (time.as_secs_f64() * f64::from(clock_hz)) as u64
}
