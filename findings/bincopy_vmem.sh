#!/bin/sh
# SPDX-License-Identifier: MIT OR Apache-2.0
# bincopy 20.1.1 reads nothing at all, without an error, from a memory file for $readmemh that names no address, which is how most are written, and loses the words
# before the first `@`. Icarus Verilog and srec_cat put them at address 0. It also refuses the `_`, the single digits and the odd numbers of digits that
# $readmemh allows. Needs Icarus Verilog.
set -eu
command -v iverilog >/dev/null || { echo "Icarus Verilog is needed" >&2; exit 2; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
python3 -m venv v
v/bin/pip install -q bincopy==20.1.1
printf '@0\n01 02\n03 04\n' >address.hex
printf '01 02\n03 04\n' >none.hex
printf '01 02\n@4 03 04\n' >later.hex
printf '@0 0_1 02\n' >underscore.hex
printf '@0 1 2\n' >digit.hex
cat >read.v <<'V'
module read;
  reg [7:0] memory [0:7]; reg [255:0] name; integer i;
  initial begin
    if (!$value$plusargs("file=%s", name)) $finish;
    $readmemh(name, memory);
    for (i = 0; i < 8; i = i + 1) if (memory[i] !== 8'hxx) $write(" %0d:%h", i, memory[i]);
    $display("");
  end
endmodule
V
iverilog -g2005 -o read.vvp read.v
cat >read.py <<'P'
import sys

import bincopy

binary = bincopy.BinFile()
try:
    with open(sys.argv[1]) as text:
        binary.add_verilog_vmem(text.read())
    print("".join(f" {segment.address + at}:{byte:02x}" for segment in binary.segments for at, byte in enumerate(segment.data)))
except Exception as error:
    print(f" {type(error).__name__}: {error}")
P
for file in address none later underscore digit; do
  echo "$file: Icarus Verilog$(vvp -n read.vvp +file=$file.hex 2>&1 | grep -v WARNING); bincopy$(v/bin/python read.py $file.hex)"
done >seen
cat seen
cat >expected <<'E'
address: Icarus Verilog 0:01 1:02 2:03 3:04; bincopy 0:01 1:02 2:03 3:04
none: Icarus Verilog 0:01 1:02 2:03 3:04; bincopy
later: Icarus Verilog 0:01 1:02 4:03 5:04; bincopy 4:03 5:04
underscore: Icarus Verilog 0:01 1:02; bincopy Error: Invalid word length.
digit: Icarus Verilog 0:01 1:02; bincopy Error: Invalid word length.
E
cmp seen expected
