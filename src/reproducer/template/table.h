/*
 * What the template stall.c is compiled with by itself, to see that it is sound C. In a reproducer its place is taken
 * by the numbers of the launch that is reproduced (reproducer/reproducer.c).
 */
#pragma once

#define WANTED STALLED
#define WANTED_NAME "stalled"
#define KERNEL "event"
#define BUILD build_to_fit
#define BUILD_OPTIONS "-cl-std=CL3.0"
#define REQUIRED_SIZE " -DGL_REQUIRED_SIZE=64"
#define FUSE_MOST (1u << 30)
#define CHECKS 0u
#define DATA_SEED 1u
#define FILL fill_data

enum { GROUPS = 5, TIMES = 1, LOCAL_SIZE = 64, LOCAL_BYTES = 1024, SYNC_WORDS = 64, LAUNCHES = 1, PASSES = 1 };

static const cl_uint request[GL_CONTROL_WORDS] = {[GL_MODE] = 8, [GL_GROUPS] = GROUPS};

static const struct buffer {
    size_t count, bytes;
    char type, fill;
} buffers[] = {{1024, 4, 'f', '+'}, {0, 0, 0, 0}};
