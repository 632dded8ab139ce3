/*
 * compiles FOLDER: builds primitives.cl, which #includes gridlock.clh of the same folder, by every driver of the
 * loader, for each OpenCL C from 1.2 on that it offers and in each dialect that it can have. Prints a line for each.
 * Exit status: 0 all were built without a warning, and each driver was seen to warn of warns.cl; 1 not so.
 */
#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include "gridlock_launch.h"

enum { MOST = 16 };
typedef enum { BUILT, WARNS, FAILS } outcome;

static char log_text[1 << 16];

/*
 * With -Werror, which is OpenCL's own, and a look at the log of drivers that ignore it. Oclgrind finds some faults only
 * when kernels are made.
 */
static outcome build(cl_context context, cl_device_id device, const char *text, const char *options)
{
    char names[1 << 10] = "";
    cl_int error;
    const cl_program program = clCreateProgramWithSource(context, 1, &text, NULL, &error);

    if (error == CL_SUCCESS)
        error = clBuildProgram(program, 1, &device, options, NULL, NULL);
    if (error == CL_SUCCESS)
        error = clGetProgramInfo(program, CL_PROGRAM_KERNEL_NAMES, sizeof names, names, NULL);
    for (char *name = strtok(names, ";"); name != NULL && error == CL_SUCCESS; name = strtok(NULL, ";"))
        clReleaseKernel(clCreateKernel(program, name, &error));
    memset(log_text, 0, sizeof log_text);
    clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof log_text - 1, log_text, NULL);
    clReleaseProgram(program);
    if (strstr(log_text, "arning") != NULL)
        return WARNS;
    return error == CL_SUCCESS ? BUILT : FAILS;
}

/* 1: it was not built, or the driver warned. */
static int tell(const char *device, const char *standard, const char *dialect, outcome found)
{
    static const char *const names[] = {"builds without a warning", "warns", "does not build"};

    printf("%s, OpenCL C %s, %s: %s\n", device, standard, dialect, names[found]);
    if (found != BUILT)
        printf("%.2000s\n", log_text);
    return found != BUILT;
}

/* 1: a warning of this driver would not be seen. */
static int tell_control(cl_context context, cl_device_id device, const char *standard, const char *options)
{
    static const char warns[] = "#include \"warns.cl\"\n";
    const int seen = build(context, device, warns, options + sizeof "-Werror") != FAILS &&
                     build(context, device, warns, options) != BUILT;

    if (!seen)
        printf("OpenCL C %s: a warning would not be seen\n", standard);
    return !seen;
}

static int try_dialects(cl_context context, cl_device_id device, const char *name, const char *standard,
                        const char *folder)
{
    static const char has_scopes[] =
        "#if __OPENCL_C_VERSION__ != 200 && "
        "!(defined(__opencl_c_atomic_order_acq_rel) && defined(__opencl_c_atomic_scope_device))\n"
        "#error\n"
        "#endif\n"
        "kernel void none(global int *a) { *a = 1; }\n";
    static const char *const dialects[][2] = {{"what suits it", ""},
                                              {"unbounded", "-DGL_UNBOUNDED"},
                                              {"cl12", "-DGL_DIALECT_CL12"},
                                              {"cl30", "-DGL_DIALECT_CL30"}};
    static const char nothing[] = "kernel void nothing(global int *a) { *a = 1; }\n";
    static const char primitives[] = "#include \"primitives.cl\"\n";
    char options[1200], plain[1100];
    int wrong = 0;

    snprintf(plain, sizeof plain, "-Werror -cl-std=CL%s -DPATIENCE=9 -I %s", standard, folder);
    if (build(context, device, nothing, plain) != BUILT) {
        printf("%s, OpenCL C %s: not even an empty program is built\n", name, standard);
        return 0;
    }
    const int scopes = strcmp(standard, "1.2") != 0 && build(context, device, has_scopes, plain) == BUILT;
    for (int i = 0; i < 3 + scopes; ++i) {
        snprintf(options, sizeof options, "%s %s", plain, dialects[i][1]);
        wrong += tell(name, standard, dialects[i][0], build(context, device, primitives, options));
    }
    return wrong + tell_control(context, device, standard, plain);
}

/* Does the device offer this version of OpenCL C? */
static int offers(cl_device_id device, unsigned major, unsigned minor)
{
    cl_name_version all[MOST];
    char text[256];
    size_t size = 0;
    unsigned most[2] = {0, 0};

    if (clGetDeviceInfo(device, CL_DEVICE_OPENCL_C_ALL_VERSIONS, sizeof all, all, &size) == CL_SUCCESS && size > 0) {
        for (size_t i = 0; i < size / sizeof *all; ++i)
            if (CL_VERSION_MAJOR(all[i].version) == major && CL_VERSION_MINOR(all[i].version) == minor)
                return 1;
        return 0;
    }
    return clGetDeviceInfo(device, CL_DEVICE_OPENCL_C_VERSION, sizeof text, text, NULL) == CL_SUCCESS &&
           sscanf(text, "OpenCL C %u.%u", &most[0], &most[1]) == 2 &&
           (most[0] > major || (most[0] == major && most[1] >= minor));
}

static int try_device(cl_device_id device, const char *folder)
{
    static const unsigned versions[][2] = {{1, 2}, {2, 0}, {3, 0}};
    char name[256] = "", driver[256] = "", both[600], standard[32];
    cl_int error;
    const cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
    int wrong = error != CL_SUCCESS;

    clGetDeviceInfo(device, CL_DEVICE_NAME, sizeof name, name, NULL);
    clGetDeviceInfo(device, CL_DRIVER_VERSION, sizeof driver, driver, NULL);
    snprintf(both, sizeof both, "%s, driver %s", name, driver);
    for (size_t i = 0; i < 3 && error == CL_SUCCESS; ++i)
        if (offers(device, versions[i][0], versions[i][1])) {
            snprintf(standard, sizeof standard, "%u.%u", versions[i][0], versions[i][1]);
            wrong += try_dialects(context, device, both, standard, folder);
        }
    return wrong;
}

int main(int count, char **arguments)
{
    cl_platform_id platforms[MOST];
    cl_device_id devices[MOST];
    cl_uint found = 0, there;
    int wrong = 0, tried = 0;

    if (count != 2) {
        fputs("usage: compiles FOLDER\n", stderr);
        return 2;
    }
    clGetPlatformIDs(MOST, platforms, &found);
    for (cl_uint i = 0; i < found && i < MOST; ++i) {
        if (clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_ALL, MOST, devices, &there) != CL_SUCCESS)
            continue;
        for (cl_uint j = 0; j < there && j < MOST; ++j, ++tried)
            wrong += try_device(devices[j], arguments[1]);
    }
    printf("%d devices, %d lines are not as they should be\n", tried, wrong);
    return wrong != 0 || tried == 0;
}
