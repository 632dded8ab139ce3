#include "core/asks_group.h"

#include "core/tokens.h"

#include <string.h>

static bool is_such(const char *name, size_t length)
{
    static const char *const names[] = {"barrier",        "get_local_id",           "get_local_linear_id",
                                        "get_local_size", "get_max_sub_group_size", "wait_group_events"};
    static const char *const beginnings[] = {"work_group_", "sub_group_", "async_work_group_", "get_sub_group_"};

    for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
        if (length == strlen(names[i]) && memcmp(name, names[i], length) == 0)
            return true;
    for (size_t i = 0; i < sizeof beginnings / sizeof *beginnings; ++i)
        if (length > strlen(beginnings[i]) && memcmp(name, beginnings[i], strlen(beginnings[i])) == 0)
            return true;
    return false;
}

bool asks_group(const char *text)
{
    for (const char *at = text; *at != '\0';) {
        const char *behind = token_skip_gap(at);
        const size_t length = token_name(at);
        if (behind != at)
            at = behind;
        else if (length == 0)
            ++at;
        else {
            if (is_such(at, length) && at[length + strspn(at + length, " \t")] == '(')
                return true;
            at += length;
        }
    }
    return false;
}
