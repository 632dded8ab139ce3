#include "driver/model.h"

#include "harness.h"
#include "model/machine.h"

#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <string.h>

static const char source[] =
    "kernel void add(global uint *words, uint value, local uint *own)\n"
    "{\n"
    "    if (get_local_id(0) == 0)\n"
    "        own[0] = value;\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    words[get_global_id(0)] += own[0];\n"
    "}\n"
    "kernel __attribute__((reqd_work_group_size(4, 1, 1))) void four(global uint *words)\n"
    "{\n"
    "    words[get_global_id(0)] = get_local_size(0);\n"
    "}\n"
    "kernel void stand(global uint *words)\n"
    "{\n"
    "    while (atomic_load_explicit((volatile global atomic_uint *)words, memory_order_relaxed,\n"
    "                                memory_scope_device) == 0)\n"
    "        ;\n"
    "}\n";

enum { WORDS = 64, BYTES = WORDS * sizeof(cl_uint) };

static const struct opencl *cl;
static cl_device_id device;
static cl_context context;
static cl_command_queue queue;
static cl_program program;
static cl_mem buffer;
static cl_int code;

static cl_program program_of(const char *text)
{
    cl_program made = cl->clCreateProgramWithSource(context, 1, &text, NULL, &code);
    ck_assert_int_eq(code, CL_SUCCESS);
    return made;
}

static const char *log_of(cl_program built)
{
    static char text[4096];
    ck_assert_int_eq(cl->clGetProgramBuildInfo(built, device, CL_PROGRAM_BUILD_LOG, sizeof text, text, NULL),
                     CL_SUCCESS);
    return text;
}

static cl_kernel kernel_of(const char *name)
{
    if (program == NULL) {
        program = program_of(source);
        code = cl->clBuildProgram(program, 1, &device, "-cl-std=CL3.0", NULL, NULL);
        ck_assert_msg(code == CL_SUCCESS, "%s", log_of(program));
    }
    cl_kernel kernel = cl->clCreateKernel(program, name, &code);
    ck_assert_int_eq(code, CL_SUCCESS);
    return kernel;
}

static void begin(void)
{
    const struct model_device model = {.model = LITMUS_OBE, .resident = 4};
    struct error error;
    cl_platform_id platform;

    cl = opencl_of_model(&model, NULL, &error);
    ck_assert_int_eq(cl->clGetPlatformIDs(1, &platform, NULL), CL_SUCCESS);
    ck_assert_int_eq(cl->clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL), CL_SUCCESS);
    context = cl->clCreateContext(NULL, 1, &device, NULL, NULL, &code);
    ck_assert_int_eq(code, CL_SUCCESS);
    queue = cl->clCreateCommandQueue(context, device, CL_QUEUE_PROFILING_ENABLE, &code);
    ck_assert_int_eq(code, CL_SUCCESS);
    buffer = cl->clCreateBuffer(context, CL_MEM_READ_WRITE, BYTES, NULL, &code);
    ck_assert_int_eq(code, CL_SUCCESS);
}

static void end(void)
{
    ck_assert_int_eq(cl->clReleaseMemObject(buffer), CL_SUCCESS);
    if (program != NULL)
        ck_assert_int_eq(cl->clReleaseProgram(program), CL_SUCCESS);
    ck_assert_int_eq(cl->clReleaseCommandQueue(queue), CL_SUCCESS);
    ck_assert_int_eq(cl->clReleaseContext(context), CL_SUCCESS);
    program = NULL;
}

static cl_uint word(size_t at)
{
    cl_uint value = 0;
    ck_assert_int_eq(
        cl->clEnqueueReadBuffer(queue, buffer, CL_TRUE, at * sizeof value, sizeof value, &value, 0, NULL, NULL),
        CL_SUCCESS);
    return value;
}

static cl_int launch(cl_kernel kernel, size_t global, size_t local)
{
    return cl->clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, local > 0 ? &local : NULL, 0, NULL, NULL);
}

