// SPDX-License-Identifier: MIT OR Apache-2.0
//! Running an outside tool, and keeping what it made.

use sha2::{Digest, Sha256};
use std::fs::File;
use std::io::{BufRead, BufReader, ErrorKind, Read, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::mpsc::{Sender, channel};

/// File of a working folder that a run holds locked.
const LOCK: &str = ".lock";
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
    /// It ended with an error; what it had made and said is kept.
    #[error("{source}\nwhat there is of it is kept in {}", folder.display())]
    Kept {
        /// The error.
        source: Box<ToolError>,
        /// Folder of its files and logs.
        folder: PathBuf,
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
    /// Name or path, and words that it is always given (`nice yosys`).
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
        self.started(arguments, folder, None, line)
    }

    /// The same; every line is also written into the file `log` of that folder as it comes, so that it is there however the tool ends.
    pub fn run_logged(
        &self,
        arguments: &[String],
        folder: &Path,
        log: &str,
        line: &mut dyn FnMut(&str),
    ) -> Result<String, ToolError> {
        let path = folder.join(log);
        let file = File::create(&path).map_err(|source| ToolError::File { path, source })?;
        self.started(arguments, folder, Some(file), line)
    }

    fn started(
        &self,
        arguments: &[String],
        folder: &Path,
        mut log: Option<File>,
        line: &mut dyn FnMut(&str),
    ) -> Result<String, ToolError> {
        let words = self.words()?;
        let (first, rest) = words.split_first().expect("a tool has a name");
        // A path is the caller's, not the working folder's; a bare name is looked up by the system.
        let named = Path::new(first);
        let program = match named.components().count() {
            0 | 1 => named.to_path_buf(),
            _ => std::path::absolute(named).map_err(|source| self.cannot_start(source))?,
        };
        let mut child = Command::new(program)
            .args(rest)
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
            if let Some(log) = &mut log {
                // A log that cannot be written ends nothing: the tool's own end tells more.
                let _ = writeln!(log, "{text}");
            }
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

    /// The program and what it is always given: words as a shell splits them, unless all of it is the name of a file.
    fn words(&self) -> Result<Vec<String>, ToolError> {
        if Path::new(&self.program).is_file() {
            return Ok(vec![self.program.clone()]);
        }
        let missing = || ToolError::Missing { tool: self.program.clone(), advice: self.advice };
        shlex::split(&self.program).filter(|words| !words.is_empty()).ok_or_else(missing)
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

    /// The file `result` of the entry with this key, made by `make` in an empty folder if it is not there yet. What a failed `make` leaves is
    /// kept beside the entry, where the error says; the next try begins anew. What runs have left that were killed goes.
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
            clear(&work)
                .and_then(|()| std::fs::create_dir_all(&work))
                .map_err(|source| ToolError::File { path: work.clone(), source })?;
            self.sweep();
            // Held as long as this process lives.
            let lock = File::create(work.join(LOCK)).and_then(|file| file.lock().map(|()| file));
            let moved = |to: &Path| {
                clear(to)
                    .and_then(|()| std::fs::rename(&work, to))
                    .map_err(|source| ToolError::File { path: to.to_path_buf(), source })
            };
            if let Err(source) = make(&work) {
                let failed = self.folder.join(format!("{name}-{digest}.failed"));
                // The error to report is the first one.
                let kept = moved(&failed).is_ok();
                return Err(match source {
                    ToolError::Failed { .. } if kept => {
                        ToolError::Kept { source: Box::new(source), folder: failed }
                    }
                    other => other,
                });
            }
            moved(&entry)?;
            drop(lock);
        }
        std::fs::read(&kept).map_err(|source| ToolError::File { path: kept, source })
    }
}

impl Cache {
    /// Removes folders of runs that ended before they were done: nobody holds their locks any more.
    fn sweep(&self) {
        for entry in std::fs::read_dir(&self.folder).into_iter().flatten().flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            let is_work = name.rsplit_once('.').is_some_and(|(_, id)| id.parse::<u32>().is_ok());
            let own = format!(".{}", std::process::id());
            if !is_work || name.ends_with(&own) {
                continue;
            }
            // One that has no lock yet has just been begun, or is of a run before there were any.
            let free = |lock: File| lock.try_lock().is_ok();
            let over = match File::open(entry.path().join(LOCK)) {
                Ok(lock) => free(lock),
                Err(_) => is_old(&entry.path()),
            };
            if over {
                // Best effort: it is in nobody's way.
                let _ = clear(&entry.path());
            }
        }
    }
}

/// Whether a folder has been as it is for a minute.
fn is_old(folder: &Path) -> bool {
    let changed = std::fs::metadata(folder).and_then(|metadata| metadata.modified());
    changed.is_ok_and(|at| at.elapsed().is_ok_and(|age| age > std::time::Duration::from_secs(60)))
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
    fn a_tool_may_be_several_words() {
        let here = Path::new(".");
        let said = tool("env GREETING='good day' sh").run(
            &["-c".into(), "echo $GREETING".into()],
            here,
            &mut |_| (),
        );
        assert_eq!(said.unwrap(), "good day\n");
        assert!(matches!(tool("'").run(&[], here, &mut |_| ()), Err(ToolError::Missing { .. })));
        // A path with a blank is one word.
        let folder = std::env::temp_dir().join(format!("area tool {}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let program = folder.join("a tool");
        std::os::unix::fs::symlink("/bin/echo", &program).unwrap();
        let said = tool(program.to_str().unwrap()).run(&["yes".into()], here, &mut |_| ());
        assert_eq!(said.unwrap(), "yes\n");
        std::fs::remove_dir_all(folder).unwrap();
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
            tool("sh").run_logged(&["-c".into(), "echo said; exit 3".into()], work, "log", &mut |_| ())?;
            Ok(())
        });
        // What it had made and said can be looked at; it is no result.
        let Err(ToolError::Kept { folder: kept, .. }) = failing else { panic!("{failing:?}") };
        assert_eq!(std::fs::read_to_string(kept.join("log")).unwrap(), "said\n");
        assert_eq!(std::fs::read_to_string(kept.join("file")).unwrap(), "half");
        let again = cache.get("x", &["c"], "file", &mut |work| write(work, "file", "whole"));
        assert_eq!(again.unwrap(), b"whole");
        // A run that was killed, and one that goes on.
        let (killed, running) = (folder.join("x-0.99999998"), folder.join("x-0.99999999"));
        for work in [&killed, &running] {
            std::fs::create_dir(work).unwrap();
        }
        File::create(killed.join(LOCK)).unwrap();
        let lock = File::create(running.join(LOCK)).unwrap();
        lock.lock().unwrap();
        cache.get("x", &["d"], "file", &mut |work| write(work, "file", "")).unwrap();
        assert_eq!((killed.exists(), running.exists()), (false, true));
        std::fs::remove_dir_all(folder).unwrap();
    }
}
