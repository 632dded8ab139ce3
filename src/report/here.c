#include "report/here.h"

#include "base/alloc.h"
#include "base/file.h"
#include "base/sha256.h"
#include "base/tally.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SOURCE_MIB = 64 };

/* --- the runs --- */

int here_add(struct here_runs *runs, const char *path, struct error *error)
{
    if (runs->count == HERE_RUNS)
        return error_set(error, STATUS_USAGE, "--limits: at most %d run files are allowed", HERE_RUNS);
    struct here_run *run = &runs->runs[runs->count++];
    *run = (struct here_run){.path = path};
    int outcome = store_open(path, &run->store, error);
    if (outcome == 0)
        outcome = report_read(&run->report, run->store, error);
    if (outcome == 0 && run->report.kind != REPORT_LIMITS && run->report.kind != REPORT_PROGRESS &&
        run->report.kind != REPORT_RUN && run->report.kind != REPORT_AUDIT)
        outcome = error_set(error, STATUS_USAGE,
                            "'%.200s' is of gridlock %s: expected a run of limits, progress, run or audit", path,
                            report_kind_name(run->report.kind));
    if (outcome == 0)
        (void)sha256_file(path, run->sha256);
    return outcome == 0 ? 0 : error_context(error, "--limits");
}

void here_close(struct here_runs *runs)
{
    for (size_t i = 0; i < runs->count; ++i) {
        report_fini(&runs->runs[i].report);
        store_close(runs->runs[i].store);
    }
    *runs = (struct here_runs){.count = 0};
}

/*
 * Devices of one kind, with one driver: of machines that were rented it is another one each day. The name of a model
 * device says all.
 */
static bool is_alike(const struct device_info *a, const struct device_info *b)
{
    return strcmp(a->platform, b->platform) == 0 && strcmp(a->name, b->name) == 0 &&
           strcmp(a->driver_version, b->driver_version) == 0 &&
           (a->compute_units == b->compute_units || device_info_is_model(a));
}

/* --- how many groups fit --- */

struct finding_here {
    const struct here_runs *runs;
    struct store *store; /* of the proofs */
    struct proofs_device *proofs;
    struct here *here;
    struct error *error;
};

static bool same_shape(const struct nd_range *a, const struct nd_range *b)
{
    return a->dimensions == b->dimensions && memcmp(a->local, b->local, sizeof a->local) == 0;
}

/* Of several limits of one shape the least is kept; those that were measured as the kernel was launched count alone. */
static void add_fit(struct here *here, enum here_counted counted, const struct here_fit *fit)
{
    size_t i = 0;

    if (here->counted != counted)
        here->fit_count = 0;
    here->counted = counted;
    while (i < here->fit_count && !same_shape(&here->fits[i].shape, &fit->shape))
        ++i;
    if (i == here->fit_count) {
        here->fits = xrealloc(here->fits, (i + 1) * sizeof *here->fits);
        here->fits[here->fit_count++] = *fit;
    } else if (fit->resident < here->fits[i].resident) {
        here->fits[i] = *fit;
    }
}

static struct nd_range one_dimension(uint32_t items)
{
    return (struct nd_range){.dimensions = 1, .local = {items, 1, 1}};
}

static void add_row(struct here *here, enum here_counted counted, const struct limits_row *row)
{
    const struct footprint *footprint = &row->search.footprint;
    const uint32_t resident = limits_row_fits(row);
    struct here_fit fit = {.resident = resident};

    if (resident == 0)
        return;
    fit.stalls_at = row->limit.stalls > 0 ? row->limit.stalls_at : 0;
    fit.shape = one_dimension(footprint->local_size);
    if (footprint->subject.file[0] != '\0')
        fit.shape = footprint->subject.shape;
    add_fit(here, counted, &fit);
}

