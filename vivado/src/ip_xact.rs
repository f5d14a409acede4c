// SPDX-License-Identifier: MIT OR Apache-2.0
//! component.xml: IP-XACT 1685-2009 with Vivado's conventions for bus interfaces, file sets and families.

use crate::Face;
use crate::identity::{FAMILIES, LIBRARY, LIFE_CYCLE, VENDOR, sha256};
use engine_model::Config;
use hdl::Emission;
use hdl::package::File;
use kit::{Direction, Port};
use soc_integration::register_map::{Access, Field, Register, WINDOW_BYTES, registers};
use xmlwriter::{Options, XmlWriter};

const NAMESPACE: &str = "http://www.spiritconsortium.org/XMLSchema/SPIRIT/1685-2009";
/// A group of ports with a meaning.
struct Bus {
    name: String,
    /// Vendor's library, name and version of the bus type; its abstraction is the name with `_rtl`.
    kind: (&'static str, &'static str, &'static str),
    master: bool,
    /// Logical and physical names.
    ports: Vec<(String, String)>,
    parameters: Vec<(&'static str, String)>,
    memory_map: bool,
}

fn upper_after(name: &str, prefix: &str) -> Option<String> {
    name.strip_prefix(prefix).map(str::to_uppercase)
}

/// A stream. Its clock is resolved from what it is connected to: a frequency here would be taken for the only one.
fn stream(ports: &[Port], name: &str, master: bool) -> Bus {
    let prefix = format!("{name}_");
    let mapped = ports
        .iter()
        .filter_map(|port| upper_after(&port.name, &prefix).map(|logical| (logical, port.name.clone())));
    let ports: Vec<(String, String)> = mapped.collect();
    let last = u32::from(ports.iter().any(|(logical, _)| logical == "TLAST"));
    Bus {
        name: name.into(),
        kind: ("interface", "axis", "1.0"),
        master,
        ports,
        parameters: vec![
            ("TDATA_NUM_BYTES", "4".into()),
            ("HAS_TREADY", "1".into()),
            ("HAS_TLAST", last.to_string()),
        ],
        memory_map: false,
    }
}

/// The slave bus of a slot.
fn slave(face: soc_integration::Face, ports: &[Port]) -> Bus {
    use soc_integration::Face as F;
    let (name, kind, pairs): (&str, _, Vec<(String, String)>) = match face {
        F::Axil => {
            let mapped = ports.iter().filter_map(|port| {
                upper_after(&port.name, "s_axil_").map(|logical| (logical, port.name.clone()))
            });
            ("s_axil", ("interface", "aximm", "1.0"), mapped.collect())
        }
        // hresp has two bits on wujian100's bus and one in the bus definition: it is 0 and stays unmapped.
        F::Ahb => {
            let logical = |name: &str| match name {
                "hsel" => Some("SEL".to_string()),
                "hready" => Some("HREADY_OUT".to_string()),
                "hready_in" => Some("HREADY_IN".to_string()),
                "haddr" | "hprot" | "hsize" | "htrans" | "hwdata" | "hwrite" | "hrdata" => {
                    Some(name.to_uppercase())
                }
                _ => None,
            };
            let mapped = ports.iter().filter_map(|port| Some((logical(&port.name)?, port.name.clone())));
            ("s_ahb", ("interface", "ahblite", "2.0"), mapped.collect())
        }
        F::Apb => {
            let known = ["paddr", "psel", "penable", "pprot", "pwrite", "pwdata", "prdata"];
            let mapped = ports.iter().filter(|port| known.contains(&port.name.as_str()));
            let mapped = mapped.map(|port| (port.name.to_uppercase(), port.name.clone()));
            ("s_apb", ("interface", "apb", "1.0"), mapped.collect())
        }
    };
    let parameters = match face {
        F::Axil => vec![("PROTOCOL", "AXI4LITE".to_string())],
        F::Ahb | F::Apb => Vec::new(),
    };
    Bus { name: name.into(), kind, master: false, ports: pairs, parameters, memory_map: true }
}

fn buses(face: Face, ports: &[Port]) -> Vec<Bus> {
    let mut buses = match face {
        Face::Axis => vec![
            stream(ports, "s_axis_control", false),
            stream(ports, "s_axis_data", false),
            stream(ports, "m_axis_data", true),
        ],
        Face::Slot(face) => vec![slave(face, ports)],
    };
    let (clock, reset) = face.clock_and_reset();
    let names: Vec<&str> = buses.iter().map(|bus| bus.name.as_str()).collect();
    let signal = |name: &str, kind, logical: &str, master, parameters| Bus {
        name: name.into(),
        kind: ("signal", kind, "1.0"),
        master,
        ports: vec![(logical.into(), name.into())],
        parameters,
        memory_map: false,
    };
    let associated = vec![("ASSOCIATED_BUSIF", names.join(":")), ("ASSOCIATED_RESET", reset.to_string())];
    let interrupt = if ports.iter().any(|port| port.name == "intr") { "intr" } else { "interrupt" };
    buses.push(signal(clock, "clock", "CLK", false, associated));
    buses.push(signal(reset, "reset", "RST", false, vec![("POLARITY", "ACTIVE_LOW".into())]));
    let sensitivity = vec![("SENSITIVITY", "LEVEL_HIGH".into())];
    buses.push(signal(interrupt, "interrupt", "INTERRUPT", true, sensitivity));
    buses
}

/// A writer with the few shapes that the file is made of.
struct Xml(XmlWriter);

impl Xml {
    fn element(&mut self, name: &str, inside: impl FnOnce(&mut Xml)) {
        self.0.start_element(&format!("spirit:{name}"));
        inside(self);
        self.0.end_element();
    }

    fn text(&mut self, name: &str, text: &str) {
        self.0.start_element(&format!("spirit:{name}"));
        self.0.set_preserve_whitespaces(true);
        self.0.write_text(text);
        self.0.end_element();
        self.0.set_preserve_whitespaces(false);
    }

    fn attribute(&mut self, name: &str, value: &str) {
        self.0.write_attribute(name, value);
    }

    /// A value that Vivado resolves by its id.
    fn value(&mut self, id: &str, text: &str) {
        self.0.start_element("spirit:value");
        self.attribute("spirit:id", id);
        self.0.set_preserve_whitespaces(true);
        self.0.write_text(text);
        self.0.end_element();
        self.0.set_preserve_whitespaces(false);
    }

    fn kind(&mut self, element: &str, library: &str, name: &str, version: &str) {
        self.element(element, |xml| {
            xml.attribute("spirit:vendor", "xilinx.com");
            xml.attribute("spirit:library", library);
            xml.attribute("spirit:name", name);
            xml.attribute("spirit:version", version);
        });
    }
}

fn bus(xml: &mut Xml, bus: &Bus) {
    xml.element("busInterface", |xml| {
        let (library, name, version) = bus.kind;
        xml.text("name", &bus.name);
        xml.kind("busType", library, name, version);
        xml.kind("abstractionType", library, &format!("{name}_rtl"), version);
        xml.element(if bus.master { "master" } else { "slave" }, |xml| {
            if bus.memory_map {
                xml.element("memoryMapRef", |xml| xml.attribute("spirit:memoryMapRef", &bus.name));
            }
        });
        xml.element("portMaps", |xml| {
            for (logical, physical) in &bus.ports {
                xml.element("portMap", |xml| {
                    xml.element("logicalPort", |xml| xml.text("name", logical));
                    xml.element("physicalPort", |xml| xml.text("name", physical));
                });
            }
        });
        if !bus.parameters.is_empty() {
            xml.element("parameters", |xml| {
                for (name, value) in &bus.parameters {
                    xml.element("parameter", |xml| {
                        xml.text("name", name);
                        xml.value(&format!("BUSIFPARAM_VALUE.{}.{name}", bus.name.to_uppercase()), value);
                    });
                }
            });
        }
    });
}

/// A register; several of one kind are an array, whose words lie one behind the other. One without fields has a field over all of it: readers
/// drop what has none.
fn register(xml: &mut Xml, register: &Register) {
    xml.element("register", |xml| {
        xml.text("name", register.name);
        xml.text("description", register.description);
        if register.count > 1 {
            xml.text("dim", &register.count.to_string());
        }
        xml.text("addressOffset", &format!("0x{:x}", register.offset));
        xml.text("size", "32");
        if register.is_volatile() {
            xml.text("volatile", "true");
        }
        xml.text("access", access(register));
        if let Some(reset) = register.reset {
            xml.element("reset", |xml| xml.text("value", &format!("0x{reset:x}")));
        }
        let whole = [Field { name: register.name, low: 0, width: 32, description: register.description }];
        let fields = if register.fields.is_empty() { &whole[..] } else { register.fields };
        for part in fields {
            xml.element("field", |xml| {
                xml.text("name", part.name);
                xml.text("description", part.description);
                xml.text("bitOffset", &part.low.to_string());
                xml.text("bitWidth", &part.width.to_string());
                if register.is_volatile() {
                    xml.text("volatile", "true");
                }
                xml.text("access", access(register));
                if let Some(effect) = register.write_effect() {
                    xml.text("modifiedWriteValue", effect);
                }
                // No readAction: what fits, modify, ends PeakRDL's elaboration, which takes it for a register that is implemented elsewhere.
                // The descriptions say what a read does, and the SVD file has it.
            });
        }
    });
}

fn access(register: &Register) -> &'static str {
    match register.access {
        Access::Read | Access::Pop => "read-only",
        Access::Push => "write-only",
        Access::ReadWrite | Access::WriteOneToClear => "read-write",
    }
}

fn memory_map(xml: &mut Xml, name: &str) {
    xml.element("memoryMaps", |xml| {
        xml.element("memoryMap", |xml| {
            xml.text("name", name);
            xml.element("addressBlock", |xml| {
                xml.text("name", "registers");
                xml.text("baseAddress", "0x0");
                xml.text("range", &WINDOW_BYTES.to_string());
                xml.text("width", "32");
                xml.text("usage", "register");
                registers().iter().for_each(|one| register(xml, one));
            });
        });
    });
}

/// Views: who reads which files.
const VIEWS: [(&str, &str, &str); 3] = [
    ("xilinx_verilogsynthesis", "verilogSource:vivado.xilinx.com:synthesis", "synthesis_files"),
    ("xilinx_verilogbehavioralsimulation", "verilogSource:vivado.xilinx.com:simulation", "simulation_files"),
    ("xilinx_xpgui", ":vivado.xilinx.com:xgui.ui", "xgui_files"),
];

fn model(xml: &mut Xml, emission: &Emission) {
    xml.element("model", |xml| {
        xml.element("views", |xml| {
            for (name, environment, files) in VIEWS {
                xml.element("view", |xml| {
                    xml.text("name", name);
                    xml.text("envIdentifier", environment);
                    if files != "xgui_files" {
                        xml.text("language", "verilog");
                        xml.text("modelName", &emission.top);
                    }
                    xml.element("fileSetRef", |xml| xml.text("localName", files));
                });
            }
        });
        xml.element("ports", |xml| {
            for port in &emission.ports {
                xml.element("port", |xml| {
                    xml.text("name", &port.name);
                    xml.element("wire", |xml| {
                        xml.text(
                            "direction",
                            match port.direction {
                                Direction::Input => "in",
                                Direction::Output => "out",
                            },
                        );
                        if port.width > 1 {
                            xml.element("vector", |xml| {
                                xml.text("left", &(port.width - 1).to_string());
                                xml.text("right", "0");
                            });
                        }
                        xml.element("wireTypeDefs", |xml| {
                            for (_, _, files) in VIEWS.iter().filter(|(_, _, files)| *files != "xgui_files") {
                                let view = VIEWS.iter().find(|(_, _, other)| other == files);
                                xml.element("wireTypeDef", |xml| {
                                    xml.text("typeName", "wire");
                                    xml.text("viewNameRef", view.map_or("", |(name, ..)| name));
                                });
                            }
                        });
                    });
                });
            }
        });
    });
}

fn file_sets(xml: &mut Xml, files: &[File], gui: &str) {
    let ending = |suffix: &'static str| {
        files.iter().map(|file| file.path.as_str()).filter(move |path| path.ends_with(suffix))
    };
    let list = |xml: &mut Xml, path: &str, kind: (&str, &str)| {
        xml.element("file", |xml| {
            xml.text("name", path);
            xml.text(kind.0, kind.1);
        });
    };
    xml.element("fileSets", |xml| {
        xml.element("fileSet", |xml| {
            xml.text("name", "synthesis_files");
            ending(".xdc").for_each(|path| list(xml, path, ("userFileType", "xdc")));
            ending(".v").filter(|path| path.starts_with("rtl/")).for_each(|path| {
                list(xml, path, ("fileType", "verilogSource"));
            });
        });
        xml.element("fileSet", |xml| {
            xml.text("name", "simulation_files");
            ending(".v").filter(|path| path.starts_with("rtl/")).for_each(|path| {
                list(xml, path, ("fileType", "verilogSource"));
            });
        });
        xml.element("fileSet", |xml| {
            xml.text("name", "xgui_files");
            xml.element("file", |xml| {
                xml.text("name", gui);
                xml.text("fileType", "tclSource");
                xml.text("userFileType", "XGUI_VERSION_2");
            });
        });
    });
}

