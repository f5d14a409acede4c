// SPDX-License-Identifier: MIT OR Apache-2.0
//! Running an outside tool, and keeping what it made.

use sha2::{Digest, Sha256};
use std::io::{BufRead, BufReader, ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::mpsc::{Sender, channel};

/// Lines of a failed tool's output that are shown.
const TAIL: usize = 15;

/// Why a tool brought no result.
#[derive(Debug, thiserror::Error)]
pub enum ToolError {
    /// It is not there.
    #[error("cannot run {tool}: no such program; {advice}")]
    Missing {
        /// Its name.
        tool: String,
        /// What to do.
        advice: &'static str,
    },
    /// It is there, but does not start.
    #[error("cannot run {tool}")]
    Start {
        /// Its name.
        tool: String,
        /// Why.
        source: std::io::Error,
    },
    /// It ended with an error.
    #[error("{tool} failed; the end of what it said:\n{tail}")]
    Failed {
        /// Its name.
        tool: String,
        /// Last lines of its output.
        tail: String,
    },
    /// A file cannot be read or written.
    #[error("cannot read or write {path}")]
    File {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
}

/// A program and what to advise where it is missing.
#[derive(Clone, Debug)]
pub struct Tool {
    /// Name or path.
    pub program: String,
    /// How to get it.
    pub advice: &'static str,
}

impl Tool {
    /// Runs it in a folder; every line it prints goes to `line`. Returns all of them.
    pub fn run(
        &self,
        arguments: &[String],
        folder: &Path,
        line: &mut dyn FnMut(&str),
    ) -> Result<String, ToolError> {
        // A path is the caller's, not the working folder's; a bare name is looked up by the system.
        let named = Path::new(&self.program);
        let program = match named.components().count() {
            0 | 1 => named.to_path_buf(),
            _ => std::path::absolute(named).map_err(|source| self.cannot_start(source))?,
        };
        let mut child = Command::new(program)
            .args(arguments)
            .current_dir(folder)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|source| self.cannot_start(source))?;
        let (sender, receiver) = channel();
        if let Some(stdout) = child.stdout.take() {
            forward(stdout, false, sender.clone());
        }
        if let Some(stderr) = child.stderr.take() {
            forward(stderr, true, sender);
        }
        let (mut said, mut complaints) = (String::new(), Vec::new());
        for (complaint, text) in receiver {
            line(&text);
            said.push_str(&text);
            said.push('\n');
            if complaint {
                complaints.push(text);
            }
        }
        let status = child.wait().map_err(|source| self.cannot_start(source))?;
        if status.success() {
            return Ok(said);
        }
        // The streams come in any order: what it complains of stands on the second, if it uses that one at all.
        let lines = if complaints.is_empty() { said.lines().map(String::from).collect() } else { complaints };
        let tail = lines[lines.len().saturating_sub(TAIL)..].join("\n");
        Err(ToolError::Failed { tool: self.program.clone(), tail })
    }

    /// The last line it prints when asked for its version; packaged tools talk of themselves before.
    pub fn version(&self, argument: &str) -> Result<String, ToolError> {
        let said = self.run(&[argument.into()], Path::new("."), &mut |_| {})?;
        Ok(said.lines().rfind(|line| !line.trim().is_empty()).unwrap_or_default().trim().to_string())
    }

    fn cannot_start(&self, source: std::io::Error) -> ToolError {
        let tool = self.program.clone();
        match source.kind() {
            ErrorKind::NotFound => ToolError::Missing { tool, advice: self.advice },
            _ => ToolError::Start { tool, source },
        }
    }
}

/// Sends each line of a stream with a mark that says which stream it is.
fn forward(stream: impl Read + Send + 'static, mark: bool, sender: Sender<(bool, String)>) {
    std::thread::spawn(move || {
        for line in BufReader::new(stream).split(b'\n').map_while(Result::ok) {
            // Nobody listens any more: the tool's output is of no use then.
            let _ = sender.send((mark, String::from_utf8_lossy(&line).trim_end().to_string()));
        }
    });
}

/// A folder of results, each kept under a key made of everything that it depends on.
#[derive(Clone, Debug)]
pub struct Cache {
    folder: PathBuf,
}

impl Cache {
    /// A cache in this folder; it is made when something is kept.
    pub fn new(folder: impl Into<PathBuf>) -> Cache {
        Cache { folder: folder.into() }
    }

    /// The file `result` of the entry with this key, made by `make` in an empty folder if it is not there yet.
    pub fn get(
        &self,
        name: &str,
        key: &[&str],
        result: &str,
        make: &mut dyn FnMut(&Path) -> Result<(), ToolError>,
    ) -> Result<Vec<u8>, ToolError> {
        let mut digest = Sha256::new();
        for part in key {
            digest.update((part.len() as u64).to_le_bytes());
            digest.update(part.as_bytes());
        }
        let digest: String = digest.finalize().iter().take(8).map(|byte| format!("{byte:02x}")).collect();
        let entry = self.folder.join(format!("{name}-{digest}"));
        let kept = entry.join(result);
        if !kept.exists() {
            // Made beside its place and moved there whole, so that an interrupted run leaves nothing half done.
            let work = self.folder.join(format!("{name}-{digest}.{}", std::process::id()));
            let made = clear(&work)
                .and_then(|()| std::fs::create_dir_all(&work))
                .map_err(|source| ToolError::File { path: work.clone(), source })
                .and_then(|()| make(&work))
                .and_then(|()| {
                    clear(&entry)
                        .and_then(|()| std::fs::rename(&work, &entry))
                        .map_err(|source| ToolError::File { path: entry.clone(), source })
                });
            if made.is_err() {
                // Best effort: the error to report is the first one.
                let _ = clear(&work);
            }
            made?;
        }
        std::fs::read(&kept).map_err(|source| ToolError::File { path: kept, source })
    }
}

fn clear(folder: &Path) -> std::io::Result<()> {
    match std::fs::remove_dir_all(folder) {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// Writes a file of a working folder.
pub fn write(folder: &Path, name: &str, text: &str) -> Result<(), ToolError> {
    let path = folder.join(name);
    std::fs::write(&path, text).map_err(|source| ToolError::File { path, source })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tool(program: &str) -> Tool {
        Tool { program: program.into(), advice: "install it" }
    }

    #[test]
    fn a_missing_tool_says_what_to_do() {
        let error = tool("no-such-program-anywhere").run(&[], Path::new("."), &mut |_| {}).unwrap_err();
        assert_eq!(error.to_string(), "cannot run no-such-program-anywhere: no such program; install it");
    }

    #[test]
    fn a_failing_tool_is_quoted() {
        let arguments = ["-c".to_string(), "echo out; echo err >&2; exit 3".to_string()];
        let mut lines = 0;
        let error = tool("sh").run(&arguments, Path::new("."), &mut |_| lines += 1).unwrap_err();
        assert_eq!(error.to_string(), "sh failed; the end of what it said:\nerr");
        assert_eq!(lines, 2);
    }

    #[test]
    fn a_result_is_made_once_and_never_by_halves() {
        let folder = std::env::temp_dir().join(format!("area-cache-{}", std::process::id()));
        let cache = Cache::new(&folder);
        let mut made = 0;
        for (key, expected) in [("a", 1), ("a", 1), ("b", 2)] {
            let bytes = cache.get("x", &[key], "file", &mut |work| {
                made += 1;
                write(work, "file", key)
            });
            assert_eq!((bytes.unwrap(), made), (key.as_bytes().to_vec(), expected));
        }
        let failing = cache.get("x", &["c"], "file", &mut |work| {
            write(work, "file", "half")?;
            Err(ToolError::Failed { tool: "t".into(), tail: String::new() })
        });
        assert!(failing.is_err());
        assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 2);
        std::fs::remove_dir_all(folder).unwrap();
    }
}
