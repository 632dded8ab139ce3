/*
 * Memory of a device, and if the host shares it, the host's pointer to it. That of a board has the channel through
 * which the host reaches it while a kernel runs.
 */
#pragma once

#include "base/error.h"
#include "core/device_info.h"
#include "device/calls.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct session;

/* Exactly one of buffer and svm is a kernel's argument. In a zeroed struct neither is. */
struct memory {
    cl_mem buffer;
    void *svm;
    void *shared; /* host pointer, or NULL: the driver copies */
};

/* On failure nothing is left of it. */
int memory_make(struct session *session, struct memory *memory, enum shared_memory kind, size_t bytes,
                struct error *error);
void memory_free(struct session *session, struct memory *memory);

/* Whole words, from the beginning. Reading sees what a running kernel wrote if the memory is shared, or by `queue`. */
int memory_write(cl_command_queue queue, struct memory *memory, const void *from, size_t bytes, struct error *error);
int memory_read(cl_command_queue queue, const struct memory *memory, void *to, size_t bytes, struct error *error);

/* Makes it an argument of the kernel; returns a cl_int. */
cl_int memory_set_argument(const struct memory *memory, cl_kernel kernel, cl_uint index);

/* A zeroed one has no room. */
struct board_memory {
    size_t room; /* words */
    enum shared_memory kind;
    struct memory memory;  /* the kernel's argument, shared for CHANNEL_SHARED and CHANNEL_PROOF */
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

/* Zeros so many words on the device, not in the copy; no kernel that uses the board runs. */
int board_memory_clear(struct session *session, struct board_memory *board, size_t words, struct error *error);

/* Several pages of `page_words` in a board, one behind the other, of each of which the first `words` are meant. */
struct board_pages {
    size_t count;
    size_t page_words;
    size_t words;
};

/* Writes those words of the copy to the device; no kernel that uses the board runs. */
int board_memory_write_pages(struct session *session, struct board_memory *board, const struct board_pages *pages,
                             struct error *error);

/* Reads those words into the copy; no kernel that uses the board runs. */
int board_memory_read_pages(struct session *session, struct board_memory *board, const struct board_pages *pages,
                            struct error *error);

/* Reads the first `words` words into the copy; while a kernel runs this needs a channel. */
int board_memory_read(struct session *session, struct board_memory *board, size_t words, bool running,
                      struct error *error);

/* Writes one word while a kernel runs. */
int board_memory_poke(struct session *session, struct board_memory *board, uint32_t word, uint32_t value,
                      struct error *error);
