#!/bin/sh
# SPDX-License-Identifier: MIT OR Apache-2.0
# Migen 0.10.0 writes Verilog that calculates something else than its own simulator, and LiteX 2024.12's writer for Migen the same: the simulator keeps integers of
# any size, so that `a - b < 0` is true where Verilog compares unsigned numbers, `~c == 0` of one bit is false for c = 1, and a slice of a signed signal counts
# as signed, so that the sign of what is added to it is lost in Verilog, where a slice has no sign. An unsigned member of an Array beside a signed one
# is read as signed. Nothing warns. Needs Icarus Verilog.
set -eu
command -v iverilog >/dev/null || { echo "Icarus Verilog is needed" >&2; exit 2; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
python3 -m venv v
v/bin/pip install -q migen==0.10.0 litex==2024.12
cat >all.py <<'P'
import subprocess

import litex.gen.fhdl.verilog
import migen.fhdl.verilog
from migen import Array, Module, Signal, run_simulation

expressions = {
    "s + a": lambda a, b, s, t, c: s + a,
    "(a - b) < 0": lambda a, b, s, t, c: (a - b) < 0,
    "(a - b) >> 1": lambda a, b, s, t, c: (a - b) >> 1,
    "~c == 0": lambda a, b, s, t, c: ~c == 0,
    "~a == b": lambda a, b, s, t, c: ~a == b,
    "s[4:8] + t": lambda a, b, s, t, c: s[4:8] + t,
    "Array([s, b])[c]": lambda a, b, s, t, c: Array([s, b])[c],
}
values = {"a": 15, "b": 240, "s": 2, "t": -9, "c": 1}


def build():
    module = Module()
    inputs = [Signal(8, name="a"), Signal(8, name="b"), Signal((8, True), name="s"), Signal((5, True), name="t"), Signal(name="c")]
    outputs = []
    for number, expression in enumerate(expressions.values()):
        output = Signal((20, True), name=f"o{number}")
        module.comb += output.eq(expression(*inputs))
        outputs.append(output)
    return module, inputs, outputs


module, inputs, outputs = build()
simulated = []


def drive():
    for one in inputs:
        yield one.eq(values[one.backtrace[-1][0]])
    yield
    yield
    for one in outputs:
        simulated.append((yield one))


run_simulation(module, drive())
results = [simulated]
for writer in [migen.fhdl.verilog, litex.gen.fhdl.verilog]:
    module, inputs, outputs = build()
    with open("top.v", "w") as text:
        text.write(str(writer.convert(module, ios=set(inputs) | set(outputs), name="top")))
    with open("bench.v", "w") as text:
        wires = "".join(f"  wire signed [19:0] o{number};\n" for number in range(len(expressions)))
        ports = ", ".join(f".{name}({name})" for name in [*values, *(f"o{number}" for number in range(len(expressions)))])
        shown = "".join(f'    $display("%0d", o{number});\n' for number in range(len(expressions)))
        text.write("module bench;\n  reg [7:0] a = 15, b = 240; reg signed [7:0] s = 2; reg signed [4:0] t = -9; reg c = 1;\n"
                   f"{wires}  top unit ({ports});\n  initial begin\n    #1;\n{shown}  end\nendmodule\n")
    subprocess.run(["iverilog", "-g2005", "-o", "bench.vvp", "bench.v", "top.v"], check=True)
    results.append(subprocess.run(["vvp", "-n", "bench.vvp"], check=True, capture_output=True, text=True).stdout.split())
for name, simulation, migen_verilog, litex_verilog in zip(expressions, *results):
    print(f"{name}: simulator {simulation}, Migen's Verilog {migen_verilog}, LiteX's Verilog {litex_verilog}")
P
v/bin/python -W ignore all.py >seen
cat seen
cat >expected <<'E'
s + a: simulator 17, Migen's Verilog 17, LiteX's Verilog 17
(a - b) < 0: simulator 1, Migen's Verilog 0, LiteX's Verilog 0
(a - b) >> 1: simulator -113, Migen's Verilog 524175, LiteX's Verilog 524175
~c == 0: simulator 0, Migen's Verilog 1, LiteX's Verilog 1
~a == b: simulator 0, Migen's Verilog 1, LiteX's Verilog 1
s[4:8] + t: simulator -9, Migen's Verilog 23, LiteX's Verilog 23
Array([s, b])[c]: simulator 240, Migen's Verilog -16, LiteX's Verilog -16
E
cmp seen expected
