// SPDX-License-Identifier: MIT OR Apache-2.0
//! Requests and replies over a line that may lose, double and damage bytes, or go away.
//!
//! A request is sent again, under its sequence number, until its reply comes; the firmware carries a sequence number out
//! once and answers it again from memory. So a request is carried out exactly once, or its failure is told.

use crate::error::BoardError;
use crate::frame::{Code, Decoder, Frame, GAP_MS, HEADER_BYTES, Kind, NONCE_BYTES, REPLY, VERSION, WAKE};
use crate::layout::{HEAD, Parts};
use crate::transport::{BYTE_BITS, Connector, Transport};
use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// How patient the driver is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Patience {
    /// Wait for a reply before the request is sent again; the line's own time is added.
    pub reply: Duration,
    /// Times a request is sent before the board counts as silent.
    pub tries: u32,
    /// Longest search; it is stopped then.
    pub search: Duration,
    /// Silence that ends a reply which is not whole, and after which the board takes what comes for a new command.
    pub gap: Duration,
    /// Wait for a port that went away to come back; zero: its going away is an error at once.
    pub reconnect: Duration,
}

impl Patience {
    /// So many times as patient, for a board that is slower than real time.
    pub fn times(self, factor: f64) -> Patience {
        let longer = |time: Duration| Duration::from_secs_f64(time.as_secs_f64() * factor.clamp(0.1, 1e6));
        // Who listens for less than the board's own gap talks into its pause.
        let gap = longer(self.gap).max(self.gap);
        Patience { reply: longer(self.reply), search: longer(self.search), gap, ..self }
    }
}

impl Default for Patience {
    fn default() -> Patience {
        Patience {
            reply: Duration::from_millis(250),
            tries: 12,
            search: Duration::from_secs(60),
            gap: Duration::from_millis(GAP_MS as u64),
            reconnect: Duration::from_secs(5),
        }
    }
}

/// What happened on the line, for those who watch it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LineStatistics {
    /// Requests that were answered.
    pub requests: u64,
    /// Times a request was sent again.
    pub repeats: u64,
    /// Bytes received that belonged to no frame.
    pub noise: u64,
    /// Times the port was opened again.
    pub reconnections: u64,
    /// Bytes sent.
    pub sent: u64,
    /// Bytes received.
    pub received: u64,
}

/// A reply: its code, the game's state, and what it carries behind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Reply {
    pub code: u8,
    pub over: u8,
    pub stones: usize,
    pub digest: u32,
    pub body: Vec<u8>,
}

impl Reply {
    pub(crate) fn parse(payload: &[u8]) -> Option<Reply> {
        // Hardware without firmware knows no game: its replies are a code and what belongs to it.
        if let [code, body @ ..] = payload
            && (*code == Code::Scripted as u8 || body.is_empty())
        {
            return Some(Reply { code: *code, over: 0, stones: 0, digest: 0, body: body.to_vec() });
        }
        let (head, rest) = Parts::split(HEAD, payload)?;
        Some(Reply {
            code: head.get("code") as u8,
            over: head.get("over") as u8,
            stones: head.get("stones") as usize,
            digest: head.get("digest") as u32,
            body: rest.to_vec(),
        })
    }
}

/// Why a request brought no reply that counts.
pub(crate) enum Broken {
    /// The line went away; it may come back.
    Line(std::io::Error),
    /// The firmware knows nothing of this session: it was started anew.
    Session,
    /// Anything else.
    Error(BoardError),
}

impl From<BoardError> for Broken {
    fn from(error: BoardError) -> Broken {
        Broken::Error(error)
    }
}

/// One end of a line.
pub(crate) struct Session {
    connector: Box<dyn Connector>,
    line: Box<dyn Transport>,
    decoder: Decoder,
    sequence: u8,
    pub patience: Patience,
    pub cancel: Arc<AtomicBool>,
    pub statistics: LineStatistics,
    /// Frames that came on this line.
    frames: u64,
    /// Times that the port was opened again since a request was last answered.
    reopened: u32,
    /// A frame has come in pieces.
    torn: bool,
}

/// A number that differs from session to session.
fn nonce() -> u64 {
    RandomState::new().build_hasher().finish()
}

