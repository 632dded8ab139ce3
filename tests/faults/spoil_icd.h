/* The functions that the worker calls, and how each of them is passed on. */
#pragma once

#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl_icd.h>

#include <stdbool.h>

#define EXPORT __attribute__((visibility("default")))

/* What is spoiled of a call whose process goes on. */
struct spoiling {
    cl_int code;
    bool does_nothing; /* and returns `code` */
    bool halves;
    bool lies;
    bool doubles;
    bool drops; /* the list of events to wait for */
    bool rounds;
    char fault[32];
};

/* Does to this process what the fault says; it may not return. Other faults do nothing here. */
void spoil_process(const char *fault);

/*
 * Does what SPOIL_PARTS says to a program that is built, or launched in groups of so many work-items; or returns a
 * code.
 */
cl_int spoil_parts_built(const cl_icd_dispatch *real, cl_program program, const char *options);
cl_int spoil_parts_launched(const cl_icd_dispatch *real, cl_kernel kernel, size_t items);

/*
 * Maps a copy of the buffer's bytes, as they are now or, if it is stale, as they were when it was mapped for the first
 * time; what is written to it is lost. NULL: there is no room, or it cannot be read.
 */
void *spoil_mapped(const cl_icd_dispatch *real, cl_command_queue queue, cl_mem buffer, bool stale, size_t offset);
bool spoil_has_mapped(const void *memory);

/* Of buffers that may be boards: the host has mapped one, writes to it, or releases it. */
void spoil_board_mapped(cl_mem memory, const void *mapped);
void spoil_board_written(cl_mem memory, size_t offset, size_t size, const void *words);
void spoil_board_released(cl_mem memory);

/* The next launch has this board; a buffer that was neither mapped nor written is none. */
void spoil_board_given(const uint32_t *words);
void spoil_board_given_buffer(cl_mem memory);

/*
 * The seed on the board that was given last, 0 if there was none; and whether its launch does what its scenario is for.
 */
uint32_t spoil_board_seed(void);
bool spoil_board_is_for_work(void);

/*
 * PLAIN returns an error code, and so do WAITS, which has a list of events, and MOVES, which has bytes; QUERY writes
 * `size` bytes to `value`, MAKE returns something new and its error in `code`; OTHER is written out.
 */
