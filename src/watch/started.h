/* The program that is watched, as a process, and the folder in which the door leaves its pages. */
#pragma once

#include "base/error.h"
#include "door/page.h"

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

enum { STARTED_FOLDER = 64 };

struct started {
    pid_t pid;
    char folder[STARTED_FOLDER];
    enum door door;
    char library[PATH_MAX]; /* of the door */
    char watch[16];         /* the process id of this one */
    bool has_32_bits;       /* the program is of 32 bits, and cannot load the door */
};

/*
 * Starts it, with its signals, descriptors and environment as they came to gridlock, but for what names the door. -1
 * and an error: WATCH_NOT_FOUND or WATCH_CANNOT_RUN if it is the program that cannot be started.
 */
int started_begin(struct started *started, enum door by, char *const *words, struct error *error);

/* Calls `act` with each process that it has started, of those that still have its environment; says how many. */
size_t started_each(const struct started *started, void (*act)(pid_t process, void *context), void *context);

/* How many these are. */
size_t started_count(const struct started *started);

/* Sends a signal to the program and to all that it has started, of those that still have its environment. */
void started_signal(const struct started *started, int signal);

/* Removes the folder, unless a process is left that may want the door. */
void started_end(const struct started *started);