static int same_text(const struct finding_here *finding, const struct here_run *run, const struct subject *own,
                     const struct subject *measured, bool *same)
{
    struct store_source a, b;

    if (store_find_source(finding->store, own->file, &a, finding->error) != 0 ||
        store_find_source(run->store, measured->file, &b, finding->error) != 0)
        return -1;
    *same = a.digest[0] != '\0' && strcmp(a.digest, b.digest) == 0;
    return 0;
}

/* The rows of the very kernel. */
static int add_kernel(const struct finding_here *finding, const struct here_run *run,
                      const struct limits_device *measured)
{
    const struct subject *own = &finding->proofs->rows[finding->here->row].trial.footprint.subject;

    for (size_t i = 0; i < measured->count && own->file[0] != '\0'; ++i) {
        const struct limits_row *row = &measured->rows[i];
        const struct subject *subject = &row->search.footprint.subject;
        bool same = false;
        if (subject->file[0] == '\0' || limits_row_is_ours(row) || strcmp(subject->kernel, own->kernel) != 0 ||
            !subject_same_options(subject->options, own->options))
            continue;
        if (same_text(finding, run, own, subject, &same) != 0)
            return -1;
        if (same)
            add_row(finding->here, HERE_KERNEL, row);
    }
    return 0;
}

/* The footprints that have nothing but work-items, and the local memory of the scenario's kernel. */
static void add_ours(const struct finding_here *finding, const struct limits_device *measured)
{
    const struct footprint *own = &finding->proofs->rows[finding->here->row].trial.footprint;

    for (size_t i = 0; i < measured->count; ++i) {
        const struct footprint *footprint = &measured->rows[i].search.footprint;
        if (footprint->subject.file[0] == '\0' && footprint->private_bytes == 0 &&
            footprint->local_memory_bytes == own->local_memory_bytes)
            add_row(finding->here, HERE_OURS, &measured->rows[i]);
    }
}

/* --- what scenarios showed --- */

struct walking {
    struct here *here;
    const struct trial *own;
    enum dialect dialect;
};

enum dialect here_dialect(const struct here_runs *runs)
{
    return runs->dialect != DIALECT_NONE ? runs->dialect : DIALECT_CL30;
}

/* Where nothing but passing was right, kernels of this dialect publish what they wrote, or do not. */
static void count_published(struct certificate_device *found, const struct store_trial *stored, enum dialect dialect)
{
    const verdict_set old = UINT32_C(1) << VERDICT_STALE | UINT32_C(1) << VERDICT_WRONG;

    if (!stored->trial.work.publication || stored->trial.groups < 2 || stored->trial.dialect != dialect ||
        stored->prediction.expected.verdicts == 0 || (stored->prediction.expected.verdicts & old) != 0)
        return;
    for (uint32_t i = 0; i < stored->count; ++i) {
        found->published += stored->launches[i].verdict == VERDICT_PASS;
        found->stale += verdict_is_in(stored->launches[i].verdict, old);
    }
}

static int take_trial(void *context, const struct store_trial *stored)
{
    const struct walking *walking = context;
    const struct trial *trial = &stored->trial;

    count_published(&walking->here->found, stored, walking->dialect);
    if (walking->own->footprint.subject.file[0] == '\0' && stored->prediction.resident > 0 &&
        trial->work.range.dimensions == 0 && strcmp(trial->work.scenario, walking->own->work.scenario) == 0)
        add_fit(walking->here, HERE_SCENARIO,
                &(struct here_fit){.shape = one_dimension(trial->footprint.local_size),
                                   .resident = stored->prediction.resident});
    return 0;
}

static int add_scenarios(const struct finding_here *finding, const struct here_run *run, int64_t device)
{
    struct walking walking = {finding->here, &finding->proofs->rows[finding->here->row].trial,
                              here_dialect(finding->runs)};
    const struct store_walk walk = {.device = device, .quick = true, .take = take_trial, .context = &walking};

    return store_each_trial(run->store, &walk, finding->error);
}

