// SPDX-License-Identifier: MIT OR Apache-2.0
//! What can happen to a cache of models: killed builds, two programs at once, damage, other tools, no space, no right to
//! write. Each with a counter of its own cache, compiled by the real Verilator; a program of its own per case, because
//! a library that has been loaded stays loaded.
#![allow(missing_docs)]
#![cfg(unix)]

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::LazyLock;
use std::time::{Duration, Instant};
use verilate::{Cache, Event, Port, Source, Workshop};

const VERILOG: &str = "module counter (\n  input wire aclk,\n  output reg [39:0] count\n);\n  initial count = 0;\n  \
                       always @(posedge aclk) count <= count + 1;\nendmodule\n";
/// Names the cache for the program that a case starts.
const CACHE: &str = "VERILATE_TEST_CACHE";
/// What counts to three is not worth optimising.
const UNOPTIMISED: [(&str, &str); 1] = [("TENGEN_SIM_OPT", "-O0")];

fn counter() -> Source {
    let port = |name: &str, width, input| Port { name: name.into(), width, input };
    Source {
        name: "counter".into(),
        title: "the counter".into(),
        top: "counter".into(),
        ports: vec![port("aclk", 1, true), port("count", 40, false)],
        waves: None,
        coverage: false,
        verilog: VERILOG.into(),
    }
}

/// Not a case: what a case starts, to load the counter and count to three with it.
#[test]
fn load_and_count() {
    let Some(cache) = std::env::var_os(CACHE) else { return };
    let workshop = Workshop::new(Cache::new(cache));
    workshop.observe(|event| match event {
        Event::Compiling { title } => println!("event: compiling {title}"),
        Event::Waiting { title } => println!("event: waiting for {title}"),
        Event::Done { title, good, .. } => println!("event: done {title} {good}"),
    });
    match workshop.load(&[counter()]) {
        Err(error) => println!("error: {error}"),
        Ok(functions) => println!("count: {}", count(&functions[0])),
    }
}

fn count(model: &verilate::Functions) -> u64 {
    let mut words = [0; 2];
    // SAFETY: an instance of our own, ports as in `counter`.
    unsafe {
        let instance = (model.new)(1);
        for clock in [0, 1, 0, 1, 0, 1] {
            (model.set)(instance, 0, &raw const clock);
            (model.eval)(instance);
        }
        (model.get)(instance, 1, words.as_mut_ptr());
        (model.delete)(instance);
    }
    u64::from(words[1]) << 32 | u64::from(words[0])
}

fn place(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("cache-{name}"));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// A place for a case that is about the counter: Verilator's runtime is there, compiled once for all of them.
fn with_runtime(name: &str) -> PathBuf {
    static RUNTIME: LazyLock<PathBuf> = LazyLock::new(|| {
        let cache = place("runtime");
        assert_said(&load(&cache), &["count: 3"], &["error"]);
        let entries = Cache::new(&cache).entries().unwrap();
        cache.join(&entries.iter().find(|entry| entry.about.title != "the counter").expect("it is kept").key)
    });
    let cache = place(name);
    let runtime = cache.join(RUNTIME.file_name().unwrap());
    std::fs::create_dir(&runtime).unwrap();
    for file in std::fs::read_dir(&*RUNTIME).unwrap().flatten() {
        std::fs::copy(file.path(), runtime.join(file.file_name())).unwrap();
    }
    cache
}

/// This program, about to load the counter.
fn loader(cache: &Path) -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", "load_and_count", "--nocapture"]).env(CACHE, cache).envs(UNOPTIMISED);
    command
}

