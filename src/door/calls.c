/* Calls that are no commands. */
#include "door/capture.h"
#include "door/marks.h"
#include "door/shared.h"

#include <string.h>

/* A function that returns a status, and one that returns an object. */
#define STATUS_CALL(name, first, parameters, arguments)                                                                \
    static cl_int CL_API_CALL on_##name parameters                                                                     \
    {                                                                                                                  \
        const struct call call = call_begin(CALL_##name, first, false);                                                \
        const cl_int outcome = REAL(first)->name arguments;                                                            \
        call_end(&call);                                                                                               \
        return outcome;                                                                                                \
    }
#define OBJECT_CALL(name, type, first, parameters, arguments, made)                                                    \
    static type CL_API_CALL on_##name parameters                                                                       \
    {                                                                                                                  \
        const struct call call = call_begin(CALL_##name, first, false);                                                \
        type object = REAL(first)->name arguments;                                                                     \
        if (object != NULL)                                                                                            \
            made(object);                                                                                              \
        call_end(&call);                                                                                               \
        return object;                                                                                                 \
    }

/* --- programs and kernels --- */

typedef void CL_CALLBACK notify_program(cl_program, void *);

static void note_callback(notify_program *notify)
{
    if (notify != NULL)
        atomic_store(&door_page.built_callbacks, 1);
}

static cl_int CL_API_CALL on_clBuildProgram(cl_program program, cl_uint count, const cl_device_id *devices,
                                            const char *options, notify_program *notify, void *data)
{
    const struct call call = call_begin(CALL_clBuildProgram, program, false);

    note_callback(notify);
    const cl_int outcome = REAL(program)->clBuildProgram(program, count, devices, options, notify, data);

    if (outcome == CL_SUCCESS)
        program_built(program, options);
    call_end(&call);
    return outcome;
}

static cl_int CL_API_CALL on_clCompileProgram(cl_program program, cl_uint count, const cl_device_id *devices,
                                              const char *options, cl_uint headers, const cl_program *header,
                                              const char **names, notify_program *notify, void *data)
{
    const struct call call = call_begin(CALL_clCompileProgram, program, false);

    note_callback(notify);
    const cl_int outcome =
        REAL(program)->clCompileProgram(program, count, devices, options, headers, header, names, notify, data);

    if (outcome == CL_SUCCESS)
        program_compiled(program, options, headers);
    call_end(&call);
    return outcome;
}

static cl_program CL_API_CALL on_clLinkProgram(cl_context context, cl_uint count, const cl_device_id *devices,
                                               const char *options, cl_uint programs, const cl_program *from,
                                               notify_program *notify, void *data, cl_int *error)
{
    const struct call call = call_begin(CALL_clLinkProgram, context, false);

    note_callback(notify);
    cl_program made =
        REAL(context)->clLinkProgram(context, count, devices, options, programs, from, notify, data, error);

    if (made != NULL)
        program_linked(made, programs, from);
    call_end(&call);
    return made;
}

OBJECT_CALL(clCreateKernel, cl_kernel, program, (cl_program program, const char *name, cl_int *error),
            (program, name, error), kernel_made);

static cl_kernel CL_API_CALL on_clCloneKernel(cl_kernel kernel, cl_int *error)
{
    const struct call call = call_begin(CALL_clCloneKernel, kernel, false);
    cl_kernel made = REAL(kernel)->clCloneKernel(kernel, error);

    if (made != NULL)
        kernel_cloned(made, kernel);
    call_end(&call);
    return made;
}

static cl_int CL_API_CALL on_clCreateKernelsInProgram(cl_program program, cl_uint count, cl_kernel *kernels,
                                                      cl_uint *number)
{
    const struct call call = call_begin(CALL_clCreateKernelsInProgram, program, false);
    cl_uint made = 0;
    const cl_int outcome = REAL(program)->clCreateKernelsInProgram(program, count, kernels, &made);

    if (outcome == CL_SUCCESS && number != NULL)
        *number = made;
    for (cl_uint i = 0; outcome == CL_SUCCESS && kernels != NULL && i < made; ++i)
        kernel_made(kernels[i]);
    call_end(&call);
    return outcome;
}

static cl_int CL_API_CALL on_clSetKernelArg(cl_kernel kernel, cl_uint index, size_t size, const void *value)
{
    const cl_int outcome = REAL(kernel)->clSetKernelArg(kernel, index, size, value);

    if (outcome == CL_SUCCESS)
        kernel_argument(kernel, index, size, value);
    return outcome;
}

static cl_int CL_API_CALL on_clSetKernelArgSVMPointer(cl_kernel kernel, cl_uint index, const void *value)
{
    const cl_int outcome = REAL(kernel)->clSetKernelArgSVMPointer(kernel, index, value);

    if (outcome == CL_SUCCESS)
        kernel_argument_svm(kernel, index, value, NULL);
    return outcome;
}

static cl_int CL_API_CALL on_clSetKernelExecInfo(cl_kernel kernel, cl_kernel_exec_info name, size_t size,
                                                 const void *value)
{
    const cl_int outcome = REAL(kernel)->clSetKernelExecInfo(kernel, name, size, value);

    if (outcome == CL_SUCCESS)
        kernel_information(kernel, name, size, value);
    return outcome;
}

/* What becomes of an object when the last one lets go of it is no more ours: its handle may be used again. */
#define HOLDING_CALL(name, type, held, by)                                                                             \
    static cl_int CL_API_CALL on_##name(type object)                                                                   \
    {                                                                                                                  \
        held(object, by);                                                                                              \
        const cl_int outcome = REAL(object)->name(object);                                                             \
        if (outcome != CL_SUCCESS)                                                                                     \
            held(object, -(by));                                                                                       \
        return outcome;                                                                                                \
    }

HOLDING_CALL(clRetainKernel, cl_kernel, kernel_held, 1)
HOLDING_CALL(clReleaseKernel, cl_kernel, kernel_held, -1)
HOLDING_CALL(clRetainProgram, cl_program, marks_program_held, 1)
HOLDING_CALL(clReleaseProgram, cl_program, marks_program_held, -1)

/* --- contexts, queues, memory --- */

OBJECT_CALL(clCreateCommandQueue, cl_command_queue, context,
            (cl_context context, cl_device_id device, cl_command_queue_properties properties, cl_int *error),
            (context, device, properties, error), queue_made);
OBJECT_CALL(clCreateCommandQueueWithProperties, cl_command_queue, context,
            (cl_context context, cl_device_id device, const cl_queue_properties *properties, cl_int *error),
            (context, device, properties, error), queue_made);

/* An event that we hold holds its queue and its context, too. */
#define RELEASE_CALL(name, type, queue)                                                                                \
    static cl_int CL_API_CALL on_##name(type object)                                                                   \
    {                                                                                                                  \
        const struct call call = call_begin(CALL_##name, object, false);                                               \
        queues_sweep(queue);                                                                                           \
        const cl_int outcome = REAL(object)->name(object);                                                             \
        call_end(&call);                                                                                               \
        return outcome;                                                                                                \
    }

RELEASE_CALL(clReleaseCommandQueue, cl_command_queue, object);
RELEASE_CALL(clReleaseContext, cl_context, NULL);
STATUS_CALL(clReleaseMemObject, memory, (cl_mem memory), (memory));

static cl_mem CL_API_CALL on_clCreateBuffer(cl_context context, cl_mem_flags flags, size_t size, void *host,
                                            cl_int *error)
{
    cl_mem made = REAL(context)->clCreateBuffer(context, flags, size, host, error);

    if (made != NULL)
        capture_memory(made, size);
    return made;
}

static cl_mem CL_API_CALL on_clCreateBufferWithProperties(cl_context context, const cl_mem_properties *properties,
                                                          cl_mem_flags flags, size_t size, void *host, cl_int *error)
{
    cl_mem made = REAL(context)->clCreateBufferWithProperties(context, properties, flags, size, host, error);

    if (made != NULL)
        capture_memory(made, size);
    return made;
}

static cl_mem CL_API_CALL on_clCreateSubBuffer(cl_mem buffer, cl_mem_flags flags, cl_buffer_create_type type,
                                               const void *of, cl_int *error)
{
    cl_mem made = REAL(buffer)->clCreateSubBuffer(buffer, flags, type, of, error);

    if (made != NULL && type == CL_BUFFER_CREATE_TYPE_REGION)
        capture_memory(made, ((const cl_buffer_region *)of)->size); /* the driver has read it */
    return made;
}

static void *CL_API_CALL on_clSVMAlloc(cl_context context, cl_svm_mem_flags flags, size_t size, cl_uint alignment)
{
    void *made = REAL(context)->clSVMAlloc(context, flags, size, alignment);

    if (made != NULL)
        capture_svm_made(made, size);
    return made;
}

static void CL_API_CALL on_clSVMFree(cl_context context, void *memory)
{
    capture_svm_freed(memory);
    REAL(context)->clSVMFree(context, memory);
}

/* What captures have to know apart from buffers and values. */
#define MADE_CALL(name, type, first, parameters, arguments, made)                                                      \
    static type CL_API_CALL on_##name parameters                                                                       \
    {                                                                                                                  \
        type object = REAL(first)->name arguments;                                                                     \
        if (object != NULL)                                                                                            \
            made(object);                                                                                              \
        return object;                                                                                                 \
    }

MADE_CALL(clCreateImage, cl_mem, context,
          (cl_context context, cl_mem_flags flags, const cl_image_format *format, const cl_image_desc *shape,
           void *host, cl_int *error),
          (context, flags, format, shape, host, error), capture_image)
MADE_CALL(clCreateImageWithProperties, cl_mem, context,
          (cl_context context, const cl_mem_properties *properties, cl_mem_flags flags, const cl_image_format *format,
           const cl_image_desc *shape, void *host, cl_int *error),
          (context, properties, flags, format, shape, host, error), capture_image)
MADE_CALL(clCreateImage2D, cl_mem, context,
          (cl_context context, cl_mem_flags flags, const cl_image_format *format, size_t width, size_t height,
           size_t pitch, void *host, cl_int *error),
          (context, flags, format, width, height, pitch, host, error), capture_image)
MADE_CALL(clCreateImage3D, cl_mem, context,
          (cl_context context, cl_mem_flags flags, const cl_image_format *format, size_t width, size_t height,
           size_t depth, size_t row_pitch, size_t slice_pitch, void *host, cl_int *error),
          (context, flags, format, width, height, depth, row_pitch, slice_pitch, host, error), capture_image)
MADE_CALL(clCreatePipe, cl_mem, context,
          (cl_context context, cl_mem_flags flags, cl_uint size, cl_uint packets, const cl_pipe_properties *properties,
           cl_int *error),
          (context, flags, size, packets, properties, error), capture_image)
MADE_CALL(clCreateSampler, cl_sampler, context,
          (cl_context context, cl_bool normalized, cl_addressing_mode addressing, cl_filter_mode filter, cl_int *error),
          (context, normalized, addressing, filter, error), capture_sampler)
MADE_CALL(clCreateSamplerWithProperties, cl_sampler, context,
          (cl_context context, const cl_sampler_properties *properties, cl_int *error), (context, properties, error),
          capture_sampler)

/* --- events --- */

OBJECT_CALL(clCreateUserEvent, cl_event, context, (cl_context context, cl_int *error), (context, error),
            user_event_made);

static cl_int CL_API_CALL on_clSetUserEventStatus(cl_event event, cl_int status)
{
    const struct call call = call_begin(CALL_clSetUserEventStatus, event, false);
    const cl_int outcome = REAL(event)->clSetUserEventStatus(event, status);

    if (outcome == CL_SUCCESS)
        user_event_set(event);
    call_end(&call);
    return outcome;
}

static cl_int CL_API_CALL on_clSetEventCallback(cl_event event, cl_int status, event_function *function, void *data)
{
    return event_callback(event, status, function, data);
}

static cl_int CL_API_CALL on_clWaitForEvents(cl_uint count, const cl_event *list)
{
    if (count == 0 || list == NULL)
        return CL_INVALID_VALUE; /* a loader says the same */
    const struct call call = call_begin(CALL_clWaitForEvents, NULL, true);

    call_waits(&call, count, list);
    const cl_int outcome = REAL(list[0])->clWaitForEvents(count, list);
    queues_sweep(NULL);
    call_end(&call);
    return outcome;
}

static cl_int CL_API_CALL on_clFlush(cl_command_queue queue)
{
    const struct call call = call_begin(CALL_clFlush, queue, false);

    queue_flushed(queue);
    const cl_int outcome = REAL(queue)->clFlush(queue);
    call_end(&call);
    return outcome;
}

static cl_int CL_API_CALL on_clFinish(cl_command_queue queue)
{
    const struct call call = call_begin(CALL_clFinish, queue, true);

    queue_flushed(queue);
    const cl_int outcome = REAL(queue)->clFinish(queue);
    queues_sweep(queue);
    call_end(&call);
    return outcome;
}

/* --- functions by name --- */

static void note_foreign(const char *name)
{
    const uint32_t count = atomic_load(&door_page.foreign_count);

    for (uint32_t i = 0; i < count; ++i)
        if (strcmp(door_page.foreign[i], name) == 0)
            return;
    if (count == PAGE_DRIVERS || strlen(name) >= PAGE_NAME)
        return;
    memcpy(door_page.foreign[count], name, strlen(name) + 1);
    atomic_store(&door_page.foreign_count, count + 1);
}

static void *CL_API_CALL on_clGetExtensionFunctionAddressForPlatform(cl_platform_id platform, const char *name)
{
    void *const found = REAL(platform)->clGetExtensionFunctionAddressForPlatform(platform, name);
    void *function = drivers_replace(found);

    if (function != NULL && function == found && strncmp(name, "clEnqueue", strlen("clEnqueue")) == 0)
        note_foreign(name);
    if (found != NULL && strcmp(name, SHARED_SET) == 0)
        function =
            shared_stand_before(found, REAL(platform)->clGetExtensionFunctionAddressForPlatform(platform, SHARED_INFO),
                                REAL(platform)->clGetExtensionFunctionAddressForPlatform(platform, SHARED_COPY));
    marks_pass(name, function != NULL && function == found);
    return function;
}

#define SET(name) ours->name = on_##name

void calls_set(cl_icd_dispatch *ours)
{
    SET(clBuildProgram);
    SET(clCompileProgram);
    SET(clLinkProgram);
    SET(clCreateKernel);
    SET(clCloneKernel);
    SET(clCreateKernelsInProgram);
    SET(clSetKernelArg);
    SET(clSetKernelArgSVMPointer);
    if (marks_wanted() || capture_root() != NULL)
        SET(clSetKernelExecInfo);
    if (marks_wanted()) {
        SET(clRetainKernel);
        SET(clReleaseKernel);
        SET(clRetainProgram);
        SET(clReleaseProgram);
    }
    SET(clCreateCommandQueue);
    SET(clCreateCommandQueueWithProperties);
    SET(clReleaseCommandQueue);
    SET(clReleaseContext);
    SET(clReleaseMemObject);
    SET(clCreateBuffer);
    SET(clCreateBufferWithProperties);
    SET(clCreateSubBuffer);
    SET(clSVMAlloc);
    SET(clSVMFree);
    SET(clCreateImage);
    SET(clCreateImageWithProperties);
    SET(clCreateImage2D);
    SET(clCreateImage3D);
    SET(clCreatePipe);
    SET(clCreateSampler);
    SET(clCreateSamplerWithProperties);
    SET(clCreateUserEvent);
    SET(clSetUserEventStatus);
    SET(clSetEventCallback);
    SET(clWaitForEvents);
    SET(clFlush);
    SET(clFinish);
    SET(clGetExtensionFunctionAddressForPlatform);
}
