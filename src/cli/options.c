#include "cli/options.h"

#include "base/alloc.h"
#include "base/icd_folder.h"
#include "base/nearest.h"
#include "base/words.h"
#include "cli/elsewhere.h"
#include "cli/help.h"
#include "core/text.h"
#include "engine/run_file.h"
#include "format/escape.h"

#include <assert.h>
#include <errno.h>
#include <getopt.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int report_error(const struct error *error)
{
    escape_each(escape_text, stderr, "gridlock: ", error->text, "\n", NULL);
    return (int)error->status;
}

static _Noreturn void usage_error(const struct error *error)
{
    report_error(error);
    exit(STATUS_USAGE);
}

static void point_to_help(const struct parsing *parsing)
{
    fprintf(stderr, "Try `%s --help' or `%s --usage' for more information.\n", parsing->command, parsing->command);
}

void refuse_usage(const struct parsing *parsing, const char *format, ...)
{
    struct error refused;
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(refused.text, sizeof refused.text, format, arguments);
    va_end(arguments);
    escape_each(escape_text, stderr, "", parsing->command, ": ", refused.text, "\n", NULL);
    point_to_help(parsing);
    exit(STATUS_USAGE);
}

static int first_failure;

/* stdout is a pipe or a socket that nobody reads any more. */
static bool is_reader_gone(void)
{
    struct pollfd poll_stdout = {.fd = STDOUT_FILENO, .events = POLLOUT};
    return poll(&poll_stdout, 1, 0) == 1 && (poll_stdout.revents & POLLERR) != 0;
}

void output_flush(void)
{
    errno = 0;
    if (fflush(stdout) != 0 && first_failure == 0)
        first_failure = errno;
}

int output_failure(void)
{
    output_flush();
    if (first_failure == 0 && ferror(stdout))
        first_failure = is_reader_gone() ? EPIPE : EIO; /* what it was has not been kept */
    return first_failure;
}

int refuse_format(const char *option, enum format format, struct error *error)
{
    if (format == FORMAT_TEXT)
        return 0;
    return error_set(error, STATUS_USAGE, "%s prints text: --format is not possible with it", option);
}

/* What an option takes that says nothing else. */
static int take_plainly(struct parsing *parsing, void *member, char *argument)
{
    const struct command_option *option = parsing->option;

    if (option->names != NULL) {
        const int value = parse_name(parsing->name, option->names, argument, &parsing->error);
        *(unsigned *)member = (unsigned)value; /* an enumeration */
        return value < 0 ? -1 : 0;
    }
    if (option->argument != NULL)
        *(const char **)member = argument;
    else
        *(bool *)member = true;
    return 0;
}

/* --- command lines --- */

enum { KEYS = 0x100 /* of entries */ };

/* A command line while it is parsed. */
struct table {
    struct parsing parsing;
    void *options;
    size_t count;
    struct command_entry entries[ENTRIES_MOST];
};

static int print_help(struct parsing *parsing, void *options, char *none)
{
    (void)options;
    (void)none;
    if (parsing->option->letter == '?')
        help_print(parsing->whole, parsing->command);
    else
        help_print_usage(parsing->whole, parsing->command);
    const int failure = output_failure();
    if (failure == 0 || failure == EPIPE)
        exit(STATUS_OK);
    fprintf(stderr, "gridlock: cannot write the results to stdout: %s\n", strerror(failure));
    exit(STATUS_HARNESS);
}

static const struct command_option help_options[] = {
    {"help", '?', 99, NULL, "Give this help list", .take = print_help},
    {"usage", 0, 99, NULL, "Give a short usage message", .take = print_help},
    {0},
};

static const struct command_line help_line = {.options = help_options};

bool command_option_takes(const struct command_option *option)
{
    return option->argument != NULL || option->names != NULL;
}

