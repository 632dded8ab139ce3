#include "cli/reproduce.h"

#include "base/alloc.h"
#include "base/file.h"
#include "base/tally.h"
#include "base/words.h"
#include "cli/argument.h"
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

/* A path of the command line as it is from here. Allocated. */
static char *from_here(const struct store_run *run, const char *path)
{
    if (path[0] == '/' || run->folder[0] == '\0')
        return xstrdup(path);
    return xasprintf("%s/%s", run->folder, path);
}

static int find_kernel_folder(const struct evidence *evidence, char **folder, struct error *error)
{
    const char *given = given_value(&evidence->run, "kernel-dir");

    if (given == NULL)
        return 0;
    *folder = from_here(&evidence->run, given);
    if (access(*folder, R_OK | X_OK) == 0)
        return 0;
    return error_set(error, STATUS_USAGE, "the run read its kernels from %s, which can no longer be read", *folder);
}

/* --- the scenario --- */

static int load(const struct evidence *evidence, const char *file, const char *kernel_folder, struct scenario *scenario,
                struct error *error)
{
    if (file == NULL)
        return scenario_find(evidence->trial.work.scenario, kernel_folder != NULL ? kernel_folder : "", scenario,
                             error);
    char *path = from_here(&evidence->run, file);
    const int result = scenario_load(path, kernel_folder, scenario, error);
    free(path);
    return result;
}

