/* Words of a board, compressed as a run file has them: how many they are, 4 bytes, and a zlib stream; little endian. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* Zeroed: nothing is packed. */
struct packed {
    unsigned char *bytes; /* owned; free with packed_fini */
    size_t size;
};

/* Packs `count` words, of which there is one at least. -1, and nothing is packed, if memory is short. */
int packed_make(struct packed *packed, const uint32_t *words, size_t count);
void packed_fini(struct packed *packed);

/* The words, allocated, and *count. NULL if these bytes are none that packed_make makes, or if memory is short. */
uint32_t *packed_words(const void *bytes, size_t size, size_t *count);
