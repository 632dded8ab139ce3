/* Libraries of OpenCL in a process whose calls the door does not see. */
#pragma once

#include "door/page.h"

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

enum { PASSING_MOST = 64 };

struct passing {
    struct passing_library {
        pid_t process;
        char *path; /* owned */
    } libraries[PASSING_MOST];
    size_t count;
};

/* By what is mapped now; `page` is its page, or NULL. Adds to what is there. */
void passing_look(struct passing *passing, pid_t process, const struct page *page);

/* Drops what has come to the door since. */
void passing_settle(struct passing *passing, pid_t process, const struct page *page);

/* Answers whether it is the first one with this path. */
bool passing_is_first(const struct passing *passing, size_t index);
void passing_fini(struct passing *passing);
