#!/bin/sh
# SPDX-License-Identifier: MIT OR Apache-2.0
# PeakRDL-ipxact 3.5.0 with systemrdl-compiler 1.33.0: a field whose readAction is `modify`, which IEEE 1685 allows of any field, becomes
# SystemRDL's `onread = ruser`, and that the compiler allows for external registers only. So a valid component.xml is imported and then cannot be
# elaborated; IP-XACT has no word for external. The same file without the readAction elaborates.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
python3 -m venv v
v/bin/pip install -q peakrdl-ipxact==3.5.0 systemrdl-compiler==1.33.0
component() {
  cat <<X
<?xml version="1.0"?>
<spirit:component xmlns:spirit="http://www.spiritconsortium.org/XMLSchema/SPIRIT/1685-2009">
<spirit:vendor>v</spirit:vendor><spirit:library>l</spirit:library><spirit:name>n</spirit:name><spirit:version>1</spirit:version>
<spirit:memoryMaps><spirit:memoryMap><spirit:name>m</spirit:name><spirit:addressBlock><spirit:name>b</spirit:name>
<spirit:baseAddress>0</spirit:baseAddress><spirit:range>4</spirit:range><spirit:width>32</spirit:width>
<spirit:register><spirit:name>POP</spirit:name><spirit:addressOffset>0</spirit:addressOffset><spirit:size>32</spirit:size><spirit:access>read-only</spirit:access>
<spirit:field><spirit:name>WORD</spirit:name><spirit:bitOffset>0</spirit:bitOffset><spirit:bitWidth>32</spirit:bitWidth><spirit:access>read-only</spirit:access>$1</spirit:field>
</spirit:register></spirit:addressBlock></spirit:memoryMap></spirit:memoryMaps></spirit:component>
X
}
component "" >plain.xml
component "<spirit:readAction>modify</spirit:readAction>" >modify.xml
cat >read.py <<'P'
import sys
from peakrdl_ipxact import IPXACTImporter
from systemrdl import RDLCompileError, RDLCompiler

compiler = RDLCompiler()
IPXACTImporter(compiler).import_file(sys.argv[1])
try:
    compiler.elaborate()
    print("elaborated")
except RDLCompileError:
    print("refused")
P
plain=$(v/bin/python read.py plain.xml 2>/dev/null)
modify=$(v/bin/python read.py modify.xml 2>seen)
echo "without readAction: $plain; with modify: $modify"
grep -o "The 'onread' property is set to 'ruser'.*" seen
[ "$plain" = elaborated ] && [ "$modify" = refused ]
