/*
 * A program that goes to OpenCL by one way after another: `ways [WAY LIBRARY LAUNCHES]... [wait]`. It prints what each
 * has computed, on the first device that there is; `wait` says so, and ends when standard input does.
 *
 *     open    by the functions of a loader, which is loaded
 *     heed    by a loader of its own that asks OCL_ICD_VENDORS for a folder; LIBRARY is not used
 *     deaf    by a loader of its own that asks for this driver alone
 *     direct  by a driver that it is linked to, if it was built with -DDIRECT
 *
 * With -DPLAIN it has no loader of its own, but goes by those that it opens alone.
 *
 * `child` in place of `wait` has a child wait, which calls nothing.
 */
#define CL_TARGET_OPENCL_VERSION 120
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl_icd.h>
#include <dirent.h>
#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

typedef cl_int CL_API_CALL platforms_function(cl_uint, cl_platform_id *, cl_uint *);
typedef void *CL_API_CALL address_function(const char *);

#ifdef LINKED /* to a loader that is not called */
void *unused(void);
void *unused(void)
{
    return (void *)clGetPlatformIDs;
}
#endif

static void fail(const char *what)
{
    fprintf(stderr, "cannot go by %s\n", what);
    exit(9);
}

/* --- ways --- */

static cl_icd_dispatch found; /* of a loader */

static cl_icd_dispatch *open_loader(const char *path, cl_platform_id *platform)
{
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    cl_uint count = 0;

    if (library == NULL)
        fail(path);
#define FIND(name) found.name = (__typeof__(found.name))dlsym(library, #name)
    FIND(clGetPlatformIDs);
    FIND(clGetDeviceIDs);
    FIND(clCreateContext);
    FIND(clCreateCommandQueue);
    FIND(clCreateProgramWithSource);
    FIND(clBuildProgram);
    FIND(clCreateKernel);
    FIND(clCreateBuffer);
    FIND(clSetKernelArg);
    FIND(clEnqueueNDRangeKernel);
    FIND(clEnqueueReadBuffer);
#undef FIND
    if (platform == NULL) /* it is not called */
        return NULL;
    return found.clGetPlatformIDs(1, platform, &count) == CL_SUCCESS ? &found : NULL;
}

#ifdef PLAIN
#define NAME "clGetExtensionFunctionAddress"
#else
#define NAME "clIcdGetPlatformIDsKHR"
#endif

static cl_icd_dispatch *ask(address_function *address, cl_platform_id *platform)
{
    platforms_function *get = address != NULL ? (platforms_function *)address(NAME) : NULL;

    if (get == NULL || get(1, platform, NULL) != CL_SUCCESS)
        fail("a driver");
    return *(cl_icd_dispatch **)*platform;
}

static cl_icd_dispatch *open_driver(const char *path, cl_platform_id *platform)
{
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);

    if (library == NULL)
        fail(path);
    return ask((address_function *)dlsym(library, "clGetExtensionFunctionAddress"), platform);
}

static cl_icd_dispatch *heed(cl_platform_id *platform)
{
    const char *folder = getenv("OCL_ICD_VENDORS");
    DIR *entries = opendir(folder != NULL ? folder : "/etc/OpenCL/vendors");
    char path[PATH_MAX] = "";

    if (entries == NULL)
        fail("its folder");
    for (const struct dirent *entry = readdir(entries); entry != NULL; entry = readdir(entries)) {
        if (strstr(entry->d_name, ".icd") == NULL)
            continue;
        snprintf(path, sizeof path, "%s/%s", folder != NULL ? folder : "/etc/OpenCL/vendors", entry->d_name);
        FILE *file = fopen(path, "r");
        if (file == NULL || fscanf(file, "%4095s", path) != 1)
            fail("its folder");
        fclose(file);
    }
    closedir(entries);
    return open_driver(path, platform);
}

static cl_icd_dispatch *call_direct(cl_platform_id *platform)
{
#ifdef DIRECT
    return ask(clGetExtensionFunctionAddress, platform);
#else
    (void)platform;
    return NULL;
#endif
}

/* --- what it does there --- */

static void launch(const cl_icd_dispatch *calls, cl_platform_id platform, int launches)
{
    const char *text = "kernel void add(global int *a) { a[0] += 1; }";
    const size_t one = 1;
    cl_device_id device = NULL;
    int sum = 0;

    if (calls == NULL || calls->clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL) != CL_SUCCESS)
        fail("that");
    cl_context context = calls->clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
    cl_command_queue queue = calls->clCreateCommandQueue(context, device, 0, NULL);
    cl_program program = calls->clCreateProgramWithSource(context, 1, &text, NULL, NULL);
    if (calls->clBuildProgram(program, 1, &device, "", NULL, NULL) != CL_SUCCESS)
        fail("its compiler");
    cl_kernel kernel = calls->clCreateKernel(program, "add", NULL);
    cl_mem memory = calls->clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof sum, &sum, NULL);
    calls->clSetKernelArg(kernel, 0, sizeof(cl_mem), &memory);
    for (int i = 0; i < launches; ++i)
        calls->clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL);
    calls->clEnqueueReadBuffer(queue, memory, CL_TRUE, 0, sizeof sum, &sum, 0, NULL, NULL);
    printf("%d\n", sum);
}

static void go(const char *way, const char *library, int launches)
{
    cl_platform_id platform = NULL;
    const cl_icd_dispatch *calls = strcmp(way, "open") == 0   ? open_loader(library, launches > 0 ? &platform : NULL)
                                   : strcmp(way, "heed") == 0 ? heed(&platform)
                                   : strcmp(way, "deaf") == 0 ? open_driver(library, &platform)
                                                              : call_direct(&platform);

    if (launches > 0)
        launch(calls, platform, launches);
}

int main(int count, char **words)
{
    for (int i = 1; i + 2 < count; i += 3)
        go(words[i], words[i + 1], (int)strtol(words[i + 2], NULL, 10));
    if (count % 3 == 1)
        return 0;
    const pid_t child = strcmp(words[count - 1], "child") == 0 ? fork() : 0;
    if (child == 0) {
        puts("ready");
        fflush(stdout);
        while (getchar() != EOF)
            ;
        return 0;
    }
    return waitpid(child, NULL, 0) != child;
}