static size_t collect(const struct command_line *line, size_t at, struct command_entry entries[ENTRIES_MOST],
                      size_t count)
{
    for (const struct command_option *option = line->options; option != NULL && option->name != NULL; ++option) {
        assert(count < ENTRIES_MOST);
        entries[count++] = (struct command_entry){option, line, at};
    }
    for (const struct command_part *part = line->parts; part != NULL && part->line != NULL; ++part)
        count = collect(part->line, at + part->at, entries, count);
    return count;
}

size_t command_entries(const struct command_line *line, struct command_entry entries[ENTRIES_MOST])
{
    return collect(&help_line, 0, entries, collect(line, 0, entries, 0));
}

static void *member_at(const struct parsing *parsing, size_t at)
{
    return (char *)parsing->options + at;
}

/* What was asked so far. */
static struct {
    struct store_asked *items;
    size_t count;
} asked;

static void note_asked(const char *option, const char *value)
{
    GROW(asked.items, asked.count);
    struct store_asked *item = &asked.items[asked.count++];
    *item = (struct store_asked){.value = value != NULL ? value : ""};
    snprintf(item->option, sizeof item->option, "%s", option);
}

const struct store_asked *arguments_asked(size_t *count)
{
    *count = asked.count;
    return asked.items;
}

static int take_option(struct table *table, size_t entry, char *argument)
{
    struct parsing *parsing = &table->parsing;
    const struct command_option *option = parsing->option = table->entries[entry].option;

    assert(option != NULL);
    parsing->line = table->entries[entry].line;
    parsing->options = (char *)table->options + table->entries[entry].at;
    const char **first = member_at(parsing, option->first);
    snprintf(parsing->name, sizeof parsing->name, "--%s", option->name);
    note_asked(option->name, argument);
    if (option->given != 0)
        *(bool *)member_at(parsing, option->given) = true;
    if (option->first != 0 && *first == NULL)
        *first = option->name;
    return (option->take != NULL ? option->take : take_plainly)(parsing, member_at(parsing, option->at), argument);
}

static int take_operands(struct parsing *parsing, char **words, size_t count)
{
    const struct command_line *line = parsing->line;
    int outcome = 0;

    if (line->operands == 0 && line->operand == NULL && count > 0)
        refuse_usage(parsing, "unexpected argument: %s", words[0]);
    if (line->operands != 0)
        *(struct operands *)member_at(parsing, line->operands) = (struct operands){words, count};
    for (size_t i = 0; i < count && outcome == 0; ++i) {
        note_asked("", words[i]);
        parsing->word = &words[i];
        outcome = line->operand != NULL ? line->operand(parsing, words[i]) : 0;
    }
    return outcome;
}

/* --- options that nobody knows --- */

/* Names the option that may have been meant. Abbreviations are known, too. */
static void hint_option(const struct table *table, const char *word)
{
    char name[64];

    snprintf(name, sizeof name, "%.*s", (int)strcspn(word, "="), word);
    struct nearest nearest = nearest_begin(name);
    for (size_t i = 0; i < table->count; ++i) {
        nearest_try(&nearest, table->entries[i].option->name);
        if (strncmp(table->entries[i].option->name, name, strlen(name)) == 0)
            return;
    }
    if (nearest.found[0] != '\0')
        escape_each(escape_text, stderr, "gridlock: unknown option '--", name, "'; did you mean '--", nearest.found,
                    "'?\n", NULL);
}

/* Such as a compiler of OpenCL C takes: -DN=16, -D N=16, -I DIR, -cl-std=CL2.0. */
static bool is_build_option(const char *word)
{
    static const char *const kinds[] = {"-D", "-I", "-U", "-O", "-W", "-cl-", "-w", "-g"};
    bool found = false;

    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; ++i)
        found = found || strncmp(word, kinds[i], strlen(kinds[i])) == 0;
    return found;
}

/* "-D", "-I" or "-U", whose value is the next word. */
static bool wants_value(const char *word)
{
    return word[0] == '-' && word[1] != '\0' && strchr("DIU", word[1]) != NULL && word[2] == '\0';
}

