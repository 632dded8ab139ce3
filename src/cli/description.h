/* What a subcommand's argp table says, laid out for manual pages, completions and JSON. */
#ifndef GRIDLOCK_CLI_DESCRIPTION_H
#define GRIDLOCK_CLI_DESCRIPTION_H

#include "cli/command.h"

#include <stdbool.h>
#include <stddef.h>

enum { DESCRIPTION_OPTIONS = 64, DESCRIPTION_VALUES = 16 };

/* What can be put in an argument's place. */
enum argument_kind {
    ARGUMENT_NONE,
    ARGUMENT_TEXT, /* something that cannot be completed */
    ARGUMENT_VALUES,
    ARGUMENT_FILE,
    ARGUMENT_FOLDER,
    ARGUMENT_RUN,      /* run files */
    ARGUMENT_SCENARIO, /* names of scenarios, and their files */
};

struct option_description {
    const char *name;     /* without "--" */
    char letter;          /* 0: none */
    const char *argument; /* as help shows it, or NULL */
    bool optional;        /* the argument */
    const char *doc;
    int group;
    enum argument_kind kind;
    char values[DESCRIPTION_VALUES][32]; /* that the doc text lists */
    size_t value_count;
};

struct description {
    const char *name, *purpose;
    const char *arguments;              /* as help shows them, or "" */
    struct option_description operands; /* what completes them: only its kind and its values are set */
    const char *about;                  /* what it does ... */
    size_t about_length;                /* ... in so many bytes */
    const char *notes;                  /* what help says below the options, without the exit status */
    size_t notes_length;                /* likewise */
    const char *exit_status;            /* "0 ...; 1 ...; ..." or "" */
    struct option_description options[DESCRIPTION_OPTIONS];
    size_t count;
};

/* Describes a command that is for people. */
void describe_command(const struct command *command, struct description *description);

/* Whether it has an option of that name. */
bool description_has(const struct description *description, const char *name);

#endif
