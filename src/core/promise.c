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
    {
        .name = "concurrent-groups-1",
        .made = "clGetKernelMaxConcurrentWorkGroupCountINTEL, cl_intel_concurrent_dispatch, 1 work-item in a group",
        .says = "So many work-groups of this kernel run together and can meet in intel_device_barrier().",
        .measured =
            "The kernel is launched concurrently with one group, and with more and more up to the promised count; "
            "in each of 10 rounds every group must find that all others have come to the barrier. A launch that "
            "does not come back within 3 s costs its process.",
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

        /* --- local memory, kernels, loops --- */
    },
    {
        .name = "local-memory-declared",
        .made = "CL_DEVICE_LOCAL_MEM_SIZE",
        .says = "A kernel may declare so much local memory, less what CL_KERNEL_LOCAL_MEM_SIZE says the driver needs "
                "beside it, and each group has it for itself.",
        .measured = "More groups than are resident at once fill all of it with values of their own, and after a while "
                    "other work-items of the group check each word.",
        .follows = "Kernels are not built, or their groups overwrite each other's data.",
        .advice = "Declare less, and check results.",
        .unit = "bytes",
        .act = ASK_LOCAL_MEMORY,
        .of = {LOCAL_DECLARED},
    },
    {
        .name = "local-memory-argument",
        .made = "CL_DEVICE_LOCAL_MEM_SIZE",
        .says = "An argument of a kernel may be so much local memory, less what CL_KERNEL_LOCAL_MEM_SIZE says the "
                "driver "
                "needs beside it, and each group has it for itself.",
        .measured = "As local-memory-declared, with a size that is given to clSetKernelArg.",
        .follows = "Launches fail, or their groups overwrite each other's data.",
        .advice = "Use less, and check results.",
        .unit = "bytes",
        .act = ASK_LOCAL_MEMORY,
        .of = {LOCAL_ARGUMENT},
    },
    {
        .name = "kernel-local-declared",
        .made = "CL_KERNEL_LOCAL_MEM_SIZE (OpenCL 1.2, 5.7.3)",
        .says = "The answer includes the local memory that the kernel declares.",
        .measured = "The driver is asked of a kernel that declares 4096 bytes.",
        .follows = "Programs that compute from the answer how many groups fit, or how much is left, are wrong.",
        .advice = "Add what the kernel declares.",
        .unit = "",
        .act = ASK_KERNEL_LOCAL,
        .of = {LOCAL_DECLARED},
    },
    {
        .name = "kernel-local-argument",
        .made = "CL_KERNEL_LOCAL_MEM_SIZE (OpenCL 1.2, 5.7.3)",
        .says = "The answer includes the local memory that is an argument of the kernel.",
        .measured = "The driver is asked of a kernel with 4096 bytes, after clSetKernelArg.",
        .follows = "Programs that compute from the answer how many groups fit, or how much is left, are wrong.",
        .advice = "Add the sizes that clSetKernelArg was given.",
        .unit = "",
        .act = ASK_KERNEL_LOCAL,
        .of = {LOCAL_ARGUMENT},
    },
    {
        .name = "kernel-local-called",
        .made = "CL_KERNEL_LOCAL_MEM_SIZE (OpenCL 1.2, 5.7.3), where a kernel may call one that declares local memory",
        .says = "The answer includes the local memory that a called kernel declares.",
        .measured = "The driver is asked of a kernel that calls one which declares 4096 bytes.",
        .follows = "Programs that compute from the answer how many groups fit, or how much is left, are wrong.",
        .advice = "Declare local memory in the kernel that is launched, and pass a pointer.",
        .unit = "",
        .act = ASK_KERNEL_LOCAL,
        .of = {LOCAL_CALLED},
    },
    {
        .name = "buffer-size",
        .made = "CL_DEVICE_MAX_MEM_ALLOC_SIZE",
        .says = "A buffer may have so many bytes, if there is memory for it.",
        .measured = "The host writes 8 words from one end of the buffer to the other, a kernel reads and changes them, "
                    "and the host reads them. Where memory is short it is undecided.",
        .follows = "Large buffers cannot be made, or parts of them are not there.",
        .advice = "Divide the data into several buffers.",
        .unit = "bytes",
        .act = ASK_BUFFER_SIZE,
        .of = {0},
    },
    {
        .name = "constant-size",
        .made = "CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE",
        .says = "A buffer in constant memory may have so many bytes.",
        .measured = "The host writes 8 words from one end of the buffer to the other, and a kernel reads them as "
                    "constant memory.",
        .follows = "Kernels are refused, or read other values.",
        .advice = "Pass large tables as global memory.",
        .unit = "bytes",
        .act = ASK_BUFFER_SIZE,
        .of = {1},
    },
    {
        .name = "parameter-size",
        .made = "CL_DEVICE_MAX_PARAMETER_SIZE",
        .says = "The arguments of a kernel may have so many bytes together.",
        .measured = "A kernel with a pointer and a structure of that size together says what 8 words of it were.",
        .follows = "Kernels are refused, or read other values.",
        .advice = "Pass large structures in a buffer.",
        .unit = "bytes",
        .act = ASK_PARAMETER_SIZE,
    },
    {
        .name = "required-size-runs",
        .made = "reqd_work_group_size (OpenCL C 1.2, 6.7.2)",
        .says = "A kernel that requires a size runs in groups of that size.",
        .measured =
            "A kernel that requires groups of (8, 2, 1) is launched so, and each work-item says that it ran, how "
            "large its group is, and how many have met in it.",
        .follows = "Kernels that rely on their size give wrong results.",
        .advice = "Leave the attribute out, and ask for the size.",
        .unit = "",
        .act = ASK_REQUIRED_SIZE,
        .of = {REQUIRED_RUNS},
    },
    {
        .name = "required-size-alone",
        .made = "clEnqueueNDRangeKernel (OpenCL 1.2, 5.8): CL_INVALID_WORK_GROUP_SIZE",
        .says = "A launch in groups of another size than the kernel requires is refused with "
                "CL_INVALID_WORK_GROUP_SIZE.",
        .measured =
            "A kernel that requires groups of (8, 2, 1) is launched in smaller ones, larger ones, and turned ones.",
        .follows = "A wrong size is not noticed, and the kernel, which relies on the other, gives wrong results.",
        .advice = "Ask CL_KERNEL_COMPILE_WORK_GROUP_SIZE before each launch.",
        .unit = "",
        .act = ASK_REQUIRED_SIZE,
        .of = {REQUIRED_ALONE},
    },
    {
        .name = "required-size-said",
        .made = "CL_KERNEL_COMPILE_WORK_GROUP_SIZE",
        .says = "The driver says which size a kernel requires.",
        .measured = "The driver is asked of a kernel that requires groups of (8, 2, 1).",
        .follows = "Programs that ask for the size launch in a wrong one.",
        .advice = "Note the size beside the kernel.",
        .unit = "",
        .act = ASK_REQUIRED_SIZE,
        .of = {REQUIRED_SAID},
    },
    {
        .name = "uneven-groups",
        .made = "OpenCL 2.0, 5.8; since 3.0 CL_DEVICE_NON_UNIFORM_WORK_GROUP_SUPPORT",
        .says = "The last groups are smaller where the work-items cannot be divided evenly; a device without such "
                "groups "
                "refuses the launch with CL_INVALID_WORK_GROUP_SIZE.",
        .measured =
            "(27, 7) work-items are launched in groups of (8, 2); each says that it ran, how large its group is, "
            "and how many have met in it.",
        .follows = "Work-items do not run, run twice, or wait for others that their group does not have.",
        .advice = "Launch a multiple of the group's size, and let the work-items beyond the end return.",
        .unit = "",
        .act = ASK_UNEVEN_GROUPS,
    },
    {
        .name = "preferred-multiple",
        .made = "CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE, which is a hint",
        .says = "Groups of a multiple of this size are said to be fast.",
        .measured =
            "A kernel that computes is timed with groups of 1, 2, 4 and so on up to 1024 work-items; the shortest "
            "of five launches counts.",
        .follows = "Groups that are no multiple may leave a part of the device idle.",
        .advice = "Use the size that was measured as fastest where it matters, after measuring your own kernel.",
        .unit = "work-items",
        .silent = true,
        .act = ASK_MULTIPLE,
    },
    {
        .name = "loop-counted",
        .made = "OpenCL C: loops are those of C99, and end only where their code ends",
        .says = "A loop that counts makes as many turns as it says.",
        .measured = "One work-item runs loops of 1000 turns, and of ten times as many up to 10,000,000 while they are "
                    "quick, and says how many were made.",
        .follows =
            "Loops end early although the driver reports success: results are wrong, and what a loop waits for has "
            "not happened when it ends.",
        .advice = "Divide long loops into several launches, and check what they leave.",
        .unit = "turns",
        .act = ASK_LOOPS,
        .of = {LOOP_COUNTED},
    },
    {
        .name = "loop-while",
        .made = "OpenCL C: loops are those of C99, and end only where their code ends",
        .says = "A loop whose condition is true continues.",
        .measured = "As loop-counted, with a loop whose condition stays true up to a bound.",
        .follows =
            "Loops end early although the driver reports success: results are wrong, and what a loop waits for has "
            "not happened when it ends.",
        .advice = "Divide long loops into several launches, and check what they leave.",
        .unit = "turns",
        .act = ASK_LOOPS,
        .of = {LOOP_WHILE},
    },
    {
        .name = "loop-nested",
        .made = "OpenCL C: loops are those of C99, and end only where their code ends",
        .says = "Loops in each other make as many turns as they say.",
        .measured = "As loop-counted, with an inner loop of 1000 turns.",
        .follows =
            "Loops end early although the driver reports success: results are wrong, and what a loop waits for has "
            "not happened when it ends.",
        .advice = "Divide long loops into several launches, and check what they leave.",
        .unit = "turns",
        .act = ASK_LOOPS,
        .of = {LOOP_NESTED},
    },
    {
        .name = "kernel-time",
        .made = "nowhere: OpenCL bounds the time of a kernel neither way",
        .says = "Nothing is said of how long a kernel may run.",
        .measured = "A kernel of one work-item is launched that takes about 5 s.",
        .follows = "A driver with a time limit ends long kernels with an error, or the device is reset.",
        .advice = "Divide the work into launches that are shorter than what was measured.",
        .unit = "ms",
        .silent = true,
        .act = ASK_KERNEL_TIME,
    },

    /* --- commands, queues and events --- */
    {
        .name = "in-order-queue",
        .made = "OpenCL 1.2, 5.11: a queue without CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE",
        .says = "Commands of such a queue run in the order in which they are enqueued.",
        .measured = "Twelve launches, each of which checks what the one before it left; then clFinish and a read.",
        .follows = "A kernel reads what the one before it has not yet written.",
        .advice = "Have each command wait for the event of the one before it.",
        .unit = "",
        .act = ASK_ORDER,
        .of = {ORDER_QUEUE, COMPLETE_RESULTS},
    },
    {
        .name = "queue-barrier",
        .made = "CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE; OpenCL 1.2, 5.10: clEnqueueBarrierWithWaitList",
        .says = "Commands behind a barrier run after those ahead of it.",
        .measured = "As in-order-queue, in an out-of-order queue with a barrier between launches.",
        .follows = "A kernel reads what the one before it has not yet written.",
        .advice = "Use event wait lists, or an in-order queue.",
        .unit = "",
        .act = ASK_ORDER,
        .of = {ORDER_BARRIERS, COMPLETE_RESULTS},
    },
    {
        .name = "wait-list",
        .made = "CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE; OpenCL 1.2, 5.8: event_wait_list",
        .says = "A command runs after those whose events it waits for.",
        .measured = "As in-order-queue, in an out-of-order queue in which each launch waits for the one before it.",
        .follows = "A kernel reads what the one before it has not yet written.",
        .advice = "Use barriers, or an in-order queue.",
        .unit = "",
        .act = ASK_ORDER,
        .of = {ORDER_LISTS, COMPLETE_RESULTS},
    },
    {
        .name = "wait-list-queues",
        .made = "OpenCL 1.2, 5.8: event_wait_list",
        .says = "A command runs after those whose events it waits for, also where they are in another queue.",
        .measured =
            "As in-order-queue, with launches in two queues in turns, each of which waits for the one before it.",
        .follows = "A kernel reads what the one before it has not yet written.",
        .advice = "Use one queue, or wait on the host.",
        .unit = "",
        .act = ASK_ORDER,
        .of = {ORDER_QUEUES, COMPLETE_RESULTS},
    },
    {
        .name = "finish",
        .made = "OpenCL 1.2, 5.13: clFinish",
        .says = "It does not return before all commands of the queue have completed.",
        .measured =
            "Twelve launches in a queue; after clFinish each event is asked for its status, and the results are "
            "read by another queue.",
        .follows = "The host uses results that are not there yet.",
        .advice = "Wait for the event of the last command, and ask for its status.",
        .unit = "",
        .act = ASK_ORDER,
        .of = {ORDER_QUEUE, COMPLETE_FINISH},
    },
    {
        .name = "wait-for-events",
        .made = "OpenCL 1.2, 5.9: clWaitForEvents",
        .says = "It does not return before the commands of these events have completed.",
        .measured = "As finish, with a wait for the event of the last launch.",
        .follows = "The host uses results that are not there yet.",
        .advice = "Ask for the event's status after the wait, and wait again; or use clFinish.",
        .unit = "",
        .act = ASK_ORDER,
        .of = {ORDER_QUEUE, COMPLETE_WAIT},
    },
    {
        .name = "wait-flushes",
        .made = "OpenCL 1.2, 5.13: clFlush, on blocking commands",
        .says = "clWaitForEvents flushes the queue by itself.",
        .measured = "As wait-for-events, without clFlush.",
        .follows = "A wait for a command that was not flushed never ends.",
        .advice = "Call clFlush before you wait.",
        .unit = "",
        .act = ASK_ORDER,
        .of = {ORDER_QUEUE, COMPLETE_UNFLUSHED},
    },
    {
        .name = "blocking-read",
        .made = "OpenCL 1.2, 5.2.2: clEnqueueReadBuffer with blocking_read",
        .says = "It does not return before the data have been read.",
        .measured = "Twelve launches in an in-order queue, then a read that blocks, whose data are checked at once.",
        .follows = "The host uses results that are not there yet.",
        .advice = "Wait for the event of the read.",
        .unit = "",
        .act = ASK_ORDER,
        .of = {ORDER_QUEUE, COMPLETE_READ},
    },
    {
        .name = "non-blocking-read",
        .made = "OpenCL 1.2, 5.2.2: clEnqueueReadBuffer without blocking_read",
        .says = "It returns at once, and its event completes when the data have been read.",
        .measured =
            "A read behind a kernel that a user event holds back: the call returns, the event has not completed; "
            "once the user event is set it completes, and the data are right.",
        .follows =
            "The host waits where it should not, for ever if it is to set the event itself; or it uses data that "
            "are not there yet.",
        .advice = "Read when the kernel has completed.",
        .unit = "",
        .act = ASK_READ,
    },
    {
        .name = "user-event",
        .made = "OpenCL 1.2, 5.9: clCreateUserEvent, clSetUserEventStatus",
        .says = "A command that waits for a user event runs when this is set to CL_COMPLETE, and not before.",
        .measured =
            "A kernel that waits for a user event is flushed: for 20 ms it does not begin; once the event is set "
            "it completes, and its results are right.",
        .follows = "A kernel runs before its data are there, or never.",
        .advice = "Enqueue the kernel when its data are there.",
        .unit = "",
        .act = ASK_USER_EVENT,
        .of = {0},
    },
    {
        .name = "user-event-error",
        .made = "OpenCL 1.2, 5.9: clSetUserEventStatus with a negative status",
        .says = "A command that waits for it is terminated: it does not run, and its event has a negative status.",
        .measured = "As user-event, with -77 as status.",
        .follows = "A kernel runs on data that could not be prepared, or the wait for it never ends.",
        .advice = "Check on the host what has failed before you enqueue a kernel.",
        .unit = "",
        .act = ASK_USER_EVENT,
        .of = {1},
    },
    {
        .name = "event-running",
        .made = "OpenCL 1.2, 5.9: clGetEventInfo, CL_EVENT_COMMAND_EXECUTION_STATUS",
        .says = "The event of a kernel that runs is CL_RUNNING.",
        .measured = "A kernel that has told the host that it runs, and that the host's word ends: within 100 ms, while "
                    "it runs, its event must be CL_RUNNING once.",
        .follows = "Programs that wait until a kernel runs wait for ever, or not at all.",
        .advice = "Have the kernel itself tell that it runs.",
        .unit = "",
        .act = ASK_RUNNING,
    },
    {
        .name = "event-times",
        .made = "OpenCL 1.2, 5.12: clGetEventProfilingInfo",
        .says = "A command is enqueued, submitted, begins and ends, in this order.",
        .measured = "QUEUED, SUBMIT, START and END of 20 launches are compared.",
        .follows = "Measured times are wrong, or negative.",
        .advice = "Use the times START and END alone, or the host's clock.",
        .unit = "",
        .act = ASK_EVENT_TIMES,
    },
    {
        .name = "event-duration",
        .made = "OpenCL 1.2, 5.12: CL_PROFILING_COMMAND_START and CL_PROFILING_COMMAND_END, in nanoseconds",
        .says = "A kernel does not take longer than the host sees its whole launch take.",
        .measured = "END - START of 20 launches beside the host's clock, a hundredth more allowed.",
        .follows = "Measured times are wrong.",
        .advice = "Use the host's clock.",
        .unit = "",
        .act = ASK_DURATION,
    },
    {
        .name = "timer-resolution",
        .made = "CL_DEVICE_PROFILING_TIMER_RESOLUTION",
        .says = "The times of events are taken in steps of so many nanoseconds.",
        .measured = "The step of which all differences of 20 launches' times are multiples, and the least by which two "
                    "durations differ.",
        .follows = "Measured times are less exact than they seem to be.",
        .advice = "Measure many launches, and divide.",
        .unit = "ns",
        .at_most = true,
        .act = ASK_TIMER_STEP,
    },
    {
        .name = "flush-starts",
        .made = "OpenCL 1.2, 5.13: clFlush; commands are submitted eventually, and no time is named",
        .says = "After clFlush a launch comes to its end, without any call that waits for it.",
        .measured = "After clFlush nothing but the event's status is asked, for a second.",
        .follows = "A program that only asks for the status waits for ever.",
        .advice = "Call clFinish or clWaitForEvents in the end.",
        .unit = "",
        .silent = true,
        .act = ASK_POLLED,
        .of = {0},
    },
    {
        .name = "complete-results",
        .made = "OpenCL 1.2, 5.9: clGetEventInfo, which says that it is no synchronization point",
        .says = "When a kernel's event is seen to be CL_COMPLETE, another queue reads its results.",
        .measured = "The event's status is asked until it is CL_COMPLETE; then the results are read by another queue.",
        .follows = "Programs that ask for the status use results that are not there yet.",
        .advice = "Call clWaitForEvents in the end, which is a synchronization point.",
        .unit = "",
        .silent = true,
        .act = ASK_POLLED,
        .of = {1},
    },

    /* --- what runs at the same time --- */
    {
        .name = "two-kernels-one-queue",
        .made = "CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE; commands may run at the same time, and need not",
        .says = "Two kernels of one out-of-order queue run at the same time.",
        .measured = "Two kernels of one work-group, which the host ends when it has seen both of them run.",
        .follows = "Kernels that wait for each other never end.",
        .advice = "Have no kernel wait for another one.",
        .unit = "",
        .silent = true,
        .act = ASK_OVERLAP,
        .of = {TOGETHER_QUEUE},
    },
    {
        .name = "two-kernels-two-queues",
        .made = "OpenCL 1.2, 3.2.1: queues run independently; whether at the same time is not said",
        .says = "Two kernels of two queues run at the same time.",
        .measured = "As two-kernels-one-queue, in two queues.",
        .follows = "Kernels that wait for each other never end.",
        .advice = "Have no kernel wait for another one.",
        .unit = "",
        .silent = true,
        .act = ASK_OVERLAP,
        .of = {TOGETHER_QUEUES},
    },
    {
        .name = "two-kernels-two-contexts",
        .made = "nowhere",
        .says = "Two kernels of two contexts run at the same time.",
        .measured = "As two-kernels-one-queue, in two contexts of one process.",
        .follows = "A kernel keeps another library's kernels waiting until it ends.",
        .advice = "Keep kernels short.",
        .unit = "",
        .silent = true,
        .act = ASK_OVERLAP,
        .of = {TOGETHER_CONTEXTS},
    },
    {
        .name = "kernel-beside-full",
        .made = "nowhere",
        .says = "A kernel starts while work-groups of another queue's kernel wait for places.",
        .measured = "As two-kernels-two-queues, where the first kernel has 64 work-groups for each compute unit.",
        .follows = "A kernel that fills the device keeps all others waiting.",
        .advice = "Leave places free for kernels that must not wait.",
        .unit = "",
        .silent = true,
        .act = ASK_OVERLAP,
        .of = {TOGETHER_FULL},
    },
    {
        .name = "read-beside-read",
        .made = "nowhere",
        .says = "A thread reads by another queue while one is in a blocking read behind a kernel.",
        .measured = "A kernel runs until the host has read another buffer by another queue, or its turns are over.",
        .follows = "A host that reads in order to end a kernel waits for that kernel.",
        .advice = "Ask for the event's status, and read when the kernel has ended.",
        .unit = "",
        .silent = true,
        .act = ASK_BESIDE,
        .of = {0},
    },
    {
        .name = "read-beside-finish",
        .made = "nowhere",
        .says = "A thread reads by another queue while one is in clFinish behind a kernel.",
        .measured = "As read-beside-read.",
        .follows = "A host that reads in order to end a kernel waits for that kernel.",
        .advice = "Ask for the event's status instead of calling clFinish.",
        .unit = "",
        .silent = true,
        .act = ASK_BESIDE,
        .of = {1},
    },
    {
        .name = "groups-together",
        .made = "CL_DEVICE_MAX_COMPUTE_UNITS, which does not say how many work-groups run at the same time",
        .says = "So many work-groups of one work-item run at the same time.",
        .measured = "Of a launch of 64 for each compute unit, those that begin before the first of them ends.",
        .follows = "Work-groups that wait for each other never end.",
        .advice = "See gridlock limits, which measures the kernel's own footprint.",
        .unit = "work-groups",
        .silent = true,
        .act = ASK_UNITS,
    },

    /* --- memory that host and kernels share --- */
    {
        .name = "svm-coarse",
        .made = "CL_DEVICE_SVM_COARSE_GRAIN_BUFFER",
        .says = "What the host writes while the memory is mapped the kernel reads, and the other way round.",
        .measured = "The host writes mapped memory, a kernel changes every other byte, and the host maps it again.",
        .follows = "Data are lost between host and device.",
        .advice = "Use buffers.",
        .unit = "",
        .act = ASK_SVM_COPY,
        .of = {0},
    },
    {
        .name = "svm-fine",
        .made = "CL_DEVICE_SVM_FINE_GRAIN_BUFFER",
        .says = "Host and kernel write different bytes at the same time without mapping, and none is lost.",
        .measured = "A kernel changes every other byte, and the host meanwhile the others; when it has completed, all "
                    "are right.",
        .follows = "Data are lost between host and device.",
        .advice = "Map the memory.",
        .unit = "",
        .act = ASK_SVM_COPY,
        .of = {1},
    },
    {
        .name = "svm-host-sees",
        .made = "CL_DEVICE_SVM_ATOMICS",
        .says = "While a kernel runs, the host sees what it writes by atomic stores.",
        .measured = "A kernel writes a word, and runs until the host, which looks for that all the time, lets it go.",
        .follows = "A host that waits for a running kernel's word waits until the kernel ends.",
        .advice = "Read results when the kernel has ended.",
        .unit = "",
        .act = ASK_SVM_SHARED,
        .of = {SHARED_HOST_SEES},
    },
    {
        .name = "svm-kernel-sees",
        .made = "CL_DEVICE_SVM_ATOMICS",
        .says = "A running kernel sees what the host writes by atomic stores.",
        .measured = "A kernel waits for a word, of which it says how often it has looked; the host writes it.",
        .follows = "A kernel that waits for the host's word never ends.",
        .advice = "Launch a kernel when its data are there.",
        .unit = "",
        .act = ASK_SVM_SHARED,
        .of = {SHARED_KERNEL_SEES},
    },
    {
        .name = "svm-adds",
        .made = "CL_DEVICE_SVM_ATOMICS",
        .says = "Atomic additions of host and kernel to one word are not lost.",
        .measured = "Both add until the host has seen the kernel add between its own additions 1,000 times; the sum "
                    "must be right.",
        .follows = "Counts that host and device share are wrong.",
        .advice = "Count on each side by itself.",
        .unit = "",
        .act = ASK_SVM_SHARED,
        .of = {SHARED_ADDS},
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
    if (finding->fails > 0)
        return KEEPING_BROKEN;
    if (finding->measured == finding->promised)
        return KEEPING_KEPT;
    return (finding->measured < finding->promised) == promise->at_most ? KEEPING_EXCEEDED : KEEPING_BROKEN;
}

void finding_print_amount(const struct promise *promise, uint64_t amount, char *text, size_t size)
{
    if (promise->unit[0] == '\0')
        snprintf(text, size, "%s", amount != 0 ? "yes" : "no");
    else
        snprintf(text, size, "%" PRIu64 " %s", amount, promise->unit);
}
