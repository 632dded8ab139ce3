#include "cli/describe.h"

#include "base/error.h"
#include "cli/completion.h"
#include "cli/description.h"
#include "cli/manual.h"
#include "cli/options.h"
#include "report/json.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KEY_DATE = 0x200 };

struct describe_options {
    const char *what, *command, *date;
};

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct describe_options *options = state->input;

    switch (key) {
    case KEY_DATE:
        options->date = argument;
        return 0;
    case ARGP_KEY_ARG:
        if (state->arg_num > 1)
            argp_error(state, "unexpected argument: %s", argument);
        *(state->arg_num == 0 ? &options->what : &options->command) = argument;
        return 0;
    case ARGP_KEY_END:
        if (options->what == NULL)
            argp_error(state, "json, names, man, bash, zsh or fish is needed");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_option options_table[] = {
    {"date", KEY_DATE, "DATE", 0, "Of manual pages, as year-month-day", 1},
    {0},
};

static const struct argp describe_argp = {
    .options = options_table,
    .parser = parse,
    .args_doc = "json|names|man|bash|zsh|fish [COMMAND]",
    .doc = "Prints all commands and their options as JSON, the names of those that are not hidden, the manual page "
           "of gridlock or of a COMMAND, or a completion script. The build uses it.",
};

/* --- JSON --- */

static json_t *text_of(const char *text, size_t length)
{
    return length > 0 ? json_stringn(text, length) : json_null();
}

static json_t *option_object(const struct option_description *option)
{
    json_t *object = json_object();
    json_t *values = json_array();
    const char letter[] = {option->letter, '\0'};

    json_object_set_new(object, "name", json_text(option->name));
    json_object_set_new(object, "letter", json_text(letter));
    json_object_set_new(object, "argument", json_text(option->argument));
    json_object_set_new(object, "argument_optional", json_boolean(option->optional));
    for (size_t i = 0; i < option->value_count; ++i)
        json_array_append_new(values, json_text(option->values[i]));
    json_object_set_new(object, "values", values);
    json_object_set_new(object, "doc", json_text(option->doc));
    return object;
}

static json_t *command_object(const struct description *description)
{
    json_t *object = json_object();
    json_t *options = json_array();

    json_object_set_new(object, "name", json_text(description->name));
    json_object_set_new(object, "purpose", json_text(description->purpose));
    json_object_set_new(object, "arguments", json_text(description->arguments));
    json_object_set_new(object, "about", text_of(description->about, description->about_length));
    json_object_set_new(object, "notes", text_of(description->notes, description->notes_length));
    json_object_set_new(object, "exit_status", json_text(description->exit_status));
    for (size_t i = 0; i < description->count; ++i)
        json_array_append_new(options, option_object(&description->options[i]));
    json_object_set_new(object, "options", options);
    return object;
}

static int print_json(const struct command *commands, size_t count, struct error *error)
{
    json_t *root = json_object();
    json_t *list = json_array();
    struct description description;

    for (size_t i = 0; i < count; ++i) {
        if (commands[i].purpose == NULL)
            continue;
        describe_command(&commands[i], &description);
        json_array_append_new(list, command_object(&description));
    }
    json_object_set_new(root, "schema_version", json_string(JSON_SCHEMA_VERSION));
    json_object_set_new(root, "version", json_string(GRIDLOCK_VERSION));
    json_object_set_new(root, "commands", list);
    return json_write(stdout, root, error);
}

/* --- the rest --- */

static void print_names(const struct command *commands, size_t count)
{
    for (size_t i = 0; i < count; ++i)
        if (commands[i].purpose != NULL)
            puts(commands[i].name);
}

static int print_manual(const struct describe_options *options, const struct command *commands, size_t count,
                        struct error *error)
{
    const char *date = options->date != NULL ? options->date : "";

    if (options->command == NULL) {
        manual_overview(stdout, commands, count, date);
        return 0;
    }
    for (size_t i = 0; i < count; ++i) {
        if (commands[i].purpose == NULL || strcmp(commands[i].name, options->command) != 0)
            continue;
        manual_command(stdout, &commands[i], commands, count, date);
        return 0;
    }
    return error_set(error, STATUS_USAGE, "there is no command \"%.60s\" to describe", options->command);
}

int describe_main(const struct command *commands, size_t command_count, int count, char **arguments)
{
    static const struct {
        const char *name;
        void (*print)(FILE *out, const struct command *commands, size_t count);
    } shells[] = {{"bash", completion_bash}, {"zsh", completion_zsh}, {"fish", completion_fish}};
    struct describe_options options = {0};
    struct error error;
    int outcome = 0;

    argp_parse(&describe_argp, count, arguments, 0, NULL, &options);
    for (size_t i = 0; i < sizeof shells / sizeof *shells; ++i) {
        if (strcmp(options.what, shells[i].name) != 0)
            continue;
        shells[i].print(stdout, commands, command_count);
        return STATUS_OK;
    }
    if (strcmp(options.what, "json") == 0)
        outcome = print_json(commands, command_count, &error);
    else if (strcmp(options.what, "man") == 0)
        outcome = print_manual(&options, commands, command_count, &error);
    else if (strcmp(options.what, "names") == 0)
        print_names(commands, command_count);
    else
        outcome = error_set(&error, STATUS_USAGE, "describe %.40s: json, names, man, bash, zsh and fish are allowed",
                            options.what);
    return outcome == 0 ? STATUS_OK : report_error(&error);
}
