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

/* --- litmus tests --- */

static void add_expectation(struct report *report, const struct store_run *run)
{
    struct error ignored; /* the run would not have begun with another text */

    for (size_t i = 0; i < run->asked_count; ++i)
        if (strcmp(run->asked[i].option, "expect") == 0)
            progress_expectation_parse(run->asked[i].value, &report->expectation, &ignored);
}

static enum status progress_status(const struct report *report, verdict_set *verdicts)
{
    *verdicts = 0;
    return progress_report_status(&report->progress, &report->expectation);
}

static uint64_t progress_units(const struct report *report, size_t device)
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

/* --- scenarios --- */

static uint64_t run_units(const struct report *report, size_t device)
{
    const struct run_device *run = &report->run.devices[device];
    uint64_t count = 0;

    for (size_t i = 0; i < run->count; ++i)
        count += run->scenarios[i].count;
    return count;
}

/* --- all --- */

/* What is asked of a report is asked of its member for the kind. */
#define ASK(member, fill)                                                                                              \
    static int member##_read(struct report *report, struct store *store, struct error *error)                          \
    {                                                                                                                  \
        return fill(&report->member, store, error);                                                                    \
    }                                                                                                                  \
    static const struct store_device *member##_device(const struct report *report, size_t device)                      \
    {                                                                                                                  \
        return device < report->member.count ? &report->member.devices[device].stored : NULL;                          \
    }
ASK(limits, limits_report_update)
ASK(progress, progress_report_read)
ASK(audit, audit_report_read)
ASK(proofs, proofs_report_read)
ASK(watches, watches_report_read)
ASK(run, run_report_update)

#define JUDGE(member)                                                                                                  \
    static enum status member##_status(const struct report *report, verdict_set *verdicts)                             \
    {                                                                                                                  \
        return member##_report_status(&report->member, verdicts);                                                      \
    }
JUDGE(limits)
JUDGE(audit)
JUDGE(proofs)
JUDGE(watches)
JUDGE(run)

/* Of a kind whose units are rows of its devices. */
#define COUNT(member)                                                                                                  \
    static uint64_t member##_units(const struct report *report, size_t device)                                         \
    {                                                                                                                  \
        return report->member.devices[device].count;                                                                   \
    }
COUNT(limits)
COUNT(audit)
COUNT(proofs)
COUNT(watches)

#define OF(member) .read = member##_read, .status = member##_status, .device = member##_device, .units = member##_units
const struct kind kinds[REPORT_KINDS] = {
    [REPORT_LIMITS] = {OF(limits), .name = "limits", .units_name = "footprints", .claims = has_searched},
    [REPORT_PROGRESS] = {OF(progress), .name = "progress", .units_name = "tests", .of = "litmus tests",
                         .of_tests = true, .asked = add_expectation, .partial = leave_open},
    [REPORT_AUDIT] = {OF(audit), .name = "audit", .units_name = "promises", .of = "promises",
                      .outcomes = &keeping_naming, .alone = true},
    [REPORT_PROOFS] = {OF(proofs), .name = "prove", .units_name = "launches", .of = "proofs",
                       .outcomes = &proof_verdict_naming, .alone = true, .asked = add_allowed},
    [REPORT_WATCH] = {OF(watches), .name = "watch", .units_name = "sightings", .of = "programs that were watched",
                      .outcomes = &watch_verdict_naming, .alone = true},
    [REPORT_RUN] = {OF(run), .name = "run", .units_name = "points"},
};