static cl_int set(cl_kernel kernel, cl_uint value)
{
    const cl_int first = cl->clSetKernelArg(kernel, 0, sizeof buffer, &buffer);
    const cl_int second = cl->clSetKernelArg(kernel, 1, sizeof value, &value);
    const cl_int third = cl->clSetKernelArg(kernel, 2, sizeof(cl_uint), NULL);
    return first != CL_SUCCESS ? first : second != CL_SUCCESS ? second : third;
}

START_TEST(a_device_says_what_it_is)
{
    char text[256];
    cl_uint units = 0;
    cl_device_type type = 0;
    size_t length = 0;

    begin();
    ck_assert_int_eq(cl->clGetDeviceInfo(device, CL_DEVICE_NAME, sizeof text, text, &length), CL_SUCCESS);
    ck_assert_str_eq(text, "model:obe:4");
    ck_assert_uint_eq(length, strlen(text) + 1);
    ck_assert_int_eq(cl->clGetDeviceInfo(device, CL_DEVICE_NAME, 3, text, NULL), CL_INVALID_VALUE);
    ck_assert_int_eq(cl->clGetDeviceInfo(device, 0x7777, sizeof text, text, NULL), CL_INVALID_VALUE);
    ck_assert_int_eq(cl->clGetDeviceInfo(device, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof units, &units, NULL), CL_SUCCESS);
    ck_assert_uint_eq(units, 4);
    ck_assert_int_eq(cl->clGetDeviceInfo(device, CL_DEVICE_TYPE, sizeof type, &type, NULL), CL_SUCCESS);
    ck_assert_uint_eq(type, CL_DEVICE_TYPE_ACCELERATOR);
    ck_assert_int_eq(cl->clGetPlatformInfo(NULL, CL_PLATFORM_NAME, sizeof text, text, NULL), CL_SUCCESS);
    ck_assert_str_eq(text, "gridlock");
    ck_assert_int_eq(cl->clGetDeviceIDs(NULL, CL_DEVICE_TYPE_GPU, 1, &device, NULL), CL_DEVICE_NOT_FOUND);
    ck_assert_int_eq(cl->clGetDeviceIDs(NULL, 0, 1, &device, NULL), CL_INVALID_DEVICE_TYPE);
    end();
}
END_TEST

/* Each of them is an object, but none of the kind that is asked for. */
START_TEST(wrong_handles_are_refused)
{
    begin();
    cl_kernel kernel = kernel_of("add");
    void *const wrong[] = {NULL, kernel, program, buffer, context, device, queue};
    const size_t one = 1;
    cl_event event;

    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
        void *const other = wrong[i];
        char text[64];
        if (other != device)
            ck_assert_int_eq(cl->clGetDeviceInfo(other, CL_DEVICE_NAME, 64, text, NULL), CL_INVALID_DEVICE);
        if (other != context) {
            ck_assert_ptr_null(cl->clCreateBuffer(other, 0, 4, NULL, &code));
            ck_assert_int_eq(code, CL_INVALID_CONTEXT);
            ck_assert_int_eq(cl->clReleaseContext(other), CL_INVALID_CONTEXT);
        }
        if (other != queue) {
            ck_assert_int_eq(cl->clFinish(other), CL_INVALID_COMMAND_QUEUE);
            ck_assert_int_eq(cl->clEnqueueReadBuffer(other, buffer, CL_TRUE, 0, 4, text, 0, NULL, NULL),
                             CL_INVALID_COMMAND_QUEUE);
            ck_assert_int_eq(cl->clEnqueueNDRangeKernel(other, kernel, 1, NULL, &one, &one, 0, NULL, NULL),
                             CL_INVALID_COMMAND_QUEUE);
        }
        if (other != buffer) {
            ck_assert_int_eq(cl->clEnqueueReadBuffer(queue, other, CL_TRUE, 0, 4, text, 0, NULL, NULL),
                             CL_INVALID_MEM_OBJECT);
            ck_assert_int_eq(cl->clReleaseMemObject(other), CL_INVALID_MEM_OBJECT);
        }
        if (other != buffer && other != NULL)
            ck_assert_int_eq(cl->clSetKernelArg(kernel, 0, sizeof other, &other), CL_INVALID_MEM_OBJECT);
        if (other != program)
            ck_assert_int_eq(cl->clBuildProgram(other, 0, NULL, NULL, NULL, NULL), CL_INVALID_PROGRAM);
        if (other != kernel)
            ck_assert_int_eq(cl->clSetKernelArg(other, 0, 4, &one), CL_INVALID_KERNEL);
        event = other;
        ck_assert_int_eq(cl->clWaitForEvents(1, &event), CL_INVALID_EVENT);
        ck_assert_int_eq(cl->clEnqueueMarkerWithWaitList(queue, 1, &event, NULL), CL_INVALID_EVENT_WAIT_LIST);
    }
    ck_assert_int_eq(cl->clEnqueueMarkerWithWaitList(queue, 1, NULL, NULL), CL_INVALID_EVENT_WAIT_LIST);
    ck_assert_int_eq(cl->clReleaseKernel(kernel), CL_SUCCESS);
    end();
}
END_TEST

