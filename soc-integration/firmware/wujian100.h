/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Generated from soc-integration/src/wujian100.rs by `UPDATE_EXPECT=1 cargo test -p soc-integration`. */
#ifndef WUJIAN100_H
#define WUJIAN100_H

#define USI0_BASE 0x50028000u
#define CORET_BASE 0xe000e010u
#define CLIC_ENABLE 0xe000e500u
#define CLIC_PRIORITY 0xe000e900u
#define CLIC_CONFIGURATION 0xe000ec00u
#define USI0_INTERRUPT 28u
#define CORET_INTERRUPT 7u
#define CLIC_INTERRUPTS 64u
#define USI_FIFO_BYTES 16u
#define USI_OVERSAMPLING 16u

#define USI_EN 0x0u
#define USI_MODE_SEL 0x4u
#define USI_FIFO 0x8u
#define USI_FIFO_STA 0xcu
#define USI_CLK_DIV0 0x10u
#define USI_UART_CTRL 0x18u
#define USI_UART_STA 0x1cu
#define USI_INTR_CTRL 0x4cu
#define USI_INTR_EN 0x50u
#define USI_INTR_STA 0x54u
#define USI_RAW_INTR_STA 0x58u
#define USI_INTR_UNMASK 0x5cu
#define USI_INTR_CLR 0x60u

#define USI_EN_ALL 0xfu
#define USI_MODE_UART 0x0u
#define USI_UART_CTRL_8N1 0x3u
#define USI_FIFO_STA_RX_COUNT_SHIFT 0x10u
#define USI_FIFO_STA_TX_COUNT_SHIFT 0x8u
#define USI_FIFO_STA_COUNT_MASK 0x1fu
#define USI_INTR_TX_EMPTY 0x2u
#define USI_INTR_RX_WRITE_ERROR 0x200u
#define USI_INTR_UART_STOP 0x400u

#define CORET_CTRL 0x0u
#define CORET_LOAD 0x4u
#define CORET_VAL 0x8u

#define CORET_ENABLE 0x1u
#define CORET_TICKINT 0x2u
#define CORET_CLKSOURCE 0x4u
#define CORET_COUNTFLAG 0x10000u

#endif
