/*
 * The one loop that waits. Each such loop is written as
 *
 *     struct gl_spin spin;
 *     uint seen;
 *     gl_spin_begin(self, &spin, word, GL_UNTIL_EQUAL, 0, GL_GROUP_OWNER);
 *     do {
 *         gl_spin_look(self, &spin);
 *         seen = gl_load(self->board + word); // or a read-modify-write
 *     } while (gl_spin_goes_on(self, &spin, seen));
 *     if (!gl_spin_end(self, &spin))
 *         return;
 *
 * A turn that reads the stop word does so before it reads the word waited for: a full count then proves that all groups
 * arrived even while the launch was stopped, and a group that starts late cannot complete the count. A blown fuse sets
 * the stop word before its group leaves. With GL_LIVE there is neither fuse nor stop word. With GL_PROVED the device
 * itself finds out that nobody gets on, by states that come back: a loop has no fuse, and counts its turns to 1.
 * A kernel in which every work-item waits, not only the leader, defines GL_EVERY_ITEM before it includes this file.
 */
#ifndef GRIDLOCK_WAIT_H
#define GRIDLOCK_WAIT_H

#include "self.h"

struct gl_spin {
    uint word; /* index on the board */
    uint how;  /* as GL_WAIT_HOW */
    uint kind; /* GL_UNTIL_* */
    uint value;
    uint group; /* an id, or GL_GROUP_* */
    uint lock;  /* its name; 0: it has none */
    bool told;  /* the entry shows this wait */
    uint fuse_idle;
    uint fuse_total;
    uint stop;
    bool looked; /* at these three words, in this turn */
    uint seen;
    uint last;
    uint idle;
    uint digest; /* where every work-item waits */
    uint ended;
};

/* A hash of what changes when any group makes progress; computed only when a fuse is about to blow. */
static uint gl_digest(const struct gl_self *self)
{
    uint sum = gl_load(self->board + GL_STARTED);
    GL_UNROLL(1) /* it is inlined into loops that wait, which should stay short */
    for (uint group = 0; group < self->groups; ++group) {
        global uint *entry = self->board + GL_CONTROL_WORDS + group * GL_ENTRY_WORDS;
        sum = sum * 31 + gl_load(entry + GL_PHASE) + 7 * gl_load(entry + GL_ROUND) + 13 * gl_load(entry + GL_STEPS) +
              17 * gl_load(entry + GL_PROGRESS);
    }
    return sum;
}

/*
 * `how` is one of GL_UNTIL_*, perhaps within GL_WAIT_HOW. Its bits are asked one by one: of `how % GL_UNTILS` compilers
 * make a switch over two bits, and Oclgrind 21.10 compares those above them as well there.
 */
GL_INLINE bool gl_is_met(uint how, uint seen, uint value)
{
    if (how & GL_UNTIL_EQUAL)
        return seen == value;
    if (how & GL_UNTIL_DIFFERENT)
        return seen != value;
    return seen - value < GL_REACHED;
}

/* The entry shows what the group waits for, except the value. */
static void gl_spin_tell_word(const struct gl_self *self, const struct gl_spin *spin)
{
    global uint *entry = self->entry;

    gl_say(entry + GL_WAIT_WORD, spin->word);
    gl_say(entry + GL_WAIT_HOW, spin->how);
    gl_say(entry + GL_WAIT_GROUP, spin->group);
    if (spin->group == GL_GROUP_HOLDER)
        gl_say(entry + GL_WAIT_LOCK, spin->lock);
}

static void gl_spin_tell_value(const struct gl_self *self, uint value)
{
    gl_say(self->entry + GL_WAIT_VALUE, value);
    gl_say_steps(self);
}

static void gl_spin_tell(const struct gl_self *self, const struct gl_spin *spin)
{
    gl_spin_tell_word(self, spin);
    gl_spin_tell_value(self, spin->value);
}

/* The same where every work-item waits, unless the entry shows the wait of another one, which has not ended. */
static void gl_spin_tell_if_free(const struct gl_self *self, struct gl_spin *spin)
{
#if !defined(BOARD_OFF)
    if (spin->told || gl_compare_exchange(self->entry + GL_PHASE, GL_PHASE_RUNNING, GL_PHASE_ITEMS) != GL_PHASE_RUNNING)
        return;
    spin->told = true;
    gl_spin_tell(self, spin);
#endif
}

