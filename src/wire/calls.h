/* Which calls of OpenCL a worker is in: its threads say so in the page that it shares with the supervisor. */
#pragma once

#include <stdatomic.h>
#include <stdint.h>

enum { CALLERS = 8, CALL_NAME = 56, CALLS_WHEN = 96, CALLS_TEXT = 160 };

struct calls {
    struct caller {
        _Atomic uint32_t inside; /* 1: of `name`, which has not returned */
        char name[CALL_NAME];
    } callers[CALLERS];    /* a thread each; those that find no room share the last one */
    char when[CALLS_WHEN]; /* what was so when they were made, such as "while a user event held a kernel back"; or "" */
};

/*
 * The names of calls that were entered and have not returned, as "clFinish and clFlush"; "" if all have. A driver
 * may have written to the page: what is no name is left out.
 */
void calls_list(const struct calls *calls, char text[CALLS_TEXT]);

/* `when`, of plain characters. */
void calls_when(const struct calls *calls, char text[CALLS_WHEN]);
