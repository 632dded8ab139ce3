/*
 * What the template stall.c is compiled with by itself, to see that it is sound C. In a reproducer its place is taken
 * by the numbers of the launch that is reproduced (report/reproducer.c).
 */
#ifndef GRIDLOCK_REPORT_REPRODUCER_TABLE_H
#define GRIDLOCK_REPORT_REPRODUCER_TABLE_H

#define KERNEL "event"
#define BUILD_OPTIONS "-cl-std=CL3.0"
#define MODE GL_MODE_WORK
#define GROUPS 5u
#define LOCAL_SIZE 64u
#define ROUNDS 3u
#define LAUNCHES 1
#define PASSES 1u
#define SYNC_WORDS 64u
#define SEED 1u
#define DATA_SEED 1u
#define JITTER 0u
#define UNEVEN 0u
#define POLLS_A_MS 1000000u
#define FUSE 1000000u
#define CHECKS 0u
#define BUFFERS 1
#define COMPUTED_BUFFERS 1
#define LOCAL_BYTES 1024
#define LIMITS 1

static const uint32_t parameters[16] = {0};

struct buffer {
    size_t count;
    char type; /* u, i, U, I: 32 or 64 bits without and with a sign; f: float */
    char fill; /* 0, 1: all bits; i: each element its index; + or *: operands drawn by lot */
};

static const struct buffer buffers[BUFFERS] = {{1024, 'f', '+'}};

#endif
