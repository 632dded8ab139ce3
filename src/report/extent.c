#include "report/extent.h"

#include "report/kind.h"

#include <inttypes.h>
#include <string.h>

static bool is_of_kind(const struct report *report, const struct report_head *head)
{
    return strcmp(head->run.command, kinds[report->kind].name) == 0;
}

/*
 * What made share `i`, if that is one of the device; NULL: a file that was merged may have runs of another kind, too.
 */
static const struct report_head *head_of(const struct report *report, int64_t device, size_t i)
{
    const struct store_share *share = &report->shares[i];

    for (size_t j = 0; j < report->head_count && share->device == device; ++j)
        if (strcmp(report->heads[j].run.uuid, share->run) == 0 && is_of_kind(report, &report->heads[j]))
            return &report->heads[j];
    return NULL;
}

/* In how many shards the device's plan was divided: of several divisions the finest. */
static uint32_t division(const struct report *report, int64_t device)
{
    uint32_t shards = 0;

    for (size_t i = 0; i < report->share_count; ++i) {
        const struct report_head *head = head_of(report, device, i);
        if (head != NULL && head->run.shards > shards)
            shards = head->run.shards;
    }
    return shards;
}

static bool has_shard(const struct report *report, int64_t device, uint32_t shards, uint32_t shard)
{
    for (size_t i = 0; i < report->share_count; ++i) {
        const struct report_head *head = head_of(report, device, i);
        if (head != NULL && head->run.shards == shards && head->run.shard == shard)
            return true;
    }
    return false;
}

static void find_shards(const struct report *report, int64_t device, struct extent *extent)
{
    extent->missing = extent->shards;
    for (uint32_t i = 0; i < extent->shards; ++i) {
        const bool has = has_shard(report, device, extent->shards, i);
        if (has && extent->present++ == 0)
            extent->shard = i;
        if (!has && extent->missing == extent->shards)
            extent->missing = i;
    }
}

void report_extent(const struct report *report, size_t device, struct extent *extent)
{
    const int64_t id = report_device(report, device)->id;
    const uint64_t there = kinds[report->kind].units(report, device);
    uint64_t own = 0;

    *extent = (struct extent){.ended = true, .shards = division(report, id), .by = ""};
    for (size_t i = 0; i < report->share_count; ++i) {
        const struct store_share *share = &report->shares[i];
        const struct report_head *head = head_of(report, id, i);
        if (head == NULL || head->run.shards != extent->shards) /* of an older division */
            continue;
        extent->known = true;
        extent->ended = extent->ended && share->ended;
        extent->planned = share->planned > extent->planned ? share->planned : extent->planned;
        extent->by = head->run.shard_by;
        own += share->own;
    }
    find_shards(report, id, extent);
    const bool all_wanted = extent->shards == 0 || extent->present > 1;
    const uint64_t wanted = all_wanted && own < extent->planned ? extent->planned : own;
    extent->elsewhere = extent->planned > wanted ? extent->planned - wanted : 0;
    extent->ended = extent->ended && (extent->present <= 1 || extent->present == extent->shards);
    extent->left = !extent->ended && wanted > there ? wanted - there : 0;
}

void report_note_extents(struct report *report)
{
    for (size_t i = 0; kinds[report->kind].partial != NULL && report_device(report, i) != NULL; ++i) {
        struct extent extent;
        report_extent(report, i, &extent);
        if (!extent.ended || extent.elsewhere > 0)
            kinds[report->kind].partial(report, i);
    }
}

uint32_t report_devices_left(const struct report *report)
{
    uint32_t left = 0;

    for (size_t i = 0; i < report->head_count; ++i) {
        const struct report_head *head = &report->heads[i];
        uint32_t begun = 0;
        for (size_t j = 0; j < report->share_count; ++j)
            begun += strcmp(report->shares[j].run, head->run.uuid) == 0;
        if (is_of_kind(report, head) && head->run.devices > begun && head->run.devices - begun > left)
            left = head->run.devices - begun;
    }
    return left;
}

bool report_knows_extent(const struct report *report)
{
    bool known = true;

    for (size_t i = 0; report_device(report, i) != NULL; ++i) {
        struct extent extent;
        report_extent(report, i, &extent);
        known = known && extent.known;
    }
    return known;
}

bool report_is_complete(const struct report *report)
{
    for (size_t i = 0; report_device(report, i) != NULL; ++i) {
        struct extent extent;
        report_extent(report, i, &extent);
        if (!extent.ended)
            return false;
    }
    return report_devices_left(report) == 0;
}

/* A merged file is made again; another one goes on. */
static void print_remedy(FILE *out, const struct report *report)
{
    if (report->head_count == 1)
        fprintf(out, "the run did not end; gridlock resume %s continues it", report->path);
    else
        fputs("a run did not end; resume it, and merge again", out);
}

void extent_print_left(FILE *out, const struct report *report, const struct extent *extent)
{
    fprintf(out, "about %" PRIu64 " of %" PRIu64 " %s were not run: ", extent->left, extent->planned,
            kinds[report->kind].units_name);
    if (extent->present > 1 && extent->missing < extent->shards)
        fprintf(out, "shard %" PRIu32 "/%" PRIu32 " is missing; merge its run file, too", extent->missing,
                extent->shards);
    else
        print_remedy(out, report);
}

void extent_print_shard(FILE *out, const struct report *report, const struct extent *extent)
{
    if (extent->present != 1) {
        fprintf(out, "%" PRIu32 " of %" PRIu32 " shards: %" PRIu64 " %s in all", extent->present, extent->shards,
                extent->planned, kinds[report->kind].units_name);
        return;
    }
    fprintf(out, "shard %" PRIu32 "/%" PRIu32 ", by %s: %" PRIu64 " of %" PRIu64 " %s; %" PRIu64 " are in other shards",
            extent->shard, extent->shards, extent->by, extent->planned - extent->elsewhere, extent->planned,
            kinds[report->kind].units_name, extent->elsewhere);
}

void extent_print_devices(FILE *out, const struct report *report)
{
    const uint32_t left = report_devices_left(report);

    fprintf(out, "%" PRIu32 " %s not measured: ", left, left == 1 ? "device was" : "devices were");
    print_remedy(out, report);
}