/// Sends what a host sends first, and is silent until the firmware listens anew.
fn wake(line: &mut dyn Transport, baud: u32, gap: Duration) -> std::io::Result<()> {
    line.send(&WAKE)?;
    std::thread::sleep(bits_time(WAKE.len(), baud) + gap + gap / 5);
    Ok(())
}

/// Time that bytes take on the line.
pub(crate) fn bits_time(bytes: usize, baud: u32) -> Duration {
    Duration::from_secs_f64(f64::from(BYTE_BITS) * bytes as f64 / f64::from(baud.max(1)))
}

impl Session {
    pub(crate) fn open(mut connector: Box<dyn Connector>, patience: Patience) -> Result<Session, BoardError> {
        let mut line = connector.open()?;
        wake(line.as_mut(), connector.baud(), patience.gap).map_err(|error| BoardError::Gone {
            port: connector.name(),
            reason: error.to_string(),
            waited: Duration::ZERO,
        })?;
        Ok(Session {
            connector,
            line,
            decoder: Decoder::default(),
            sequence: nonce() as u8,
            patience,
            cancel: Arc::default(),
            statistics: LineStatistics::default(),
            frames: 0,
            reopened: 0,
            torn: false,
        })
    }

    pub(crate) fn name(&self) -> String {
        self.connector.name()
    }

    pub(crate) fn baud(&self) -> u32 {
        self.connector.baud()
    }

    /// Why a board that has begun frames has not answered, if it has: it is none of the original protocol's.
    pub(crate) fn torn(&self) -> Option<BoardError> {
        let (port, baud, gap) = (self.name(), self.baud(), self.patience.gap);
        self.torn.then_some(BoardError::Torn { port, baud, gap })
    }

    pub(crate) fn line(&mut self) -> &mut dyn Transport {
        self.line.as_mut()
    }

    /// Opens the port again, waiting for it as long as the driver is patient.
    pub(crate) fn reopen(&mut self, reason: &std::io::Error) -> Result<(), BoardError> {
        let begin = Instant::now();
        // A port that opens but carries nothing is gone as well.
        self.reopened += 1;
        loop {
            if self.cancel.load(Ordering::Relaxed) {
                return Err(BoardError::Cancelled);
            }
            if begin.elapsed() >= self.patience.reconnect || self.reopened > REOPENINGS {
                let (port, waited) = (self.name(), begin.elapsed());
                return Err(BoardError::Gone { port, reason: reason.to_string(), waited });
            }
            if let Ok(mut line) = self.connector.open()
                && wake(line.as_mut(), self.connector.baud(), self.patience.gap).is_ok()
            {
                self.line = line;
                self.decoder = Decoder::default();
                self.statistics.reconnections += 1;
                return Ok(());
            }
            std::thread::sleep(READ_AGAIN);
        }
    }

    /// Time that bytes take on the line.
    pub(crate) fn line_time(&self, bytes: usize) -> Duration {
        bits_time(bytes, self.baud())
    }

    fn send(&mut self, frame: &Frame) -> Result<(), Broken> {
        let bytes = frame.encode();
        self.statistics.sent += bytes.len() as u64;
        self.line.send(&bytes).map_err(Broken::Line)
    }

    /// The next frame before `deadline`; none as well when the caller wants to stop and `stoppable`.
    fn receive(&mut self, deadline: Instant, stoppable: bool) -> Result<Option<Frame>, Broken> {
        let mut quiet = Instant::now();
        loop {
            let mut bytes = [0; 256];
            let count = self.line.receive(&mut bytes).map_err(Broken::Line)?;
            self.statistics.received += count as u64;
            let mut found = self.decoder.push(&bytes[..count]);
            if count > 0 {
                quiet = Instant::now();
            } else if found.is_none() && quiet.elapsed() > self.patience.gap {
                self.torn |= self.decoder.is_within();
                found = self.decoder.gap();
            }
            self.statistics.noise += self.decoder.take_dropped();
            self.frames += u64::from(found.is_some());
            let stop = stoppable && self.cancel.load(Ordering::Relaxed);
            if found.is_some() || stop || Instant::now() >= deadline {
                return Ok(found);
            }
        }
    }

    /// Begins a session and returns the reply to its Hello.
    pub(crate) fn hello(&mut self) -> Result<Reply, Broken> {
        let nonce = nonce().to_le_bytes();
        self.request(Kind::Hello, &nonce[..NONCE_BYTES])
    }

