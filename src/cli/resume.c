#include "cli/command.h"

#include "base/alloc.h"
#include "base/words.h"
#include "cli/measure.h"
#include "engine/origin.h"
#include "store/store.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct resume_options {
    const char *path;
    struct continuation continuation;
    char *named[CONTINUATION_NAMED]; /* files that a foreign run may load; allocated */
    bool quiet;
};

/* `path`, which is allocated; NULL: there is no such file. */
static void add_named(struct parsing *parsing, char *path, const char *name)
{
    struct resume_options *options = parsing->options;

    if (options->continuation.named_count == CONTINUATION_NAMED)
        refuse_usage(parsing, "at most %d files may be named", CONTINUATION_NAMED);
    if (path == NULL)
        refuse_usage(parsing, "cannot open %.200s: %s", name, strerror(errno));
    options->named[options->continuation.named_count++] = path;
}

/* All is named from the present folder, */
static int take_file(struct parsing *parsing, void *options, char *name)
{
    (void)options;
    add_named(parsing, realpath(name, NULL), name);
    return 0;
}

/* but a library without a slash, which the loader looks for, */
static int take_library(struct parsing *parsing, void *options, char *name)
{
    (void)options;
    add_named(parsing, strchr(name, '/') == NULL ? xstrdup(name) : realpath(name, NULL), name);
    return 0;
}

/* and build options, which name no file. */
static int take_build_options(struct parsing *parsing, void *options, char *text)
{
    (void)options;
    add_named(parsing, xasprintf(BUILD_OPTIONS_NAMED "%s", text), text);
    return 0;
}

static int take_operand(struct parsing *parsing, char *word)
{
    struct resume_options *options = parsing->options;

    if (options->path != NULL)
        return take_file(parsing, options, word);
    options->path = word;
    return 0;
}

static int check(struct parsing *parsing)
{
    if (((const struct resume_options *)parsing->options)->path == NULL)
        refuse_usage(parsing, "expected a run file");
    return 0;
}

#define AT(member) offsetof(struct resume_options, member)

static const struct command_option options_table[] = {
    {"retry-incomplete", 0, 1, NULL, "Also repeat trials that had begun but not ended when the run was stopped",
     .at = AT(continuation.retry_incomplete)},
    {"force", 0, 1, NULL,
     "Continue although the driver, this program or a scenario file has changed since the run began",
     .at = AT(continuation.force)},
    {"icd", 0, 2, "LIBRARY...", "Of a run that was begun elsewhere: it may load this OpenCL driver library",
     .take = take_library},
    {"kernel-dir", 0, 2, "DIR...", "Of such a run: it may read kernels from DIR", .take = take_file},
    {"build-options", 0, 2, "TEXT", "Of such a run: it may build the files of --source with these options",
     .take = take_build_options},
    {"quiet", 'q', 3, NULL, "Print results only", .at = AT(quiet)},
    {0},
};

/* The command that began the run, as it was given. */
struct begun {
    char **words; /* "gridlock", "run" and its arguments, then NULL */
    size_t count;
    char *folder;
    char tool_version[64];
    size_t runs; /* in the file */
    bool foreign;
};

struct reading {
    const char *path;
    struct begun *begun;
    struct error *error;
};

static int take_run(void *context, const struct store_run *run)
{
    struct reading *reading = context;
    struct begun *begun = reading->begun;

    if (begun->runs++ > 0)
        return 0;
    snprintf(begun->tool_version, sizeof begun->tool_version, "%s", run->tool_version);
    begun->foreign = !origin_is_here(run, reading->path);
    begun->folder = xstrdup(run->folder);
    if (words_split(run->command_line, &begun->words, &begun->count) != 0)
        return error_set(reading->error, STATUS_HARNESS, "cannot parse the command \"%.200s\"", run->command_line);
    return 0;
}

