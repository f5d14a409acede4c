/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "link.h"
#include "bytes.h"
#include "core.h"
#include "game.h"
#include "slot.h"
#include "tengen_regs.h"
#include "tengen_wire.h"

#ifndef TENGEN_CLOCK_HZ
#error "TENGEN_CLOCK_HZ is the SoC's clock"
#endif
#ifndef TENGEN_FIRMWARE_VERSION
#error "TENGEN_FIRMWARE_VERSION is major << 16 | minor << 8 | patch"
#endif

/* What has come and is not yet understood: bytes head to tail. Room for a frame behind one that was swallowed. */
static uint8_t buffer[2 * WIRE_MAX_FRAME];
static uint32_t head, tail;
/* What came did not belong to a command: until the next good frame, or silence, only frames are looked for. */
static bool noise;

/* A command of the original protocol has come that a line at a wrong rate does not make. Such a line makes zeros, one for
   each falling edge, and eight of them are the move 0,0: it counts only after another command. */
static bool original_spoken;

/* The session, and the reply to its last request, to be sent again. */
static bool session;
static uint8_t last_sequence;
static uint8_t last_kind;
static uint8_t reply[WIRE_MAX_FRAME];
static uint32_t reply_bytes;

/* Replies */

static uint32_t finish(uint8_t *frame, uint8_t sequence, uint8_t kind, uint32_t payload)
{
    uint8_t *body = frame + WIRE_HEADER_BYTES;
    uint32_t end = WIRE_HEADER_BYTES + payload;

    body[WIRE_HEAD_OVER] = (uint8_t)game_over();
    put16(body + WIRE_HEAD_STONES, game_stones());
    put32(body + WIRE_HEAD_DIGEST, crc32(game_moves(), 2 * game_stones()));
    frame[0] = WIRE_SYNC;
    frame[1] = WIRE_VERSION;
    frame[2] = sequence;
    frame[3] = kind | WIRE_REPLY;
    put16(frame + 4, payload);
    put32(frame + end, crc32(frame + 1, end - 1));
    return end + WIRE_CRC_BYTES;
}

/* A reply that is not kept: the request was not carried out. */
static void refuse(uint8_t sequence, uint8_t kind, uint32_t code)
{
    uint8_t frame[WIRE_HEADER_BYTES + WIRE_HEAD_END + WIRE_CRC_BYTES];

    frame[WIRE_HEADER_BYTES + WIRE_HEAD_CODE] = (uint8_t)code;
    line_send(frame, finish(frame, sequence, kind, WIRE_HEAD_END));
}

/* The reply to the last request; `payload` bytes of it have been written behind the head. */
static void answer(uint32_t code, uint32_t payload)
{
    reply[WIRE_HEADER_BYTES + WIRE_HEAD_CODE] = (uint8_t)code;
    reply_bytes = finish(reply, last_sequence, last_kind, payload);
    line_send(reply, reply_bytes);
}

static void answer_status_only(uint32_t status)
{
    answer(tengen_is_error(status) ? status : WIRE_CODE_OK, WIRE_HEAD_END);
}

/* Framed requests */

static void hello(const uint8_t *payload)
{
    uint8_t *body = reply + WIRE_HEADER_BYTES;
    uint32_t selector = TENGEN_SELECT_CONFIGURATION;
    struct tengen_answer words;

    game_stop();
    if (!tengen_call(&core, TENGEN_COMMAND_READ, 1, &selector, &words)) {
        answer(WIRE_CODE_CORE_SILENT, WIRE_HEAD_END);
        return;
    }
    for (uint32_t index = 0; index < WIRE_NONCE_BYTES; index++) {
        body[WIRE_HELLO_NONCE + index] = payload[index];
    }
    put32(body + WIRE_HELLO_FIRMWARE, TENGEN_FIRMWARE_VERSION);
    put32(body + WIRE_HELLO_CLOCK, TENGEN_CLOCK_HZ);
    body[WIRE_HELLO_SLOT] = TENGEN_SLOT;
    body[WIRE_HELLO_LEVELS] = (uint8_t)game_built_levels;
    put16(body + WIRE_HELLO_MAX_PAYLOAD, WIRE_MAX_PAYLOAD);
    put32(body + WIRE_HELLO_IDENTITY, tengen_register(&core, TENGEN_ID));
    put32(body + WIRE_HELLO_VERSION, tengen_register(&core, TENGEN_VERSION));
    put32(body + WIRE_HELLO_CONFIGURATION, tengen_register(&core, TENGEN_CONFIGURATION));
    put32(body + WIRE_HELLO_HARDWARE, words.word[1]);
    answer(WIRE_CODE_OK, WIRE_HELLO_END);
}

