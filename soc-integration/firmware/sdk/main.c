/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* In the vendor's SDK (a project without a kernel, which would use the tick itself): instead of main.c, memory.c, start.S
   and link.ld. */
#include "board.h"
#include "drv_irq.h"
#include "slot.h"
#include "wujian100.h"

int main(void)
{
    board_start();
    drv_irq_register(USI0_INTERRUPT, board_line_interrupt);
    drv_irq_register(CORET_INTERRUPT, board_tick_interrupt);
    drv_irq_register(SLOT_INTERRUPT, board_slot_interrupt);
    drv_irq_enable(USI0_INTERRUPT);
    drv_irq_enable(CORET_INTERRUPT);
    drv_irq_enable(SLOT_INTERRUPT);
    for (;;) {
        board_turn();
    }
}
