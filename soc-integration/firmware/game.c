/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "game.h"
#include "core.h"
#include "tengen_regs.h"

uint32_t game_columns, game_rows, game_built_levels;

static uint8_t moves[2 * WIRE_MAX_MOVES];
static uint32_t stones;
static uint32_t over;
/* What the core was last told; levels 0: unknown, and with them the limit. */
static uint32_t core_levels, core_limit;

/* The search that runs. */
static struct {
    bool running;
    bool original;  /* the core plays the opponent's move too */
    bool moves_first;
    uint8_t x, y;   /* the opponent's move, in the original way */
    struct found found;
} search;

const uint8_t *game_moves(void)
{
    return moves;
}

uint32_t game_stones(void)
{
    return stones;
}

uint32_t game_over(void)
{
    return over;
}

static void push(uint32_t x, uint32_t y, uint32_t status)
{
    if (stones < WIRE_MAX_MOVES) {
        moves[2 * stones] = (uint8_t)x;
        moves[2 * stones + 1] = (uint8_t)y;
        stones++;
    }
    if (status == TENGEN_ANSWER_ENGINE_WINS || status == TENGEN_ANSWER_MOVER_WINS) {
        over = 1;
    } else if (status == TENGEN_ANSWER_ENGINE_DRAWS || status == TENGEN_ANSWER_MOVER_DRAWS) {
        over = 2;
    }
}

bool game_start(void)
{
    uint32_t configuration = tengen_register(&core, TENGEN_CONFIGURATION);

    core_reset();
    search.running = false;
    stones = 0;
    over = 0;
    game_columns = configuration & TENGEN_CONFIGURATION_COLUMNS;
    game_rows = (configuration & TENGEN_CONFIGURATION_ROWS) >> TENGEN_CONFIGURATION_ROWS_SHIFT;
    game_built_levels = (configuration & TENGEN_CONFIGURATION_LEVELS) >> TENGEN_CONFIGURATION_LEVELS_SHIFT;
    return tengen_present(&core);
}

/* Gives the core the game anew, whatever it did. */
static void give_game(void)
{
    struct tengen_answer answer;

    core_reset();
    core_levels = 0;
    for (uint32_t index = 0; index < stones; index++) {
        if (!tengen_place(&core, moves[2 * index], moves[2 * index + 1], &answer)) {
            return; /* it is not there */
        }
    }
}

/* The core has kept silent: what it may still say must not be taken for another answer. */
static uint32_t silent(void)
{
    give_game();
    return WIRE_CODE_CORE_SILENT;
}

static uint32_t place(uint32_t x, uint32_t y)
{
    struct tengen_answer answer;

    return tengen_place(&core, x, y, &answer) ? tengen_status(&answer) : silent();
}

uint32_t game_play(uint32_t x, uint32_t y)
{
    uint32_t status = place(x, y);

    if (!tengen_is_error(status)) {
        push(x, y, status);
    }
    return status;
}

uint32_t game_take_back(uint8_t *x, uint8_t *y)
{
    struct tengen_answer answer;
    uint32_t status;

    if (!tengen_take_back(&core, &answer)) {
        return silent();
    }
    status = tengen_status(&answer);
    if (!tengen_is_error(status) && stones > 0) {
        stones--;
        over = 0;
        *x = moves[2 * stones];
        *y = moves[2 * stones + 1];
    }
    return status;
}

uint32_t game_set(const uint8_t *wanted, uint32_t count, uint32_t *refused)
{
    uint32_t status = TENGEN_ANSWER_DONE;
    uint32_t placed;

    core_reset();
    for (placed = 0; placed < count; placed++) {
        status = place(wanted[2 * placed], wanted[2 * placed + 1]);
        if (tengen_is_error(status)) {
            break;
        }
    }
    if (placed == count) {
        stones = 0;
        over = 0;
        for (uint32_t index = 0; index < count; index++) {
            push(wanted[2 * index], wanted[2 * index + 1], index + 1 == count ? status : TENGEN_ANSWER_DONE);
        }
        return TENGEN_ANSWER_DONE;
    }
    /* Refused: the core gets the moves back that it had. */
    *refused = placed;
    give_game();
    return status;
}

