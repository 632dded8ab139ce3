#include "report/repeat.h"

#include "core/words.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORDS_MOST = 64 };

struct command {
    char *items[WORDS_MOST];
    size_t count;
};

static void add(struct command *command, const char *word)
{
    char *copy = command->count < WORDS_MOST ? strdup(word) : NULL;
    if (copy != NULL)
        command->items[command->count++] = copy;
}

/* An extended regular expression for the trial's name without the number of its batch. */
static void add_expression(struct command *command, const char *name)
{
    char text[600] = "^";
    size_t used = 1;

    for (; *name != '\0' && *name != '#' && used + 4 < sizeof text; ++name) {
        if (strchr(".[]()*+?{}|^$\\", *name) != NULL)
            text[used++] = '\\';
        text[used++] = *name;
    }
    text[used++] = '$';
    text[used] = '\0';
    add(command, text);
}

static void add_environment(struct command *command, const char *environment)
{
    if (environment[0] != '\0')
        add(command, "env");
    for (const char *line = environment; *line != '\0';) {
        const size_t length = strcspn(line, "\n");
        char variable[512];
        if (length < sizeof variable) {
            snprintf(variable, sizeof variable, "%.*s", (int)length, line);
            add(command, variable);
        }
        line += length + (line[length] == '\n');
    }
}

/* Options of the run that say which device it was, and its scenario, if that is a file of the user's. */
static void add_given(struct command *command, const struct evidence *evidence)
{
    static const char *const options[] = {"--icd", "--kernel-dir", "--channel"};
    const char *scenario = evidence->trial.work.scenario;
    char file[80];
    char **given;
    size_t count;

    snprintf(file, sizeof file, "%s.ini", scenario);
    if (words_split(evidence->command_line, &given, &count) != 0)
        return;
    for (size_t i = 0; i < count; ++i) {
        const char *slash = strrchr(given[i], '/');
        for (size_t option = 0; option < sizeof options / sizeof *options; ++option) {
            const size_t length = strlen(options[option]);
            if (strncmp(given[i], options[option], length) != 0)
                continue;
            add(command, given[i]);
            if (given[i][length] == '\0' && i + 1 < count)
                add(command, given[i + 1]);
        }
        if (scenario[0] != '\0' && (strcmp(given[i], file) == 0 || (slash != NULL && strcmp(slash + 1, file) == 0)))
            scenario = given[i];
    }
    if (scenario[0] != '\0')
        add(command, scenario);
    free(given);
}

static void add_number(struct command *command, const char *option, uint64_t value)
{
    char text[32];
    add(command, option);
    snprintf(text, sizeof text, "%" PRIu64, value);
    add(command, text);
}

static void add_point(struct command *command, const struct evidence *evidence)
{
    const struct trial *trial = &evidence->trial;

    if (trial->work.scenario[0] != '\0') {
        add(command, "-t");
        add_expression(command, evidence->name);
        return;
    }
    add_number(command, "--local-size", trial->footprint.local_size);
    add_number(command, "--local-memory", trial->footprint.local_memory_bytes);
    add_number(command, "--private", trial->footprint.private_bytes);
    add_number(command, "--groups", trial->groups);
    add(command, "--estimator");
    add(command, estimator_name(trial->estimator));
}

char *repeat_command(const struct evidence *evidence)
{
    struct command command = {.count = 0};

    if (evidence->environment != NULL)
        add_environment(&command, evidence->environment);
    add(&command, "gridlock");
    add(&command, evidence->trial.work.scenario[0] != '\0' ? "run" : "limits");
    if (evidence->command_line != NULL)
        add_given(&command, evidence);
    add(&command, "-d");
    add(&command, evidence->device.info.name);
    add_point(&command, evidence);
    char *line = words_join(command.items, command.count);
    for (size_t i = 0; i < command.count; ++i)
        free(command.items[i]);
    return line;
}
