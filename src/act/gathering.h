/* Measuring what sub-groups promise, in launches of one group. */
#pragma once

#include "act/promising.h"

struct gathering {
    struct promising *promising;
    struct buffer *told; /* what work-items told: the kernel's first argument */
    uint64_t most;       /* sub-groups of a group that were seen */
    size_t shape[3];     /* of the group in which they wait */
};

/* Builds a kernel and measures by it; nothing where there are no sub-groups. */
int gathering_measure(struct promising *promising, const char *kernel,
                      int (*measure)(struct gathering *gathering, struct error *error), struct error *error);

/* 1: a group of this size ran, and what its work-items told is read. 0: it did not, as promising->failure says. */
int gathering_launch(struct gathering *gathering, const size_t size[3], size_t words, struct error *error);

/* Gives the work-items small odd and even numbers; in one attempt all are odd, in another one all even. */
int gathering_give(const struct gathering *gathering, const struct buffer *given, uint32_t attempt,
                   struct error *error);

/* Counts a try; -1: it could not be made. */
int gathering_count(struct gathering *gathering, int found);

/* What all tries come to. */
void gathering_conclude(const struct gathering *gathering);
