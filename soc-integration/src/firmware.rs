// SPDX-License-Identifier: MIT OR Apache-2.0
//! The firmware: its sources, and their build by a RISC-V GCC.

use crate::projections;
use crate::wujian100::{DSRAM, ISRAM, divider, nearest_rates};
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The driver in C, which a package has too: functions over the registers.
pub const DRIVER_SOURCE: &str = include_str!("../sw/tengen.c");
/// Its header; includes `tengen_regs.h`.
pub const DRIVER_HEADER: &str = include_str!("../sw/tengen.h");

/// The sources that are written by hand: file and text.
const WRITTEN: &[(&str, &str)] = &[
    ("board.c", include_str!("../firmware/board.c")),
    ("board.h", include_str!("../firmware/board.h")),
    ("bytes.h", include_str!("../firmware/bytes.h")),
    ("core.c", include_str!("../firmware/core.c")),
    ("core.h", include_str!("../firmware/core.h")),
    ("game.c", include_str!("../firmware/game.c")),
    ("game.h", include_str!("../firmware/game.h")),
    ("link.c", include_str!("../firmware/link.c")),
    ("link.h", include_str!("../firmware/link.h")),
    ("link.ld", include_str!("../firmware/link.ld")),
    ("main.c", include_str!("../firmware/main.c")),
    ("memory.c", include_str!("../firmware/memory.c")),
    ("sdk/main.c", include_str!("../firmware/sdk/main.c")),
    ("slot.h", include_str!("../firmware/slot.h")),
    ("start.S", include_str!("../firmware/start.S")),
    ("tengen.c", DRIVER_SOURCE),
    ("tengen.h", DRIVER_HEADER),
    ("uart.c", include_str!("../firmware/uart.c")),
    ("uart.h", include_str!("../firmware/uart.h")),
];

/// All sources, file and text: the written ones and the headers that project the definitions made here.
pub fn sources() -> Vec<(&'static str, String)> {
    let written = WRITTEN.iter().map(|(name, text)| (*name, text.to_string()));
    let projected = [
        ("tengen_regs.h", projections::c_header::text()),
        ("tengen_wire.h", projections::wire_header::text()),
        ("wujian100.h", projections::soc_header::text()),
    ];
    written.chain(projected).collect()
}

/// Prefix of the tools: Debian's package gcc-riscv64-unknown-elf.
pub const TOOLS: &str = "riscv64-unknown-elf-";
/// Other packagers' prefixes of the same tools: Arch, xPack, a toolchain built for 32 bits. Any of them compiles for both.
const OTHER_TOOLS: [&str; 3] = ["riscv64-elf-", "riscv-none-elf-", "riscv32-unknown-elf-"];
/// Variable that names the prefix.
pub const TOOLS_VARIABLE: &str = "TENGEN_RISCV_PREFIX";
/// What compilers before GCC 11 do not know by name: to them it is a part of the base.
const ZICSR: &str = "_zicsr";
/// The last version of the architecture whose base has these instructions, for compilers from GCC 11 on.
const OLDER_BASE: &str = "-misa-spec=2.2";
/// What the compiler is told, beside the definitions.
const FLAGS: &[&str] = &[
    "-march=rv32emc_zicsr",
    "-mabi=ilp32e",
    "-std=c11",
    "-Os",
    "-ffreestanding",
    "-nostdlib",
    "-ffunction-sections",
    "-fdata-sections",
    "-fno-tree-loop-distribute-patterns",
    "-fstack-usage",
    "-Wall",
    "-Wextra",
    "-Werror",
    "-Wl,--gc-sections",
];

/// Where the stack begins, growing downwards: in the second block of the data SRAM, below the words that wujian100's test
/// bench watches.
pub const STACK_TOP: u32 = DSRAM.0 + 0x1_8000;

/// What the firmware is built for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Slot that the core is in.
    pub slot: usize,
    /// Clock of the SoC in Hz.
    pub clock_hz: u32,
    /// Rate of the UART in baud.
    pub baud: u32,
}

/// A firmware that was built.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Image {
    /// Contents of the instruction SRAM from its beginning.
    pub bytes: Vec<u8>,
    /// Divider of the UART.
    pub divider: u32,
    /// Bytes of code, constants and initial data.
    pub code: u32,
    /// Bytes of variables.
    pub data: u32,
    /// Largest stack of each function in bytes, as the compiler tells: name and bytes.
    pub stacks: Vec<(String, u32)>,
    /// Files that were written, without the folder.
    pub files: Vec<&'static str>,
}