START_TEST(buffers_have_bounds)
{
    cl_uint words[4] = {1, 2, 3, 4};
    const size_t corner[3] = {0, 0, 0}, region[3] = {4, 2, 1}, wide[3] = {BYTES + 1, 1, 1};

    begin();
    ck_assert_ptr_null(cl->clCreateBuffer(context, 0, 0, NULL, &code));
    ck_assert_int_eq(code, CL_INVALID_BUFFER_SIZE);
    ck_assert_ptr_null(cl->clCreateBuffer(context, 0, (size_t)5 << 30, NULL, &code));
    ck_assert_int_eq(code, CL_INVALID_BUFFER_SIZE);
    ck_assert_ptr_null(cl->clCreateBuffer(context, CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY, 4, NULL, &code));
    ck_assert_int_eq(code, CL_INVALID_VALUE);
    ck_assert_ptr_null(cl->clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, 4, NULL, &code));
    ck_assert_int_eq(code, CL_INVALID_HOST_PTR);
    ck_assert_int_eq(cl->clEnqueueWriteBuffer(queue, buffer, CL_TRUE, BYTES - 8, 16, words, 0, NULL, NULL),
                     CL_INVALID_VALUE);
    ck_assert_int_eq(cl->clEnqueueWriteBuffer(queue, buffer, CL_TRUE, SIZE_MAX - 7, 16, words, 0, NULL, NULL),
                     CL_INVALID_VALUE);
    ck_assert_int_eq(cl->clEnqueueWriteBuffer(queue, buffer, CL_TRUE, BYTES - 16, 16, words, 0, NULL, NULL),
                     CL_SUCCESS);
    ck_assert_uint_eq(word(WORDS - 1), 4);
    ck_assert_int_eq(cl->clEnqueueFillBuffer(queue, buffer, words, 3, 0, 12, 0, NULL, NULL), CL_INVALID_VALUE);
    ck_assert_int_eq(cl->clEnqueueFillBuffer(queue, buffer, words, 8, 4, 16, 0, NULL, NULL), CL_INVALID_VALUE);
    ck_assert_int_eq(cl->clEnqueueFillBuffer(queue, buffer, words, 8, 8, 16, 0, NULL, NULL), CL_SUCCESS);
    ck_assert_uint_eq(word(1), 0);
    ck_assert_uint_eq(word(4), 1);
    ck_assert_uint_eq(word(5), 2);
    ck_assert_int_eq(cl->clEnqueueCopyBuffer(queue, buffer, buffer, 0, 4, 16, 0, NULL, NULL), CL_MEM_COPY_OVERLAP);
    ck_assert_int_eq(cl->clEnqueueCopyBuffer(queue, buffer, buffer, 16, 32, 8, 0, NULL, NULL), CL_SUCCESS);
    ck_assert_uint_eq(word(9), 2);
    ck_assert_int_eq(
        cl->clEnqueueWriteBufferRect(queue, buffer, CL_TRUE, corner, corner, region, 40, 0, 8, 0, words, 0, NULL, NULL),
        CL_SUCCESS);
    ck_assert_uint_eq(word(0), 1);
    ck_assert_uint_eq(word(10), 3);
    ck_assert_int_eq(
        cl->clEnqueueReadBufferRect(queue, buffer, CL_TRUE, corner, corner, wide, 0, 0, 0, 0, words, 0, NULL, NULL),
        CL_INVALID_VALUE);
    ck_assert_int_eq(cl->clEnqueueReadBufferRect(queue, buffer, CL_TRUE, corner, corner, region, BYTES, 0, 0, 0, words,
                                                 0, NULL, NULL),
                     CL_INVALID_VALUE);
    end();
}
END_TEST

