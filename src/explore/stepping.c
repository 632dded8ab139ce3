#include "explore/stepping.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "explore/fault.h"
#include "explore/unwritten.h"
#include "model/host.h"
#include "model/meeting.h"
#include "model/run.h"

#include <stdlib.h>
#include <string.h>

enum {
    ROUND_FIRST = 1 << 10,   /* accesses after which a work-item may go round */
    LIFE_ACCESSES = 1 << 16, /* of which none concerned others: is there time left? */
    SCOUT_MOST = 1 << 12,    /* that it makes where it is only looked what is shared */
    MEETINGS_MOST = 1 << 16,
};

struct stepping stepping;

/* --- what a work-item did that no kernel may --- */

static fiber_pointer leave(enum stop stop)
{
    stepping.stop = stop;
    return fiber_host();
}

static uint32_t site_of(const struct run_item *item)
{
    const void *frames[MACHINE_FRAMES] = {NULL};

    run_frames(item, frames);
    return interned_add(&stepping.sites, frames, sizeof frames);
}

/* The access is made now. */
static void note_access(const struct run_item *item, const struct memory_access *access, uint32_t how)
{
    struct explored *explored = stepping.explored;

    if (!unwritten_is_read(&stepping.memory, item, access, how) || explored->unwritten[0] != '\0')
        return;
    explored->unwritten_site = site_of(item);
    explored->unwritten_state = PROOF_NOWHERE;
    fault_tell(item, "reads local memory that nobody has written", explored->unwritten);
}

/* --- accesses that concern nobody else --- */

static void settle(void)
{
    const volatile void *at = stepping.changing;

    stepping.changing = NULL;
    if (at != NULL && (stepping.changing_bytes > RUN_KEPT_BYTES ||
                       memcmp(stepping.before, (const void *)at, stepping.changing_bytes) != 0))
        ++stepping.changes;
}

/* It has come back to its own state, and all that it has changed is as it was: it does so for ever. */
static bool goes_round(const struct run_item *item)
{
    const size_t bytes = (size_t)((unsigned char *)item->top - (unsigned char *)item->self);

    if (++stepping.quiet < ROUND_FIRST)
        return false;
    if (stepping.quiet > ROUND_FIRST && stepping.circle->bytes == bytes &&
        memcmp(stepping.circle->state, item->self, bytes) == 0 &&
        (stepping.circle->epoch == stepping.changes || memory_touched_hash(&stepping.memory) == stepping.touched_hash))
        return true;
    if (stepping.quiet == stepping.due) {
        circle_begin(&stepping.circle, item->self, bytes, stepping.changes);
        stepping.touched_hash = memory_touched_hash(&stepping.memory);
        stepping.due *= 2;
    }
    return false;
}

/* Says that it lives; false: its time is up. */
static bool lives(void)
{
    host_lives(stepping.alone + stepping.explored->steps);
    return clock_ns() < stepping.until_ns;
}

static void note_change(const volatile void *at, size_t bytes)
{
    memory_touch(&stepping.memory, at, bytes);
    stepping.changing = at;
    stepping.changing_bytes = bytes;
    if (bytes <= RUN_KEPT_BYTES)
        memcpy(stepping.before, (const void *)at, bytes);
}

/* --- what work-items call --- */

static fiber_pointer at_point(const volatile void *at, size_t bytes, uint32_t how, fiber_pointer self)
{
    struct run_item *item = run.self;
    const uint32_t kind = GL_HOW_KIND(how);
    const bool writes = kind == GL_HOW_STORE || kind == GL_HOW_UPDATE;

    ++stepping.calls;
    settle();
    item->self = self;
    stepping.failed = stepping.failed || (stepping.exchanges && (how & GL_HOW_FAILED) != 0);
    stepping.exchanges = false;
    if ((how & GL_HOW_ROUND) != 0)
        return leave(STOP_ROUND);
    if (kind == GL_HOW_FENCE) {
        own_join_fence(&stepping.now, how);
        return self;
    }
    if (!space_allows(&run.space, &run.place->parts, at, bytes, writes)) {
        fault_note_outside(item, writes);
        return leave(STOP_FAULT);
    }
    const struct memory_access access = {(uint32_t)(item - run.items), at,     bytes,
                                         kind != GL_HOW_STORE,         writes, (how & GL_HOW_ATOMIC) != 0};
    if (stepping.separate != NULL && !separate_take(stepping.separate, &access, how, site_of(item)))
        return leave(STOP_FAR);
    if (stepping.separate == NULL && memory_take_access(&stepping.memory, &access)) {
        stepping.now.at = (uint64_t)(uintptr_t)at;
        stepping.now.bytes = (uint32_t)bytes;
        stepping.now.how = how;
        return leave(STOP_ACCESS);
    }
    if (goes_round(item))
        return leave(STOP_ROUND);
    if (++stepping.alone % LIFE_ACCESSES == 0 && !lives())
        return leave(STOP_LATE);
    if (stepping.quiet > stepping.most)
        return leave(STOP_FAR);
    if (writes)
        note_change(at, bytes);
    note_access(item, &access, how);
    return self;
}

