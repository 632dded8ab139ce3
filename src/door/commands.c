/* Launches, and commands that order others. */
#include "door/commands.h"
#include "door/capture.h"
#include "door/marks.h"

static void note_sizes(struct page_command *slot, cl_uint dimensions, const size_t *offset, const size_t *global,
                       const size_t *local)
{
    slot->dimensions = dimensions < 3 ? dimensions : 3;
    for (cl_uint i = 0; i < 3; ++i) {
        const bool there = i < dimensions;
        slot->offset[i] = there && offset != NULL ? offset[i] : 0;
        slot->global[i] = there && global != NULL ? global[i] : 1;
        slot->local[i] = !there ? 1 : local != NULL ? local[i] : 0;
    }
}

static cl_int CL_API_CALL on_clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,
                                                    const size_t *offset, const size_t *global, const size_t *local,
                                                    WAIT_LIST)
{
    struct command command = command_begin(CALL_clEnqueueNDRangeKernel, queue, false, event);
    command_waits(&command, count, list);
    struct capture_kernel *const captured = kernel_captured(kernel);
    cl_uint waits = count;
    const cl_event *waited = list;
    struct capture *const capture = capture_begin(captured, queue, &waits, &waited);
    struct marking marking = marks_begin(kernel_marked(kernel), queue, (struct marks_sizes){dimensions, global, local});
    cl_int outcome = CL_INVALID_KERNEL;
    if (marking.kernel != NULL) /* what the driver has to say it says of the program's own kernel */
        outcome = REAL(queue)->clEnqueueNDRangeKernel(queue, marking.kernel, dimensions, offset, global, local, waits,
                                                      waited, &command.own);
    marks_took(&marking, outcome == CL_SUCCESS);
    if (outcome != CL_SUCCESS)
        outcome = REAL(queue)->clEnqueueNDRangeKernel(queue, kernel, dimensions, offset, global, local, waits, waited,
                                                      &command.own);
    struct page_command *slot = command_accept(&command, outcome);
    struct page_command sizes = {.dimensions = 0};

    if (captured != NULL && outcome == CL_SUCCESS)
        note_sizes(&sizes, dimensions, offset, global, local);
    capture_end(capture, captured, &sizes, outcome == CL_SUCCESS);

    if (outcome == CL_SUCCESS)
        atomic_fetch_add_explicit(&door_page.launches, 1, memory_order_relaxed);
    if (slot != NULL) {
        note_sizes(slot, dimensions, offset, global, local);
        slot->marks = marking.marks;
        slot->mark = marking.mark;
        slot->unmarked = marking.why;
        kernel_note(kernel, slot);
        command_show(slot);
    }
    marks_end(&marking, slot != NULL, outcome == CL_SUCCESS);
    call_end(&command.call);
    return outcome;
}

static cl_int CL_API_CALL on_clEnqueueTask(cl_command_queue queue, cl_kernel kernel, WAIT_LIST)
{
    static const size_t one = 1;
    struct command command = command_begin(CALL_clEnqueueTask, queue, false, event);
    command_waits(&command, count, list);
    const cl_int outcome = REAL(queue)->clEnqueueTask(queue, kernel, count, list, &command.own);
    struct page_command *slot = command_accept(&command, outcome);

    if (outcome == CL_SUCCESS)
        atomic_fetch_add_explicit(&door_page.launches, 1, memory_order_relaxed);
    if (slot != NULL) {
        note_sizes(slot, 1, NULL, &one, &one);
        kernel_note(kernel, slot);
        command_show(slot);
    }
    call_end(&command.call);
    return outcome;
}

typedef void CL_CALLBACK native_function(void *);

COMMAND(clEnqueueNativeKernel,
        (cl_command_queue queue, native_function *function, void *arguments, size_t size, cl_uint objects,
         const cl_mem *memory, const void **places, WAIT_LIST),
        (queue, function, arguments, size, objects, memory, places, count, list, event_given));
COMMAND(clEnqueueMarkerWithWaitList, (cl_command_queue queue, WAIT_LIST), (queue, count, list, event_given));
COMMAND(clEnqueueBarrierWithWaitList, (cl_command_queue queue, WAIT_LIST), (queue, count, list, event_given));
COMMAND(clEnqueueMigrateMemObjects,
        (cl_command_queue queue, cl_uint objects, const cl_mem *memory, cl_mem_migration_flags flags, WAIT_LIST),
        (queue, objects, memory, flags, count, list, event_given));

/* A driver may refuse one without a place for the event. */
static cl_int CL_API_CALL on_clEnqueueMarker(cl_command_queue queue, cl_event *event)
{
    struct command command = command_begin(CALL_clEnqueueMarker, queue, false, event);

    return command_end(&command, REAL(queue)->clEnqueueMarker(queue, event == NULL ? NULL : &command.own));
}

#define SET(name) ours->name = on_##name

void commands_set(cl_icd_dispatch *ours)
{
    SET(clEnqueueNDRangeKernel);
    SET(clEnqueueTask);
    SET(clEnqueueNativeKernel);
    SET(clEnqueueMarker);
    SET(clEnqueueMarkerWithWaitList);
    SET(clEnqueueBarrierWithWaitList);
    SET(clEnqueueMigrateMemObjects);
}
