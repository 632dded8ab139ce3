/*
 * Watches a program that knows nothing of it: starts it with the door (door/door.h) before its OpenCL drivers, reads
 * from outside what the door notes, and says why nothing goes on. Nothing of the program waits for this process.
 */
#pragma once

#include "base/error.h"
#include "core/naming.h"
#include "door/page.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* What is done about an alarm, besides telling it. */
enum on_stall { ON_STALL_REPORT, ON_STALL_END, ON_STALL_CORE };

/* Who keeps what is told. */
struct sighting;
struct watch_keeper {
    void *context;
    int64_t (*keep)(void *context,
                    const struct sighting *sighting); /* a number by which it is known; 0: it is not kept */
    void (*note_fit)(void *context, int64_t number, uint64_t groups);
    bool ends; /* also what is seen of those that ended as they should */
};

struct watch_request {
    char **words; /* the program and its arguments, up to NULL */
    uint64_t deadline_ns;
    enum on_stall on_stall;
    enum door door;
    bool summary; /* say at the end what was seen */
    bool json;
    FILE *log;
    struct watch_keeper keeper;
    const char *keep; /* the folder for sources of kernels that hang; NULL: there is none */
};

/* Exit statuses of a program that cannot be started, as shells have them. */
enum { WATCH_CANNOT_RUN = 126, WATCH_NOT_FOUND = 127 };

/* Runs the program. Returns its exit status, or 128 and the signal that ended it; -1: it was not started. */
int watched_run(const struct watch_request *request, struct error *error);