static void set_position(const uint8_t *payload, uint32_t bytes)
{
    uint32_t refused = 0;
    uint32_t status = game_set(payload, bytes / 2, &refused);

    put16(reply + WIRE_HEADER_BYTES + WIRE_REFUSED_INDEX, refused);
    answer(tengen_is_error(status) ? status : WIRE_CODE_OK, tengen_is_error(status) ? WIRE_REFUSED_END : WIRE_HEAD_END);
}

static void play(uint32_t x, uint32_t y)
{
    uint32_t status = game_play(x, y);

    reply[WIRE_HEADER_BYTES + WIRE_PLAY_STATUS] = (uint8_t)status;
    answer(tengen_is_error(status) ? status : WIRE_CODE_OK, WIRE_PLAY_END);
}

/* Whether the search that runs was asked for by a frame. */
static bool framed_search(void)
{
    return session && reply_bytes == 0 && last_kind == WIRE_SEARCH;
}

static void answer_search(const struct found *found)
{
    uint8_t *body = reply + WIRE_HEADER_BYTES;

    body[WIRE_SEARCH_STATUS] = (uint8_t)found->status;
    body[WIRE_SEARCH_X] = found->x;
    body[WIRE_SEARCH_Y] = found->y;
    body[WIRE_SEARCH_LEVEL] = found->level;
    put32(body + WIRE_SEARCH_SCORE, (uint32_t)found->score);
    put64(body + WIRE_SEARCH_CYCLES, found->cycles);
    put64(body + WIRE_SEARCH_NODES, found->nodes);
    answer(tengen_is_error(found->status) ? found->status : WIRE_CODE_OK, WIRE_SEARCH_END);
}

static void begin_search(const uint8_t *payload, uint32_t bytes)
{
    uint32_t status;

    if (payload[0] > game_built_levels) {
        answer_status_only(TENGEN_ANSWER_BAD_ARGUMENT);
        return;
    }
    if (bytes > 5) {
        status = game_play(payload[5], payload[6]);
        if (status != TENGEN_ANSWER_DONE) {
            struct found found = {.status = status};

            answer_search(&found);
            return;
        }
    }
    status = game_search(payload[0], get32(payload + 1));
    if (status != 0) {
        answer_status_only(status);
    }
}

static void take_back(void)
{
    uint8_t *body = reply + WIRE_HEADER_BYTES;
    uint32_t status = game_take_back(body + WIRE_TAKE_BACK_X, body + WIRE_TAKE_BACK_Y);

    answer(tengen_is_error(status) ? status : WIRE_CODE_OK, WIRE_TAKE_BACK_END);
}

static void counters(void)
{
    static const uint16_t offsets[] = {TENGEN_CYCLES_LOW,  TENGEN_CYCLES_HIGH, TENGEN_PASSES,
                                       TENGEN_STALE,       TENGEN_ORDERS,      TENGEN_WAITS_ORDER,
                                       TENGEN_WAITS_FIRST, TENGEN_WAITS_CONTEXT, TENGEN_MISSES};
    uint8_t *body = reply + WIRE_HEADER_BYTES + WIRE_COUNTERS_CYCLES;

    for (uint32_t index = 0; index < sizeof offsets / sizeof offsets[0]; index++) {
        put32(body + 4 * index, tengen_register(&core, offsets[index]));
    }
    body = reply + WIRE_HEADER_BYTES + WIRE_COUNTERS_NODES;
    for (uint32_t ply = 0; ply < TENGEN_NODES_COUNT; ply++) {
        put32(body + 4 * ply, tengen_register(&core, TENGEN_NODES(ply)));
    }
    answer(WIRE_CODE_OK, WIRE_COUNTERS_END);
}