/* What an audit says of that: atomics of device scope that release and acquire, whether promised or not. */
static void add_promises(struct certificate_device *found, const struct audit_device *audit)
{
    for (size_t i = 0; i < audit->count; ++i) {
        const struct audit_row *row = &audit->rows[i];
        const struct finding *finding = &row->finding;
        if (strcmp(row->promise->name, "atomic-acq-rel-device") != 0 &&
            strcmp(row->promise->name, "atomic-seq-cst-device") != 0)
            continue;
        found->published += finding->measured != 0 ? finding->tries - finding->fails : 0;
        found->stale += finding->fails;
    }
}

/* --- a kernel on a device --- */

/* What all runs say of it; the kernel's own limits before others. */
static int add_runs(const struct finding_here *finding, enum here_counted counted)
{
    struct here *here = finding->here;
    int outcome = 0;

    for (size_t i = 0; outcome == 0 && i < finding->runs->count; ++i) {
        const struct here_run *run = &finding->runs->runs[i];
        const struct store_device *stored;
        for (size_t j = 0; outcome == 0 && (stored = report_device(&run->report, j)) != NULL; ++j) {
            if (!is_alike(&stored->info, here->device))
                continue;
            here->used |= UINT32_C(1) << i;
            if (run->report.kind == REPORT_LIMITS && counted == HERE_KERNEL)
                outcome = add_kernel(finding, run, &run->report.limits.devices[j]);
            else if (run->report.kind == REPORT_LIMITS && counted == HERE_OURS)
                add_ours(finding, &run->report.limits.devices[j]);
            else if (run->report.kind == REPORT_RUN && counted == HERE_SCENARIO)
                outcome = add_scenarios(finding, run, stored->id);
            else if (run->report.kind == REPORT_AUDIT && counted == HERE_NOTHING &&
                     here_dialect(finding->runs) == DIALECT_CL30)
                add_promises(&here->found, &run->report.audit.devices[j]);
            else if (run->report.kind == REPORT_PROGRESS && counted == HERE_NOTHING)
                certificate_add_tests(&here->found, &run->report.progress.devices[j].classification);
        }
    }
    return outcome;
}

static int compare_fits(const void *a, const void *b)
{
    const uint64_t one = nd_range_local_size(&((const struct here_fit *)a)->shape);
    const uint64_t other = nd_range_local_size(&((const struct here_fit *)b)->shape);
    return (one > other) - (one < other);
}

static void certify(const struct finding_here *finding)
{
    const struct proofs_device *proofs = finding->proofs;
    const struct proof_row *first = &proofs->rows[finding->here->row];
    struct certificate_launch *launches = xcalloc(proofs->count, sizeof *launches);
    size_t count = 0;

    for (size_t i = finding->here->row; i < proofs->count; ++i)
        if (here_same_kernel(&proofs->rows[i], first))
            launches[count++] = (struct certificate_launch){proofs->rows[i].trial.groups, proofs->rows[i].proved,
                                                            &proofs->rows[i].result.progress};
    certificate_find(launches, count, &finding->here->found, &finding->here->certificate);
    free(launches);
}

/* Of the file, if it is there and still has the text that was proved. */
static int hash_source(const struct finding_here *finding, const struct subject *subject)
{
    const bool is_input = strcmp(subject->file, SUBJECT_STDIN) == 0;
    struct here *here = finding->here;
    struct store_source proved;
    struct error missing;
    char digest[sizeof proved.digest];
    size_t length;

    if (subject->file[0] == '\0')
        return 0;
    here->path = subject->file;
    sha256_bytes(subject->options, strlen(subject->options), here->options_sha256);
    if (store_find_source(finding->store, subject->file, &proved, finding->error) != 0)
        return -1;
    char *text = file_read(is_input ? "/proc/self/fd/0" : subject->file, "source", SOURCE_MIB, &length, &missing);
    if (text == NULL)
        return 0;
    snprintf(digest, sizeof digest, "%016" PRIx64, tally_hash_bytes(text, length));
    if (strcmp(digest, proved.digest) == 0)
        sha256_bytes(text, length, here->source_sha256);
    free(text);
    return 0;
}

