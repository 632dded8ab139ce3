/*
 * So many work-groups of this kernel run together and can meet in
 * intel_device_barrier().
 * (clGetKernelMaxConcurrentWorkGroupCountINTEL, cl_intel_concurrent_dispatch,
 * 64 work-items in a group) Promised: 32 groups; measured: 12 groups. Its
 * barrier passes with 12 groups; 13 did not end.
 * Seen on AMD EPYC (Intel(R) OpenCL, driver 2026.22.10.0.01_160000).
 *
 *     cc concurrent-dispatch.c -lOpenCL -o concurrent-dispatch && ./concurrent-dispatch [PART OF A DEVICE'S OR PLATFORM'S NAME]
 * Exit status: 0 the promise is kept, 1 it is broken; 2 there is no such device; 3 another call failed.
 */
#define _GNU_SOURCE
#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define DEVICE "AMD EPYC" /* unless another is named */
#define BUILD_OPTIONS "-cl-std=CL3.0"

static const char source[] =
    "#pragma OPENCL EXTENSION cl_intel_concurrent_dispatch : enable\n"
    "void __attribute__((overloadable)) intel_device_barrier(cl_mem_fence_flags flags, memory_scope scope);\n"
    "bool __attribute__((overloadable)) intel_is_device_barrier_valid(void);\n"
    "static uint arrived(global uint *out)\n"
    "{\n"
    "    return atomic_load_explicit((volatile global atomic_uint *)out, memory_order_relaxed, memory_scope_device);\n"
    "}\n"
    "static void arrive(global uint *out)\n"
    "{\n"
    "    atomic_fetch_add_explicit((volatile global atomic_uint *)out, 1u, memory_order_acq_rel, memory_scope_device);\n"
    "}\n"
    "kernel void promise_dispatch(global uint *out, uint rounds, uint mode, uint bound)\n"
    "{\n"
    "    const bool leads = get_local_id(0) == 0;\n"
    "    if (get_global_id(0) == 0)\n"
    "        out[2] = 1u + (uint)intel_is_device_barrier_valid();\n"
    "    for (uint round = 1; round <= rounds; ++round) {\n"
    "        const uint all = round * (uint)get_num_groups(0);\n"
    "        work_group_barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);\n"
    "        if (leads)\n"
    "            arrive(out);\n"
    "        if (mode == 1)\n"
    "            intel_device_barrier(CLK_GLOBAL_MEM_FENCE, memory_scope_device);\n"
    "        work_group_barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);\n"
    "        if (mode != 0 && leads && arrived(out) < all)\n"
    "            arrive(out + 1);\n"
    "    }\n"
    "}\n";

enum { KEPT, BROKEN, NO_DEVICE, FAILED, DEADLINE_S = 20, TRIES = 5, LISTED = 16, TEXT = 512 };

static cl_int code;
static cl_platform_id platform;
static cl_device_id device;
static cl_context context;
static cl_program program;
static cl_command_queue queue;
static cl_kernel kernel;
static char promised[TEXT], got[TEXT]; /* promised: the driver is at that */

#define CHECK(call) check(call, #call)
#define MAKE(object, call) ((object) = (call), check(code, #call))
#define SET(argument, value) CHECK(clSetKernelArg(kernel, argument, sizeof(value), &(value)))
#define READ(buffer, bytes, to) CHECK(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, bytes, to, 0, NULL, NULL))
#define PROMISED(...) (snprintf(promised, TEXT, __VA_ARGS__), alarm(DEADLINE_S))
#define GOT(...) (snprintf(got, TEXT, __VA_ARGS__) < 0) /* false */

static void check(cl_int outcome, const char *call)
{
    if (outcome == CL_SUCCESS)
        return;
    fprintf(stderr, "%.50s: OpenCL error %d\n", call, outcome);
    _exit(FAILED);
}

/* Takes the first device of which `part` is a part of a name, in any case. */
static bool find_device(const char *part)
{
    char owner[TEXT] = "", name[TEXT] = "", driver[TEXT] = "";
    cl_platform_id platforms[LISTED] = {NULL};

    clGetPlatformIDs(LISTED, platforms, NULL);
    for (int i = 0; i < LISTED && (platform = platforms[i]) != NULL; ++i) {
        cl_device_id devices[LISTED] = {NULL};
        clGetPlatformInfo(platform, CL_PLATFORM_NAME, TEXT, owner, NULL);
        clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, LISTED, devices, NULL);
        for (int j = 0; j < LISTED && (device = devices[j]) != NULL; ++j) {
            clGetDeviceInfo(device, CL_DEVICE_NAME, TEXT, name, NULL);
            clGetDeviceInfo(device, CL_DRIVER_VERSION, TEXT, driver, NULL);
            if (strcasestr(name, part) != NULL || strcasestr(owner, part) != NULL)
                return printf("%s (%s, driver %s)\n", name, owner, driver) > 0;
        }
    }
    return false;
}

