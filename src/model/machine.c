#include "model/machine.h"

#include "base/alloc.h"
#include "core/lots.h"
#include "model/confined.h"
#include "model/fiber.h"
#include "model/order.h"
#include "model/space.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    TURN = 16,       /* accesses of a work-item until the next one goes on */
    FALLS = 2,       /* of priorities, in a launch: what three accesses in a certain order show is found */
    QUIET_FIRST = 8, /* accesses without a change of memory after which its state is first kept */
    KEPT_BYTES = 16, /* of what an access is about to change */
};
enum { FALLS_WITHIN = 256 };           /* steps, and 16 for each work-item: a short kernel's */
#define STEPS_LONG (UINT64_C(1) << 23) /* after which the host is first asked */
#define STEPS_MOST (UINT64_C(1) << 32)

/* A work-item. While it does not run, `self` is where it goes on, with the access that it is about to make. */
struct item {
    fiber_pointer self;
    void *top; /* of its stack */
    const volatile void *at;
    size_t bytes;
    uint32_t how;
    uint32_t place;
    uint16_t id[3];
    bool begun;
    bool meets;     /* it waits at a barrier of its group */
    uint32_t quiet; /* accesses since memory was last seen to change, */
    uint64_t epoch; /* which was then */
    uint32_t rank;  /* its priority, by lot: the higher goes first */
    void *kept;     /* the state that it had in this epoch, */
    size_t kept_bytes, kept_room;
};

struct place {
    struct space_place parts;
    uint32_t group;
    size_t id[3];
    uint32_t running; /* work-items that have not ended */
    uint32_t meeting; /* of these, at a barrier */
};

/* The launch that runs; one at a time in a process. */
static struct {
    const struct machine_launch *launch;
    struct machine_report *report;
    struct space space;
    struct order order;
    struct place *places;
    struct item *items;
    size_t counts[3]; /* work-groups */
    uint32_t item_count;
    uint32_t *ready; /* a ring of those that may go on; */
    uint32_t mask, first, ready_count;
    uint32_t *parked; /* those that only turn until memory changes */
    uint32_t parked_count;
    struct item *self; /* runs */
    struct place *place;
    uint32_t turn;  /* accesses of its turn */
    uint64_t epoch; /* changes of memory */
    uint64_t steps;
    uint64_t long_steps; /* after so many the host is asked */
    uint64_t lots;
    uint64_t falls[FALLS];         /* steps at which a priority falls */
    uint32_t ended;                /* groups */
    const volatile void *changing; /* what the access that is made now may change; or NULL */
    size_t changing_bytes;
    unsigned char before[KEPT_BYTES];
} run;

/* --- between the launch and its host --- */

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t answered = PTHREAD_COND_INITIALIZER;
static enum machine_standing standing;
static bool watched, abandoned;
static uint32_t watched_seed;

void machine_watch(bool by_host, uint32_t seed)
{
    pthread_mutex_lock(&mutex);
    watched = by_host;
    watched_seed = seed;
    pthread_mutex_unlock(&mutex);
}

enum machine_standing machine_standing(void)
{
    pthread_mutex_lock(&mutex);
    const enum machine_standing now = standing;
    pthread_mutex_unlock(&mutex);
    return now;
}

static void answer(bool abandons)
{
    pthread_mutex_lock(&mutex);
    standing = MACHINE_GOES_ON;
    abandoned = abandons;
    pthread_mutex_unlock(&mutex);
    pthread_cond_broadcast(&answered);
}

void machine_go_on(void)
{
    answer(false);
}

void machine_abandon(void)
{
    answer(true);
}

/* True: the launch is to go on, and the host may have changed memory. */
static bool ask_host(enum machine_standing now)
{
    pthread_mutex_lock(&mutex);
    abandoned = !watched && now == MACHINE_STILL;
    standing = watched ? now : MACHINE_GOES_ON;
    while (standing != MACHINE_GOES_ON)
        pthread_cond_wait(&answered, &mutex);
    const bool goes_on = !abandoned;
    pthread_mutex_unlock(&mutex);
    return goes_on;
}

/* --- who may go on --- */

static bool by_rank(void)
{
    return run.launch->device.turns == MODEL_TURNS_PCT;
}

static uint32_t rank_at(uint32_t place)
{
    return run.items[run.ready[place]].rank;
}

static void swap_ready(uint32_t a, uint32_t b)
{
    const uint32_t item = run.ready[a];
    run.ready[a] = run.ready[b];
    run.ready[b] = item;
}

