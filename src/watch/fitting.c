#include "watch/fitting.h"

#include "base/alloc.h"
#include "base/words.h"
#include "core/text.h"
#include "host/signals.h"
#include "report/limits.h"
#include "watch/tell.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const uint64_t most_ns = 60000000000ull;
enum { WORDS_MOST = 64 };

/* --- the command --- */

struct words {
    char *words[WORDS_MOST]; /* owned */
    int count, shown;        /* those behind `shown` are not for people */
};

static void add(struct words *words, char *word)
{
    if (words->count < WORDS_MOST - 1)
        words->words[words->count++] = word;
    else
        free(word);
}

static void add_pair(struct words *words, const char *option, char *value)
{
    add(words, xstrdup(option));
    add(words, value);
}

static void free_words(struct words *words)
{
    for (int i = 0; i < words->count; ++i)
        free(words->words[i]);
}

static void name_limits(struct words *words, const struct page_command *launch, const char *source, char *options)
{
    char shape[64] = "";

    for (uint32_t i = 0; i < launch->dimensions; ++i)
        text_list(shape, sizeof shape, "x", "%" PRIu64, (uint64_t)launch->local[i]);
    add_pair(words, "gridlock", xstrdup("limits"));
    add_pair(words, "--source", xstrdup(source));
    add_pair(words, "--kernel", xstrdup(launch->kernel));
    add_pair(words, "--local-size", xstrdup(shape));
    if (options[0] != '\0')
        add_pair(words, "--build-options", options);
    else
        free(options);
    for (uint32_t i = 0; i < launch->argument_count; ++i)
        if (launch->arguments[i].local != 0 && launch->arguments[i].size > 0)
            add_pair(words, "--arg", xasprintf("%" PRIu32 "=local:%" PRIu32, i, launch->arguments[i].size));
}

/* --- the child --- */

struct task {
    struct words words;
    char **environment;
    char folder[PATH_MAX]; /* of the program */
};

static void measure(const void *what, int to)
{
    const struct task *const task = what;
    const int null = open("/dev/null", O_RDWR | O_CLOEXEC);

    signals_restore();
    if (null < 0 || dup2(null, STDIN_FILENO) < 0 || dup2(to, STDOUT_FILENO) < 0 || dup2(null, STDERR_FILENO) < 0)
        return;
    if (task->folder[0] == '\0' || chdir(task->folder) == 0)
        execve("/proc/self/exe", task->words.words, task->environment);
}

static bool begins(const char *text, const char *name)
{
    const size_t length = strlen(name);
    return strncmp(text, name, length) == 0 && text[length] == '=';
}

/* What a variable is called that was there before the door; NULL: it is the door's. */
static char *before_the_door(const char *variable)
{
    static const char *const pairs[][2] = {{DOOR_VENDORS, "OCL_ICD_VENDORS"}, {DOOR_VENDOR_PATH, "OPENCL_VENDOR_PATH"}};

    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; ++i) {
        if (begins(variable, pairs[i][0]))
            return xasprintf("%s=%s", pairs[i][1], strchr(variable, '=') + 1);
        if (begins(variable, pairs[i][1]))
            return NULL;
    }
    return begins(variable, DOOR_FOLDER) || begins(variable, DOOR_WATCH) ? NULL : xstrdup(variable);
}

/* That with which it was started. */
static char **environment_of(pid_t process)
{
    char path[PROCESS_PATH], *variable = NULL, **all = NULL;
    size_t size = 0, count = 0;

    process_path(process, "environ", path);
    FILE *file = fopen(path, "re");
    while (file != NULL && getdelim(&variable, &size, '\0', file) > 0) {
        char *word = before_the_door(variable);
        if (word == NULL)
            continue;
        GROW(all, count); // NOLINT(bugprone-sizeof-expression): they are pointers
        all[count++] = word;
    }
    free(variable);
    if (file != NULL)
        fclose(file);
    GROW(all, count); // NOLINT(bugprone-sizeof-expression)
    all[count] = NULL;
    return all;
}

static void free_task(struct task *task)
{
    free_words(&task->words);
    for (char **variable = task->environment; *variable != NULL; ++variable)
        free(*variable);
    free(task->environment);
}

/* --- files --- */

