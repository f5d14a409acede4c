#!/bin/sh
# SPDX-License-Identifier: MIT OR Apache-2.0
# PyPI's wavedrom 2.0.3.post3 draws an empty picture, without an error, from a WaveDrom source in JavaScript's notation that has no space after its colons,
# `{signal:[{name:'clk',wave:'p.Pn'}]}`: it reads the text as YAML, where that is another key. WaveDrom itself (wavedrom-cli 3.2.0 of npm) draws it; with
# spaces, or with names in double quotes, the Python package does too. Needs Node.js with npm.
set -eu
command -v npm >/dev/null || { echo "Node.js with npm is needed" >&2; exit 2; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
python3 -m venv v
v/bin/pip install -q wavedrom==2.0.3.post3
npm install --silent --no-fund --no-audit wavedrom-cli@3.2.0 >log 2>&1 || { cat log; exit 1; }
cat >draw.py <<'P'
import sys

import wavedrom

with open(sys.argv[1]) as text:
    drawing = wavedrom.render(text.read()).tostring()
with open(sys.argv[2], "w") as text:
    text.write(drawing)
P
show() { # TEXT
  printf '%s' "$1" >source.json5
  v/bin/python draw.py source.json5 python.svg
  node_modules/.bin/wavedrom-cli -i source.json5 -s node.svg
  echo "$1: bricks drawn by Python $(grep -o '<use' python.svg | wc -l), by WaveDrom $(grep -o '<use' node.svg | wc -l)"
}
{
  show "{signal:[{name:'clk',wave:'p.Pn'}]}"
  show "{signal: [{name:'clk', wave:'p.Pn'}]}"
  show "{signal: [{name: 'clk', wave: 'p.Pn'}]}"
  show '{"signal":[{"name":"clk","wave":"p.Pn"}]}'
} >seen
cat seen
cat >expected <<'E'
{signal:[{name:'clk',wave:'p.Pn'}]}: bricks drawn by Python 0, by WaveDrom 8
{signal: [{name:'clk', wave:'p.Pn'}]}: bricks drawn by Python 0, by WaveDrom 8
{signal: [{name: 'clk', wave: 'p.Pn'}]}: bricks drawn by Python 8, by WaveDrom 8
{"signal":[{"name":"clk","wave":"p.Pn"}]}: bricks drawn by Python 8, by WaveDrom 8
E
cmp seen expected
