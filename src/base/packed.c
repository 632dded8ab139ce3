#include "base/packed.h"

#include <endian.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum { COUNT_BYTES = 4, WORDS_MOST = 1 << 27 /* no board has more */, STRIDE = 32, WORD_BYTES = 4 };

static const uint32_t by_place = UINT32_C(1) << 31; /* of the head */

/* In this order they take half the room that they take as they are, and at the highest level not much less. */
enum { LEVEL = 1 };

/* Copies the words' bytes into their order in the stream, or back. */
static void sort_bytes(unsigned char *bytes, uint32_t *words, size_t count, bool back)
{
    for (size_t place = 0; place < STRIDE; ++place)
        for (unsigned shift = 0; shift < 8 * WORD_BYTES; shift += 8)
            for (size_t i = place; i < count; i += STRIDE, ++bytes)
                if (back)
                    words[i] |= (uint32_t)*bytes << shift;
                else
                    *bytes = (unsigned char)(words[i] >> shift);
}

int packed_make(struct packed *packed, const uint32_t *words, size_t count)
{
    uLongf size = compressBound(count * sizeof *words);
    unsigned char *copy = malloc(count * WORD_BYTES);
    unsigned char *bytes = malloc(COUNT_BYTES + size);
    const uint32_t head = htole32((uint32_t)count | by_place);
    int outcome = -1;

    *packed = (struct packed){.bytes = NULL};
    if (copy == NULL || bytes == NULL)
        goto out;
    sort_bytes(copy, (uint32_t *)words, count, false);
    memcpy(bytes, &head, COUNT_BYTES);
    if (compress2(bytes + COUNT_BYTES, &size, copy, count * WORD_BYTES, LEVEL) != Z_OK)
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

/* The stream's bytes, allocated; NULL: it is none of so many, or memory is short. */
static unsigned char *inflate_all(const unsigned char *stream, size_t size, size_t length)
{
    uLongf got = length;
    unsigned char *bytes = malloc(length);

    if (bytes != NULL && uncompress(bytes, &got, stream, size) == Z_OK && got == length)
        return bytes;
    free(bytes);
    return NULL;
}

uint32_t *packed_words(const void *bytes, size_t size, size_t *count)
{
    uint32_t head;

    if (bytes == NULL || size <= COUNT_BYTES)
        return NULL;
    memcpy(&head, bytes, COUNT_BYTES);
    head = le32toh(head);
    *count = head & ~by_place;
    if (*count == 0 || *count > WORDS_MOST)
        return NULL;
    unsigned char *copy =
        inflate_all((const unsigned char *)bytes + COUNT_BYTES, size - COUNT_BYTES, *count * WORD_BYTES);
    uint32_t *words = copy != NULL ? calloc(*count, sizeof *words) : NULL;
    if (words != NULL && (head & by_place) != 0) {
        sort_bytes(copy, words, *count, true);
    } else if (words != NULL) {
        memcpy(words, copy, *count * WORD_BYTES);
        for (size_t i = 0; i < *count; ++i)
            words[i] = le32toh(words[i]);
    }
    free(copy);
    return words;
}
