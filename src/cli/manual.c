#include "cli/manual.h"

#include "base/error.h"
#include "cli/description.h"
#include "cli/roff.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

/* What no option table says. */

static const struct {
    const char *command, *line, *about;
} examples[] = {
    {"devices", "gridlock devices", "Show every device, and drivers that could not be loaded."},
    {"devices", "gridlock devices --icd libnvidia-opencl.so.1 --format json",
     "Show the devices of a driver that is not registered, as JSON."},
    {"limits", "gridlock limits --device pocl", "Measure the CPU device of PoCL in the usual footprints."},
    {"limits", "gridlock limits --device nvidia --local-size 64,256 --private 0,256",
     "Measure four footprints: two sizes of work-groups, with few registers and with many."},
    {"limits", "gridlock limits --groups 1,2,3 --format json", "Try a barrier over 1, 2 and 3 groups, and print JSON."},
    {"run", "gridlock run --device pocl 'barrier_*' lock_tas", "Sweep all barriers and one lock."},
    {"run", "gridlock run --dry-run my.ini", "Show what a scenario of your own would sweep."},
    {"run", "gridlock run --shard 0/4 --run part0.gridlock", "Run the first of four shards, into a file of its own."},
    {"progress", "gridlock progress --device pocl", "Say which models of progress PoCL breaks, and by which tests."},
    {"progress", "gridlock progress --device nvidia --suite published-bounds --engine table,compiled",
     "Likewise of an NVIDIA GPU, by all tests, each of them in two ways."},
    {"progress", "gridlock progress --device pocl --expect OBE:weak",
     "Fail if groups that have started are starved by others."},
    {"progress", "gridlock progress --device nvidia --tests programs.txt --mapping chunked --no-limit",
     "Run your own tests under one mapping."},
    {"progress", "gridlock progress --device model:lobe:8", "Show what a device with such a model would do."},
    {"resume", "gridlock resume part0.gridlock", "Go on with a run that was interrupted."},
    {"resume", "gridlock resume --retry-incomplete part0.gridlock",
     "Likewise, and try once more what was running when the machine went down."},
    {"merge", "gridlock merge --output all.gridlock part0.gridlock part1.gridlock",
     "Put two shards of a run together."},
    {"report", "gridlock report part0.gridlock", "Print what a run has found."},
    {"report", "gridlock report --format junit part0.gridlock > results.xml", "Likewise, for a machine that tests."},
    {"explain", "gridlock explain part0.gridlock",
     "Say why its first surprise, or else its first failure, came about."},
    {"explain", "gridlock explain --format svg part0.gridlock:barrier_tree/cl30/l64/g3 > waits.svg",
     "Draw who waits for whom in a launch of one point."},
    {"explain", "gridlock explain models.gridlock", "Say which tests break which models, in a run of litmus tests."},
    {"compare", "gridlock compare old.gridlock new.gridlock", "Show what changed since an older run."},
    {"compare", "gridlock compare --format markdown old.gridlock new.gridlock",
     "Likewise, for a page that people read."},
    {"litmus", "gridlock litmus enumerate --threads 2 --instructions 3",
     "Show all programs of two threads and three instructions that tell models of progress apart."},
    {"litmus", "gridlock litmus judge --witness < programs.txt",
     "Show which models guarantee that your own programs end, and how they may not."},
    {"litmus", "gridlock litmus judge --format dot < programs.txt | dot -Tpdf > cycles.pdf",
     "Draw how programs may fail to end."},
    {"list", "gridlock list 'mutant_*'", "Show the scenarios with a seeded fault."},
    {"list", "gridlock list --kernels", "Show the kernels with their options and parameters."},
    {"check", "gridlock check my.ini", "Say what is wrong with a scenario file."},
    {"check", "gridlock check --reference", "Show all keys that a scenario file may have."},
};

/* To which commands a file or variable belongs. */
enum scope { OF_DEVICES, OF_RUNS, OF_MEASURING, OF_TABLES, OF_SCENARIOS };

struct entry {
    enum scope scope;
    const char *name, *about;
};

