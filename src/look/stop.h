/*
 * A process is stopped for some milliseconds, by ptrace, and let go again. Threads that sleep in a call which a stop
 * would end (epoll_wait) are left alone: they run only once they are woken, and are asked afterwards whether they were.
 */
#pragma once

#include "look/process.h"

#include <sys/user.h>

/* A thread at the moment of the stop. */
struct stopped_thread {
    pid_t id;
    struct thread_state state;         /* `call`: the one that it slept in when it was stopped */
    struct user_regs_struct registers; /* only sp and pc of one that was left alone */
    bool held;                         /* by ptrace */
    uint8_t *vectors;                  /* its vector registers, if it ran; else NULL */
    size_t vectors_bytes;
    int signal; /* that it was about to get, and gets when it is let go; or 0 */
};

struct stopped {
    pid_t process;
    struct stopped_thread *threads; /* the first is the process's first */
    size_t count;
};

/*
 * Stops all threads. STATUS_USAGE if the system forbids it; STATUS_HARNESS if a thread does not stop in some seconds.
 * The process goes on by itself if this one ends.
 */
int stop_process(struct stopped *stopped, pid_t process, struct error *error);

/* Lets all threads go; what is known of them stays. */
void stop_release(struct stopped *stopped);
void stop_fini(struct stopped *stopped);
