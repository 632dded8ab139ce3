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
 * Of registers a compute unit of NVIDIA's has up to four parts. What does not fit into them is in the device's memory,
 * and takes no place of a unit.
 */
enum { PARTS = 4, FEW_REGISTERS = 24 /* fewer are not kept to by the compiler for compute capability 9.0 */ };

static uint64_t lots(const struct kernel_facts *facts)
{
    return subject_register_lots(facts->registers);
}

/* Groups of one size compare by sub-group, and a single sub-group compares with any group. */
static bool has_no_more_registers(const struct ceiling_row *ours, const struct ceiling_row *row, uint32_t width)
{
    const uint64_t mine = lots(&ours->facts->measured), theirs = lots(&row->facts->original);
    const uint32_t items = ours->footprint->local_size;

    if (mine == 0 || theirs == 0)
        return mine == theirs && items == row->footprint->local_size;
    if (items == row->footprint->local_size)
        return mine <= theirs;
    return width != 0 && items == 1 && mine <= subgroups(row->footprint->local_size, width) * theirs;
}

/* Bytes of a group. NVIDIA says 1 of a kernel that has none. */
static uint64_t local_memory(const struct ceiling_row *row)
{
    const struct subject_facts *facts = row->facts;
    return facts->group_bytes - (facts->original.registers != 0 && facts->original.local_bytes == 1);
}

/*
 * As many groups of ours fit where each has more registers: then it is not of registers that no more fit with few. So
 * it is if what the parts of a unit give to groups with more of them would suffice for one group more with few.
 */
static bool is_bound_by_others(const struct ceiling *ceiling, const struct ceiling_row *few)
{
    const uint32_t width = ceiling->subgroup_width, groups = few->limit->passes_at;

    if (width == 0 || ceiling->units == 0 || groups % ceiling->units != 0 || lots(&few->facts->measured) == 0)
        return false;
    const uint64_t of_group = subgroups(few->footprint->local_size, width);
    const uint64_t of_part = groups / ceiling->units * of_group / PARTS, more = (of_group + PARTS - 1) / PARTS;
    for (size_t i = 0; i < ceiling->count; ++i) {
        const struct ceiling_row *many = &ceiling->rows[i];
        if (many->footprint->local_size == few->footprint->local_size && local_memory(many) == local_memory(few) &&
            is_sure(many->limit) && many->limit->passes_at == groups &&
            of_part * lots(&many->facts->measured) >= (of_part + more) * lots(&few->facts->measured))
            return true;
    }
    return false;
}

static bool has_no_more_memory(const struct ceiling_row *ours, const struct ceiling_row *row)
{
    return local_memory(ours) <= local_memory(row) &&
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
    const uint64_t bytes = local_memory(row);

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

/* Not only were so many seen together: no more were, either. */
static bool is_settled(const struct limit *limit)
{
    return limit->agree && limit->monotone && !limit->fails &&
           (limit->census_exact || (limit->passes_at != 0 && limit->stalls_at == limit->passes_at + 1));
}

enum subject_bound ceiling_bound(const struct ceiling_row *row, uint32_t most)
{
    const enum subject_bound bound = subject_bound_of(row->facts);

    if (most != 0 && most == row->limit->passes_at)
        return BOUND_EXACT;
    if (is_settled(row->limit))
        return bound;
    return bound == BOUND_EXACT || bound == BOUND_AT_LEAST ? BOUND_AT_LEAST : BOUND_UNLIKE;
}
