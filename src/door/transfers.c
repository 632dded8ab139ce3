/* Commands that move data. */
#include "door/capture.h"
#include "door/commands.h"

#define RECTANGLE const size_t *origin, const size_t *other, const size_t *region
#define PITCHES size_t row, size_t slice, size_t other_row, size_t other_slice

BLOCKING(clEnqueueReadBuffer,
         (cl_command_queue queue, cl_mem memory, cl_bool blocking, size_t offset, size_t size, void *to, WAIT_LIST),
         (queue, memory, blocking, offset, size, to, count, list, event_given));
BLOCKING(clEnqueueReadBufferRect,
         (cl_command_queue queue, cl_mem memory, cl_bool blocking, RECTANGLE, PITCHES, void *to, WAIT_LIST),
         (queue, memory, blocking, origin, other, region, row, slice, other_row, other_slice, to, count, list,
          event_given));
BLOCKING(clEnqueueWriteBuffer,
         (cl_command_queue queue, cl_mem memory, cl_bool blocking, size_t offset, size_t size, const void *from,
          WAIT_LIST),
         (queue, memory, blocking, offset, size, from, count, list, event_given));
BLOCKING(clEnqueueWriteBufferRect,
         (cl_command_queue queue, cl_mem memory, cl_bool blocking, RECTANGLE, PITCHES, const void *from, WAIT_LIST),
         (queue, memory, blocking, origin, other, region, row, slice, other_row, other_slice, from, count, list,
          event_given));
COMMAND(clEnqueueFillBuffer,
        (cl_command_queue queue, cl_mem memory, const void *pattern, size_t length, size_t offset, size_t size,
         WAIT_LIST),
        (queue, memory, pattern, length, offset, size, count, list, event_given));
COMMAND(clEnqueueCopyBuffer,
        (cl_command_queue queue, cl_mem from, cl_mem to, size_t offset, size_t other, size_t size, WAIT_LIST),
        (queue, from, to, offset, other, size, count, list, event_given));
COMMAND(clEnqueueCopyBufferRect, (cl_command_queue queue, cl_mem from, cl_mem to, RECTANGLE, PITCHES, WAIT_LIST),
        (queue, from, to, origin, other, region, row, slice, other_row, other_slice, count, list, event_given));

BLOCKING(clEnqueueReadImage,
         (cl_command_queue queue, cl_mem image, cl_bool blocking, const size_t *origin, const size_t *region,
          size_t row, size_t slice, void *to, WAIT_LIST),
         (queue, image, blocking, origin, region, row, slice, to, count, list, event_given));
BLOCKING(clEnqueueWriteImage,
         (cl_command_queue queue, cl_mem image, cl_bool blocking, const size_t *origin, const size_t *region,
          size_t row, size_t slice, const void *from, WAIT_LIST),
         (queue, image, blocking, origin, region, row, slice, from, count, list, event_given));
COMMAND(clEnqueueFillImage,
        (cl_command_queue queue, cl_mem image, const void *color, const size_t *origin, const size_t *region,
         WAIT_LIST),
        (queue, image, color, origin, region, count, list, event_given));
COMMAND(clEnqueueCopyImage, (cl_command_queue queue, cl_mem from, cl_mem to, RECTANGLE, WAIT_LIST),
        (queue, from, to, origin, other, region, count, list, event_given));
COMMAND(clEnqueueCopyImageToBuffer,
        (cl_command_queue queue, cl_mem from, cl_mem to, const size_t *origin, const size_t *region, size_t offset,
         WAIT_LIST),
        (queue, from, to, origin, region, offset, count, list, event_given));
COMMAND(clEnqueueCopyBufferToImage,
        (cl_command_queue queue, cl_mem from, cl_mem to, size_t offset, const size_t *origin, const size_t *region,
         WAIT_LIST),
        (queue, from, to, offset, origin, region, count, list, event_given));
COMMAND(clEnqueueUnmapMemObject, (cl_command_queue queue, cl_mem memory, void *mapped, WAIT_LIST),
        (queue, memory, mapped, count, list, event_given));

