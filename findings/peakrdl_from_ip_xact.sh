#!/bin/sh
# SPDX-License-Identifier: MIT OR Apache-2.0
# PeakRDL 1.5.0 with PeakRDL-ipxact 3.5.0: registers that are read from IP-XACT are neither external nor internal to it, so the outputs that ask
# (regblock 1.3.1, rust 0.7.4) end in an AssertionError, while systemrdl works. Converted to SystemRDL first, the same
# registers are taken by both.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
python3 -m venv v
v/bin/pip install -q peakrdl==1.5.0 peakrdl-ipxact==3.5.0 systemrdl-compiler==1.33.0 peakrdl-regblock==1.3.1 peakrdl-rust==0.7.4 \
  peakrdl-systemrdl==1.0.1
cat >component.xml <<'X'
<?xml version="1.0"?>
<spirit:component xmlns:spirit="http://www.spiritconsortium.org/XMLSchema/SPIRIT/1685-2009">
<spirit:vendor>v</spirit:vendor><spirit:library>l</spirit:library><spirit:name>n</spirit:name><spirit:version>1</spirit:version>
<spirit:memoryMaps><spirit:memoryMap><spirit:name>m</spirit:name><spirit:addressBlock><spirit:name>b</spirit:name>
<spirit:baseAddress>0</spirit:baseAddress><spirit:range>4</spirit:range><spirit:width>32</spirit:width>
<spirit:register><spirit:name>R</spirit:name><spirit:addressOffset>0</spirit:addressOffset><spirit:size>32</spirit:size><spirit:access>read-write</spirit:access>
<spirit:field><spirit:name>F</spirit:name><spirit:bitOffset>0</spirit:bitOffset><spirit:bitWidth>32</spirit:bitWidth><spirit:access>read-write</spirit:access></spirit:field>
</spirit:register></spirit:addressBlock></spirit:memoryMap></spirit:memoryMaps></spirit:component>
X
outcome() { # FILE FORMAT
  if v/bin/peakrdl "$2" "$1" -o "out-$2" >log 2>&1; then echo works; else tail -n 1 log; fi
}
straight="regblock $(outcome component.xml regblock), rust $(outcome component.xml rust), systemrdl $(outcome component.xml systemrdl)"
mv out-systemrdl registers.rdl
converted="regblock $(outcome registers.rdl regblock), rust $(outcome registers.rdl rust)"
echo "from IP-XACT: $straight; by way of SystemRDL: $converted"
[ "$straight" = "regblock AssertionError, rust AssertionError, systemrdl works" ] && [ "$converted" = "regblock works, rust works" ]
