# SPDX-License-Identifier: MIT OR Apache-2.0
"""The package's PYNQ module against the RTL, by cocotbpynq in Icarus Verilog: what it would do on a board, through AXI4-Lite.

    pynq_game.py PACKAGE WORK CONFIG PROGRAM...

PACKAGE: a folder with AXI4-Lite registers. WORK: an empty folder. PROGRAM: tengen, whose model says what is right.
"""

import json
import os
import re
import subprocess
import sys
from xml.etree import ElementTree

BASE = 0x4000_0000


def mounted(package, slot):
    """The slot as cocotbpynq 0.2 wants one, a module `mounted`: its clock is called clk, by which name alone it resets; and the write
    address is taken before the data is there, which its master waits for though AXI forbids it."""
    text = open(os.path.join(package, "rtl", f"{slot}.v")).read()
    ports = re.search(rf"module {slot} \((.*?)\n\);", text, re.S).group(1)
    names = re.findall(r"(\w+),?$", ports, re.M)
    wires = re.sub(r"\baclk\b", "clk", ports.replace("output reg", "output wire"))
    inner = {"aclk": "clk", "s_axil_awaddr": "address", "s_axil_awvalid": "held", "s_axil_awready": "taken"}
    connections = ", ".join(f".{name}({inner.get(name, name)})" for name in names)
    return f"""module mounted ({wires}
);
  reg held;
  reg [11:0] address;
  wire taken;
  assign s_axil_awready = ~held;
  always @(posedge clk) begin
    held <= aresetn & (held ? ~taken : s_axil_awvalid);
    if (~held) address <= s_axil_awaddr;
  end
  {slot} slot ({connections});
endmodule
"""


def handoff(package, top):
    """A hardware handoff of the overlay, as far as cocotbpynq reads one: Vivado writes it, and is not here."""
    design = ElementTree.Element("EDKSYSTEM")
    modules = ElementTree.SubElement(design, "MODULES")
    system = ElementTree.SubElement(
        modules, "MODULE", FULLNAME="/ps", INSTANCE="ps", MODTYPE="processing_system7", VLNV="xilinx.com:ip:processing_system7:5.5"
    )
    ranges = ElementTree.SubElement(system, "MEMORYMAP")
    ElementTree.SubElement(
        ranges, "MEMRANGE", INSTANCE="tengen_0", BASEVALUE=hex(BASE), HIGHVALUE=hex(BASE + 0xFFFF), SLAVEBUSINTERFACE="s_axil"
    )
    core = ElementTree.SubElement(
        modules, "MODULE", FULLNAME="/tengen_0", INSTANCE="tengen_0", MODTYPE=top, VLNV=f"tengen:gomoku:{top}:0.1"
    )
    ports = ElementTree.SubElement(core, "PORTS")
    ElementTree.SubElement(ports, "PORT", NAME="clk", DIR="I", SIGIS="clk")
    ElementTree.SubElement(ports, "PORT", NAME="aresetn", DIR="I", SIGIS="rst", POLARITY="ACTIVE_LOW")
    buses = ElementTree.SubElement(core, "BUSINTERFACES")
    bus = ElementTree.SubElement(buses, "BUSINTERFACE", BUSNAME="s_axil", NAME="s_axil", TYPE="SLAVE")
    maps = ElementTree.SubElement(bus, "PORTMAPS")
    spirit = {"spirit": "http://www.spiritconsortium.org/XMLSchema/SPIRIT/1685-2009"}
    component = ElementTree.parse(os.path.join(package, "component.xml"))
    for interface in component.iterfind(".//spirit:busInterface", spirit):
        if interface.findtext("spirit:name", namespaces=spirit) == "s_axil":
            for entry in interface.iterfind(".//spirit:portMap", spirit):
                logical = entry.findtext("spirit:logicalPort/spirit:name", namespaces=spirit)
                physical = entry.findtext("spirit:physicalPort/spirit:name", namespaces=spirit)
                ElementTree.SubElement(maps, "PORTMAP", LOGICAL=logical, PHYSICAL=physical)
    return ElementTree.tostring(design)


