// SPDX-License-Identifier: MIT OR Apache-2.0
//! `tengen board` as a test's own.
#![allow(dead_code)]

use driver::Patience;
use driver::board::Board;
use driver::transport::{Connector, DEFAULT_BAUD, Port};
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

/// A `tengen board` that ends with the test.
pub struct Virtual {
    child: Child,
    pub path: String,
}

impl Virtual {
    pub fn start(config: &str, more: &[&str]) -> Virtual {
        let mut child = Command::new(env!("CARGO_BIN_EXE_tengen"))
            .args(["board", "--config", config])
            .args(more)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
        assert!(!line.is_empty(), "the board did not start");
        Virtual { child, path: line.trim().to_string() }
    }

    pub fn port(&self) -> Box<dyn Connector> {
        Box::new(Port { path: self.path.clone(), baud: DEFAULT_BAUD })
    }

    pub fn board(&self) -> Board {
        Board::connect(self.port(), Patience::default()).unwrap()
    }
}

impl Drop for Virtual {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
