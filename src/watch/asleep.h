/*
 * Whether a process can still do something, by what the system says of its threads. A thread that waits for a lock or a
 * condition of its own process, without a time limit, does nothing until another thread of the process wakes it. If all
 * do that, none will ever be woken.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* Of one look. */
struct asleep {
    bool all;        /* each thread slept so */
    uint64_t states; /* of where each slept, and how often it had slept before: equal if none was awake in between */
};

/* A thread of which more is known. */
struct asleep_known {
    uint32_t thread;
    bool held; /* it does nothing before another one acts; if not, it waits in a call, and may look up in between */
};

struct asleep asleep_look(pid_t process, const struct asleep_known *known, size_t count);

/* The letter of the process's state; 0: it is gone. */
int asleep_state(pid_t process);
