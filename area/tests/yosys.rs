// SPDX-License-Identifier: MIT OR Apache-2.0
//! From Verilog through Yosys to figures.
#![allow(missing_docs)]

use area::artix7::Artix7;
use area::netlist::Design;
use area::route::{Family, Port, RouteError, harness, read_report};
use area::synthesis::{Core, netlist, yosys};
use area::timing::analyse;
use area::tool::{Cache, ToolError};
use area::utilisation::count;

const VERILOG: &str = "
module sum (input wire aclk, input wire [7:0] a, input wire [7:0] b, output wire [7:0] q);
  reg [7:0] sum_q;
  always @(posedge aclk) sum_q <= a + b;
  assign q = sum_q;
endmodule
module pair (input wire aclk, input wire aresetn, input wire [7:0] x, output wire [7:0] y);
  wire [7:0] first;
  reg [7:0] total_q;
  sum left (.aclk(aclk), .a(x), .b(total_q), .q(first));
  sum right (.aclk(aclk), .a(first), .b(total_q), .q(y));
  always @(posedge aclk) if (!aresetn) total_q <= 0; else total_q <= total_q ^ y;
endmodule
";

fn folder(name: &str) -> String {
    let folder = format!("{}/area-{name}", env!("CARGO_TARGET_TMPDIR"));
    let _ = std::fs::remove_dir_all(&folder);
    folder
}

fn core() -> Core<'static> {
    Core { verilog: VERILOG, top: "pair" }
}

#[test]
fn verilog_becomes_figures() {
    let cache = Cache::new(folder("figures"));
    let mut passes = 0;
    let text =
        netlist(core(), &yosys(None), &cache, &mut |_| passes += 1).expect("./tengen test installs yosys");
    assert!(passes > 10, "progress is told: {passes}");
    let again =
        netlist(core(), &yosys(None), &cache, &mut |_| panic!("the second call runs nothing")).unwrap();
    assert!(text == again);

    let design = Design::from_json(&text).unwrap();
    let utilisation = count(&design);
    assert_eq!((utilisation.total.ff, utilisation.total.carry4), (24, 4));
    let sum = utilisation.modules.iter().find(|module| module.name == "sum").unwrap();
    assert_eq!((sum.instances, sum.own.ff, sum.own.carry4), (2, 8, 2));

    let timing = analyse(&design, &Artix7).unwrap();
    let path = timing.longest().unwrap();
    assert_eq!((path.end.module.as_str(), path.levels()["CARRY4"]), ("sum", 2));
    assert!(path.end.name.contains(".sum_q["), "a register has its name in the source: {}", path.end.name);
    assert!((1_000..5_000).contains(&path.ps), "{}", path.ps);
}

#[test]
fn what_yosys_refuses_is_quoted() {
    let cache = Cache::new(folder("refused"));
    let core = Core { verilog: "module broken (", top: "broken" };
    let error = netlist(core, &yosys(None), &cache, &mut |_| {}).unwrap_err();
    let ToolError::Kept { source, folder } = &error else { panic!("{error}") };
    assert!(matches!(&**source, ToolError::Failed { tail, .. } if tail.contains("ERROR")), "{error}");
    assert!(std::fs::read_to_string(folder.join("synthesis.log")).unwrap().contains("ERROR"));
}

#[test]
fn the_harness_fits_the_core() {
    let port = |name: &str, width, output| Port { name: name.into(), width, output };
    let ports = [port("aclk", 1, false), port("aresetn", 1, false), port("x", 8, false), port("y", 8, true)];
    let verilog = format!("{VERILOG}{}", harness("pair", &ports).unwrap());
    let cache = Cache::new(folder("harness"));
    let core = Core { verilog: &verilog, top: "pair_harness" };
    let design = Design::from_json(&netlist(core, &yosys(None), &cache, &mut |_| {}).unwrap()).unwrap();
    // The core's registers, and one per port bit.
    assert_eq!(count(&design).total.ff, 24 + 16);
    assert!(matches!(harness("pair", &ports[1..]), Err(RouteError::NoPort("aclk"))));
}

#[test]
fn a_place_and_route_report_is_read() {
    let report = r#"{"fmax":{"$glbnet$aclk":{"achieved":51.65,"constraint":100.0}},
        "utilization":{"TRELLIS_COMB":{"available":83640,"used":7629},"TRELLIS_FF":{"available":83640,"used":4966},
        "DCCA":{"available":56,"used":0}}}"#;
    let routed = read_report(Family::Ecp5, report.as_bytes(), "").unwrap();
    assert_eq!(routed.fmax_hz.round(), 51_650_000.0);
    assert_eq!(routed.utilisation.len(), 2);
    let cells = Family::Ecp5.cells(&routed);
    assert_eq!((cells.lut, cells.ff, cells.bram), (7629, 4966, 0));
    assert!(matches!(read_report(Family::Ecp5, b"{}", ""), Err(RouteError::NoClock)));
    assert!(matches!(read_report(Family::Ecp5, b"?", ""), Err(RouteError::Json(_))));
}

/// Of a Gowin's clocks the lower counts, of an ECP5's the one after routing. Of its cells what packing tells, and how many registers
/// either speaks of, is told.
#[test]
fn a_clock_says_how_much_it_speaks_of() {
    let end = |cell: &str, port: &str| format!(r#"{{"cell":"{cell}","port":"{port}","event":"posedge c"}}"#);
    let report = format!(
        r#"{{"fmax":{{"c":{{"achieved":256.21,"constraint":100.0}}}},
        "utilization":{{"LUT4":{{"available":23040,"used":117}},"DFF":{{"available":23040,"used":65}}}},
        "detailed_net_timings":[{{"endpoints":[{},{}]}},{{"endpoints":[{},{}]}}]}}"#,
        end("a", "D"),
        end("a", "CE"),
        end("b", "D"),
        end("a", "D")
    );
    let clock = |mhz: f64| format!("Info: Max frequency for clock 'c': {mhz} MHz (PASS at 100.00 MHz)\n");
    let packed =
        "Info: Device utilisation:\nInfo: \t LUT4:      95/  23040     0%\nInfo: \t IOB: 0/ 240 0%\n\n";
    let log = format!("{packed}{}Info: routing\n{}{}", clock(231.5), clock(256.21), clock(300.0));
    let routed = read_report(Family::Gowin, report.as_bytes(), &log).unwrap();
    let mhz = |hz: f64| (hz / 1e4).round() / 100.0;
    assert_eq!(
        (routed.placed_hz.map(mhz), mhz(routed.routed_hz), mhz(routed.fmax_hz)),
        (Some(231.5), 256.21, 231.5)
    );
    let whole = read_report(Family::Ecp5, report.as_bytes(), &log).unwrap();
    assert_eq!((whole.placed_hz.map(mhz), mhz(whole.fmax_hz)), (Some(231.5), 256.21));
    assert_eq!((routed.timed.registers, routed.timed.of), (2, 65));
    assert_eq!(routed.utilisation, [("LUT4".to_string(), 95, 23040)]);
}
