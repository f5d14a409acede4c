// SPDX-License-Identifier: MIT OR Apache-2.0
//! What Vivado reads, without Vivado: the rules that docs/vivado.md lists for component.xml, and every script run to its end
//! in tclsh against commands that refuse what they do not know.
#![allow(missing_docs)]

mod common;

use common::write;
use engine_model::Config;
use hdl::package::File;
use kit::Direction;
use roxmltree::{Document, Node};
use soc_integration::register_map::registers;
use std::path::{Path, PathBuf};
use std::process::Command;
use vivado::Face;
use vivado::package::{Format, emission, files};
use vivado::recorded::Recorded;

const SPIRIT: &str = "http://www.spiritconsortium.org/XMLSchema/SPIRIT/1685-2009";

fn config() -> Config {
    Config::from_toml(include_str!("../../configs/tictactoe.toml")).unwrap()
}

fn package(face: Face) -> Vec<File> {
    files(&config(), face, Format::Vivado, &Recorded::default())
}

fn children<'a>(node: Node<'a, 'a>, name: &'a str) -> impl Iterator<Item = Node<'a, 'a>> {
    node.children().filter(move |child| child.has_tag_name((SPIRIT, name)))
}

fn child<'a>(node: Node<'a, 'a>, name: &'a str) -> Node<'a, 'a> {
    children(node, name).next().unwrap_or_else(|| panic!("no {name} in {:?}", node.tag_name()))
}

fn text<'a>(node: Node<'a, 'a>, name: &'a str) -> &'a str {
    child(node, name).text().unwrap_or("")
}

/// Elements in the order that the schema demands; those that are there.
fn in_order(node: Node, order: &[&str]) {
    let places: Vec<usize> = node
        .children()
        .filter(Node::is_element)
        .map(|child| {
            let name = child.tag_name().name();
            order
                .iter()
                .position(|known| *known == name)
                .unwrap_or_else(|| panic!("{name} is not in the schema"))
        })
        .collect();
    assert!(places.windows(2).all(|pair| pair[0] <= pair[1]), "{:?}: {places:?}", node.tag_name());
}

