/*
 * Runs kernels of programs that model/compile.c has built: each work-item is a fiber, each access of memory a point at
 * which another one may go on, and a model of progress says who must get a turn. Nothing depends on time: the same
 * launch on the same device takes the same steps.
 *
 * A launch stands still once each work-item that may get a turn has come back to a state that it was in, with all that
 * it read since as it was (model/circle.h), or waits at a barrier of its group: nothing will ever change unless the
 * host changes it. If turns go round it is seen as well that the launch as a whole comes back (model/recurrence.h).
 */
#pragma once

#include "base/error.h"
#include "core/schedule.h"
#include "litmus/emulate.h"
#include "model/image.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct machine_region {
    void *base;
    size_t bytes;
    bool read_only;
    unsigned char *written; /* of each byte: somebody has written it; or NULL: all have a value */
};

struct machine_launch {
    const struct gl_image *image;
    const struct gl_kernel *kernel;
    const void *const *arguments;          /* the value of each; of a local one, NULL */
    const size_t *local_bytes;             /* of each; 0 unless it is local */
    uint32_t dimensions;                   /* 1 to 3 */
    size_t offset[3], global[3], local[3]; /* 1 beyond the dimensions, offsets 0 */
    const struct machine_region *regions;  /* what it may access, beside local memory and the program's variables */
    size_t region_count;
    struct model_device device;
};

enum machine_end {
    MACHINE_ENDED,     /* all work-groups have */
    MACHINE_ABANDONED, /* the host wanted no more of it */
    MACHINE_STOOD,     /* it never ends by itself, and there is no host that watches */
    MACHINE_FAULT,     /* a work-item did what no kernel may */
    MACHINE_SPENT,     /* it did not end, and was not found never to end, within its bound of steps */
};

enum {
    MACHINE_FRAMES = 8,
    MACHINE_STOPS = SCHEDULE_TOLD + 1, /* the last cut may turn out to be none */
};

struct machine_report {
    enum machine_end end;
    char fault[256];                    /* one sentence; "" unless it is a fault */
    const void *frames[MACHINE_FRAMES]; /* then where in the program that was, the innermost first; or NULL */
    uint64_t steps;                     /* accesses */
    struct schedule schedule;           /* its turns; the caller frees it. None where they are taken in turn */
    /* Where cut c of the schedule was, in `stops[c % MACHINE_STOPS]`, as frames: of the last cuts before it stood. */
    const void *stops[MACHINE_STOPS][MACHINE_FRAMES];
};

/*
 * Runs the launch to its end, on a thread of its own (model/confined.h). If a host watches, it waits for that where it
 * stands still, and now and then where it goes on for long; without a host it ends where it stands. STATUS_UNSUPPORTED
 * if there is not the memory for so many work-items.
 */
int machine_run(const struct machine_launch *launch, struct machine_report *report, struct error *error);

/*
 * Sets the launch up as machine_run does, on that thread, and has `use` do with it what it likes (model/run.h) instead
 * of taking its turns. What it prints is left out, and no host watches.
 */
int machine_use(const struct machine_launch *launch, void (*use)(void *context), void *context, struct error *error);

/* --- for the host: any other thread --- */

enum machine_standing {
    MACHINE_GOES_ON, /* or no launch runs */
    MACHINE_STILL,   /* nothing will change unless the host changes it */
    MACHINE_RECURS, /* memory changes, but all of it and all work-items come back to what they were, and may for ever */
    MACHINE_LONG,   /* it has taken twice as many steps as when it last said so */
};

/* Sets whether a host watches the launches that follow, and what their lots follow from beside the device's seed. */
void machine_watch(bool watched, uint32_t seed);

/*
 * Whose turns they take, or NULL: the device's own. A turn of one that cannot go on then is left out, one that was not
 * cut is as long as it can be, and so are those behind the last one, in turn.
 */
void machine_follow(const struct schedule *schedule);

/* Tells how the launch stands; but for MACHINE_GOES_ON it waits until the host lets it go on, or abandons it. */
enum machine_standing machine_standing(void);
void machine_go_on(void);
void machine_abandon(void);

/* Tells about how many accesses the launch has made. If that no longer grows, it is in a loop that makes none. */
uint64_t machine_steps(void);

/* Has the user of a launch (machine_use) look at a work-item that runs without making accesses: fiber_user.at_look. */
void machine_look(void);
