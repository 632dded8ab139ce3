#include "cli/command.h"

#include "base/source.h"
#include "cli/options.h"
#include "engine/catalog.h"
#include "format/json.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KEY_FORMAT = 0x200, KEY_KERNELS, NAMES_MOST = 4096 };

struct list_options {
    char *names[NAMES_MOST];
    size_t count;
    bool kernels;
    enum format format;
};

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct list_options *options = state->input;

    switch (key) {
    case KEY_KERNELS:
        options->kernels = true;
        return 0;
    case KEY_FORMAT:
        if (strcmp(argument, "text") != 0 && strcmp(argument, "json") != 0)
            argp_error(state, "--format %.40s: text and json are allowed here", argument);
        options->format = strcmp(argument, "json") == 0 ? FORMAT_JSON : FORMAT_TEXT;
        return 0;
    case ARGP_KEY_ARG:
        if (options->count == NAMES_MOST)
            argp_error(state, "at most %d names are allowed", NAMES_MOST);
        options->names[options->count++] = argument;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* Writes `text` in lines of at most 80 columns, indented. */
static void print_wrapped(const char *text, int indent)
{
    int column = 0;

    for (const char *at = text; *at != '\0';) {
        const int length = (int)strcspn(at, " ");
        if (column > 0 && column + 1 + length > 80) {
            putchar('\n');
            column = 0;
        }
        if (column == 0)
            column = printf("%*s%.*s", indent, "", length, at);
        else
            column += printf(" %.*s", length, at);
        at += length;
        at += strspn(at, " ");
    }
    putchar('\n');
}

static json_t *scenario_object(const struct scenario *scenario)
{
    json_t *object = json_object();
    json_object_set_new(object, "name", json_text(scenario->name));
    json_object_set_new(object, "file", json_text(scenario->file));
    json_object_set_new(object, "kernel", json_text(scenario->kernel));
    json_object_set_new(object, "purpose", json_text(scenario->purpose));
    json_object_set_new(object, "teaches", json_text(scenario->teaches));
    json_object_set_new(object, "needs", json_text(scenario->entry.needs));
    json_object_set_new(object, "fails", json_text(scenario->entry.fails));
    json_object_set_new(object, "source", json_text(scenario->entry.source));
    json_object_set_new(object, "verdict", json_text(scenario->verdict));
    json_object_set_new(object, "live_only", json_boolean(scenario->live_only));
    return object;
}

static int print_scenarios(const struct list_options *options, const struct catalog *catalog, struct error *error)
{
    json_t *list = json_array();

    for (size_t i = 0; i < catalog->count; ++i) {
        const struct scenario *scenario = catalog->scenarios[i];
        if (options->format == FORMAT_JSON) {
            json_array_append_new(list, scenario_object(scenario));
            continue;
        }
        printf("%s%s\n", scenario->name, scenario->live_only ? " (only with --live)" : "");
        print_wrapped(scenario->purpose, 4);
        print_wrapped(scenario->teaches, 4);
    }
    if (options->format != FORMAT_JSON) {
        json_decref(list);
        return 0;
    }
    json_t *root = json_object();
    json_object_set_new(root, "schema_version", json_string(JSON_SCHEMA_VERSION));
    json_object_set_new(root, "scenarios", list);
    return json_write(stdout, root, error);
}

static void print_entry(const struct kernel_entry *entry)
{
    printf("%s: %s\n", entry->name, entry->purpose);
    printf("    needs   %s\n    fails   %s\n    source  %s\n", entry->needs, entry->fails, entry->source);
    for (size_t i = 0; i < entry->option_count; ++i) {
        printf("    option  %s =", entry->options[i].name);
        for (size_t j = 0; j < entry->options[i].count; ++j)
            printf("%s %s", j > 0 ? " |" : "", entry->options[i].values[j]);
        putchar('\n');
    }
    for (size_t i = 0; i < entry->parameter_count; ++i)
        printf("    param   %s = %s: %s\n", entry->parameters[i].name, entry->parameters[i].standard,
               entry->parameters[i].about);
    if (entry_has_range(entry))
        printf("    range   %s %s %s\n", entry->range[0], entry->range[1], entry->range[2]);
}

/* Kernels that serve no scenario have no data, no checks and no results. */
static int print_kernels(struct error *error)
{
    struct kernel_entry *entry = malloc(sizeof *entry);

    if (entry == NULL)
        return error_set(error, STATUS_HARNESS, "no memory for a kernel");
    for (const struct source_file *file = source_files; file->name != NULL; ++file) {
        if (strstr(file->name, ".cl") == NULL)
            continue;
        if (entry_parse(file->text, file->name, entry, error) != 0) {
            free(entry);
            return -1;
        }
        if (entry->checks[0] != '\0' || entry->result_count > 0)
            print_entry(entry);
    }
    free(entry);
    return 0;
}

static const struct argp_option table[] = {
    {"kernels", KEY_KERNELS, NULL, 0, "List kernels instead, with their options and parameters", 1},
    {"format", KEY_FORMAT, "text|json", 0, "How to print them (default: text)", 1},
    {0},
};

static const struct argp list_argp = {
    .options = table,
    .parser = parse,
    .args_doc = "[SCENARIO...]",
    .doc = "Shows the scenarios, and in one sentence each what waits for whom, and why it stalls. Needs no device.\v"
           "Exit status: 0 the scenarios were shown; 2 usage, or there is no such scenario; 3 the tool failed.",
};

int command_list(int count, char **arguments)
{
    struct list_options options = {.count = 0};
    struct catalog catalog = {0};
    struct error error;
    int outcome;

    argp_parse(&list_argp, count, arguments, 0, NULL, &options);
    if (options.kernels)
        return print_kernels(&error) == 0 ? STATUS_OK : report_error(&error);
    outcome = catalog_load(&catalog, options.names, options.count, NULL, &error);
    if (outcome == 0)
        outcome = print_scenarios(&options, &catalog, &error);
    catalog_fini(&catalog);
    return outcome == 0 ? STATUS_OK : report_error(&error);
}
