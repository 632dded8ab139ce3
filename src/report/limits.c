#include "report/limits.h"

#include "base/alloc.h"
#include "core/board.h"
#include "core/text.h"
#include "report/batch.h"
#include "search/ceiling.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static struct limits_row *row_of(struct limits_device *device, const struct footprint *footprint)
{
    for (size_t i = 0; i < device->count; ++i)
        if (footprint_equal(&device->rows[i].search.footprint, footprint))
            return &device->rows[i];
    GROW(device->rows, device->count);
    struct limits_row *row = &device->rows[device->count++];
    *row = (struct limits_row){0};
    search_init(&row->search, &device->stored.options, &device->stored.settings, footprint);
    return row;
}

/* The census that counted the most says which groups were resident. */
static void take_residency(struct limits_row *row, const struct store_trial *stored)
{
    const struct board board = trial_board(&stored->trial, stored->board);
    struct residency residency;

    if (stored->trial.kind != TRIAL_CENSUS || stored->board == NULL ||
        stored->board_words != trial_board_words(&stored->trial))
        return;
    residency_read(&board, &residency);
    if (residency.count >= row->residency.count) {
        residency_fini(&row->residency);
        row->residency = residency;
    } else {
        residency_fini(&residency);
    }
}

/* A file that was merged may have trials of scenarios, too. */
static int take_estimate(struct limits_row *row, const struct device_probe *probe, const struct store_trial *stored,
                         struct error *error)
{
    struct batch_reading batch;

    if ((int)stored->trial.kind >= ESTIMATOR_COUNT || stored->trial.work.kernel[0] != '\0')
        return 0;
    if (batch_read(&batch, probe, stored, error) != 0)
        return -1;
    struct limits_estimate *estimate = &row->estimates[stored->trial.kind];
    batches_add(&estimate->batches, &batch.batches);
    for (uint32_t i = 0; i < stored->count; ++i)
        if (stored->launches[i].observation.counted > estimate->counted)
            estimate->counted = stored->launches[i].observation.counted;
    return 0;
}

struct reading {
    struct limits_device *device;
    struct error *error;
};

static int take_trial(void *context, const struct store_trial *stored)
{
    struct reading *reading = context;
    struct limits_device *device = reading->device;
    struct observation *observations = NULL;
    size_t at = 0;

    if (!trial_has_board(&stored->trial)) {
        device->last_trial = stored->id;
        return 0;
    }
    struct limits_row *row = row_of(device, &stored->trial.footprint);
    device->last_trial = stored->id;
    row->incomplete = !stored->ended;
    if (!stored->ended)
        return 0;
    observations = xcalloc((size_t)stored->count + 1, sizeof *observations);
    for (uint32_t i = 0; i < stored->count; ++i)
        observations[i] = stored->launches[i].observation;
    row->left_out |= optional_parse(stored->trial.left_out);
    if (stored->subject.way != ENTRY_NONE)
        row->facts = stored->subject;
    search_take(&row->search, &stored->trial, observations, stored->count, stored->duration_ns);
    free(observations);
    /* What a failed launch left stays, also if it went well when it was repeated. */
    if (stored->note[0] != '\0' || search_failures(&row->search, &at) == NULL)
        snprintf(row->note, sizeof row->note, "%s", stored->note);
    if (take_estimate(row, &device->stored.probe, stored, reading->error) != 0)
        return -1;
    take_residency(row, stored);
    return 0;
}

static void take_device(struct limits_report *report, const struct store_device *stored)
{
    for (size_t i = 0; i < report->count; ++i)
        if (report->devices[i].stored.id == stored->id) {
            report->devices[i].stored = *stored; /* more is known of it by now */
            return;
        }
    GROW(report->devices, report->count);
    report->devices[report->count++] = (struct limits_device){.stored = *stored, .safest = -1};
}

bool limits_is_of_subjects(const struct limits_device *device)
{
    return device->count > 0 && device->rows[0].search.footprint.subject.file[0] != '\0';
}

bool limits_came_to_an_end(const struct limits_device *device)
{
    for (size_t i = 0; i < device->count; ++i)
        if (!device->rows[i].incomplete)
            return true;
    return false;
}

static struct ceiling_row ceiling_row_of(const struct limits_row *row)
{
    return (struct ceiling_row){&row->search.footprint, &row->facts, &row->limit};
}

/* What the limits of ours say of those of others. */
static void bound(struct limits_device *device, struct ceiling_row *rows)
{
    const struct device_info *info = &device->stored.info;
    struct ceiling ceiling = {.rows = rows, .subgroup_width = info->subgroup_width, .units = info->compute_units};

    for (size_t i = 0; i < device->count; ++i)
        if (limits_row_is_ours(&device->rows[i]))
            rows[ceiling.count++] = ceiling_row_of(&device->rows[i]);
    for (size_t i = 0; i < device->count; ++i) {
        const struct ceiling_row row = ceiling_row_of(&device->rows[i]);
        device->rows[i].most = ceiling_find(&ceiling, &row);
        device->rows[i].bound = ceiling_bound(&row, device->rows[i].most);
    }
}

