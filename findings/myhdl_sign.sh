#!/bin/sh
# SPDX-License-Identifier: MIT OR Apache-2.0
# MyHDL 0.11.52 converts arithmetic on signed and unsigned signals together to Verilog that calculates something else than its own simulation, without a
# warning: `(s >> 1) + a` and `(a ^ b) - s` lose the sign of s, `(s * a) >> 4` loses the upper half of the product (a $signed() around it makes its
# width that of its operands), `s if c else a` the sign, and `//` and `%` round to zero instead of down. `s + a` is right.
# Needs Icarus Verilog.
set -eu
command -v iverilog >/dev/null || { echo "Icarus Verilog is needed" >&2; exit 2; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
python3 -m venv v
v/bin/pip install -q myhdl==0.11.52
cat >one.py <<'P'
import importlib
import subprocess

from myhdl import Signal, block, delay, instance, intbv

A, B, S = 100, 7, -50
expressions = ["s + a", "(s >> 1) + a", "(a ^ b) - s", "(s * a) >> 4", "s if c else a", "s // 4", "s % 4"]


def signals():
    return dict(a=Signal(intbv(0)[8:]), b=Signal(intbv(0)[8:]), s=Signal(intbv(0, min=-128, max=128)), c=Signal(bool(0)),
                o=Signal(intbv(0, min=-(1 << 19), max=1 << 19)))


for number, expression in enumerate(expressions):
    with open(f"m{number}.py", "w") as text:
        text.write(f"""
from myhdl import always_comb, block

@block
def top(a, b, s, c, o):
    @always_comb
    def one():
        o.next = {expression}
    return one
""")
    importlib.invalidate_caches()
    module = importlib.import_module(f"m{number}")
    simulated = []
    used = signals()

    @block
    def bench():
        unit = module.top(**used)

        @instance
        def drive():
            used["a"].next, used["b"].next, used["s"].next, used["c"].next = A, B, S, 1
            yield delay(1)
            simulated.append(int(used["o"]))

        return unit, drive

    run = bench()
    run.run_sim(quiet=1)
    run.quit_sim()
    module.top(**signals()).convert(hdl="Verilog", name="top", testbench=False)
    with open("bench.v", "w") as text:
        text.write(f"""module bench;
  reg [7:0] a = {A}, b = {B}; reg signed [7:0] s = {S}; reg c = 1; wire signed [19:0] o;
  top unit (.a(a), .b(b), .s(s), .c(c), .o(o));
  initial #1 $display("%0d", o);
endmodule
""")
    subprocess.run(["iverilog", "-g2005", "-o", "bench.vvp", "bench.v", "top.v"], check=True)
    verilog = subprocess.run(["vvp", "-n", "bench.vvp"], check=True, capture_output=True, text=True).stdout.strip()
    print(f"{expression}: MyHDL {simulated[0]}, its Verilog {verilog}")
P
v/bin/python -W ignore one.py >seen
cat seen
cat >expected <<'E'
s + a: MyHDL 50, its Verilog 50
(s >> 1) + a: MyHDL 75, its Verilog 331
(a ^ b) - s: MyHDL 149, its Verilog -107
(s * a) >> 4: MyHDL -313, its Verilog 7
s if c else a: MyHDL -50, its Verilog 206
s // 4: MyHDL -13, its Verilog -12
s % 4: MyHDL 2, its Verilog -2
E
cmp seen expected
