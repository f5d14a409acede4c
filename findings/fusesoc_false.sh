#!/bin/sh
# SPDX-License-Identifier: MIT OR Apache-2.0
# FuseSoC 2.4.7 with Edalize 0.6.8: a parameter of a target with `datatype: bool` and `default: false` is not left out. As a vlogdefine the macro is defined
# (as 0), so `ifdef` holds; as a plusarg it is given (as +quick=0), so $test$plusargs holds. The same define goes to Yosys as the word False, which is an
# undeclared name in Verilog. Needs Icarus Verilog.
set -eu
for program in iverilog make; do command -v $program >/dev/null || { echo "$program is needed" >&2; exit 2; }; done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
python3 -m venv tools
tools/bin/pip install -q fusesoc==2.4.7 edalize==0.6.8
cat >bench.v <<'V'
module bench;
`ifdef SLOW
  initial $display("SLOW: defined");
`else
  initial $display("SLOW: not defined");
`endif
  initial if ($test$plusargs("quick")) $display("quick: given"); else $display("quick: not given");
endmodule
V
cat >bench.core <<'C'
CAPI=2:
name: ::bench:0
filesets:
  rtl: {files: [bench.v: {file_type: verilogSource}]}
parameters:
  SLOW: {datatype: bool, paramtype: vlogdefine, default: false}
  quick: {datatype: bool, paramtype: plusarg, default: false}
targets:
  sim: {filesets: [rtl], toplevel: bench, flow: sim, flow_options: {tool: icarus}, parameters: [SLOW, quick]}
  bare: {filesets: [rtl], toplevel: bench, flow: sim, flow_options: {tool: icarus}}
  synth: {filesets: [rtl], toplevel: bench, default_tool: yosys, tools: {yosys: {arch: ecp5}}, parameters: [SLOW]}
C
PATH=$PWD/tools/bin:$PATH
for target in bare sim; do
  fusesoc --cores-root . run --target "$target" bench >log 2>&1 || { tail -20 log; exit 1; }
  sed -n "s/^\(SLOW: \|quick: \)/$target, \1/p" log
done | tee seen
fusesoc --cores-root . run --setup --target synth bench >log 2>&1 || { tail -20 log; exit 1; }
yosys=$(grep -rhoE 'SLOW False' build | head -1)
echo "to Yosys: ${yosys:-something else}"
cat >expected <<'E'
bare, SLOW: not defined
bare, quick: not given
sim, SLOW: defined
sim, quick: given
E
cmp seen expected && [ "$yosys" = "SLOW False" ]