static const struct entry files[] = {
    {OF_RUNS, "$XDG_STATE_HOME/gridlock/*.gridlock",
     "Run files, unless another place is named. Without the variable they are in ~/.local/state/gridlock. Each is an "
     "SQLite database that describes its own columns."},
    {OF_DEVICES, "/etc/OpenCL/vendors/*.icd", "The OpenCL drivers that are registered, a library in each."},
    {OF_MEASURING, "/run/lock/gridlock-*.lock",
     "Locks, so that two runs never use a device at the same time. They are in /tmp where there is no such folder, or "
     "it cannot be written."},
    {OF_SCENARIOS, "PREFIX/share/doc/gridlock/examples",
     "The scenarios and kernels that the program carries, to begin your own with, and how they are written. PREFIX is "
     "where gridlock was installed: /usr, if by a package."},
};

static const struct entry variables[] = {
    {OF_DEVICES, "OCL_ICD_VENDORS",
     "A folder of .icd files, one such file, or a library: these drivers are used instead of those that are "
     "registered."},
    {OF_MEASURING, "GRIDLOCK_LOCK_DIR", "Where the locks on devices are put instead of /run/lock."},
    {OF_MEASURING, "XDG_STATE_HOME, HOME", "Where run files are put; see above."},
    {OF_MEASURING,
     "GTEST_SHARD_INDEX, GTEST_TOTAL_SHARDS, SLURM_ARRAY_TASK_ID, SLURM_ARRAY_TASK_COUNT, CI_NODE_INDEX, "
     "CI_NODE_TOTAL, OMPI_COMM_WORLD_RANK, OMPI_COMM_WORLD_SIZE",
     "Which shard is to be run, and of how many. The first pair of which both are set counts, unless --shard is "
     "given."},
    {OF_TABLES, "NO_COLOR",
     "No colours on a terminal either, unless --color asks for them. An empty value says nothing."},
    {OF_TABLES, "CLICOLOR_FORCE",
     "Colours also where there is no terminal, unless NO_COLOR or --color forbids them. 0 and an empty value say "
     "nothing."},
    {OF_DEVICES, "POCL_MAX_PTHREAD_COUNT, POCL_DEVICES, RUSTICL_ENABLE, CUDA_VISIBLE_DEVICES",
     "These and others are for the drivers. Those that change which devices there are, or what they hold, are noted "
     "in run files."},
};

static const struct {
    int status;
    const char *about;
} statuses[] = {
    {STATUS_OK, "All went well, and came as predicted."},
    {STATUS_SURPRISE, "It went well, but a result is a surprise."},
    {STATUS_USAGE, "The command line or a file is wrong; nothing was run."},
    {STATUS_HARNESS, "gridlock itself failed; do not trust the results."},
    {STATUS_NO_DEVICE, "No device matched, or its driver could not be used."},
    {STATUS_WEDGED, "A device no longer works, or a worker could not be killed."},
    {STATUS_STOPPED, "Stopped early, or another run kept the device for too long; gridlock resume goes on."},
    {STATUS_UNSUPPORTED, "The device supports nothing of what was asked for."},
    {STATUS_SIGINT, "Ended by SIGINT."},
    {STATUS_SIGTERM, "Ended by SIGTERM."},
};

/* --- sections --- */

static void put_heading(FILE *out, const char *name, const char *date)
{
    fputs(".\\\" Generated from the option tables of the program.\n.TH GRIDLOCK", out);
    for (; *name != '\0'; ++name)
        roff_byte(out, (char)toupper((unsigned char)*name), true);
    fprintf(out, " 1 \"%s\" \"gridlock " GRIDLOCK_VERSION "\" \"User Commands\"\n.nh\n.ad l\n", date);
}

/* A command, or all of them if it is NULL. */
static bool has_scope(const struct description *description, enum scope scope)
{
    if (description == NULL)
        return true;
    const bool measures = description_has(description, "run") || strcmp(description->name, "resume") == 0;
    switch (scope) {
    case OF_DEVICES:
        return measures || description_has(description, "icd");
    case OF_RUNS:
        return measures || description->operands.kind == ARGUMENT_RUN;
    case OF_MEASURING:
        return measures;
    case OF_TABLES:
        return measures || description_has(description, "color");
    default:
        return description->operands.kind == ARGUMENT_SCENARIO || strcmp(description->name, "check") == 0;
    }
}