#define SPOIL_FUNCTIONS(PLAIN, WAITS, MOVES, QUERY, MAKE, OTHER)                                                       \
    QUERY(clGetPlatformInfo,                                                                                           \
          (cl_platform_id platform, cl_platform_info what, size_t size, void *value, size_t *needed),                  \
          (platform, what, size, value, needed))                                                                       \
    QUERY(clGetDeviceInfo, (cl_device_id device, cl_device_info what, size_t size, void *value, size_t *needed),       \
          (device, what, size, value, needed))                                                                         \
    QUERY(clGetProgramInfo, (cl_program program, cl_program_info what, size_t size, void *value, size_t *needed),      \
          (program, what, size, value, needed))                                                                        \
    QUERY(clGetProgramBuildInfo,                                                                                       \
          (cl_program program, cl_device_id device, cl_program_build_info what, size_t size, void *value,              \
           size_t *needed),                                                                                            \
          (program, device, what, size, value, needed))                                                                \
    QUERY(clGetKernelInfo, (cl_kernel kernel, cl_kernel_info what, size_t size, void *value, size_t *needed),          \
          (kernel, what, size, value, needed))                                                                         \
    QUERY(clGetKernelArgInfo,                                                                                          \
          (cl_kernel kernel, cl_uint index, cl_kernel_arg_info what, size_t size, void *value, size_t *needed),        \
          (kernel, index, what, size, value, needed))                                                                  \
    QUERY(clGetEventInfo, (cl_event event, cl_event_info what, size_t size, void *value, size_t *needed),              \
          (event, what, size, value, needed))                                                                          \
    PLAIN(clGetDeviceIDs,                                                                                              \
          (cl_platform_id platform, cl_device_type type, cl_uint room, cl_device_id * devices, cl_uint * count),       \
          (platform, type, room, devices, count))                                                                      \
    PLAIN(clCreateKernelsInProgram, (cl_program program, cl_uint room, cl_kernel * kernels, cl_uint * count),          \
          (program, room, kernels, count))                                                                             \
    MOVES(clEnqueueReadBuffer,                                                                                         \
          (cl_command_queue queue, cl_mem buffer, cl_bool blocking, size_t offset, size_t size, void *memory,          \
           cl_uint count, const cl_event *list, cl_event *event),                                                      \
          (queue, buffer, blocking, offset, size, memory, count, list, event))                                         \
    MOVES(clEnqueueFillBuffer,                                                                                         \
          (cl_command_queue queue, cl_mem buffer, const void *pattern, size_t bytes, size_t offset, size_t size,       \
           cl_uint count, const cl_event *list, cl_event *event),                                                      \
          (queue, buffer, pattern, bytes, offset, size, count, list, event))                                           \
    PLAIN(                                                                                                             \
        clEnqueueReadBufferRect,                                                                                       \
        (cl_command_queue queue, cl_mem buffer, cl_bool blocking, const size_t *there, const size_t *here,             \
         const size_t *region, size_t row, size_t slice, size_t row_here, size_t slice_here, void *memory,             \
         cl_uint count, const cl_event *list, cl_event *event),                                                        \
        (queue, buffer, blocking, there, here, region, row, slice, row_here, slice_here, memory, count, list, event))  \
    PLAIN(                                                                                                             \
        clEnqueueWriteBufferRect,                                                                                      \
        (cl_command_queue queue, cl_mem buffer, cl_bool blocking, const size_t *there, const size_t *here,             \
         const size_t *region, size_t row, size_t slice, size_t row_here, size_t slice_here, const void *memory,       \
         cl_uint count, const cl_event *list, cl_event *event),                                                        \
        (queue, buffer, blocking, there, here, region, row, slice, row_here, slice_here, memory, count, list, event))  \
    WAITS(clEnqueueBarrierWithWaitList,                                                                                \
          (cl_command_queue queue, cl_uint count, const cl_event *list, cl_event *event), (queue, count, list, event)) \
    WAITS(clWaitForEvents, (cl_uint count, const cl_event *list), (count, list))                                       \
    WAITS(clEnqueueMarkerWithWaitList, (cl_command_queue queue, cl_uint count, const cl_event *list, cl_event *event), \
          (queue, count, list, event))                                                                                 \
    MOVES(clEnqueueCopyBuffer,                                                                                         \
          (cl_command_queue queue, cl_mem from, cl_mem to, size_t there, size_t offset, size_t size, cl_uint count,    \
           const cl_event *list, cl_event *event),                                                                     \
          (queue, from, to, there, offset, size, count, list, event))                                                  \
    PLAIN(clReleaseCommandQueue, (cl_command_queue queue), (queue))                                                    \
    MAKE(cl_event, clCreateUserEvent, (cl_context context, cl_int * code), (context, code))                            \
    PLAIN(clFlush, (cl_command_queue queue), (queue))                                                                  \
    PLAIN(clFinish, (cl_command_queue queue), (queue))                                                                 \
    PLAIN(clReleaseKernel, (cl_kernel kernel), (kernel))                                                               \
    PLAIN(clReleaseProgram, (cl_program program), (program))                                                           \
    PLAIN(clReleaseEvent, (cl_event event), (event))                                                                   \
    MAKE(cl_context, clCreateContext,                                                                                  \
         (const cl_context_properties *properties, cl_uint count, const cl_device_id *devices,                         \
          void(CL_CALLBACK * notify)(const char *, const void *, size_t, void *), void *data, cl_int *code),           \
         (properties, count, devices, notify, data, code))                                                             \
    MAKE(cl_command_queue, clCreateCommandQueue,                                                                       \
         (cl_context context, cl_device_id device, cl_command_queue_properties properties, cl_int * code),             \
         (context, device, properties, code))                                                                          \
    MAKE(cl_mem, clCreateBuffer, (cl_context context, cl_mem_flags flags, size_t size, void *memory, cl_int *code),    \
         (context, flags, size, memory, code))                                                                         \
    MAKE(cl_mem, clCreateImage,                                                                                        \
         (cl_context context, cl_mem_flags flags, const cl_image_format *format, const cl_image_desc *shape,           \
          void *memory, cl_int *code),                                                                                 \
         (context, flags, format, shape, memory, code))                                                                \
    MAKE(                                                                                                              \
        cl_sampler, clCreateSampler,                                                                                   \
        (cl_context context, cl_bool normalized, cl_addressing_mode addressing, cl_filter_mode filter, cl_int * code), \
        (context, normalized, addressing, filter, code))                                                               \
    OTHER(clGetKernelWorkGroupInfo)                                                                                    \
    OTHER(clGetKernelSubGroupInfo)                                                                                     \
    OTHER(clGetEventProfilingInfo)                                                                                     \
    OTHER(clCreateKernel)                                                                                              \
    OTHER(clCreateProgramWithSource)                                                                                   \
    OTHER(clBuildProgram)                                                                                              \
    OTHER(clEnqueueNDRangeKernel)                                                                                      \
    OTHER(clEnqueueWriteBuffer)                                                                                        \
    OTHER(clEnqueueMapBuffer)                                                                                          \
    OTHER(clEnqueueUnmapMemObject)                                                                                     \
    OTHER(clCreateSubBuffer)                                                                                           \
    OTHER(clReleaseMemObject)                                                                                          \
    OTHER(clSetKernelArg)                                                                                              \
    OTHER(clSetUserEventStatus)                                                                                        \
    OTHER(clSetEventCallback)                                                                                          \
    OTHER(clSetKernelArgSVMPointer)                                                                                    \
    OTHER(clSVMAlloc)                                                                                                  \
    OTHER(clSVMFree)