/* With priorities the ready are a heap, the highest first; else a ring. */
static void make_ready(uint32_t item)
{
    uint32_t at = by_rank() ? run.ready_count++ : (run.first + run.ready_count++) & run.mask;

    run.ready[at] = item;
    for (; by_rank() && at > 0 && rank_at(at) > rank_at((at - 1) / 2); at = (at - 1) / 2)
        swap_ready(at, (at - 1) / 2);
}

static uint32_t take_highest(void)
{
    const uint32_t item = run.ready[0];

    run.ready[0] = run.ready[--run.ready_count];
    for (uint32_t at = 0, child; (child = 2 * at + 1) < run.ready_count; at = child) {
        child += child + 1 < run.ready_count && rank_at(child + 1) > rank_at(child);
        if (rank_at(at) >= rank_at(child))
            break;
        swap_ready(at, child);
    }
    return item;
}

static uint32_t take_ready(void)
{
    if (by_rank())
        return take_highest();
    if (run.launch->device.turns == MODEL_TURNS_LOT)
        swap_ready(run.first & run.mask, (run.first + lots_draw_below(&run.lots, run.ready_count)) & run.mask);
    --run.ready_count;
    return run.ready[run.first++ & run.mask];
}

/* Whoever turns may find what it waits for. */
static void wake(void)
{
    for (uint32_t i = 0; i < run.parked_count; ++i)
        make_ready(run.parked[i]);
    run.parked_count = 0;
}

static void note_change(void)
{
    ++run.epoch;
    if (run.parked_count > 0)
        wake();
}

/* The last access was made: did it change anything? */
static void settle(void)
{
    if (run.changing == NULL)
        return;
    if (run.changing_bytes > KEPT_BYTES || memcmp(run.before, (const void *)run.changing, run.changing_bytes) != 0)
        note_change();
    run.changing = NULL;
}

static void expect_change(const struct item *item)
{
    const uint32_t kind = GL_HOW_KIND(item->how);

    if (kind != GL_HOW_STORE && kind != GL_HOW_UPDATE)
        return;
    run.changing = item->at;
    run.changing_bytes = item->bytes;
    if (item->bytes <= KEPT_BYTES)
        memcpy(run.before, (const void *)item->at, item->bytes);
}

static void take_place(uint32_t at, uint32_t group)
{
    struct place *place = &run.places[at];
    const size_t *local = run.launch->local;
    const uint32_t count = run.space.items;

    place->group = group;
    place->id[0] = group % run.counts[0];
    place->id[1] = group / run.counts[0] % run.counts[1];
    place->id[2] = group / run.counts[0] / run.counts[1];
    place->running = count;
    place->meeting = 0;
    place->parts = space_place(&run.space, at);
    space_enter(&run.space, &place->parts);
    for (uint32_t i = 0; i < count; ++i) {
        struct item *item = &run.items[(size_t)at * count + i];
        item->top = place->parts.stacks + (i + 1) * run.space.stack_bytes;
        item->self = fiber_make(item->top);
        item->place = at;
        item->id[0] = (uint16_t)(i % local[0]);
        item->id[1] = (uint16_t)(i / local[0] % local[1]);
        item->id[2] = (uint16_t)(i / local[0] / local[1]);
        item->begun = item->meets = false;
        item->rank = FALLS + (uint32_t)(lots_draw(&run.lots) >> 33);
        item->epoch = UINT64_MAX;
        make_ready(at * count + i);
    }
}

static void fill_place(uint32_t at)
{
    uint32_t group;

    if (order_take(&run.order, at, &group))
        take_place(at, group);
}

/* --- turns --- */

static fiber_pointer resume(uint32_t index)
{
    struct item *item = &run.items[index];

    run.self = item;
    run.place = &run.places[item->place];
    run.turn = 0;
    fiber_top = item->top;
    if (item->begun) {
        expect_change(item);
        return item->self;
    }
    item->begun = true;
    fiber_arguments = run.place->parts.arguments;
    return item->self;
}

static fiber_pointer stop(enum machine_end end)
{
    run.report->end = end;
    return fiber_host();
}

/* Nobody that may have a turn can change anything. */
static bool host_changes_it(void)
{
    if (!ask_host(MACHINE_STILL))
        return false;
    note_change();
    return run.ready_count > 0;
}

