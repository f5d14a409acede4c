/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Reset, vector table, traps. The processor begins at address 0. */
#include "wujian100.h"
#include "tengen_regs.h"
#include "slot.h"

    .section .text.start, "ax"
    .globl _start
_start:
    csrci mstatus, 8
    .option push
    .option norelax
    la gp, __global_pointer$
    .option pop
    la sp, __stack_top
    la a0, trap
    ori a0, a0, 3               /* interrupts through the vector table */
    csrw mtvec, a0
    la a0, vectors
    csrw 0x307, a0              /* mtvt: the assembler does not know its name */

    la a0, __data_load
    la a1, __data_start
    la a2, __data_end
1:  bgeu a1, a2, 2f
    lw a3, 0(a0)
    sw a3, 0(a1)
    addi a0, a0, 4
    addi a1, a1, 4
    j 1b
2:  la a1, __bss_start
    la a2, __bss_end
3:  bgeu a1, a2, 4f
    sw zero, 0(a1)
    addi a1, a1, 4
    j 3b
4:  call main

    /* An exception, or an interrupt that nobody enabled: nothing is known to be sound any more, so begin anew. The
       host finds no session and sets its position again. */
    .balign 64
trap:
    la a0, _start
    csrw mepc, a0
    li a0, 0xb0000000           /* from an interrupt, in machine mode, to level 0: a handler's level ends with mret only */
    csrw mcause, a0
    mret

    .section .vectors, "a"
    .balign 64
vectors:
    .set number, 0
    .rept CLIC_INTERRUPTS
    .if number == USI0_INTERRUPT
    .word usi_interrupt
    .elseif number == CORET_INTERRUPT
    .word tick_interrupt
    .elseif number == SLOT_INTERRUPT
    .word slot_interrupt
    .else
    .word trap
    .endif
    .set number, number + 1
    .endr
