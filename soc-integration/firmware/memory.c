/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* What the compiler calls although nobody wrote it. */
#include <stddef.h>

void *memcpy(void *to, const void *from, size_t count);
void *memset(void *to, int value, size_t count);

void *memcpy(void *to, const void *from, size_t count)
{
    char *target = to;
    const char *source = from;

    while (count-- > 0) {
        *target++ = *source++;
    }
    return to;
}

void *memset(void *to, int value, size_t count)
{
    char *target = to;

    while (count-- > 0) {
        *target++ = (char)value;
    }
    return to;
}
