#include "base/packed.h"

#include "base/alloc.h"

#include <endian.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum { COUNT_BYTES = 4, WORDS_MOST = 1 << 27 /* no board has more */, STRIDE = 32, WORD_BYTES = 4 };

/* Times its length, of any zlib stream: https://zlib.net/zlib_tech.html. */
enum { INFLATES_MOST = 1032 };

static const uint32_t by_place = UINT32_C(1) << 31; /* of the head: they are in this order */

/* In this order they take half the room that they take as they are, and at the highest level not much less. */
enum { LEVEL = 1 };

/* Copies the words' bytes into their order in the stream, or back: of each place the lowest bytes first. */
static void sort_bytes(unsigned char *bytes, uint32_t *words, size_t count, bool back)
{
    for (size_t place = 0; place < STRIDE; ++place) {
        const size_t rows = (count + STRIDE - 1 - place) / STRIDE;
        unsigned char *const a = bytes, *const b = a + rows, *const c = b + rows, *const d = c + rows;
        for (size_t row = 0; row < rows; ++row) {
            uint32_t *const word = words + row * STRIDE + place;
            if (back) {
                *word = a[row] | (uint32_t)b[row] << 8 | (uint32_t)c[row] << 16 | (uint32_t)d[row] << 24;
                continue;
            }
            a[row] = (unsigned char)*word;
            b[row] = (unsigned char)(*word >> 8);
            c[row] = (unsigned char)(*word >> 16);
            d[row] = (unsigned char)(*word >> 24);
        }
        bytes = d + rows;
    }
}

void packed_make(struct packed *packed, const uint32_t *words, size_t count)
{
    uLongf size = compressBound(count * sizeof *words);
    unsigned char *copy = xmalloc(count * WORD_BYTES);
    unsigned char *bytes = xmalloc(COUNT_BYTES + size);
    const uint32_t head = htole32((uint32_t)count | by_place);

    sort_bytes(copy, (uint32_t *)words, count, false);
    memcpy(bytes, &head, COUNT_BYTES);
    if (compress2(bytes + COUNT_BYTES, &size, copy, count * WORD_BYTES, LEVEL) != Z_OK)
        out_of_memory(0);
    *packed = (struct packed){bytes, COUNT_BYTES + size};
    free(copy);
}

void packed_fini(struct packed *packed)
{
    free(packed->bytes);
    *packed = (struct packed){.bytes = NULL};
}

/* The stream's bytes, allocated; NULL: it is none of so many. */
static unsigned char *inflate_all(const unsigned char *stream, size_t size, size_t length)
{
    uLongf got = length;
    unsigned char *bytes = xmalloc(length);

    const int code = uncompress(bytes, &got, stream, size);

    if (code == Z_MEM_ERROR)
        out_of_memory(0);
    if (code == Z_OK && got == length)
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
    if ((head & by_place) == 0 || *count == 0 || *count > WORDS_MOST || *count * WORD_BYTES / INFLATES_MOST > size)
        return NULL;
    unsigned char *copy =
        inflate_all((const unsigned char *)bytes + COUNT_BYTES, size - COUNT_BYTES, *count * WORD_BYTES);
    if (copy == NULL)
        return NULL;
    uint32_t *words = xmalloc(*count * sizeof *words);
    sort_bytes(copy, words, *count, true);
    free(copy);
    return words;
}