/* Field by field, as gl_self_init. */
static void gl_spin_init(struct gl_spin *spin, uint word, uint how, uint value, uint group, uint lock)
{
    spin->word = word;
    spin->how = how;
    spin->kind = how % GL_UNTILS;
    spin->value = value;
    spin->group = group;
    spin->lock = lock;
    spin->told = false;
    spin->fuse_idle = 0;
    spin->fuse_total = 0;
    spin->stop = 0;
    spin->looked = false;
    spin->seen = 0;
    spin->last = 0;
    spin->idle = 0;
    spin->digest = 0;
    spin->ended = GL_ENDED_CUT;
}

static void gl_spin_begin_how(struct gl_self *self, struct gl_spin *spin, uint word, uint how, uint value, uint group,
                              uint lock)
{
    gl_spin_init(spin, word, how, value, group, lock);
    self->waits += 1;
#if defined(GL_EVERY_ITEM)
    gl_spin_tell_if_free(self, spin);
#else
    gl_spin_tell(self, spin);
    gl_say(self->entry + GL_PHASE, GL_PHASE_WAITING);
#endif
}

/* The kind of a wait, and the line where it is written. GL_AT is __LINE__ in the kernel's file, and 0 in others. */
#define GL_HOW(kind) ((kind) | GL_AT * GL_HOW_LINE)

#define gl_spin_begin(self, spin, word, kind, value, group) gl_spin_begin_lock(self, spin, word, kind, value, group, 0)

/* The same for the holder of the lock of this name; 0: no lock, or one without a name. */
#define gl_spin_begin_lock(self, spin, word, kind, value, group, lock)                                                 \
    gl_spin_begin_how(self, spin, word, GL_HOW(kind) | GL_HOW_OWN, value, group, lock)

/* Counts a turn of a loop that waits. */
static void gl_spin_turn(struct gl_self *self)
{
    self->polls = GL_TURN(self->polls);
    if (self->polls % GL_YIELD_POLLS == 0)
        gl_yield();
}

/* Shows that the group still turns while its word stands still. A barrier that is about to end gets no extra store. */
static void gl_spin_beat(const struct gl_self *self, struct gl_spin *spin)
{
#if !defined(GL_PROVED)
    if (spin->idle % GL_BEAT_POLLS < GL_BEAT_POLLS - GL_LOOK_POLLS)
        return; /* looks come every GL_LOOK_POLLS polls */
    gl_say(self->entry + GL_POLLS, self->polls);
#endif
#if defined(GL_EVERY_ITEM)
    gl_spin_tell_if_free(self, spin);
#endif
}

/* Begins a turn. The latencies of the three loads and the poll overlap; between looks the fuses take no registers. */
static void gl_spin_look(const struct gl_self *self, struct gl_spin *spin)
{
#if !defined(GL_PROVED)
    if (self->polls % GL_LOOK_POLLS != 0)
        return;
#endif
    spin->looked = true;
#if defined(GL_PROVED)
    spin->stop = gl_load(self->board + GL_STOP);
    spin->fuse_total = spin->fuse_idle = 0xffffffffu;
#elif !defined(GL_LIVE)
    spin->stop = gl_load(self->board + GL_STOP);
    spin->fuse_total = gl_load(self->board + GL_FUSE_TOTAL);
    spin->fuse_idle = gl_load(self->board + GL_FUSE_IDLE); /* the host may have made it longer */
#endif
}

/* The total fuse guards against a host that is gone: one that watches renews it. Each group looks when it is spent. */
static bool gl_fuse_is_renewed(struct gl_self *self)
{
    const uint renewed = gl_load(self->board + GL_RENEWED);
#if defined(GL_EVERY_ITEM)
    const uint before = self->renewed;
    self->renewed = renewed;
#else
    const uint before = gl_load(self->entry + GL_IDLE);    /* unused until the wait ends, and costs no register */
    gl_store(self->entry + GL_IDLE, renewed);
#endif
    if (renewed == before)
        return false;
    self->polls = 0;
    return true;
}

