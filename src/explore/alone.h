/*
 * Looks at a work-item that computes without making an access: is it in a loop that never ends? If all that it has of
 * its own is as it was at an earlier look, it goes round for ever, for nothing else decides what it does. A loop that
 * counts comes round late, or never: of that only time tells.
 */
#pragma once

#include "model/fiber.h"

#include <stddef.h>
#include <stdint.h>

struct alone {
    uint64_t calls;    /* that work-items had made at the last look, */
    uint64_t began_ns; /* and the time of the thread when that was first so */
    uint32_t looks;    /* since */
    size_t bytes, room;
    unsigned char *state; /* at one of them; owned */
};

enum alone_is { ALONE_GOES_ON, ALONE_GOES_ROUND, ALONE_TAKES_LONG };

/*
 * Takes a look, in a handler of signals: the work-item that runs has its stack up to `top`, and `calls` counts all that
 * work-items say; it is given up after `most_ns`.
 */
enum alone_is alone_look(struct alone *alone, const struct fiber_interrupted *now, const void *top, uint64_t calls,
                         uint64_t most_ns);
void alone_fini(struct alone *alone);
