/*
 * The kill ladder: what the watchdog does to a worker that has overrun its deadline. A pure decision,
 * apart from the thread that carries it out.
 */
#pragma once

#include "core/naming.h"

#include <stdbool.h>
#include <stdint.h>

enum rung {
    RUNG_NONE,       /* within its deadline */
    RUNG_STOP_WORD,  /* the stop word is asked for; the kernel may end by itself */
    RUNG_SIGTERM,    /* the worker is asked to end */
    RUNG_SIGKILL,    /* the worker and its process group are killed */
    RUNG_UNKILLABLE, /* it did not die; it is given up, and its device with it */
    RUNG_COUNT,
};

struct ladder {
    enum rung rung;
    uint64_t climbed_ns; /* when it reached that rung, monotonic */
};

/* Times on a rung before the next one. */
struct ladder_graces {
    uint64_t stop_ns;
    uint64_t sigterm_ns;
    uint64_t sigkill_ns;
};

/* The rung to be on at `now_ns` for a worker whose deadline is `deadline_ns`: the same, or the next. */
enum rung ladder_next(const struct ladder *ladder, const struct ladder_graces *graces, uint64_t now_ns,
                      uint64_t deadline_ns);

/*
 * Whether it was the ladder that ended a worker, which died of `signal`, or of none (0). A signal that the ladder does
 * not send came from the driver: on a busy machine it may take so long to die of it that the deadline passes.
 */
bool ladder_has_ended(enum rung rung, int signal);

NAMING_DECLARE(rung, enum rung);
