#!/bin/sh
# SPDX-License-Identifier: MIT OR Apache-2.0
# ipxact2systemverilog 1.1.0 makes one register of an IP-XACT register array (`dim`) and nothing of a registerFile, without a word and with exit 0: the functions that
# it generates for reading give 0 at their addresses. Its write function for SystemVerilog writes read-only registers too, which that of its VHDL does not,
# and stores what is written to a field that is cleared by ones. The fork ipxact2sv 1.0.6 does the same in SystemVerilog.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
python3 -m venv v
v/bin/pip install -q ipxact2systemverilog==1.1.0 ipxact2sv==1.0.6
sed 's/<\([/]*\)\([a-z]\)/<\1spirit:\2/g' >dev.xml <<'X'
<component xmlns:spirit="http://www.spiritconsortium.org/XMLSchema/SPIRIT/1.5">
<vendor>v</vendor><library>l</library><name>dev</name><version>1.0</version>
<memoryMaps><memoryMap><name>map</name>
<addressBlock><name>regs</name><baseAddress>0</baseAddress><range>256</range><width>32</width>
<register><name>ID</name><addressOffset>0x0</addressOffset><size>32</size><access>read-only</access>
<field><name>F</name><bitOffset>0</bitOffset><bitWidth>32</bitWidth></field></register>
<register><name>CH</name><dim>3</dim><addressOffset>0x10</addressOffset><size>32</size><access>read-write</access>
<field><name>F</name><bitOffset>0</bitOffset><bitWidth>32</bitWidth><modifiedWriteValue>oneToClear</modifiedWriteValue></field></register>
<registerFile><name>RF</name><addressOffset>0x40</addressOffset><range>16</range>
<register><name>X</name><addressOffset>0x4</addressOffset><size>32</size><access>read-write</access>
<field><name>F</name><bitOffset>0</bitOffset><bitWidth>32</bitWidth></field></register></registerFile>
</addressBlock><addressUnitBits>8</addressUnitBits></memoryMap></memoryMaps></component>
X
for tool in ipxact2systemverilog ipxact2sv; do
  mkdir $tool
  v/bin/$tool -s dev.xml -d $tool >log 2>&1 || { cat log; exit 1; }
  echo "$tool"
  echo "addresses:$(sed -n 's/^const int \(.*\)_addr = \([0-9]*\);/ \1 \2/p' $tool/regs_sv_pkg.sv | tr -d '\n')"
  echo "reads:$(sed -n 's/^ *\([A-Z]*\)_addr: r\[.*/ \1/p' $tool/regs_sv_pkg.sv | tr -d '\n')"
  echo "writes:$(sed -n 's/^ *[A-Z]*_addr: \(r\..*\)/ \1/p' $tool/regs_sv_pkg.sv | tr -d '\n')"
done >seen
v/bin/ipxact2vhdl -s dev.xml -d ipxact2systemverilog >log 2>&1 || { cat log; exit 1; }
echo "VHDL writes:$(sed -n 's/^ *when [A-Z]*_addr => \(r\.[^;]*\);.*/ \1;/p' ipxact2systemverilog/regs_vhd_pkg.vhd | tr -d '\n')" >>seen
cat seen
cat >expected <<'E'
ipxact2systemverilog
addresses: ID 0 CH 16
reads: ID CH
writes: r.ID = data[$bits(registers.ID)-1:0]; r.CH = data[$bits(registers.CH)-1:0];
ipxact2sv
addresses: ID 0 CH 16
reads: ID CH
writes: r.ID = data[$bits(registers.ID)-1:0]; r.CH = data[$bits(registers.CH)-1:0];
VHDL writes: r.CH := sulv_to_CH_record_type(value);
E
cmp seen expected