/* Has any group made progress since this was last asked? */
GL_SELDOM bool gl_board_has_changed(const struct gl_self *self, struct gl_spin *spin)
{
    const uint now = gl_digest(self);
#if defined(GL_EVERY_ITEM)
    const uint before = spin->digest;
    spin->digest = now;
#else
    const uint before = gl_load(self->entry + GL_SEEN); /* as above */
    gl_store(self->entry + GL_SEEN, now);
#endif
    return now != before;
}

/* Nobody watches the launch: its board says at the end how long, in polls, a wait of the group saw nothing change. */
static void gl_note_idle(const struct gl_self *self, const struct gl_spin *spin)
{
#if defined(GL_UNWATCHED)
    if (spin->idle >= GL_LOOK_POLLS && spin->idle > gl_load(self->entry + GL_IDLE))
        gl_store(self->entry + GL_IDLE, spin->idle);
#endif
}

/* A turn that began with a look did not end the wait: does the stop word or a fuse end it? */
static bool gl_spin_is_over(struct gl_self *self, struct gl_spin *spin)
{
    if (spin->stop != 0) {
        spin->ended = GL_ENDED_STOP;
        return true;
    }
    gl_spin_beat(self, spin);
    if (self->polls >= spin->fuse_total && !gl_fuse_is_renewed(self)) {
        spin->ended = GL_ENDED_TOTAL;
        return true;
    }
    if (spin->idle < spin->fuse_idle)
        return false;
    if (gl_board_has_changed(self, spin)) {
        gl_note_idle(self, spin);
        spin->idle = 0;
        return false;
    }
    spin->ended = GL_ENDED_IDLE;
    return true;
}

/*
 * A loop that tries again and again may find each of its waits over as soon as it begins, and must end all the same
 * when the launch is stopped. Waits for a word that only grows do not look: it is seldom waited for again, and barriers
 * are made of them.
 */
static bool gl_retry_is_over(const struct gl_self *self, const struct gl_spin *spin)
{
#if defined(GL_LIVE)
    return false;
#else
    return spin->kind != GL_UNTIL_REACHED && self->waits % GL_LOOK_WAITS == 0 && gl_load(self->board + GL_STOP) != 0;
#endif
}

/*
 * Ends a turn in which the word was `seen`: true if another one must follow. The host reads the word, too, so a loop
 * with another condition waits for a value that the word never has, and passes that on once its condition is true.
 */
static bool gl_spin_goes_on(struct gl_self *self, struct gl_spin *spin, uint seen)
{
    const bool looked = spin->looked;

    spin->looked = false;
    spin->seen = seen;
    if (seen != spin->last)
        gl_note_idle(self, spin);
    if (gl_is_met(spin->kind, seen, spin->value)) {
#if defined(GL_EVERY_ITEM) && !defined(GL_LIVE)
        spin->stop = gl_load(self->board + GL_STOP);
#endif
        spin->ended = gl_retry_is_over(self, spin) ? GL_ENDED_STOP : GL_ENDED_HELD;
        return false;
    }
    gl_spin_turn(self);
    spin->idle = seen != spin->last ? 0 : GL_TURN(spin->idle);
    spin->last = seen;
#if defined(GL_LIVE)
    if (looked)
        gl_spin_beat(self, spin);
    return true;
#else
    return !looked || !gl_spin_is_over(self, spin);
#endif
}

/* The outcome of the group's waits; on the board before the group is done, or leaves. */
static void gl_note_waits(const struct gl_self *self, uint ended)
{
    global uint *entry = self->entry;

    gl_store(entry + GL_POLLS, self->polls);
    gl_store(entry + GL_ENDED, ended);
#if !defined(GL_EVERY_ITEM)
    gl_store(entry + GL_SEEN, self->seen);
    gl_store(entry + GL_WAITS, self->waits);
    gl_store(entry + GL_PROVEN, self->proven);
#endif
}

