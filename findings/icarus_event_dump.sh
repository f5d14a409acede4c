#!/bin/sh
# SPDX-License-Identifier: MIT OR Apache-2.0
# Icarus Verilog 11 dumps a named event into a VCD file as fired at the time of $dumpvars and again at $dumpon, when it did not fire: here it fires once, at 20, and the
# file and its readers (vcdvcd 2.6.0, pywellen 0.25.7) have it at 0, 20 and 40. Who counts the events of a waveform counts those too.
set -eu
command -v iverilog >/dev/null || { echo "Icarus Verilog is needed" >&2; exit 2; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
python3 -m venv v
v/bin/pip install -q vcdvcd==2.6.0 pywellen==0.25.7
cat >tb.v <<'V'
`timescale 1ns/1ns
module tb;
  event done;
  integer count = 0;
  always @(done) count = count + 1;
  initial begin
    $dumpfile("tb.vcd");
    $dumpvars(0, tb);
    #20 -> done;
    #10 $dumpoff;
    #10 $dumpon;
    #10 $display("fired in the simulation: %0d", count);
    $finish;
  end
endmodule
V
iverilog -g2005 -o tb.vvp tb.v
cat >read.py <<'P'
import pywellen
from vcdvcd import VCDVCD

print("vcdvcd:", *(time for time, _ in VCDVCD("tb.vcd")["tb.done"].tv))
(event,) = [one for one in pywellen.Waveform("tb.vcd").all_vars() if one.name == "done"]
print("pywellen:", *(time for time, _ in event.tv))
P
{
  vvp -n tb.vvp | grep fired
  v/bin/python read.py
} >seen
cat seen
cat >expected <<'E'
fired in the simulation: 1
vcdvcd: 0 20 40
pywellen: 0 20 40
E
cmp seen expected
