// SPDX-License-Identifier: MIT OR Apache-2.0
//! From Verilog to a shared library, and the runtime that all of them share.

use crate::cache::{HEADER, LIBRARY};
use crate::source::{Source, Waves};
use crate::toolchain::{Job, Libraries, Runs, Toolchain};
use crate::{VerilateError, shim, units};
use std::path::{Path, PathBuf};

/// The runtime's sources that Verilator brings: itself, waveforms, and the threads it refers to. What runs in every clock of a model is in
/// the model.
const RUNTIME: [(&str, Runs); 3] = [
    ("verilated.cpp", Runs::Seldom),
    ("verilated_vcd_c.cpp", Runs::Often),
    ("verilated_threads.cpp", Runs::Seldom),
];
/// What a person calls it.
pub(crate) const RUNTIME_TITLE: &str = "Verilator's runtime";
/// Its C interface, from the crate `verilated` (build.rs).
const INTERFACE: [(&str, &str); 2] = [
    ("verilated_shim.cpp", include_str!(concat!(env!("OUT_DIR"), "/verilated_shim.cpp"))),
    ("verilatedvcdc_shim.cpp", include_str!(concat!(env!("OUT_DIR"), "/verilatedvcdc_shim.cpp"))),
];
/// The crate predates Verilator 5: the three names it still uses, as they are called today.
const NAMES: [&str; 3] = [
    "-DVerilatedVoidCb=Verilated::VoidPCb",
    "-DflushCb(x)=addFlushCb(x,nullptr)",
    "-DrolloverMB=rolloverSize",
];
/// The writer of FST, which is part of the models that use it: nobody else needs zlib.
const FST: &str = "verilated_fst_c.cpp";
const FST_LIBRARIES: &[&str] = &["-lz"];
/// The same of a Verilator that does not bring LZ4 along: 5.048 and later want the system's.
const FST_LIBRARIES_WITH_LZ4: &[&str] = &["-lz", "-llz4"];
/// What a model does not export is its own, so that its calls go straight.
const OWN: &str = "-fvisibility=hidden";
/// What counts changes, part of the models that do.
const COUNTER: &str = "verilated_cov.cpp";
const NO_COVERAGE: &str = "-DVM_COVERAGE=0";
const WITH_COVERAGE: &str = "-DVM_COVERAGE=1";

/// How most code of most models is compiled: the runtime's header is precompiled for that.
const MOST: Job<'static> = Job { runs: Runs::Often, waves: None, flags: &[OWN, NO_COVERAGE] };

/// Everything of a model that is compiled but the Verilog and the tools.
pub(crate) fn texts(source: &Source) -> [String; 2] {
    [shim::text(source), flags(source).join(" ")]
}

fn flags(source: &Source) -> Vec<&'static str> {
    vec![OWN, if source.coverage { WITH_COVERAGE } else { NO_COVERAGE }]
}

/// Everything of the runtime that is compiled but Verilator's own.
pub(crate) fn runtime_texts() -> Vec<&'static str> {
    INTERFACE.iter().map(|(_, text)| *text).chain(NAMES).chain(RUNTIME.map(|(name, _)| name)).collect()
}

/// Compiles files at once, each worth its flags; their objects in the order in which they are linked.
fn compile_all(
    tools: &Toolchain,
    title: &str,
    files: &[(PathBuf, Runs, Option<Waves>)],
    flags: &[&str],
    header: Option<&Path>,
) -> Result<Vec<PathBuf>, VerilateError> {
    let objects: Result<Vec<PathBuf>, VerilateError> = std::thread::scope(|scope| {
        let running: Vec<_> = files
            .iter()
            .map(|(file, runs, waves)| {
                let job = Job { runs: *runs, waves: *waves, flags };
                let header = header.filter(|_| job == MOST);
                scope.spawn(move || tools.compile(title, file, &job, header))
            })
            .collect();
        running.into_iter().map(|one| one.join().expect("a compilation returns its errors")).collect()
    });
    // Linked in the order of their names: see [`units::write`].
    let mut objects = objects?;
    objects.sort();
    Ok(objects)
}

/// Copies one of the runtime's sources, because an object is written beside its source.
fn bring(tools: &Toolchain, name: &str, work: &Path) -> Result<PathBuf, VerilateError> {
    let (from, to) = (tools.include().join(name), work.join(name));
    std::fs::copy(&from, &to).map_err(VerilateError::file(&to))?;
    Ok(to)
}

/// Compiles the runtime in this folder.
pub(crate) fn runtime(tools: &Toolchain, work: &Path) -> Result<(), VerilateError> {
    let mut files = Vec::new();
    for (name, runs) in RUNTIME {
        files.push((bring(tools, name, work)?, runs, Some(Waves::Vcd)));
    }
    for (name, text) in INTERFACE {
        let file = work.join(name);
        std::fs::write(&file, text).map_err(VerilateError::file(&file))?;
        files.push((file, Runs::Seldom, Some(Waves::Vcd)));
    }
    let flags = [&NAMES[..], &[NO_COVERAGE]].concat();
    let objects = compile_all(tools, RUNTIME_TITLE, &files, &flags, None)?;
    tools.precompile(&MOST, &work.join(HEADER));
    tools.link(RUNTIME_TITLE, &objects, &Libraries { runtime: None, system: &[] }, &work.join(LIBRARY))
}

/// Compiles a model in this folder; `runtime` waits for the runtime's library, which it is linked with.
pub(crate) fn model(
    tools: &Toolchain,
    source: &Source,
    work: &Path,
    runtime: impl FnOnce() -> Result<PathBuf, VerilateError>,
) -> Result<(), VerilateError> {
    let rtl = work.join(format!("{}.v", source.top));
    std::fs::write(&rtl, &source.verilog).map_err(VerilateError::file(&rtl))?;
    tools.verilate(source, &rtl, &shim::prefix(&source.name))?;
    let shim_file = work.join("shim.cpp");
    std::fs::write(&shim_file, shim::text(source)).map_err(VerilateError::file(&shim_file))?;
    let fst = source.waves == Some(Waves::Fst);
    let mut files: Vec<_> =
        units::write(work)?.into_iter().map(|(path, runs)| (path, runs, source.waves)).collect();
    for (name, wanted) in [(FST, fst), (COUNTER, source.coverage)] {
        if wanted {
            files.push((bring(tools, name, work)?, Runs::Often, source.waves));
        }
    }
    let brings_lz4 = tools.include().join("gtkwave").join("lz4.c").is_file();
    let system = match (fst, brings_lz4) {
        (false, _) => &[][..],
        (true, true) => FST_LIBRARIES,
        (true, false) => FST_LIBRARIES_WITH_LZ4,
    };
    let runtime = runtime()?;
    let header = runtime.with_file_name(HEADER);
    let header = header.is_file().then_some(header.as_path());
    let objects = compile_all(tools, &source.title, &files, &flags(source), header)?;
    tools.link(&source.title, &objects, &Libraries { runtime: Some(&runtime), system }, &work.join(LIBRARY))
}