START_TEST(a_buffer_of_the_hosts_is_where_it_was)
{
    cl_uint words[4] = {1, 2, 3, 4};

    begin();
    cl_mem used = cl->clCreateBuffer(context, CL_MEM_USE_HOST_PTR, sizeof words, words, &code);
    ck_assert_int_eq(code, CL_SUCCESS);
    const cl_uint *mapped = cl->clEnqueueMapBuffer(queue, used, CL_TRUE, CL_MAP_READ, 4, 8, 0, NULL, NULL, &code);
    ck_assert_ptr_eq(mapped, words + 1);
    ck_assert_int_eq(cl->clEnqueueUnmapMemObject(queue, used, words + 4, 0, NULL, NULL), CL_INVALID_VALUE);
    ck_assert_int_eq(cl->clEnqueueUnmapMemObject(queue, used, (void *)mapped, 0, NULL, NULL), CL_SUCCESS);
    ck_assert_int_eq(cl->clEnqueueUnmapMemObject(queue, used, (void *)mapped, 0, NULL, NULL), CL_INVALID_VALUE);
    ck_assert_int_eq(cl->clReleaseMemObject(used), CL_SUCCESS);
    end();
}
END_TEST

START_TEST(what_there_is_none_of_is_refused)
{
    begin();
    ck_assert_ptr_null(cl->clSVMAlloc(context, 0, 4, 0));
    ck_assert_int_eq(cl->clEnqueueSVMMap(queue, CL_TRUE, 0, NULL, 4, 0, NULL, NULL), CL_INVALID_OPERATION);
    ck_assert_ptr_null(cl->clGetExtensionFunctionAddressForPlatform(NULL, "clGetKernelSubGroupInfoKHR"));
    end();
}
END_TEST

START_TEST(a_program_that_is_none_says_why)
{
    size_t count;

    begin();
    cl_program bad = program_of("#error so it is\n");
    ck_assert_ptr_null(cl->clCreateKernel(bad, "add", &code));
    ck_assert_int_eq(code, CL_INVALID_PROGRAM_EXECUTABLE);
    ck_assert_int_eq(cl->clBuildProgram(bad, 1, &device, "", NULL, NULL), CL_BUILD_PROGRAM_FAILURE);
    ck_assert_ptr_nonnull(strstr(log_of(bad), "so it is"));
    ck_assert_int_eq(cl->clGetProgramInfo(bad, CL_PROGRAM_NUM_KERNELS, sizeof count, &count, NULL),
                     CL_INVALID_PROGRAM_EXECUTABLE);
    ck_assert_int_eq(cl->clReleaseProgram(bad), CL_SUCCESS);
    end();
}
END_TEST

START_TEST(a_program_has_kernels)
{
    cl_kernel kernels[3];
    cl_uint count = 0;
    char text[64];
    size_t sizes[3];

    begin();
    cl_kernel four = kernel_of("four");
    ck_assert_int_eq(cl->clCreateKernelsInProgram(program, 2, kernels, NULL), CL_INVALID_VALUE);
    ck_assert_int_eq(cl->clCreateKernelsInProgram(program, 3, kernels, &count), CL_SUCCESS);
    ck_assert_uint_eq(count, 3);
    ck_assert_int_eq(cl->clGetKernelInfo(kernels[0], CL_KERNEL_FUNCTION_NAME, sizeof text, text, NULL), CL_SUCCESS);
    ck_assert_str_eq(text, "add");
    ck_assert_int_eq(cl->clGetKernelInfo(kernels[0], CL_KERNEL_NUM_ARGS, sizeof count, &count, NULL), CL_SUCCESS);
    ck_assert_uint_eq(count, 3);
    ck_assert_ptr_null(cl->clCreateKernel(program, "nosuch", &code));
    ck_assert_int_eq(code, CL_INVALID_KERNEL_NAME);
    ck_assert_int_eq(
        cl->clGetKernelWorkGroupInfo(four, device, CL_KERNEL_COMPILE_WORK_GROUP_SIZE, sizeof sizes, sizes, NULL),
        CL_SUCCESS);
    ck_assert_uint_eq(sizes[0], 4);
    ck_assert_int_eq(cl->clBuildProgram(program, 0, NULL, NULL, NULL, NULL), CL_INVALID_OPERATION);
    for (int i = 0; i < 3; ++i)
        ck_assert_int_eq(cl->clReleaseKernel(kernels[i]), CL_SUCCESS);
    ck_assert_int_eq(cl->clReleaseKernel(four), CL_SUCCESS);
    end();
}
END_TEST

