#include "report/kind.h"

#include <string.h>

bool report_is_of_tries(const struct report *report)
{
    bool all = report->head_count > 0;

    for (size_t i = 0; i < report->head_count; ++i) {
        const char *command = report->heads[i].run.command;
        all = all && (strcmp(command, "try") == 0 || strcmp(command, "replay") == 0);
    }
    return all;
}

/* --- limits --- */

/* A search has estimators; a run of scenarios searches nothing. */
static int has_searched(struct store *store, struct error *error)
{
    struct store_device device = {.id = 0};
    int found;

    while ((found = store_next_device(store, &device, error)) == 1)
        for (int i = 0; i < ESTIMATOR_COUNT; ++i)
            if (device.options.estimators[i])
                return 1;
    return found;
}

static int read_limits(struct report *report, struct store *store, struct error *error)
{
    return limits_report_update(&report->limits, store, error);
}

static enum status limits_status(const struct report *report, verdict_set *verdicts)
{
    return limits_report_status(&report->limits, verdicts);
}

static const struct store_device *limits_device(const struct report *report, size_t device)
{
    return device < report->limits.count ? &report->limits.devices[device].stored : NULL;
}

static uint64_t footprints(const struct report *report, size_t device)
{
    return report->limits.devices[device].count;
}

/* --- litmus tests --- */

static void add_expectation(struct report *report, const struct store_run *run)
{
    struct error ignored; /* the run would not have begun with another text */

    for (size_t i = 0; i < run->asked_count; ++i)
        if (strcmp(run->asked[i].option, "expect") == 0)
            progress_expectation_parse(run->asked[i].value, &report->expectation, &ignored);
}

static int read_progress(struct report *report, struct store *store, struct error *error)
{
    return progress_report_read(&report->progress, store, error);
}

static enum status progress_status(const struct report *report, verdict_set *verdicts)
{
    *verdicts = 0;
    return progress_report_status(&report->progress, &report->expectation);
}

static const struct store_device *progress_device(const struct report *report, size_t device)
{
    return device < report->progress.count ? &report->progress.devices[device].stored : NULL;
}

static uint64_t tests(const struct report *report, size_t device)
{
    uint64_t count = 0;

    for (enum block_level level = 0; level < LEVEL_COUNT; ++level) {
        const struct progress_device *at = progress_at(&report->progress.devices[device], level);
        count += at != NULL ? at->tests : 0;
    }
    return count;
}

static void leave_open(struct report *report, size_t device)
{
    struct progress_device *whole = &report->progress.devices[device];

    whole->classification.partial = true;
    for (int level = 0; level < LEVEL_COUNT; ++level)
        if (whole->below[level] != NULL)
            whole->below[level]->classification.partial = true;
}

/* --- promises --- */

static int read_audit(struct report *report, struct store *store, struct error *error)
{
    return audit_report_read(&report->audit, store, error);
}

static enum status audit_status(const struct report *report, verdict_set *verdicts)
{
    return audit_report_status(&report->audit, verdicts);
}

static const struct store_device *audit_device_of(const struct report *report, size_t device)
{
    return device < report->audit.count ? &report->audit.devices[device].stored : NULL;
}

static uint64_t promises_of(const struct report *report, size_t device)
{
    return report->audit.devices[device].count;
}

/* --- proofs --- */

static void add_allowed(struct report *report, const struct store_run *run)
{
    for (size_t i = 0; i < run->asked_count; ++i) {
        const int model = strcmp(run->asked[i].option, "needs") == 0
                              ? naming_find(&litmus_model_naming, run->asked[i].value)
                              : -1; /* the run would not have begun with another text */
        if (model >= 0)
            report->proofs.allowed = (struct proofs_allowed){true, (enum litmus_model)model};
    }
}

static int read_proofs(struct report *report, struct store *store, struct error *error)
{
    return proofs_report_read(&report->proofs, store, error);
}

static enum status proofs_status(const struct report *report, verdict_set *verdicts)
{
    return proofs_report_status(&report->proofs, verdicts);
}

static const struct store_device *proofs_device(const struct report *report, size_t device)
{
    return device < report->proofs.count ? &report->proofs.devices[device].stored : NULL;
}

static uint64_t launches(const struct report *report, size_t device)
{
    return report->proofs.devices[device].count;
}

/* --- programs that were watched --- */

static int read_watches(struct report *report, struct store *store, struct error *error)
{
    return watches_report_read(&report->watches, store, error);
}

static enum status watches_status(const struct report *report, verdict_set *verdicts)
{
    return watches_report_status(&report->watches, verdicts);
}

static const struct store_device *watches_device(const struct report *report, size_t device)
{
    return device < report->watches.count ? &report->watches.devices[device].stored : NULL;
}

static uint64_t sightings(const struct report *report, size_t device)
{
    return report->watches.devices[device].count;
}

/* --- scenarios --- */

static int read_run(struct report *report, struct store *store, struct error *error)
{
    return run_report_update(&report->run, store, error);
}

static enum status run_status(const struct report *report, verdict_set *verdicts)
{
    return run_report_status(&report->run, verdicts);
}

static const struct store_device *run_device(const struct report *report, size_t device)
{
    return device < report->run.count ? &report->run.devices[device].stored : NULL;
}

static uint64_t points(const struct report *report, size_t device)
{
    const struct run_device *run = &report->run.devices[device];
    uint64_t count = 0;

    for (size_t i = 0; i < run->count; ++i)
        count += run->scenarios[i].count;
    return count;
}

const struct kind kinds[REPORT_KINDS] = {
    [REPORT_LIMITS] =
        {
            .name = "limits",
            .units_name = "footprints",
            .units = footprints,
            .claims = has_searched,
            .read = read_limits,
            .status = limits_status,
            .device = limits_device,
        },
    [REPORT_PROGRESS] =
        {
            .name = "progress",
            .units_name = "tests",
            .units = tests,
            .partial = leave_open,
            .of_tests = true,
            .of = "litmus tests",
            .asked = add_expectation,
            .read = read_progress,
            .status = progress_status,
            .device = progress_device,
        },
    [REPORT_AUDIT] =
        {
            .name = "audit",
            .units_name = "promises",
            .of = "promises",
            .outcomes = &keeping_naming,
            .alone = true,
            .units = promises_of,
            .read = read_audit,
            .status = audit_status,
            .device = audit_device_of,
        },
    [REPORT_PROOFS] =
        {
            .name = "prove",
            .units_name = "launches",
            .of = "proofs",
            .outcomes = &proof_verdict_naming,
            .alone = true,
            .units = launches,
            .asked = add_allowed,
            .read = read_proofs,
            .status = proofs_status,
            .device = proofs_device,
        },
    [REPORT_WATCH] =
        {
            .name = "watch",
            .units_name = "sightings",
            .of = "programs that were watched",
            .outcomes = &watch_verdict_naming,
            .alone = true,
            .units = sightings,
            .read = read_watches,
            .status = watches_status,
            .device = watches_device,
        },
    [REPORT_RUN] =
        {
            .name = "run",
            .units_name = "points",
            .units = points,
            .read = read_run,
            .status = run_status,
            .device = run_device,
        },
};
