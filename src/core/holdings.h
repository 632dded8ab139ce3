/*
 * How many work-groups a device holds at a time, by what each of them occupies: for footprints that were measured the
 * number that was found, and for others what follows from these.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* What a work-group occupies, and how many of them the device holds. */
struct holdings_row {
    uint32_t local_size;    /* work-items, */
    uint32_t private_bytes; /* of arrays in the private memory of each */
    uint64_t local_memory_bytes;
    uint32_t resident;
};

/* The same of a kernel by its name, whatever else it occupies, such as registers. */
struct holdings_kernel {
    char name[48];
    uint32_t local_size;
    uint32_t resident;
};

enum { HOLDINGS_MOST = 128, HOLDINGS_KERNELS = 128 };

/* Zeroed: nothing is known. */
struct holdings {
    struct holdings_row rows[HOLDINGS_MOST]; /* that were measured */
    uint32_t count;
    bool alike; /* footprints make no difference */
    /* What explains the rows (search/limiter.h): each of `units` has room for so many of these; 0: not known. */
    uint32_t units;
    uint32_t groups;
    uint64_t work_items;      /* counted in whole subgroups */
    uint32_t subgroup_width;  /* 1: in work-items */
    uint64_t local_memory;    /* bytes, */
    uint32_t memory_overhead; /* so many of them for each group that has any, beside what it asks for */
    struct holdings_kernel kernels[HOLDINGS_KERNELS];
    uint32_t kernel_count;
};

/* Work-items that so many groups are, counted in whole subgroups. */
uint64_t holdings_items(const struct holdings *holdings, uint32_t local_size, uint32_t groups);

/*
 * How many groups the device holds that occupy as much as `asked`. If that was not measured, it is what the units
 * have room for; never less than was measured of a footprint that occupies more of everything, and never more than of
 * one that occupies less. 0: not known.
 */
uint32_t holdings_find(const struct holdings *holdings, const struct holdings_row *asked);

/* The same of a kernel that was measured by itself; 0: it was not. */
uint32_t holdings_find_kernel(const struct holdings *holdings, const char *name, uint32_t local_size);

/* Notes a kernel; of one that was built in several ways the fewest count. False: there is no room. */
bool holdings_add_kernel(struct holdings *holdings, const char *name, uint32_t local_size, uint32_t resident);
