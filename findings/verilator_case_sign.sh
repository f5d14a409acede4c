#!/bin/sh
# SPDX-License-Identifier: MIT OR Apache-2.0
# Verilator 5.006, Debian 12's, compares each item of a `case` with the selector by itself: with a signed selector, one signed and one unsigned item (-1 and 8'hfe) it
# takes the branch of -1 for -1 and the default for -2. By the standard one unsigned item makes all of them unsigned and 32 bits wide, so that 8'hff is
# not -1: Icarus Verilog, Yosys 0.23 and slang 12.1 take the default for -1 and the branch of 8'hfe for -2. Needs Debian 12's Verilator and Icarus Verilog.
set -eu
command -v iverilog >/dev/null && command -v verilator >/dev/null && command -v yosys >/dev/null || { echo "Icarus Verilog, Verilator and Yosys are needed" >&2; exit 2; }
case $(verilator --version) in "Verilator 5.006 "*) ;; *) echo "Verilator 5.006 is needed" >&2; exit 2 ;; esac
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
python3 -m venv v
v/bin/pip install -q pyslang==12.1.0
cat >top.v <<'V'
module top (input signed [7:0] s, output reg [1:0] taken);
  always @* case (s)
    -1: taken = 1;
    8'hfe: taken = 2;
    default: taken = 0;
  endcase
endmodule
V
cat >bench.v <<'V'
module bench;
  reg signed [7:0] s; wire [1:0] taken;
  top unit (.s(s), .taken(taken));
  initial begin
    s = -1; #1 $write("for -1: %0d", taken);
    s = -2; #1 $display(", for -2: %0d", taken);
    $finish;
  end
endmodule
V
cat >constant.sv <<'V'
module constant;
  function automatic integer taken(input signed [7:0] s);
    case (s) -1: taken = 1; 8'hfe: taken = 2; default: taken = 0; endcase
  endfunction
  localparam A = taken(-1), B = taken(-2);
endmodule
V
cat >constant.py <<'P'
import pyslang

compilation = pyslang.ast.Compilation()
compilation.addSyntaxTree(pyslang.syntax.SyntaxTree.fromFile("constant.sv"))
compilation.getAllDiagnostics()
body = compilation.getRoot().topInstances[0].body
print(f"for -1: {body.find('A').value}, for -2: {body.find('B').value}")
P
iverilog -g2005 -o bench.vvp bench.v top.v
yosys -q -p "read_verilog top.v; synth -top top; write_verilog -noattr netlist.v" >log 2>&1 || { tail -5 log; exit 1; }
iverilog -g2005 -o netlist.vvp bench.v netlist.v
verilator --binary -Wno-fatal --top-module bench --Mdir out bench.v top.v >log 2>&1 || { tail -5 log; exit 1; }
{
  echo "Icarus Verilog: $(vvp -n bench.vvp | grep for)"
  echo "Yosys: $(vvp -n netlist.vvp | grep for)"
  echo "slang: $(v/bin/python constant.py)"
  echo "Verilator: $(out/Vbench | grep for)"
} >seen
cat seen
cat >expected <<'E'
Icarus Verilog: for -1: 0, for -2: 2
Yosys: for -1: 0, for -2: 2
slang: for -1: 0, for -2: 2
Verilator: for -1: 1, for -2: 0
E
cmp seen expected
