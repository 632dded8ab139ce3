/*
 * Looks at the threads of a process (look/look.h), one after the other. A child of this process takes each: so nothing
 * waits for it, and whatever becomes of it, or of the process, the system lets that go on, or end.
 */
#pragma once

#include "look/aside.h"
#include "look/look.h"

/* While nothing new is seen, looks become rare. */
struct looking_pace {
    uint64_t pause_ns;     /* between the first two, at least */
    uint32_t share;        /* so many times as long as a look took, nobody looks then */
    enum look_depth first; /* of the first one, which may be quick, to be told of soon */
};

struct looking {
    struct aside aside;   /* that is at it */
    uint64_t pause_ns;    /* from the last look to the next, */
    uint64_t next_ns;     /* which is then */
    bool done;            /* there is an answer: `look`, or why there is none */
    struct look look;     /* no threads if there is none */
    struct error failure; /* "" if there is one */
};

/* Takes an answer that has come, and begins a look, if it is time for one: at once, then after a pause. */
void looking_step(struct looking *looking, pid_t process, const struct looking_pace *pace);

/* What was seen last, or NULL. */
const struct look *looking_seen(const struct looking *looking);

/* Forgets what was seen, and gives up a look that is not at its end. */
void looking_forget(struct looking *looking);
