// SPDX-License-Identifier: MIT OR Apache-2.0
//! Bytes to and from a board: a serial port, or whatever a test puts in its place.

use crate::error::BoardError;
use std::io::{self, Read, Write};
use std::path::Path;
use std::time::Duration;

/// Rate of the firmware as it is built by default, in baud.
pub const DEFAULT_BAUD: u32 = 115_200;
/// Bits that a byte takes on the line: start, eight, stop.
pub const BYTE_BITS: u32 = 10;
/// How long one read waits for a byte; between two of them the caller looks whether to stop.
pub const READ_SLICE: Duration = Duration::from_millis(5);
/// How long one write may take: longer than the longest frame at 9600 baud.
const WRITE_LIMIT: Duration = Duration::from_secs(2);

/// A line to a board.
pub trait Transport: Send {
    /// Bytes that have come, waiting about [`READ_SLICE`] for the first; none is not an error.
    fn receive(&mut self, bytes: &mut [u8]) -> io::Result<usize>;
    /// Sends all bytes.
    fn send(&mut self, bytes: &[u8]) -> io::Result<()>;
}

/// How a line is opened, and opened again after it went away.
pub trait Connector: Send {
    /// Name for messages.
    fn name(&self) -> String;
    /// Rate in baud.
    fn baud(&self) -> u32;
    /// Opens it.
    fn open(&mut self) -> Result<Box<dyn Transport>, BoardError>;
}

/// A serial port by path or name.
#[derive(Clone, Debug)]
pub struct Port {
    /// Path or name, as `/dev/ttyUSB0`.
    pub path: String,
    /// Rate in baud.
    pub baud: u32,
}

impl Connector for Port {
    fn name(&self) -> String {
        self.path.clone()
    }

    fn baud(&self) -> u32 {
        self.baud
    }

    fn open(&mut self) -> Result<Box<dyn Transport>, BoardError> {
        let builder = serialport::new(&self.path, self.baud).timeout(READ_SLICE);
        // Exclusive use of a pseudo-terminal outlives a program that is killed.
        #[cfg(unix)]
        let builder = builder.exclusive(!is_pseudo_terminal(&self.path));
        match builder.open_native() {
            Ok(port) => Ok(Box::new(SerialLine { port })),
            Err(error) => Err(self.refused(&error)),
        }
    }
}

impl Port {
    fn refused(&self, error: &serialport::Error) -> BoardError {
        let port = self.path.clone();
        match error.kind() {
            serialport::ErrorKind::Io(io::ErrorKind::NotFound) => missing(port),
            serialport::ErrorKind::Io(io::ErrorKind::PermissionDenied) => BoardError::Permission { port },
            serialport::ErrorKind::NoDevice if Path::new(&self.path).exists() => BoardError::InUse { port },
            serialport::ErrorKind::NoDevice => missing(port),
            _ => BoardError::Open { port, reason: error.to_string() },
        }
    }
}

/// Whether a port is a pseudo-terminal: what is behind it is another program, a simulated board for instance, or one that passes a
/// line on.
pub fn is_pseudo_terminal(path: &str) -> bool {
    Path::new(path).canonicalize().is_ok_and(|path| path.starts_with("/dev/pts"))
}

fn missing(port: String) -> BoardError {
    let others = serialport::available_ports().unwrap_or_default();
    BoardError::Missing { port, others: others.into_iter().map(|other| other.port_name).collect() }
}

#[cfg(unix)]
type Native = serialport::TTYPort;
#[cfg(windows)]
type Native = serialport::COMPort;

struct SerialLine {
    port: Native,
}

impl Transport for SerialLine {
    fn receive(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        match self.port.read(bytes) {
            // The end of a stream that has no end: the device is gone.
            Ok(0) => Err(io::ErrorKind::BrokenPipe.into()),
            Err(error) if matches!(error.kind(), io::ErrorKind::TimedOut | io::ErrorKind::Interrupted) => {
                Ok(0)
            }
            other => other,
        }
    }

    fn send(&mut self, bytes: &[u8]) -> io::Result<()> {
        serialport::SerialPort::set_timeout(&mut self.port, WRITE_LIMIT)?;
        let sent = self.port.write_all(bytes);
        serialport::SerialPort::set_timeout(&mut self.port, READ_SLICE)?;
        sent
    }
}
