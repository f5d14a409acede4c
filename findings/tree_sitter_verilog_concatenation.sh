#!/bin/sh
# SPDX-License-Identifier: MIT OR Apache-2.0
# tree-sitter-verilog 1.0.3: a concatenation whose first member is a bit select or a part select is a syntax error to it,
# though Verilog-2001 has allowed it from the beginning. The same members the other way round are no error, nor is a replication of the part select.
# tree-sitter-systemverilog 0.4.1 parses all of them.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
python3 -m venv v
v/bin/pip install -q tree-sitter==0.26.1 tree-sitter-verilog==1.0.3 tree-sitter-systemverilog==0.4.1
cat >parse.py <<'P'
import tree_sitter
import tree_sitter_systemverilog
import tree_sitter_verilog

EXPRESSIONS = ["{a[7:0], b}", "{a[7], b}", "b & {a[7:0], b}", "{b, a[7:0]}", "{a, b}", "{2{a[7:0]}}"]


def errors(grammar):
    parser = tree_sitter.Parser(tree_sitter.Language(grammar.language()))
    for expression in EXPRESSIONS:
        text = f"module m(input [7:0] a, input b, output [15:0] y);\n  assign y = {expression};\nendmodule\n"
        if parser.parse(text.encode()).root_node.has_error:
            yield expression


for grammar in (tree_sitter_verilog, tree_sitter_systemverilog):
    print(f"{grammar.__name__}: errors in {list(errors(grammar))}")
P
v/bin/python parse.py | tee seen
grep -qxF "tree_sitter_verilog: errors in ['{a[7:0], b}', '{a[7], b}', 'b & {a[7:0], b}']" seen
grep -qxF "tree_sitter_systemverilog: errors in []" seen
