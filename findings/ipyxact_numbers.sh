#!/bin/sh
# SPDX-License-Identifier: MIT OR Apache-2.0
# ipyxact 0.3.2, FuseSoC's reader of IP-XACT: of the numbers that IEEE 1685-2009 allows (scaledInteger: 0x or # for hexadecimal, then K, M, G or T),
# it takes `#1B` for 1 without a word, and refuses `1M`, `4k` and `0x1K`. A boolean is text to it: the condition `if register.volatile` holds
# for `false` as well.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
python3 -m venv v
v/bin/pip install -q ipyxact==0.3.2
cat >read.py <<'P'
import io

from ipyxact.ipyxact import Component

TEXT = """<?xml version="1.0"?>
<spirit:component xmlns:spirit="http://www.spiritconsortium.org/XMLSchema/SPIRIT/1685-2009">
<spirit:vendor>v</spirit:vendor><spirit:library>l</spirit:library><spirit:name>n</spirit:name><spirit:version>1</spirit:version>
<spirit:memoryMaps><spirit:memoryMap><spirit:name>m</spirit:name><spirit:addressBlock><spirit:name>b</spirit:name>
<spirit:baseAddress>0</spirit:baseAddress><spirit:range>{range}</spirit:range><spirit:width>32</spirit:width>
<spirit:register><spirit:name>r</spirit:name><spirit:addressOffset>0</spirit:addressOffset><spirit:size>32</spirit:size>
<spirit:volatile>false</spirit:volatile><spirit:access>read-only</spirit:access></spirit:register>
</spirit:addressBlock></spirit:memoryMap></spirit:memoryMaps></spirit:component>"""

for number in ["0x1B", "4K", "#1B", "1M", "4k", "0x1K"]:
    component = Component()
    try:
        component.load(io.StringIO(TEXT.format(range=number)))
        block = component.memoryMaps.memoryMap[0].addressBlock[0]
        print(f"range {number}: {block.range}")
    except ValueError:
        print(f"range {number}: refused")
component.load(io.StringIO(TEXT.format(range="4K")))
print("volatile false:", bool(component.memoryMaps.memoryMap[0].addressBlock[0].register[0].volatile))
P
v/bin/python read.py | tee seen
for line in "range 0x1B: 27" "range 4K: 4096" "range #1B: 1" "range 1M: refused" "range 4k: refused" "range 0x1K: refused" "volatile false: True"; do
  grep -qxF "$line" seen
done
