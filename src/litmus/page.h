/*
 * What the page of a launch says (kernels/abi.h): did the test end in all its instances, and if not, where do they
 * stand?
 */
#pragma once

#include "core/block.h"
#include "litmus/program.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct litmus_page {
    const struct litmus_program *program;
    const uint32_t *slots; /* as mapping_fill writes them */
    uint32_t groups;
    uint32_t *words;
};

enum litmus_page_end {
    PAGE_ENDED,   /* each group ran its thread to the end */
    PAGE_STALLED, /* a thread was stopped, or never started */
    PAGE_SLOW, /* a thread was stopped by a total fuse alone, or a group started beside the stop: groups still moved */
    PAGE_CUT,  /* a loop ended although neither its thread nor a fuse nor the stop word ended it */
};

/* An instance, as its groups left it. */
struct litmus_instance {
    uint16_t started, ended; /* threads, a bit each */
    uint16_t freed;          /* of those that ended: the stop word was set by then, and may have freed them */
    uint8_t memory;          /* locations, a bit each */
    uint8_t position[LITMUS_THREADS];
    uint32_t groups[LITMUS_THREADS]; /* which are its threads */
};

size_t litmus_page_words(unsigned threads, uint32_t groups);

/* What a launch is asked for. */
struct litmus_setting {
    uint32_t test;                  /* where the program begins in the codes */
    uint32_t fuse_idle, fuse_total; /* in looks */
    uint32_t jitter;                /* polls */
    uint32_t seed;                  /* of the jitter */
    uint32_t stride;                /* as mapping_stride */
    uint32_t sub_groups, lanes;     /* of the group, as they were found; 0: nobody asks */
};

/* Writes the first GL_PAGE_SLOTS words of the page of a launch to come; those behind them must be 0 there. */
void litmus_page_init(const struct litmus_page *page, const struct litmus_setting *setting);

/* For pages of a launch that has ended. The first GL_PAGE_SLOTS words tell whether its test did, in all instances. */
bool litmus_page_has_ended(const struct litmus_page *page);
enum litmus_page_end litmus_page_end(const struct litmus_page *page);

/* Groups that started, or ended, when the stop word was set. */
uint32_t litmus_page_late(const struct litmus_page *page);

/* Reads all instances, groups / threads of them. */
void litmus_page_instances(const struct litmus_page *page, struct litmus_instance *instances);

/*
 * Each group that has started and not ended has looked at the stop word since the words of the groups were `before`:
 * it gets its turns, and its position is not one that it left long ago.
 */
bool litmus_page_looked(const struct litmus_page *page, const uint32_t *before);

/* One of them has, so often that alone it would have ended, or come back to where it was. */
bool litmus_page_turned(const struct litmus_page *page, const uint32_t *before);

/* No thread that has started, in any of the instances, can end unless another one starts. */
bool litmus_instances_blocked(const struct litmus_program *program, const struct litmus_instance *instances,
                              uint32_t count);

/*
 * What stands in the outcome of the test: a thread that may have been freed by the stop counts as one that has not
 * ended. Described is the instance, of those with a thread that has started and not ended, that the most models do not
 * allow (litmus/debt.h), returned as litmus_debtors gives them; of these one that the stop did not free; then one in
 * which a thread that has started could end, the one of whose threads the fewest have; then the first.
 */
uint32_t litmus_instances_state(const struct litmus_program *program, const struct litmus_instance *instances,
                                uint32_t count, struct test_state *state);
