/* Kernels' text: what is put in stands between what was there, and a kernel that was found has all of it. */
#include "core/instrument.h"
#include "fuzz.h"

#include <stdbool.h>

/* Each begins with a byte that the text does not have. */
#define PARAMETER "\1P"
#define ARGUMENT "\1A"
#define STATEMENT "\1S"
#define CALLED "\1C"

/* What is put in at `at`: none of it begins as the old text continues there. */
static size_t put_in(const char *at)
{
    static const char *const items[] = {", " PARAMETER, PARAMETER, ", " ARGUMENT, ARGUMENT,
                                        STATEMENT,      CALLED,    "/*",          "*/"};

    for (size_t i = 0; i < sizeof items / sizeof *items; ++i)
        if (strncmp(at, items[i], strlen(items[i])) == 0)
            return strlen(items[i]);
    return 0;
}

static void check_same(const char *text, const char *copy)
{
    while (*copy != '\0') {
        const size_t length = *copy == *text ? 0 : put_in(copy);
        CLAIM(length > 0 || *copy == *text);
        text += length == 0;
        copy += length > 0 ? length : 1;
    }
    CLAIM(*text == '\0');
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const kernels[] = {"f", "g", "foo"};
    static const struct instrument with = {PARAMETER, ARGUMENT, STATEMENT, CALLED};
    bool found[3];
    char *text = fuzz_text(data, size);

    for (char *at = text; (at = strchr(at, '\1')) != NULL;)
        *at = ' ';
    char *copy = instrument_kernels(text, kernels, 3, &with, found);
    CLAIM(copy != NULL);
    check_same(text, copy);
    const bool any = found[0] || found[1] || found[2];
    CLAIM(any == (strstr(copy, STATEMENT) != NULL || strstr(copy, CALLED) != NULL));
    CLAIM(any == (strstr(copy, PARAMETER) != NULL));
    CLAIM(any == (strcmp(copy, text) != 0));
    free(copy);
    free(text);
    return 0;
}