START_TEST(arguments_are_checked)
{
    const cl_ulong wide = 1;

    begin();
    cl_kernel add = kernel_of("add");
    ck_assert_int_eq(launch(add, 8, 4), CL_INVALID_KERNEL_ARGS);
    ck_assert_int_eq(set(add, 1), CL_SUCCESS);
    ck_assert_int_eq(cl->clSetKernelArg(add, 3, sizeof wide, &wide), CL_INVALID_ARG_INDEX);
    ck_assert_int_eq(cl->clSetKernelArg(add, 1, sizeof wide, &wide), CL_INVALID_ARG_SIZE);
    ck_assert_int_eq(cl->clSetKernelArg(add, 1, sizeof(cl_uint), NULL), CL_INVALID_ARG_VALUE);
    ck_assert_int_eq(cl->clSetKernelArg(add, 0, sizeof(cl_uint), &wide), CL_INVALID_ARG_SIZE);
    ck_assert_int_eq(cl->clSetKernelArg(add, 2, 0, NULL), CL_INVALID_ARG_SIZE);
    ck_assert_int_eq(cl->clSetKernelArg(add, 2, 4, &wide), CL_INVALID_ARG_VALUE);
    ck_assert_int_eq(launch(add, 8, 4), CL_SUCCESS); /* what was refused changed nothing */
    ck_assert_int_eq(cl->clFinish(queue), CL_SUCCESS);
    ck_assert_uint_eq(word(7), 1);
    ck_assert_int_eq(cl->clSetKernelArg(add, 2, 1 << 17, NULL), CL_SUCCESS);
    ck_assert_int_eq(launch(add, 8, 4), CL_OUT_OF_RESOURCES);
    ck_assert_int_eq(cl->clReleaseKernel(add), CL_SUCCESS);
    end();
}
END_TEST

START_TEST(sizes_are_checked)
{
    const size_t many[3] = {2048, 64, 2}, ones[3] = {1, 1, 1}, group[3] = {512, 2, 2}, offset[3] = {SIZE_MAX, 0, 0};

    begin();
    cl_kernel add = kernel_of("add"), four = kernel_of("four");
    ck_assert_int_eq(set(add, 1), CL_SUCCESS);
    ck_assert_int_eq(cl->clSetKernelArg(four, 0, sizeof buffer, &buffer), CL_SUCCESS);
    ck_assert_int_eq(launch(add, 8, 3), CL_INVALID_WORK_GROUP_SIZE);
    ck_assert_int_eq(launch(add, 4096, 2048), CL_INVALID_WORK_ITEM_SIZE);
    ck_assert_int_eq(cl->clEnqueueNDRangeKernel(queue, add, 3, NULL, many, group, 0, NULL, NULL),
                     CL_INVALID_WORK_GROUP_SIZE);
    ck_assert_int_eq(cl->clEnqueueNDRangeKernel(queue, add, 0, NULL, many, ones, 0, NULL, NULL),
                     CL_INVALID_WORK_DIMENSION);
    ck_assert_int_eq(cl->clEnqueueNDRangeKernel(queue, add, 4, NULL, many, ones, 0, NULL, NULL),
                     CL_INVALID_WORK_DIMENSION);
    ck_assert_int_eq(cl->clEnqueueNDRangeKernel(queue, add, 1, offset, many, ones, 0, NULL, NULL),
                     CL_INVALID_GLOBAL_OFFSET);
    ck_assert_int_eq(launch(add, (size_t)1 << 40, 1), CL_OUT_OF_RESOURCES);
    ck_assert_int_eq(launch(four, 8, 2), CL_INVALID_WORK_GROUP_SIZE);
    ck_assert_int_eq(launch(four, 8, 0), CL_INVALID_WORK_GROUP_SIZE);
    ck_assert_int_eq(launch(four, 8, 4), CL_SUCCESS);
    ck_assert_int_eq(launch(add, 0, 0), CL_SUCCESS);
    ck_assert_int_eq(launch(add, 60, 0), CL_SUCCESS); /* of any size that divides it */
    ck_assert_int_eq(cl->clFinish(queue), CL_SUCCESS);
    ck_assert_uint_eq(word(7), 5);
    ck_assert_uint_eq(word(59), 1);
    ck_assert_uint_eq(word(60), 0);
    ck_assert_int_eq(cl->clReleaseKernel(add), CL_SUCCESS);
    ck_assert_int_eq(cl->clReleaseKernel(four), CL_SUCCESS);
    end();
}
END_TEST

