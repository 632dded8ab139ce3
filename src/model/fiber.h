/*
 * Fibers: each runs on a stack of its own until it calls one of the functions that may hand over to another. These
 * save what a call keeps on the stack of the fiber, and then go on on the stack of the host's thread, so a fiber's
 * stack holds nothing but what is its own: from its stack pointer to its top it is the fiber's whole state.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__x86_64__)
#define FIBER_OFFERED 1
#else
#define FIBER_OFFERED 0
#endif

/* What is on a fiber's stack that does not run: from here upwards. */
typedef void **fiber_pointer;

enum { FIBER_REGISTERS = 2 /* kinds of them */ };
enum { FIBER_SAVED = 6 }; /* registers; then follows where the fiber goes on */

/* The present fiber: addresses from its stack pointer to this one are its own. Set it before the fiber goes on. */
extern void *fiber_top;

/* What a new fiber does: it calls enter(arguments). Set both before it goes on for the first time. */
extern void (*fiber_enter)(void *const *arguments);
extern void *const *fiber_arguments;

/* Makes a new fiber of a stack that ends at `top`, which is aligned to 16 bytes. */
fiber_pointer fiber_make(void *top);

/* Lets the fiber go on, and others after it, until a function below returns fiber_host(). */
void fiber_run(fiber_pointer fiber);
fiber_pointer fiber_host(void);

/*
 * As gl_calls has them; for the fibers to call. They go on with what fiber_user says. An access of the
 * present fiber's own stack is no point.
 */
void fiber_point(const volatile void *at, unsigned long bytes, unsigned how);
void fiber_meet(unsigned flags);

/* The thread where it was interrupted: this is all of its state. */
struct fiber_interrupted {
    const unsigned char *stack; /* what is there from here on is in use */
    const void *at;             /* the instruction that is next */
    fiber_pointer frame;        /* the frame pointer */
    const void *returns;        /* to, of a function that has no frame of its own now; NULL: it has one */
    struct {
        const void *at;
        size_t bytes;
    } registers[FIBER_REGISTERS];
};

/* Whoever uses fibers; run on the stack of the host's thread. Each returns which fiber goes on. */
struct fiber_user {
    fiber_pointer (*at_point)(const volatile void *at, size_t bytes, uint32_t how, fiber_pointer self);
    fiber_pointer (*at_meeting)(uint32_t flags, fiber_pointer self);
    fiber_pointer (*at_end)(void);
    /* May be NULL. In a handler of signals; true: it goes on. False, for a fiber alone: fiber_run returns. */
    bool (*at_look)(const struct fiber_interrupted *interrupted);
};

/* To be called by a handler of signals on the host's thread, with what that is given as context. */
void fiber_look(void *context);

/* Set it before a fiber goes on. */
extern const struct fiber_user *fiber_user;