static fiber_pointer at_meeting(uint32_t flags, fiber_pointer self)
{
    settle();
    run.self->self = self;
    stepping.now.at = stepping.now.bytes = 0;
    stepping.now.how = flags;
    return leave(STOP_MEETS);
}

static fiber_pointer at_end(void)
{
    settle();
    return leave(STOP_ENDED);
}

static const struct fiber_user explorer = {at_point, at_meeting, at_end, fault_look};

/* --- own states --- */

/* Where nobody is any more would make equal states unequal. */
static void clear_dead(const struct run_item *item)
{
    unsigned char *from = (unsigned char *)item->top - run.space.stack_bytes;
    memset(from, 0, (size_t)((unsigned char *)item->self - from));
}

static uint32_t keep(const struct run_item *item)
{
    struct proof_graph *graph = &stepping.explored->graph;
    const size_t bytes = (size_t)((unsigned char *)item->top - (unsigned char *)item->self);

    stepping.now.item = (uint32_t)(item - run.items);
    stepping.now.stop = (uint8_t)stepping.stop;
    if (stepping.stop != STOP_ACCESS && stepping.stop != STOP_MEETS)
        stepping.now.at = stepping.now.bytes = stepping.now.how = 0;
    memcpy(stepping.buffer, &stepping.now, sizeof stepping.now);
    memcpy(stepping.buffer + sizeof stepping.now, item->self, bytes);
    clear_dead(item);
    const uint32_t number = interned_add(&stepping.owns, stepping.buffer, (uint32_t)(sizeof stepping.now + bytes));
    if (number < graph->access_count)
        return number;
    if (number == stepping.access_room) {
        stepping.access_room = number == 0 ? 1 << 10 : 2 * (size_t)number;
        graph->accesses = xrealloc(graph->accesses, stepping.access_room * sizeof *graph->accesses);
    }
    graph->accesses[number] = own_access(&stepping.now);
    graph->accesses[number].site = site_of(item);
    graph->access_count = number + 1;
    return number;
}

static struct own restore(uint32_t number)
{
    struct own own;
    uint32_t bytes;
    const unsigned char *kept = interned_at(&stepping.owns, number, &bytes);

    memcpy(&own, kept, sizeof own);
    struct run_item *item = &run.items[own.item];
    const size_t stack = bytes - sizeof own;
    item->self = (fiber_pointer)((unsigned char *)item->top - stack);
    memcpy(item->self, kept + sizeof own, stack);
    return own;
}

/* --- steps --- */

/* From where it is to its next stop; afterwards `selves` has its own state. */
static enum stop go(uint32_t at)
{
    struct run_item *item = &run.items[at];
    const uint32_t from = stepping.selves[at];

    run.self = item;
    run.place = &run.places[item->place];
    run.group = run.place->group;
    fiber_top = item->top;
    fiber_arguments = run.place->parts.arguments;
    run.used_scratch = false;
    stepping.quiet = 0;
    stepping.due = ROUND_FIRST;
    stepping.changing = NULL;
    ++stepping.calls;
    fiber_run(item->self);
    ++stepping.calls;
    if (run.used_scratch)
        memory_touch(&stepping.memory, run.place->parts.scratch, (size_t)run.space.items * SPACE_SCRATCH);
    if (stepping.stop == STOP_ENDED)
        stepping.selves[at] = PROOF_ENDED;
    else if (stepping.stop < STOP_ENDED)
        stepping.selves[at] = keep(item);
    if (stepping.stop < STOP_ENDED && from != PROOF_ENDED)
        futures_note(&stepping.futures, from, stepping.selves[at]);
    return stepping.stop;
}

/* A group whose work-items have all come to a barrier, or some of which never will. */
static bool has_met(uint32_t group, bool *divergent)
{
    const uint32_t *selves = &stepping.selves[group * run.space.items];
    uint32_t meeting = 0, ended = 0;

    for (uint32_t i = 0; i < run.space.items; ++i) {
        ended += selves[i] == PROOF_ENDED;
        meeting += selves[i] != PROOF_ENDED && stepping.explored->graph.accesses[selves[i]].kind == PROOF_MEETING;
    }
    *divergent = meeting > 0 && ended > 0 && meeting + ended == run.space.items;
    return meeting > 0 && meeting + ended == run.space.items;
}

/* All of the group wait at barriers: at different ones? */
static bool is_apart(uint32_t group)
{
    const uint32_t first = group * run.space.items, *selves = stepping.selves;
    const uint32_t flags = restore(selves[first]).how;
    char text[MEETING_TEXT];

    for (uint32_t i = first + 1; i < first + run.space.items; ++i) {
        const uint32_t others = restore(selves[i]).how;
        if (meeting_is_same(others, flags))
            continue;
        fault_note(&run.items[first], meeting_apart(flags, &run.items[i], others, text));
        return true;
    }
    return false;
}

