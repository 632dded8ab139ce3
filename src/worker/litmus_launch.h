/*
 * Launches of a litmus test: several at once, which their fuses end, and of which the host sees the pages when they
 * have ended; or one that the host watches (litmus_watch.c).
 */
#pragma once

#include "core/block.h"
#include "device/session.h"
#include "judge/stall.h"
#include "litmus/page.h"
#include "worker/litmus_level.h"

/* The test that is launched, and what its launches have in common. A zeroed one is closed. */
struct litmus_launches {
    struct session *session;
    const struct block *block;
    struct litmus_program test;
    uint32_t test_at; /* in the block's codes */
    struct litmus_shape shape;
    struct program *program;
    uint32_t groups;
    uint32_t stride; /* as litmus_setting has it */
    uint32_t *slots; /* of the groups, for tests of so many threads */
    unsigned slots_threads;
    struct memory slots_memory, codes_memory;
    struct litmus_instance *instances; /* of one launch */
    struct stall_judge judge;
    uint32_t *before;     /* the words of the groups when they were compared with last */
    bool has_before;      /* there are such words since the launch last changed */
    uint64_t sampled_ns;  /* when the launch was last looked at */
    uint32_t launched;    /* so often, of this test */
    uint64_t duration_ns; /* of the last launch, or of the last series */
    bool judged;          /* the judge ended the last launch, and no group started or ended after that by itself */
    enum outcome outcome; /* of a launch that failed; and ... */
    cl_int code;          /* ... what the driver said, or CL_SUCCESS */
};

/*
 * Makes room for a block, which must stay there, and finds the shape of its group. -1: the device has none, and
 * launches->outcome says how.
 */
int litmus_launches_open(struct litmus_launches *launches, struct session *session, const struct block *block,
                         struct error *error);
void litmus_launches_close(struct litmus_launches *launches);

/*
 * Goes on to the next test of the block, which begins at launches->test_at, and builds its kernel; *code is the cl_int.
 */
int litmus_launches_take(struct litmus_launches *launches, uint32_t *next_at, cl_int *code, struct error *error);

/* A page of the launches that ended last, from 0. */
struct litmus_page litmus_launches_page(const struct litmus_launches *launches, uint32_t launch);

/* So many of `count` launches fit into the memory that they may take at once; at least one. */
uint32_t litmus_launches_at_once(const struct litmus_launches *launches, uint32_t count);

/*
 * Launches the test `count` times at once; the fuses, in looks, end those that stall. -1 if a call of OpenCL
 * failed.
 */
int litmus_launch_series(struct litmus_launches *launches, uint32_t count, uint32_t fuse_idle, uint32_t fuse_total,
                         struct error *error);

/*
 * Launches the test once, watched through the channel; launches->judged says if the stall judge ended it. The fuse, in
 * looks of a group, is a net below the judge. -1: as litmus_launch_series.
 */
int litmus_launch_watched(struct litmus_launches *launches, uint32_t fuse_total, struct error *error);

/* STATUS_SURPRISE if the sub-groups of a launch that has ended are not those of the shape. */
int litmus_launches_check_shape(struct litmus_launches *launches, uint32_t launch, struct error *error);

/*
 * For litmus_watch.c, the steps of a launch: its pages, of so many words each, are written, and its kernel is told
 * which is its own.
 */
cl_uint litmus_launches_range(const struct litmus_launches *launches, size_t global_size[2]);
size_t litmus_launches_page_words(const struct litmus_launches *launches);
int litmus_launches_prepare(struct litmus_launches *launches, uint32_t count, uint32_t fuse_idle, uint32_t fuse_total,
                            struct error *error);
int litmus_launches_set_page(const struct litmus_launches *launches, uint32_t launch, struct error *error);

/* Notes why a launch failed, one of the codes being none of success. Returns -1. */
int litmus_launches_fail(struct litmus_launches *launches, cl_int enqueue_code, cl_int finish_code,
                         struct error *error);
