/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Every function of the driver that the example does without. */
#include <stdio.h>

#include "tengen.h"

#define CHECK(condition) \
    if (!(condition)) { \
        printf("line %d: %s\n", __LINE__, #condition); \
        return 1; \
    }

int main(void)
{
    struct tengen core = {BASE};
    struct tengen_answer answer;
    uint32_t selector = TENGEN_SELECT_IDENTITY;
    unsigned long polls = 0;

    if (tengen_present(&core)) {
        CHECK(tengen_reset(&core));
    }
    CHECK(!tengen_poll(&core, &answer));
    CHECK(tengen_place(&core, 3, 4, &answer));
    CHECK(tengen_status(&answer) == TENGEN_ANSWER_DONE && tengen_x(&answer) == 3 && tengen_y(&answer) == 4);
    CHECK(tengen_place(&core, 3, 4, &answer) && tengen_status(&answer) == TENGEN_ANSWER_OCCUPIED);
    CHECK(tengen_is_error(tengen_status(&answer)));
    CHECK(tengen_take_back(&core, &answer) && tengen_x(&answer) == 3 && tengen_y(&answer) == 4);
    CHECK(tengen_take_back(&core, &answer) && tengen_status(&answer) == TENGEN_ANSWER_NO_MOVE);
    CHECK(tengen_levels(&core, 99, &answer) && tengen_status(&answer) == TENGEN_ANSWER_BAD_ARGUMENT);
    CHECK(tengen_levels(&core, 2, &answer) && tengen_status(&answer) == TENGEN_ANSWER_DONE);
    CHECK(tengen_call(&core, TENGEN_COMMAND_READ, 1, &selector, &answer) && answer.word[0] == TENGEN_IDENTITY);

    /* The interrupt's state follows the answer. */
    tengen_interrupt(&core, true);
    CHECK(tengen_register(&core, TENGEN_INTERRUPT_STATUS) == 0);
    CHECK(tengen_play(&core, 2, 2));
    while (!(tengen_register(&core, TENGEN_INTERRUPT_STATUS) & TENGEN_INTERRUPT_STATUS_ANSWER)) {
        polls++;
    }
    CHECK(polls > 0 && tengen_wait(&core, &answer) && tengen_status(&answer) == TENGEN_ANSWER_MOVE);
    CHECK(tengen_register(&core, TENGEN_INTERRUPT_STATUS) == 0);
    CHECK(tengen_cycles(&core) > tengen_nodes(&core) && tengen_nodes(&core) > 0);
    CHECK(tengen_limit(&core, 1, &answer) && tengen_status(&answer) == TENGEN_ANSWER_DONE);
    CHECK(tengen_register(&core, TENGEN_LIMIT) == 1);
    CHECK(tengen_search(&core) && tengen_wait(&core, &answer) && !tengen_is_error(tengen_status(&answer)));
    CHECK(tengen_decided_levels(&core) == 2 && tengen_take_back(&core, &answer));
    CHECK(tengen_limit(&core, 0, &answer) && tengen_register(&core, TENGEN_LIMIT) == 0);
    CHECK(tengen_levels(&core, 3, &answer));

    /* A search that is stopped leaves the opponent's move; a reset ends one as well. */
    CHECK(tengen_play(&core, 6, 5));
    for (int clocks = 0; clocks < 20; clocks++) {
        (void)tengen_register(&core, TENGEN_STATUS);
    }
    CHECK(tengen_abort(&core) && tengen_wait(&core, &answer));
    CHECK(tengen_status(&answer) == TENGEN_ANSWER_ABORTED);
    CHECK(tengen_place(&core, 6, 5, &answer) && tengen_status(&answer) == TENGEN_ANSWER_OCCUPIED);
    CHECK(tengen_search(&core));
    CHECK(tengen_reset(&core));
    CHECK(!tengen_poll(&core, &answer));
    CHECK(tengen_place(&core, 6, 5, &answer) && tengen_status(&answer) == TENGEN_ANSWER_DONE);
    CHECK((tengen_register(&core, TENGEN_STATUS) & TENGEN_STATUS_ERROR) == 0);
    printf("good\n");
    return 0;
}