#[test]
fn component_xml_keeps_the_rules() {
    for face in Face::ALL {
        let package = package(face);
        let emission = emission(&config(), face);
        let xml = &package.iter().find(|file| file.path == "component.xml").unwrap().text;
        let document = Document::parse(xml).unwrap();
        let component = document.root_element();
        assert!(component.has_tag_name((SPIRIT, "component")));
        in_order(
            component,
            &[
                "vendor",
                "library",
                "name",
                "version",
                "busInterfaces",
                "memoryMaps",
                "model",
                "fileSets",
                "description",
                "parameters",
                "vendorExtensions",
            ],
        );
        assert_eq!(text(component, "name"), emission.top);
        // Every port once, with its direction and width.
        let model = child(component, "model");
        in_order(model, &["views", "ports"]);
        let ports: Vec<_> = children(child(model, "ports"), "port").collect();
        assert_eq!(ports.len(), emission.ports.len());
        for (port, node) in emission.ports.iter().zip(&ports) {
            let wire = child(*node, "wire");
            in_order(wire, &["direction", "vector", "wireTypeDefs"]);
            assert_eq!(text(*node, "name"), port.name);
            let direction = if port.direction == Direction::Input { "in" } else { "out" };
            assert_eq!(text(wire, "direction"), direction);
            let width = children(wire, "vector").next().map_or(1, |vector| {
                let number = |name| text(vector, name).parse::<usize>().unwrap();
                number("left") - number("right") + 1
            });
            assert_eq!(width, port.width);
        }
        // Bus interfaces map ports that exist, each once; what is left is known.
        let mut mapped = Vec::new();
        let buses: Vec<_> = children(child(component, "busInterfaces"), "busInterface").collect();
        let names: Vec<&str> = buses.iter().map(|bus| text(*bus, "name")).collect();
        for bus in &buses {
            in_order(
                *bus,
                &["name", "busType", "abstractionType", "master", "slave", "portMaps", "parameters"],
            );
            for map in children(child(*bus, "portMaps"), "portMap") {
                mapped.push(text(child(map, "physicalPort"), "name"));
            }
        }
        let known: Vec<&str> = emission.ports.iter().map(|port| port.name.as_str()).collect();
        assert!(mapped.iter().all(|name| known.contains(name)), "{mapped:?}");
        assert!(mapped.iter().enumerate().all(|(index, name)| !mapped[..index].contains(name)), "{mapped:?}");
        let left: Vec<&str> = known.iter().copied().filter(|name| !mapped.contains(name)).collect();
        // Two bits on wujian100's bus, one in the bus definition.
        let expected: &[&str] = if face.name() == "ahb" { &["hresp"] } else { &[] };
        assert_eq!(left, expected, "{}", face.name());
        // The clock names its buses and its reset.
        let (clock, reset) = face.clock_and_reset();
        let clock = buses.iter().find(|bus| text(**bus, "name") == clock).unwrap();
        let parameter = |name: &str| {
            let found =
                children(child(*clock, "parameters"), "parameter").find(|node| text(*node, "name") == name);
            text(found.unwrap(), "value").to_string()
        };
        assert!(parameter("ASSOCIATED_BUSIF").split(':').all(|bus| names.contains(&bus)));
        assert_eq!(parameter("ASSOCIATED_RESET"), reset);
        // A frequency would be taken for the only one: Vivado resolves it from the connected clock.
        assert!(!xml.contains("FREQ_HZ"), "{}", face.name());
        // Files exist, views name file sets that exist.
        let sets: Vec<_> = children(child(component, "fileSets"), "fileSet").collect();
        for file in sets.iter().flat_map(|set| children(*set, "file")) {
            let path = text(file, "name");
            assert!(package.iter().any(|file| file.path == path), "{path}");
            assert!(!path.ends_with("_ooc.xdc"), "constraints of synthesis alone are none of a design's");
        }
        for view in children(child(model, "views"), "view") {
            in_order(view, &["name", "envIdentifier", "language", "modelName", "fileSetRef"]);
            let named = text(child(view, "fileSetRef"), "localName");
            assert!(sets.iter().any(|set| text(*set, "name") == named), "{named}");
        }
        // The memory map is the register map.
        let maps: Vec<_> = children(component, "memoryMaps").collect();
        assert_eq!(maps.len(), usize::from(face != Face::Axis));
        for map in maps {
            let block = child(child(map, "memoryMap"), "addressBlock");
            in_order(block, &["name", "baseAddress", "range", "width", "usage", "register"]);
            let wanted: Vec<(String, String)> = registers()
                .iter()
                .map(|register| (register.name.to_string(), format!("0x{:x}", register.offset)))
                .collect();
            let found: Vec<(String, String)> = children(block, "register")
                .map(|node| (text(node, "name").to_string(), text(node, "addressOffset").to_string()))
                .collect();
            assert_eq!(found, wanted);
            for (node, register) in children(block, "register").zip(registers()) {
                let dim = children(node, "dim").next().map(|dim| dim.text().unwrap().to_string());
                assert_eq!(
                    dim,
                    (register.count > 1).then(|| register.count.to_string()),
                    "{}",
                    register.name
                );
                // A register without fields has one over all of it: readers drop what has none.
                let fields: Vec<_> = children(node, "field").collect();
                assert_eq!(fields.len(), register.fields.len().max(1), "{}", register.name);
                for field in fields {
                    let effect =
                        children(field, "modifiedWriteValue").next().and_then(|effect| effect.text());
                    assert_eq!(effect, register.write_effect(), "{}", register.name);
                    let volatile = children(field, "volatile").next().is_some();
                    assert_eq!(volatile, register.is_volatile(), "{}", register.name);
                }
            }
        }
    }
}

