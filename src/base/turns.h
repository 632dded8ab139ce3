/*
 * Whether each thread of this process has had a turn on a processor: of a thread that waits for one it is not known what
 * it would do. On a busy machine a thread of a driver may have to wait for long before it takes its next group.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/*
 * The letter of the state in which a process or thread is, and its parent; 'R': it runs, or could. `path` is its
 * /proc/.../stat. 0: not known.
 */
int turns_state(const char *path, long *parent);

/* A zeroed one has not begun. */
struct turns {
    struct turn {
        pid_t thread;
        uint64_t ran_ns; /* on a processor, when it began */
    } * waiting;         /* for a turn */
    size_t count;
    bool begun;
};

/*
 * Each thread has run, or slept, since the first call. Where the system does not tell, or memory is short, all count as if
 * they had. To be freed with turns_fini, after which it begins anew.
 */
bool turns_had(struct turns *turns);
void turns_fini(struct turns *turns);
