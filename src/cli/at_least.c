#include "cli/at_least.h"

#include "base/alloc.h"
#include "core/footprint_name.h"
#include "core/text.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int take_at_least(struct parsing *parsing, void *context, char *text)
{
    struct at_least *at_least = context;
    const char *sign = strrchr(text, '=');
    uint64_t groups = 0;

    if (sign == NULL || sign == text || sign - text >= AT_LEAST_NAME)
        return error_set(&parsing->error, STATUS_USAGE,
                         "%s %.60s: expected FOOTPRINT=N, such as 64=4, 64/4096=4 or, with --source, KERNEL=4",
                         parsing->name, text);
    if (at_least->count == AT_LEAST_MOST)
        return error_set(&parsing->error, STATUS_USAGE, "%s: at most %d footprints are allowed", parsing->name,
                         AT_LEAST_MOST);
    if (parse_number(parsing->name, sign + 1, 1, UINT32_MAX, &groups, &parsing->error) != 0)
        return -1;
    snprintf(at_least->wanted[at_least->count].name, AT_LEAST_NAME, "%.*s", (int)(sign - text), text);
    at_least->wanted[at_least->count++].groups = (uint32_t)groups;
    return 0;
}

enum { NAMED = 12 };

static int refuse(const char *name, const struct device_info *device, const struct footprint *footprints, size_t count,
                  struct error *error)
{
    char text[FOOTPRINT_NAME], names[1024] = "";

    for (size_t i = 0; i < count && i < NAMED; ++i) {
        footprint_name(&footprints[i], text);
        text_list(names, sizeof names, ", ", "%.80s", text);
    }
    if (count > NAMED)
        text_append(names, sizeof names, " and %zu more", count - NAMED);
    return error_set(error, STATUS_USAGE,
                     "--at-least %.60s: no such footprint is measured on %.60s; expected one of %s", name,
                     DEVICE_LABEL_OF(device), names);
}

/* A file that does not build has no kernels that could be named: it is a failure, and no mistake. */
static bool may_be(const struct footprint *footprint, const char *name)
{
    return footprint_answers(footprint, name) ||
           (footprint->subject.file[0] != '\0' && footprint->subject.kernel[0] == '\0');
}

int at_least_check(const struct at_least *at_least, const struct device_info *device,
                   const struct footprint *footprints, size_t count, struct error *error)
{
    for (size_t i = 0; i < at_least->count; ++i) {
        bool found = false;
        for (size_t f = 0; f < count && !found; ++f)
            found = may_be(&footprints[f], at_least->wanted[i].name);
        if (!found)
            return refuse(at_least->wanted[i].name, device, footprints, count, error);
    }
    return 0;
}

/* What is at most, or about, so many may be fewer or more. That nothing was found out says nothing of the driver. */
static void judge(const struct limits_row *row, uint32_t groups, struct store_asserted *asserted)
{
    const bool enough = row->limit.measured && row->limit.resident >= groups;
    const enum verdict refusal = limits_row_refusal(row);

    asserted->failed = !enough;
    if (!row->limit.measured)
        asserted->decided = refusal != VERDICT_INCONCLUSIVE && refusal != VERDICT_INCOMPLETE;
    else
        asserted->decided = row->bound == BOUND_EXACT || row->bound == (enough ? BOUND_AT_LEAST : BOUND_AT_MOST) ||
                            (!enough && row->most != 0 && row->most < groups);
}

static void say(const struct limits_row *row, struct store_asserted *asserted)
{
    const char *bound = subject_bound_words(row->bound);

    if (!row->limit.measured)
        snprintf(asserted->said, sizeof asserted->said, "not measured: %s", verdict_name(limits_row_refusal(row)));
    else
        snprintf(asserted->said, sizeof asserted->said, "%s%" PRIu32 " %s resident", bound, row->limit.resident,
                 row->limit.resident == 1 ? "group is" : "groups are");
}

struct rows {
    struct store_asserted *all;
    size_t count;
};

static struct store_asserted *add_row(struct rows *rows, int64_t device, const char *name, uint32_t groups)
{
    struct store_asserted row = {.device = device, .decided = true, .failed = true, .said = "not measured"};

    snprintf(row.name, sizeof row.name, "%.240s=%" PRIu32, name, groups);
    for (size_t i = 0; i < rows->count; ++i)
        if (rows->all[i].device == device && strcmp(rows->all[i].name, row.name) == 0)
            return &rows->all[i];
    GROW(rows->all, rows->count);
    rows->all[rows->count] = row;
    return &rows->all[rows->count++];
}

static void assert_one(const struct limits_device *device, const char *name, uint32_t groups, bool is_shard,
                       struct rows *rows)
{
    char own[FOOTPRINT_NAME];
    bool found = false;

    for (size_t i = 0; i < device->count; ++i) {
        const struct limits_row *row = &device->rows[i];
        if (!footprint_answers(&row->search.footprint, name))
            continue;
        found = true;
        footprint_name(&row->search.footprint, own);
        struct store_asserted *asserted = add_row(rows, device->stored.id, own, groups);
        judge(row, groups, asserted);
        say(row, asserted);
    }
    if (!found && !is_shard)
        add_row(rows, device->stored.id, name, groups);
}

int at_least_assert(const struct at_least *at_least, const struct limits_report *report, bool is_shard,
                    struct store *store, struct error *error)
{
    struct rows rows = {.count = 0};

    if (at_least->count == 0)
        return 0;
    for (size_t d = 0; d < report->count; ++d)
        for (size_t i = 0; i < at_least->count; ++i)
            assert_one(&report->devices[d], at_least->wanted[i].name, at_least->wanted[i].groups, is_shard, &rows);
    const int outcome = store_write_asserted(store, "at-least", rows.all, rows.count, error);
    free(rows.all);
    return outcome;
}