fn said(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

fn load(cache: &Path) -> String {
    said(&loader(cache).output().unwrap())
}

#[track_caller]
fn assert_said(text: &str, parts: &[&str], not: &[&str]) {
    for part in parts {
        assert!(text.contains(part), "{part:?} is missing in: {text}");
    }
    for part in not {
        assert!(!text.contains(part), "{part:?} is in: {text}");
    }
}

/// The counter's entry.
fn entry(cache: &Path) -> PathBuf {
    let entries = Cache::new(cache).entries().unwrap();
    let entry = entries.iter().find(|entry| entry.about.title == "the counter").expect("it is kept");
    assert!(entry.bytes > 1000 && entry.about.verilator.starts_with("Verilator"), "{entry:?}");
    cache.join(&entry.key)
}

#[test]
fn a_model_is_compiled_once() {
    let cache = place("once");
    assert_said(&load(&cache), &["event: compiling the counter", "count: 3"], &["error"]);
    assert_said(&load(&cache), &["count: 3"], &["event", "error"]);
    // Cleaning spares what has been used since, then removes all.
    let kept = Cache::new(&cache);
    assert_eq!(kept.clean(Duration::from_secs(3600)).unwrap().0, 0);
    let entries = kept.entries().unwrap().len();
    assert_eq!((kept.clean(Duration::ZERO).unwrap().0, kept.entries().unwrap().len()), (entries, 0));
    assert_said(&load(&cache), &["event: compiling the counter", "count: 3"], &["error"]);
}

#[test]
fn a_killed_build_leaves_nothing_that_is_taken_for_a_model() {
    let cache = with_runtime("killed");
    let mut killed = loader(&cache).stdout(Stdio::null()).spawn().unwrap();
    let begun = || {
        let mut files = std::fs::read_dir(&cache).unwrap().flatten();
        files.any(|file| {
            let name = file.file_name().to_string_lossy().into_owned();
            name.starts_with("counter") && name.ends_with(".work")
        })
    };
    let start = Instant::now();
    while !begun() && start.elapsed() < Duration::from_secs(60) {
        std::thread::sleep(Duration::from_millis(5));
    }
    killed.kill().unwrap();
    killed.wait().unwrap();
    assert!(begun(), "it was in the middle of the build");
    assert!(Cache::new(&cache).entries().unwrap().iter().all(|entry| entry.about.title != "the counter"));
    assert_said(&load(&cache), &["event: compiling the counter", "count: 3"], &["error"]);
    entry(&cache);
    assert!(!begun(), "what was left has been cleared away");
}

#[test]
fn two_programs_share_one_compilation() {
    let cache = with_runtime("two");
    let both: Vec<_> = (0..2)
        .map(|_| loader(&cache).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap())
        .collect();
    let texts: Vec<String> = both.into_iter().map(|one| said(&one.wait_with_output().unwrap())).collect();
    let compiled = texts.iter().filter(|text| text.contains("event: compiling the counter")).count();
    assert_eq!(compiled, 1, "{texts:?}");
    for text in &texts {
        assert_said(text, &["count: 3"], &["error"]);
    }
}

#[test]
fn a_damaged_library_is_compiled_anew() {
    let cache = with_runtime("damaged");
    assert_said(&load(&cache), &["count: 3"], &["error"]);
    let library = entry(&cache).join("model.so");
    let whole = std::fs::read(&library).unwrap();
    let mut bytes = whole.clone();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    for damage in [bytes, whole[..1000].to_vec(), Vec::new()] {
        std::fs::write(&library, damage).unwrap();
        assert_said(&load(&cache), &["event: compiling the counter", "count: 3"], &["error"]);
    }
    std::fs::write(entry(&cache).join("about.json"), "{").unwrap();
    assert_said(&load(&cache), &["event: compiling the counter", "count: 3"], &["error"]);
}

#[test]
fn a_model_is_compiled_without_a_header_that_does_not_suit() {
    let cache = with_runtime("header");
    let runtime = std::fs::read_dir(&cache).unwrap().flatten().next().expect("it has been copied").path();
    let header = runtime.join("verilated.pch");
    // `CXX` may name a compiler that has none.
    assert!(header.is_file() || std::env::var_os("CXX").is_some(), "the runtime brings it");
    std::fs::write(&header, "no precompiled header").unwrap();
    assert_said(&load(&cache), &["event: compiling the counter", "count: 3"], &["error"]);
}

/// A Clang newer than any, which is taken before the system's.
const NEWEST: &str = "clang++-999";

/// A folder of programs that stands before the path, with one of them.
fn before_path(folder: &Path, name: &str, script: &str) -> std::ffi::OsString {
    use std::os::unix::fs::PermissionsExt;
    std::fs::create_dir_all(folder).unwrap();
    let file = folder.join(name);
    std::fs::write(&file, script).unwrap();
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o755)).unwrap();
    let path = std::env::var_os("PATH").unwrap();
    std::env::join_paths(std::iter::once(folder.to_path_buf()).chain(std::env::split_paths(&path))).unwrap()
}

#[test]
fn another_verilator_makes_another_model() {
    let cache = with_runtime("version");
    assert_said(&load(&cache), &["count: 3"], &["error"]);
    let old = entry(&cache);
    let path = std::env::var_os("PATH").unwrap();
    let verilator = std::env::split_paths(&path)
        .map(|folder| folder.join("verilator"))
        .find(|file| file.is_file())
        .expect("Verilator is on the path");
    // The same, but of another version by its own word: one that is given the same flags.
    let script = format!(
        "#!/bin/sh\n[ \"$1\" = --version ] && {{ echo 'Verilator 5.007 of a test'; exit; }}\nexec {} \"$@\"\n",
        verilator.display()
    );
    let path = before_path(&cache.join("bin"), "verilator", &script);
    let output = loader(&cache).env("PATH", path).output().unwrap();
    assert_said(&said(&output), &["event: compiling the counter", "count: 3"], &["error"]);
    let entries = Cache::new(&cache).entries().unwrap();
    let of: Vec<_> = entries.iter().filter(|entry| entry.about.title == "the counter").collect();
    assert_eq!(of.len(), 2, "the old one stays for the old Verilator");
    assert!(of.iter().any(|entry| entry.about.verilator.contains("5.007")) && old.exists());
}