static int read_begun(const char *path, struct begun *begun, bool force, struct error *error)
{
    struct reading reading = {path, begun, error};
    struct store *store;

    if (store_continue(path, &store, error) != 0)
        return -1;
    const int taken = store_each_run(store, take_run, &reading, error);
    store_close(store);
    if (taken != 0)
        return error_context(error, "cannot continue %s", path);
    if (begun->runs != 1)
        return error_set(error, STATUS_USAGE, "%s cannot be continued: it was merged from %zu runs", path, begun->runs);
    if (strcmp(begun->tool_version, GRIDLOCK_VERSION) != 0 && !force)
        return error_set(error, STATUS_USAGE,
                         "%s was begun by gridlock %s, but this is %s; use --force to continue anyway", path,
                         begun->tool_version, GRIDLOCK_VERSION);
    return 0;
}

/* Files of the command line are named from the folder in which it was given. */
static int enter_folder(const struct begun *begun, struct error *error)
{
    if (begun->folder[0] == '\0')
        return error_set(error, STATUS_USAGE, "the run cannot be continued: its file does not say where it was begun");
    if (chdir(begun->folder) == 0)
        return 0;
    return error_set(error, STATUS_USAGE, "cannot change to %.200s, where the run was begun: %s", begun->folder,
                     strerror(errno));
}

static const struct resumable {
    const char *name;
    command_function *run;
} commands[] = {{"gridlock run", command_run},           {"gridlock limits", command_limits},
                {"gridlock progress", command_progress}, {"gridlock audit", command_audit},
                {"gridlock prove", command_prove},       {"gridlock demo", command_demo},
                {"gridlock try", command_try},           {"gridlock replay", command_replay}};

/* Which of them it was, by its first two words. NULL: another one. */
static const struct resumable *find_command(const struct begun *begun)
{
    for (size_t i = 0; i < sizeof commands / sizeof *commands; ++i)
        if (begun->count >= 2 && strcmp(begun->words[0], "gridlock") == 0 &&
            strcmp(begun->words[1], commands[i].name + strlen("gridlock ")) == 0)
            return &commands[i];
    return NULL;
}

/* The same command, with this run file. */
static int go_on(const struct resume_options *options, const struct begun *begun, const char *path, struct error *error)
{
    static char quiet[] = "--quiet";
    size_t count = 0;
    const struct resumable *command = find_command(begun);

    if (command == NULL)
        return error_set(error, STATUS_USAGE, "%s was begun by \"%.60s%s%.60s\", which cannot be continued", path,
                         begun->count > 0 ? begun->words[0] : "", begun->count > 1 ? " " : "",
                         begun->count > 1 ? begun->words[1] : "");
    char **words = xcalloc(begun->count + 3, sizeof *words);
    words[count++] = (char *)command->name;
    /* It comes first, because a run's own may end its options with "--". */
    if (options->quiet)
        words[count++] = quiet;
    memcpy(words + count, begun->words + 2, (begun->count - 2) * sizeof *words);
    count += begun->count - 2;
    measure_continue(&options->continuation);
    const int status = command->run((int)count, words);
    free(words);
    return status;
}

const struct command_line resume_line = {
    .options = options_table,
    .operand = take_operand,
    .check = check,
    .named = "RUN [FILE...]",
    .doc = "Continues a run that was interrupted, killed, or stopped by a full disk; trials that have ended are not "
           "repeated. A run that was begun on another machine or by another user loads no driver library, no kernels "
           "and no FILE, such as a scenario, that is not named here again.",
    .statuses = "that of the command that began the run; also 2 if its driver, this program or its scenario files have "
                "changed, or if it would load a file that was not named",
};

int command_resume(int count, char **arguments)
{
    struct resume_options options = {0};
    struct begun begun = {0};
    struct error error;
    int status = -1;

    parse_arguments(&resume_line, count, arguments, &options);
    char *path = realpath(options.path, NULL);
    if (path == NULL)
        error_set(&error, STATUS_USAGE, "cannot open %.200s: %s", options.path, strerror(errno));
    else if (read_begun(path, &begun, options.continuation.force, &error) == 0 && enter_folder(&begun, &error) == 0) {
        options.continuation.path = path;
        options.continuation.foreign = begun.foreign;
        options.continuation.named = options.named;
        status = go_on(&options, &begun, path, &error);
    }
    while (options.continuation.named_count > 0)
        free(options.named[--options.continuation.named_count]);
    free(begun.words);
    free(begun.folder);
    free(path);
    return status >= 0 ? status : report_error(&error);
}
