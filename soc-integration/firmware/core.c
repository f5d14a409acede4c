/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "core.h"
#include "slot.h"

/* Looks at what the interrupt read, each with an access to the core, before it counts as silent. */
#define PATIENCE 5000u

const struct tengen core = {SLOT_BASE};

static struct tengen_answer interrupt_answer;
static volatile bool interrupt_answered;

void core_reset(void)
{
    (void)tengen_reset(&core);
    interrupt_answered = false;
}

bool core_begin(uint32_t command, uint32_t count, const uint32_t *arguments)
{
    interrupt_answered = false;
    tengen_interrupt(&core, true);
    return tengen_send(&core, command, count, arguments);
}

bool core_wait(struct tengen_answer *answer)
{
    for (uint32_t left = PATIENCE; left > 0; left--) {
        if (core_answered(answer)) {
            return true;
        }
        (void)tengen_register(&core, TENGEN_STATUS);
    }
    return false;
}

void core_interrupt(void)
{
    if (tengen_poll(&core, &interrupt_answer)) {
        interrupt_answered = true;
    }
    tengen_interrupt(&core, false);
}

bool core_answered(struct tengen_answer *answer)
{
    if (!interrupt_answered) {
        return false;
    }
    *answer = interrupt_answer;
    interrupt_answered = false;
    return true;
}
