#include "base/alloc.h"
#include "base/source.h"
#include "cli/command.h"
#include "cli/options.h"
#include "cli/selection.h"
#include "format/escape.h"
#include "reproducer/files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Generated from src/emit: gridlock.clh and gridlock_launch.h. */
extern const struct source_file emitted_files[];

struct emit_options {
    struct common_options common;
    const char *folder;
    uint32_t style;
};

static const struct naming styles = NAMING("auto", "cl30", "cl12", "ptx"); /* as enum dialect */
static const char *const dialects[] = {"", "#define GL_DIALECT_CL30\n", "#define GL_DIALECT_CL12\n",
                                       "#define GL_DIALECT_PTX\n"};

static int check(struct parsing *parsing)
{
    const struct emit_options *options = parsing->options;

    if (options->folder == NULL)
        refuse_usage(parsing, "expected -o DIR, the folder for gridlock.clh and gridlock_launch.h");
    if (options->style != 0 && options->common.selector_count != 0)
        refuse_usage(parsing, "expected --kernel-style or --device, which finds it out, not both");
    return 0;
}

#define AT(member) offsetof(struct emit_options, member)

static const struct command_option table[] = {
    {"output", 'o', 1, "DIR", "Write the two files into this folder, which is made; none is replaced",
     .at = AT(folder)},
    {"kernel-style", 0, 1, NULL,
     "Have the kernels' file use this dialect: cl30, atomics at device scope; cl12, volatile words and legacy atomics; "
     "ptx, NVIDIA's assembly; or what suits whoever compiles it (default: auto)",
     .at = AT(style), .names = &styles},
    {"device", 'd', 10, DEVICE_SELECTOR, "Have it use the best dialect that works on this device, which is tried there",
     .at = AT(common), .take = take_one_device},
    {0},
};

static const struct command_part parts[] = {{&base_line, AT(common)}, {0}};

const struct command_line emit_line = {
    .options = table,
    .parts = parts,
    .check = check,
    .doc = "Writes two files that a program of yours can use without gridlock: gridlock.clh, for kernels in OpenCL C, "
           "has barriers of all groups, locks, flags, a work queue and a scan, each with what it needs; "
           "gridlock_launch.h, for C99 and C++11, counts how many groups of a kernel fit on a device, refuses to "
           "launch more, and says which group waited for which. Needs no device without --device.",
    .statuses = "0 both files are written; 2 usage error, or a file is there already; 3 a file cannot be written; of "
                "--device also 4 no device; 5 a worker could not be killed; 77 nothing in which its groups can "
                "synchronize; 130, 143 ended by SIGINT, SIGTERM",
};

/* The kernels' file begins with a comment and its guard; the dialect comes behind the guard. */
static char *in_dialect(const char *text, const char *dialect)
{
    static const char guard[] = "#define GRIDLOCK_CLH\n";
    const char *const behind = strstr(text, guard) + strlen(guard);

    return xasprintf("%.*s%s%s", (int)(behind - text), text, dialect, behind);
}

/* The dialect of the one device that the options name. */
static int ask_device(struct emit_options *options, struct error *error)
{
    struct remote remote = {0};
    struct selection selection = {0};
    int outcome = selection_open(&options->common, &remote.supervisor, error);

    if (outcome != 0)
        return outcome;
    outcome = selection_make(&selection, &remote, &options->common, error);
    if (outcome == 0 && selection.count != 1)
        outcome = error_set(error, STATUS_USAGE, "--device: the files are for one device, and %zu have such a name",
                            selection.count);
    if (outcome == 0)
        outcome = remote_choose(&remote, &selection.devices[0], PROBE_FIRST_DIALECT, options->common.channel, error);
    if (outcome == 0 && remote.probe.dialect == DIALECT_NONE)
        outcome = error_set(error, STATUS_UNSUPPORTED, "%s has no dialect in which groups can synchronize",
                            selection.devices[0].name);
    if (outcome == 0) {
        options->style = remote.probe.dialect;
        escape_each(escape_text, stdout, "dialect ", dialect_name(remote.probe.dialect), ", for ",
                    selection.devices[0].name, "\n", NULL);
    }
    supervisor_close(remote.supervisor);
    selection_fini(&selection);
    return outcome;
}

int command_emit(int count, char **arguments)
{
    struct emit_options options = {0};
    struct error error;

    common_options_init(&options.common);
    parse_arguments(&emit_line, count, arguments, &options);
    if (options.common.selector_count != 0 && ask_device(&options, &error) != 0)
        return report_error(&error);
    char *const kernels = in_dialect(emitted_files[0].text, dialects[options.style]);
    const struct source_file files[] = {{emitted_files[0].name, kernels}, emitted_files[1], {0}};
    const int outcome = reproducer_save(options.folder, files, &error);
    free(kernels);
    if (outcome != 0)
        return report_error(&error);
    printf("%s/%s: #include it in kernels\n%s/%s: #include it in the program; it includes the other\n", options.folder,
           files[0].name, options.folder, files[1].name);
    return STATUS_OK;
}