/* NULL: it cannot be read. */
static char *read_file(const char *folder, const struct account *account, uint32_t number, const char *ending)
{
    char path[PATH_MAX], *text = NULL;
    size_t size = 0;

    snprintf(path, sizeof path, "%s/%ld-%" PRIu32 ".%s", folder, (long)account->process->pid, number, ending);
    FILE *file = fopen(path, "re");
    if (file == NULL)
        return NULL;
    if (getdelim(&text, &size, '\0', file) < 0) {
        free(text);
        text = xstrdup("");
    }
    fclose(file);
    return text;
}

/* Puts the source where it stays; false: there is none, or it cannot be written. */
static bool keep_source(const char *text, const char *path)
{
    FILE *file = text != NULL ? fopen(path, "we") : NULL;
    const bool written = file != NULL && fputs(text, file) >= 0;

    return file != NULL && fclose(file) == 0 && written;
}

/* --- from its beginning to its end --- */

static void begin(struct fitting *fitting, const struct account *account, struct task *task, const char *folder)
{
    const long pid = (long)account->process->pid;
    char path[PROCESS_PATH];

    fitting->command = words_join(task->words.words, (size_t)task->words.count);
    add_pair(&task->words, "--estimator", xstrdup("census,barrier"));
    add_pair(&task->words, "--iterations", xstrdup("3"));
    add_pair(&task->words, "--device-wait", xstrdup("10"));
    fitting->run = xasprintf("%s/%ld-fit.gridlock", folder, pid);
    add_pair(&task->words, "--run", xstrdup(fitting->run));
    task->environment = environment_of(account->process->pid);
    process_path(account->process->pid, "cwd", path);
    const ssize_t length = readlink(path, task->folder, sizeof task->folder - 1);
    task->folder[length > 0 ? length : 0] = '\0';
    fitting->aside.has_children = aside_begin(&fitting->aside, measure, task);
    free_task(task);
}

void fitting_begin(struct fitting *fitting, const struct account *account, const char *folder, const char *keep)
{
    const struct page_command *launch = account_launch(account);
    struct task task = {.words.count = 0};

    if (launch == NULL || command_groups(launch) == 0 || !account_runs(account, launch->kernel) ||
        fitting->kernel[0] != '\0')
        return;
    const struct page_queue *queue = &account->page->queues[launch->queue];
    snprintf(fitting->kernel, sizeof fitting->kernel, "%s", launch->kernel);
    snprintf(fitting->device, sizeof fitting->device, "%s", queue->device);
    fitting->groups = command_groups(launch);
    fitting->items = 1;
    for (uint32_t i = 0; i < launch->dimensions; ++i)
        fitting->items *= launch->local[i];
    char *text = launch->program != 0 ? read_file(folder, account, launch->program, "cl") : NULL;
    char *options = launch->program != 0 ? read_file(folder, account, launch->program, "options") : NULL;
    char *path = xasprintf("%s/watch-%ld-%s.cl", keep, (long)account->process->pid, launch->kernel);
    if (options != NULL && keep_source(text, path)) {
        name_limits(&task.words, launch, path, options);
        add_pair(&task.words, "--device", xstrdup(fitting->device));
        begin(fitting, account, &task, folder);
    } else
        free(options);
    free(text);
    free(path);
}

/* Reads the one row of the run file; 0: it has none, or it is not sure. */
static uint64_t read_fit(const char *path)
{
    struct limits_report report = {.count = 0};
    struct store *store = NULL;
    struct error error;
    uint64_t fit = 0;

    if (store_open(path, &store, &error) != 0)
        return 0;
    if (limits_report_update(&report, store, &error) == 0 && report.count == 1 && report.devices[0].count == 1)
        fit = limits_row_fits(&report.devices[0].rows[0]);
    limits_report_fini(&report);
    store_close(store);
    return fit;
}

bool fitting_step(struct fitting *fitting)
{
    if (fitting->aside.child == 0 || !aside_ended(&fitting->aside, most_ns))
        return false;
    fitting->fit = read_fit(fitting->run);
    return true;
}

void fitting_fini(struct fitting *fitting)
{
    aside_forget(&fitting->aside);
    free(fitting->command);
    free(fitting->run);
    fitting->command = fitting->run = NULL;
}