/* Tags, one below the other: a file, or variables. */
static void put_names(FILE *out, const char *names)
{
    const bool file = strchr(names, '/') != NULL;
    const char *macro = ".TP";

    while (*names != '\0') {
        const size_t length = strcspn(names, ",");
        fprintf(out, "%s\n%s", macro, file ? "\\fI" : "");
        for (size_t i = 0; i < length; ++i)
            roff_byte(out, names[i], true);
        fputs(file ? "\\fR\n" : "\n", out);
        names += length;
        names += strspn(names, ", ");
        macro = ".TQ";
    }
}

static void put_entries(FILE *out, const char *title, const struct entry *entries, size_t count,
                        const struct description *description, const char *otherwise)
{
    bool any = false;

    fprintf(out, ".SH %s\n", title);
    for (size_t i = 0; i < count; ++i) {
        if (!has_scope(description, entries[i].scope))
            continue;
        any = true;
        put_names(out, entries[i].name);
        roff_text(out, entries[i].about, strlen(entries[i].about));
    }
    if (!any)
        roff_text(out, otherwise, strlen(otherwise));
}

static void put_places(FILE *out, const struct description *description)
{
    put_entries(out, "FILES", files, sizeof files / sizeof *files, description, "Only those that are named.");
    put_entries(out, "ENVIRONMENT", variables, sizeof variables / sizeof *variables, description,
                "No variable changes what this command does.");
}

static void put_example(FILE *out, const char *line, const char *about)
{
    fputs(".TP\n", out);
    roff_literal(out, line);
    fputc('\n', out);
    roff_text(out, about, strlen(about));
}

/* Of a command; returns how many there are. */
static size_t put_examples(FILE *out, const char *command)
{
    size_t count = 0;

    for (size_t i = 0; i < sizeof examples / sizeof *examples; ++i) {
        if (strcmp(examples[i].command, command) != 0)
            continue;
        put_example(out, examples[i].line, examples[i].about);
        ++count;
    }
    return count;
}

static void put_option(FILE *out, const struct option_description *option)
{
    const char letter[] = {'-', option->letter, '\0'};

    fputs(".TP\n", out);
    if (option->letter != 0) {
        roff_literal(out, letter);
        fputs(", ", out);
    }
    fputs("\\fB\\-\\-", out);
    for (const char *at = option->name; *at != '\0'; ++at)
        roff_byte(out, *at, true);
    fputs("\\fR", out);
    if (option->argument != NULL) {
        fputs(option->optional ? "[=" : "=", out);
        roff_arguments(out, option->argument);
        fputs(option->optional ? "]" : "", out);
    }
    fputc('\n', out);
    if (option->doc[0] != '\0')
        roff_text(out, option->doc, strlen(option->doc));
}

/* "0 this; 130, 143 that." as a list; what does not begin with a number is a sentence. */
static void put_exit_status(FILE *out, const char *text)
{
    char sentence[1024];

    fputs(".SH EXIT STATUS\n", out);
    if (text[0] == '\0')
        fputs("See\n.BR gridlock (1).\n", out);
    while (*text != '\0') {
        const char *end = strstr(text, "; ");
        size_t length = end != NULL ? (size_t)(end - text) : strlen(text);
        const char *next = end != NULL ? end + 2 : text + length;
        size_t tag = strspn(text, "0123456789, ");
        while (length > 0 && (text[length - 1] == '.' || text[length - 1] == '\n'))
            --length;
        if (tag > 0 && tag < length)
            fprintf(out, ".TP\n.B %.*s\n", (int)tag - 1, text);
        else
            tag = 0;
        snprintf(sentence, sizeof sentence, "%.*s.", (int)(length - tag), text + tag);
        sentence[0] = (char)toupper((unsigned char)sentence[0]);
        roff_text(out, sentence, strlen(sentence));
        text = next;
    }
}

/* All pages but one. */
static void put_others(FILE *out, const struct command *commands, size_t count, const char *page)
{
    fputs(".SH SEE ALSO\n", out);
    if (page[0] != '\0')
        fputs(".BR gridlock (1),\n", out);
    for (size_t i = 0; i < count; ++i)
        if (commands[i].purpose != NULL && strcmp(commands[i].name, page) != 0)
            fprintf(out, ".BR gridlock\\-%s (1),\n", commands[i].name);
    fputs(".BR clinfo (1)\n", out);
}

/* --- pages --- */