static void read_moves(void)
{
    uint8_t *body = reply + WIRE_HEADER_BYTES + WIRE_HEAD_END;

    for (uint32_t index = 0; index < 2 * game_stones(); index++) {
        body[index] = game_moves()[index];
    }
    answer(WIRE_CODE_OK, WIRE_HEAD_END + 2 * game_stones());
}

/* Whether a request of this kind may have a payload of this length. */
static bool length_fits(uint8_t kind, uint32_t bytes)
{
    switch (kind) {
    case WIRE_HELLO:
        return bytes == WIRE_NONCE_BYTES;
    case WIRE_POSITION:
        return bytes % 2 == 0 && bytes <= 2 * WIRE_MAX_MOVES;
    case WIRE_PLAY:
        return bytes == 2;
    case WIRE_SEARCH:
        return bytes == 5 || bytes == 7;
    default:
        return bytes == 0;
    }
}

static void execute(uint8_t kind, const uint8_t *payload, uint32_t bytes)
{
    if (kind < WIRE_HELLO || kind > WIRE_ABORT) {
        answer(WIRE_CODE_UNKNOWN_KIND, WIRE_HEAD_END);
        return;
    }
    if (!length_fits(kind, bytes)) {
        answer(WIRE_CODE_BAD_LENGTH, WIRE_HEAD_END);
        return;
    }
    switch (kind) {
    case WIRE_HELLO:
        hello(payload);
        break;
    case WIRE_NEW_GAME:
        answer(game_start() ? WIRE_CODE_OK : WIRE_CODE_CORE_SILENT, WIRE_HEAD_END);
        break;
    case WIRE_POSITION:
        set_position(payload, bytes);
        break;
    case WIRE_PLAY:
        play(payload[0], payload[1]);
        break;
    case WIRE_SEARCH:
        begin_search(payload, bytes);
        break;
    case WIRE_TAKE_BACK:
        take_back();
        break;
    case WIRE_COUNTERS:
        counters();
        break;
    default:
        read_moves();
        break;
    }
}

static void request(const uint8_t *frame, uint32_t bytes)
{
    uint8_t sequence = frame[2];
    uint8_t kind = frame[3];
    const uint8_t *payload = frame + WIRE_HEADER_BYTES;

    if (kind & WIRE_REPLY) {
        return; /* an echo of ours */
    }
    if (frame[1] != WIRE_VERSION) {
        refuse(sequence, kind, WIRE_CODE_BAD_VERSION);
    } else if (kind == WIRE_HELLO && length_fits(kind, bytes)) {
        session = true;
        original_spoken = false;
        last_sequence = sequence;
        last_kind = kind;
        reply_bytes = 0;
        execute(kind, payload, bytes);
    } else if (!session) {
        /* A Hello of a wrong length begins no session, and is a request like others within one. */
        refuse(sequence, kind, kind == WIRE_HELLO ? WIRE_CODE_BAD_LENGTH : WIRE_CODE_NO_SESSION);
    } else if (sequence == last_sequence) {
        /* Once more: what runs is told, what is done is told again. */
        if (reply_bytes == 0 && kind == WIRE_ABORT) {
            game_abort();
        } else if (reply_bytes == 0) {
            refuse(sequence, kind, WIRE_CODE_BUSY);
        } else {
            line_send(reply, reply_bytes);
        }
    } else if (sequence != (uint8_t)(last_sequence + 1) || kind == WIRE_ABORT) {
        refuse(sequence, kind, WIRE_CODE_SEQUENCE);
    } else if (game_running()) {
        refuse(sequence, kind, WIRE_CODE_RUNNING);
    } else {
        last_sequence = sequence;
        last_kind = kind;
        reply_bytes = 0;
        execute(kind, payload, bytes);
    }
}

/* The original protocol */

static uint32_t decimal(uint8_t *text, uint32_t value)
{
    uint8_t digits[10];
    uint32_t count = 0;
    uint32_t written = 0;

    do {
        digits[count++] = (uint8_t)('0' + value % 10);
        value /= 10;
    } while (value > 0);
    while (count > 0) {
        text[written++] = digits[--count];
    }
    text[written++] = '\n';
    return written;
}