/* Tells the core how far its searches go. */
static uint32_t set_extent(uint32_t levels, uint32_t limit)
{
    struct tengen_answer answer;

    if (core_levels == levels && core_limit == limit) {
        return 0;
    }
    core_levels = 0;
    if (!tengen_limit(&core, limit, &answer) || !tengen_levels(&core, levels, &answer)) {
        return silent();
    }
    if (tengen_is_error(tengen_status(&answer))) {
        return tengen_status(&answer);
    }
    core_levels = levels;
    core_limit = limit;
    return 0;
}

uint32_t game_search(uint32_t levels, uint32_t limit)
{
    uint32_t status;

    if (levels > game_built_levels) {
        return TENGEN_ANSWER_BAD_ARGUMENT;
    }
    search.original = false;
    status = set_extent(levels == 0 ? game_built_levels : levels, limit);
    if (status == 0 && !core_begin(TENGEN_COMMAND_SEARCH, 0, 0)) {
        status = silent();
    }
    search.running = status == 0;
    return status;
}

uint32_t game_turn(uint32_t x, uint32_t y)
{
    uint32_t arguments[2] = {x, y};
    uint32_t status = set_extent(game_built_levels, 0);

    if (status != 0) {
        return status;
    }
    search.original = true;
    search.moves_first = x == game_columns && y == game_rows;
    search.x = (uint8_t)x;
    search.y = (uint8_t)y;
    search.running = core_begin(TENGEN_COMMAND_PLAY, 2, arguments);
    return search.running ? 0 : silent();
}

bool game_running(void)
{
    return search.running;
}

void game_abort(void)
{
    if (search.running) {
        (void)tengen_abort(&core);
    }
}

/* The core's answer to the opponent's move and its own. */
static void follow_turn(uint32_t status, uint32_t x, uint32_t y)
{
    if (!search.moves_first && (!tengen_is_error(status) || status == TENGEN_ANSWER_ABORTED)) {
        push(search.x, search.y, status == TENGEN_ANSWER_MOVER_WINS || status == TENGEN_ANSWER_MOVER_DRAWS
                                     ? status
                                     : TENGEN_ANSWER_DONE);
    }
    if (status <= TENGEN_ANSWER_ENGINE_DRAWS) {
        push(x, y, status);
    }
}

static void follow_search(uint32_t status, uint32_t x, uint32_t y)
{
    struct found *found = &search.found;
    uint32_t selector = TENGEN_SELECT_GAME;
    struct tengen_answer answer;

    *found = (struct found){.status = status};
    if (tengen_is_error(status)) {
        return;
    }
    found->x = (uint8_t)x;
    found->y = (uint8_t)y;
    found->cycles = tengen_cycles(&core);
    found->nodes = tengen_nodes(&core);
    found->level = (uint8_t)tengen_decided_levels(&core);
    found->score = tengen_call(&core, TENGEN_COMMAND_READ, 1, &selector, &answer) ? (int32_t)answer.word[0] : 0;
    push(x, y, status);
}

static void follow(const struct tengen_answer *answer, struct found *found, uint32_t words[2])
{
    uint32_t status = tengen_status(answer);
    uint32_t x = TENGEN_ANSWER_COORDINATE(answer->word[0]);
    uint32_t y = TENGEN_ANSWER_COORDINATE(answer->word[1]);

    search.running = false;
    words[0] = answer->word[0];
    words[1] = answer->word[1];
    if (search.original) {
        follow_turn(status, x, y);
        search.found.status = status;
    } else {
        follow_search(status, x, y);
    }
    *found = search.found;
}

bool game_poll(struct found *found, uint32_t words[2])
{
    struct tengen_answer answer;

    if (!search.running || !core_answered(&answer)) {
        return false;
    }
    follow(&answer, found, words);
    return true;
}

void game_stop(void)
{
    struct tengen_answer answer;
    struct found found;
    uint32_t words[2];

    if (!search.running) {
        return;
    }
    game_abort();
    if (core_wait(&answer)) {
        follow(&answer, &found, words);
    } else {
        search.running = false;
        give_game();
    }
}
