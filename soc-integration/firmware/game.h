/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The game on the board: its moves, kept beside the core's board, and searches that run while the line is listened to. */
#ifndef GAME_H
#define GAME_H

#include <stdbool.h>
#include <stdint.h>
#include "tengen_wire.h"

/* What a search has found. */
struct found {
    uint32_t status; /* of the core's answer, or a WIRE_CODE_* */
    uint8_t x;
    uint8_t y;
    uint8_t level;
    int32_t score;
    uint64_t cycles;
    uint64_t nodes;
};

/* What the core was built for. */
extern uint32_t game_columns, game_rows, game_built_levels;

/* Empties core and game; false if the core does not answer. */
bool game_start(void);
/* Moves of the game, x and y each, and how it stands: 0 open, 1 a line, 2 a full board. */
const uint8_t *game_moves(void);
uint32_t game_stones(void);
uint32_t game_over(void);

/* Plays a move, takes one back, sets a position: the core's status, or WIRE_CODE_CORE_SILENT. What was refused has
   changed nothing; a core that kept silent has been emptied and given the game anew. */
uint32_t game_play(uint32_t x, uint32_t y);
uint32_t game_take_back(uint8_t *x, uint8_t *y);
uint32_t game_set(const uint8_t *moves, uint32_t count, uint32_t *refused);

/* Begins a search of `levels` (0: as built) within `limit` clocks of the core (0: none). 0, or why it did not begin. */
uint32_t game_search(uint32_t levels, uint32_t limit);
/* Begins a move in the original way: the opponent's at x, y, then the engine's. 0, or why it did not begin. */
uint32_t game_turn(uint32_t x, uint32_t y);
/* Whether a search runs. */
bool game_running(void);
/* Asks it to stop, because the host wants so. */
void game_abort(void);
/* Stops it and waits; the position is the one that it searched. */
void game_stop(void);
/* Takes the core's answer if it has come; true when the search has ended, with what it found. `words` are the answer's in
   the original way. */
bool game_poll(struct found *found, uint32_t words[2]);

#endif
