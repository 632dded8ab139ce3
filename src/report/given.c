#include "report/given.h"

#include "base/words.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static bool is_file_of(const char *word, const char *scenario)
{
    const char *slash = strrchr(word, '/');
    const char *base = slash != NULL ? slash + 1 : word;
    const size_t length = strlen(scenario);
    return length > 0 && strncmp(base, scenario, length) == 0 && strcmp(base + length, ".ini") == 0;
}

const char *given_value(const struct given *given, size_t index, const char *option)
{
    const char *word = given->words[index];
    const size_t length = strlen(option);

    if (strncmp(word, option, length) != 0)
        return NULL;
    if (word[length] == '=')
        return word + length + 1;
    return word[length] == '\0' ? given->words[index + 1] : NULL;
}

const char *given_abbreviated(const struct given *given, size_t index, const char *option)
{
    const char *word = given->words[index];
    const size_t length = strcspn(word, "=");

    if (length <= strlen("--") || strncmp(word, option, length) != 0)
        return NULL;
    return word[length] == '=' ? word + length + 1 : given->words[index + 1];
}

bool given_chooses(const struct given *given)
{
    static const char *const options[] = {"--include", "--exclude", "--skips"};
    bool chooses = false;

    for (size_t i = 0; i < given->count && given->words[i] != NULL; ++i) {
        const char *word = given->words[i];
        chooses = chooses || (word[0] == '-' && (word[1] == 't' || word[1] == 'x'));
        for (size_t j = 0; j < sizeof options / sizeof *options; ++j)
            chooses = chooses || given_abbreviated(given, i, options[j]) != NULL;
    }
    return chooses;
}

bool given_allows_empty(const struct given *given)
{
    for (size_t i = 0; i < given->count; ++i) {
        const size_t length = strlen(given->words[i]);
        if (length > strlen("--a") && strncmp(given->words[i], "--allow-empty", length) == 0)
            return true;
    }
    return false;
}

bool given_is_command(const struct given *given, const char *command)
{
    static const char program[] = "gridlock ";

    if (given->count == 0)
        return false;
    if (strncmp(given->words[0], program, strlen(program)) == 0)
        return strcmp(given->words[0] + strlen(program), command) == 0;
    return given->count > 1 && strcmp(given->words[1], command) == 0;
}

int given_read(const char *command_line, const char *scenario, struct given *given)
{
    *given = (struct given){.words = NULL};
    if (words_split(command_line, &given->words, &given->count) != 0)
        return -1;
    for (size_t i = 0; i < given->count && given->words[i] != NULL; ++i) {
        const char *folder = given_value(given, i, "--kernel-dir");
        if (folder != NULL)
            given->kernel_folder = folder;
        if (is_file_of(given->words[i], scenario))
            given->scenario = given->words[i];
    }
    return 0;
}

void given_fini(struct given *given)
{
    free(given->words);
    *given = (struct given){.words = NULL};
}
