/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * The core plays against itself and prints its moves: bare metal with a printf, or Linux with the registers mapped.
 *   cc -std=c99 -DBASE=0x40200000 example.c tengen.c
 */
#include <stdio.h>

#include "tengen.h"

#ifndef BASE
#error "say where the registers begin: -DBASE=0x40200000"
#endif

int main(void)
{
    static const struct tengen core = {BASE};
    struct tengen_answer answer;
    uint32_t status;

    if (!tengen_present(&core)) {
        printf("no core at 0x%lx\n", (unsigned long)core.base);
        return 1;
    }
    if (!tengen_reset(&core)) {
        printf("the core takes no command\n");
        return 1;
    }
    printf("board %ux%u\n", (unsigned)tengen_columns(&core), (unsigned)tengen_rows(&core));
    do {
        if (!tengen_search(&core)) {
            printf("the core takes no command\n");
            return 1;
        }
        /* A handler of the interrupt would let the processor do something else. */
        while (!tengen_poll(&core, &answer)) {
        }
        status = tengen_status(&answer);
        if (tengen_is_error(status)) {
            printf("error 0x%02x\n", (unsigned)status);
            return 1;
        }
        printf("%u,%u in %lu clocks, %lu nodes\n", (unsigned)tengen_x(&answer), (unsigned)tengen_y(&answer),
               (unsigned long)tengen_cycles(&core), (unsigned long)tengen_nodes(&core));
    } while (status == TENGEN_ANSWER_MOVE);
    printf(status == TENGEN_ANSWER_ENGINE_WINS ? "won\n" : "drawn\n");
    return 0;
}