def play(dut):
    """What a notebook does."""
    from cocotbpynq import MMIO, Overlay

    sys.path.insert(0, os.environ["PACKAGE_PYNQ"])
    from tengen_pynq import Engine, EngineError

    Overlay("tengen.bit")
    engine = Engine(MMIO(BASE, 0x1000))
    free = lambda: next((x, y) for y in range(engine.rows) for x in range(engine.columns) if (x, y) not in engine.moves)
    searches = []

    def search(**limits):
        before = list(engine.moves)
        decision = engine.search(**limits)
        searches.append({"moves": before, "levels": limits.get("levels"), "limited": "clocks" in limits, "decision": decision._asdict()})
        return decision

    while True:
        if search().status != "Move":
            break
        if engine.play(*free()) != "Done":
            break
    for refused, status in [(lambda: engine.play(*free()), "GameOver"), (lambda: engine.play(engine.columns, 0), "Outside")]:
        try:
            refused()
            raise AssertionError(f"{status} was not refused")
        except EngineError as error:
            assert error.status == status, error.status
    # The game is as it was: its last move comes back.
    assert engine.take_back() == searches[-1]["decision"]["move"] or len(engine.moves) % 2
    before = list(engine.moves)
    try:
        engine.set_position([(1, 1), (1, 1)])
        raise AssertionError("an occupied cell was not refused")
    except EngineError as error:
        assert error.status == "Occupied", error.status
    assert engine.moves == before
    engine.set_position([(1, 1), (2, 2), (3, 1)])
    search(levels=1)
    engine.set_position([(1, 1), (2, 2), (3, 1)])
    first = search(clocks=1)
    assert first.levels == 2, first
    with open(os.environ["SEARCHES"], "w") as file:
        json.dump(searches, file)


def main():
    package, work, config, *program = sys.argv[1:]
    package, work = os.path.abspath(package), os.path.abspath(work)
    name = next(file for file in os.listdir(os.path.join(package, "rtl")) if file.endswith("_axil_slot.v"))
    top = name.removesuffix(".v")
    with open(os.path.join(work, "tengen.hwh"), "wb") as file:
        file.write(handoff(package, "mounted"))
    wrapper = os.path.join(work, "mounted.v")
    with open(wrapper, "w") as file:
        file.write(mounted(package, top))
    from cocotb_tools.check_results import get_results
    from cocotb_tools.runner import get_runner

    runner = get_runner("icarus")
    runner.build(
        sources=[os.path.join(package, "rtl", name), wrapper],
        hdl_toplevel="mounted",
        build_dir=work,
        build_args=["-g2001"],
        timescale=("1ns", "1ps"),
    )
    searches = os.path.join(work, "searches.json")
    results = runner.test(
        hdl_toplevel="mounted",
        hdl_toplevel_lang="verilog",
        test_module="pynq_game",
        test_dir=os.path.dirname(os.path.abspath(__file__)),
        build_dir=work,
        results_xml=os.path.join(work, "results.xml"),
        extra_env={
            "HWH_LOCATION_DIR": work,
            "COCOTB_SYS_ARGV": "",
            "PACKAGE_PYNQ": os.path.join(package, "pynq"),
            "SEARCHES": searches,
            "PYTHONDONTWRITEBYTECODE": "1",
        },
    )
    tests, failed = get_results(results)
    assert tests and not failed, f"{tests} tests, {failed} failed"
    compared = 0
    for search in json.load(open(searches)):
        moves = " ".join(f"{x},{y}" for x, y in search["moves"])
        levels = ["--levels", str(search["levels"])] if search["levels"] else []
        answer = subprocess.run([*program, "solve", moves, "--config", config, "--json", *levels], check=True, capture_output=True)
        iterations = json.loads(answer.stdout)["iterations"]
        # Under a limit of one clock the core answers its first iteration.
        right, decision = iterations[0 if search["limited"] else -1], search["decision"]
        shown = "{},{}".format(*decision["move"])
        assert (shown, decision["score"]) == (right["move"], right["score"]), (search, right)
        compared += 1
    print(f"{compared} decisions through PYNQ's registers, 0 mismatches")


if __name__ == "__main__":
    main()
elif "COCOTB_SYS_ARGV" in os.environ:
    from cocotbpynq import synctest

    a_game = synctest(play)
