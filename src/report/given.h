/* What a run was given: the words of its stored command line that say how to do a trial of it again. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Texts are the words' own. */
struct given {
    char **words; /* "gridlock", "run" ...; older files have "gridlock run" as one word */
    size_t count;
    const char *scenario;      /* a scenario's file as it was named; NULL: none, so that the program carries it */
    const char *kernel_folder; /* where kernels were looked for first; NULL: none was named */
};

/*
 * Reads a run's command line; `scenario` is the name of the one whose file is wanted. To be freed with given_fini. -1 if
 * memory is short or it is no command line.
 */
int given_read(const char *command_line, const char *scenario, struct given *given);
void given_fini(struct given *given);

/* What word `index` sets the option to: it is the rest of that word, or the next one. NULL: it is another word. */
const char *given_value(const struct given *given, size_t index, const char *option);

/* Likewise, where the option may be abbreviated: a command takes only an abbreviation that stands for one option. */
const char *given_abbreviated(const struct given *given, size_t index, const char *option);

/* It says which points or promises are run: by --include, --exclude or --skips. */
bool given_chooses(const struct given *given);

/* It says --allow-empty. */
bool given_allows_empty(const struct given *given);

/* Is it the command line of "gridlock COMMAND"? */
bool given_is_command(const struct given *given, const char *command);
