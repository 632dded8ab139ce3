#include "cli/elsewhere.h"

#include "cli/command.h"
#include "core/text.h"

#include <stdio.h>
#include <string.h>

static const struct command *known;

void elsewhere_know(const struct command *commands)
{
    known = commands;
}

static bool has(const struct command_line *line, const char *name)
{
    struct command_entry entries[ENTRIES_MOST];
    const size_t count = command_entries(line, entries);

    for (size_t i = 0; i < count; ++i)
        if (strcmp(entries[i].option->name, name) == 0)
            return true;
    return false;
}

bool elsewhere_has(const struct parsing *parsing, const char *word)
{
    char name[64], commands[256] = "";
    const char *last = NULL;

    if (strncmp(word, "--", 2) != 0)
        return false;
    snprintf(name, sizeof name, "%.*s", (int)strcspn(word + 2, "="), word + 2);
    if (has(parsing->whole, name)) /* something else is wrong with it */
        return false;
    for (const struct command *command = known; command != NULL && command->name != NULL; ++command) {
        if (command->line == NULL || command->purpose == NULL || !has(command->line, name))
            continue;
        if (last != NULL)
            text_list(commands, sizeof commands, ", ", "%s", last);
        last = command->name;
    }
    if (last == NULL)
        return false;
    fprintf(stderr, "%s: --%s is an option of gridlock %s%s%s\n", parsing->command, name, commands,
            commands[0] != '\0' ? " and " : "", last);
    return true;
}
