#include "cli/command.h"

#include "base/source.h"
#include "cli/options.h"
#include "core/text.h"
#include "engine/catalog.h"
#include "format/json_writer.h"

#include <stdio.h>
#include <string.h>

struct list_options {
    enum format format;
    bool kernels;
    struct operands names;
};

static void write_scenario(struct json_writer *json, const struct scenario *scenario)
{
    json_writer_open(json, NULL, '{');
    json_writer_text(json, "name", scenario->name);
    json_writer_text(json, "file", scenario->file);
    json_writer_text(json, "kernel", scenario->kernel);
    json_writer_text(json, "purpose", scenario->purpose);
    json_writer_text(json, "teaches", scenario->teaches);
    json_writer_text(json, "needs", scenario->entry.needs);
    json_writer_text(json, "fails", scenario->entry.fails);
    json_writer_text(json, "source", scenario->entry.source);
    json_writer_text(json, "verdict", scenario->verdict);
    json_writer_bool(json, "live_only", scenario->live_only);
    json_writer_close(json, '}');
}

static void write_scenarios(const struct catalog *catalog)
{
    struct json_writer json = json_writer_begin(stdout);

    json_writer_open(&json, "scenarios", '[');
    for (size_t i = 0; i < catalog->count; ++i)
        write_scenario(&json, catalog->scenarios[i]);
    json_writer_close(&json, ']');
    json_writer_end(&json);
}

static void print_wrapped(const char *first, const char *text, const char *margin)
{
    text_wrap(&(struct text_page){.out = stdout, .first = first, .margin = margin, .columns = 80}, text);
}

static void print_scenarios(const struct catalog *catalog)
{
    for (size_t i = 0; i < catalog->count; ++i) {
        const struct scenario *scenario = catalog->scenarios[i];
        printf("%s%s\n", scenario->name, scenario->live_only ? " (only with --live)" : "");
        print_wrapped("    ", scenario->purpose, "    ");
        print_wrapped("    ", scenario->teaches, "    ");
    }
}

static const char values_margin[] = "            ";

static void print_option(const struct entry_option *option)
{
    char first[200], values[1000] = "";

    snprintf(first, sizeof first, "    option  %s = ", option->name);
    for (size_t i = 0; i < option->count; ++i)
        text_list(values, sizeof values, " | ", "%s", option->values[i]);
    print_wrapped(first, values, values_margin);
}

static void print_entry(const struct kernel_entry *entry)
{
    char first[200];

    snprintf(first, sizeof first, "%s: ", entry->name);
    print_wrapped(first, entry->purpose, "    ");
    print_wrapped("    needs   ", entry->needs, values_margin);
    print_wrapped("    fails   ", entry->fails, values_margin);
    print_wrapped("    source  ", entry->source, values_margin);
    for (size_t i = 0; i < entry->option_count; ++i)
        print_option(&entry->options[i]);
    for (size_t i = 0; i < entry->parameter_count; ++i) {
        const struct entry_parameter *parameter = &entry->parameters[i];
        snprintf(first, sizeof first, "    param   %s = %s: ", parameter->name, parameter->standard);
        print_wrapped(first, parameter->about, values_margin);
    }
    if (entry_has_range(entry))
        printf("    range   %s %s %s\n", entry->range[0], entry->range[1], entry->range[2]);
}

/* Kernels that serve no scenario have no data, no checks and no results. */
static int print_kernels(struct error *error)
{
    static struct kernel_entry entry;

    for (const struct source_file *file = source_files; file->name != NULL; ++file) {
        if (strstr(file->name, ".cl") == NULL)
            continue;
        if (entry_parse(file->text, file->name, &entry, error) != 0)
            return -1;
        if (entry.checks[0] != '\0' || entry.result_count > 0)
            print_entry(&entry);
    }
    return 0;
}

#define AT(member) offsetof(struct list_options, member)

static const struct command_option table[] = {
    {"kernels", 0, 1, NULL, "List the kernels instead, with their options and parameters", .at = AT(kernels)},
    {"format", 0, 1, NULL, "How to print them (default: text)", .at = AT(format), .names = &text_formats},
    {0},
};

const struct command_line list_line = {
    .options = table,
    .operands = AT(names),
    .named = "[SCENARIO...]",
    .doc = "Lists the scenarios with a sentence each: what waits for what, and why it stalls. Needs no device.",
    .statuses = "0 the scenarios were listed; 2 usage error, or an unknown scenario; 3 the tool failed",
};

static int list_scenarios(struct list_options *options, struct error *error)
{
    struct catalog catalog = {0};
    const int outcome = catalog_load(&catalog, options->names.words, options->names.count, NULL, error);

    if (outcome == 0)
        (options->format == FORMAT_JSON ? write_scenarios : print_scenarios)(&catalog);
    catalog_fini(&catalog);
    return outcome;
}

int command_list(int count, char **arguments)
{
    struct list_options options = {.format = FORMAT_TEXT};
    struct error error;
    int outcome;

    parse_arguments(&list_line, count, arguments, &options);
    if (options.kernels && options.names.count != 0)
        outcome = error_set(&error, STATUS_USAGE, "--kernels lists all kernels; it takes no names");
    else if (options.kernels)
        outcome = refuse_format("--kernels", options.format, &error) == 0 ? print_kernels(&error) : -1;
    else
        outcome = list_scenarios(&options, &error);
    return outcome == 0 ? STATUS_OK : report_error(&error);
}
