#include "model/run.h"

#include "core/lots.h"
#include "model/host.h"
#include "model/meeting.h"
#include "model/serial.h"

#include <stdio.h>
#include <string.h>

enum { MISSED = 16 };                  /* of so many turns one is, in the beginning */
#define STEPS_MOST (UINT64_C(1) << 32) /* where no host watches */

/* --- what changes --- */

/* Nobody knows what the host has changed. */
static void note_change_of_host(void)
{
    ++run.epoch;
    parking_wake_all(&run.parking, &run.ready);
    recurrence_begin(&run.recurrence, run.steps);
}

void run_forget_circle(struct run_item *item, uint32_t due)
{
    item->quiet = 0;
    item->due = due;
    item->circles = false;
}

/* The last access was made: did it change anything? */
static void settle(void)
{
    const volatile void *at = run.changing;

    run.changing = NULL;
    if (at == NULL ||
        (run.changing_bytes <= RUN_KEPT_BYTES && memcmp(run.before, (const void *)at, run.changing_bytes) == 0))
        return;
    ++run.epoch;
    parking_wake(&run.parking, at, run.changing_bytes, &run.ready);
    run.self->idle = false;
    run_forget_circle(run.self, RUN_QUIET_FIRST);
}

/* The access is made now: its circle hangs on what is there, and may be no circle after it. */
static void note_access(const struct run_item *item)
{
    const uint32_t kind = GL_HOW_KIND(item->how);

    if (kind == GL_HOW_FENCE)
        return;
    if (item->circles)
        circle_note(item->circle, item->at, item->bytes);
    if (kind == GL_HOW_LOAD)
        return;
    run.changing = item->at;
    run.changing_bytes = item->bytes;
    if (item->bytes <= RUN_KEPT_BYTES)
        memcpy(run.before, (const void *)item->at, item->bytes);
}

/* --- places --- */

static void take_place(uint32_t at, uint32_t group)
{
    struct run_place *place = &run.places[at];
    const size_t *local = run.launch->local;
    const uint32_t count = run.space.items;

    place->group = group;
    place->id[0] = group % run.counts[0];
    place->id[1] = group / run.counts[0] % run.counts[1];
    place->id[2] = group / run.counts[0] / run.counts[1];
    place->parts = space_place(&run.space, at);
    place->moved = true;
    meeting_place(at);
    scheduling_place(at, group);
    space_enter(&run.space, &place->parts);
    for (uint32_t i = 0; i < count; ++i) {
        struct run_item *item = &run.items[(size_t)at * count + i];
        item->top = place->parts.stacks + (i + 1) * run.space.stack_bytes;
        item->self = fiber_make(item->top);
        item->place = at;
        item->id[0] = (uint16_t)(i % local[0]);
        item->id[1] = (uint16_t)(i / local[0] % local[1]);
        item->id[2] = (uint16_t)(i / local[0] / local[1]);
        item->begun = item->was_parked = item->idle = false;
        item->moved = true;
        run.ranks[at * count + i] = MODEL_FALLS + (uint32_t)(lots_draw(&run.lots) >> 33);
        run_forget_circle(item, RUN_QUIET_FIRST);
        serial_add(item);
    }
    serial_offer(at);
}

void run_fill_place(uint32_t at)
{
    uint32_t group;

    if (order_take(&run.order, at, &group))
        take_place(at, group);
}

/* --- how it ends --- */

static fiber_pointer stop(enum machine_end end)
{
    scheduling_note(false);
    run.report->end = end;
    return fiber_host();
}

/* From where a frame pointer is kept. */
static void add_frames(const struct run_item *item, fiber_pointer at, size_t count, const void *frames[MACHINE_FRAMES])
{
    for (; count < MACHINE_FRAMES; ++count) {
        frames[count] = at[1];
        fiber_pointer outer = *at;
        if (outer <= at || outer + 1 >= (fiber_pointer)item->top)
            return;
        at = outer;
    }
}

void run_frames(const struct run_item *item, const void *frames[MACHINE_FRAMES])
{
    add_frames(item, item->self + FIBER_SAVED - 1, 0, frames); /* it is the last register that is saved */
}

void run_frames_interrupted(const struct fiber_interrupted *interrupted, const void *frames[MACHINE_FRAMES])
{
    fiber_pointer at = interrupted->frame;

    frames[0] = (const char *)interrupted->at + 1; /* as if a call there returned */
    frames[1] = interrupted->returns;
    if ((unsigned char *)at >= interrupted->stack && at + 1 < (fiber_pointer)run.self->top)
        add_frames(run.self, at, interrupted->returns != NULL ? 2 : 1, frames);
}

