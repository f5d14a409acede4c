/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Registers on the other side of standard input and output: a line for each access. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static uint32_t pipe_read(uintptr_t address)
{
    uint32_t value;

    printf("read %" PRIuPTR "\n", address);
    fflush(stdout);
    if (scanf("%" SCNu32, &value) != 1) {
        exit(3);
    }
    return value;
}

static void pipe_write(uintptr_t address, uint32_t value)
{
    printf("write %" PRIuPTR " %" PRIu32 "\n", address, value);
    fflush(stdout);
}

#define TENGEN_READ32(address) pipe_read(address)
#define TENGEN_WRITE32(address, value) pipe_write(address, value)
