#include "format/sieve.h"

#include <string.h>

static const char *escaped(char byte, bool json)
{
    switch (byte) {
    case '<':
        return json ? "\\u003c" : "&lt;";
    case '>':
        return json ? NULL : "&gt;";
    case '&':
        return json ? NULL : "&amp;";
    case '"':
        return json ? NULL : "&quot;";
    default:
        return NULL;
    }
}

static void put(struct sieve *sieve, const char *text, size_t size)
{
    sieve->bytes += size;
    if (sieve->out != NULL)
        fwrite(text, 1, size, sieve->out);
}

static ssize_t sift(void *cookie, const char *text, size_t size)
{
    struct sieve *sieve = cookie;
    size_t begin = 0;

    for (size_t i = 0; i < size; ++i) {
        const char *instead = escaped(text[i], sieve->json);
        if (instead == NULL)
            continue;
        put(sieve, text + begin, i - begin);
        put(sieve, instead, strlen(instead));
        begin = i + 1;
    }
    put(sieve, text + begin, size - begin);
    return (ssize_t)size;
}

FILE *sieve_open(struct sieve *sieve)
{
    return fopencookie(sieve, "w", (cookie_io_functions_t){.write = sift});
}
