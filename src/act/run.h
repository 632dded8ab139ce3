/* Launching the kernel of a promise, and reading what its work-items said. */
#pragma once

#include "act/promising.h"

enum { PROMISE_TRIES = 5 }; /* of what is promised */

/* Words that a kernel writes, and where the host reads them. */
struct results {
    cl_mem buffer;
    uint32_t *words;
    size_t count;
};

/* Makes room for `count` words, set as an argument of the kernel; to be freed with results_fini, also after -1. */
int results_init(struct results *results, struct promising *promising, cl_kernel kernel, size_t count,
                 struct error *error);
void results_fini(struct results *results);

/*
 * Launches a kernel with this size, of all work-items and of a group, and reads its results, which are zero before.
 * 1: it ran. 0: the driver refused it, or it failed, as *end says. -1 with *error: it could not be tried.
 */
int promising_run(struct promising *promising, const struct launch *launch, struct results *results,
                  struct launch_end *end, struct error *error);

/* 1: as promised. 0: not so, as the finding's text says. -1: it could not be tried, and *error says why. */
typedef int promise_try(void *context, struct error *error);

/* Tries what is promised, several times; the finding says how often, and how often it failed. */
int promising_repeat(struct promising *promising, promise_try *attempt, void *context, struct error *error);
