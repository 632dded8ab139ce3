/* The memory of a board, and the channel through which the host reaches it while a kernel runs. */
#ifndef GRIDLOCK_DEVICE_BOARD_MEMORY_H
#define GRIDLOCK_DEVICE_BOARD_MEMORY_H

#include "base/error.h"
#include "core/device_info.h"

#include <CL/cl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct session;

/* Exactly one of buffer and svm is the kernel's argument. A zeroed one has no room. */
struct board_memory {
    size_t room; /* words */
    enum shared_memory kind;
    cl_mem buffer;
    void *svm;
    uint32_t *shared; /* host pointer to the board, for CHANNEL_SHARED; else NULL */
    uint32_t *copy;   /* the host's copy, as large */
    cl_mem staging;   /* memory of the copy that the driver can transfer to at once, or NULL: it is from malloc */
};

/*
 * Makes room for `words`, in memory of the kind that the probe's channel needs. The board's content is
 * undefined afterwards.
 */
int board_memory_need(struct session *session, struct board_memory *memory, size_t words, struct error *error);

/* It has no room afterwards. */
void board_memory_free(struct session *session, struct board_memory *memory);

/* Writes that many of the copy's words to the device; no kernel that uses it runs. */
int board_memory_write(struct session *session, struct board_memory *memory, size_t words, struct error *error);

/* Reads the first `words` words into the copy; while a kernel runs this needs a channel. */
int board_memory_read(struct session *session, struct board_memory *memory, size_t words, bool running,
                      struct error *error);

/* Writes one word while a kernel runs. */
int board_memory_poke(struct session *session, struct board_memory *memory, uint32_t word, uint32_t value,
                      struct error *error);

/* Makes it the kernel's first argument; returns a cl_int. */
cl_int board_memory_set_argument(const struct board_memory *memory, cl_kernel kernel, cl_uint index);

#endif
