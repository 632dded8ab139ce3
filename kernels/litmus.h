/*
 * A thread of a litmus test, which is a group, or below that a sub-group or work-item: a loop of instructions, each
 * executed atomically and in order, with looks at the stop word and at the fuses. The kernel that includes this file
 * says how it comes by the instructions.
 *
 * An instruction reads its location, or exchanges its value. After an exchange stands a fence that nothing passes, and
 * a load acquires, so that all groups see one order of the instructions, as the tests take for granted.
 */
#ifndef GRIDLOCK_LITMUS_H
#define GRIDLOCK_LITMUS_H

#include "litmus_level.h"
#include "sync.h"

#define LITMUS_NO_EXCHANGE 2u

struct litmus_thread {
    global uint *page;
    global uint *memory; /* of its instance */
    global uint *slot;
    uint id; /* among the threads of the launch */
    uint thread;
    uint steps;
    uint moves; /* groups that had started, plus those that had ended, at the last look */
    uint idle;  /* looks since they changed */
    uint looks;
    uint why;  /* GL_ENDED_*: not GL_ENDED_CUT as soon as it is known */
    uint late; /* GL_SLOT_LATE, or 0 */
};

static void litmus_say(const struct litmus_thread *self, uint position)
{
    gl_store(self->slot, GL_SLOT_STARTED | self->late | self->why << 8 | position);
}

/* Notes whether the stop word is set: what a thread does then says nothing of how the launch stood. */
static bool litmus_is_late(struct litmus_thread *self)
{
    self->late = gl_load(self->page + GL_PAGE_STOP) != 0 ? GL_SLOT_LATE : 0;
    return self->late != 0;
}

/* Lets a random time pass, so that groups meet in other orders; a stop ends it. */
static void litmus_delay(const struct litmus_thread *self)
{
    const uint most = self->page[GL_PAGE_JITTER];
    const uint lot = (self->page[GL_PAGE_SEED] ^ (self->id + 1) * 0x9e3779b9u) * 0x85ebca6bu;
    const uint polls = most != 0 ? (lot ^ lot >> 15) % most : 0;

    for (uint i = 0; i < polls && gl_load(self->page + GL_PAGE_STOP) == 0; ++i)
        ;
}

/*
 * Begins a thread; false if the work-item is not to run: it is too late, or is no thread. `slots` says which thread of
 * which instance it is.
 */
static bool litmus_enter(struct litmus_thread *self, global uint *page, global const uint *slots)
{
    const uint threads = page[GL_PAGE_THREADS];

    litmus_check_sub_groups(page);
    self->id = litmus_id(page);
    if (self->id == LITMUS_NO_THREAD)
        return false;
    const uint slot = slots[self->id];
    self->page = page;
    self->slot = page + GL_PAGE_SLOTS + self->id;
    self->memory = page + GL_PAGE_MEMORY(page[GL_PAGE_GROUPS]) + slot / threads * 2;
    self->thread = slot % threads;
    self->steps = 0;
    self->moves = 0;
    self->idle = 0;
    self->looks = 0;
    self->why = GL_ENDED_NONE;
    self->late = 0;
    if (gl_load(page + GL_PAGE_STOP) != 0)
        return false;
    litmus_say(self, 0);
    gl_add_relaxed(page + GL_PAGE_STARTS, 1);
    if (litmus_is_late(self)) {
        litmus_say(self, 0);
        return false;
    }
    litmus_delay(self);
    self->why = GL_ENDED_CUT;
    return true;
}

/* The stop word and the fuses: is the thread to give up? */
static bool litmus_look(struct litmus_thread *self, uint position)
{
    global uint *page = self->page;
    const uint stop = gl_load(page + GL_PAGE_STOP);
    const uint moves = gl_load(page + GL_PAGE_STARTS) + gl_load(page + GL_PAGE_ENDS);

    self->idle = moves != self->moves ? 0 : self->idle + 1;
    self->moves = moves;
    self->looks += 1;
    gl_store(self->slot, GL_SLOT_STARTED | self->looks % GL_SLOT_LOOKS << 16 | position);
    if (stop != 0)
        self->why = GL_ENDED_STOP;
    else if (self->idle >= page[GL_PAGE_FUSE_IDLE])
        self->why = GL_ENDED_IDLE;
    else if (self->looks >= page[GL_PAGE_FUSE_TOTAL])
        self->why = GL_ENDED_TOTAL;
    else
        return false;
    if (stop == 0)
        gl_or(page + GL_PAGE_STOP, self->why == GL_ENDED_IDLE ? GL_STOP_IDLE : GL_STOP_TOTAL);
    return true;
}

/* With each instruction; true: the thread gives up. */
static bool litmus_gives_up(struct litmus_thread *self, uint position)
{
    self->steps += 1;
    if (self->steps % GL_YIELD_POLLS == 0)
        gl_yield();
    return self->steps % GL_LOOK_STEPS == 0 && litmus_look(self, position);
}

/* Executes an instruction; returns the value read. */
static uint litmus_execute(const struct litmus_thread *self, uint location, uint exchange)
{
    global uint *word = self->memory + location;

    if (exchange == LITMUS_NO_EXCHANGE)
        return gl_acquire(word);
    const uint value = gl_exchange(word, exchange);
    gl_fence_total();
    return value;
}

/* The thread's loop is over, at `position` of `length` instructions. */
static void litmus_leave(struct litmus_thread *self, uint position, uint length)
{
#if defined(GL_LOOPS_CUT)
    /* Read back: the compiler may take for granted that the loop ended as it is written. */
    gl_store(self->slot, position);
    position = gl_load(self->slot);
#endif
    if (position == length) {
        self->why = GL_ENDED_HELD;
        litmus_is_late(self);
        gl_add_relaxed(self->page + GL_PAGE_ENDS, 1);
    }
    litmus_say(self, position);
}

/*
 * Some drivers merge small groups of kernels that have neither a barrier nor local memory; with GL_GUARDED there are
 * both. False never comes.
 */
#if defined(GL_GUARDED)
#define LITMUS_GUARD(page)                                                                                             \
    local uint guard[64];                                                                                              \
    guard[get_local_id(0) % 64] = (page)[GL_PAGE_SALT];                                                                \
    barrier(CLK_LOCAL_MEM_FENCE);                                                                                      \
    if (guard[(get_local_id(0) + 1) % min((uint)get_local_size(0), 64u)] != 0)                                         \
    return
#else
#define LITMUS_GUARD(page)
#endif

#endif
