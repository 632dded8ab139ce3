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
 * NVIDIA tells registers, and gives them in lots of 256 to whole sub-groups, which a compute unit has in up to four parts with
 * registers of their own ("Register allocation unit size" and "granularity" of its occupancy calculator, from compute
 * capability 3.0 on). What does not fit into them is in the device's memory, and takes no place of a unit.
 */
enum {
    LOT = 256,
    PARTS = 4,
    FEW_REGISTERS = 24 /* fewer are not kept to by the compiler for compute capability 9.0 */
};

/* Registers of a sub-group. */
static uint64_t lots(uint32_t registers, uint32_t width)
{
    return ((uint64_t)registers * width + LOT - 1) / LOT;
}

/* Groups of one size compare by sub-group, and a single sub-group compares with any group. */
static bool has_no_more_registers(const struct ceiling_row *ours, const struct ceiling_row *row, uint32_t width)
{
    const uint32_t mine = ours->facts->measured.registers, theirs = row->facts->original.registers;
    const uint32_t items = ours->footprint->local_size;

    if (mine == 0 || theirs == 0)
        return mine == theirs && items == row->footprint->local_size;
    if (width == 0 || items == row->footprint->local_size)
        return items == row->footprint->local_size && (mine <= theirs || lots(mine, width) <= lots(theirs, width));
    return items == 1 && lots(mine, width) <= subgroups(row->footprint->local_size, width) * lots(theirs, width);
}

/*
 * As many groups of ours fit where each has more registers: then it is not of registers that no more fit with few. So it is
 * if what the parts of a unit give to groups with more of them would suffice for one group more with few.
 */
static bool is_bound_by_others(const struct ceiling *ceiling, const struct ceiling_row *few)
{
    const uint32_t width = ceiling->subgroup_width, groups = few->limit->passes_at;

    if (width == 0 || ceiling->units == 0 || groups % ceiling->units != 0 || few->facts->measured.registers == 0)
        return false;
    const uint64_t of_group = subgroups(few->footprint->local_size, width);
    const uint64_t of_part = groups / ceiling->units * of_group / PARTS, more = (of_group + PARTS - 1) / PARTS;
    for (size_t i = 0; i < ceiling->count; ++i) {
        const struct ceiling_row *many = &ceiling->rows[i];
        if (many->footprint->local_size == few->footprint->local_size &&
            many->facts->group_bytes == few->facts->group_bytes && is_sure(many->limit) &&
            many->limit->passes_at == groups &&
            of_part * lots(many->facts->measured.registers, width) >=
                (of_part + more) * lots(few->facts->measured.registers, width))
            return true;
    }
    return false;
}

static bool has_no_more_memory(const struct ceiling_row *ours, const struct ceiling_row *row)
{
    return ours->facts->group_bytes <= row->facts->group_bytes &&
           (ours->facts->measured.registers != 0 ||
            ours->facts->measured.private_bytes <= row->facts->original.private_bytes);
}

/* No more groups of the row can be resident than of ours. */
static bool bounds(const struct ceiling *ceiling, const struct ceiling_row *ours, const struct ceiling_row *row)
{
    return is_sure(ours->limit) && has_no_more_memory(ours, row) &&
           ours->facts->measured.most_items >= row->facts->original.most_items &&
           (has_no_more_registers(ours, row, ceiling->subgroup_width) ||
            (ours->footprint->local_size <= row->footprint->local_size && is_bound_by_others(ceiling, ours)));
}

/* Of ours, in the order in which they are measured. */
enum our_kind { AS_IT_IS, WITH_FEW_REGISTERS, OF_ONE_ITEM, OUR_KINDS };

/* Ours with the row's local memory. */
static void make_ours(const struct ceiling_row *row, enum our_kind kind, struct footprint *footprint)
{
    const struct nd_range one = {.dimensions = 1, .local = {1, 1, 1}};
    struct subject *subject = &footprint->subject;
    const uint64_t bytes = row->facts->group_bytes;

    *footprint = (struct footprint){.local_size = kind == OF_ONE_ITEM ? 1 : row->footprint->local_size};
    subject->shape = kind == OF_ONE_ITEM ? one : row->footprint->subject.shape;
    snprintf(subject->file, sizeof subject->file, "%s", SUBJECT_OURS);
    snprintf(subject->kernel, sizeof subject->kernel, "%s", bytes == 0 ? "empty" : "empty_local");
    if (kind == WITH_FEW_REGISTERS)
        snprintf(subject->options, sizeof subject->options, "-cl-nv-maxrregcount=%d", FEW_REGISTERS);
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
    for (enum our_kind kind = AS_IT_IS; kind < OUR_KINDS; ++kind) {
        make_ours(row, kind, next);
        const struct ceiling_row *found = find(ceiling, next);
        if (found == NULL)
            return true;
        if (bounds(ceiling, found, row) || (kind == AS_IT_IS && !found->limit->measured) ||
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
        if (bounds(ceiling, ours, row) && (least == 0 || ours->limit->passes_at < least))
            least = ours->limit->passes_at;
    }
    return least >= row->limit->passes_at ? least : 0; /* they contradict each other: neither is believed */
}

enum subject_bound ceiling_bound(const struct ceiling_row *row, uint32_t most)
{
    return most != 0 && most == row->limit->passes_at ? BOUND_EXACT : subject_bound_of(row->facts);
}