/// Why there is no firmware.
#[derive(Debug, thiserror::Error)]
pub enum BuildError {
    /// No such slot.
    #[error("slot {slot}: there are slots 0 to {}", crate::slots::SLOTS.len() - 1)]
    Slot {
        /// The slot asked for.
        slot: usize,
    },
    /// The rate cannot be had.
    #[error("{baud} baud cannot be had from a clock of {clock_hz} Hz: the nearest rates are {}", nearest_rates(*.clock_hz, *.baud))]
    Rate {
        /// Rate asked for.
        baud: u32,
        /// Clock.
        clock_hz: u32,
    },
    /// A tool is not there.
    #[error(
        "cannot run {tool}: install a RISC-V GCC for bare metal (Debian and Ubuntu: apt-get install gcc-riscv64-unknown-elf), or name the \
         prefix of yours with --tools or {TOOLS_VARIABLE}, as riscv-none-elf-"
    )]
    Missing {
        /// The tool.
        tool: String,
        /// Why.
        source: io::Error,
    },
    /// A tool failed.
    #[error("{tool} failed:\n{output}")]
    Failed {
        /// The tool.
        tool: String,
        /// What it said.
        output: String,
    },
    /// A file cannot be read or written.
    #[error("cannot read or write {path}")]
    File {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The program is too large.
    #[error("the program has {bytes} bytes; the instruction SRAM has {}", ISRAM.1)]
    TooLarge {
        /// Its size.
        bytes: usize,
    },
}

/// The prefix of the tools: what is asked for, else what the variable names, else the first whose compiler is there.
fn tools(asked: Option<&str>) -> String {
    let named = std::env::var(TOOLS_VARIABLE).ok().filter(|named| !named.is_empty());
    if let Some(named) = asked.map(String::from).or(named) {
        return named;
    }
    let is_there = |prefix: &&str| {
        let version = Command::new(format!("{prefix}gcc")).arg("--version").output();
        version.is_ok_and(|output| output.status.success())
    };
    std::iter::once(TOOLS).chain(OTHER_TOOLS).find(is_there).unwrap_or(TOOLS).to_string()
}

/// Runs the compiler, and again without the extension's name if it does not know that; of a version of the architecture in which the
/// base has the extension's instructions, if it then misses them.
fn compile(tools: &str, folder: &Path, arguments: &[String]) -> Result<String, BuildError> {
    let without = |argument: &String| match argument.strip_suffix(ZICSR) {
        Some(base) if base.starts_with("-march=") => base.to_string(),
        _ => argument.clone(),
    };
    let older: Vec<String> = arguments.iter().map(without).collect();
    let of_older_base = std::iter::once(OLDER_BASE.to_string()).chain(older.iter().cloned()).collect();
    let mut result = run(tools, "gcc", folder, arguments);
    for arguments in [older, of_older_base] {
        match &result {
            Err(BuildError::Failed { output, .. }) if output.contains("zicsr") => {
                result = run(tools, "gcc", folder, &arguments);
            }
            _ => break,
        }
    }
    result
}

