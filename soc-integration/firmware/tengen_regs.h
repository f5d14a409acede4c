/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Generated from soc-integration/src/register_map.rs by `UPDATE_EXPECT=1 cargo test -p soc-integration`. */
#ifndef TENGEN_REGS_H
#define TENGEN_REGS_H

/* Byte offsets of the 32-bit registers, and masks and positions of their fields. */
#define TENGEN_WINDOW_BYTES 0x1000u

/* identity: "TENG" in ASCII, T highest */
#define TENGEN_ID 0x000u

/* version of the core */
#define TENGEN_VERSION 0x004u
#define TENGEN_VERSION_PATCH 0x000000ffu /* patch */
#define TENGEN_VERSION_PATCH_SHIFT 0
#define TENGEN_VERSION_MINOR 0x0000ff00u /* minor version */
#define TENGEN_VERSION_MINOR_SHIFT 8
#define TENGEN_VERSION_MAJOR 0x00ff0000u /* major version */
#define TENGEN_VERSION_MAJOR_SHIFT 16

/* what the core was built for */
#define TENGEN_CONFIGURATION 0x008u
#define TENGEN_CONFIGURATION_COLUMNS 0x000000ffu /* columns of the board */
#define TENGEN_CONFIGURATION_COLUMNS_SHIFT 0
#define TENGEN_CONFIGURATION_ROWS 0x0000ff00u /* rows of the board */
#define TENGEN_CONFIGURATION_ROWS_SHIFT 8
#define TENGEN_CONFIGURATION_IN_A_ROW 0x00ff0000u /* stones in a row that win */
#define TENGEN_CONFIGURATION_IN_A_ROW_SHIFT 16
#define TENGEN_CONFIGURATION_LEVELS 0xff000000u /* search levels built */
#define TENGEN_CONFIGURATION_LEVELS_SHIFT 24

/* keeps what is written: to see that the bus works, lane by lane */
#define TENGEN_SCRATCH 0x00cu

/* pushes a command word; dropped if STATUS.CONTROL_ROOM is 0 (ERRORS.CONTROL_DROPPED) */
#define TENGEN_CONTROL 0x010u

/* pushes an argument word; dropped if STATUS.DATA_ROOM is 0 (ERRORS.DATA_DROPPED) */
#define TENGEN_DATA_IN 0x014u

/* takes the next answer word; reads all ones if none waits (ERRORS.EMPTY_READ; check STATUS.ANSWER first) */
#define TENGEN_DATA_OUT 0x018u

/* state of the streams; poll it, or use the interrupt */
#define TENGEN_STATUS 0x01cu
#define TENGEN_STATUS_ANSWER 0x00000001u /* an answer word waits in DATA_OUT */
#define TENGEN_STATUS_LAST 0x00000002u /* the word that waits is the last of its answer */
#define TENGEN_STATUS_CONTROL_ROOM 0x00000004u /* the next write to CONTROL is taken */
#define TENGEN_STATUS_DATA_ROOM 0x00000008u /* the next write to DATA_IN is taken */
#define TENGEN_STATUS_BUSY 0x00000010u /* the core plays a move or searches; goes low for one clock within Play: wait for ANSWER instead */
#define TENGEN_STATUS_ERROR 0x00000020u /* a bit of ERRORS is set */

/* accesses that could not be carried out, until cleared */
#define TENGEN_ERRORS 0x020u
#define TENGEN_ERRORS_CONTROL_DROPPED 0x00000001u /* a write to CONTROL found no room */
#define TENGEN_ERRORS_DATA_DROPPED 0x00000002u /* a write to DATA_IN found no room */
#define TENGEN_ERRORS_EMPTY_READ 0x00000004u /* a read of DATA_OUT found no word */

/* what drives the interrupt line (level, active high) */
#define TENGEN_INTERRUPT_ENABLE 0x024u
#define TENGEN_INTERRUPT_ENABLE_ANSWER 0x00000001u /* interrupt while an answer word waits */

/* the interrupt line's cause; falls when the answer has been read */
#define TENGEN_INTERRUPT_STATUS 0x028u
#define TENGEN_INTERRUPT_STATUS_ANSWER 0x00000001u /* an answer word waits and its interrupt is enabled */

/* clock cycles of the last search, low word; reading it holds CYCLES_HIGH */
#define TENGEN_CYCLES_LOW 0x040u

/* clock cycles of the last search, high word as CYCLES_LOW was read */
#define TENGEN_CYCLES_HIGH 0x044u

/* evaluator passes of the last search; counters begin anew with a search and count while it runs */
#define TENGEN_PASSES 0x048u

