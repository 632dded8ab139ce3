#include "base/packed.h"

#include <endian.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum { COUNT_BYTES = 4, WORDS_MOST = 1 << 27 /* no board has more */ };

/* Most words of a board are 0: at the lowest level, too, they take a tenth of the room. */
enum { LEVEL = 1 };

static void to_little_endian(uint32_t *to, const uint32_t *words, size_t count)
{
    for (size_t i = 0; i < count; ++i)
        to[i] = htole32(words[i]);
}

int packed_make(struct packed *packed, const uint32_t *words, size_t count)
{
    uLongf size = compressBound(count * sizeof *words);
    uint32_t *copy = malloc(count * sizeof *copy);
    unsigned char *bytes = malloc(COUNT_BYTES + size);
    const uint32_t head = htole32((uint32_t)count);
    int outcome = -1;

    *packed = (struct packed){.bytes = NULL};
    if (copy == NULL || bytes == NULL)
        goto out;
    to_little_endian(copy, words, count);
    memcpy(bytes, &head, COUNT_BYTES);
    if (compress2(bytes + COUNT_BYTES, &size, (const unsigned char *)copy, count * sizeof *copy, LEVEL) != Z_OK)
        goto out;
    *packed = (struct packed){bytes, COUNT_BYTES + size};
    bytes = NULL;
    outcome = 0;
out:
    free(bytes);
    free(copy);
    return outcome;
}

void packed_fini(struct packed *packed)
{
    free(packed->bytes);
    *packed = (struct packed){.bytes = NULL};
}

uint32_t *packed_words(const void *bytes, size_t size, size_t *count)
{
    uint32_t head;

    if (bytes == NULL || size <= COUNT_BYTES)
        return NULL;
    memcpy(&head, bytes, COUNT_BYTES);
    *count = le32toh(head);
    if (*count == 0 || *count > WORDS_MOST)
        return NULL;
    uLongf length = (uLongf)*count * sizeof(uint32_t);
    uint32_t *words = malloc(length);
    if (words == NULL)
        return NULL;
    if (uncompress((unsigned char *)words, &length, (const unsigned char *)bytes + COUNT_BYTES, size - COUNT_BYTES) !=
            Z_OK ||
        length != (uLongf)*count * sizeof *words) {
        free(words);
        return NULL;
    }
    for (size_t i = 0; i < *count; ++i)
        words[i] = le32toh(words[i]);
    return words;
}
