#include "core/promise.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

NAMING_DEFINE(keeping, enum keeping, "kept", "broken", "exceeded", "silent", "undecided", "not-offered");

/* --- rows that differ in an order and a scope --- */

static const char relaxed_is[] = "Atomics are atomic among the work-items of this scope: no change is lost.";
static const char relaxed_done[] =
    "Many work-items at the same time increment, add, exchange, compare and exchange, take the least and the most, and "
    "set and clear bits, in the same words; the sums must be right.";
static const char publishes[] =
    "Who sees what an atomic store of this order published also sees all that was written before it.";
static const char in_one_order[] =
    "Who sees what was published also sees all that was written before it; and all such atomics happen in one order.";
static const char handed_over[] =
    "Pairs of work-items write plain words, publish, look whether the other has published, and then read its words; "
    "who sees nothing in time goes on, and that round does not count. Of several devices, only this one takes part.";
static const char handed_over_in_order[] = "Likewise as with acquire-release; and two work-items each raise a flag, "
                                           "then look at the other's: not both may see "
                                           "it down.";

#define ATOMIC_ORDER(NAME, MADE, SAYS, MEASURED, ORDER, SCOPE)                                                         \
    {                                                                                                                  \
        .name = "atomic-" NAME, .made = "CL_DEVICE_ATOMIC_MEMORY_CAPABILITIES: " MADE, .says = (SAYS),                 \
        .measured = (MEASURED), .follows = "Programs that count or hand over data by these atomics go wrong.",         \
        .advice = "Use a stronger order or a wider scope, or do it in two kernels.", .unit = "",                       \
        .act = ASK_ATOMIC_ORDER, .of = {ORDER, SCOPE},                                                                 \
    }
#define ATOMIC_FENCE(NAME, MADE, SAYS, MEASURED, ORDER, SCOPE)                                                         \
    {                                                                                                                  \
        .name = "fence-" NAME, .made = "CL_DEVICE_ATOMIC_FENCE_CAPABILITIES: " MADE, .says = (SAYS),                   \
        .measured = (MEASURED), .follows = "Programs that hand over data behind such a fence go wrong.",               \
        .advice = "Give the atomics themselves the order, or do it in two kernels.", .unit = "",                       \
        .act = ASK_ATOMIC_FENCE, .of = {ORDER, SCOPE},                                                                 \
    }
#define ATOMIC_FUNCTIONS(NAME, MADE, WIDTH, LOCAL)                                                                     \
    {                                                                                                                  \
        .name = "functions-" NAME, .made = (MADE),                                                                     \
        .says = "These functions are atomic: no change is lost, and none is made twice.", .measured = relaxed_done,    \
        .follows = "Counters, locks and queues that use them go wrong.",                                               \
        .advice = "Find out which function it is, and do without.", .unit = "", .act = ASK_ATOMIC_FUNCTIONS,           \
        .of = {WIDTH, LOCAL},                                                                                          \
    }

/* Rows of sub-groups, by what the driver says, or a function gives. */
#define SUB_SHAPE(NAME, MADE, SAYS, UNIT, SHAPE)                                                                       \
    {                                                                                                                  \
        .name = "sub-group-" NAME, .made = (MADE), .says = (SAYS),                                                     \
        .measured =                                                                                                    \
            "Groups of several shapes are launched, and each work-item tells what it is told inside the kernel.",      \
        .follows = "Memory that is laid out by this answer is too small, or divided in another way.",                  \
        .advice = "Take the number from inside the kernel.", .unit = (UNIT), .act = ASK_SUB_SHAPE, .of = {SHAPE},      \
    }
#define SUB_VALUES(NAME, MADE, VALUES)                                                                                 \
    {                                                                                                                  \
        .name = "sub-group-" NAME, .made = "OpenCL C 3.0, __opencl_c_subgroups: " MADE,                                \
        .says = "Each work-item gets what the work-items of its sub-group together come to.",                          \
        .measured = "A group of 64 work-items computes with random numbers, and the host does so, too.",               \
        .follows = "Sums, scans and votes of kernels are wrong.", .advice = "Use local memory and barriers instead.",  \
        .unit = "", .act = ASK_SUB_VALUES, .of = {VALUES},                                                             \
    }
