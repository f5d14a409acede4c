/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The board's core, whose searches answer by interrupt. */
#ifndef CORE_H
#define CORE_H

#include "tengen.h"

/* The core in the slot that was chosen. */
extern const struct tengen core;

/* Drops what waits and empties the core's board. */
void core_reset(void);

/* Begins a command that searches; its answer comes by interrupt. False if the core does not take it. */
bool core_begin(uint32_t command, uint32_t count, const uint32_t *arguments);

/* Waits for the answer of a search that has been asked to stop; false if none comes. */
bool core_wait(struct tengen_answer *answer);

/* The slot's interrupt: call it from the handler. */
void core_interrupt(void);

/* Takes the answer that the interrupt has read, if there is one. */
bool core_answered(struct tengen_answer *answer);

#endif
