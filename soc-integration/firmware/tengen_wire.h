/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Generated from driver/src/frame.rs, layout.rs and original.rs by `UPDATE_EXPECT=1 cargo test -p soc-integration`. */
#ifndef TENGEN_WIRE_H
#define TENGEN_WIRE_H

/* Frames: sync, version, sequence, kind, length, payload, CRC-32. */
#define WIRE_SYNC 165u
#define WIRE_VERSION 1u
#define WIRE_HEADER_BYTES 6u
#define WIRE_CRC_BYTES 4u
#define WIRE_MAX_MOVES 400u
#define WIRE_MAX_PAYLOAD 864u
#define WIRE_MAX_FRAME 874u
#define WIRE_REPLY 128u
#define WIRE_NONCE_BYTES 6u
#define WIRE_GAP_MS 50u

/* Kinds of request. */
#define WIRE_HELLO 0x01u
#define WIRE_NEW_GAME 0x02u
#define WIRE_POSITION 0x03u
#define WIRE_PLAY 0x04u
#define WIRE_SEARCH 0x05u
#define WIRE_TAKE_BACK 0x06u
#define WIRE_COUNTERS 0x07u
#define WIRE_MOVES 0x08u
#define WIRE_ABORT 0x09u
#define WIRE_SCRIPT 0x0au

/* First byte of a reply; below 0xa0 a status of the core. */
#define WIRE_CODE_OK 0x00u
#define WIRE_CODE_BUSY 0xa0u
#define WIRE_CODE_NO_SESSION 0xa1u
#define WIRE_CODE_SEQUENCE 0xa2u
#define WIRE_CODE_BAD_LENGTH 0xa3u
#define WIRE_CODE_UNKNOWN_KIND 0xa4u
#define WIRE_CODE_BAD_VERSION 0xa5u
#define WIRE_CODE_CORE_SILENT 0xa6u
#define WIRE_CODE_RUNNING 0xa7u
#define WIRE_CODE_SCRIPTED 0xa8u

/* Where the parts of a reply's payload stand, and where it ends. */
#define WIRE_HEAD_CODE 0u
#define WIRE_HEAD_OVER 1u
#define WIRE_HEAD_STONES 2u
#define WIRE_HEAD_DIGEST 4u
#define WIRE_HEAD_END 8u
#define WIRE_HELLO_NONCE 8u
#define WIRE_HELLO_FIRMWARE 14u
#define WIRE_HELLO_CLOCK 18u
#define WIRE_HELLO_SLOT 22u
#define WIRE_HELLO_LEVELS 23u
#define WIRE_HELLO_MAX_PAYLOAD 24u
#define WIRE_HELLO_IDENTITY 26u
#define WIRE_HELLO_VERSION 30u
#define WIRE_HELLO_CONFIGURATION 34u
#define WIRE_HELLO_HARDWARE 38u
#define WIRE_HELLO_END 42u
#define WIRE_SEARCH_STATUS 8u
#define WIRE_SEARCH_X 9u
#define WIRE_SEARCH_Y 10u
#define WIRE_SEARCH_LEVEL 11u
#define WIRE_SEARCH_SCORE 12u
#define WIRE_SEARCH_CYCLES 16u
#define WIRE_SEARCH_NODES 24u
#define WIRE_SEARCH_END 32u
#define WIRE_PLAY_STATUS 8u
#define WIRE_PLAY_END 9u
#define WIRE_TAKE_BACK_X 8u
#define WIRE_TAKE_BACK_Y 9u
#define WIRE_TAKE_BACK_END 10u
#define WIRE_REFUSED_INDEX 8u
#define WIRE_REFUSED_END 10u
#define WIRE_COUNTERS_CYCLES 8u
#define WIRE_COUNTERS_PASSES 16u
#define WIRE_COUNTERS_STALE 20u
#define WIRE_COUNTERS_ORDERS 24u
#define WIRE_COUNTERS_WAITS_ORDER 28u
#define WIRE_COUNTERS_WAITS_FIRST 32u
#define WIRE_COUNTERS_WAITS_CONTEXT 36u
#define WIRE_COUNTERS_MISSES 40u
#define WIRE_COUNTERS_NODES 44u
#define WIRE_COUNTERS_END 116u

/* The original protocol: x and y in 32 bits each. */
#define ORIGINAL_COMMAND_BYTES 8u
#define ORIGINAL_NEW_GAME 99u
#define ORIGINAL_ENGINE_FIRST 15u

#endif
