/* Launches a kernel of a file, and waits for it in clFinish: program FILE KERNEL GROUPS ITEMS [DRIVER] */
#define CL_TARGET_OPENCL_VERSION 120
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static cl_device_id find_device(const char *driver)
{
    cl_platform_id platforms[16];
    cl_uint count = 0;
    cl_device_id device;
    char name[256];

    clGetPlatformIDs(16, platforms, &count);
    for (cl_uint i = 0; i < count; ++i)
        if (clGetPlatformInfo(platforms[i], CL_PLATFORM_NAME, sizeof name, name, NULL) == CL_SUCCESS &&
            strstr(name, driver) != NULL && clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_ALL, 1, &device, NULL) == 0)
            return device;
    exit(77);
}

int main(int count, char **words)
{
    static char text[65536];
    const char *source = text;
    FILE *file = fopen(words[1], "r");

    if (count < 5 || file == NULL || fread(text, 1, sizeof text - 1, file) == 0)
        return 2;
    cl_device_id device = find_device(count > 5 ? words[5] : "Portable");
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
    cl_command_queue queue = clCreateCommandQueue(context, device, 0, NULL);
    cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, NULL);
    clBuildProgram(program, 1, &device, "", NULL, NULL);
    cl_kernel kernel = clCreateKernel(program, words[2], NULL);
    cl_mem memory = clCreateBuffer(context, CL_MEM_READ_WRITE, 256, NULL, NULL);
    const int zero = 0, groups = atoi(words[3]);
    const size_t local = (size_t)atoi(words[4]), global = local * (size_t)groups;
    clEnqueueFillBuffer(queue, memory, &zero, sizeof zero, 0, 256, 0, NULL, NULL);
    clSetKernelArg(kernel, 0, sizeof(cl_mem), (void *)&memory);
    clSetKernelArg(kernel, 1, sizeof groups, &groups);
    if (clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, &local, 0, NULL, NULL) != CL_SUCCESS)
        return 3;
    puts("launched");
    fflush(stdout);
    return clFinish(queue);
}