static fiber_pointer next(void)
{
    if (run.ready_count == 0 && !host_changes_it())
        return stop(watched ? MACHINE_ABANDONED : MACHINE_STOOD);
    return resume(take_ready());
}

/* Words of its stack that are addresses of the program's code: calls that have not returned, and perhaps remains. */
static void note_frames(const struct item *item)
{
    size_t count = 0;

    for (fiber_pointer word = item->self + FIBER_SAVED; word < (fiber_pointer)item->top && count < MACHINE_FRAMES;
         ++word)
        if ((uintptr_t)*word - run.space.object < run.space.object_end - run.space.object)
            run.report->frames[count++] = *word;
}

/* What the present work-item did, and where `at` is. */
static fiber_pointer fault(const char *what, const struct item *at)
{
    const struct item *item = run.self;
    note_frames(at);
    snprintf(run.report->fault, sizeof run.report->fault, "work-item (%u, %u, %u) of group %u %s", item->id[0],
             item->id[1], item->id[2], run.place->group, what);
    return stop(MACHINE_FAULT);
}

/* --- states that come back --- */

static void keep(struct item *item, size_t bytes)
{
    if (bytes > item->kept_room) {
        item->kept = xrealloc(item->kept, bytes);
        item->kept_room = bytes;
    }
    memcpy(item->kept, item->self, bytes);
    item->kept_bytes = bytes;
}

/*
 * It is where it was before, and memory has not changed since: as long as nobody changes that, it does for ever what it
 * did in between, which changed nothing.
 */
static bool recurs(struct item *item)
{
    const size_t bytes = (size_t)((unsigned char *)fiber_top - (unsigned char *)item->self);

    if (item->epoch != run.epoch) {
        item->epoch = run.epoch;
        item->quiet = 0;
        item->kept_bytes = 0;
        return false;
    }
    ++item->quiet;
    if (bytes == item->kept_bytes && memcmp(item->kept, item->self, bytes) == 0)
        return true;
    if (item->quiet >= QUIET_FIRST && (item->quiet & (item->quiet - 1)) == 0)
        keep(item, bytes);
    return false;
}

/* It takes long: the host decides whether it is to go on. */
static bool goes_on(void)
{
    run.long_steps *= 2;
    if (run.steps == STEPS_MOST || !ask_host(MACHINE_LONG))
        return false;
    note_change();
    return true;
}

/* At a drawn access its priority falls below all others. */
static bool is_turn_over(struct item *item)
{
    if (!by_rank())
        return run.launch->device.turns == MODEL_TURNS_LOT || ++run.turn == TURN;
    for (uint32_t i = 0; i < FALLS; ++i)
        if (run.steps == run.falls[i])
            item->rank = i;
    return run.ready_count > 0 && rank_at(0) > item->rank;
}

/* --- what work-items call --- */

fiber_pointer fiber_at_point(const volatile void *at, size_t bytes, uint32_t how, fiber_pointer self)
{
    struct item *item = run.self;
    const uint32_t kind = GL_HOW_KIND(how);

    settle();
    item->self = self;
    item->at = at;
    item->bytes = bytes;
    item->how = how;
    if (kind != GL_HOW_FENCE &&
        !space_allows(&run.space, &run.place->parts, at, bytes, kind == GL_HOW_STORE || kind == GL_HOW_UPDATE))
        return fault(kind == GL_HOW_LOAD ? "reads outside of what the kernel was given"
                                         : "writes outside of what the kernel was given",
                     item);
    if (++run.steps == run.long_steps && !goes_on())
        return stop(run.steps == STEPS_MOST ? MACHINE_SPENT : MACHINE_ABANDONED);
    if (recurs(item)) {
        run.parked[run.parked_count++] = (uint32_t)(item - run.items);
        return next();
    }
    if (is_turn_over(item)) {
        make_ready((uint32_t)(item - run.items));
        return next();
    }
    expect_change(item);
    return self;
}

/* The others of the group never come: they have ended. */
static bool is_divergent(const struct place *place)
{
    return place->meeting > 0 && place->meeting == place->running && place->running < run.space.items;
}

fiber_pointer fiber_at_meeting(uint32_t flags, fiber_pointer self)
{
    struct item *item = run.self;
    struct place *place = run.place;
    const uint32_t begin = item->place * run.space.items;

    (void)flags;
    settle();
    item->self = self;
    item->how = GL_HOW_FENCE;
    item->meets = true;
    ++place->meeting;
    if (is_divergent(place))
        return fault("waits at a barrier that others of its group never reach: they have ended", item);
    if (place->meeting == run.space.items) {
        place->meeting = 0;
        for (uint32_t i = 0; i < run.space.items; ++i) {
            run.items[begin + i].epoch = UINT64_MAX;
            run.items[begin + i].meets = false;
            make_ready(begin + i);
        }
    }
    return next();
}

