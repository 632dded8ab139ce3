#include "explore/stepping.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "model/host.h"
#include "model/run.h"

#include <stdio.h>
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

static void note_fault(const struct run_item *item, const char *what)
{
    struct explored *explored = stepping.explored;

    run_frames(item, explored->fault_frames);
    snprintf(explored->fault, sizeof explored->fault, "work-item (%u, %u, %u) of group %u %s", item->id[0], item->id[1],
             item->id[2], run.places[item->place].group, what);
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

/* As clang numbers them. */
static uint8_t order_of(uint32_t how)
{
    static const uint8_t orders[] = {PROOF_RELAXED, PROOF_ACQUIRE, PROOF_ACQUIRE,
                                     PROOF_RELEASE, PROOF_ACQ_REL, PROOF_SEQ_CST};
    const uint32_t order = GL_HOW_ORDER(how);
    return order < sizeof orders ? orders[order] : PROOF_SEQ_CST;
}

static uint8_t scope_of(uint32_t how)
{
    static const uint8_t scopes[] = {PROOF_SCOPE_ITEM, PROOF_SCOPE_GROUP, PROOF_SCOPE_DEVICE, PROOF_SCOPE_ALL,
                                     PROOF_SCOPE_SUB_GROUP};
    const uint32_t scope = GL_HOW_SCOPE(how);
    return scope < sizeof scopes ? scopes[scope] : PROOF_SCOPE_ITEM;
}

static void join_fence(uint32_t how)
{
    struct own *now = &stepping.now;
    const uint8_t order = order_of(how), scope = scope_of(how);

    now->fence_order = now->fence_order == PROOF_RELAXED || now->fence_order == order ? order : PROOF_ACQ_REL;
    now->fence_scope = now->fence_scope > scope ? now->fence_scope : scope;
}

static fiber_pointer at_point(const volatile void *at, size_t bytes, uint32_t how, fiber_pointer self)
{
    struct run_item *item = run.self;
    const uint32_t kind = GL_HOW_KIND(how);
    const bool writes = kind == GL_HOW_STORE || kind == GL_HOW_UPDATE;

    settle();
    item->self = self;
    if (kind == GL_HOW_FENCE) {
        join_fence(how);
        return self;
    }
    if (!space_allows(&run.space, &run.place->parts, at, bytes, writes)) {
        note_fault(item, writes ? "writes outside of what the kernel was given"
                                : "reads outside of what the kernel was given");
        return leave(STOP_FAULT);
    }
    if (memory_take_access(&stepping.memory, &(struct memory_access){(uint32_t)(item - run.items), at, bytes,
                                                                     kind != GL_HOW_STORE, writes})) {
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
    return self;
}

static fiber_pointer at_meeting(uint32_t flags, fiber_pointer self)
{
    (void)flags;
    settle();
    run.self->self = self;
    return leave(STOP_MEETS);
}

static fiber_pointer at_end(void)
{
    settle();
    return leave(STOP_ENDED);
}

static const struct fiber_user explorer = {at_point, at_meeting, at_end};

/* --- own states --- */

static struct proof_access access_of(const struct own *own)
{
    const uint32_t kind = GL_HOW_KIND(own->how);

    return (struct proof_access){
        .at = own->at,
        .bytes = own->bytes,
        .kind = own->stop == STOP_MEETS ? PROOF_MEETING
                : kind == GL_HOW_LOAD   ? PROOF_LOAD
                : kind == GL_HOW_STORE  ? PROOF_STORE
                                        : PROOF_UPDATE,
        .atomic = (own->how & GL_HOW_ATOMIC) != 0,
        .order = order_of(own->how),
        .scope = scope_of(own->how),
        .fence_order = own->fence_order,
        .fence_scope = own->fence_scope,
        .meets = own->meets,
    };
}

static uint32_t site_of(const struct run_item *item)
{
    const void *frames[MACHINE_FRAMES] = {NULL};

    run_frames(item, frames);
    return interned_add(&stepping.sites, frames, sizeof frames);
}

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
    if (stepping.stop != STOP_ACCESS)
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
    graph->accesses[number] = access_of(&stepping.now);
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
    fiber_run(item->self);
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

static enum stop fault_of_barrier(uint32_t group)
{
    for (uint32_t i = group * run.space.items;; ++i) {
        if (stepping.selves[i] == PROOF_ENDED)
            continue;
        restore(stepping.selves[i]);
        note_fault(&run.items[i], "waits at a barrier that others of its group never reach: they have ended");
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
        if (meetings == MEETINGS_MOST)
            return STOP_FAR;
        for (uint32_t i = group * run.space.items; i < (group + 1) * run.space.items; ++i) {
            stepping.now = restore(stepping.selves[i]);
            stepping.now.meets = (uint8_t)(stepping.now.meets + (stepping.now.meets < UINT8_MAX));
            if (go(i) > STOP_ENDED)
                return stepping.stop;
        }
    }
    return STOP_ACCESS;
}

/* Lets each of the group go to where its first step begins, even if another one cannot. */
static enum stop begin_group(uint32_t group)
{
    enum stop stop = STOP_ENDED;

    for (uint32_t i = group * run.space.items; i < (group + 1) * run.space.items; ++i) {
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
    for (uint32_t group = 0; group < run.order.groups; ++group)
        begin_group(group);
    stepping.most = EXPLORE_ALONE_MOST;
}

enum stop stepping_first(void)
{
    enum stop stop = STOP_ACCESS;

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
    if (GL_HOW_KIND(own.how) != GL_HOW_LOAD)
        memory_touch(&stepping.memory, (const void *)(uintptr_t)own.at, own.bytes); // NOLINT(performance-no-int-to-ptr)
    stepping.now = (struct own){.at = 0};
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
    stepping.explored->fault[0] = '\0';
    for (uint32_t i = 0; i < run.item_count; ++i) {
        run.items[i].self = fiber_make(run.items[i].top);
        clear_dead(&run.items[i]);
    }
}
