/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The serial protocols: bytes in, requests out, replies back. */
#ifndef LINK_H
#define LINK_H

#include <stdbool.h>
#include <stdint.h>

/* To be provided: queues bytes for the line; all or, if there is no room, none. */
void line_send(const uint8_t *bytes, uint32_t count);

/* Keeps a byte from the line. */
void link_byte(uint8_t byte);
/* Carries out the commands that have come. */
void link_work(void);
/* Whether something has begun that silence ends. */
bool link_waits(void);
/* The line has been silent for WIRE_GAP_MS. */
void link_silence(void);
/* Looks whether a search has ended, and answers it. */
void link_poll(void);

#endif
