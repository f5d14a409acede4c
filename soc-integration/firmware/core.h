/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The core through its slot's registers. */
#ifndef CORE_H
#define CORE_H

#include <stdbool.h>
#include <stdint.h>

/* An answer's two words. */
struct answer {
    uint32_t word[2];
};

/* Status of an answer: one of TENGEN_ANSWER_*. */
uint32_t answer_status(const struct answer *answer);
/* Whether a status is an error. */
bool status_is_error(uint32_t status);

/* A register of the slot. */
uint32_t core_register(uint32_t offset);

/* Drops what waits and empties the core's board. */
void core_reset(void);

/* A command that is answered within some tens of clocks; false if the core does not answer. Not during a search. */
bool core_call(uint32_t command, uint32_t count, const uint32_t *arguments, struct answer *answer);

/* Begins a command that searches; its answer comes by interrupt. False if the core does not take it. */
bool core_begin(uint32_t command, uint32_t count, const uint32_t *arguments);

/* Asks the running search to stop; its answer then is TENGEN_ANSWER_ABORTED. */
void core_abort(void);

/* Waits for the answer of a search that has been asked to stop; false if none comes. */
bool core_wait(struct answer *answer);

/* The slot's interrupt: call it from the handler. */
void core_interrupt(void);

/* Takes the answer that the interrupt has read, if there is one. */
bool core_answered(struct answer *answer);

#endif