fn run(tools: &str, tool: &str, folder: &Path, arguments: &[String]) -> Result<String, BuildError> {
    let tool = format!("{tools}{tool}");
    let output = Command::new(&tool)
        .args(arguments)
        .current_dir(folder)
        // What it says is looked into.
        .env("LC_ALL", "C")
        .output()
        .map_err(|source| BuildError::Missing { tool: tool.clone(), source })?;
    if !output.status.success() {
        let output = String::from_utf8_lossy(&output.stderr).trim_end().to_string();
        return Err(BuildError::Failed { tool, output });
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

fn file<T>(path: &Path, result: io::Result<T>) -> Result<T, BuildError> {
    result.map_err(|source| BuildError::File { path: path.to_path_buf(), source })
}

/// Bytes of text and of data, bss, from the output of `size`.
fn sizes(text: &str) -> (u32, u32) {
    let numbers: Vec<u32> =
        text.lines().nth(1).unwrap_or("").split_whitespace().map_while(|word| word.parse().ok()).collect();
    match numbers[..] {
        [code, data, bss, ..] => (code + data, data + bss),
        _ => (0, 0),
    }
}

/// Name and bytes from a line `file:line:column:name<tab>bytes<tab>kind`.
fn stack(line: &str) -> Option<(String, u32)> {
    let mut columns = line.split('\t');
    let name = columns.next()?.rsplit(':').next()?;
    Some((name.to_string(), columns.next()?.parse().ok()?))
}

/// Writes the sources to `folder`/src and builds `tengen.elf`, `tengen.bin` and `tengen.pat` (one 32-bit word a line, the byte of the
/// lowest address first, as wujian100's test bench loads it) in `folder`.
pub fn build(folder: &Path, options: Options) -> Result<Image, BuildError> {
    build_with(folder, options, None)
}

/// The same by the tools of this prefix (`riscv-none-elf-`), if one is named.
pub fn build_with(folder: &Path, options: Options, prefix: Option<&str>) -> Result<Image, BuildError> {
    let Options { slot, clock_hz, baud } = options;
    let tools = &tools(prefix);
    if slot >= crate::slots::SLOTS.len() {
        return Err(BuildError::Slot { slot });
    }
    let divider = divider(clock_hz, baud).ok_or(BuildError::Rate { baud, clock_hz })?;
    let src = folder.join("src");
    file(&src, std::fs::create_dir_all(src.join("sdk")))?;
    for (name, text) in sources() {
        let path = src.join(name);
        file(&path, std::fs::write(&path, text))?;
    }
    let mut arguments: Vec<String> = FLAGS.iter().map(|flag| flag.to_string()).collect();
    arguments.push(format!("-DTENGEN_SLOT={slot}"));
    arguments.push(format!("-DTENGEN_CLOCK_HZ={clock_hz}u"));
    arguments.push(format!("-DTENGEN_UART_DIVIDER={divider}u"));
    arguments.push(format!("-DTENGEN_FIRMWARE_VERSION=0x{:08x}u", hdl::stream::version_word()));
    arguments.push(format!("-Wl,--defsym=__stack_top=0x{STACK_TOP:x}"));
    arguments.extend(["-Isrc", "-T", "src/link.ld", "-o", "tengen.elf"].map(String::from));
    // What is for the vendor's SDK is only written.
    let own = WRITTEN.iter().filter(|(name, _)| !name.contains('/'));
    let compiled = own.filter(|(name, _)| name.ends_with(".c") || name.ends_with(".S"));
    arguments.extend(compiled.clone().map(|(name, _)| format!("src/{name}")));
    compile(tools, folder, &arguments)?;
    run(tools, "objcopy", folder, &["-O", "binary", "tengen.elf", "tengen.bin"].map(String::from))?;
    let (code, data) = sizes(&run(tools, "size", folder, &["tengen.elf".to_string()])?);
    let path = folder.join("tengen.bin");
    let bytes = file(&path, std::fs::read(&path))?;
    if bytes.len() > ISRAM.1 as usize {
        return Err(BuildError::TooLarge { bytes: bytes.len() });
    }
    let path = folder.join("tengen.pat");
    file(&path, std::fs::write(&path, pattern(&bytes)))?;
    let mut stacks = Vec::new();
    for (name, _) in compiled.filter(|(name, _)| name.ends_with(".c")) {
        // GCC names them by the output and the source.
        let path = folder.join(format!("tengen.elf-{}.su", name.trim_end_matches(".c")));
        let text = file(&path, std::fs::read_to_string(&path))?;
        stacks.extend(text.lines().filter_map(stack));
        file(&path, std::fs::remove_file(&path))?;
    }
    let files = vec!["tengen.elf", "tengen.bin", "tengen.pat"];
    Ok(Image { bytes, divider, code, data, stacks, files })
}

/// Words in hexadecimal, the lowest address's byte first.
fn pattern(bytes: &[u8]) -> String {
    let word = |chunk: &[u8]| {
        let mut word = [0; 4];
        word[..chunk.len()].copy_from_slice(chunk);
        format!("{:08x}\n", u32::from_be_bytes(word))
    };
    bytes.chunks(4).map(word).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outputs_of_the_tools_are_read() {
        let text = "   text\t   data\t    bss\t    dec\t    hex\tfilename\n   5000\t      4\t    100\t   5104\t   13f0\ttengen.elf\n";
        assert_eq!(sizes(text), (5004, 104));
        assert_eq!(stack("src/link.c:35:17:get16\t16\tstatic"), Some(("get16".into(), 16)));
        assert_eq!(pattern(&[1, 2, 3, 4, 5]), "01020304\n05000000\n");
    }

    #[test]
    fn what_cannot_be_had_is_refused() {
        let folder = Path::new("");
        let options = Options { slot: 4, clock_hz: 20_000_000, baud: 115_200 };
        assert!(matches!(build(folder, options), Err(BuildError::Slot { slot: 4 })));
        let options = Options { slot: 0, baud: 3_000_000, ..options };
        assert!(matches!(build(folder, options), Err(BuildError::Rate { .. })));
    }
}