/* A wait ended; was its condition true? */
static void gl_count_wait(struct gl_self *self, uint kind, uint seen, uint value)
{
    bool met = gl_is_met(kind, seen, value);
#if defined(GL_LOOPS_CUT)
    /* Read back, because the compiler may assume that the loop ended as it is written. */
    gl_store(self->entry + GL_SEEN, seen);
    met = gl_is_met(kind, gl_load(self->entry + GL_SEEN), value);
#endif
    self->seen = seen;
    self->proven += met;
#if defined(GL_EVERY_ITEM)
    gl_add(self->entry + GL_WAITS, 1);
    if (met)
        gl_add(self->entry + GL_PROVEN, 1);
#endif
}

/* The group has ended or given up; 0 would mean that no time is known. */
static void gl_note_end(const struct gl_self *self)
{
#if defined(GL_HAS_CLOCK)
    gl_store(self->entry + GL_CLOCK_END, (uint)gl_clock() | 1);
#endif
}

/*
 * Nobody watches the launch (GL_UNWATCHED), and the board will be read at its end, where a group that computes now is
 * done: is there another one that is in no wait, or has what it waits for?
 */
#if defined(GL_UNWATCHED)
GL_SELDOM bool gl_others_run(const struct gl_self *self)
{
    GL_UNROLL(1)
    for (uint group = 0; group < self->groups; ++group) {
        global uint *entry = self->board + GL_CONTROL_WORDS + group * GL_ENTRY_WORDS;
        const uint phase = gl_load(entry + GL_PHASE);
        if (group == self->group || (phase != GL_PHASE_RUNNING && phase != GL_PHASE_WAITING))
            continue;
        if (phase == GL_PHASE_RUNNING ||
            gl_is_met(gl_load(entry + GL_WAIT_HOW), gl_load(self->board + gl_load(entry + GL_WAIT_WORD)),
                      gl_load(entry + GL_WAIT_VALUE)))
            return true;
    }
    return false;
}
#endif

/* Says why the launch must end, if it was this group's fuse, or its loop. */
static void gl_stop_all(const struct gl_self *self, uint ended)
{
    global uint *stop = self->board + GL_STOP;

    if (ended == GL_ENDED_IDLE) {
#if defined(GL_UNWATCHED)
        if (gl_load(stop) == 0 && gl_others_run(self))
            gl_or(stop, GL_STOP_BUSY);
#endif
        gl_or(stop, GL_STOP_IDLE);
    } else if (ended == GL_ENDED_TOTAL) {
        gl_or(stop, GL_STOP_TOTAL);
    } else if (ended == GL_ENDED_CUT) {
        gl_or(stop, GL_STOP_CUT);
    }
}

/* All work-items of the group must return at the next gl_proceed. */
static void gl_let_leave(struct gl_self *self, uint ended, uint idle)
{
    self->left = true;
    gl_store(self->entry + GL_LEAVING, 1);
    gl_store(self->entry + GL_IDLE, idle);
    gl_note_waits(self, ended);
    gl_note_end(self);
    gl_stop_all(self, ended);
}

/*
 * Where every work-item waits: it had what it waited for, and was held until the launch was stopped, because its
 * sub-group runs in lock-step and the others still turned. It must not act any more, as the board shows the stall that
 * it is part of.
 */
static bool gl_was_held_back(const struct gl_self *self, const struct gl_spin *spin)
{
#if defined(GL_EVERY_ITEM) && !defined(GL_LIVE)
    return spin->ended == GL_ENDED_HELD && spin->stop == 0 && gl_load(self->board + GL_STOP) != 0;
#else
    return false;
#endif
}

/*
 * True: the condition held. False: it did not, and the group must leave; its entry still shows what it waited for.
 * A wait whose condition stays true is left on the board: a reader can see that it is true, and the next barrier would
 * have to wait for a store made here.
 */
static bool gl_spin_finish(struct gl_self *self, const struct gl_spin *spin)
{
    const uint ended = gl_was_held_back(self, spin) ? GL_ENDED_STOP : spin->ended;

    gl_count_wait(self, spin->kind, spin->seen, spin->value);
#if defined(GL_EVERY_ITEM)
    if (spin->told) /* of the wait that the entry shows, which may be nobody's last one */
        gl_say(self->entry + GL_SEEN, spin->seen);
#endif
    if (ended != GL_ENDED_HELD) {
        gl_let_leave(self, ended, spin->idle);
        return false;
    }
#if defined(GL_EVERY_ITEM)
    if (spin->told)
        gl_say(self->entry + GL_PHASE, GL_PHASE_RUNNING);
#else
    if (spin->kind != GL_UNTIL_REACHED)
        gl_say(self->entry + GL_PHASE, GL_PHASE_RUNNING);
#endif
    return true;
}