/* results among them that were dropped as stale */
#define TENGEN_STALE 0x04cu

/* passes among them that asked for further moves in order */
#define TENGEN_ORDERS 0x050u

/* clocks without a pass while one of those was waited for */
#define TENGEN_WAITS_ORDER 0x054u

/* clocks without a pass while siblings waited for a first child */
#define TENGEN_WAITS_FIRST 0x058u

/* clocks without a pass while moves waited for a free context */
#define TENGEN_WAITS_CONTEXT 0x05cu

/* clocks lost to a visit that found no move */
#define TENGEN_MISSES 0x060u

/* clock cycles within which a search ends, as the command Limit set them; 0: no limit */
#define TENGEN_LIMIT 0x064u

/* levels of the search that the last decision comes from */
#define TENGEN_DECIDED_LEVELS 0x068u

/* nodes of the last search, one register a ply from the root's moves on; 0 where none is built */
#define TENGEN_NODES(i) (0x080u + 4u * (i))
#define TENGEN_NODES_COUNT 18u

/* What TENGEN_ID reads. */
#define TENGEN_IDENTITY 0x54454e47u
/* What TENGEN_DATA_OUT reads while no answer word waits. */
#define TENGEN_EMPTY 0xffffffffu

/* Command words for TENGEN_CONTROL; in brackets the words they take from TENGEN_DATA_IN. */
#define TENGEN_COMMAND_RESET 0u /* [0] */
#define TENGEN_COMMAND_PLAY 1u /* [2] */
#define TENGEN_COMMAND_PLACE 2u /* [2] */
#define TENGEN_COMMAND_SEARCH 3u /* [0] */
#define TENGEN_COMMAND_LEVELS 4u /* [1] */
#define TENGEN_COMMAND_TAKE_BACK 5u /* [0] */
#define TENGEN_COMMAND_READ 6u /* [1] */
#define TENGEN_COMMAND_ABORT 7u /* [0] */
#define TENGEN_COMMAND_LIMIT 8u /* [1] */

/* An answer is 2 words: in both the status, in the first x, in the second y. */
#define TENGEN_ANSWER_WORDS 2
#define TENGEN_ANSWER_STATUS(word) (((word) >> 8) & 0xffffffu)
#define TENGEN_ANSWER_COORDINATE(word) ((word) & 0xffu)
#define TENGEN_ANSWER_MOVE 0x00u
#define TENGEN_ANSWER_ENGINE_WINS 0x01u
#define TENGEN_ANSWER_ENGINE_DRAWS 0x02u
#define TENGEN_ANSWER_DONE 0x10u
#define TENGEN_ANSWER_MOVER_WINS 0x11u
#define TENGEN_ANSWER_MOVER_DRAWS 0x12u
#define TENGEN_ANSWER_OCCUPIED 0x81u
#define TENGEN_ANSWER_OUTSIDE 0x82u
#define TENGEN_ANSWER_GAME_OVER 0x83u
#define TENGEN_ANSWER_UNKNOWN_COMMAND 0x84u
#define TENGEN_ANSWER_INTERRUPTED 0x85u
#define TENGEN_ANSWER_BAD_ARGUMENT 0x86u
#define TENGEN_ANSWER_NO_MOVE 0x87u
#define TENGEN_ANSWER_ABORTED 0x88u

/* Selectors of TENGEN_COMMAND_READ. */
#define TENGEN_SELECT_IDENTITY 0u
#define TENGEN_SELECT_CONFIGURATION 1u
#define TENGEN_SELECT_GAME 2u
#define TENGEN_SELECT_CYCLES 3u
#define TENGEN_SELECT_PASSES 4u
#define TENGEN_SELECT_ORDERS 5u
#define TENGEN_SELECT_WAITS 6u
#define TENGEN_SELECT_MISSES 7u
#define TENGEN_SELECT_LIMIT 8u
#define TENGEN_SELECT_NODES 16u
#define TENGEN_SELECT_ROWS 64u

/* wujian100's low-speed slots: address and CLIC number. */
#define TENGEN_SLOT0_BASE 0x40200000u
#define TENGEN_SLOT0_INTERRUPT 46
#define TENGEN_SLOT1_BASE 0x40300000u
#define TENGEN_SLOT1_INTERRUPT 47
#define TENGEN_SLOT2_BASE 0x70000000u
#define TENGEN_SLOT2_INTERRUPT 48
#define TENGEN_SLOT3_BASE 0x78000000u
#define TENGEN_SLOT3_INTERRUPT 49

#endif