/// Vendor, library, name and version of a core, as Vivado names it.
pub fn vlnv(emission: &Emission) -> String {
    format!("{VENDOR}:{LIBRARY}:{}:{}", emission.top, version())
}

/// Major and minor version, which are all that a VLNV has.
pub fn version() -> String {
    hdl::VERSION.rsplit_once('.').map_or(hdl::VERSION, |(version, _)| version).to_string()
}

/// A number that another core of the same name has not: by it Vivado sees that one it has kept is no longer the one that is there. 31 bits of
/// the text's hash.
pub fn revision(emission: &Emission) -> u32 {
    let hash = sha256(&emission.verilog);
    let bits = u32::from_str_radix(&hash[..8], 16).expect("a hash is hexadecimal");
    (bits >> 1).max(1)
}

/// The file; `files` are the package's others, `gui` the path of its customisation script.
pub fn text(config: &Config, face: Face, emission: &Emission, files: &[File], gui: &str) -> String {
    let mut xml = Xml(XmlWriter::new(Options { use_single_quote: false, ..Options::default() }));
    xml.0.write_declaration();
    xml.element("component", |xml| {
        xml.attribute("xmlns:spirit", NAMESPACE);
        xml.attribute("xmlns:xilinx", "http://www.xilinx.com");
        xml.attribute("xmlns:xsi", "http://www.w3.org/2001/XMLSchema-instance");
        xml.text("vendor", VENDOR);
        xml.text("library", LIBRARY);
        xml.text("name", &emission.top);
        xml.text("version", &version());
        let buses = buses(face, &emission.ports);
        xml.element("busInterfaces", |xml| buses.iter().for_each(|one| bus(xml, one)));
        if let Some(mapped) = buses.iter().find(|bus| bus.memory_map) {
            memory_map(xml, &mapped.name);
        }
        model(xml, emission);
        file_sets(xml, files, gui);
        xml.text(
            "description",
            &format!(
                "Gomoku search engine: {} x {}, {} in a row, {} levels",
                config.columns, config.rows, config.in_a_row, config.levels
            ),
        );
        xml.element("parameters", |xml| {
            xml.element("parameter", |xml| {
                xml.text("name", "Component_Name");
                xml.value("PARAM_VALUE.Component_Name", &emission.top);
            });
        });
        xml.element("vendorExtensions", |xml| extensions(&mut xml.0, emission));
    });
    xml.0.end_document()
}

fn extensions(xml: &mut XmlWriter, emission: &Emission) {
    xml.start_element("xilinx:coreExtensions");
    xml.start_element("xilinx:supportedFamilies");
    for family in FAMILIES {
        xml.start_element("xilinx:family");
        xml.write_attribute("xilinx:lifeCycle", LIFE_CYCLE);
        xml.set_preserve_whitespaces(true);
        xml.write_text(family);
        xml.end_element();
        xml.set_preserve_whitespaces(false);
    }
    xml.end_element();
    let leaf = |xml: &mut XmlWriter, name: &str, text: &str| {
        xml.start_element(name);
        xml.set_preserve_whitespaces(true);
        xml.write_text(text);
        xml.end_element();
        xml.set_preserve_whitespaces(false);
    };
    xml.start_element("xilinx:taxonomies");
    leaf(xml, "xilinx:taxonomy", "/UserIP");
    xml.end_element();
    leaf(xml, "xilinx:displayName", &format!("Gomoku search engine ({})", emission.top));
    leaf(xml, "xilinx:definitionSource", "package_project");
    leaf(xml, "xilinx:coreRevision", &revision(emission).to_string());
    xml.end_element();
}