static void mark_unsafe(struct proofs_device *proofs, size_t first)
{
    for (size_t i = first; i < proofs->count; ++i) {
        struct proof_row *row = &proofs->rows[i];
        if (!here_same_kernel(row, &proofs->rows[first]))
            continue;
        proofs->exceeding += !row->exceeds && !row->unsafe;
        row->unsafe = row->batches.surprise = true;
    }
}

static int find_kernel(struct finding_here *finding, size_t row, const struct device_info *device)
{
    static const enum here_counted sources[] = {HERE_NOTHING, HERE_SCENARIO, HERE_KERNEL, HERE_OURS};
    struct proofs_device *proofs = finding->proofs;
    int outcome = 0;

    GROW(proofs->here, proofs->here_count);
    struct here *here = finding->here = &proofs->here[proofs->here_count++];
    *here = (struct here){.row = row, .device = device};
    for (size_t i = 0; outcome == 0 && i < sizeof sources / sizeof *sources; ++i)
        if (here->fit_count == 0)
            outcome = add_runs(finding, sources[i]);
    if (here->fit_count > 0)
        qsort(here->fits, here->fit_count, sizeof *here->fits, compare_fits);
    if (outcome == 0)
        outcome = hash_source(finding, &proofs->rows[row].trial.footprint.subject);
    certify(finding);
    if (certificate_is_refusal(&here->certificate))
        mark_unsafe(proofs, row);
    return outcome;
}

bool here_same_kernel(const struct proof_row *a, const struct proof_row *b)
{
    const struct subject *one = &a->trial.footprint.subject, *other = &b->trial.footprint.subject;

    return strcmp(one->file, other->file) == 0 && strcmp(one->kernel, other->kernel) == 0 &&
           strcmp(one->options, other->options) == 0 && strcmp(one->locals, other->locals) == 0 &&
           (a->trial.work.range.dimensions == 0) == (b->trial.work.range.dimensions == 0) &&
           strcmp(a->trial.work.scenario, b->trial.work.scenario) == 0 &&
           strcmp(a->trial.work.point, b->trial.work.point) == 0 && a->run == b->run;
}

static bool is_first_launch(const struct proofs_device *proofs, size_t row)
{
    for (size_t i = 0; i < row; ++i)
        if (here_same_kernel(&proofs->rows[i], &proofs->rows[row]))
            return false;
    return true;
}

/* Devices of all runs, each kind once. */
static bool is_first_device(const struct here_runs *runs, size_t run, size_t device)
{
    const struct device_info *info = &report_device(&runs->runs[run].report, device)->info;

    for (size_t i = 0; i <= run; ++i) {
        const struct store_device *other;
        for (size_t j = 0; (i < run || j < device) && (other = report_device(&runs->runs[i].report, j)) != NULL; ++j)
            if (is_alike(&other->info, info))
                return false;
    }
    return true;
}

static int find_on(struct finding_here *finding, const struct device_info *device)
{
    int outcome = 0;

    for (size_t i = 0; outcome == 0 && i < finding->proofs->count; ++i)
        if (is_first_launch(finding->proofs, i))
            outcome = find_kernel(finding, i, device);
    return outcome;
}

int here_find(const struct here_runs *runs, struct store *store, struct proofs_report *report, struct error *error)
{
    struct finding_here finding = {.runs = runs, .store = store, .error = error};
    int outcome = 0;

    for (size_t d = 0; d < report->count; ++d) {
        report->devices[d].here_runs = runs;
        for (size_t i = 0; i < runs->count; ++i)
            for (size_t j = 0; outcome == 0 && report_device(&runs->runs[i].report, j) != NULL; ++j) {
                finding.proofs = &report->devices[d];
                if (is_first_device(runs, i, j))
                    outcome = find_on(&finding, &report_device(&runs->runs[i].report, j)->info);
            }
    }
    return outcome;
}
