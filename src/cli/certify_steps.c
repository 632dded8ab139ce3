#include "cli/certify_steps.h"

#include "base/alloc.h"
#include "base/file.h"
#include "host/signals.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { WORDS = 3 * CERTIFY_ARGUMENTS + ICD_FOLDER_FILES * 2 + 32, SOURCE_MIB = 64, LOOK_NS = 10000000 };

/* A command line of gridlock; words are not its own, unless they are in `made`. */
struct line {
    const char *words[WORDS];
    size_t count;
    char *made[4];
    size_t made_count;
};

static void add(struct line *line, const char *option, const char *value)
{
    if (value == NULL)
        return;
    if (option != NULL)
        line->words[line->count++] = option;
    line->words[line->count++] = value;
}

static const char *keep(struct line *line, char *made)
{
    return line->made[line->made_count++] = made;
}

static void add_all(struct line *line, const char *option, const char *const *values, size_t count)
{
    for (size_t i = 0; i < count; ++i)
        add(line, option, values[i]);
}

/* --- a process --- */

static _Noreturn void become(const struct line *line, pid_t parent)
{
    const int nothing = open("/dev/null", O_WRONLY | O_CLOEXEC);

    setpgid(0, 0); /* a terminal's signals come to the parent alone, which hands them on */
    signal(SIGTTOU, SIG_IGN);
    signals_restore();
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() == parent && nothing >= 0 && dup2(nothing, STDOUT_FILENO) >= 0)
        execv("/proc/self/exe", (char **)line->words);
    _exit(STATUS_HARNESS);
}

/* It ends because all that it does has deadlines; and the third signal ends this process at once. */
static int wait_for(pid_t child)
{
    int status = 0;

    for (int forwarded = 0; waitpid(child, &status, WNOHANG) != child;) {
        for (; forwarded < signals_count(); ++forwarded)
            kill(child, signals_received());
        nanosleep(&(struct timespec){.tv_nsec = LOOK_NS}, NULL);
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : STATUS_HARNESS;
}

/* Whether it could do its work; it has said why not. What it found is in its run file. */
static bool is_result(int status)
{
    return status == STATUS_OK || status == STATUS_SURPRISE || status == STATUS_UNSUPPORTED;
}

static int run(struct line *line, const char *what, const struct certify_options *options, struct error *error)
{
    const pid_t parent = getpid();

    if (!options->measure.common.quiet)
        fprintf(stderr, "gridlock: %s\n", what);
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0)
        become(line, parent);
    const int status = child > 0 ? wait_for(child) : STATUS_HARNESS;
    for (size_t i = 0; i < line->made_count; ++i)
        free(line->made[i]);
    if (child < 0)
        return error_set(error, STATUS_HARNESS, "no process for gridlock %s: %s", line->words[1], strerror(errno));
    const bool is_unproved = status == STATUS_STOPPED && strcmp(line->words[1], "prove") == 0;
    return is_result(status) || is_unproved ? 0 : error_set(error, (enum status)status, "%s", "");
}

/* --- the commands --- */

static struct line begin(const char *command, const struct certify_options *options, struct certified *certified,
                         enum certified_run which)
{
    struct line line = {.words = {"gridlock", command, "-q"}, .count = 3};

    certified->paths[which] = xasprintf("%s/%s", options->folder, certified_run_name(which));
    add(&line, "-o", certified->paths[which]);
    return line;
}

static void add_device(struct line *line, const struct certify_options *options)
{
    const struct common_options *common = &options->measure.common;

    add(line, "--device", common->selectors[0]);
    for (size_t i = 0; i < common->icd_count; ++i)
        add(line, "--icd", common->icds[i]);
}

static int count_groups(const struct certify_options *options, struct certified *certified, struct error *error)
{
    struct line line = begin("limits", options, certified, CERTIFIED_LIMITS);

    add_device(&line, options);
    add(&line, "--source", options->file);
    add(&line, "--kernel", options->kernel);
    add(&line, "--local-size", options->local_size);
    add(&line, "--build-options", options->build_options);
    for (size_t i = 0; i < options->argument_count; ++i)
        if (strstr(options->arguments[i], "=local:") != NULL)
            add(&line, "--arg", options->arguments[i]);
    return run(&line, "counting how many groups fit", options, error);
}

static int test_progress(const struct certify_options *options, struct certified *certified, struct error *error)
{
    struct line line = begin("progress", options, certified, CERTIFIED_PROGRESS);

    add_device(&line, options);
    add(&line, NULL, "--no-limit");
    return run(&line, "testing which groups get turns", options, error);
}

static int test_publication(const struct certify_options *options, enum dialect dialect, struct certified *certified,
                            struct error *error)
{
    struct line line = begin("run", options, certified, CERTIFIED_PUBLICATION);

    add(&line, NULL, "publish_*");
    add_device(&line, options);
    add(&line, "--include", keep(&line, xasprintf("/%s", dialect_name(dialect))));
    return run(&line, "testing whether groups see what others write", options, error);
}

/* Whether its waits are those of gridlock.clh, as far as its text says. -1: the file cannot be read. */
static int uses_header(const struct certify_options *options, struct error *error)
{
    size_t length;
    char *source = file_read(options->file, "source", SOURCE_MIB, &length, error);
    const int found =
        source == NULL ? -1 : strstr(source, "gridlock.clh") != NULL && strstr(source, "GL_BEGIN(") != NULL;

    free(source);
    return found;
}

