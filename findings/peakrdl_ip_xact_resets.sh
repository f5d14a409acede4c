#!/bin/sh
# SPDX-License-Identifier: MIT OR Apache-2.0
# PeakRDL-ipxact 3.5.0 reads the first `reset` of an IP-XACT field, whatever its type, and not its `mask`, without a warning: of a field with a value for a reset of type
# SOFT before that for the hard reset (the one without resetTypeRef) it takes the soft one, and of one whose mask says that only the low four bits have
# a reset value it takes all eight. Register files that are exchanged as IP-XACT get another value after power-up.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
python3 -m venv v
v/bin/pip install -q peakrdl==1.5.0 peakrdl-ipxact==3.5.0 peakrdl-systemrdl==1.0.1 systemrdl-compiler==1.33.0
sed 's/<\([/]*\)\([a-z]\)/<\1ipxact:\2/g' >dev.xml <<'X'
<component xmlns:ipxact="http://www.accellera.org/XMLSchema/IPXACT/1685-2014">
<vendor>v</vendor><library>l</library><name>dev</name><version>1.0</version>
<memoryMaps><memoryMap><name>map</name>
<addressBlock><name>regs</name><baseAddress>0</baseAddress><range>256</range><width>32</width>
<register><name>R</name><addressOffset>0</addressOffset><size>32</size><access>read-write</access>
<field><name>HARD_FIRST</name><bitOffset>0</bitOffset>
<resets><reset><value>'h11</value></reset><reset resetTypeRef="SOFT"><value>'h22</value></reset></resets><bitWidth>8</bitWidth></field>
<field><name>SOFT_FIRST</name><bitOffset>8</bitOffset>
<resets><reset resetTypeRef="SOFT"><value>'h22</value></reset><reset><value>'h11</value></reset></resets><bitWidth>8</bitWidth></field>
<field><name>SOFT_ONLY</name><bitOffset>16</bitOffset>
<resets><reset resetTypeRef="SOFT"><value>'h22</value></reset></resets><bitWidth>8</bitWidth></field>
<field><name>MASKED</name><bitOffset>24</bitOffset>
<resets><reset><value>'hFA</value><mask>'h0F</mask></reset></resets><bitWidth>8</bitWidth></field>
</register></addressBlock><addressUnitBits>8</addressUnitBits></memoryMap></memoryMaps>
<resetTypes><resetType><name>SOFT</name></resetType></resetTypes></component>
X
v/bin/peakrdl systemrdl dev.xml -o dev.rdl >log 2>&1 || { cat log; exit 1; }
{
  sed -n 's/^ *} \([A-Z_]*\)\[.*\] = \(.*\);/\1 \2/p' dev.rdl
  echo "lines that warn: $(grep -ci warn log || true)"
} >seen
cat seen
cat >expected <<'E'
HARD_FIRST 0x11
SOFT_FIRST 0x22
SOFT_ONLY 0x22
MASKED 0xFA
lines that warn: 0
E
cmp seen expected
