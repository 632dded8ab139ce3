#include "cli/against.h"

#include "base/alloc.h"
#include "report/compare.h"
#include "report/extent.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct pairing_rules usual = {.match_count = 0};

static int check_run(struct store *store, const char *command, struct error *error)
{
    struct report report = {0};
    int outcome = report_read(&report, store, error);

    if (outcome == 0 && !report_has_command(&report, command))
        outcome = error_set(error, STATUS_USAGE, "'%s' is a run of gridlock %s, and not of gridlock %s", report.path,
                            report.head_count > 0 ? report.heads[0].run.command : "no command", command);
    else if (outcome == 0 && !report_is_complete(&report))
        outcome = error_set(error, STATUS_USAGE,
                            "'%s' did not end or lacks a shard; gridlock resume or merge completes it", report.path);
    report_fini(&report);
    return outcome;
}

int against_open(struct measurement *measurement, const char *command, struct error *error)
{
    const struct selection *selection = &measurement->selection;
    const char *path = measurement->options->against, *name = strrchr(command, ' ');
    struct device_pairs pairs = {.count = 0};

    if (path == NULL)
        return 0;
    int outcome = store_open(path, &measurement->against, error);
    if (outcome == 0)
        outcome = check_run(measurement->against, name != NULL ? name + 1 : command, error);
    if (outcome == 0 && selection->count > 0) /* model devices are not selected */
        outcome = pair_devices_with(measurement->against, selection->devices, selection->count, &usual, &pairs, error);
    device_pairs_fini(&pairs);
    return outcome == 0 ? 0 : error_context(error, "--against");
}

/* --- at the end --- */

static bool is_selected(const struct common_options *options, const struct device_info *info)
{
    for (size_t i = 0; i < options->selector_count; ++i)
        if (device_info_matches(info, options->selectors[i]))
            return true;
    return options->selector_count == 0;
}

/* Devices that were there, and that the selectors would choose now. */
static void add_missing(const struct measurement *measurement, const struct comparison *comparison,
                        struct store_asserted **rows, size_t *count)
{
    const struct store_device *first = report_device(&comparison->after, 0);

    for (size_t i = 0; i < comparison->count && first != NULL; ++i) {
        const struct compare_device *device = &comparison->devices[i];
        if (device->after != NULL || !is_selected(&measurement->options->common, device->before))
            continue;
        GROW(*rows, *count);
        struct store_asserted *row = &(*rows)[(*count)++];
        *row = (struct store_asserted){
            .device = first->id, .decided = true, .failed = true, .said = "the device is not there any more"};
        snprintf(row->name, sizeof row->name, "%s", DEVICE_LABEL_OF(device->before));
    }
}

static void fill(const struct measurement *measurement, const struct comparison *comparison,
                 struct store_asserted **rows, size_t *count)
{
    comparison_assert(comparison, rows, count);
    add_missing(measurement, comparison, rows, count);
}

/* A run that did not end has not shown anything yet: resume goes on to here. */
int against_assert(struct measurement *measurement, struct error *error)
{
    struct store *own = measurement->settings.store;
    struct comparison comparison = {.count = 0};
    struct device_pairs pairs = {.count = 0};
    struct store_asserted *rows = NULL;
    size_t count = 0;
    int outcome = 0;

    if (measurement->against == NULL)
        return 0;
    if (pair_devices(measurement->against, own, &usual, &pairs, error) != 0 ||
        compare_runs(measurement->against, own, &pairs, &comparison, error) != 0)
        outcome = -1;
    else if (report_is_complete(&comparison.after))
        fill(measurement, &comparison, &rows, &count);
    if (outcome == 0)
        outcome = store_write_asserted(own, "against", rows, count, error);
    if (outcome == 0 && count == 0 && measurement->settings.shard.count <= 1 && comparison_is_complete(&comparison))
        outcome = error_set(error, STATUS_USAGE, "nothing to compare: no %s of '%s' are in '%s'",
                            report_units(&comparison.before), comparison.before.path, comparison.after.path);
    free(rows);
    device_pairs_fini(&pairs);
    comparison_fini(&comparison);
    return outcome == 0 ? 0 : error_context(error, "--against");
}