/* With option `fence` = release or none a wait does not acquire, to show why it must. */
#if defined(FENCE_RELEASE) || defined(FENCE_NONE)
#define GL_NO_ACQUIRE
#endif

static void gl_acquire_fence(void)
{
#if !defined(GL_NO_ACQUIRE)
    gl_fence();
#endif
}

/* The same, and acquires what was released before the word was written. */
static bool gl_spin_end(struct gl_self *self, const struct gl_spin *spin)
{
    gl_acquire_fence();
    return gl_spin_finish(self, spin);
}

/* Option `poll`: how a wait reads its word by default. */
#if defined(GL_LOAD_ACQUIRES) && !defined(POLL_RMW) && !defined(POLL_VOLATILE) && !defined(GL_NO_ACQUIRE)
#define GL_POLL_ACQUIRES
#endif

static uint gl_poll(global uint *word)
{
#if defined(POLL_PAUSE)
    gl_pause();
#endif
#if defined(GL_POLL_ACQUIRES)
    return gl_load_acquire(word);
#elif defined(POLL_RMW)
    return gl_or(word, 0);
#elif defined(POLL_VOLATILE)
    return *(volatile global uint *)word;
#else
    return gl_load(word);
#endif
}

/* gl_acquire_fence behind a loop that polls by gl_poll. */
static void gl_acquire_polled(void)
{
#if !defined(GL_POLL_ACQUIRES)
    gl_acquire_fence();
#endif
}

/* gl_spin_end for such a loop. */
static bool gl_spin_end_polled(struct gl_self *self, const struct gl_spin *spin)
{
    gl_acquire_polled();
    return gl_spin_finish(self, spin);
}

/* The loop of a wait that has begun. */
static bool gl_wait_on(struct gl_self *self, struct gl_spin *spin)
{
    uint seen;

    do {
        gl_spin_look(self, spin);
        seen = gl_poll(self->board + spin->word);
    } while (gl_spin_goes_on(self, spin, seen));
    return gl_spin_end_polled(self, spin);
}

static bool gl_wait_how(struct gl_self *self, uint word, uint how, uint value, uint group, uint lock)
{
    struct gl_spin spin;
    gl_spin_begin_how(self, &spin, word, how, value, group, lock);
    return gl_wait_on(self, &spin);
}

/*
 * Waits until the word at index `word` of the board meets `kind` and `value`, which `group` (an id, or GL_GROUP_*) must
 * bring about. One work-item of a group calls it. Meanwhile the entry shows what the group waits for.
 */
#define gl_wait_until(self, word, kind, value, group) gl_wait_how(self, word, GL_HOW(kind), value, group, 0)

/* The same for the lock of this name: its holder must bring it about. The lock's name may be that of another word. */
#define gl_wait_lock(self, word, kind, value, lock) gl_wait_how(self, word, GL_HOW(kind), value, GL_GROUP_HOLDER, lock)

/* Waits until a word that only grows has reached `value`. */
#define gl_wait(self, word, value, group) gl_wait_until(self, word, GL_UNTIL_REACHED, value, group)

#define GL_TRY_HELD 0u
#define GL_TRY_GAVE_UP 1u
#define GL_TRY_STOPPED 2u

/*
 * The same condition as gl_wait_until, for so many polls: GL_TRY_HELD, GL_TRY_GAVE_UP, or GL_TRY_STOPPED, after which
 * the group must leave. It goes on whatever others do, so it is no wait for the board, which shows a group that runs.
 */
