/*
 * An OpenCL driver that misbehaves as FAKE_ICD says. While it is loaded:
 *
 *   load-abort load-segv load-sleep load-exit   what the name says
 *   load-flood      writes 10 MB to stderr, then has no platform
 *
 * Once it is loaded:
 *
 *   no-platform     CL_PLATFORM_NOT_FOUND_KHR (also without FAKE_ICD)
 *   no-device       a platform without devices
 *   list-segv       crashes while its devices are listed
 *   open-segv       crashes in clCreateContext
 *   open-fails      clCreateContext fails
 *   build-segv      crashes in clBuildProgram
 *   build-exit      calls exit in clBuildProgram
 *   build-fails     clBuildProgram fails with a log full of control characters
 *   build-sleep     clBuildProgram never returns
 *   cards           three devices of one name, whose PCI addresses are in another order, and without compiler
 *   many            300 devices, which are alike
 *   write-socket    clBuildProgram writes nonsense to each descriptor of the process
 *   tagged          its table says that a loader of cl_khr_icd 2 is to ask for functions by name, and it has none
 */
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl_icd.h>

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define EXPORT __attribute__((visibility("default")))

/* Every OpenCL object begins with its dispatch table; nothing tells these objects apart. */
struct object {
    const cl_icd_dispatch *dispatch;
};

static bool mode_is(const char *name)
{
    const char *mode = getenv("FAKE_ICD");
    return mode != NULL && strcmp(mode, name) == 0;
}

/* A signal that is merely sent would be taken by a handler that another driver may have installed. */
static void crash(void)
{
    static int *volatile nowhere = (int *)8;
    *nowhere = 1;
}

static void never_return(void)
{
    for (;;)
        pause();
}

static void flood(void)
{
    static char line[1024];
    memset(line, 'x', sizeof line);
    line[sizeof line - 1] = '\n';
    for (int i = 0; i < 10 * 1024; ++i)
        if (write(2, line, sizeof line) < 0)
            return;
}

__attribute__((constructor)) static void loaded(void)
{
    if (mode_is("load-abort"))
        abort();
    if (mode_is("load-segv"))
        crash();
    if (mode_is("load-sleep"))
        never_return();
    if (mode_is("load-exit"))
        exit(0);
    if (mode_is("load-flood"))
        flood();
}

/* --- objects --- */

enum { CARDS = 3, MANY = 300 };

static const cl_icd_dispatch dispatch;
static struct object object = {&dispatch};
static struct object cards[CARDS] = {{&dispatch}, {&dispatch}, {&dispatch}};

/* --- answers --- */

static cl_int answer(const void *value, size_t value_size, size_t size, void *target, size_t *needed)
{
    if (needed != NULL)
        *needed = value_size;
    if (target != NULL && size < value_size)
        return CL_INVALID_VALUE;
    if (target != NULL)
        memcpy(target, value, value_size);
    return CL_SUCCESS;
}

static cl_int answer_text(const char *text, size_t size, void *target, size_t *needed)
{
    return answer(text, strlen(text) + 1, size, target, needed);
}

static cl_int CL_API_CALL get_platform_info(cl_platform_id platform, cl_platform_info name, size_t size, void *target,
                                            size_t *needed)
{
    (void)platform;
    switch (name) {
    case CL_PLATFORM_PROFILE:
        return answer_text("FULL_PROFILE", size, target, needed);
    case CL_PLATFORM_VERSION:
        return answer_text("OpenCL 1.2 fake", size, target, needed);
    case CL_PLATFORM_NAME:
        return answer_text("Fake", size, target, needed);
    case CL_PLATFORM_VENDOR:
        return answer_text("nobody", size, target, needed);
    case CL_PLATFORM_EXTENSIONS:
        return answer_text("cl_khr_icd", size, target, needed);
    case CL_PLATFORM_ICD_SUFFIX_KHR:
        return answer_text("FAKE", size, target, needed);
    default:
        return CL_INVALID_VALUE;
    }
}

static const cl_device_pci_bus_info_khr *bus_of(cl_device_id device)
{
    static const cl_device_pci_bus_info_khr buses[CARDS] = {{0, 0x8a, 0, 0}, {0, 0x4f, 0, 0}, {0, 0x9c, 0, 0}};
    return &buses[(struct object *)device - cards];
}