static const struct item *one_that_meets(const struct place *place)
{
    const struct item *item = &run.items[(size_t)(place - run.places) * run.space.items];

    while (!item->meets)
        ++item;
    return item;
}

fiber_pointer fiber_at_end(void)
{
    struct place *place = run.place;

    settle();
    --place->running;
    if (is_divergent(place))
        return fault("has ended, and others of its group wait for it at a barrier", one_that_meets(place));
    if (place->running == 0) {
        order_end(&run.order, place->group);
        if (++run.ended == run.order.groups)
            return stop(MACHINE_ENDED);
        fill_place((uint32_t)(place - run.places));
    }
    return next();
}

/* --- gl_calls --- */

static unsigned long id_of(unsigned what, unsigned dimension)
{
    const struct machine_launch *launch = run.launch;

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
    return run.place->parts.scratch;
}

static void print(const char *text, unsigned long bytes)
{
    if (write(STDOUT_FILENO, text, bytes) < 0)
        return; /* nobody reads it */
}

static const struct gl_calls calls = {fiber_point, fiber_meet, id_of, local, scratch, print};

/* --- launches --- */

static bool make_room(void)
{
    const uint64_t count = (uint64_t)run.order.places * run.space.items;
    uint32_t room = 1;

    if (count > UINT32_MAX / 2)
        return false;
    while (room < count)
        room *= 2;
    run.item_count = (uint32_t)count;
    run.places = xcalloc(run.order.places, sizeof *run.places);
    run.items = xcalloc(run.item_count, sizeof *run.items);
    run.ready = xmalloc(room * sizeof *run.ready);
    run.parked = xmalloc(run.item_count * sizeof *run.parked);
    run.mask = room - 1;
    return true;
}

static void end_launch(void)
{
    for (uint32_t i = 0; run.items != NULL && i < run.item_count; ++i)
        free(run.items[i].kept);
    free(run.places);
    free(run.items);
    free(run.ready);
    free(run.parked);
    order_fini(&run.order);
    space_end(&run.space);
}

/* What machine_run was asked for, and how it went. */
struct asked {
    const struct machine_launch *launch;
    struct machine_report *report;
    struct error *error;
    int outcome;
};

static void run_launch(const struct machine_launch *launch)
{
    *launch->image->calls = &calls;
    fiber_enter = launch->kernel->enter;
    for (uint32_t i = 0; i < FALLS; ++i)
        run.falls[i] = 1 + lots_draw_below(&run.lots, FALLS_WITHIN + 16 * run.item_count);
    for (uint32_t i = 0; i < run.order.places; ++i)
        fill_place(i);
    fiber_run(next());
    run.report->steps = run.steps;
}

static void carry_out(void *context)
{
    struct asked *asked = context;
    const struct machine_launch *launch = asked->launch;
    uint64_t groups = 1;

    memset(&run, 0, sizeof run);
    *asked->report = (struct machine_report){.end = MACHINE_ENDED};
    run.launch = launch;
    run.report = asked->report;
    run.lots = (uint64_t)launch->device.seed << 32 | watched_seed;
    run.long_steps = STEPS_LONG;
    for (int i = 0; i < 3; ++i)
        groups *= run.counts[i] = launch->global[i] / launch->local[i];
    if (groups == 0)
        return;
    order_begin(&run.order, &launch->device, (uint32_t)groups, run.lots);
    asked->outcome = space_begin(&run.space, launch, run.order.places, asked->error);
    if (asked->outcome == 0 && !make_room())
        asked->outcome =
            error_set(asked->error, STATUS_UNSUPPORTED, "%u groups of %u work-items at a time are too many",
                      run.order.places, run.space.items);
    if (asked->outcome == 0)
        run_launch(launch);
    end_launch();
}

int machine_run(const struct machine_launch *launch, struct machine_report *report, struct error *error)
{
    struct asked asked = {.launch = launch, .report = report, .error = error};

    if (!FIBER_OFFERED)
        return error_set(error, STATUS_UNSUPPORTED, "model devices run kernels on x86-64 only");
    if (confined_run(carry_out, &asked, error) != 0)
        return -1;
    return asked.outcome;
}