/* What the present work-item did, and where `at` is. */
static fiber_pointer fault(const char *what, const struct run_item *at)
{
    const struct run_item *item = run.self;
    run_frames(at, run.report->frames);
    snprintf(run.report->fault, sizeof run.report->fault, "work-item (%u, %u, %u) of group %u %s", item->id[0],
             item->id[1], item->id[2], run.place->group, what);
    return stop(MACHINE_FAULT);
}

/* --- turns --- */

/* The access that it was about to make; the item goes on behind it. */
static fiber_pointer make_access(struct run_item *item)
{
    note_access(item);
    if (run.launch->device.reads == MODEL_READS_WRITTEN && GL_HOW_KIND(item->how) != GL_HOW_FENCE &&
        !space_has_value(&run.space, &run.place->parts, item->at, item->bytes, item->how))
        return fault("reads what nobody has written", item);
    return item->self;
}

/* By lot who is next is nowhere near: what a turn needs is fetched some turns ahead, each by what was before it. */
static void fetch_next(void)
{
    enum { NUMBER = 6, ITEM = 4, STACK = 2, WORD = 0 }; /* so many turns ahead */

    if (run.turns != MODEL_TURNS_LOT)
        return;
    __asm__ volatile(""); /* else gcc takes this for a function that does nothing, and does not call it */
    __builtin_prefetch(ready_foresee(&run.ready, run.lots, NUMBER));
    __builtin_prefetch(&run.items[*ready_foresee(&run.ready, run.lots, ITEM)]);
    const struct run_item *item = &run.items[*ready_foresee(&run.ready, run.lots, STACK)];
    __builtin_prefetch(&run.places[item->place]);
    __builtin_prefetch(item->self);
    __builtin_prefetch(item->circles ? (const void *)item->circle : item);
    __builtin_prefetch((const void *)run.items[*ready_foresee(&run.ready, run.lots, WORD)].at);
}

static fiber_pointer resume(struct run_item *item)
{
    fetch_next();
    run.self = item;
    run.place = &run.places[item->place];
    item->moved = run.place->moved = true;
    run.group = run.place->group;
    run.turn = 0;
    if (run.turns == MODEL_TURNS_ROUND)
        item->turned = run.steps;
    fiber_top = item->top;
    if (item->begun)
        return make_access(item);
    item->begun = true;
    fiber_arguments = run.place->parts.arguments;
    return item->self;
}

static void make_ready(uint32_t item)
{
    if (run.items[item].idle)
        ready_add_idle(&run.ready, item);
    else
        ready_add(&run.ready, item);
}

/* The launch will never end by itself. True if the host has changed something, and it is to go on. */
static bool host_changes_it(enum machine_standing now)
{
    if (!run.watched || !host_answers(now))
        return false;
    scheduling_note_still();
    note_change_of_host();
    return run.ready.count > 0;
}

/* Whoever was parked goes on only if it would not just go round as before. */
static bool goes_round(struct run_item *item)
{
    if (!item->was_parked)
        return false;
    item->turned = run.steps;
    item->was_parked = circle_holds(item->circle, run.epoch);
    if (!item->was_parked)
        run_forget_circle(item, 1);
    return item->was_parked;
}

/* The launch as a whole goes round. */
static bool comes_back(uint32_t next, enum machine_standing *standing)
{
    static const enum machine_standing standings[] = {
        [RECURRENCE_NOT] = MACHINE_GOES_ON, [RECURRENCE_STILL] = MACHINE_STILL, [RECURRENCE_CHANGING] = MACHINE_RECURS};

    if (run.steps < run.recurrence.due || run.turns != MODEL_TURNS_ROUND)
        return false;
    *standing = standings[recurrence_look(&run.recurrence, next)];
    return *standing != MACHINE_GOES_ON;
}

/*
 * Where turns go round, the first ones are missed now and then, by lot: else all work-items would keep step with each
 * other, and what some of them do too late for others would never show.
 */
static bool misses_turn(void)
{
    return run.steps < run.even_from && run.turns == MODEL_TURNS_ROUND && run.scheduling.asked == NULL &&
           run.ready.count > 0 && lots_draw_below(&run.lots, MISSED) == 0;
}