static const cl_uchar *uuid_of(cl_device_id device)
{
    static const cl_uchar uuids[CARDS][CL_UUID_SIZE_KHR] = {{0x0b}, {0x0a}, {0x0c}};
    return uuids[(struct object *)device - cards];
}

static cl_int CL_API_CALL get_device_info(cl_device_id device, cl_device_info name, size_t size, void *target,
                                          size_t *needed)
{
    const cl_device_type type = CL_DEVICE_TYPE_CPU;
    const cl_uint units = 4, bits = 64;
    const size_t local_size = 256;
    const cl_ulong bytes = 1 << 30, local_bytes = 1 << 15;

    if (mode_is("cards") && name == CL_DEVICE_PCI_BUS_INFO_KHR)
        return answer(bus_of(device), sizeof(cl_device_pci_bus_info_khr), size, target, needed);
    if (mode_is("cards") && name == CL_DEVICE_UUID_KHR)
        return answer(uuid_of(device), CL_UUID_SIZE_KHR, size, target, needed);
    switch (name) {
    case CL_DEVICE_NAME:
        return answer_text("fake device", size, target, needed);
    case CL_DEVICE_VENDOR:
        return answer_text("nobody", size, target, needed);
    case CL_DRIVER_VERSION:
        return answer_text("0", size, target, needed);
    case CL_DEVICE_VERSION:
        return answer_text("OpenCL 1.2 fake", size, target, needed);
    case CL_DEVICE_OPENCL_C_VERSION:
        return answer_text("OpenCL C 1.2 fake", size, target, needed);
    case CL_DEVICE_EXTENSIONS:
        return answer_text("", size, target, needed);
    case CL_DEVICE_TYPE:
        return answer(&type, sizeof type, size, target, needed);
    case CL_DEVICE_MAX_COMPUTE_UNITS:
        return answer(&units, sizeof units, size, target, needed);
    case CL_DEVICE_ADDRESS_BITS:
        return answer(&bits, sizeof bits, size, target, needed);
    case CL_DEVICE_MAX_WORK_GROUP_SIZE:
        return answer(&local_size, sizeof local_size, size, target, needed);
    case CL_DEVICE_GLOBAL_MEM_SIZE:
    case CL_DEVICE_MAX_MEM_ALLOC_SIZE:
        return answer(&bytes, sizeof bytes, size, target, needed);
    case CL_DEVICE_LOCAL_MEM_SIZE:
        return answer(&local_bytes, sizeof local_bytes, size, target, needed);
    default:
        return CL_INVALID_VALUE;
    }
}

static cl_int CL_API_CALL get_devices(cl_platform_id platform, cl_device_type type, cl_uint room, cl_device_id *devices,
                                      cl_uint *count)
{
    (void)platform;
    (void)type;
    if (mode_is("list-segv"))
        crash();
    const cl_uint has = mode_is("no-device") ? 0 : mode_is("cards") ? CARDS : mode_is("many") ? MANY : 1;
    if (count != NULL)
        *count = has;
    for (cl_uint i = 0; devices != NULL && i < room && i < has; ++i)
        devices[i] = (cl_device_id)(mode_is("cards") ? &cards[i] : &object);
    return has == 0 ? CL_DEVICE_NOT_FOUND : CL_SUCCESS;
}

static cl_context CL_API_CALL create_context(const cl_context_properties *properties, cl_uint count,
                                             const cl_device_id *devices,
                                             void(CL_CALLBACK *notify)(const char *, const void *, size_t, void *),
                                             void *data, cl_int *code)
{
    (void)properties;
    (void)count;
    (void)devices;
    (void)notify;
    (void)data;
    if (mode_is("open-segv"))
        crash();
    *code = mode_is("open-fails") ? CL_OUT_OF_HOST_MEMORY : CL_SUCCESS;
    return *code == CL_SUCCESS ? (cl_context)&object : NULL;
}

static cl_command_queue CL_API_CALL create_queue(cl_context context, cl_device_id device,
                                                 cl_command_queue_properties properties, cl_int *code)
{
    (void)context;
    (void)device;
    (void)properties;
    *code = CL_SUCCESS;
    return (cl_command_queue)&object;
}

