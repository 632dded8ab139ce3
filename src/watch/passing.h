/* Libraries of OpenCL in a process whose calls the door does not see, or that have not come to it. */
#pragma once

#include "door/page.h"
#include "watch/library.h"

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

enum { PASSING_MOST = 64 };

enum passing_kind {
    PASSING_ABSENT, /* a loader that leads to the door, and has not come */
    PASSING_BY,     /* what goes by it passes the door, */
    PASSING_UNLESS, /* unless it hands that on */
    PASSING_ASKS,   /* it may ask drivers itself, past the loader by whose layer the door sees the process */
    PASSING_EARLY,  /* a driver that the door has; but it was called before, or may be by other ways, */
    PASSING_LINKED, /* as something is linked to it */
};

struct passing {
    enum door door;
    struct passing_library {
        enum passing_kind kind;
        pid_t process;
        char *path;   /* owned, */
        char *linked; /* and so is this: what is linked to it, or NULL */
    } libraries[PASSING_MOST];
    size_t count;
    struct passing_asking {
        pid_t process;
        char *path; /* owned: it may ask drivers, which tells something only of a process that the door sees */
    } asking[PASSING_MOST];
    size_t asking_count;
    struct passing_file {
        char *path;
        struct library library;
    } * files; /* that were read */
    size_t file_count;
};

/* By what is mapped now; `page` is its page, or NULL. Adds to what is there. */
void passing_look(struct passing *passing, pid_t process, const struct page *page);

/* Drops what has come to the door since; adds drivers that were there before. */
void passing_settle(struct passing *passing, pid_t process, const struct page *page);

/* Answers whether it is the first one of which this is so. */
bool passing_is_first(const struct passing *passing, size_t index);

/* Answers whether the process may have launched something that was not seen. */
bool passing_is_unseen(const struct passing *passing, pid_t process);
void passing_fini(struct passing *passing);
