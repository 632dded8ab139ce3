#include "device/calls.h"

#include <stdatomic.h>
#include <stdio.h>

const struct opencl *opencl;

static struct calls nobody; /* reads it */
static struct calls *page = &nobody;
static _Atomic int threads;

static struct caller *caller(void)
{
    static _Thread_local int place = -1;

    if (place < 0) {
        const int next = atomic_fetch_add(&threads, 1);
        place = next < CALLERS ? next : CALLERS - 1;
    }
    return &page->callers[place];
}

void calls_open(struct calls *calls)
{
    page = calls;
}

void calls_are_made(const char *when)
{
    snprintf(page->when, sizeof page->when, "%s", when);
}

/* A call may be made by a callback, and so inside another one of the same thread; the inner one is told. */
enum { NESTED = 4 };
static _Thread_local const char *names[NESTED];
static _Thread_local unsigned depth;

static void tell(const char *name)
{
    struct caller *me = caller();

    atomic_store_explicit(&me->inside, 0, memory_order_relaxed);
    if (name == NULL)
        return;
    snprintf(me->name, sizeof me->name, "%s", name);
    atomic_store_explicit(&me->inside, 1, memory_order_release);
}

void call_enters(const char *name)
{
    names[depth++ % NESTED] = name;
    tell(name);
}

void call_has_left(void)
{
    depth -= 1;
    tell(depth > 0 ? names[(depth - 1) % NESTED] : NULL);
}

cl_int call_left(cl_int value)
{
    call_has_left();
    return value;
}

void *call_left_with(void *value)
{
    call_has_left();
    return value;
}
