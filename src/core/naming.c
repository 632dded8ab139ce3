#include "core/naming.h"

#include "core/text.h"

#include <stdio.h>
#include <string.h>

int naming_find(const struct naming *naming, const char *name)
{
    for (int i = 0; i < naming->count; ++i)
        if (strcmp(naming->names[i], name) == 0)
            return i;
    return -1;
}

void naming_print_set(const struct naming *naming, uint32_t set, const char *between, char *text, size_t size)
{
    text[0] = '\0';
    for (int i = 0; i < naming->count; ++i)
        if ((set >> i & 1) != 0)
            text_list(text, size, between, "%s", naming->names[i]);
}

void naming_print(const struct naming *naming, char *text, size_t size)
{
    const int last = naming->count - 1;

    naming_print_set(naming, (UINT32_C(1) << last) - 1, ", ", text, size);
    text_append(text, size, " or %s", naming->names[last]);
}

int naming_parse_set(const struct naming *naming, const char *text, uint32_t *set, struct error *error)
{
    static const char between[] = " or ";
    char name[32];

    *set = 0;
    for (;;) {
        const char *end = strstr(text, between);
        const size_t length = end != NULL ? (size_t)(end - text) : strlen(text);
        snprintf(name, sizeof name, "%.*s", (int)length, text);
        const int found = naming_find(naming, name);
        if (found < 0)
            return error_set(error, STATUS_USAGE, "unknown %s '%s' (expected %s, ...)", naming->kind, name,
                             naming->some);
        *set |= (uint32_t)1 << found;
        if (end == NULL)
            return 0;
        text = end + strlen(between);
    }
}
