/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Driver for a Gomoku core behind registers: AHB-Lite, APB or AXI4-Lite, bare metal or not, C99.
 *
 * It keeps nothing but the address. Functions that wait read STATUS a bounded number of times and return false when the core
 * keeps silent: then there is none at that address, or it is held in reset. A search takes longer than that: begin it with
 * tengen_play or tengen_search and ask tengen_poll, or enable the interrupt and take the answer in its handler.
 *
 * Registers are read and written as 32-bit words in memory. Where that is another way (an operating system, a test), name a
 * header that defines TENGEN_READ32(address) and TENGEN_WRITE32(address, value): -DTENGEN_ACCESS='"access.h"'.
 */
#ifndef TENGEN_H
#define TENGEN_H

#include <stdbool.h>
#include <stdint.h>

#include "tengen_regs.h"

/* A core: where its registers begin. */
struct tengen {
    uintptr_t base;
};

/* An answer's two words; both carry the status, the first x, the second y. */
struct tengen_answer {
    uint32_t word[TENGEN_ANSWER_WORDS];
};

/* Status of an answer: one of TENGEN_ANSWER_*; its coordinates, 0 where it has none. */
uint32_t tengen_status(const struct tengen_answer *answer);
uint32_t tengen_x(const struct tengen_answer *answer);
uint32_t tengen_y(const struct tengen_answer *answer);
/* Whether a status is an error: then the position is as it was, but for TENGEN_ANSWER_ABORTED, which leaves the move of a
   tengen_play. */
bool tengen_is_error(uint32_t status);

/* A register by its offset: TENGEN_ID, TENGEN_CONFIGURATION, TENGEN_NODES(ply) ... */
uint32_t tengen_register(const struct tengen *core, uint32_t offset);
/* Whether a core answers at this address. */
bool tengen_present(const struct tengen *core);
/* Columns and rows of its board. */
uint32_t tengen_columns(const struct tengen *core);
uint32_t tengen_rows(const struct tengen *core);

/* Drops what waits, also a running search, empties the board and clears ERRORS. A command that was sent during a search waits in
   front of it until the search has ended: do not send any but tengen_abort. False if the core does not take it. */
bool tengen_reset(const struct tengen *core);

/* Plays the opponent's move (0, 0 is the upper left) and begins the engine's. With x, y = columns, rows the engine moves at once, for
   the side to move, also in the middle of a game. */
bool tengen_play(const struct tengen *core, uint32_t x, uint32_t y);
/* Begins the engine's move in the position as it is: it opens, or continues what was placed. */
bool tengen_search(const struct tengen *core);
/* Takes the answer of the running search if it is there. */
bool tengen_poll(const struct tengen *core, struct tengen_answer *answer);
/* Ends the search that was begun: its answer is still to be taken, TENGEN_ANSWER_ABORTED, or the move if it was faster. An abort that comes right behind
   tengen_play, before the core has come to the search, counts as well. */
bool tengen_abort(const struct tengen *core);

/* Commands that are answered within some tens of clocks; not during a search. */
bool tengen_place(const struct tengen *core, uint32_t x, uint32_t y, struct tengen_answer *answer);
bool tengen_take_back(const struct tengen *core, struct tengen_answer *answer);
bool tengen_levels(const struct tengen *core, uint32_t levels, struct tengen_answer *answer);
/* Searches from now on go through 2, 4, 6, ... levels and answer the last that is complete within so many clocks of the core, the
   first in any case; 0: no limit. tengen_decided_levels tells which it was. */
bool tengen_limit(const struct tengen *core, uint32_t clocks, struct tengen_answer *answer);

/* Any command with its arguments: begun; its answer awaited; both. */
bool tengen_send(const struct tengen *core, uint32_t command, uint32_t count, const uint32_t *arguments);
bool tengen_wait(const struct tengen *core, struct tengen_answer *answer);
bool tengen_call(const struct tengen *core, uint32_t command, uint32_t count, const uint32_t *arguments,
                 struct tengen_answer *answer);

/* Whether an answer that waits raises the interrupt; taking it lowers the line. */
void tengen_interrupt(const struct tengen *core, bool enabled);

/* Levels of the search that the last decision comes from. */
uint32_t tengen_decided_levels(const struct tengen *core);
/* Clock cycles of the last search, and its nodes; under a limit of all that it went through: a search that runs out of a limit's clocks
   shows four more. */
uint64_t tengen_cycles(const struct tengen *core);
uint64_t tengen_nodes(const struct tengen *core);

#endif
