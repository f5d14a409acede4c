#!/bin/sh
# SPDX-License-Identifier: MIT OR Apache-2.0
# Two Python readers of CMSIS-SVD on one valid file. cmsis-svd 0.6: a register derived from another has no fields unless it has a description of its own, a derived
# enumeration is empty, a cluster's access does not reach its registers, a size of `4K` is None. PeakRDL-svd 0.1.0: `#10`, in SVD binary, is 16, a
# register derived from another keeps the other's reset value beside its own, the array T%s with the dimIndex A-B is T0 and T1.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
python3 -m venv v
v/bin/pip install -q cmsis-svd==0.6 peakrdl-svd==0.1.0 peakrdl==1.5.0 peakrdl-systemrdl==1.0.1 systemrdl-compiler==1.33.0
cat >start.xml <<'X'
<?xml version="1.0" encoding="utf-8"?>
<device schemaVersion="1.3"><vendor>V</vendor><name>D</name><version>1.0</version><description>d</description>
<addressUnitBits>8</addressUnitBits><width>32</width>
<size>32</size><access>read-only</access><resetValue>0</resetValue><resetMask>0xFFFFFFFF</resetMask>
<peripherals><peripheral><name>P</name><description>d</description><baseAddress>0x40000000</baseAddress>
<addressBlock><offset>0</offset><size>SIZE</size><usage>registers</usage></addressBlock>
<registers>
<register><name>A</name><description>d</description><addressOffset>0</addressOffset><resetValue>5</resetValue><fields>
<field><name>F</name><bitRange>[7:0]</bitRange><enumeratedValues><name>E</name>
<enumeratedValue><name>two</name><value>#10</value></enumeratedValue></enumeratedValues></field>
<field><name>G</name><bitRange>[15:8]</bitRange><enumeratedValues derivedFrom="P.A.F.E"/></field></fields></register>
<register derivedFrom="A"><name>B</name><addressOffset>4</addressOffset><resetValue>7</resetValue></register>
<register derivedFrom="A"><name>D</name><description>d</description><addressOffset>0x10</addressOffset></register>
<register><dim>2</dim><dimIncrement>4</dimIncrement><dimIndex>A-B</dimIndex><name>T%s</name><description>d</description><addressOffset>8</addressOffset>
<fields><field><name>F</name><bitRange>[7:0]</bitRange></field></fields></register>
<cluster><name>C</name><description>d</description><addressOffset>0x20</addressOffset><access>read-write</access>
<register><name>R</name><description>d</description><addressOffset>0</addressOffset><fields><field><name>F</name><bitRange>[7:0]</bitRange></field></fields></register>
</cluster>
</registers></peripheral></peripherals></device>
X
sed 's/SIZE/4K/' start.xml >device.svd
cat >read.py <<'P'
from cmsis_svd.parser import SVDParser

device = SVDParser.for_xml_file("device.svd").get_device()
(peripheral,) = device.peripherals
registers = {register.name: register for register in peripheral.get_registers()}
print("names:", " ".join(registers))
for name in "ABD":
    print(f"fields of {name}:", " ".join(field.name for field in registers[name].fields or []))
print("size of the block:", peripheral.address_blocks[0].size)
print("access of C.R:", registers["C_R"].access.value)
for field in registers["A"].fields:
    print(f"values of {field.name}:", " ".join(f"{one.name}={one.value}" for one in field.enumerated_values[0].enumerated_values) if field.enumerated_values else "none")
P
echo "cmsis-svd" | tee seen
v/bin/python read.py | tee -a seen
echo "PeakRDL-svd" | tee -a seen
v/bin/peakrdl systemrdl device.svd -o device.rdl >log 2>&1 || { cat log; exit 1; }
# An enumeration's value, F's reset values of A and B, the names of the two registers of the array.
{
  echo "value of two: $(sed -n 's/.*two = \(.*\);/\1/p' device.rdl | sort -u)"
  echo "resets of F in A and B: $(sed -n 's/.* F\[7:0\] = \(.*\);/\1/p' device.rdl | head -2 | tr '\n' ' ')"
  echo "array: $(grep -oE '} T[^ ]* @' device.rdl | tr -d '}@' | tr -s ' \n' ' ')"
} | tee -a seen
cat >expected <<'E'
cmsis-svd
names: A B D TA TB C_R
fields of A: F G
fields of B: 
fields of D: F G
size of the block: None
access of C.R: read-only
values of F: two=2
values of G: 
PeakRDL-svd
value of two: 16
resets of F in A and B: 0x5 0x5 
array:  T0 T1 
E
sed 's/ *$//; s/:  */: /' seen >seen.plain
sed 's/ *$//; s/:  */: /' expected | cmp - seen.plain