    /// Sends a request under the next sequence number until its reply comes.
    pub(crate) fn request(&mut self, kind: Kind, payload: &[u8]) -> Result<Reply, Broken> {
        self.request_reading(kind, payload, MAX_SHORT)
    }

    /// The same whose reply has so many bytes.
    pub(crate) fn request_reading(
        &mut self,
        kind: Kind,
        payload: &[u8],
        reads: usize,
    ) -> Result<Reply, Broken> {
        self.sequence = self.sequence.wrapping_add(1);
        let frame = Frame::request(self.sequence, kind, payload);
        let abort = Frame::request(self.sequence, Kind::Abort, &[]);
        let wait = self.patience.reply
            + 2 * self.line_time(frame.payload.len() + HEADER_BYTES + reads.max(MAX_SHORT));
        let begin = Instant::now();
        let (noise, frames) = (self.statistics.noise, self.frames);
        let (mut silent, mut sent, mut running, mut stopping) = (0, 0u64, false, false);
        while silent < self.patience.tries {
            stopping |=
                self.cancel.load(Ordering::Relaxed) || running && begin.elapsed() > self.patience.search;
            if stopping && !matches!(kind, Kind::Search | Kind::Script) {
                return Err(BoardError::Cancelled.into());
            }
            // What runs is asked after by its own request, and stopped by another under the same number.
            self.send(if stopping { &abort } else { &frame })?;
            self.statistics.repeats += u64::from(sent > 0 && !running);
            sent += 1;
            silent += 1;
            let deadline = Instant::now() + wait;
            while let Some(reply) = self.answer(&frame, deadline, stopping)? {
                self.reopened = 0;
                if reply.code != Code::Busy as u8 {
                    self.statistics.requests += 1;
                    return Ok(reply);
                }
                (running, silent) = (true, 0);
            }
        }
        let (port, waited) = (self.name(), begin.elapsed());
        if stopping {
            return Err(self.stopped(waited).into());
        }
        let bytes = self.statistics.noise - noise;
        if bytes == 0 || self.frames > frames {
            return Err(BoardError::NoAnswer { port, baud: self.baud(), waited }.into());
        }
        Err(BoardError::Garbled { port, baud: self.baud(), bytes, waited }.into())
    }

    /// Why a search was stopped: by the caller, or because it took too long.
    pub(crate) fn stopped(&self, waited: Duration) -> BoardError {
        if self.cancel.swap(false, Ordering::Relaxed) {
            BoardError::Cancelled
        } else {
            BoardError::TooLong { waited }
        }
    }

    /// The reply to `request` before `deadline`, or none; while `stopping`, the caller's wish to stop is known.
    fn answer(
        &mut self,
        request: &Frame,
        deadline: Instant,
        stopping: bool,
    ) -> Result<Option<Reply>, Broken> {
        loop {
            let Some(frame) = self.receive(deadline, !stopping)? else {
                return Ok(None);
            };
            let abort = stopping && frame.kind == Kind::Abort as u8 | REPLY;
            if frame.sequence != request.sequence || !(abort || frame.kind == request.kind | REPLY) {
                continue;
            }
            if frame.version != VERSION {
                let (port, firmware) = (self.name(), frame.version);
                return Err(BoardError::Version { port, firmware, here: VERSION }.into());
            }
            let Some(reply) = Reply::parse(&frame.payload) else {
                return Err(BoardError::Nonsense { what: format!("a reply of {frame:?}") }.into());
            };
            let code = Code::from_code(reply.code);
            if abort {
                // Nothing of this number runs there: the search never began, or the board was started anew.
                return Err(self.stopped(Duration::ZERO).into());
            }
            if matches!(code, Some(Code::NoSession | Code::Sequence | Code::Running)) {
                return Err(Broken::Session);
            }
            // A late answer to another Hello under a number that came round again.
            let hello = request.kind == Kind::Hello as u8 && matches!(code, Some(Code::Ok | Code::Scripted));
            if hello && !reply.body.starts_with(&request.payload) {
                continue;
            }
            return Ok(Some(reply));
        }
    }
}

/// Bytes of a reply that is not a game's moves, with some to spare.
const MAX_SHORT: usize = 160;
/// Times that a port is opened again in a row without an answer on it.
const REOPENINGS: u32 = 8;
/// Pause between two attempts to open a port.
const READ_AGAIN: Duration = Duration::from_millis(50);