/* The rows' limits, and what only the whole sweep tells: limiters, and the safest row. */
static void infer(struct limits_device *device)
{
    struct limit *limits = xcalloc(device->count + 1, sizeof *limits);
    struct ceiling_row *rows = xcalloc(device->count + 1, sizeof *rows);

    for (size_t i = 0; i < device->count; ++i)
        search_limit(&device->rows[i].search, &device->rows[i].limit);
    bound(device, rows);
    free(rows);
    for (size_t i = 0; i < device->count; ++i)
        limits[i] = device->rows[i].limit;
    for (size_t i = 0; i < device->count; ++i)
        if (device->rows[i].search.footprint.subject.file[0] == '\0') /* kernels of others are not comparable */
            device->rows[i].limited_by = limiter_infer(limits, device->count, i, &device->stored.info);
    if (!limits_is_of_subjects(device))
        device->safest = limiter_safest(limits, device->count, device->stored.probe.loops_cut_at);
    free(limits);
}

int limits_report_update(struct limits_report *report, struct store *store, struct error *error)
{
    struct store_device stored = {.id = 0};
    int found;

    while ((found = store_next_device(store, &stored, error)) == 1)
        take_device(report, &stored);
    if (found < 0)
        return -1;
    for (size_t i = 0; i < report->count; ++i) {
        struct reading reading = {&report->devices[i], error};
        const struct store_walk walk = {report->devices[i].stored.id, report->devices[i].last_trial, .census = true,
                                        .take = take_trial, .context = &reading};
        const int read = store_each_trial(store, &walk, error);
        infer(&report->devices[i]);
        if (read != 0)
            return error_context(error, "reading stopped after trial %" PRId64 " of device %" PRId64,
                                 report->devices[i].last_trial, report->devices[i].stored.id);
    }
    return 0;
}

void limits_report_fini(struct limits_report *report)
{
    for (size_t i = 0; i < report->count; ++i) {
        for (size_t row = 0; row < report->devices[i].count; ++row)
            residency_fini(&report->devices[i].rows[row].residency);
        free(report->devices[i].rows);
    }
    free(report->devices);
    *report = (struct limits_report){0};
}

bool limits_row_is_ours(const struct limits_row *row)
{
    return ceiling_is_ours(&row->search.footprint);
}

uint32_t limits_row_fits(const struct limits_row *row)
{
    const struct limit *limit = &row->limit;
    const bool sure = limit->measured && limit->agree && limit->monotone && !limit->fails;

    return sure && row->bound <= BOUND_AT_LEAST && limit->passes == limit->pass_launches ? limit->passes_at : 0;
}

static bool has_namesake(const struct limits_device *device, const struct limits_row *row, const char *name)
{
    for (size_t i = 0; i < device->count; ++i) {
        char other[192];
        footprint_print(&device->rows[i].search.footprint, other, sizeof other);
        if (&device->rows[i] != row && strcmp(other, name) == 0)
            return true;
    }
    return false;
}

void limits_row_name(const struct limits_device *device, const struct limits_row *row, char *text, size_t size)
{
    enum { FOLDER_MOST = 48 };
    const char *file = row->search.footprint.subject.file;
    const char *slash = strrchr(file, '/');
    const size_t folder = slash != NULL ? (size_t)(slash + 1 - file) : 0;
    char name[192];

    footprint_print(&row->search.footprint, name, sizeof name);
    const size_t shown = !has_namesake(device, row, name) ? 0 : folder < FOLDER_MOST ? folder : FOLDER_MOST;
    snprintf(text, size, "%.*s%s", (int)shown, file + folder - shown, name);
}

/* A search that nothing was told refuses nothing. */
enum verdict limits_row_refusal(const struct limits_row *row)
{
    return row->limit.refusal != VERDICT_PASS ? row->limit.refusal : VERDICT_INCOMPLETE;
}

bool limits_row_remark(const struct limits_row *row, char text[LIMITS_REMARK])
{
    const uint64_t most = row->facts.original.most_items;
    const uint64_t items = row->search.footprint.local_size;

    text[0] = '\0';
    if (most == 0 || items <= most || limits_row_is_ours(row))
        return false;
    snprintf(text, LIMITS_REMARK,
             "the driver says that this kernel can have at most %" PRIu64 " work-item%s in a group; %" PRIu64 " %s",
             most, text_s(most), items, row->limit.measured ? "ran" : "were asked for");
    return true;
}

bool limits_row_is_surprise(const struct limits_device *device, const struct limits_row *row)
{
    return limit_is_surprise(&row->limit, device->stored.probe.loops_cut_at != 0);
}

enum status limits_report_status(const struct limits_report *report, verdict_set *verdicts)
{
    bool measured = false, surprise = false, wedged = false;

    *verdicts = 0;
    for (size_t i = 0; i < report->count; ++i) {
        wedged = wedged || report->devices[i].stored.wedged;
        for (size_t j = 0; j < report->devices[i].count; ++j) {
            const struct limits_row *row = &report->devices[i].rows[j];
            measured = measured || row->limit.measured;
            surprise = surprise || limits_row_is_surprise(&report->devices[i], row);
            if (!row->limit.measured)
                *verdicts |= UINT32_C(1) << limits_row_refusal(row);
        }
    }
    return wedged ? STATUS_WEDGED : surprise ? STATUS_SURPRISE : measured ? STATUS_OK : STATUS_UNSUPPORTED;
}