static cl_int build(void)
{
    MAKE(program, clCreateProgramWithSource(context, 1, (const char *[]){source}, NULL, &code));
    code = clBuildProgram(program, 1, &device, BUILD_OPTIONS, NULL, NULL);
    if (code == CL_SUCCESS)
        MAKE(kernel, clCreateKernel(program, "promise_dispatch", &code));
    return code;
}

/* A buffer that is an argument of the kernel, of zeros. */
static cl_mem make_buffer(cl_uint argument, size_t bytes)
{
    void *zeros = calloc(1, bytes);
    cl_mem buffer;

    MAKE(buffer, clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, bytes, zeros, &code));
    free(zeros);
    SET(argument, buffer);
    return buffer;
}

/* Launches the kernel, and returns when it has ended. */
static cl_int run(const size_t global[3], const size_t local[3])
{
    code = clEnqueueNDRangeKernel(queue, kernel, 3, NULL, global, local, 0, NULL, NULL);
    return code == CL_SUCCESS ? code = clFinish(queue) : code;
}

typedef cl_int CL_API_CALL count_groups(cl_command_queue, cl_kernel, cl_uint, const size_t *, const size_t *, size_t *);
enum { ROUNDS = 10, DISPATCH_TYPE = 0x4257, CONCURRENT = 1, PLAIN = 0, BARRIER = 1, LOCAL = 64 };

static cl_uint words[4]; /* arrivals; groups that went on too early; 1: the barrier is not valid, 2: it is; none */

static size_t promised_groups(void)
{
    const size_t local = LOCAL;
    size_t groups = 0;
    count_groups *query = (count_groups *)clGetExtensionFunctionAddressForPlatform(
        platform, "clGetKernelMaxConcurrentWorkGroupCountINTEL");

    check(build(), "clBuildProgram");
    CHECK(clSetKernelExecInfo(kernel, DISPATCH_TYPE, sizeof(cl_uint), &(cl_uint){CONCURRENT}));
    check(query == NULL ? CL_INVALID_OPERATION : CL_SUCCESS, "looking up clGetKernelMaxConcurrentWorkGroupCountINTEL");
    CHECK(query(queue, kernel, 1, NULL, &local, &groups));
    return groups;
}

static cl_int launch(size_t groups, cl_uint mode)
{
    cl_mem out = make_buffer(0, sizeof words);

    SET(1, (cl_uint){ROUNDS});
    SET(2, mode);
    SET(3, (cl_uint){0});
    if (run((size_t[3]){groups * LOCAL, 1, 1}, (size_t[3]){LOCAL, 1, 1}) == CL_SUCCESS)
        READ(out, sizeof words, words);
    return code;
}

static bool is_kept(void)
{
    const size_t groups = promised_groups();
    PROMISED("%zu groups that meet in intel_device_barrier(), of which %d are launched", groups, 12 + 1);
    if (groups <= 12)
        return true;
    return (launch(12 + 1, BARRIER) == CL_SUCCESS && words[1] == 0) ||
           GOT("OpenCL error %d for %d, of which %u did not wait", code, 12 + 1, words[1]);
}

/* The driver crashed, took too long, or ended the process. */
static void on_signal(int number)
{
    if (promised[0] != '\0')
        printf("promised %s, got %s: broken\n", promised, number == SIGALRM ? "no end in time" : strsignal(number));
    _exit(promised[0] != '\0' ? BROKEN : FAILED);
}

int main(int count, char **arguments)
{
    setvbuf(stdout, NULL, _IONBF, 0);
    signal(SIGALRM, on_signal);
    signal(SIGSEGV, on_signal);
    signal(SIGABRT, on_signal);
    alarm(DEADLINE_S);
    if (!find_device(count > 1 ? arguments[1] : DEVICE))
        return fputs("no such device\n", stderr) < 0 ? FAILED : NO_DEVICE;
    MAKE(context, clCreateContext(NULL, 1, &device, NULL, NULL, &code));
    MAKE(queue, clCreateCommandQueue(context, device, 0, &code));
    const bool kept = is_kept();
    printf("promised %s, got %s: %s\n", promised, kept ? "it" : got, kept ? "kept" : "broken");
    _exit(kept ? KEPT : BROKEN); /* a driver that failed may hang in a clean-up */
}
