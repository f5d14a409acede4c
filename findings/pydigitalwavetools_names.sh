#!/bin/sh
# SPDX-License-Identifier: MIT OR Apache-2.0
# pyDigitalWaveTools 1.2, a reader of VCD: where two names share one code, as a port and the net on it do in what Icarus Verilog writes, the second has no values
# at all, and its JSON does not say whose double it is. A vector that is written bit by bit (`q [1]`, `q [0]`) ends in an AssertionError. vcdvcd 2.6.0
# gives every name its values.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
python3 -m venv v
v/bin/pip install -q pyDigitalWaveTools==1.2 vcdvcd==2.6.0
cat >bits.vcd <<'V'
$timescale 1 ns $end
$scope module top $end
$var wire 1 ! clk $end
$var wire 1 " q [1] $end
$var wire 1 # q [0] $end
$scope module inner $end
$var wire 1 ! clk $end
$upscope $end
$upscope $end
$enddefinitions $end
#0
0!
1"
0#
#5
1!
1#
V
grep -vE ' q |^[01]["#]$' bits.vcd >shared.vcd
cat >read.py <<'P'
from pyDigitalWaveTools.vcd.parser import VcdParser
from vcdvcd import VCDVCD


def show(node, path):
    for child in node["children"]:
        name = f"{path}.{child['name']}"
        if "children" in child:
            show(child, name)
        else:
            print(f"{name}:", len(child["data"]), "values")


for name in ["shared.vcd", "bits.vcd"]:
    print(name, "pyDigitalWaveTools:")
    parser = VcdParser()
    try:
        with open(name) as file:
            parser.parse(file)
        for top in parser.scope.toJson()["children"]:
            show(top, top["name"])
    except AssertionError:
        print("AssertionError")
    print(name, "vcdvcd:")
    waves = VCDVCD(name)
    for signal in waves.signals:
        print(f"{signal}:", len(waves[signal].tv), "values")
P
v/bin/python read.py | tee seen
cat >expected <<'E'
shared.vcd pyDigitalWaveTools:
top.clk: 2 values
top.inner.clk: 0 values
shared.vcd vcdvcd:
top.clk: 2 values
top.inner.clk: 2 values
bits.vcd pyDigitalWaveTools:
AssertionError
bits.vcd vcdvcd:
top.clk: 2 values
top.q[1]: 1 values
top.q[0]: 2 values
top.inner.clk: 2 values
E
cmp seen expected
