/*
 * Whether each thread of a process has had a turn on a processor: of a thread that waits for one it is not known what
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

struct turns {
    pid_t process; /* 0: this one, whose thread that asks needs no turn */
    struct turn {
        pid_t thread;
        uint64_t ran_ns; /* on a processor, when it began */
    } * waiting;         /* for a turn */
    size_t count;
    bool begun;
};

/*
 * Returns whether each thread has run for `least_ns`, or slept, since the first call with this one, which is zeroed but
 * for the process. Where the system does not tell, all count as if they had. Call turns_fini when done, or to begin
 * anew with the same process.
 */
bool turns_had(struct turns *turns, uint64_t least_ns);
void turns_fini(struct turns *turns);
