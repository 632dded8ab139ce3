#include "wire/calls.h"

#include "core/text.h"
#include "promise/promise.h"

#include <stdio.h>
#include <string.h>

static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";

void calls_list(const struct calls *calls, char text[CALLS_TEXT])
{
    char name[CALL_NAME];

    text[0] = '\0';
    for (int i = 0; i < CALLERS; ++i) {
        if (atomic_load(&calls->callers[i].inside) != 1)
            continue;
        snprintf(name, sizeof name, "%.*s", CALL_NAME - 1, calls->callers[i].name);
        const bool leaves = strcmp(name, PROMISE_LEAVES) == 0;
        if (leaves || (strncmp(name, "cl", 2) == 0 && name[strspn(name, letters)] == '\0'))
            text_list(text, CALLS_TEXT, " and ", "%s", name);
    }
}

void calls_when(const struct calls *calls, char text[CALLS_WHEN])
{
    snprintf(text, CALLS_WHEN, "%.*s", CALLS_WHEN - 1, calls->when);
    text_make_plain(text);
}