static uint gl_try_until(struct gl_self *self, uint word, uint kind, uint value, uint polls)
{
    struct gl_spin spin;
    uint seen;

    gl_spin_init(&spin, word, kind, value, GL_GROUP_ANY, 0);
#if !defined(GL_EVERY_ITEM)
    gl_say(self->entry + GL_PHASE, GL_PHASE_RUNNING); /* the entry may still show a wait that came true */
#endif
    do {
        if (polls-- == 0)
            return GL_TRY_GAVE_UP;
        gl_spin_look(self, &spin);
        seen = gl_poll(self->board + word);
        spin.idle = 0; /* it ends by itself, and by the total fuse */
    } while (gl_spin_goes_on(self, &spin, seen));
    gl_acquire_polled();
    if (spin.ended == GL_ENDED_HELD)
        return GL_TRY_HELD;
    gl_let_leave(self, spin.ended, 0);
    return GL_TRY_STOPPED;
}

/*
 * gl_wait, by a group that has just added 1 to the word and got `before` from it: the last group to arrive need not
 * look again. Its stores to the board cost no time, for the addition takes longer.
 */
#define gl_wait_after(self, word, before, value, group)                                                                \
    gl_wait_after_how(self, word, before, GL_HOW(GL_UNTIL_REACHED), value, group)

static bool gl_wait_after_how(struct gl_self *self, uint word, uint before, uint how, uint value, uint group)
{
    struct gl_spin spin;
    gl_spin_begin_how(self, &spin, word, how, value, group, 0);
    if (before + 1 != value)
        return gl_wait_on(self, &spin);
    spin.seen = value;
    spin.ended = GL_ENDED_HELD;
    return gl_spin_end(self, &spin);
}

/*
 * Polls after which a group looks at the stop word, be it in one wait or in several, and polls of a turn of the loop.
 * On a CPU (GL_YIELD: it is x86-64) a poll is a read of its own cache, and 4096 of them take a microsecond or two.
 */
#if defined(GL_YIELD)
#define GL_BRIEF_POLLS 4096u
#define GL_BRIEF_TURN 1
#else
#define GL_BRIEF_POLLS 256u
#define GL_BRIEF_TURN 4
#endif

/*
 * Polls with nothing else in the loop, because work between two polls, and after the last, is a good part of the time
 * of a short wait. True: the word has reached `value`; false: a look is due. Polls are counted by turns, before they
 * are made.
 */
static bool gl_wait_briefly(struct gl_self *self, uint word, uint value, uint *seen)
{
    uint polls = self->polls;

    while ((polls += GL_BRIEF_TURN) % GL_BRIEF_POLLS >= GL_BRIEF_TURN) {
        GL_UNROLL(GL_BRIEF_TURN)
        for (uint i = 0; i < GL_BRIEF_TURN; ++i) {
            *seen = gl_poll(self->board + word);
            if (gl_is_met(GL_UNTIL_REACHED, *seen, value)) {
                self->polls = polls;
                return true;
            }
        }
    }
    self->polls = polls - polls % GL_BRIEF_TURN; /* other waits may have counted otherwise; looks come at multiples */
    return false;
}

/*
 * For many short waits in a row for the same word to grow: gl_foretell says on the board what they have in common, and
 * each gl_wait_foretold, which is a gl_wait, says only its value. No other wait may begin between them. Until the first
 * one the entry shows a wait for 0, which is over. With GL_PROVED nothing counts polls: states are to come back.
 */
#define gl_foretell(self, word, group) gl_foretell_how(self, word, GL_HOW(GL_UNTIL_REACHED), group)

static void gl_foretell_how(const struct gl_self *self, uint word, uint how, uint group)
{
    struct gl_spin spin;
    gl_spin_init(&spin, word, how, 0, group, 0);
    gl_say(self->entry + GL_WAIT_VALUE, 0);
    gl_spin_tell_word(self, &spin);
    gl_say(self->entry + GL_PHASE, GL_PHASE_WAITING);
}

static bool gl_wait_foretold(struct gl_self *self, uint word, uint value, uint group)
{
    struct gl_spin spin;

    self->waits += 1;
    gl_spin_tell_value(self, value);
#if !defined(GL_PROVED)
    uint seen;
    if (gl_wait_briefly(self, word, value, &seen)) {
        gl_acquire_polled();
        gl_count_wait(self, GL_UNTIL_REACHED, seen, value);
        return true;
    }
#endif
    /* Not before: what others get the address of is kept in memory. */
    gl_spin_init(&spin, word, GL_UNTIL_REACHED, value, group, 0);
    return gl_wait_on(self, &spin);
}

#endif
