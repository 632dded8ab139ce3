/* A process of somebody else's, and its threads, as /proc has them. */
#pragma once

#include "base/error.h"
#include "look/maps.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum { THREAD_NAME = 32, THREAD_ARGUMENTS = 6 };

/* What a thread does, as far as the system tells. */
struct thread_state {
    char name[THREAD_NAME];
    char state;   /* 'R' runs, 'S' sleeps, 'T' is stopped, 'Z' has ended ... */
    int64_t call; /* the system call that it sleeps in, or -1 */
    uint64_t arguments[THREAD_ARGUMENTS];
    uint64_t sp, pc; /* while it sleeps */
};

/*
 * 0 if the process can be looked at. STATUS_USAGE, and why not, if there is none, it has ended, it is this one, it is
 * somebody else's or another looks at it; STATUS_UNSUPPORTED if it is of 32 bits.
 */
int process_check(pid_t process, struct error *error);

/* Answers whether this file is a program of 32 bits. */
bool program_has_32_bits(const char *path);

/* false: the thread has ended. */
bool thread_state_read(struct thread_state *state, pid_t process, pid_t thread);

/* How often the thread has gone to sleep by itself; 0 if it has ended. */
uint64_t thread_sleeps(pid_t process, pid_t thread);

/*
 * Answers whether the thread sleeps in futex(2), at a word that no other process has, until another thread wakes it;
 * with `timed` also if it would wake by itself.
 */
bool thread_is_bound(const struct thread_state *state, const struct maps *maps, bool timed);

/* Answers whether it sleeps in futex(2) as long as a word has this value; not of locks that the system hands over. */
bool thread_sleeps_at(const struct thread_state *state, uint64_t *address, uint32_t *value);

/* The threads of a process, the first one first; the caller frees *threads. */
size_t process_threads(pid_t process, pid_t **threads);

/* A thread of it that has not ended, the first one if it can be; 0: there is none. */
pid_t process_living(pid_t process);

enum { PROCESS_PATH = 64 };

/* The path of a file of it in /proc that can be read: of a first thread that has ended none can. */
void process_path(pid_t process, const char *name, char path[PROCESS_PATH]);

/* Answers whether it has a device of a GPU open. */
bool process_uses_gpu(pid_t process);

/* The name of a system call that threads often sleep in, or NULL. */
const char *system_call_name(int64_t call);

/* Answers whether a thread that is stopped in this call and let go again goes on as if nothing had been. */
bool system_call_goes_on(int64_t call);
