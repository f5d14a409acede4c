#!/bin/sh
# SPDX-License-Identifier: MIT OR Apache-2.0
# FuseSoC 2.4.7 with edalize 0.6.8, a target by the flow API whose option `tool` is icarus: `run --target sim --tool verilator CORE` takes the option
# without a word and sets Icarus Verilog up; `run --target sim CORE --tool verilator` sets Verilator up.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
python3 -m venv v
v/bin/pip install -q fusesoc==2.4.7 edalize==0.6.8
mkdir core
cat >core/c.core <<'C'
CAPI=2:
name: "v:l:c:1"
filesets:
  rtl:
    files: [c.v: {file_type: verilogSource}]
targets:
  default: {filesets: [rtl]}
  sim:
    flow: sim
    flow_options: {tool: icarus, mode: lint-only}
    filesets: [rtl]
    toplevel: c
C
echo 'module c; initial $finish; endmodule' >core/c.v
v/bin/fusesoc library add c "$work/core" >/dev/null 2>&1
tool() { # What was set up: Icarus Verilog has a file of its commands.
  if find build -name '*.scr' | grep -q .; then echo icarus; else find build -name '*.vc' | grep -q . && echo verilator; fi
  rm -rf build
}
v/bin/fusesoc run --setup --target sim --tool verilator v:l:c >/dev/null 2>&1
before=$(tool)
v/bin/fusesoc run --setup --target sim v:l:c --tool verilator >/dev/null 2>&1
behind=$(tool)
echo "before the core's name: $before; behind it: $behind"
[ "$before" = icarus ] && [ "$behind" = verilator ]