static const char overview[] = ".SH NAME\n"
                               "gridlock \\- finds out how many OpenCL work-groups may wait for each other\n"
                               ".SH SYNOPSIS\n"
                               "\\fBgridlock\\fR \\fICOMMAND\\fR [\\fIOPTION\\fR...] [\\fIARGUMENT\\fR...]\n"
                               ".br\n"
                               "\\fBgridlock\\fR \\fB\\-\\-help\\fR\n"
                               ".br\n"
                               "\\fBgridlock\\fR \\fB\\-\\-version\\fR\n"
                               ".SH DESCRIPTION\n"
                               "OpenCL promises nothing about work-groups that wait for each other.\n"
                               "They may do so only while all of them are resident: while all have started\n"
                               "and hold a place on the device.\n"
                               "A kernel with a global barrier, a spin lock or a work queue hangs as soon as\n"
                               "one group too many is launched, and no query tells how many are too many.\n"
                               "gridlock finds out by running kernels.\n"
                               ".PP\n"
                               "Kernels that stall are run on purpose.\n"
                               "Each of their loops has a fuse and reads a word by which the host can end it,\n"
                               "and OpenCL runs in a worker process, which is killed if nothing else helps.\n"
                               ".SH COMMANDS\n";

static const char overview_options[] = ".SH OPTIONS\n"
                                       ".TP\n\\fB\\-\\-help\\fR\nShow the commands\n"
                                       ".TP\n\\fB\\-\\-version\\fR\nShow the version\n"
                                       ".PP\n"
                                       "Each command has options of its own, and shows them with\n"
                                       ".BR \\-\\-help .\n"
                                       ".SH EXIT STATUS\n";

static void put_commands(FILE *out, const struct command *commands, size_t count)
{
    for (size_t i = 0; i < count; ++i) {
        if (commands[i].purpose == NULL)
            continue;
        fprintf(out, ".TP\n.BR gridlock\\-%s (1)\n", commands[i].name);
        roff_text(out, commands[i].purpose, strlen(commands[i].purpose));
    }
}

static void put_statuses(FILE *out)
{
    for (size_t i = 0; i < sizeof statuses / sizeof *statuses; ++i) {
        fprintf(out, ".TP\n.B %d\n", statuses[i].status);
        roff_text(out, statuses[i].about, strlen(statuses[i].about));
    }
}

void manual_overview(FILE *out, const struct command *commands, size_t count, const char *date)
{
    put_heading(out, "", date);
    fputs(overview, out);
    put_commands(out, commands, count);
    fputs(overview_options, out);
    put_statuses(out);
    put_places(out, NULL);
    fputs(".SH EXAMPLES\n", out);
    for (size_t i = 0; i < count; ++i)
        put_examples(out, commands[i].name);
    put_others(out, commands, count, "");
}

void manual_command(FILE *out, const struct command *command, const struct command *commands, size_t count,
                    const char *date)
{
    struct description description;
    char name[64];

    describe_command(command, &description);
    snprintf(name, sizeof name, "-%s", description.name);
    put_heading(out, name, date);
    fprintf(out, ".SH NAME\ngridlock\\-%s \\-\n", description.name);
    roff_text(out, description.purpose, strlen(description.purpose));
    fputs(".SH SYNOPSIS\n", out);
    snprintf(name, sizeof name, "gridlock %s", description.name);
    roff_literal(out, name);
    fputs(" [\\fIOPTION\\fR...]", out);
    if (description.arguments[0] != '\0') {
        fputc(' ', out);
        roff_arguments(out, description.arguments);
    }
    fputs("\n.SH DESCRIPTION\n", out);
    roff_text(out, description.about, description.about_length);
    if (description.notes_length > 0) {
        fputs(".PP\n", out);
        roff_text(out, description.notes, description.notes_length);
    }
    fputs(".SH OPTIONS\n", out);
    for (size_t i = 0; i < description.count; ++i)
        put_option(out, &description.options[i]);
    put_exit_status(out, description.exit_status);
    put_places(out, &description);
    fputs(".SH EXAMPLES\n", out);
    if (put_examples(out, description.name) == 0) {
        snprintf(name, sizeof name, "gridlock %s --help", description.name);
        put_example(out, name, "Show the arguments and options.");
    }
    put_others(out, commands, count, description.name);
}