/// What a script called, or what refused it.
fn recorded(folder: &Path, script: &str, arguments: &[&str]) -> Result<String, String> {
    recorded_with(folder, script, arguments, "0.250", "nets")
}

/// The same, where the router leaves so much slack and a query for nets answers this.
fn recorded_with(
    folder: &Path,
    script: &str,
    arguments: &[&str],
    slack: &str,
    nets: &str,
) -> Result<String, String> {
    let stub = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/stub.tcl");
    let output = Command::new("tclsh")
        .arg(stub)
        .arg(folder.join(script))
        .arg(folder)
        .args(arguments)
        .envs([("STUB_SLACK", slack), ("STUB_NETS", nets)])
        .output()
        .expect("tclsh (Debian: tcl)");
    let said = String::from_utf8(output.stdout).unwrap();
    if output.status.success() { Ok(said) } else { Err(String::from_utf8(output.stderr).unwrap()) }
}

#[test]
fn every_script_runs_to_its_end() {
    for face in Face::ALL {
        let package = package(face);
        let folder = write(&format!("tcl-{}", face.name()), &package);
        let mut calls = String::new();
        let scripts = package
            .iter()
            .filter(|file| file.path.ends_with(".tcl") || file.path.ends_with(".xdc"))
            .filter(|file| !file.path.starts_with("tcl/wujian100"));
        for script in scripts {
            let said = recorded(&folder, &script.path, &[])
                .unwrap_or_else(|error| panic!("{}: {error}", script.path));
            calls += &format!("== {}\n{said}", script.path);
        }
        let routed = recorded(&folder, "tcl/synth_ooc.tcl", &["xc7a35tcpg236-1", "50", "route"]).unwrap();
        calls += &format!("== tcl/synth_ooc.tcl xc7a35tcpg236-1 50 route\n{routed}");
        // The clock that was asked for, in the place of the constraints' own and read before synthesis.
        let mut written =
            std::fs::read_dir(folder.join("reports")).unwrap().map(|entry| entry.unwrap().path());
        let xdc = written.find(|path| path.to_string_lossy().ends_with("_ooc.xdc")).unwrap();
        let xdc = std::fs::read_to_string(xdc).unwrap();
        assert!(xdc.contains("-period 20.0 ") && xdc.matches(" 6.66").count() == 2, "{xdc}");
        assert!(routed.find("_ooc.xdc").unwrap() < routed.find("synth_design").unwrap());
        insta::assert_snapshot!(format!("calls_{}", face.name()), calls);
    }
}

