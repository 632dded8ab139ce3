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