/* -DGL_UNBOUNDED for what uses gridlock.clh: that waits give up has no part in what is proved. */
static int options_of_proof(const struct certify_options *options, char **text, struct error *error)
{
    const char *given = options->build_options != NULL ? options->build_options : "";
    const int uses = uses_header(options, error);

    if (uses < 0)
        return -1;
    const bool unbounded = uses == 1 && strstr(given, "-DGL_UNBOUNDED") == NULL;
    *text = xasprintf("%s%s%s", given, unbounded && *given != '\0' ? " " : "", unbounded ? "-DGL_UNBOUNDED" : "");
    return 0;
}

static int prove(const struct certify_options *options, struct certified *certified, struct error *error)
{
    struct line line = begin("prove", options, certified, CERTIFIED_PROOF);
    char *build;

    if (options_of_proof(options, &build, error) != 0)
        return -1;
    add(&line, NULL, options->file);
    add(&line, "--kernel", options->kernel);
    /* Said, so that prove makes no launch of one group up for a kernel that does not ask which one it is. */
    add(&line, "--groups", options->proved_groups != NULL ? options->proved_groups : "2,3");
    add(&line, "--budget", options->budget);
    add(&line, "--build-options", keep(&line, build));
    add_all(&line, "--arg", options->proved_count > 0 ? options->proved : options->arguments,
            options->proved_count > 0 ? options->proved_count : options->argument_count);
    add_all(&line, "--result", options->results, options->result_count);
    return run(&line, "exploring all schedules of small launches", options, error);
}

/* On a GPU the kernel is launched without --live only if its waits give up. */
static bool needs_fuse(const struct certify_options *options, const struct certified *certified)
{
    const struct device_info *device = certified->here->device;

    return device->kind != DEVICE_CPU && !device_info_is_model(device) && options->measure.live != LIVE_ANY;
}

static void add_arguments(struct line *line, const struct certify_options *options, bool fused)
{
    add(line, "--arg", fused ? "0=grid" : NULL);
    for (size_t i = 0; i < options->argument_count; ++i)
        if (!fused || strncmp(options->arguments[i], "0=", 2) != 0)
            add(line, "--arg", options->arguments[i]);
}

static int launch(const struct certify_options *options, struct certified *certified, enum certified_run which,
                  struct error *error)
{
    const bool fused = needs_fuse(options, certified);
    const bool full = which == CERTIFIED_LAUNCHES;
    const uint32_t groups = full ? certified->full.groups : certified->over.groups;
    struct line line = begin("try", options, certified, which);

    add_device(&line, options);
    add(&line, NULL, options->file);
    add(&line, "--kernel", options->kernel);
    add(&line, "--local-size", options->local_size);
    add(&line, "--build-options", options->build_options);
    add(&line, "--groups", keep(&line, xasprintf("%u", groups)));
    add(&line, "--iterations", keep(&line, xasprintf("%u", full ? (unsigned)options->iterations : 1)));
    add(&line, "--deadline", full || fused ? "60" : NULL); /* on a busy machine groups that wait are slow */
    add_arguments(&line, options, fused);
    add(&line, NULL, options->measure.live == LIVE_ANY ? "--live=any" : NULL);
    add(&line, NULL, options->measure.live == LIVE_ANY ? "--yes" : NULL);
    return run(&line, full ? "launching the kernel as it is" : "launching it with one group more", options, error);
}

/* --- the whole --- */

static int launch_all(const struct certify_options *options, struct certified *certified, struct error *error)
{
    const uint32_t resident = certified_resident(certified), asked = certified->asked;

    if (resident == 0 || certified_groups(certified) < (asked != 0 ? asked : resident) ||
        (needs_fuse(options, certified) && uses_header(options, error) != 1))
        return 0;
    certified->full.groups = asked != 0 ? asked : resident;
    certified->over.groups = (certified->full.groups > resident ? certified->full.groups : resident) + 1;
    return launch(options, certified, CERTIFIED_LAUNCHES, error) != 0 ||
                   launch(options, certified, CERTIFIED_MORE, error) != 0
               ? -1
               : 0;
}

int certify_measure(const struct certify_options *options, struct certified *certified, struct error *error)
{
    enum dialect dialect = (enum dialect)options->dialect;

    certified->asked = (uint32_t)options->groups;
    if (mkdir(options->folder, 0777) != 0 && errno != EEXIST)
        return error_set(error, STATUS_USAGE, "cannot make folder %.300s: %s", options->folder, strerror(errno));
    if (prove(options, certified, error) != 0 || count_groups(options, certified, error) != 0)
        return -1;
    if (dialect == DIALECT_NONE)
        dialect = certified_dialect(certified->paths[CERTIFIED_LIMITS], error);
    if (dialect == DIALECT_NONE)
        return error_set(error, STATUS_UNSUPPORTED, "the device has no dialect in which groups can synchronize");
    if (test_progress(options, certified, error) != 0 || test_publication(options, dialect, certified, error) != 0 ||
        certified_read(certified, dialect, error) != 0 || launch_all(options, certified, error) != 0)
        return -1;
    return certified_judge(certified, error);
}
