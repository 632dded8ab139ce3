#include "cli/reproduce.h"

#include "explain/explain.h"
#include "report/given.h"
#include "reproducer/reproducer.h"
#include "scenario/plan.h"
#include "wire/wire.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A path of the command line as it is from here. Allocated; NULL if memory is short. */
static char *from_here(const struct evidence *evidence, const char *path)
{
    char *here = NULL;
    if (path[0] == '/' || evidence->run.folder[0] == '\0')
        return strdup(path);
    return asprintf(&here, "%s/%s", evidence->run.folder, path) < 0 ? NULL : here;
}

static int find_kernel_folder(const struct evidence *evidence, const struct given *given, char **folder,
                              struct error *error)
{
    if (given->kernel_folder == NULL)
        return 0;
    *folder = from_here(evidence, given->kernel_folder);
    if (*folder == NULL)
        return error_set(error, STATUS_HARNESS, "no memory for a path");
    if (access(*folder, R_OK | X_OK) == 0)
        return 0;
    return error_set(error, STATUS_USAGE, "the run read its kernels from %s, which can no longer be read", *folder);
}

/* --- the scenario --- */

static int load(const struct evidence *evidence, const struct given *given, const char *kernel_folder,
                struct scenario *scenario, struct error *error)
{
    const char *name = evidence->trial.work.scenario;

    if (given->scenario == NULL)
        return scenario_find(name, kernel_folder != NULL ? kernel_folder : "", scenario, error);
    char *path = from_here(evidence, given->scenario);
    if (path == NULL)
        return error_set(error, STATUS_HARNESS, "no memory for a path");
    const int result = scenario_load(path, kernel_folder, scenario, error);
    free(path);
    return result;
}

/* The store keeps a digest of the scenario's text and its kernel's. */
static int check_digest(struct store *store, const struct given *given, const struct scenario *scenario,
                        struct error *error)
{
    struct store_source source;
    char digest[sizeof source.digest];

    snprintf(digest, sizeof digest, "%016" PRIx64, scenario->digest);
    if (store_find_source(store, given->scenario != NULL ? given->scenario : scenario->file, &source, error) != 0)
        return -1;
    if (source.digest[0] == '\0' || strcmp(source.digest, digest) == 0)
        return 0;
    return error_set(error, STATUS_USAGE, "%s or its kernel has changed since the run", scenario->file);
}

/* --- the point --- */

static bool is_same(const struct evidence *evidence, const struct trial *trial)
{
    char name[sizeof evidence->name];
    const struct workload *stored = &evidence->trial.work, *found = &trial->work;

    trial_id(trial, 0, name, sizeof name);
    const size_t length = strcspn(name, "#");
    return strncmp(name, evidence->name, length) == 0 && evidence->name[length] == '#' &&
           strcmp(stored->options, found->options) == 0 && stored->sync_words == found->sync_words;
}

/* What was stored of the trial goes before what the plan says. */
static void take(const struct evidence *evidence, const struct trial *planned, struct trial *trial)
{
    const struct workload *stored = &evidence->trial.work;

    *trial = evidence->trial;
    trial->work = planned->work;
    trial->work.fuse = stored->fuse;
    trial->work.seed = stored->seed;
    trial->work.jitter = stored->jitter;
    trial->work.uneven = stored->uneven;
    trial->work.burners = stored->burners;
    trial->work.held = stored->held;
    trial->work.traffic = stored->traffic;
}

static int find(const struct evidence *evidence, const struct scenario *scenario, struct trial *trial,
                struct error *error)
{
    struct plan plan;
    struct trial planned;
    struct expected expected;
    const char *reason;

    plan_init(&plan, scenario, evidence->device.info.compute_units, MIRROR_GROUPS, &evidence->device.probe);
    plan.settings = (struct plan_settings){
        .iterations_given = true, .iterations = evidence->trial.repeats, .live = evidence->trial.live};
    while (plan_next(&plan)) {
        plan.resident = evidence->prediction.resident;
        const int outcome = plan_trial(&plan, &planned, &expected, &reason, error);
        if (outcome < 0)
            return -1;
        if (outcome > 0 || !is_same(evidence, &planned))
            continue;
        take(evidence, &planned, trial);
        return 0;
    }
    return error_set(error, STATUS_USAGE, "%s no longer has this point: %.200s", scenario->file, evidence->name);
}

static int restore(struct store *store, const struct evidence *evidence, const struct given *given,
                   const char *kernel_folder, struct trial *trial, struct error *error)
{
    static struct scenario scenario;

    if (load(evidence, given, kernel_folder, &scenario, error) != 0 ||
        check_digest(store, given, &scenario, error) != 0)
        return -1;
    return find(evidence, &scenario, trial, error);
}

/*
 * Sets *trial to the one that was run, with all of its workload: a run file names the scenario, and not each buffer.
 * The scenario and its kernel are looked for where the run found them, and have to be what they were; `kernel_folder`
 * (freed by the caller) is where kernels were looked for first, or NULL. -1 with STATUS_USAGE if a file is gone or
 * has changed, STATUS_HARNESS when memory is short.
 */
static int restore_point(struct store *store, const struct evidence *evidence, struct trial *trial,
                         char **kernel_folder, struct error *error)
{
    struct given given;
    int result = -1;

    *kernel_folder = NULL;
    *trial = evidence->trial;
    if (given_read(evidence->run.command_line, evidence->trial.work.scenario, &given) != 0)
        return error_set(error, STATUS_USAGE, "the run file has no readable command line");
    if (find_kernel_folder(evidence, &given, kernel_folder, error) == 0) {
        /* Of the limits kernel all is in the trial. */
        const bool is_whole = evidence->trial.work.scenario[0] == '\0';
        result = is_whole ? 0 : restore(store, evidence, &given, *kernel_folder, trial, error);
    }
    given_fini(&given);
    return result;
}

/* --- programs --- */

int reproduce(struct store *store, const struct evidence *evidence, const char *folder, struct error *error)
{
    char *kernel_folder = NULL;
    struct trial trial;
    int result = -1;

    if (reproducer_check(evidence, error) == 0 && restore_point(store, evidence, &trial, &kernel_folder, error) == 0) {
        const struct reproducer reproducer = {evidence, &trial, {trial.work.folder, kernel_folder}};
        result = reproducer_write(&reproducer, folder, error);
    }
    free(kernel_folder);
    if (result == 0)
        printf("%s/" REPRODUCER_PROGRAM " and " REPRODUCER_KERNEL
               " repeat this launch: cc stall.c -lOpenCL -o stall && ./stall\n",
               folder);
    return result;
}

int reproduce_promise(struct store *store, const struct evidence_wanted *wanted, const char *folder,
                      struct error *error)
{
    struct report report = {.heads = NULL};
    const struct audit_device *device;
    struct reproduced_promise reproduced;
    int result = report_read(&report, store, error);

    if (result == 0)
        result = explain_find_promise(&report, wanted, &device, &reproduced.row, error);
    if (result == 0) {
        reproduced.device = &device->stored;
        reproduced.environment = report.head_count == 1 ? report.heads[0].run.environment : "";
        result = reproducer_write_promise(&reproduced, folder, error);
    }
    if (result == 0)
        printf("%s/" REPRODUCER_PROMISE " holds a driver to %s: cc promise.c -lOpenCL -o promise && ./promise\n",
               folder, reproduced.row->promise->name);
    report_fini(&report);
    return result;
}
