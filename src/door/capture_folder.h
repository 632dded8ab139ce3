/* What is kept of a launch, and the folder that it is written to. */
#pragma once

#include "door/door.h"

enum { CAPTURE_ARGUMENTS = 48, CAPTURE_VALUE = 4096, CAPTURE_PATH = 4096, CAPTURE_SHAPE = 7 };

enum capture_kind {
    CAPTURE_VALUE_BYTES,
    CAPTURE_BUFFER,
    CAPTURE_LOCAL,
    CAPTURE_IMAGE,
    CAPTURE_SAMPLER,
    CAPTURE_SVM,
    CAPTURE_OTHER, /* not kept: a pipe, memory that came in a way that is not seen, a very large value */
};

struct capture_argument {
    enum capture_kind kind;
    uint64_t bytes; /* of a value, or of memory */
    union {
        cl_mem memory;
        cl_sampler sampler;
        const void *at; /* of shared virtual memory */
    } object;
    const struct shared *by; /* shared virtual memory of a driver's extension, or NULL */
    /* Memory: which it is, 0 of none, and which bytes of it. */
    struct {
        uint64_t of, begin, end;
    } place;
    /*
     * Of an image its type, the order and the type of its channels, width, height, depth and layers; of a sampler
     * whether coordinates are normalized, and its modes of addresses and of the filter: as OpenCL numbers them.
     */
    uint64_t shape[CAPTURE_SHAPE];
    unsigned char *value;    /* owned, or NULL */
    unsigned char *contents; /* of memory before the launch; owned, or NULL */
};

struct capture_kernel {
    char name[256];
    const char *source, *options; /* NULL: not known */
    uint64_t launches;            /* whose buffers were read */
    bool too_many;                /* arguments, or no memory for them */
    uint32_t reached;             /* pieces of memory that it was told to reach without an argument */
    uint32_t count;
    struct capture_argument arguments[CAPTURE_ARGUMENTS];
};

struct capture {
    struct capture_kernel kernel; /* as it was */
    struct page_command slot;
    cl_event last;  /* read */
    cl_event *list; /* that the launch waits for */
    bool accepted, failed;
    _Atomic uint32_t arrived;
    char folder[CAPTURE_PATH];
};

/* Copies it with the values of its arguments. */
bool capture_copy(struct capture_kernel *to, const struct capture_kernel *from) DOOR_HIDDEN;
void capture_forget_arguments(struct capture_kernel *kernel) DOOR_HIDDEN;

/* Answers whether something that it was given is not kept as it was; with `contents`, that which was read is known. */
bool capture_lacks(const struct capture_kernel *of, bool contents) DOOR_HIDDEN;

/* Whether so many bytes more may be kept; they are then counted. */
bool capture_may_take(uint64_t bytes) DOOR_HIDDEN;

/* Makes a folder in `root`, whose path goes to `path` unless it is NULL. -1: it cannot be written. */
int capture_write(const char *root, const struct capture_kernel *kernel, const struct page_command *slot,
                  char path[CAPTURE_PATH]) DOOR_HIDDEN;

/* Adds what buffers held before the launch. */
void capture_write_contents(const struct capture *capture) DOOR_HIDDEN;
