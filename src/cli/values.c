/* What options take: numbers, lists of them, and names. */
#include "cli/options.h"
#include "core/text.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

int parse_number(const char *option, const char *text, uint64_t least, uint64_t most, uint64_t *value,
                 struct error *error)
{
    char *end = NULL;

    errno = 0;
    unsigned long long number = strtoull(text, &end, 10);
    if (text[0] < '0' || text[0] > '9' || *end != '\0' || errno != 0 || number < least || number > most)
        return error_set(error, STATUS_USAGE, "%s %.40s: expected a whole number from %" PRIu64 " to %" PRIu64, option,
                         text[0] != '\0' ? text : "\"\"", least, most);
    *value = number;
    return 0;
}

static bool contains(const struct axis *axis, uint64_t value)
{
    for (uint32_t i = 0; i < axis->count; ++i)
        if (axis->values[i] == value)
            return true;
    return false;
}

int parse_list(const char *option, const char *text, uint64_t least, uint64_t most, struct axis *axis,
               struct error *error)
{
    char item[48];
    uint64_t value = 0;

    while (text != NULL) {
        const char *at = text;
        if (text_item(&text, item, sizeof item) >= sizeof item)
            return error_set(error, STATUS_USAGE, "%s %.40s...: the number is too long", option, at);
        if (parse_number(option, item, least, most, &value, error) != 0)
            return -1;
        if (contains(axis, value))
            continue;
        if (axis->count == FOOTPRINTS_LIST)
            return error_set(error, STATUS_USAGE, "%s: at most %d values are allowed", option, FOOTPRINTS_LIST);
        axis->values[axis->count++] = value;
    }
    return 0;
}

int parse_name(const char *option, const struct naming *naming, const char *text, struct error *error)
{
    const int value = naming_find(naming, text);
    char names[120];

    if (value >= 0)
        return value;
    naming_print(naming, names, sizeof names);
    return error_set(error, STATUS_USAGE, "%s %.40s: expected %s", option, text[0] != '\0' ? text : "\"\"", names);
}

int take_number(struct parsing *parsing, void *member, char *argument)
{
    const struct command_option *option = parsing->option;
    return parse_number(parsing->name, argument, option->least, option->most, member, &parsing->error);
}

int take_count(struct parsing *parsing, void *member, char *argument)
{
    uint64_t number = 0;
    const int outcome = take_number(parsing, &number, argument);

    *(uint32_t *)member = (uint32_t)number;
    return outcome;
}

int take_axis(struct parsing *parsing, void *member, char *argument)
{
    const struct command_option *option = parsing->option;
    return parse_list(parsing->name, argument, option->least, option->most, member, &parsing->error);
}

int take_run_file(struct parsing *parsing, void *member, char *argument)
{
    if (strcmp(argument, "-") == 0)
        return error_set(
            &parsing->error, STATUS_USAGE,
            "-o -: a run file cannot be written to standard output; name a file (./- for one of that name)");
    *(const char **)member = argument;
    return 0;
}

int take_names(struct parsing *parsing, void *member, char *argument)
{
    const char *rest = argument;
    bool *marks = member;
    char name[48];

    while (rest != NULL) {
        text_item(&rest, name, sizeof name);
        const int value = parse_name(parsing->name, parsing->option->names, name, &parsing->error);
        if (value < 0)
            return -1;
        marks[value] = true;
    }
    return 0;
}
