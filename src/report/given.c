#include "report/given.h"

#include <string.h>

const char *given_value(const struct store_run *run, const char *option)
{
    const char *value = NULL;

    for (size_t i = 0; i < run->asked_count; ++i)
        if (strcmp(run->asked[i].option, option) == 0)
            value = run->asked[i].value;
    return value;
}

static bool is_file_of(const char *word, const char *scenario)
{
    const char *slash = strrchr(word, '/');
    const char *base = slash != NULL ? slash + 1 : word;
    const size_t length = strlen(scenario);
    return length > 0 && strncmp(base, scenario, length) == 0 && strcmp(base + length, ".ini") == 0;
}

const char *given_scenario(const struct store_run *run, const char *scenario)
{
    const char *file = NULL;

    for (size_t i = 0; i < run->asked_count; ++i)
        if (run->asked[i].option[0] == '\0' && is_file_of(run->asked[i].value, scenario))
            file = run->asked[i].value;
    return file;
}

bool given_chooses(const struct store_run *run)
{
    return given_value(run, "include") != NULL || given_value(run, "exclude") != NULL ||
           given_value(run, "skips") != NULL;
}