#define SUB_BARRIER(NAME, MADE, LOCAL)                                                                                 \
    {                                                                                                                  \
        .name = "sub-group-barrier-" NAME, .made = "OpenCL C 3.0, __opencl_c_subgroups: sub_group_barrier with " MADE, \
        .says = "Behind it, each work-item of the sub-group sees what the others wrote before it.",                    \
        .measured = "In each round the work-items write a word each, and behind the barrier read another one's.",      \
        .follows = "Kernels whose work-items exchange data within sub-groups compute wrong results.",                  \
        .advice = "Use a barrier of the whole group.", .unit = "", .act = ASK_SUB_BARRIER, .of = {LOCAL},              \
    }

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

    ATOMIC_ORDER("relaxed-group", "relaxed, work-group", relaxed_is, relaxed_done, ORDER_RELAXED, SCOPE_GROUP),
    ATOMIC_ORDER("relaxed-device", "relaxed, device", relaxed_is, relaxed_done, ORDER_RELAXED, SCOPE_DEVICE),
    ATOMIC_ORDER("relaxed-all", "relaxed, all devices", relaxed_is, relaxed_done, ORDER_RELAXED, SCOPE_ALL),
    ATOMIC_ORDER("acq-rel-group", "acquire-release, work-group", publishes, handed_over, ORDER_ACQ_REL, SCOPE_GROUP),
    ATOMIC_ORDER("acq-rel-device", "acquire-release, device", publishes, handed_over, ORDER_ACQ_REL, SCOPE_DEVICE),
    ATOMIC_ORDER("acq-rel-all", "acquire-release, all devices", publishes, handed_over, ORDER_ACQ_REL, SCOPE_ALL),
    ATOMIC_ORDER("seq-cst-group", "sequentially consistent, work-group", in_one_order, handed_over_in_order,
                 ORDER_SEQ_CST, SCOPE_GROUP),
    ATOMIC_ORDER("seq-cst-device", "sequentially consistent, device", in_one_order, handed_over_in_order, ORDER_SEQ_CST,
                 SCOPE_DEVICE),
    ATOMIC_ORDER("seq-cst-all", "sequentially consistent, all devices", in_one_order, handed_over_in_order,
                 ORDER_SEQ_CST, SCOPE_ALL),
    ATOMIC_FENCE("acq-rel-group", "acquire-release, work-group", publishes, handed_over, ORDER_ACQ_REL, SCOPE_GROUP),
    ATOMIC_FENCE("acq-rel-device", "acquire-release, device", publishes, handed_over, ORDER_ACQ_REL, SCOPE_DEVICE),
    ATOMIC_FENCE("acq-rel-all", "acquire-release, all devices", publishes, handed_over, ORDER_ACQ_REL, SCOPE_ALL),
    ATOMIC_FENCE("seq-cst-group", "sequentially consistent, work-group", in_one_order, handed_over_in_order,
                 ORDER_SEQ_CST, SCOPE_GROUP),
    ATOMIC_FENCE("seq-cst-device", "sequentially consistent, device", in_one_order, handed_over_in_order, ORDER_SEQ_CST,
                 SCOPE_DEVICE),
    ATOMIC_FENCE("seq-cst-all", "sequentially consistent, all devices", in_one_order, handed_over_in_order,
                 ORDER_SEQ_CST, SCOPE_ALL),
    ATOMIC_FUNCTIONS("32-global", "OpenCL C 1.2, 6.12.11: atomic_inc and the others, global memory", ATOMIC_32, 0),
    ATOMIC_FUNCTIONS("32-local", "OpenCL C 1.2, 6.12.11: atomic_inc and the others, local memory", ATOMIC_32, 1),
    ATOMIC_FUNCTIONS("64-global", "cl_khr_int64_base_atomics, global memory", ATOMIC_64_BASE, 0),
    ATOMIC_FUNCTIONS("64-local", "cl_khr_int64_base_atomics, local memory", ATOMIC_64_BASE, 1),
    ATOMIC_FUNCTIONS("64-more-global", "cl_khr_int64_extended_atomics, global memory", ATOMIC_64_EXTENDED, 0),
    ATOMIC_FUNCTIONS("64-more-local", "cl_khr_int64_extended_atomics, local memory", ATOMIC_64_EXTENDED, 1),
    {
        .name = "mem-fence-global",
        .made = "OpenCL C 1.2, 6.12.9: mem_fence orders what one work-item does, and says nothing of others",
        .says = "Nothing. Many programs take it that who sees a flag, raised behind a mem_fence, sees what was written "
                "before.",
        .measured = handed_over,
        .follows = "Programs that hand over data between work-groups by mem_fence work only where it is so.",
        .advice = "Use atomics with an order, where the device has them, or two kernels.",
        .unit = "",
        .silent = true,
        .act = ASK_MEM_FENCE,
        .of = {0},
    },
    {
        .name = "mem-fence-local",
        .made = "OpenCL C 1.2, 6.12.9: mem_fence orders what one work-item does, and says nothing of others",
        .says = "Nothing, as mem-fence-global, of local memory in one work-group.",
        .measured = handed_over,
        .follows = "Programs that hand over data in a work-group by mem_fence work only where it is so.",
        .advice = "Use a barrier.",
        .unit = "",
        .silent = true,
        .act = ASK_MEM_FENCE,
        .of = {1},
    },
    {
        .name = "barrier-global",
        .made = "OpenCL C 1.2, 6.12.8: barrier with CLK_GLOBAL_MEM_FENCE",
        .says = "Behind it, each work-item of the group sees what the others wrote to global memory before it.",
        .measured = "In each round the work-items write a word each, and behind the barrier read that of another one.",
        .follows = "Kernels whose work-items exchange data through global memory compute wrong results.",
        .advice = "Exchange data through local memory, or in two kernels.",
        .unit = "",
        .act = ASK_BARRIER,
        .of = {0},
    },
    {
        .name = "barrier-local",
        .made = "OpenCL C 1.2, 6.12.8: barrier with CLK_LOCAL_MEM_FENCE",
        .says = "Behind it, each work-item of the group sees what the others wrote to local memory before it.",
        .measured = "In each round the work-items write a word each, and behind the barrier read that of another one.",
        .follows = "Kernels whose work-items exchange data through local memory compute wrong results.",
        .advice = "Exchange data through global memory, or in two kernels.",
        .unit = "",
        .act = ASK_BARRIER,
        .of = {1},
    },
    SUB_SHAPE(
        "size", "CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE",
        "Sub-groups of a group of this shape have at most so many work-items, and all but the last one have the same "
        "number.",
        "", SUB_SIZE),
    SUB_SHAPE("count", "CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE", "A group of this shape has so many sub-groups.", "",
              SUB_COUNT),
    SUB_SHAPE("local-size", "CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT", "A group of this size has so many sub-groups.",
              "", SUB_LOCAL_SIZE),
    SUB_SHAPE("most-of-kernel", "CL_KERNEL_MAX_NUM_SUB_GROUPS", "No group of this kernel has more sub-groups.",
              "sub-groups", SUB_KERNEL_MOST),
    SUB_SHAPE("most", "CL_DEVICE_MAX_NUM_SUB_GROUPS", "No group has more sub-groups.", "sub-groups", SUB_DEVICE_MOST),
    SUB_VALUES("reduce", "sub_group_reduce_add, _min and _max", SUB_REDUCE),
    SUB_VALUES("scan", "sub_group_scan_inclusive_add and _exclusive_add", SUB_SCAN),
    SUB_VALUES("vote", "sub_group_any and sub_group_all", SUB_VOTE),
    SUB_VALUES("broadcast", "sub_group_broadcast", SUB_BROADCAST),
    SUB_BARRIER("global", "CLK_GLOBAL_MEM_FENCE", 0),
    SUB_BARRIER("local", "CLK_LOCAL_MEM_FENCE", 1),
    {
        .name = "sub-group-progress",
        .made = "CL_DEVICE_SUB_GROUP_INDEPENDENT_FORWARD_PROGRESS",
        .says = "A sub-group that waits does not keep the others of its group from going on.",
        .measured = "In a group of the largest size the first sub-group waits for the last one, or the other way, each "
                    "time for longer until it has waited half a second in vain.",
        .follows = "Sub-groups that wait for each other hang.",
        .advice = "Let no sub-group wait for another one, or use barriers of the group.",
        .unit = "",
        .act = ASK_SUB_PROGRESS,
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
