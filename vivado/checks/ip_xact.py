# SPDX-License-Identifier: MIT OR Apache-2.0
"""Every port, bus interface and file of component.xml, read by ipyxact; every register and field, by PeakRDL. python ip_xact.py PACKAGE"""

import json, re, sys
from ipyxact.ipyxact import Component

folder = sys.argv[1]
component = Component()
component.load(folder + "/component.xml")
top = component.name
verilog = open(f"{folder}/rtl/{top}.v").read()
header = re.search(r"module " + top + r" \((.*?)\);", verilog, re.S).group(1)
ports = {line.split()[-1]: line.split()[0] for line in re.split(r",\s*", header.strip())}
read = {port.name: port.wire.direction for port in component.model.ports.port}
assert read == {name: direction.replace("put", "") for name, direction in ports.items()}, read
mapped = [m.physicalPort.name for b in component.busInterfaces.busInterface for m in b.portMaps.portMap]
assert len(component.busInterfaces.busInterface) >= 4 and set(mapped) <= set(ports), mapped
manifest = [file["path"] for file in json.load(open(folder + "/manifest.json"))["files"]]
files = [file.name for files in component.fileSets.fileSet for file in files.file]
assert files and set(files) <= set(manifest), files

registers = 0
if component.memoryMaps:
    from peakrdl_ipxact import IPXACTImporter
    from systemrdl import RDLCompiler
    from systemrdl.node import FieldNode, RegNode

    compiler = RDLCompiler()
    IPXACTImporter(compiler).import_file(folder + "/component.xml")
    block = compiler.elaborate()
    found = [node for node in block.descendants(unroll=False) if isinstance(node, RegNode)]
    assert all(any(isinstance(child, FieldNode) for child in node.children()) for node in found)
    names = [node.inst_name for node in found]
    assert {"CONTROL", "DATA_IN", "DATA_OUT", "SCRATCH", "NODES"} <= set(names), names
    nodes = found[names.index("NODES")]
    assert nodes.is_array and nodes.array_stride == 4, nodes
    registers = len(found)
print(f"{top}: {registers} registers, {len(ports)} ports, {len(component.busInterfaces.busInterface)} bus interfaces, {len(files)} files")
