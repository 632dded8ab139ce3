/* The memory of a board, and the channel through which the host reaches it while a kernel runs. */
#pragma once

#include "base/error.h"
#include "device/memory.h"

#include <CL/cl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct session;

/* A zeroed one has no room. */
struct board_memory {
    size_t room; /* words */
    enum shared_memory kind;
    struct memory memory;  /* the kernel's argument, shared for CHANNEL_SHARED */
    uint32_t *copy;        /* the host's copy, as large */
    struct memory staging; /* of the copy, so that the driver can transfer to it at once; or none: it is from malloc */
};

/*
 * Makes room for `words`, in memory of the kind that the probe's channel needs. The board's content is
 * undefined afterwards.
 */
int board_memory_need(struct session *session, struct board_memory *board, size_t words, struct error *error);

/* It has no room afterwards. */
void board_memory_free(struct session *session, struct board_memory *board);

/* Writes that many of the copy's words to the device; no kernel that uses it runs. */
int board_memory_write(struct session *session, struct board_memory *board, size_t words, struct error *error);

/* Reads the first `words` words into the copy; while a kernel runs this needs a channel. */
int board_memory_read(struct session *session, struct board_memory *board, size_t words, bool running,
                      struct error *error);

/* Writes one word while a kernel runs. */
int board_memory_poke(struct session *session, struct board_memory *board, uint32_t word, uint32_t value,
                      struct error *error);
