/*
 * Locks of three kinds, by option kind:
 *
 *   owner   test-and-set on a word that bears the owner's id plus 1
 *   ticket  numbers are taken, and the holder is told by no word: it only says how many locks it holds
 *   named   the same, but groups say which lock they hold, and which one they wait for
 *
 * A lock takes LOCK_WORDS words.
 */
#ifndef TRUTH_LOCKS_H
#define TRUTH_LOCKS_H

#include "busy.h"

#define LOCK_WORDS (2u * GL_LINE)

struct lock {
    uint word; /* index on the board: the owner, or the number that is served */
    uint number;
};

/* A function that returned a struct would leave a call in its kernels that Oclgrind 21.10 does not know. */
#define lock_at(self, i) ((struct lock){gl_sync(self, (i)*LOCK_WORDS), 0})

#if defined(KIND_NAMED)
#define LOCK_NAMED
#endif

/* Says that the group has this lock, its `held`-th one. */
static void lock_note(struct gl_self *self, const struct lock *lock, uint held)
{
#if defined(LOCK_NAMED)
    gl_takes(self, lock->word);
#else
    gl_holds(self, held);
#endif
}

static bool lock_wait(struct gl_self *self, struct lock *lock)
{
#if defined(KIND_OWNER)
    struct gl_spin spin;
    gl_spin_begin(self, &spin, lock->word, GL_UNTIL_EQUAL, 0, GL_GROUP_OWNER);
    do
        gl_spin_look(self, &spin);
    while (gl_spin_goes_on(self, &spin, gl_compare_exchange(self->board + lock->word, 0, self->group + 1)));
    return gl_spin_end(self, &spin);
#else
    lock->number = gl_add(self->board + lock->word + GL_LINE, 1);
#if defined(LOCK_NAMED)
    return gl_wait_lock(self, lock->word, GL_UNTIL_EQUAL, lock->number, lock->word);
#else
    return gl_wait_until(self, lock->word, GL_UNTIL_EQUAL, lock->number, GL_GROUP_HOLDER);
#endif
#endif
}

/* The group holds `held` locks with this one. */
static bool lock_take(struct gl_self *self, struct lock *lock, uint held)
{
    if (!lock_wait(self, lock))
        return false;
    lock_note(self, lock, held);
    return true;
}

/* The group holds `held` locks without this one. */
static void lock_drop(struct gl_self *self, const struct lock *lock, uint held)
{
#if defined(LOCK_NAMED)
    gl_drops(self, lock->word);
#else
    gl_holds(self, held);
#endif
#if defined(KIND_OWNER)
    gl_release(self->board + lock->word, 0);
#else
    gl_release(self->board + lock->word, lock->number + 1);
#endif
}

#endif