fiber_pointer run_next(void)
{
    enum machine_standing standing = MACHINE_STILL;

    scheduling_note(false);
    for (;;) {
        if (run.ready.count == 0 && !host_changes_it(MACHINE_STILL))
            return stop(run.watched ? MACHINE_ABANDONED : MACHINE_STOOD);
        const uint32_t next = scheduling_next();
        if (goes_round(&run.items[next])) {
            parking_park(&run.parking, next, run.items[next].circle);
            continue;
        }
        if (misses_turn()) {
            make_ready(next);
            continue;
        }
        if (comes_back(next, &standing) && !host_changes_it(standing))
            return stop(run.watched ? MACHINE_ABANDONED : MACHINE_STOOD);
        return resume(&run.items[next]);
    }
}

/* --- states that come back --- */

static bool recurs(struct run_item *item)
{
    const size_t bytes = (size_t)((unsigned char *)item->top - (unsigned char *)item->self);

    if (item->circles && circle_closes(item->circle, item->self, bytes, run.epoch)) {
        item->round = ++item->quiet - item->began;
        return true;
    }
    if (++item->quiet == item->due) {
        circle_begin(&item->circle, item->self, bytes, run.epoch);
        item->circles = true;
        item->began = item->due;
        item->due += item->due > item->round ? item->due : item->round + 1;
    }
    return false;
}

static void note_idle(struct run_item *item)
{
    if (run.turns == MODEL_TURNS_ROUND && !item->idle)
        run.ranks[item - run.items] = UINT32_MAX - run.idlers++;
    item->idle = true;
}

/* It takes long: the host decides whether it is to go on. */
static bool goes_on(void)
{
    run.signs_at += RUN_SIGN_STEPS;
    host_lives(run.steps);
    if (run.steps < run.long_steps)
        return true;
    run.long_steps *= 2;
    if (!run.watched)
        return run.steps < STEPS_MOST;
    if (!host_answers(MACHINE_LONG))
        return false;
    note_change_of_host();
    return true;
}

/* At a drawn access its priority falls below all others. */
static void fall(const struct run_item *item)
{
    for (uint32_t i = 0; i < MODEL_FALLS; ++i)
        if (run.steps == run.falls[i])
            run.ranks[item - run.items] = i;
}

static bool is_turn_over(const struct run_item *item)
{
    if (run.turns == MODEL_TURNS_PCT)
        return ready_has_higher(&run.ready, run.ranks[item - run.items]);
    return run.turn >= run.most;
}

/* --- what work-items call --- */

static fiber_pointer at_point(const volatile void *at, size_t bytes, uint32_t how, fiber_pointer self)
{
    struct run_item *item = run.self;
    const uint32_t kind = GL_HOW_KIND(how);

    if ((how & GL_HOW_FAILED) != 0)
        return self;
    settle();
    ++run.turn;
    item->self = self;
    item->at = at;
    item->bytes = bytes;
    item->how = how;
    const bool writes = kind == GL_HOW_STORE || kind == GL_HOW_UPDATE;
    if (kind != GL_HOW_FENCE && !space_allows(&run.space, &run.place->parts, at, bytes, writes))
        return fault(space_outside(writes), item);
    if (++run.steps == run.signs_at && !goes_on())
        return stop(run.watched ? MACHINE_ABANDONED : MACHINE_SPENT);
    if (run.turns == MODEL_TURNS_PCT)
        fall(item);
    const bool parks = recurs(item);
    if (parks || item->quiet >= RUN_QUIET_LONG)
        note_idle(item);
    if (parks) {
        item->was_parked = true;
        parking_park(&run.parking, (uint32_t)(item - run.items), item->circle);
        return run_next();
    }
    if (is_turn_over(item)) {
        scheduling_note(true);
        make_ready((uint32_t)(item - run.items));
        return run_next();
    }
    return make_access(item);
}

static fiber_pointer at_meeting(uint32_t flags, fiber_pointer self)
{
    const struct run_item *whose;

    settle();
    ++run.turn;
    run.self->self = self;
    run.self->how = GL_HOW_FENCE;
    run.self->idle = false;
    const char *what = meeting_come(run.self, flags, &whose);
    return what != NULL ? fault(what, whose) : run_next();
}

static fiber_pointer at_end(void)
{
    struct run_place *place = run.place;
    const struct run_item *whose;

    settle();
    ++run.turn;
    const char *what = meeting_leave(run.self, &whose);
    if (what != NULL)
        return fault(what, whose);
    if (place->running == 0) {
        order_end(&run.order, place->group);
        if (++run.ended == run.order.groups)
            return stop(MACHINE_ENDED);
        run_fill_place((uint32_t)(place - run.places));
    }
    return run_next();
}

const struct fiber_user run_turns = {at_point, at_meeting, at_end, .at_look = NULL};