static cl_int status_of(cl_event event)
{
    cl_int status = 77;
    ck_assert_int_eq(cl->clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL),
                     CL_SUCCESS);
    return status;
}

static void CL_CALLBACK note(cl_event event, cl_int status, void *told)
{
    (void)event;
    *(cl_int *)told = status;
}

/* A command that waits has its arguments from when it was enqueued. */
START_TEST(commands_wait_for_users_events)
{
    cl_int told = 77;
    cl_event done;
    const size_t global = 4;

    begin();
    cl_kernel add = kernel_of("add");
    cl_event user = cl->clCreateUserEvent(context, &code);
    ck_assert_int_eq(set(add, 5), CL_SUCCESS);
    ck_assert_int_eq(cl->clEnqueueNDRangeKernel(queue, add, 1, NULL, &global, NULL, 1, &user, &done), CL_SUCCESS);
    ck_assert_int_eq(set(add, 6), CL_SUCCESS);
    ck_assert_int_eq(cl->clFlush(queue), CL_SUCCESS);
    ck_assert_int_eq(status_of(done), CL_QUEUED);
    ck_assert_int_eq(cl->clSetEventCallback(done, CL_COMPLETE, note, &told), CL_SUCCESS);
    ck_assert_int_eq(told, 77);
    ck_assert_int_eq(cl->clSetUserEventStatus(user, CL_RUNNING), CL_INVALID_VALUE);
    ck_assert_int_eq(cl->clSetUserEventStatus(done, CL_COMPLETE), CL_INVALID_EVENT);
    ck_assert_int_eq(cl->clSetUserEventStatus(user, CL_COMPLETE), CL_SUCCESS);
    ck_assert_int_eq(cl->clSetUserEventStatus(user, CL_COMPLETE), CL_INVALID_OPERATION);
    ck_assert_int_eq(cl->clWaitForEvents(1, &done), CL_SUCCESS);
    ck_assert_int_eq(status_of(done), CL_COMPLETE);
    ck_assert_int_eq(told, CL_COMPLETE);
    ck_assert_uint_eq(word(3), 5);
    ck_assert_int_eq(cl->clReleaseEvent(user), CL_SUCCESS);
    ck_assert_int_eq(cl->clReleaseEvent(done), CL_SUCCESS);
    ck_assert_int_eq(cl->clReleaseKernel(add), CL_SUCCESS);
    end();
}
END_TEST

