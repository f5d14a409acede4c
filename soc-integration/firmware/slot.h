/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The slot that the core is in, chosen with -DTENGEN_SLOT=0 to 3. */
#ifndef SLOT_H
#define SLOT_H

#include "tengen_regs.h"

#ifndef TENGEN_SLOT
#define TENGEN_SLOT 0
#endif
#if TENGEN_SLOT == 0
#define SLOT_BASE TENGEN_SLOT0_BASE
#define SLOT_INTERRUPT TENGEN_SLOT0_INTERRUPT
#elif TENGEN_SLOT == 1
#define SLOT_BASE TENGEN_SLOT1_BASE
#define SLOT_INTERRUPT TENGEN_SLOT1_INTERRUPT
#elif TENGEN_SLOT == 2
#define SLOT_BASE TENGEN_SLOT2_BASE
#define SLOT_INTERRUPT TENGEN_SLOT2_INTERRUPT
#elif TENGEN_SLOT == 3
#define SLOT_BASE TENGEN_SLOT3_BASE
#define SLOT_INTERRUPT TENGEN_SLOT3_INTERRUPT
#else
#error "TENGEN_SLOT is 0 to 3"
#endif

#endif
