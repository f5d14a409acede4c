/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "game.h"
#include "core.h"
#include "tengen_regs.h"

/* Levels of the first search under a limit, and from one to the next. */
#define LIMITED_STEP 2u

uint32_t game_columns, game_rows, game_built_levels;

static uint8_t moves[2 * WIRE_MAX_MOVES];
static uint32_t stones;
static uint32_t over;
/* What the core was last told; 0: unknown. */
static uint32_t core_levels;

/* The search that runs. */
static struct {
    bool running;
    bool original;  /* the core plays the opponent's move too */
    bool moves_first;
    bool aborting;  /* the host wants it to stop */
    bool cutting;   /* its limit is reached */
    bool has_best;
    uint8_t x, y;   /* the opponent's move, in the original way */
    uint32_t level, target, limit;
    struct found best;
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

static uint32_t set_levels(uint32_t levels)
{
    struct tengen_answer answer;
    uint32_t status;

    if (core_levels == levels) {
        return 0;
    }
    if (!tengen_levels(&core, levels, &answer)) {
        return silent();
    }
    status = tengen_status(&answer);
    if (!tengen_is_error(status)) {
        core_levels = levels;
        return 0;
    }
    return status;
}

static uint32_t begin_search(void)
{
    uint32_t status = set_levels(search.level);

    if (status == 0 && !core_begin(TENGEN_COMMAND_SEARCH, 0, 0)) {
        status = silent();
    }
    search.running = status == 0;
    return status;
}

uint32_t game_search(uint32_t levels, uint32_t limit)
{
    if (levels > game_built_levels) {
        return TENGEN_ANSWER_BAD_ARGUMENT;
    }
    search.original = false;
    search.aborting = false;
    search.cutting = false;
    search.has_best = false;
    search.limit = limit;
    search.target = levels == 0 ? game_built_levels : levels;
    search.level = limit != 0 && search.target > LIMITED_STEP ? LIMITED_STEP : search.target;
    search.best.cycles = 0;
    search.best.nodes = 0;
    return begin_search();
}

uint32_t game_turn(uint32_t x, uint32_t y)
{
    uint32_t arguments[2] = {x, y};
    uint32_t status = set_levels(game_built_levels);

    if (status != 0) {
        return status;
    }
    search.original = true;
    search.moves_first = x == game_columns && y == game_rows;
    search.aborting = false;
    search.limit = 0;
    search.level = game_built_levels;
    search.best.cycles = 0;
    search.best.nodes = 0;
    search.x = (uint8_t)x;
    search.y = (uint8_t)y;
    search.running = core_begin(TENGEN_COMMAND_PLAY, 2, arguments);
    return search.running ? 0 : silent();
}

bool game_running(void)
{
    return search.running;
}

bool game_limited(void)
{
    return search.running && search.limit != 0;
}

void game_abort(void)
{
    if (search.running) {
        search.aborting = true;
        (void)tengen_abort(&core);
    }
}

void game_tick(void)
{
    if (game_limited() && search.has_best && !search.cutting &&
        search.best.cycles + tengen_cycles(&core) >= search.limit) {
        search.cutting = true;
        (void)tengen_abort(&core);
    }
}

static void count(struct found *found)
{
    found->cycles += tengen_cycles(&core);
    found->nodes += tengen_nodes(&core);
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

/* One search of several has ended: true if it was the last. */
static bool follow_search(uint32_t status, uint32_t x, uint32_t y)
{
    struct found *best = &search.best;
    uint32_t selector = TENGEN_SELECT_GAME;
    struct tengen_answer answer;

    count(best);
    if (status == TENGEN_ANSWER_ABORTED && search.has_best && !search.aborting) {
        /* The limit: what the search before found is played after all. */
        uint32_t placed = place(best->x, best->y);

        if (tengen_is_error(placed)) {
            best->status = placed;
        } else {
            push(best->x, best->y, best->status);
        }
        return true;
    }
    if (tengen_is_error(status)) {
        best->status = status;
        return true;
    }
    best->status = status;
    best->x = (uint8_t)x;
    best->y = (uint8_t)y;
    best->level = (uint8_t)search.level;
    best->score = tengen_call(&core, TENGEN_COMMAND_READ, 1, &selector, &answer) ? (int32_t)answer.word[0] : 0;
    search.has_best = true;
    if (search.limit == 0 || search.level >= search.target || status != TENGEN_ANSWER_MOVE || search.aborting ||
        best->cycles >= search.limit) {
        push(x, y, status);
        return true;
    }
    /* Deeper: the core takes its move back and searches again. */
    if (!tengen_take_back(&core, &answer) || tengen_is_error(tengen_status(&answer))) {
        best->status = silent();
        return true;
    }
    search.level = search.level + LIMITED_STEP < search.target ? search.level + LIMITED_STEP : search.target;
    search.cutting = false;
    status = begin_search();
    if (status != 0) {
        best->status = status;
        return true;
    }
    return false;
}

static bool follow(const struct tengen_answer *answer, struct found *found, uint32_t words[2])
{
    uint32_t status = tengen_status(answer);
    uint32_t x = TENGEN_ANSWER_COORDINATE(answer->word[0]);
    uint32_t y = TENGEN_ANSWER_COORDINATE(answer->word[1]);

    search.running = false;
    words[0] = answer->word[0];
    words[1] = answer->word[1];
    if (search.original) {
        follow_turn(status, x, y);
        search.best.status = status;
    } else if (!follow_search(status, x, y)) {
        return false;
    }
    *found = search.best;
    return true;
}

bool game_poll(struct found *found, uint32_t words[2])
{
    struct tengen_answer answer;

    return search.running && core_answered(&answer) && follow(&answer, found, words);
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
        (void)follow(&answer, &found, words);
    } else {
        search.running = false;
        give_game();
    }
}
