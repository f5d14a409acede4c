#!/bin/sh
# SPDX-License-Identifier: MIT OR Apache-2.0
# LiteX 2024.12 from PyPI: the header of a generated Verilog file has a line "LiteX sha1", and what stands there is not LiteX's revision but
# that of whatever git repository the installed package lies in: with a virtual environment within a project, as is usual, the project's own
# commit; outside of a repository it is dashes. Two builds by one LiteX differ, and the line never tells which LiteX it was.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
python3 -m venv v
v/bin/pip install -q litex==2024.12
cat >write.py <<'P'
from litex.gen.fhdl.verilog import convert
from migen import Module, Signal

module = Module()
module.out = Signal()
module.comb += module.out.eq(1)
text = str(convert(module, {module.out}, platform=type("P", (), {"device": "none"})()))
print(next(line for line in text.splitlines() if "LiteX sha1" in line))
P
outside=$(v/bin/python write.py)
git init -q
git -c user.name=n -c user.email=e commit -q --allow-empty -m m
own=$(git rev-parse --short HEAD)
inside=$(v/bin/python write.py)
echo "outside of a repository: $outside; in one: $inside; that repository's commit: $own"
case $outside in *--------*) ;; *) exit 1 ;; esac
case $inside in *"$own"*) ;; *) exit 1 ;; esac
