/*
 * Words of a board, compressed as a run file has them: a head of 4 bytes, and a zlib stream; little endian. The head is
 * how many words there are, and its highest bit. What is compressed are, of the words 0, 32, 64 ..., which mean the
 * same of one group after another, all lowest bytes, then all second ones, and so on; then those of the words 1, 33,
 * 65 ..., up to the words 31, 63 ...
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* Zeroed: nothing is packed. */
struct packed {
    unsigned char *bytes; /* owned; free with packed_fini */
    size_t size;
};

/* Packs `count` words, of which there is one at least. */
void packed_make(struct packed *packed, const uint32_t *words, size_t count);
void packed_fini(struct packed *packed);

/* The words, allocated, and *count. NULL if these bytes are none that packed_make makes. */
uint32_t *packed_words(const void *bytes, size_t size, size_t *count);
