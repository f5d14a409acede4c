/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* USI0 as a UART, 8N1, with queues that its interrupt fills and empties. */
#ifndef UART_H
#define UART_H

#include <stdbool.h>
#include <stdint.h>

/* Divider of the clock: a bit is 16 * (divider + 1) clocks. */
void uart_start(uint32_t divider);
/* The next byte received, if there is one. */
bool uart_receive(uint8_t *byte);
/* Whether one is there. */
bool uart_received(void);
/* Call it from the handler; true if a byte came. */
bool uart_interrupt(void);

#endif
