#include "search/ceiling.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

bool ceiling_is_ours(const struct footprint *footprint)
{
    return strcmp(footprint->subject.file, SUBJECT_OURS) == 0;
}

/* Every launch at the limit passed, and one group more stalls. */
static bool is_sure(const struct limit *limit)
{
    return limit->measured && limit->agree && limit->monotone && !limit->fails && limit->passes_at != 0 &&
           limit->passes == limit->pass_launches && limit->stalls_at == limit->passes_at + 1;
}

static uint32_t subgroups(uint32_t items, uint32_t width)
{
    return (items + width - 1) / width;
}

/*
 * Registers of a group. They are given to whole subgroups, in lots, which grow with the registers of a work-item: so
 * groups of one size compare by work-item, and a single subgroup compares with any group.
 */
static bool has_no_more_registers(const struct ceiling_row *ours, const struct ceiling_row *row, uint32_t width)
{
    const uint64_t mine = ours->facts->measured.registers, theirs = row->facts->original.registers;
    const uint32_t items = ours->footprint->local_size;

    if (mine == 0 || theirs == 0)
        return mine == theirs && items == row->footprint->local_size;
    if (items == row->footprint->local_size)
        return mine <= theirs;
    return width != 0 && items == 1 && mine <= subgroups(row->footprint->local_size, width) * theirs;
}

static bool occupies_no_more(const struct ceiling_row *ours, const struct ceiling_row *row, uint32_t width)
{
    return ours->facts->group_bytes <= row->facts->group_bytes &&
           ours->facts->measured.private_bytes <= row->facts->original.private_bytes &&
           ours->facts->measured.most_items >= row->facts->original.most_items &&
           has_no_more_registers(ours, row, width);
}

/* Ours with the row's local memory, and its size or a single work-item. */
static void make_ours(const struct ceiling_row *row, bool single, struct footprint *footprint)
{
    const struct nd_range one = {.dimensions = 1, .local = {1, 1, 1}};
    struct subject *subject = &footprint->subject;
    const uint64_t bytes = row->facts->group_bytes;

    *footprint = (struct footprint){.local_size = single ? 1 : row->footprint->local_size};
    subject->shape = single ? one : row->footprint->subject.shape;
    snprintf(subject->file, sizeof subject->file, "%s", SUBJECT_OURS);
    snprintf(subject->kernel, sizeof subject->kernel, "%s", bytes == 0 ? "empty" : "empty_local");
    if (bytes != 0)
        snprintf(subject->locals, sizeof subject->locals, "0=%" PRIu64, bytes);
}

static const struct ceiling_row *find(const struct ceiling *ceiling, const struct footprint *footprint)
{
    for (size_t i = 0; i < ceiling->count; ++i)
        if (footprint_equal(ceiling->rows[i].footprint, footprint))
            return &ceiling->rows[i];
    return NULL;
}

bool ceiling_next(const struct ceiling *ceiling, const struct ceiling_row *row, struct footprint *next)
{
    if (ceiling_is_ours(row->footprint) || row->facts->way == ENTRY_NONE || !is_sure(row->limit) ||
        subject_bound_of(row->facts) != BOUND_AT_LEAST)
        return false;
    for (int single = 0; single <= 1; ++single) {
        make_ours(row, single != 0, next);
        const struct ceiling_row *found = find(ceiling, next);
        if (found == NULL)
            return true;
        if (!found->limit->measured || occupies_no_more(found, row, ceiling->subgroup_width) ||
            ceiling->subgroup_width == 0 || row->facts->original.registers == 0)
            return false;
    }
    return false;
}

uint32_t ceiling_find(const struct ceiling *ceiling, const struct ceiling_row *row)
{
    uint32_t least = 0;

    if (row->facts->way == ENTRY_NONE || subject_bound_of(row->facts) != BOUND_AT_LEAST || !is_sure(row->limit))
        return 0;
    for (size_t i = 0; i < ceiling->count; ++i) {
        const struct ceiling_row *ours = &ceiling->rows[i];
        if (is_sure(ours->limit) && occupies_no_more(ours, row, ceiling->subgroup_width) &&
            (least == 0 || ours->limit->passes_at < least))
            least = ours->limit->passes_at;
    }
    return least >= row->limit->passes_at ? least : 0; /* they contradict each other: neither is believed */
}

enum subject_bound ceiling_bound(const struct ceiling_row *row, uint32_t most)
{
    return most != 0 && most == row->limit->passes_at ? BOUND_EXACT : subject_bound_of(row->facts);
}
