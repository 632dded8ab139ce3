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
    {
        .name = "concurrent-groups-1",
        .made = "clGetKernelMaxConcurrentWorkGroupCountINTEL, cl_intel_concurrent_dispatch, 1 work-item in a group",
        .says = "So many work-groups of this kernel run together and can meet in intel_device_barrier().",
        .measured =
            "The kernel is launched concurrently with one group, and with more and more up to the promised count; "
            "in each of 10 rounds every group must find that all others have come to the barrier. A launch that "
            "does not come back within 6 s costs its process.",
        .follows = "A kernel that is dispatched as the driver allows never ends.",
        .advice = "Use no more groups than were measured, or do without the barrier.",
        .unit = "groups",
        .act = ASK_CONCURRENT_COUNT,
        .of = {1, 0},
    },
    {
        .name = "concurrent-groups-64",
        .made = "clGetKernelMaxConcurrentWorkGroupCountINTEL, cl_intel_concurrent_dispatch, 64 work-items in a group",
        .says = "So many work-groups of this kernel run together and can meet in intel_device_barrier().",
        .measured = "As concurrent-groups-1.",
        .follows = "A kernel that is dispatched as the driver allows never ends.",
        .advice = "Use no more groups than were measured, or do without the barrier.",
        .unit = "groups",
        .act = ASK_CONCURRENT_COUNT,
        .of = {64, 0},
    },
    {
        .name = "concurrent-groups-local",
        .made = "clGetKernelMaxConcurrentWorkGroupCountINTEL, cl_intel_concurrent_dispatch, half of the local memory",
        .says = "So many work-groups of this kernel run together and can meet in intel_device_barrier().",
        .measured = "As concurrent-groups-1, with 64 work-items in a group.",
        .follows = "A kernel that is dispatched as the driver allows never ends.",
        .advice = "Use no more groups than were measured, or do without the barrier.",
        .unit = "groups",
        .act = ASK_CONCURRENT_COUNT,
        .of = {64, 1},
    },
    {
        .name = "concurrent-refusal",
        .made = "clEnqueueNDRangeKernel, cl_intel_concurrent_dispatch",
        .says = "A concurrent launch of one group more than the count is refused.",
        .measured = "It is launched 5 times, without using the barrier.",
        .follows = "A program is not told that its groups cannot run together.",
        .advice = "Compare with the count before each launch.",
        .unit = "",
        .act = ASK_CONCURRENT_MORE,
        .of = {64, 0},
    },
    {
        .name = "concurrent-again",
        .made = "cl_intel_concurrent_dispatch",
        .says = "What a concurrent launch may do does not depend on those before it.",
        .measured =
            "In one process, after three launches of one group, two groups are launched and meet in the barrier.",
        .follows = "A program hangs in a launch that works by itself.",
        .advice = "Launch the largest number of groups first, or always the same.",
        .unit = "",
        .act = ASK_CONCURRENT_AGAIN,
        .of = {64, 0},
    },
    {
        .name = "concurrent-valid",
        .made = "intel_is_device_barrier_valid(), cl_intel_concurrent_dispatch",
        .says = "It is true in a kernel that is dispatched concurrently.",
        .measured = "A kernel of one group says so in 5 launches.",
        .follows = "Kernels that ask before they use the barrier do without it.",
        .advice = "Pass an argument that says how the kernel is dispatched.",
        .unit = "",
        .act = ASK_BARRIER_VALID,
        .of = {1, 0},
    },
    {
        .name = "concurrent-invalid",
        .made = "intel_is_device_barrier_valid(), cl_intel_concurrent_dispatch",
        .says = "It is false in a kernel that is dispatched by default.",
        .measured = "A kernel of one group says so in 5 launches.",
        .follows = "Kernels that ask before they use the barrier may never end.",
        .advice = "Pass an argument that says how the kernel is dispatched.",
        .unit = "",
        .act = ASK_BARRIER_VALID,
        .of = {0, 0},
    },
    {
        .name = "concurrent-atomics",
        .made = "nowhere: cl_intel_concurrent_dispatch promises no progress beside its own barrier",
        .says = "Nothing is said of groups that wait for each other by atomics under concurrent dispatch.",
        .measured = "As concurrent-groups-64, by a barrier of atomics, whose polls are bounded.",
        .follows = "Nothing: it was not promised.",
        .advice = "Use the device's own barrier.",
        .unit = "groups",
        .silent = true,
        .act = ASK_CONCURRENT_ATOMICS,
        .of = {64, 0},
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

void promise_search_passed(struct promise_search *search)
{
    if (search->tried == search->bad)
        search->bad = 0;
    search->good = search->tried;
    search->tried = 0;
}

void promise_search_lost(struct promise_search *search)
{
    search->bad = search->tried;
    search->sure = search->tried == search->good + 1 ? search->tried : search->sure;
    search->tried = 0;
}

uint64_t promise_search_next(const struct promise_search *search)
{
    if (search->bad == search->good + 1)
        return search->sure == search->bad ? 0 : search->bad;
    if (search->bad != 0)
        return search->good + (search->bad - search->good) / 2;
    if (search->good == search->most)
        return 0;
    if (search->good == 0)
        return 1;
    return 2 * search->good < search->most ? 2 * search->good : search->most;
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
