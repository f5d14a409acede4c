/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* On the bare metal: interrupts through the vector table of start.S. */
#include <stdint.h>
#include "board.h"
#include "slot.h"
#include "wujian100.h"

#define BYTE(address) (*(volatile uint8_t *)(address))
#define HANDLER __attribute__((interrupt("machine")))

HANDLER void usi_interrupt(void)
{
    board_line_interrupt();
}

HANDLER void slot_interrupt(void)
{
    board_slot_interrupt();
}

HANDLER void tick_interrupt(void)
{
    board_tick_interrupt();
}

static void enable(uint32_t interrupt)
{
    BYTE(CLIC_PRIORITY + interrupt) = 0xff;
    BYTE(CLIC_ENABLE + interrupt) = 1;
}

int main(void)
{
    BYTE(CLIC_CONFIGURATION) = 4;
    board_start();
    enable(USI0_INTERRUPT);
    enable(CORET_INTERRUPT);
    enable(SLOT_INTERRUPT);
    for (;;) {
        board_turn();
    }
}