typedef void CL_CALLBACK free_function(cl_command_queue, cl_uint, void **, void *);

static cl_int CL_API_CALL on_clEnqueueSVMFree(cl_command_queue queue, cl_uint pointers, void **pointer,
                                              free_function *function, void *data, WAIT_LIST)
{
    struct command command = command_begin(CALL_clEnqueueSVMFree, queue, false, event);
    cl_event *const given = command_event(&command);

    command_waits(&command, count, list);
    const cl_int outcome = command_end(
        &command, REAL(queue)->clEnqueueSVMFree(queue, pointers, pointer, function, data, count, list, given));
    for (cl_uint i = 0; outcome == CL_SUCCESS && i < pointers; ++i)
        capture_svm_freed(pointer[i]);
    return outcome;
}

BLOCKING(clEnqueueSVMMemcpy,
         (cl_command_queue queue, cl_bool blocking, void *to, const void *from, size_t size, WAIT_LIST),
         (queue, blocking, to, from, size, count, list, event_given));
COMMAND(clEnqueueSVMMemFill,
        (cl_command_queue queue, void *memory, const void *pattern, size_t length, size_t size, WAIT_LIST),
        (queue, memory, pattern, length, size, count, list, event_given));
BLOCKING(clEnqueueSVMMap,
         (cl_command_queue queue, cl_bool blocking, cl_map_flags flags, void *memory, size_t size, WAIT_LIST),
         (queue, blocking, flags, memory, size, count, list, event_given));
COMMAND(clEnqueueSVMUnmap, (cl_command_queue queue, void *memory, WAIT_LIST),
        (queue, memory, count, list, event_given));

/* They return an address, and the status apart, where it is wanted. */
#define MAP(name, parameters, arguments)                                                                               \
    static void *CL_API_CALL on_##name parameters                                                                      \
    {                                                                                                                  \
        struct command command = command_begin(CALL_##name, queue, blocking != CL_FALSE, event);                       \
        cl_event *const event_given = command_event(&command);                                                         \
        cl_int outcome = CL_SUCCESS;                                                                                   \
        command_waits(&command, count, list);                                                                          \
        void *const mapped = REAL(queue)->name arguments;                                                              \
        command_end(&command, outcome);                                                                                \
        if (error != NULL)                                                                                             \
            *error = outcome;                                                                                          \
        return mapped;                                                                                                 \
    }

MAP(clEnqueueMapBuffer,
    (cl_command_queue queue, cl_mem memory, cl_bool blocking, cl_map_flags flags, size_t offset, size_t size, WAIT_LIST,
     cl_int *error),
    (queue, memory, blocking, flags, offset, size, count, list, event_given, &outcome));
MAP(clEnqueueMapImage,
    (cl_command_queue queue, cl_mem image, cl_bool blocking, cl_map_flags flags, const size_t *origin,
     const size_t *region, size_t *row, size_t *slice, WAIT_LIST, cl_int *error),
    (queue, image, blocking, flags, origin, region, row, slice, count, list, event_given, &outcome));

#define SET(name) ours->name = on_##name

void transfers_set(cl_icd_dispatch *ours)
{
    SET(clEnqueueReadBuffer);
    SET(clEnqueueReadBufferRect);
    SET(clEnqueueWriteBuffer);
    SET(clEnqueueWriteBufferRect);
    SET(clEnqueueFillBuffer);
    SET(clEnqueueCopyBuffer);
    SET(clEnqueueCopyBufferRect);
    SET(clEnqueueReadImage);
    SET(clEnqueueWriteImage);
    SET(clEnqueueFillImage);
    SET(clEnqueueCopyImage);
    SET(clEnqueueCopyImageToBuffer);
    SET(clEnqueueCopyBufferToImage);
    SET(clEnqueueMapBuffer);
    SET(clEnqueueMapImage);
    SET(clEnqueueUnmapMemObject);
    SET(clEnqueueSVMFree);
    SET(clEnqueueSVMMemcpy);
    SET(clEnqueueSVMMemFill);
    SET(clEnqueueSVMMap);
    SET(clEnqueueSVMUnmap);
}
