/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "tengen.h"

#ifdef TENGEN_ACCESS
#include TENGEN_ACCESS
#else
#define TENGEN_READ32(address) (*(volatile uint32_t *)(address))
#define TENGEN_WRITE32(address, value) (*(volatile uint32_t *)(address) = (value))
#endif

/* Reads of STATUS for which the core may keep silent: some 40 thousand clocks, a thousand times what it takes. */
#define PATIENCE 5000u
/* Reads of STATUS after a reset in which an answer could still turn up. */
#define DRAINING 16u

static void set_register(const struct tengen *core, uint32_t offset, uint32_t value)
{
    TENGEN_WRITE32(core->base + offset, value);
}

static bool wait_for(const struct tengen *core, uint32_t flag)
{
    for (uint32_t left = PATIENCE; left > 0; left--) {
        if (tengen_register(core, TENGEN_STATUS) & flag) {
            return true;
        }
    }
    return false;
}

static void take(const struct tengen *core, struct tengen_answer *answer)
{
    answer->word[0] = tengen_register(core, TENGEN_DATA_OUT);
    answer->word[1] = tengen_register(core, TENGEN_DATA_OUT);
}

uint32_t tengen_status(const struct tengen_answer *answer)
{
    return TENGEN_ANSWER_STATUS(answer->word[0]);
}

uint32_t tengen_x(const struct tengen_answer *answer)
{
    return TENGEN_ANSWER_COORDINATE(answer->word[0]);
}

uint32_t tengen_y(const struct tengen_answer *answer)
{
    return TENGEN_ANSWER_COORDINATE(answer->word[1]);
}

bool tengen_is_error(uint32_t status)
{
    return status >= TENGEN_ANSWER_OCCUPIED;
}

uint32_t tengen_register(const struct tengen *core, uint32_t offset)
{
    return TENGEN_READ32(core->base + offset);
}

bool tengen_present(const struct tengen *core)
{
    return tengen_register(core, TENGEN_ID) == TENGEN_IDENTITY;
}

uint32_t tengen_columns(const struct tengen *core)
{
    uint32_t word = tengen_register(core, TENGEN_CONFIGURATION);

    return (word & TENGEN_CONFIGURATION_COLUMNS) >> TENGEN_CONFIGURATION_COLUMNS_SHIFT;
}

uint32_t tengen_rows(const struct tengen *core)
{
    uint32_t word = tengen_register(core, TENGEN_CONFIGURATION);

    return (word & TENGEN_CONFIGURATION_ROWS) >> TENGEN_CONFIGURATION_ROWS_SHIFT;
}

bool tengen_reset(const struct tengen *core)
{
    struct tengen_answer dropped;
    bool taken;

    tengen_interrupt(core, false);
    taken = wait_for(core, TENGEN_STATUS_CONTROL_ROOM);
    set_register(core, TENGEN_CONTROL, TENGEN_COMMAND_RESET);
    /* An answer that was on its way when the core was emptied may still stand at the door. */
    for (uint32_t left = DRAINING; left > 0; left--) {
        if (tengen_register(core, TENGEN_STATUS) & TENGEN_STATUS_ANSWER) {
            take(core, &dropped);
        }
    }
    set_register(core, TENGEN_ERRORS, tengen_register(core, TENGEN_ERRORS));
    return taken;
}

bool tengen_play(const struct tengen *core, uint32_t x, uint32_t y)
{
    uint32_t arguments[2] = {x, y};

    return tengen_send(core, TENGEN_COMMAND_PLAY, 2, arguments);
}

bool tengen_search(const struct tengen *core)
{
    return tengen_send(core, TENGEN_COMMAND_SEARCH, 0, 0);
}

bool tengen_poll(const struct tengen *core, struct tengen_answer *answer)
{
    if (!(tengen_register(core, TENGEN_STATUS) & TENGEN_STATUS_ANSWER)) {
        return false;
    }
    take(core, answer);
    return true;
}

bool tengen_abort(const struct tengen *core)
{
    return tengen_send(core, TENGEN_COMMAND_ABORT, 0, 0);
}

bool tengen_place(const struct tengen *core, uint32_t x, uint32_t y, struct tengen_answer *answer)
{
    uint32_t arguments[2] = {x, y};

    return tengen_call(core, TENGEN_COMMAND_PLACE, 2, arguments, answer);
}

bool tengen_take_back(const struct tengen *core, struct tengen_answer *answer)
{
    return tengen_call(core, TENGEN_COMMAND_TAKE_BACK, 0, 0, answer);
}

bool tengen_levels(const struct tengen *core, uint32_t levels, struct tengen_answer *answer)
{
    return tengen_call(core, TENGEN_COMMAND_LEVELS, 1, &levels, answer);
}

bool tengen_limit(const struct tengen *core, uint32_t clocks, struct tengen_answer *answer)
{
    return tengen_call(core, TENGEN_COMMAND_LIMIT, 1, &clocks, answer);
}

uint32_t tengen_decided_levels(const struct tengen *core)
{
    return tengen_register(core, TENGEN_DECIDED_LEVELS);
}

bool tengen_send(const struct tengen *core, uint32_t command, uint32_t count, const uint32_t *arguments)
{
    if (!wait_for(core, TENGEN_STATUS_CONTROL_ROOM)) {
        return false;
    }
    set_register(core, TENGEN_CONTROL, command);
    for (uint32_t index = 0; index < count; index++) {
        if (!wait_for(core, TENGEN_STATUS_DATA_ROOM)) {
            return false;
        }
        set_register(core, TENGEN_DATA_IN, arguments[index]);
    }
    return true;
}

bool tengen_wait(const struct tengen *core, struct tengen_answer *answer)
{
    if (!wait_for(core, TENGEN_STATUS_ANSWER)) {
        return false;
    }
    take(core, answer);
    return true;
}

bool tengen_call(const struct tengen *core, uint32_t command, uint32_t count, const uint32_t *arguments,
                 struct tengen_answer *answer)
{
    return tengen_send(core, command, count, arguments) && tengen_wait(core, answer);
}

void tengen_interrupt(const struct tengen *core, bool enabled)
{
    set_register(core, TENGEN_INTERRUPT_ENABLE, enabled ? TENGEN_INTERRUPT_ENABLE_ANSWER : 0);
}

uint64_t tengen_cycles(const struct tengen *core)
{
    /* Reading the low word holds the high one. */
    uint64_t low = tengen_register(core, TENGEN_CYCLES_LOW);

    return (uint64_t)tengen_register(core, TENGEN_CYCLES_HIGH) << 32 | low;
}

uint64_t tengen_nodes(const struct tengen *core)
{
    uint64_t nodes = 0;

    for (uint32_t ply = 0; ply < TENGEN_NODES_COUNT; ply++) {
        nodes += tengen_register(core, TENGEN_NODES(ply));
    }
    return nodes;
}
