#include <CL/cl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "act.h"

enum { EXIT_KEPT, EXIT_BROKEN, EXIT_NO_DEVICE, EXIT_DRIVER, DEADLINE_S = 20, TEXT = 512, LISTED = 16 };

static cl_int code;
static cl_device_id device;
static cl_platform_id platform;
static cl_context context;
static cl_command_queue queue;
static cl_kernel kernel;
static volatile sig_atomic_t promised; /* the driver is at what it has promised */

static void on_deadline(int number)
{
    static const char text[] = "The driver did not return before the deadline.\n";
    _exit(write(STDOUT_FILENO, text, sizeof text - 1) < 0 ? number : promised ? EXIT_BROKEN : EXIT_DRIVER);
}

#define CHECK(call) check(call, #call)
#define MAKE(object, call) ((object) = (call), check(code, #call))

static void check(cl_int outcome, const char *call)
{
    if (outcome == CL_SUCCESS)
        return;
    fprintf(stderr, "%s: OpenCL error %d\n", call, outcome);
    _exit(EXIT_DRIVER);
}

/* Takes the first device of which `part` is a part of a name, in any case. */
static bool find_device(const char *part)
{
    char name[TEXT] = "", owner[TEXT] = "", driver[TEXT] = "";
    cl_platform_id platforms[LISTED];
    cl_device_id devices[LISTED];
    cl_uint platform_count = 0, count = 0;
    bool found = false;

    clGetPlatformIDs(LISTED, platforms, &platform_count);
    for (cl_uint i = 0; i < platform_count && i < LISTED && !found; ++i, count = 0) {
        platform = platforms[i];
        clGetPlatformInfo(platform, CL_PLATFORM_NAME, TEXT - 1, owner, NULL);
        clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, LISTED, devices, &count);
        for (cl_uint j = 0; j < count && j < LISTED && !found; ++j) {
            device = devices[j];
            clGetDeviceInfo(device, CL_DEVICE_NAME, TEXT - 1, name, NULL);
            clGetDeviceInfo(device, CL_DRIVER_VERSION, TEXT - 1, driver, NULL);
            found = strcasestr(name, part) != NULL || strcasestr(owner, part) != NULL;
        }
    }
    return found && printf("%s (%s, driver %s)\n", name, owner, driver) > 0;
}

static void build(void)
{
    char log[1 << 14] = "";
    cl_program program;

    MAKE(program, clCreateProgramWithSource(context, 1, (const char *[]){source}, NULL, &code));
    code = clBuildProgram(program, 1, &device, BUILD_OPTIONS, NULL, NULL);
    clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof log - 1, log, NULL);
    fputs(code != CL_SUCCESS ? log : "", stderr);
    check(code, "clBuildProgram");
    MAKE(kernel, clCreateKernel(program, KERNEL, &code));
}

#include "promise_size.inc"

int main(int count, char **arguments)
{
    setvbuf(stdout, NULL, _IONBF, 0);
    if (!find_device(count > 1 ? arguments[1] : DEVICE))
        return fputs("no such device\n", stderr) < 0 ? EXIT_DRIVER : EXIT_NO_DEVICE;
    MAKE(context, clCreateContext(NULL, 1, &device, NULL, NULL, &code));
    MAKE(queue, clCreateCommandQueue(context, device, 0, &code));
    build();
    signal(SIGALRM, on_deadline);
    alarm(DEADLINE_S);
    const bool kept = is_kept();
    puts(kept ? "The promise is kept." : "The promise is broken.");
    _exit(kept ? EXIT_KEPT : EXIT_BROKEN); /* a driver that failed may hang in a clean-up */
}