/* The store keeps a digest of the scenario's text and its kernel's. */
static int check_digest(struct store *store, const char *file, const struct scenario *scenario, struct error *error)
{
    struct store_source source;
    char digest[sizeof source.digest];

    snprintf(digest, sizeof digest, "%016" PRIx64, scenario->digest);
    if (store_find_source(store, file != NULL ? file : scenario->file, &source, error) != 0)
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
    *trial = evidence->trial;
    trial->work = planned->work;
    trial->work.numbers = evidence->trial.work.numbers;
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

static int restore(struct store *store, const struct evidence *evidence, const char *kernel_folder, struct trial *trial,
                   struct error *error)
{
    static struct scenario scenario;
    const char *file = given_scenario(&evidence->run, evidence->trial.work.scenario);

    if (load(evidence, file, kernel_folder, &scenario, error) != 0 || check_digest(store, file, &scenario, error) != 0)
        return -1;
    return find(evidence, &scenario, trial, error);
}

/*
 * Sets *trial to the one that was run, with all of its workload: a run file names the scenario, and not each buffer.
 * The scenario and its kernel are looked for where the run found them, and have to be what they were; `kernel_folder`
 * (freed by the caller) is where kernels were looked for first, or NULL. -1 with STATUS_USAGE if a file is gone or
 * has changed.
 */
static int restore_point(struct store *store, const struct evidence *evidence, struct trial *trial,
                         char **kernel_folder, struct error *error)
{
    *kernel_folder = NULL;
    *trial = evidence->trial;
    if (find_kernel_folder(evidence, kernel_folder, error) != 0)
        return -1;
    /* Of the limits kernel all is in the trial. */
    return evidence->trial.work.scenario[0] == '\0' ? 0 : restore(store, evidence, *kernel_folder, trial, error);
}

/* --- programs --- */

/* A loader finds a driver that the run loaded by --icd, of which it knows nothing else, by this variable. */
static void say_how(const struct store_run *run, const char *program)
{
    const char *library = run != NULL ? given_value(run, "icd") : NULL;

    printf(": cc %s.c -lOpenCL -o %s && ", program, program);
    if (library != NULL) {
        fputs("OCL_ICD_VENDORS=", stdout);
        words_print(stdout, library);
        putchar(' ');
    }
    printf("./%s\n", program);
}

static int reproduce_build(const struct evidence *evidence, const char *folder, struct error *error)
{
    if (reproducer_write_build(evidence, folder, error) != 0)
        return -1;
    printf("%s/" REPRODUCER_BUILD " and " REPRODUCER_TEXT " ask the driver for the same again", folder);
    say_how(&evidence->run, "program");
    return 0;
}

int reproduce(struct store *store, const struct evidence *evidence, const char *folder, struct error *error)
{
    if (evidence->trial.footprint.subject.file[0] != '\0')
        return reproduce_build(evidence, folder, error);
    char *kernel_folder = NULL;
    struct trial trial;
    int result = -1;

    if (reproducer_check(evidence, error) == 0 && restore_point(store, evidence, &trial, &kernel_folder, error) == 0) {
        const struct reproducer reproducer = {evidence, &trial, {trial.work.folder, kernel_folder}};
        result = reproducer_write(&reproducer, folder, error);
    }
    free(kernel_folder);
    if (result == 0) {
        printf("%s/" REPRODUCER_PROGRAM " and " REPRODUCER_KERNEL " repeat this launch", folder);
        say_how(&evidence->run, "stall");
    }
    return result;
}

int reproduce_promise(struct store *store, const struct evidence_wanted *wanted, const char *folder,
                      struct error *error)
{
    struct report report = {.heads = NULL};
    const struct audit_device *device;
    struct reproduced_promise reproduced;
    const struct store_run *run = NULL;
    int result = report_read(&report, store, error);

    if (result == 0)
        result = explain_find_promise(&report, wanted, &device, &reproduced.row, error);
    if (result == 0) {
        reproduced.device = &device->stored;
        run = report_run(&report, reproduced.row->run);
        reproduced.environment = run != NULL ? run->environment : "";
        result = reproducer_write_promise(&reproduced, folder, error);
    }
    if (result == 0) {
        printf("%s/" REPRODUCER_PROMISE " holds a driver to %s", folder, reproduced.row->promise->name);
        say_how(run, "promise");
    }
    report_fini(&report);
    return result;
}

/* --- proofs --- */

enum { FILE_MIB = 64 };

/* The kernel's file as it was; NULL with STATUS_USAGE: it is gone, or another one. */
static char *read_kernel(struct store *store, const struct store_run *run, const char *file, struct error *error)
{
    struct store_source source;
    char *path = from_here(run, file), digest[sizeof source.digest];
    size_t length = 0;
    char *text = file_read(path, "the kernel", FILE_MIB, &length, error);

    free(path);
    if (text == NULL)
        return NULL;
    snprintf(digest, sizeof digest, "%016" PRIx64, tally_hash_bytes(text, length));
    int result = store_find_source(store, file, &source, error);
    if (result == 0 && source.digest[0] != '\0' && strcmp(source.digest, digest) != 0)
        result = error_set(error, STATUS_USAGE, "%s has changed since the run", file);
    if (result == 0)
        return text;
    free(text);
    return NULL;
}

static int read_arguments(const struct store_run *run, struct proof_request *request, struct error *error)
{
    for (size_t i = 0; i < run->asked_count; ++i)
        if (strcmp(run->asked[i].option, "arg") == 0 && argument_add(request, run->asked[i].value, error) != 0)
            return -1;
    return 0;
}

static int write_proof(struct store *store, const struct store_run *run, const struct proof_row *row,
                       const char *folder, struct error *error)
{
    static struct proof_request request;
    const char *file = row->trial.footprint.subject.file;
    char *text = file[0] != '\0' ? read_kernel(store, run, file, error) : xstrdup("");

    request.argument_count = 0;
    if (text == NULL)
        return -1;
    int result = read_arguments(run, &request, error);
    if (result == 0)
        result = reproducer_write_proof(
            &(struct reproduced_proof){row, text, request.arguments, request.argument_count}, folder, error);
    if (result == 0) {
        printf("%s/" REPRODUCER_PROOF " has this launch stall on a device", folder);
        say_how(NULL, "proof");
    }
    free(text);
    return result;
}

int reproduce_proof(struct store *store, const struct evidence_wanted *wanted, const char *folder, struct error *error)
{
    struct report report = {.heads = NULL};
    const struct proofs_device *device;
    const struct proof_row *row;
    int result = report_read(&report, store, error);

    if (result == 0)
        result = explain_find_proof(&report, wanted, &device, &row, error);
    if (result == 0)
        result = write_proof(store, report_run(&report, row->run), row, folder, error);
    report_fini(&report);
    return result;
}
