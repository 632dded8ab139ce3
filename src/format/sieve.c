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

static ssize_t sift(void *cookie, const char *text, size_t size)
{
    struct sieve *sieve = cookie;

    for (size_t i = 0; i < size; ++i) {
        const char *instead = escaped(text[i], sieve->json);
        sieve->bytes += instead != NULL ? strlen(instead) : 1;
        if (sieve->out != NULL && instead != NULL)
            fputs(instead, sieve->out);
        else if (sieve->out != NULL)
            fputc(text[i], sieve->out);
    }
    return (ssize_t)size;
}

FILE *sieve_open(struct sieve *sieve)
{
    return fopencookie(sieve, "w", (cookie_io_functions_t){.write = sift});
}