static cl_program CL_API_CALL create_program(cl_context context, cl_uint count, const char **texts,
                                             const size_t *lengths, cl_int *code)
{
    (void)context;
    (void)count;
    (void)texts;
    (void)lengths;
    *code = CL_SUCCESS;
    return (cl_program)&object;
}

static void write_everywhere(void)
{
    static const char nonsense[300] = "nonsense";
    for (int descriptor = 3; descriptor < 64; ++descriptor)
        if (write(descriptor, nonsense, sizeof nonsense) < 0)
            continue; /* most are not open */
}

static cl_int CL_API_CALL build_program(cl_program program, cl_uint count, const cl_device_id *devices,
                                        const char *options, void(CL_CALLBACK *notify)(cl_program, void *), void *data)
{
    (void)program;
    (void)count;
    (void)devices;
    (void)options;
    (void)notify;
    (void)data;
    if (mode_is("build-segv"))
        crash();
    if (mode_is("build-exit"))
        exit(7);
    if (mode_is("build-sleep"))
        never_return();
    if (mode_is("write-socket"))
        write_everywhere();
    return CL_BUILD_PROGRAM_FAILURE;
}

static cl_int CL_API_CALL get_build_info(cl_program program, cl_device_id device, cl_program_build_info name,
                                         size_t size, void *target, size_t *needed)
{
    (void)program;
    (void)device;
    if (name != CL_PROGRAM_BUILD_LOG)
        return CL_INVALID_VALUE;
    return answer_text("fake.cl:1:1: \033[31merror\033[0m: \001 no kernel \xff is good enough\n", size, target, needed);
}

static cl_int CL_API_CALL release_any(void *any)
{
    (void)any;
    return CL_SUCCESS;
}

static cl_int CL_API_CALL release_program(cl_program program)
{
    return release_any(program);
}

static cl_int CL_API_CALL release_context(cl_context context)
{
    return release_any(context);
}

static cl_int CL_API_CALL release_queue(cl_command_queue queue)
{
    return release_any(queue);
}

static const cl_icd_dispatch dispatch = {
    .clGetPlatformInfo = get_platform_info,
    .clGetDeviceIDs = get_devices,
    .clGetDeviceInfo = get_device_info,
    .clCreateContext = create_context,
    .clReleaseContext = release_context,
    .clCreateCommandQueue = create_queue,
    .clReleaseCommandQueue = release_queue,
    .clCreateProgramWithSource = create_program,
    .clBuildProgram = build_program,
    .clGetProgramBuildInfo = get_build_info,
    .clReleaseProgram = release_program,
};

/* --- what the loader looks for --- */

static void tag(void)
{
    static cl_icd_dispatch tagged;
    const uint64_t value = UINT64_C(0x4f50454e434c3331);

    tagged = dispatch;
    memcpy((void *)&tagged.clGetPlatformIDs, &value, sizeof value);
    memcpy((void *)&tagged.clUnloadCompiler, &value, sizeof value);
    object.dispatch = &tagged;
}

static cl_int CL_API_CALL get_platforms(cl_uint room, cl_platform_id *platforms, cl_uint *count)
{
    const bool none = getenv("FAKE_ICD") == NULL || mode_is("no-platform") || mode_is("load-flood");
    if (count != NULL)
        *count = none ? 0 : 1;
    if (none)
        return CL_PLATFORM_NOT_FOUND_KHR;
    if (mode_is("tagged") && object.dispatch == &dispatch)
        tag();
    if (platforms != NULL && room > 0)
        platforms[0] = (cl_platform_id)&object;
    return CL_SUCCESS;
}

EXPORT void *CL_API_CALL clGetExtensionFunctionAddress(const char *name)
{
    if (strcmp(name, "clIcdGetPlatformIDsKHR") == 0)
        return (void *)get_platforms;
    if (strcmp(name, "clGetPlatformInfo") == 0)
        return (void *)get_platform_info;
    return NULL;
}

EXPORT cl_int CL_API_CALL clIcdGetPlatformIDsKHR(cl_uint room, cl_platform_id *platforms, cl_uint *count)
{
    return get_platforms(room, platforms, count);
}

EXPORT cl_int CL_API_CALL clGetPlatformInfo(cl_platform_id platform, cl_platform_info name, size_t size, void *target,
                                            size_t *needed)
{
    return get_platform_info(platform, name, size, target, needed);
}
