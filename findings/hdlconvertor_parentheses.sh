#!/bin/sh
# SPDX-License-Identifier: MIT OR Apache-2.0
# Two libraries that read and write Verilog-2001. hdlConvertor 2.3 with hdlConvertorAst 1.2 writes `(a | b) & c` as `a | b & c`, which is another function, and 4'sd3
# as 4'd3, which makes signed arithmetic unsigned: the result compiles and computes something else. Pyverilog 1.3.0 writes `a[b +: 2]` as
# `a[b:b+2]`, whose bounds are not constant (and one bit too wide), so no tool takes it. Needs Icarus Verilog.
set -eu
command -v iverilog >/dev/null || { echo "Icarus Verilog is needed" >&2; exit 2; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
python3 -m venv v
v/bin/pip install -q hdlConvertor-binary==2.3 hdlConvertorAst==1.2 pyverilog==1.3.0
cat >logic.v <<'V'
module logic_ops (input [7:0] a, input [7:0] b, input [7:0] c, input signed [7:0] s, output [7:0] both, output signed [15:0] sum);
  assign both = (a | b) & c;
  assign sum = s + 4'sd3;
endmodule
V
cat >slice.v <<'V'
module slice (input [7:0] a, input [2:0] b, output [1:0] pair);
  assign pair = a[b +: 2];
endmodule
V
cat >bench.v <<'V'
module bench;
  wire [7:0] both;
  wire signed [15:0] sum;
  logic_ops ops (.a(8'hf0), .b(8'h0f), .c(8'h03), .s(-8'sd5), .both(both), .sum(sum));
  initial #1 $display("(f0 | 0f) & 03 = %h, -5 + 3 = %0d", both, sum);
endmodule
V
cat >convert.py <<'P'
from hdlConvertor import HdlConvertor
from hdlConvertorAst.language import Language
from hdlConvertorAst.to.verilog.verilog2005 import ToVerilog2005
from pyverilog.ast_code_generator.codegen import ASTCodeGenerator
from pyverilog.vparser.parser import parse

context = HdlConvertor().parse(["logic.v"], Language.VERILOG_2005, [], hierarchyOnly=False, debug=False)
with open("logic_written.v", "w") as file:
    ToVerilog2005(file).visit_HdlContext(context)
for name in ["logic", "slice"]:
    with open(f"{name}_pyverilog.v", "w") as file:
        file.write(ASTCodeGenerator().visit(parse([f"{name}.v"])[0]))
P
v/bin/python convert.py >log 2>&1 || { tail -5 log; exit 1; }
computed() { iverilog -g2005 -o bench bench.v "$1" && vvp -n bench; }
{
  echo "as it was: $(computed logic.v)"
  echo "hdlConvertor: $(computed logic_written.v)"
  echo "Pyverilog: $(computed logic_pyverilog.v)"
} | tee seen
echo "Pyverilog: $(grep -o 'pair = .*' slice_pyverilog.v)"
cat >expected <<'E'
as it was: (f0 | 0f) & 03 = 03, -5 + 3 = -2
hdlConvertor: (f0 | 0f) & 03 = f3, -5 + 3 = 254
Pyverilog: (f0 | 0f) & 03 = 03, -5 + 3 = -2
E
cmp seen expected && iverilog -g2005 -o out slice.v && ! iverilog -g2005 -o out slice_pyverilog.v >log 2>&1
