#!/bin/sh
# SPDX-License-Identifier: MIT OR Apache-2.0
# renju 0.1.0 (PyPI), boards and SGF of Gomoku: on the 20x20 board of Gomocup the corner t20, `tt`, that it writes itself comes back as a pass. Of a file with variations
# it plays the moves of all of them one behind another, as one game. Its row 1 is SGF's row a, the upper one: a stone on a1 is at the
# upper left for sgfmill 1.1.1 and every viewer of SGF.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
python3 -m venv v
v/bin/pip install -q renju==0.1.0 sgfmill==1.1.1
cat >read.py <<'P'
from renju.board import RenjuBoard, Rule
from sgfmill import sgf


def sgfmill_moves(text):
    return [node.get_move()[1] for node in sgf.Sgf_game.from_string(text).get_main_sequence()[1:]]


board = RenjuBoard(board_size=20, rule=Rule.FREESTYLE)
for x, y in [(9, 9), (19, 19), (10, 10)]:
    board.play_move(x, y)
text = board.to_sgf()
print("written:", text[text.index(";B") :])
print("read back, x and y:", RenjuBoard.from_sgf(text).moves)
print("sgfmill, row from the bottom and column:", sgfmill_moves(text))
text = "(;GM[4]FF[4]SZ[15];B[hh](;W[ih];B[ii])(;W[hg];B[ig]))"
print("two variations:", RenjuBoard.from_sgf(text).moves)
print("sgfmill's main line:", sgfmill_moves(text))
text = RenjuBoard("a1").to_sgf()
print("a1:", text[text.index(";B") :], "sgfmill:", sgfmill_moves(text))
P
v/bin/python read.py | tee seen
cat >expected <<'E'
written: ;B[jj];W[tt];B[kk])
read back, x and y: [[9, 9], [-1, -1], [10, 10]]
sgfmill, row from the bottom and column: [(10, 9), (0, 19), (9, 10)]
two variations: [[7, 7], [8, 7], [8, 8], [7, 6], [8, 6]]
sgfmill's main line: [(7, 7), (7, 8), (6, 8)]
a1: ;B[aa]) sgfmill: [(14, 0)]
E
cmp seen expected
