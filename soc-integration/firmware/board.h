/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Everything but the way interrupts reach it: call board_start, enable the three interrupts, then board_turn for ever. */
#ifndef BOARD_H
#define BOARD_H

/* Starts core, game and serial line. */
void board_start(void);
/* Does what there is to do, then sleeps until an interrupt. Interrupts are enabled when it returns. */
void board_turn(void);
/* Interrupts: USI0_INTERRUPT, SLOT_INTERRUPT, CORET_INTERRUPT. */
void board_line_interrupt(void);
void board_slot_interrupt(void);
void board_tick_interrupt(void);

#endif
