#!/bin/sh
# SPDX-License-Identifier: MIT OR Apache-2.0
# Three PyPI libraries asked whether Black may play a point in Renju. pygomo-lib 0.1.1 knows only unbroken lines, so it misses two fours in one line and threes with a gap,
# and it refuses a move that makes five if it also makes two threes, though five goes before everything. omok 0.2.0 counts a three whose straight four
# can only come together with a five, which the rules leave out. renju 0.1.0 is right on all of these.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
python3 -m venv v
v/bin/pip install -q renju==0.1.0 omok==0.2.0 pygomo-lib==0.1.1
cat >ask.py <<'P'
import numpy
from omok import renju as omok
from pygomo.board.renju import RenjuBitBoard
from pygomo.protocol.models import Move
from renju.check_forbid import get_foul_type

BLACK, WHITE = 1, 2


def ask(black, white, x, y):
    state = numpy.zeros((15, 15), numpy.uint8)
    columns = [[0] * 15 for _ in range(15)]
    board = RenjuBitBoard()
    # Stones far away, so that it is Black's turn.
    far = [(column, row) for row in (0, 14) for column in range(0, 15, 2)][: len(black) - len(white)]
    for stones, colour in ((black, BLACK), (white + far, WHITE)):
        for column, row in stones:
            state[row, column] = colour
            columns[column][row] = colour
    moves = [move for pair in zip(black, white + far) for move in pair]
    for (column, row), colour in zip(moves, [BLACK, WHITE] * len(moves)):
        assert super(RenjuBitBoard, board).place(Move((column, row)), colour)
    return omok.is_forbidden(state, 15 * y + x), get_foul_type(columns, x, y) != 0, board.is_forbidden(Move((x, y)))

STONES = {
    # black, white, the point
    "two threes": ([(8, 7), (9, 7), (7, 8), (7, 9)], [], (7, 7)),
    "two threes with gaps": ([(8, 7), (10, 7), (7, 8), (7, 10)], [], (7, 7)),
    "two fours in one line": ([(4, 7), (6, 7), (8, 7), (10, 7)], [], (7, 7)),
    "five and two threes": ([(3, 7), (4, 7), (5, 7), (6, 7), (7, 5), (7, 6), (8, 8), (9, 9)], [(2, 7)], (7, 7)),
    "a three and a five's": ([(9, 6), (10, 6), (9, 4), (10, 3), (6, 3), (7, 4), (10, 7)], [], (7, 6)),
}
print("omok, renju, pygomo-lib")
for name, (black, white, (x, y)) in STONES.items():
    print(name + ":", *("forbidden" if answer else "allowed" for answer in ask(black, white, x, y)))
P
v/bin/python ask.py | tee seen
cat >expected <<'E'
omok, renju, pygomo-lib
two threes: forbidden forbidden forbidden
two threes with gaps: forbidden forbidden allowed
two fours in one line: forbidden forbidden allowed
five and two threes: allowed allowed forbidden
a three and a five's: forbidden allowed allowed
E
cmp seen expected
