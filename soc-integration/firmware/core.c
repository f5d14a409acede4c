/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "core.h"
#include "slot.h"

#define REGISTER(offset) (*(volatile uint32_t *)(SLOT_BASE + (offset)))

/* Reads of STATUS for which the core may keep silent: some 40 thousand clocks, a thousand times what it takes. */
#define PATIENCE 5000u
/* Reads of STATUS after a reset in which an answer could still turn up. */
#define DRAINING 16u

static struct answer interrupt_answer;
static volatile bool interrupt_answered;

uint32_t answer_status(const struct answer *answer)
{
    return TENGEN_ANSWER_STATUS(answer->word[0]);
}

bool status_is_error(uint32_t status)
{
    return status >= TENGEN_ANSWER_OCCUPIED;
}

uint32_t core_register(uint32_t offset)
{
    return REGISTER(offset);
}

static bool wait_for(uint32_t flag)
{
    for (uint32_t left = PATIENCE; left > 0; left--) {
        if (REGISTER(TENGEN_STATUS) & flag) {
            return true;
        }
    }
    return false;
}

static void listen(bool enabled)
{
    REGISTER(TENGEN_INTERRUPT_ENABLE) = enabled ? TENGEN_INTERRUPT_ENABLE_ANSWER : 0;
}

static bool send(uint32_t command, uint32_t count, const uint32_t *arguments)
{
    if (!wait_for(TENGEN_STATUS_CONTROL_ROOM)) {
        return false;
    }
    REGISTER(TENGEN_CONTROL) = command;
    for (uint32_t index = 0; index < count; index++) {
        if (!wait_for(TENGEN_STATUS_DATA_ROOM)) {
            return false;
        }
        REGISTER(TENGEN_DATA_IN) = arguments[index];
    }
    return true;
}

static void take(struct answer *answer)
{
    answer->word[0] = REGISTER(TENGEN_DATA_OUT);
    answer->word[1] = REGISTER(TENGEN_DATA_OUT);
}

void core_reset(void)
{
    struct answer dropped;

    listen(false);
    (void)wait_for(TENGEN_STATUS_CONTROL_ROOM);
    REGISTER(TENGEN_CONTROL) = TENGEN_COMMAND_RESET;
    /* An answer that was on its way when the core was emptied may still stand at the door. */
    for (uint32_t left = DRAINING; left > 0; left--) {
        if (REGISTER(TENGEN_STATUS) & TENGEN_STATUS_ANSWER) {
            take(&dropped);
        }
    }
    interrupt_answered = false;
    REGISTER(TENGEN_ERRORS) = REGISTER(TENGEN_ERRORS);
}

bool core_call(uint32_t command, uint32_t count, const uint32_t *arguments, struct answer *answer)
{
    if (!send(command, count, arguments) || !wait_for(TENGEN_STATUS_ANSWER)) {
        return false;
    }
    take(answer);
    return true;
}

bool core_begin(uint32_t command, uint32_t count, const uint32_t *arguments)
{
    interrupt_answered = false;
    listen(true);
    return send(command, count, arguments);
}

void core_abort(void)
{
    if (wait_for(TENGEN_STATUS_CONTROL_ROOM)) {
        REGISTER(TENGEN_CONTROL) = TENGEN_COMMAND_ABORT;
    }
}

bool core_wait(struct answer *answer)
{
    for (uint32_t left = PATIENCE; left > 0; left--) {
        if (core_answered(answer)) {
            return true;
        }
        (void)REGISTER(TENGEN_STATUS);
    }
    return false;
}

void core_interrupt(void)
{
    if (REGISTER(TENGEN_STATUS) & TENGEN_STATUS_ANSWER) {
        take(&interrupt_answer);
        interrupt_answered = true;
    }
    listen(false);
}

bool core_answered(struct answer *answer)
{
    if (!interrupt_answered) {
        return false;
    }
    *answer = interrupt_answer;
    interrupt_answered = false;
    return true;
}