START_TEST(what_waited_in_vain_is_not_done)
{
    cl_event done;
    const cl_uint seven = 7;

    begin();
    cl_event user = cl->clCreateUserEvent(context, &code);
    ck_assert_int_eq(cl->clEnqueueWriteBuffer(queue, buffer, CL_FALSE, 0, sizeof seven, &seven, 1, &user, &done),
                     CL_SUCCESS);
    ck_assert_int_eq(cl->clSetUserEventStatus(user, -5), CL_SUCCESS);
    ck_assert_int_eq(cl->clWaitForEvents(1, &done), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    ck_assert_int_lt(status_of(done), 0);
    ck_assert_uint_eq(word(0), 0);
    ck_assert_int_eq(cl->clReleaseEvent(user), CL_SUCCESS);
    ck_assert_int_eq(cl->clReleaseEvent(done), CL_SUCCESS);
    end();
}
END_TEST

START_TEST(times_go_on)
{
    cl_ulong times[4];
    cl_event done;

    begin();
    ck_assert_int_eq(cl->clEnqueueMarkerWithWaitList(queue, 0, NULL, &done), CL_SUCCESS);
    ck_assert_int_eq(cl->clWaitForEvents(1, &done), CL_SUCCESS);
    for (cl_uint i = 0; i < 4; ++i)
        ck_assert_int_eq(
            cl->clGetEventProfilingInfo(done, CL_PROFILING_COMMAND_QUEUED + i, sizeof *times, &times[i], NULL),
            CL_SUCCESS);
    ck_assert(times[0] > 0 && times[0] <= times[1] && times[1] <= times[2] && times[2] <= times[3]);
    ck_assert_int_eq(cl->clReleaseEvent(done), CL_SUCCESS);
    end();
}
END_TEST

static void *launch_and_wait(void *kernel)
{
    static cl_int waited;
    const size_t one = 1;
    cl_event done;

    ck_assert_int_eq(cl->clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &one, &one, 0, NULL, &done), CL_SUCCESS);
    waited = cl->clWaitForEvents(1, &done);
    if (waited != CL_SUCCESS)
        waited = status_of(done);
    ck_assert_int_eq(cl->clReleaseEvent(done), CL_SUCCESS);
    return &waited;
}

START_TEST(a_launch_that_stands_is_given_up)
{
    pthread_t thread;
    void *status;

    begin();
    cl_kernel stand = kernel_of("stand");
    ck_assert_int_eq(cl->clSetKernelArg(stand, 0, sizeof buffer, &buffer), CL_SUCCESS);
    ck_assert_int_eq(pthread_create(&thread, NULL, launch_and_wait, stand), 0);
    pthread_join(thread, &status);
    ck_assert_int_eq(*(cl_int *)status, MODEL_STOOD);
    ck_assert_int_eq(cl->clReleaseKernel(stand), CL_SUCCESS);
    end();
}
END_TEST

START_TEST(the_host_may_write_while_a_kernel_runs)
{
    const cl_uint one = 1;
    pthread_t thread;
    void *status;

    begin();
    cl_kernel stand = kernel_of("stand");
    cl_command_queue side = cl->clCreateCommandQueue(context, device, 0, &code);
    ck_assert_int_eq(cl->clSetKernelArg(stand, 0, sizeof buffer, &buffer), CL_SUCCESS);
    machine_watch(true, 0);
    ck_assert_int_eq(pthread_create(&thread, NULL, launch_and_wait, stand), 0);
    while (machine_standing() == MACHINE_GOES_ON)
        sched_yield();
    ck_assert_int_eq(cl->clEnqueueWriteBuffer(side, buffer, CL_TRUE, 0, sizeof one, &one, 0, NULL, NULL), CL_SUCCESS);
    machine_go_on();
    pthread_join(thread, &status);
    machine_watch(false, 0);
    ck_assert_int_eq(*(cl_int *)status, CL_SUCCESS);
    ck_assert_int_eq(cl->clReleaseCommandQueue(side), CL_SUCCESS);
    ck_assert_int_eq(cl->clReleaseKernel(stand), CL_SUCCESS);
    end();
}
END_TEST

HARNESS_MAIN("driver", a_device_says_what_it_is, wrong_handles_are_refused, buffers_have_bounds,
             a_buffer_of_the_hosts_is_where_it_was, what_there_is_none_of_is_refused, a_program_that_is_none_says_why,
             a_program_has_kernels, arguments_are_checked, sizes_are_checked, commands_wait_for_users_events,
             what_waited_in_vain_is_not_done, times_go_on, a_launch_that_stands_is_given_up,
             the_host_may_write_while_a_kernel_runs)