/// A package of the slot, and as much of a checkout of the SoC as the scripts look at.
fn slot_and_checkout(name: &str) -> (PathBuf, PathBuf) {
    // Without what an earlier run has left.
    let _ = std::fs::remove_dir_all(Path::new(env!("CARGO_TARGET_TMPDIR")).join(name));
    let folder = write(name, &package(Face::Slot(soc_integration::Face::Ahb)));
    let checkout = folder.join("checkout");
    for (path, text) in [
        (
            "fpga/synplify/wujian100_open_200t_3b.prj",
            "#project files\nadd_file -verilog \"../wujian100_open_fpga_top.v\"\n\
             add_file -verilog \"../../soc/ls_sub_top.v\"\nadd_file -verilog \"../../soc/sms.v\"\n\
             add_file -verilog \"../../soc/sim_lib/fpga_byte_spram.v\"\n\
             add_file -verilog \"../../soc/sim_lib/fpga_spram.v\"\nadd_file -constraint \"wujian100_open.sdc\"\n\
             impl -add wujian100_open_200t_3b_rev -type fpga\nset_option -include_path {../../soc/params/}\n\
             project -result_file \"wujian100_open_200t_3b_rev/wujian100_open.edf\"\n",
        ),
        (
            "soc/ls_sub_top.v",
            "ahb_dummy_top  x_lsbus_dummy_top0 (\n);\nahb_dummy_top  x_lsbus_dummy_top1 (\n);\n",
        ),
        (
            "fpga/xdc/XC7A200T3B.xdc",
            "set_property PACKAGE_PIN B17   [get_ports PIN_EHS];\n\
             set_property CLOCK_DEDICATED_ROUTE FALSE [get_nets PAD_JTAG_TCLK_c]\n",
        ),
        ("soc/sms.v", include_str!("memory/sms.v")),
        ("soc/sim_lib/fpga_spram.v", include_str!("memory/fpga_spram.v")),
        ("soc/sim_lib/fpga_byte_spram.v", include_str!("memory/fpga_byte_spram.v")),
    ] {
        let path = checkout.join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    (folder, checkout)
}

/// The slot stands in the copy's second place, the checkout itself is as it was.
fn assert_mounted(checkout: &Path, out: &Path) {
    let changed = std::fs::read_to_string(out.join("ls_sub_top.v")).unwrap();
    assert_eq!(
        changed,
        "ahb_dummy_top  x_lsbus_dummy_top0 (\n);\ntictactoe_ahb_slot  x_lsbus_dummy_top1 ( .hready_in(1'b1),\n);\n"
    );
    let original = std::fs::read_to_string(checkout.join("soc/ls_sub_top.v")).unwrap();
    assert!(!original.contains("tictactoe"));
}

#[test]
fn the_slot_goes_into_a_checkout_of_the_soc() {
    let (folder, checkout) = slot_and_checkout("wujian100");
    let (root, out) = (checkout.to_str().unwrap(), folder.join("out"));
    let run = |slot: &str| recorded(&folder, "tcl/wujian100.tcl", &[root, slot, out.to_str().unwrap()]);
    insta::assert_snapshot!("calls_wujian100", run("1").unwrap());
    assert_mounted(&checkout, &out);
    // The board's constraints without Synplify's name; the clocks are sound commands.
    let board = std::fs::read_to_string(out.join("board.xdc")).unwrap();
    assert!(board.contains("PACKAGE_PIN B17") && !board.contains("PAD_JTAG_TCLK_c"), "{board}");
    insta::assert_snapshot!("clocks_wujian100", recorded(&out, "clocks.xdc", &[]).unwrap());
    // Time that is missing, or a net: no bitstream.
    let arguments = [root, "1", out.to_str().unwrap()];
    let late = recorded_with(&folder, "tcl/wujian100.tcl", &arguments, "-0.1", "nets").unwrap_err();
    assert!(late.contains("timing is NOT MET: -0.1 ns at the worst setup path"), "{late}");
    let lost = recorded_with(&folder, "tcl/wujian100.tcl", &arguments, "1", "").unwrap_err();
    assert!(lost.contains("no net behind the pad of PAD_JTAG_TCLK"), "{lost}");
    // What is not there is told.
    assert!(run("3").unwrap_err().contains("x_lsbus_dummy_top3 in ls_sub_top.v is not where it was"));
    assert!(run("4").unwrap_err().contains("there are slots 0 to 3"));
    let error = recorded(&folder, "tcl/wujian100.tcl", &[folder.to_str().unwrap()]).unwrap_err();
    assert!(error.contains("is no checkout of wujian100_open"), "{error}");
}

/// The firmware lies in the instruction memory and in no other, as a simulator reads the changed sources.
#[test]
fn the_firmware_goes_into_the_instruction_memory() {
    let (folder, checkout) = slot_and_checkout("wujian100-image");
    let (out, image) = (folder.join("out"), folder.join("tengen.pat"));
    let words: Vec<u32> = (0..300u32).map(|word| word.wrapping_mul(0x9e37_79b9)).collect();
    let text: String = words.iter().map(|word| format!("{word:08x}\n")).collect();
    std::fs::write(&image, text).unwrap();
    let arguments = [&checkout, Path::new("1"), &out, &image].map(|path| path.to_str().unwrap());
    let calls = recorded(&folder, "tcl/wujian100.tcl", &arguments).unwrap();
    for name in ["ls_sub_top.v", "sms.v", "fpga_spram.v", "fpga_byte_spram.v"] {
        assert!(calls.contains(&format!("read_verilog FOLDER/out/{name}")), "{calls}");
    }
    std::fs::write(out.join("bench.v"), include_str!("memory/bench.v")).unwrap();
    let built = Command::new("iverilog")
        .current_dir(&out)
        .args(["-g2001", "-Wall", "-o", "bench", "bench.v", "sms.v", "fpga_spram.v", "fpga_byte_spram.v"])
        .output()
        .expect("iverilog (Debian: iverilog)");
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    let read = Command::new("vvp").current_dir(&out).arg("bench").output().unwrap();
    let read = String::from_utf8(read.stdout).unwrap();
    let read: String =
        read.lines().filter(|line| !line.starts_with("WARNING")).map(|line| format!("{line}\n")).collect();
    // A word of the image has its lowest byte first; the data memory knows nothing.
    let expected: String = words.iter().map(|word| format!("{:08x} xxxxxxxx\n", word.swap_bytes())).collect();
    assert_eq!(read, format!("{expected}00000000 xxxxxxxx\n"));
    // What is no image is told.
    std::fs::write(&image, "not an image\n").unwrap();
    let error = recorded(&folder, "tcl/wujian100.tcl", &arguments).unwrap_err();
    assert!(error.contains("holds 0 words of 8 hexadecimal digits"), "{error}");
    std::fs::remove_file(&image).unwrap();
    let error = recorded(&folder, "tcl/wujian100.tcl", &arguments).unwrap_err();
    assert!(error.contains("tengen.pat is missing: make it by `tengen firmware --slot 1`"), "{error}");
}

#[test]
fn the_slot_goes_through_the_socs_own_flow() {
    let (folder, checkout) = slot_and_checkout("wujian100-synplify");
    let out = folder.join("out");
    // The project is written by any Tcl: no command of a vendor's.
    let output = Command::new("tclsh")
        .arg(folder.join("tcl/wujian100_synplify.tcl"))
        .args([&checkout, Path::new("1"), &out])
        .output()
        .expect("tclsh (Debian: tcl)");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert_mounted(&checkout, &out);
    let project = std::fs::read_to_string(out.join("tictactoe_ahb_slot.prj")).unwrap();
    insta::assert_snapshot!("synplify_project", project.replace(folder.to_str().unwrap(), "FOLDER"));
    // Its netlist goes on in Vivado, once it is there.
    let arguments = [checkout.to_str().unwrap(), out.to_str().unwrap()];
    let run = || recorded(&folder, "tcl/wujian100_netlist.tcl", &arguments);
    assert!(run().unwrap_err().contains("wujian100_open.edf is missing: run Synplify on"));
    std::fs::create_dir_all(out.join("wujian100_open_200t_3b_rev")).unwrap();
    std::fs::write(out.join("wujian100_open_200t_3b_rev/wujian100_open.edf"), "").unwrap();
    insta::assert_snapshot!("calls_wujian100_netlist", run().unwrap());
}

#[test]
fn the_stub_refuses_what_it_does_not_know() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("refused");
    std::fs::create_dir_all(&folder).unwrap();
    for (text, told) in [
        ("reset_runs impl_1\n", "unknown command: reset_runs impl_1"),
        ("read_verilog -sv a.v\n", "read_verilog: unknown option -sv"),
        ("set_property top\n", "set_property: 1 arguments, not 3 to 3"),
        ("synth_design -top\n", "synth_design: -top has no value"),
    ] {
        std::fs::write(folder.join("bad.tcl"), text).unwrap();
        let error = recorded(&folder, "bad.tcl", &[]).unwrap_err();
        assert!(error.contains(told), "{error}");
    }
}
