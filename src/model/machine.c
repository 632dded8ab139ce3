#include "model/machine.h"

#include "base/alloc.h"
#include "core/lots.h"
#include "model/confined.h"
#include "model/host.h"
#include "model/meeting.h"
#include "model/run.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    UNEVEN_STEPS = 1 << 16, /* of a launch in which turns may be missed, */
    UNEVEN_OF_ITEM = 1024,  /* and for each work-item so many more */
};

struct run run;

/* --- gl_calls --- */

static unsigned long id_of(unsigned what, unsigned dimension)
{
    const struct machine_launch *launch = run.launch;

    run.asked[dimension < 2 ? dimension : 2] |= 1u << what;
    if (what == GL_ID_DIMENSIONS)
        return launch->dimensions;
    if (dimension > 2)
        return what == GL_ID_GLOBAL || what == GL_ID_LOCAL || what == GL_ID_GROUP || what == GL_ID_OFFSET ? 0 : 1;
    switch (what) {
    case GL_ID_GLOBAL:
        return launch->offset[dimension] + run.place->id[dimension] * launch->local[dimension] +
               run.self->id[dimension];
    case GL_ID_LOCAL:
        return run.self->id[dimension];
    case GL_ID_GROUP:
        return run.place->id[dimension];
    case GL_ID_OFFSET:
        return launch->offset[dimension];
    case GL_ID_GLOBAL_SIZE:
        return launch->global[dimension];
    case GL_ID_GROUPS:
        return run.counts[dimension];
    case GL_ID_SUB_GROUP_SIZE:
        return launch->device.sub_groups;
    case GL_ID_LOCAL_LINEAR:
        return (run.self->id[2] * launch->local[1] + run.self->id[1]) * launch->local[0] + run.self->id[0];
    default:
        return launch->local[dimension];
    }
}

static void *local(void)
{
    return run.place->parts.local;
}

static void *scratch(void)
{
    run.used_scratch = true;
    return run.place->parts.scratch;
}

static void print(const char *text, unsigned long bytes)
{
    if (!run.mute && write(STDOUT_FILENO, text, bytes) < 0)
        return; /* nobody reads it */
}

static unsigned space_of(const volatile void *at)
{
    return space_kind(&run.space, &run.place->parts, at);
}

static const struct gl_calls calls = {fiber_point, fiber_meet, id_of, local, scratch, print, space_of};

/* --- launches --- */

static bool make_room(void)
{
    const uint64_t count = (uint64_t)run.order.places * run.space.items;

    if (count > PARKING_ITEMS_MOST)
        return false;
    run.item_count = (uint32_t)count;
    run.places = xcalloc(run.order.places, sizeof *run.places);
    run.items = xcalloc_scattered(run.item_count, sizeof *run.items);
    run.ranks = xcalloc(run.item_count, sizeof *run.ranks);
    meeting_begin();
    parking_begin(&run.parking, run.item_count);
    run.even_from = UNEVEN_STEPS + (uint64_t)UNEVEN_OF_ITEM * run.item_count;
    recurrence_begin(&run.recurrence, run.even_from);
    ready_begin(&run.ready, run.turns, run.item_count, run.ranks);
    scheduling_begin();
    return true;
}

static void end_launch(void)
{
    run.self = NULL; /* a look may come late */
    atomic_signal_fence(memory_order_seq_cst);
    for (uint32_t i = 0; run.items != NULL && i < run.item_count; ++i)
        free(run.items[i].circle);
    free(run.places);
    free(run.items);
    free(run.ranks);
    meeting_end();
    parking_fini(&run.parking);
    ready_fini(&run.ready);
    scheduling_end();
    order_fini(&run.order);
    space_end(&run.space);
}

/* What machine_run was asked for, and how it went. */
struct asked {
    const struct machine_launch *launch;
    struct machine_report *report;
    struct error *error;
    void (*use)(void *context); /* NULL: turns are taken */
    void *context;
    size_t memory_most; /* bytes */
    int outcome;
};

static void take_turns(void)
{
    fiber_user = &run_turns;
    for (uint32_t i = 0; i < MODEL_FALLS; ++i)
        run.falls[i] = 1 + lots_draw_below(&run.lots, model_device_falls(run.item_count));
    fiber_run(run_next());
    run.report->steps = run.steps;
}

static void run_launch(const struct asked *asked)
{
    *asked->launch->image->calls = &calls;
    fiber_enter = asked->launch->kernel->enter;
    for (uint32_t i = 0; i < run.order.places; ++i)
        run_fill_place(i);
    if (asked->use == NULL)
        take_turns();
    else
        asked->use(asked->context);
}

static void carry_out(void *context)
{
    struct asked *asked = context;
    const struct machine_launch *launch = asked->launch;
    uint64_t groups = 1;
    uint32_t seed;

    memset(&run, 0, sizeof run);
    *asked->report = (struct machine_report){.end = MACHINE_ENDED};
    run.launch = launch;
    run.report = asked->report;
    run.watched = host_watches(&seed) && asked->use == NULL;
    run.scheduling.asked = asked->use == NULL ? host_asks() : NULL;
    run.mute = asked->use != NULL;
    run.turns = run.scheduling.asked != NULL ? MODEL_TURNS_ROUND : launch->device.turns;
    run.lots = (uint64_t)launch->device.seed << 32 | seed;
    run.signs_at = RUN_SIGN_STEPS;
    run.long_steps = RUN_STEPS_LONG;
    for (int i = 0; i < 3; ++i)
        groups *= run.counts[i] = launch->global[i] / launch->local[i];
    if (groups == 0)
        return;
    order_begin(&run.order, &launch->device, (uint32_t)groups, run.lots);
    asked->outcome = space_begin(&run.space, launch, run.order.places, asked->memory_most, asked->error);
    if (asked->outcome == 0 && !make_room())
        asked->outcome =
            error_set(asked->error, STATUS_UNSUPPORTED, "%u groups of %u work-items at a time are too many",
                      run.order.places, run.space.items);
    if (asked->outcome == 0)
        run_launch(asked);
    end_launch();
}

/* Half of what there is: a launch that took more would have the system end other programs. The thread may not ask. */
static size_t memory_most(void)
{
    return (size_t)sysconf(_SC_PHYS_PAGES) / 2 * (size_t)sysconf(_SC_PAGESIZE);
}

static int carry_out_confined(struct asked *asked)
{
    asked->memory_most = memory_most();
    if (confined_run(carry_out, asked, asked->error) != 0)
        return -1;
    return asked->outcome;
}

int machine_run(const struct machine_launch *launch, struct machine_report *report, struct error *error)
{
    return carry_out_confined(&(struct asked){.launch = launch, .report = report, .error = error});
}

int machine_use(const struct machine_launch *launch, void (*use)(void *context), void *context, struct error *error)
{
    struct machine_report unused;

    return carry_out_confined(
        &(struct asked){.launch = launch, .report = &unused, .error = error, .use = use, .context = context});
}
