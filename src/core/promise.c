#include "core/promise.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

NAMING_DEFINE(keeping, enum keeping, "kept", "broken", "exceeded", "silent", "undecided", "not-offered");

const struct promise promises[] = {
    {
        .name = "group-size",
        .made = "CL_DEVICE_MAX_WORK_GROUP_SIZE",
        .says = "A work-group may have so many work-items.",
        .measured = "A light kernel is built and launched with one group of that size, and each work-item's result is "
                    "checked; then with larger ones.",
        .follows = "Launches that the driver says are possible fail, or give wrong results.",
        .advice = "Ask CL_KERNEL_WORK_GROUP_SIZE of each kernel, and use smaller groups.",
        .unit = "work-items",
        .act = ASK_GROUP_SIZE,
        .of = {KERNEL_LIGHT, 0},
    },
    {
        .name = "group-size-light",
        .made = "CL_KERNEL_WORK_GROUP_SIZE of a light kernel",
        .says = "A work-group of this kernel may have so many work-items.",
        .measured = "The kernel is launched with one group of that size, and each work-item's result is checked; then "
                    "with larger ones.",
        .follows = "Launches that the driver says are possible fail, or give wrong results.",
        .advice = "Use smaller groups, and check results.",
        .unit = "work-items",
        .act = ASK_GROUP_SIZE,
        .of = {KERNEL_LIGHT, 1},
    },
    {
        .name = "group-size-registers",
        .made = "CL_KERNEL_WORK_GROUP_SIZE of a kernel with 128 values in each work-item",
        .says = "A work-group of this kernel may have so many work-items.",
        .measured = "As group-size-light.",
        .follows = "Launches that the driver says are possible fail, or give wrong results.",
        .advice = "Use smaller groups, or fewer values in each work-item.",
        .unit = "work-items",
        .act = ASK_GROUP_SIZE,
        .of = {KERNEL_REGISTERS, 1},
    },
    {
        .name = "group-size-local",
        .made = "CL_KERNEL_WORK_GROUP_SIZE of a kernel with half of the local memory",
        .says = "A work-group of this kernel may have so many work-items.",
        .measured = "As group-size-light.",
        .follows = "Launches that the driver says are possible fail, or give wrong results.",
        .advice = "Use smaller groups, or less local memory.",
        .unit = "work-items",
        .act = ASK_GROUP_SIZE,
        .of = {KERNEL_LOCAL, 1},
    },
    {
        .name = "item-sizes-x",
        .made = "CL_DEVICE_MAX_WORK_ITEM_SIZES, dimension 0",
        .says = "A work-group may have so many work-items in this dimension.",
        .measured = "As group-size, in this dimension.",
        .follows = "Launches that the driver says are possible fail, or give wrong results.",
        .advice = "Use smaller groups.",
        .unit = "work-items",
        .act = ASK_ITEM_SIZES,
        .of = {0},
    },
    {
        .name = "item-sizes-y",
        .made = "CL_DEVICE_MAX_WORK_ITEM_SIZES, dimension 1",
        .says = "A work-group may have so many work-items in this dimension.",
        .measured = "As group-size, in this dimension.",
        .follows = "Launches that the driver says are possible fail, or give wrong results.",
        .advice = "Put the longest side of groups into dimension 0.",
        .unit = "work-items",
        .act = ASK_ITEM_SIZES,
        .of = {1},
    },
    {
        .name = "item-sizes-z",
        .made = "CL_DEVICE_MAX_WORK_ITEM_SIZES, dimension 2",
        .says = "A work-group may have so many work-items in this dimension.",
        .measured = "As group-size, in this dimension.",
        .follows = "Launches that the driver says are possible fail, or give wrong results.",
        .advice = "Put the longest side of groups into dimension 0.",
        .unit = "work-items",
        .act = ASK_ITEM_SIZES,
        .of = {2},
    },
};
const size_t promise_count = sizeof promises / sizeof *promises;

const struct promise *promise_find(const char *name)
{
    for (size_t i = 0; i < promise_count; ++i)
        if (strcmp(promises[i].name, name) == 0)
            return &promises[i];
    return NULL;
}

void promise_search_lost(struct promise_search *search)
{
    if (search->tried != 0 && (search->bad == 0 || search->tried < search->bad))
        search->bad = search->tried;
    search->tried = 0;
}

bool promise_search_goes_on(const struct promise_search *search)
{
    return search->bad != 0 && search->bad - search->good > 1;
}

uint64_t promise_search_next(const struct promise_search *search, uint64_t most)
{
    if (search->bad != 0)
        return search->good + (search->bad - search->good) / 2;
    if (search->good == 0)
        return 1;
    return 2 * search->good < most ? 2 * search->good : most;
}

enum keeping finding_judge(const struct promise *promise, const struct finding *finding)
{
    if (finding->undecided)
        return KEEPING_UNDECIDED;
    if (!finding->offered)
        return finding->measured > 0 ? KEEPING_EXCEEDED : KEEPING_NOT_OFFERED;
    if (promise->silent)
        return KEEPING_SILENT;
    if (finding->fails > 0 || finding->measured < finding->promised)
        return KEEPING_BROKEN;
    return finding->measured > finding->promised ? KEEPING_EXCEEDED : KEEPING_KEPT;
}

void finding_print_amount(const struct promise *promise, uint64_t amount, char *text, size_t size)
{
    if (promise->unit[0] == '\0')
        snprintf(text, size, "%s", amount != 0 ? "yes" : "no");
    else
        snprintf(text, size, "%" PRIu64 " %s", amount, promise->unit);
}
