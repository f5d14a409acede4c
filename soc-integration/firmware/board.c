/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "board.h"
#include <stdbool.h>
#include <stdint.h>
#include "core.h"
#include "game.h"
#include "link.h"
#include "tengen_wire.h"
#include "uart.h"
#include "wujian100.h"

#ifndef TENGEN_UART_DIVIDER
#error "TENGEN_UART_DIVIDER is clock / (16 * baud) - 1"
#endif

#define CORET_REGISTER(offset) (*(volatile uint32_t *)(CORET_BASE + (offset)))

/* Milliseconds since the line was heard, and whether one has passed. */
static volatile uint32_t silent_ms;
static volatile bool ticked;
static volatile bool core_spoke;
static bool ticking;

void board_line_interrupt(void)
{
    if (uart_interrupt()) {
        silent_ms = 0;
    }
}

void board_slot_interrupt(void)
{
    core_interrupt();
    core_spoke = true;
}

void board_tick_interrupt(void)
{
    (void)CORET_REGISTER(CORET_CTRL); /* clears the flag */
    silent_ms++;
    ticked = true;
}

void board_start(void)
{
    CORET_REGISTER(CORET_CTRL) = CORET_CLKSOURCE; /* it may run: a trap begins here anew */
    (void)game_start();
    uart_start(TENGEN_UART_DIVIDER);
}

/* A tick every millisecond, while somebody waits for one. */
static void tick(bool wanted)
{
    if (wanted == ticking) {
        return;
    }
    ticking = wanted;
    ticked = false;
    if (wanted) {
        CORET_REGISTER(CORET_LOAD) = TENGEN_CLOCK_HZ / 1000 - 1;
        CORET_REGISTER(CORET_VAL) = 0;
        CORET_REGISTER(CORET_CTRL) = CORET_CLKSOURCE | CORET_TICKINT | CORET_ENABLE;
    } else {
        CORET_REGISTER(CORET_CTRL) = CORET_CLKSOURCE;
    }
}

/* Sleeps unless something has happened. Interrupts wait meanwhile, and wake the processor all the same: none is
   missed between the look and the sleep. */
static void sleep(void)
{
    __asm__ volatile("csrci mstatus, 8" ::: "memory");
    if (!uart_received() && !ticked && !core_spoke) {
        __asm__ volatile("wfi");
    }
    __asm__ volatile("csrsi mstatus, 8" ::: "memory");
}

void board_turn(void)
{
    uint8_t byte;

    core_spoke = false;
    link_poll();
    while (uart_receive(&byte)) {
        link_byte(byte);
    }
    link_work();
    if (ticked) {
        ticked = false;
        if (link_waits() && silent_ms > WIRE_GAP_MS && !uart_received()) {
            link_silence();
        }
    }
    tick(link_waits());
    sleep();
}
