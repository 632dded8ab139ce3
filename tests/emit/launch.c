/*
 * launch FILE KERNEL GROUPS FIRST [BYTES [RESIDENT [PROPERTIES]]]: launches a kernel of one buffer, whose first word is
 * FIRST and the others zero; twice if the grid's words are in one buffer of so many bytes, not 0. RESIDENT groups are
 * said to fit, 0: they are counted; the queue has PROPERTIES. Prints the report, and on another line two words.
 */
#include "gridlock_launch.h"

enum { ITEMS = 16, WORDS = 1 << 14 };

static void check(cl_int error, const char *what)
{
    if (error == CL_SUCCESS)
        return;
    fprintf(stderr, "launch: %s: %d\n", what, (int)error);
    exit(3);
}

static char *read_text(const char *path)
{
    static char text[1 << 16];
    FILE *const file = fopen(path, "r");

    check(file == NULL ? CL_INVALID_VALUE : CL_SUCCESS, path);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    return text;
}

int main(int count, char **arguments)
{
    static cl_uint words[WORDS];
    const size_t local = ITEMS, global = ITEMS * strtoul(count > 3 ? arguments[3] : "0", NULL, 10);
    const size_t bytes = count > 5 ? strtoul(arguments[5], NULL, 10) : 0;
    const size_t resident = count > 6 ? strtoul(arguments[6], NULL, 10) : global / ITEMS;
    gl_options options = {(cl_uint)resident, 1 << 24, NULL, 0, NULL};
    const char *text = read_text(arguments[1]);
    cl_platform_id platform;
    cl_device_id device;
    gl_report report;
    cl_int error;

    words[0] = (cl_uint)strtoul(arguments[4], NULL, 10);
    check(clGetPlatformIDs(1, &platform, NULL), "platform");
    check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL), "device");
    const cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
    check(error, "context");
    const cl_command_queue queue =
        clCreateCommandQueue(context, device, count > 7 ? strtoul(arguments[7], NULL, 10) : 0, &error);
    check(error, "queue");
    const cl_program program = clCreateProgramWithSource(context, 1, &text, NULL, &error);
    check(error, "program");
    check(clBuildProgram(program, 1, &device, "-I .", NULL, NULL), "build");
    const cl_kernel kernel = clCreateKernel(program, arguments[2], &error);
    check(error, "kernel");
    const cl_mem buffer = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof words, words, &error);
    check(error, "buffer");
    check(clSetKernelArg(kernel, 1, sizeof buffer, &buffer), "argument");
    if (bytes > 0) {
        options.words = clCreateBuffer(context, CL_MEM_READ_WRITE, bytes, NULL, &error);
        check(error, "words");
        gl_launch_cooperative(queue, kernel, 1, &global, &local, &options, &report);
    }
    gl_launch_cooperative(queue, kernel, 1, &global, &local, &options, &report);
    printf("%d %s\n", (int)report.status, report.text);
    check(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof words, words, 0, NULL, NULL), "reading");
    printf("%u %u\n", words[1], words[2]);
    return 0;
}