/* Two lines, the second word first. */
static void answer_original(uint32_t first, uint32_t second)
{
    uint8_t text[24];
    uint32_t count = decimal(text, second);

    count += decimal(text + count, first);
    line_send(text, count);
}

static void original(uint32_t x, uint32_t y)
{
    uint32_t status;

    if (x == ORIGINAL_NEW_GAME && y == ORIGINAL_NEW_GAME) {
        bool unanswered = framed_search();

        (void)game_start();
        if (unanswered) {
            answer_status_only(TENGEN_ANSWER_ABORTED);
        }
        return;
    }
    if (game_running()) {
        answer_original(TENGEN_ANSWER_INTERRUPTED << 8, TENGEN_ANSWER_INTERRUPTED << 8);
        return;
    }
    if (x == ORIGINAL_ENGINE_FIRST && y == ORIGINAL_ENGINE_FIRST && (x >= game_columns || y >= game_rows)) {
        x = game_columns;
        y = game_rows;
    }
    status = game_turn(x, y);
    if (status != 0) {
        answer_original(status << 8, status << 8);
    }
}

/* Whether what has come may be a command of the original protocol; `count` of its bytes are there. */
static bool may_be_original(const uint8_t *bytes, uint32_t count)
{
    for (uint32_t index = 0; index < count && index < ORIGINAL_COMMAND_BYTES; index++) {
        if (index % 4 == 0 ? bytes[index] > ORIGINAL_NEW_GAME : bytes[index] != 0) {
            return false;
        }
    }
    return true;
}

/* Bytes in */

enum front { FRONT_NOISE, FRONT_PARTIAL, FRONT_FRAME };

static enum front front_frame(const uint8_t *bytes, uint32_t count, uint32_t *length)
{
    uint32_t end;

    if (count < WIRE_HEADER_BYTES) {
        return FRONT_PARTIAL;
    }
    *length = get16(bytes + 4);
    if (*length > WIRE_MAX_PAYLOAD) {
        return FRONT_NOISE;
    }
    end = WIRE_HEADER_BYTES + *length;
    if (count < end + WIRE_CRC_BYTES) {
        return FRONT_PARTIAL;
    }
    return get32(bytes + end) == crc32(bytes + 1, end - 1) ? FRONT_FRAME : FRONT_NOISE;
}

void link_work(void)
{
    while (head < tail) {
        const uint8_t *bytes = buffer + head;
        uint32_t count = tail - head;
        uint32_t length = 0;

        if (bytes[0] == WIRE_SYNC) {
            enum front front = front_frame(bytes, count, &length);

            if (front == FRONT_PARTIAL) {
                return;
            }
            if (front == FRONT_FRAME) {
                noise = false;
                head += WIRE_HEADER_BYTES + length + WIRE_CRC_BYTES;
                request(bytes, length);
                continue;
            }
        } else if (!noise && may_be_original(bytes, count)) {
            if (count < ORIGINAL_COMMAND_BYTES) {
                return;
            }
            original_spoken = original_spoken || bytes[0] != 0 || bytes[4] != 0;
            if (original_spoken) {
                head += ORIGINAL_COMMAND_BYTES;
                original(bytes[0], bytes[4]);
                continue;
            }
        }
        noise = true;
        head++;
    }
    head = 0;
    tail = 0;
}

void link_byte(uint8_t byte)
{
    if (tail == sizeof buffer) {
        link_work();
        /* What is understood is gone; move the rest to the front. No command is longer than half the buffer. */
        for (uint32_t index = head; index < tail; index++) {
            buffer[index - head] = buffer[index];
        }
        tail -= head;
        head = 0;
    }
    buffer[tail++] = byte;
}

bool link_waits(void)
{
    return noise || head < tail;
}

void link_silence(void)
{
    while (head < tail) {
        noise = true;
        head++;
        link_work();
    }
    noise = false;
}

void link_poll(void)
{
    struct found found;
    uint32_t words[2];
    bool framed = framed_search();

    if (!game_poll(&found, words)) {
        return;
    }
    if (framed) {
        answer_search(&found);
    } else {
        answer_original(words[0], words[1]);
    }
}