static enum stop fault_of_barrier(uint32_t group)
{
    for (uint32_t i = group * run.space.items;; ++i) {
        if (stepping.selves[i] == PROOF_ENDED)
            continue;
        restore(stepping.selves[i]);
        fault_note(&run.items[i], "waits at a barrier that others of its group never reach: they have ended");
        return STOP_FAULT;
    }
}

/* As long as all are at a barrier they go on together. */
static enum stop meet(uint32_t group)
{
    bool divergent;

    for (uint32_t meetings = 0; has_met(group, &divergent); ++meetings) {
        if (divergent)
            return fault_of_barrier(group);
        if (is_apart(group))
            return STOP_FAULT;
        if (meetings == MEETINGS_MOST)
            return STOP_FAR;
        if (stepping.separate != NULL)
            separate_meet(stepping.separate, group, own_spaces(restore(stepping.selves[group * run.space.items]).how));
        for (uint32_t i = group * run.space.items; i < (group + 1) * run.space.items; ++i) {
            stepping.now = restore(stepping.selves[i]);
            stepping.now.meets = (uint8_t)(stepping.now.meets + (stepping.now.meets < UINT8_MAX));
            stepping.now.spaces = (uint8_t)((meetings > 0 ? stepping.now.spaces : 0) | own_spaces(stepping.now.how));
            if (go(i) > STOP_ENDED)
                return stepping.stop;
        }
    }
    return STOP_ACCESS;
}

/* Lets each of the group go to where its first step begins; a scout does even if another one cannot. */
static enum stop begin_group(uint32_t group)
{
    const bool scouts = stepping.most == SCOUT_MOST;
    enum stop stop = STOP_ENDED;

    for (uint32_t i = group * run.space.items; i < (group + 1) * run.space.items && (scouts || stop <= STOP_ENDED);
         ++i) {
        stepping.selves[i] = PROOF_ENDED; /* which has no steps */
        stepping.now = (struct own){.at = 0};
        go(i);
        stop = stop > STOP_ENDED ? stop : stepping.stop;
    }
    return stop > STOP_ENDED ? stop : meet(group);
}

void stepping_scout(void)
{
    stepping.most = SCOUT_MOST;
    fault_hurry(true);
    for (uint32_t group = 0; group < run.order.groups; ++group)
        begin_group(group);
    fault_hurry(false);
}

enum stop stepping_first(uint32_t most)
{
    enum stop stop = STOP_ACCESS;

    stepping.most = most;
    for (uint32_t group = 0; group < run.order.groups && stop == STOP_ACCESS; ++group)
        stop = begin_group(group);
    return stop;
}

enum stop stepping_take(const uint32_t *selves, uint32_t item)
{
    memcpy(stepping.selves, selves, run.item_count * sizeof *selves);
    const struct own own = restore(selves[item]);
    if (own.stop == STOP_ROUND)
        return STOP_ACCESS;
    const void *at = (const void *)(uintptr_t)own.at; // NOLINT(performance-no-int-to-ptr)
    const struct memory_access access = {item, at, own.bytes, true, GL_HOW_KIND(own.how) != GL_HOW_LOAD, false};
    if (access.writes)
        memory_touch(&stepping.memory, at, own.bytes);
    note_access(&run.items[item], &access, own.how);
    stepping.now = (struct own){.at = 0};
    stepping.exchanges = true;
    stepping.failed = false;
    if (go(item) > STOP_ENDED)
        return stepping.stop;
    return meet(item / run.space.items);
}

/* --- all of it --- */

void stepping_begin(struct explored *explored, const struct machine_region *ignored, size_t ignored_count)
{
    stepping = (struct stepping){.explored = explored};
    stepping.buffer = xmalloc(sizeof(struct own) + run.space.stack_bytes);
    stepping.selves = xmalloc(run.item_count * sizeof *stepping.selves);
    memory_begin(&stepping.memory, ignored, ignored_count);
    for (uint32_t i = 0; i < run.order.places; ++i) /* the group's functions write it, and do not say so */
        memory_touch(&stepping.memory, run.places[i].parts.scratch, (size_t)run.space.items * SPACE_SCRATCH);
    memory_undo(&stepping.memory);
    fiber_user = &explorer;
}

void stepping_fini(void)
{
    memory_fini(&stepping.memory);
    interned_fini(&stepping.owns);
    futures_fini(&stepping.futures);
    interned_fini(&stepping.sites);
    alone_fini(&stepping.loop);
    free(stepping.buffer);
    free(stepping.selves);
    free(stepping.circle);
    stepping = (struct stepping){0};
}

void stepping_restart(void)
{
    memory_restart(&stepping.memory);
    interned_clear(&stepping.owns);
    futures_fini(&stepping.futures);
    interned_clear(&stepping.sites);
    stepping.explored->graph.access_count = 0;
    stepping.explored->fault[0] = stepping.explored->unwritten[0] = '\0';
    stepping.explored->fault_kind = FAULT_ANY;
    for (uint32_t i = 0; i < run.item_count; ++i) {
        run.items[i].self = fiber_make(run.items[i].top);
        clear_dead(&run.items[i]);
    }
}