#[test]
fn a_library_for_another_machine_is_not_taken() {
    let cache = with_runtime("machine");
    // What this compiler knows of its machine stands in a file.
    let machine = cache.join("machine.h");
    let script = format!(
        "#!/bin/sh\ncase \"$*\" in *-dM*) exec c++ -imacros '{}' \"$@\" ;; esac\nexec c++ \"$@\"\n",
        machine.display()
    );
    before_path(&cache.join("bin"), "native", &script);
    let run = |features: &str| {
        std::fs::write(&machine, features).unwrap();
        said(&loader(&cache).env("CXX", cache.join("bin/native")).output().unwrap())
    };
    assert_said(&run("#define __NARROW__ 1\n"), &["event: compiling the counter", "count: 3"], &["error"]);
    assert_said(&run("#define __WIDE__ 1\n"), &["event: compiling the counter", "count: 3"], &["error"]);
    assert_said(&run("#define __NARROW__ 1\n"), &["count: 3"], &["error", "event"]);
}

#[test]
fn missing_tools_are_named_with_the_remedy() {
    let cache = place("missing");
    let empty = cache.join("empty");
    std::fs::create_dir_all(&empty).unwrap();
    let output = loader(&cache).env("PATH", &empty).output().unwrap();
    assert_said(
        &said(&output),
        &["error: cannot run `verilator`", "apt-get install verilator clang"],
        &["count:"],
    );
    let output = loader(&cache).env("CXX", "no-such-compiler").output().unwrap();
    assert_said(&said(&output), &["error: cannot run `no-such-compiler`", "apt-get install"], &["count:"]);
    let path = before_path(
        &cache.join("bin"),
        NEWEST,
        "#!/bin/sh\n[ \"$1\" = --version ] || { echo 'internal error' >&2; exit 1; }\n",
    );
    let output = loader(&cache).env("PATH", path).env_remove("CXX").output().unwrap();
    assert_said(&said(&output), &["error: `clang++-999` failed for", "internal error"], &["count:"]);
    assert!(Cache::new(&cache).entries().unwrap().is_empty(), "nothing is kept of a build that failed");
}

#[test]
fn a_missing_symbol_is_an_error_of_the_linker() {
    let cache = with_runtime("symbol");
    // A compiler that passes over one source, as a build does that lacks a source file of another version of Verilator.
    let script = "#!/bin/bash\nfor word in \"$@\"; do\n  case $word in *.cpp) sed -i '/__Slow/d' \"$word\" ;; esac\ndone\nexec \
                  c++ \"$@\"\n";
    before_path(&cache.join("bin"), "forgetful", script);
    let output = loader(&cache).env("CXX", cache.join("bin/forgetful")).output().unwrap();
    let text = said(&output);
    assert_said(&text, &["forgetful` failed for the counter", "undefined reference"], &["count:", "Delete"]);
    assert!(Cache::new(&cache).entries().unwrap().iter().all(|entry| entry.about.title != "the counter"));
}

/// Runs the loader where `mount` has made something of the folder `cache`; `None` where the system lets nobody do so.
fn loaded_on(cache: &Path, mount: &str) -> Option<String> {
    let quoted = cache.display();
    let probe = format!("mount -t tmpfs -o size=1m tengen '{quoted}'");
    let unshare = |script: &str| {
        let mut command = Command::new("unshare");
        command.args(["--user", "--map-root-user", "--mount", "sh", "-c", script]);
        command.env(CACHE, cache).envs(UNOPTIMISED);
        command
    };
    if !unshare(&probe).output().is_ok_and(|output| output.status.success()) {
        return None;
    }
    let program = std::env::current_exe().unwrap();
    let script = format!("{mount} && exec '{}' --exact load_and_count --nocapture", program.display());
    Some(said(&unshare(&script).output().unwrap()))
}

#[test]
fn a_full_disk_is_told() {
    let cache = place("full");
    let mount = format!("mount -t tmpfs -o size=64k tengen '{}'", cache.display());
    let text = loaded_on(&cache, &mount).unwrap_or_else(|| {
        // Where nobody may mount, a compiler that says what one says on a full disk.
        let script =
            "#!/bin/sh\n[ \"$1\" = --version ] || { echo 'error: No space left on device' >&2; exit 1; }\n";
        let path = before_path(&cache.join("bin"), NEWEST, script);
        said(&loader(&cache).env("PATH", path).env_remove("CXX").output().unwrap())
    });
    assert_said(&text, &["error: no space left for the model cache", "tengen models --clean"], &["count:"]);
}

#[test]
fn a_cache_that_cannot_be_written_is_read_or_told() {
    let cache = with_runtime("read-only");
    assert_said(&load(&cache), &["count: 3"], &["error"]);
    let quoted = cache.display().to_string();
    let full = format!("mount --bind '{quoted}' '{quoted}' && mount -o remount,bind,ro '{quoted}'");
    let empty = format!("mount -t tmpfs -o ro tengen '{quoted}'");
    if let (Some(full), Some(empty)) = (loaded_on(&cache, &full), loaded_on(&cache, &empty)) {
        assert_said(&full, &["count: 3"], &["event", "error"]);
        assert_said(&empty, &["error: cannot write the model cache", "Set TENGEN_CACHE"], &["count:"]);
    }
    // No folder at all.
    let file = cache.join("file");
    std::fs::write(&file, "").unwrap();
    assert_said(&load(&file), &["error: cannot write the model cache", "Set TENGEN_CACHE"], &["count:"]);
}
