/*
 * A loop that counts makes as many turns as it says.
 * (OpenCL C: loops are those of C99, and end only where their code ends)
 * Promised: 100000 turns; measured: 65535 turns. 5 of 15 times it was not as
 * promised. A loop of 100000 turns made 65535, and the driver reported success.
 * Seen on llvmpipe (LLVM 15.0.6, 256 bits) (rusticl, driver 22.3.6).
 *
 *     cc loops.c -lOpenCL -o loops && ./loops [PART OF A DEVICE'S OR PLATFORM'S NAME]
 * Exit status: 0 the promise is kept, 1 it is broken; 2 there is no such device; 3 another call failed.
 */
#define _GNU_SOURCE
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define DEVICE "llvmpipe (LLVM 15.0.6, 256 bits)" /* unless another is named */
#define BUILD_OPTIONS "-cl-std=CL3.0"

static const char source[] =
    "static uint step(uint state)\n"
    "{\n"
    "    state ^= state << 13;\n"
    "    state ^= state >> 17;\n"
    "    return state ^ state << 5;\n"
    "}\n"
    "kernel void promise_loop(global uint *out, uint bound)\n"
    "{\n"
    "    const uint id = (uint)get_global_id(0);\n"
    "    uint state = out[2 * id] + 1;\n"
    "    uint turns = 0;\n"
    "    for (uint i = 0; i < bound; ++i) {\n"
    "        state = step(state);\n"
    "        turns += state != 0;\n"
    "    }\n"
    "    out[2 * id] = turns;\n"
    "    out[2 * id + 1] = 1;\n"
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
#define WRITE(buffer, bytes, from) CHECK(clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, bytes, from, 0, NULL, NULL))
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
        MAKE(kernel, clCreateKernel(program, "promise_loop", &code));
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

static bool is_kept(void)
{
    const size_t one[3] = {1, 1, 1};
    const cl_uint bound = 100000;
    cl_uint words[2];

    check(build(), "clBuildProgram");
    cl_mem out = make_buffer(0, sizeof words);
    SET(1, bound);
    PROMISED("a loop of %u turns", bound);
    for (int i = 0; i < TRIES; ++i) {
        memset(words, 0, sizeof words);
        WRITE(out, sizeof words, words);
        if (run(one, one) != CL_SUCCESS)
            return GOT("OpenCL error %d", code);
        READ(out, sizeof words, words);
        if (words[1] != 1)
            return GOT("a kernel that did not run to its end");
        if (words[0] != bound)
            return GOT("%u turns and success", words[0]);
    }
    return true;
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
