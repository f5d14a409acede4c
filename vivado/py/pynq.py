# SPDX-License-Identifier: MIT OR Apache-2.0
"""The Gomoku core @TOP@ from Python on a Zynq board with PYNQ.

    from pynq import Overlay
    from tengen_pynq import Engine

    overlay = Overlay("tengen.bit")      # with tengen.hwh beside it; pynq/overlay.tcl makes both
    engine = Engine(overlay.tengen_0)
    print(engine.search())               # Decision(move=(7, 7), status='EngineWins' or 'Move' ...)
    engine.play(8, 8)                    # the opponent's move
    print(engine.search(clocks=500_000))

`Engine` takes anything with `read(offset)` and `write(offset, word)`: `overlay.tengen_0`, a `pynq.MMIO`, a simulation.
"""

import time
from collections import namedtuple

#: Byte offsets of the registers; of those that are several, of the first.
REGISTERS = {
@REGISTERS@}
#: Registers `NODES`, one a ply.
NODES = @NODES@

#: What `ID` reads.
IDENTITY = @IDENTITY@
#: Command words.
@COMMANDS@
#: Bits of `STATUS`.
ANSWER, CONTROL_ROOM, DATA_ROOM = @ANSWER@, @CONTROL_ROOM@, @DATA_ROOM@
#: Statuses of answers by their numbers.
STATUS = {
@STATUSES@}
#: The first of those that are errors.
LEAST_ERROR = @LEAST_ERROR@
#: Selectors of `READ`: identity; score and state of the game.
SELECT_IDENTITY, SELECT_GAME = @SELECT_IDENTITY@, @SELECT_GAME@

#: move: (x, y), from the upper left. status: "Move", "EngineWins" or "EngineDraws". score: half-points for the side that moved. clocks: of
#: the core. levels: of the search that the move comes from.
Decision = namedtuple("Decision", "move status score nodes clocks levels")


class EngineError(Exception):
    """The core refused a command, or did not answer; `status` is its status, None if there was no answer."""

    def __init__(self, message, status=None):
        super().__init__(message)
        self.status = status


class Engine:
    """A core that holds one game. Moves are (x, y), 0, 0 in the upper left. `patience`: seconds without an answer that are an error."""

    def __init__(self, registers, patience=10.0):
        self._registers, self._patience = registers, patience
        identity = self.register("ID")
        if identity != IDENTITY:
            raise EngineError(f"no core: ID reads {identity:#x}, not {IDENTITY:#x}; is the overlay this package's?")
        word = self.register("CONFIGURATION")
        #: Board, stones in a row that win, and search levels as built.
        self.columns, self.rows, self.in_a_row, self.levels = (word >> shift & 0xFF for shift in (0, 8, 16, 24))
        # Of another program before, perhaps.
        self._clocks = None
        self.new_game()

    def register(self, name, index=0):
        """A register's value."""
        return self._registers.read(REGISTERS[name] + 4 * index)

    def new_game(self):
        """Empties the board; ends whatever runs."""
        self._wait(CONTROL_ROOM, "takes no command")
        self._registers.write(REGISTERS["CONTROL"], RESET)
        # An answer that was on its way may still be there: this one tells itself apart.
        self._send(READ, SELECT_IDENTITY)
        while self._word() != IDENTITY:
            pass
        self._word()
        self._registers.write(REGISTERS["ERRORS"], self.register("ERRORS"))
        self._limit(0)
        self.set_levels(self.levels)
        #: The moves so far.
        self.moves = []

    def set_position(self, moves):
        """Sets the position after `moves`, from the empty board. On an error the position is as it was."""
        before = self.moves
        self.new_game()
        try:
            for x, y in moves:
                self.play(x, y)
        except EngineError:
            self.new_game()
            for x, y in before:
                self.play(x, y)
            raise

    def play(self, x, y):
        """Plays a move for the side to move, without a search. Returns "Done", "MoverWins" or "MoverDraws"."""
        if not (0 <= x < self.columns and 0 <= y < self.rows):
            raise EngineError(f"{x},{y} is outside the board of {self.columns} x {self.rows}", "Outside")
        status, _, _ = self._call(PLACE, x, y)
        self.moves.append((x, y))
        return status

    def take_back(self):
        """Takes the last move back and returns it."""
        _, x, y = self._call(TAKE_BACK)
        self.moves.pop()
        return x, y

    def set_levels(self, levels):
        """Levels of searches from now on, 1 to those built."""
        if not 1 <= levels <= self.levels:
            raise EngineError(f"{levels} levels: this core has 1 to {self.levels}", "BadArgument")
        self._call(LEVELS, levels)

    def search(self, levels=None, clocks=0):
        """Chooses a move for the side to move and plays it. `levels`: none: as built. `clocks`: within how many of the core's clocks; 0:
        no limit."""
        self.set_levels(self.levels if levels is None else levels)
        self._limit(clocks)
        status, x, y = self._call(SEARCH)
        self.moves.append((x, y))
        self._send(READ, SELECT_GAME)
        score, _ = self._word(), self._word()
        low = self.register("CYCLES_LOW")
        return Decision(
            move=(x, y),
            status=status,
            score=score - (1 << 32) if score >> 31 else score,
            nodes=sum(self.register("NODES", ply) for ply in range(NODES)),
            clocks=self.register("CYCLES_HIGH") << 32 | low,
            levels=self.register("DECIDED_LEVELS"),
        )

    def _limit(self, clocks):
        if not 0 <= clocks < 1 << 32:
            raise EngineError(f"{clocks} clocks: 0 (no limit) to {(1 << 32) - 1}", "BadArgument")
        if clocks != self._clocks:
            self._call(LIMIT, clocks)
            self._clocks = clocks

    def _wait(self, flag, what):
        until = None
        while not self.register("STATUS") & flag:
            # The first look is nearly always enough.
            until = until or time.monotonic() + self._patience
            if time.monotonic() > until:
                raise EngineError(f"the core {what} for {self._patience} s: is its clock running, its reset released?")

    def _send(self, command, *arguments):
        self._wait(CONTROL_ROOM, "takes no command")
        self._registers.write(REGISTERS["CONTROL"], command)
        for word in arguments:
            self._wait(DATA_ROOM, "takes no argument")
            self._registers.write(REGISTERS["DATA_IN"], word)

    def _word(self):
        self._wait(ANSWER, "does not answer")
        return self.register("DATA_OUT")

    def _call(self, command, *arguments):
        self._send(command, *arguments)
        first, second = self._word(), self._word()
        number = first >> 8
        status = STATUS.get(number, f"status {number:#04x}")
        if number >= LEAST_ERROR:
            raise EngineError(f"the core answers {status}", status)
        return status, first & 0xFF, second & 0xFF
