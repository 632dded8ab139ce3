/*
 * The run file of a program that is watched, or looked at: what is told goes there at once. It is made when there is
 * something to be kept, or at once where the user names it. Where it cannot be written, that is said once, unless there
 * is no log, and the rest goes on.
 */
#pragma once

#include "watch/watch.h"

struct store;
struct watch_file {
    const char *path; /* that was named; or NULL: in the user's folder */
    const struct watch_request *request;
    struct store *store;
    bool failed;
    struct error why;
    struct watch_file_device *devices; /* that were added; owned */
    size_t count;
    uint32_t sequence;
};

/* Sets the request's keeper; 0, or -1. */
int watch_file_begin(struct watch_file *file, struct watch_request *request, struct error *error);

/* Notes that the program has come to its end, unless it was not started. */
void watch_file_end(struct watch_file *file, bool started);