/* How those that are given to the command itself, from this one on, are given to the compiler. */
static void hint_build_options(const struct table *table, int count, char *const *words)
{
    bool builds = false;
    char *given = NULL;

    for (size_t i = 0; i < table->count; ++i)
        builds = builds || strcmp(table->entries[i].option->name, "build-options") == 0;
    if (!builds || !is_build_option(words[0]))
        return;
    FILE *out = xopen_memstream(&given, NULL);
    fputs(words[0], out);
    for (int i = 1; i < count && (wants_value(words[i - 1]) || is_build_option(words[i])); ++i)
        fprintf(out, " %s", words[i]);
    given = xclose_memstream(out, &given);
    char *quoted = words_join(&given, 1);
    const bool plain = quoted[0] != '\'';
    escape_each(escape_text, stderr, "gridlock: ", given,
                plain ? " is for the driver's compiler: give all such options as --build-options='"
                      : " is for the driver's compiler: give all such options as --build-options=",
                quoted, plain ? "'\n" : "\n", NULL);
    free(quoted);
    free(given);
}

/*
 * Returns the entry of the next option on the line and sets optarg, or returns -1 at the end of the line. getopt
 * returns '?' for an error, so it is not told of that letter. To print what is wrong, it is called again from the
 * beginning.
 */
static int next_option(const struct table *table, int count, char **arguments)
{
    struct option known[ENTRIES_MOST + 1] = {{0}};
    char letters[2 * ENTRIES_MOST + 2] = "";
    int key;

    if (table->parsing.whole->runs)
        text_append(letters, sizeof letters, "+"); /* to getopt: up to the first operand */
    for (size_t i = 0; i < table->count; ++i) {
        const struct command_option *option = table->entries[i].option;
        const bool takes = command_option_takes(option);
        known[i] = (struct option){option->name, option->optional ? optional_argument : takes, NULL, KEYS + (int)i};
        if (option->letter != 0 && option->letter != '?')
            text_append(letters, sizeof letters, "%c%s", option->letter, takes ? ":" : "");
    }
    opterr = 0;
    key = getopt_long(count, arguments, letters, known, NULL);
    if (key == '?' && optopt == 0 && elsewhere_has(&table->parsing, arguments[optind - 1]))
        exit(STATUS_USAGE);
    if (key == '?' && optopt != '?') {
        opterr = 1;
        optind = 0;
        while (getopt_long(count, arguments, letters, known, NULL) != '?')
            continue;
        point_to_help(&table->parsing);
        const int at = optind - (optopt > 0 && optopt < KEYS && optind < count && arguments[optind][0] == '-' &&
                                         strchr(arguments[optind], optopt) != NULL
                                     ? 0
                                     : 1);
        if (strncmp(arguments[at], "--", 2) == 0)
            hint_option(table, arguments[at] + 2);
        else
            hint_build_options(table, count - at, arguments + at);
        exit(STATUS_USAGE);
    }
    for (size_t i = 0; i < table->count; ++i)
        if (key == KEYS + (int)i || key == table->entries[i].option->letter)
            return (int)i;
    return -1;
}

void parse_arguments(const struct command_line *line, int count, char **arguments, void *options)
{
    struct table table = {.parsing.whole = line, .parsing.command = arguments[0], .options = options};
    int outcome = 0;

    asked.count = 0;
    table.count = command_entries(line, table.entries);
    optind = 0; /* another line may have been parsed */
    for (int entry; outcome == 0 && (entry = next_option(&table, count, arguments)) >= 0;)
        outcome = take_option(&table, (size_t)entry, optarg);
    table.parsing.line = line;
    table.parsing.options = options;
    if (outcome == 0)
        outcome = take_operands(&table.parsing, arguments + optind, (size_t)(count - optind));
    if (outcome == 0 && line->check != NULL)
        outcome = line->check(&table.parsing);
    if (outcome != 0)
        usage_error(&table.parsing.error);
}

const char *newest_run_file(void)
{
    static char path[4096];
    struct error error;

    if (run_files_newest(path, sizeof path, &error) != 0)
        usage_error(&error);
    escape_each(escape_text, stderr, "gridlock: run file ", path, "\n", NULL);
    return path;
}
