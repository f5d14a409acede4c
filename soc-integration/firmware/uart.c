/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "uart.h"
#include "link.h"
#include "tengen_wire.h"
#include "wujian100.h"

#define REGISTER(offset) (*(volatile uint32_t *)(USI0_BASE + (offset)))

/* Powers of two: a command and its repetition, a reply and something short. */
#define RECEIVE_BYTES 2048u
#define SEND_BYTES 2048u
_Static_assert(RECEIVE_BYTES >= 2 * WIRE_MAX_FRAME && SEND_BYTES >= 2 * WIRE_MAX_FRAME, "two frames each");

static uint8_t received[RECEIVE_BYTES];
static volatile uint32_t received_in;
static uint32_t received_out;
static uint8_t sent[SEND_BYTES];
static volatile uint32_t sent_in;
static volatile uint32_t sent_out;

static uint32_t queued(uint32_t shift)
{
    return REGISTER(USI_FIFO_STA) >> shift & USI_FIFO_STA_COUNT_MASK;
}

void uart_start(uint32_t divider)
{
    REGISTER(USI_EN) = 0;
    REGISTER(USI_MODE_SEL) = USI_MODE_UART;
    REGISTER(USI_CLK_DIV0) = divider;
    REGISTER(USI_UART_CTRL) = USI_UART_CTRL_8N1;
    REGISTER(USI_INTR_UNMASK) = USI_INTR_UART_STOP | USI_INTR_TX_EMPTY;
    REGISTER(USI_INTR_EN) = USI_INTR_UART_STOP;
    REGISTER(USI_EN) = USI_EN_ALL;
}

bool uart_received(void)
{
    return received_out != received_in;
}

bool uart_receive(uint8_t *byte)
{
    if (!uart_received()) {
        return false;
    }
    *byte = received[received_out % RECEIVE_BYTES];
    received_out++;
    return true;
}

void line_send(const uint8_t *bytes, uint32_t count)
{
    if (SEND_BYTES - (sent_in - sent_out) < count) {
        return; /* the host asks again */
    }
    for (uint32_t index = 0; index < count; index++) {
        sent[(sent_in + index) % SEND_BYTES] = bytes[index];
    }
    sent_in += count;
    REGISTER(USI_INTR_EN) = USI_INTR_UART_STOP | USI_INTR_TX_EMPTY;
}

bool uart_interrupt(void)
{
    bool came = false;

    /* Cleared before the queue is looked at: what comes from now on interrupts again. */
    REGISTER(USI_INTR_CLR) = USI_INTR_UART_STOP | USI_INTR_TX_EMPTY;
    while (queued(USI_FIFO_STA_RX_COUNT_SHIFT) > 0) {
        uint8_t byte = (uint8_t)REGISTER(USI_FIFO);

        came = true;
        if (received_in - received_out < RECEIVE_BYTES) {
            received[received_in % RECEIVE_BYTES] = byte;
            received_in++;
        }
    }
    while (sent_out != sent_in && queued(USI_FIFO_STA_TX_COUNT_SHIFT) < USI_FIFO_BYTES) {
        REGISTER(USI_FIFO) = sent[sent_out % SEND_BYTES];
        sent_out++;
    }
    if (sent_out == sent_in) {
        REGISTER(USI_INTR_EN) = USI_INTR_UART_STOP;
    }
    return came;
}
