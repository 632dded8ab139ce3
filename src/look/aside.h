/* A child of this process that finds something out, and says it through a pipe; nothing waits for it meanwhile. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct aside {
    pid_t child; /* 0: there is none */
    int from;    /* what it says, */
    char *bytes; /* so far; owned */
    size_t count;
    uint64_t begun_ns; /* by clock_ns() */
    bool has_children; /* it ends them and itself at SIGTERM; set once it has begun */
};

/* Its end ends with this process, and what it writes to `to` is heard. It does not come back. */
typedef void aside_function(const void *what, int to);

/* false: it could not be started. What an earlier one has said is forgotten. */
bool aside_begin(struct aside *aside, aside_function *does, const void *what);

/* Takes what it has said; true: it has ended, or is ended because it takes longer than `most_ns`. */
bool aside_ended(struct aside *aside, uint64_t most_ns);

/* Ends it, and forgets what it has said. */
void aside_forget(struct aside *aside);
