/*
 * What the template proof.c is compiled with by itself, to see that it is sound C. In a reproducer its place is taken
 * by the launch that is reproduced (reproducer/proof.c).
 */
#pragma once

#define KERNEL "waits"
#define BUILD_OPTIONS "-cl-std=CL3.0"
#define LOCAL_SIZE                                                                                                     \
    {                                                                                                                  \
        1, 1, 1                                                                                                        \
    }

enum { GROUPS = 2, TIMES = 0, ITEMS = 1, DIMENSIONS = 3, DELAYS = 1, COMPARES = 1, NUMBER = 0, APART = 0 };

static const struct given {
    const char *name;
    char kind;
    size_t bytes;
    const char *number;
} arguments[] = {{NULL, 0, 0, NULL}};

static const char delays[] = "\n";
static const char *const lines[] = {"kernel void waits(global uint *word)\n", "{\n", "}\n"};
