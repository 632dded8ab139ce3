#include "cuda/cuda.h"

#include "base/clock.h"
#include "base/source.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <time.h>

enum { LOOK_NS = 50000, NAME = 256, UUID = 16, PCI = 16 };

/* Generated: programs.ptx. */
extern const struct source_file cuda_programs[];

int cuda_error(const struct cuda *cuda, const char *call, cuda_code code, struct error *error)
{
    const char *name = NULL;

    if (cuda->calls.cuGetErrorName(code, &name) != 0 || name == NULL)
        return error_set(error, STATUS_HARNESS, "%s: CUDA error %d", call, code);
    return error_set(error, STATUS_HARNESS, "%s: %s", call, name);
}

/* Evaluates to true if it failed. */
#define FAILED(code, call, ...) (((code) = cuda->calls.call(__VA_ARGS__)) != 0 && cuda_error(cuda, #call, code, error))

/* --- the library --- */

#define FIND(name, ...)                                                                                                \
    *(void **)&calls->name = dlsym(library, #name);                                                                    \
    missing = missing == NULL && calls->name == NULL ? #name : missing;

/* 1; 0: it is not there. */
static int load(struct cuda_calls *calls, char reason[CUDA_REASON])
{
    void *const library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    const char *missing = NULL;

    if (library == NULL) {
        snprintf(reason, CUDA_REASON, "There is no CUDA driver here: %.150s.", dlerror());
        return 0;
    }
    CUDA_FUNCTIONS(FIND)
    if (missing != NULL) {
        snprintf(reason, CUDA_REASON, "libcuda.so.1 has no function %s: the driver is too old.", missing);
        return 0;
    }
    CUDA_LATER_FUNCTIONS(FIND)
    return 1;
}

/* --- the device --- */

static bool has_uuid(const struct cuda *cuda, int device, const char *wanted)
{
    unsigned char uuid[UUID];
    char text[2 * UUID + 1];

    if (cuda->calls.cuDeviceGetUuid(uuid, device) != 0)
        return false;
    for (int i = 0; i < UUID; ++i)
        snprintf(text + 2 * i, 3, "%02x", uuid[i]);
    return strcmp(text, wanted) == 0;
}

/* OpenCL's address has the function behind it: "0000:4f:00.0". */
static bool has_pci(const struct cuda *cuda, int device, const char *wanted)
{
    char pci[PCI];

    return cuda->calls.cuDeviceGetPCIBusId(pci, sizeof pci, device) == 0 &&
           strncasecmp(pci, wanted, strcspn(wanted, ".")) == 0;
}

static bool is_device(const struct cuda *cuda, int device, const struct device_info *info)
{
    char name[NAME];

    if (info->uuid[0] != '\0')
        return has_uuid(cuda, device, info->uuid);
    if (info->pci[0] != '\0')
        return has_pci(cuda, device, info->pci);
    return cuda->calls.cuDeviceGetName(name, sizeof name, device) == 0 && strcmp(name, info->name) == 0;
}

static uint32_t attribute(const struct cuda *cuda, int which)
{
    int value = 0;

    return cuda->calls.cuDeviceGetAttribute(&value, which, cuda->device) == 0 && value > 0 ? (uint32_t)value : 0;
}

static int find(struct cuda *cuda, const struct device_info *info, char reason[CUDA_REASON])
{
    int count = 0;
    cuda_code code = cuda->calls.cuInit(0);

    code = code == 0 ? cuda->calls.cuDeviceGetCount(&count) : code;
    for (int i = 0; i < count && code == 0; ++i)
        if (cuda->calls.cuDeviceGet(&cuda->device, i) == 0 && is_device(cuda, cuda->device, info))
            return 1;
    if (code != 0)
        snprintf(reason, CUDA_REASON, "CUDA's driver finds no GPU (error %d).", code);
    else
        snprintf(reason, CUDA_REASON, "This device is none of the %d of CUDA's driver.", count);
    return 0;
}

/* The streams wait for what fills the memory, which is in the default one. */
static int prepare(struct cuda *cuda, struct error *error)
{
    void *context, *shared;
    cuda_code code;

    if (FAILED(code, cuDevicePrimaryCtxRetain, &context, cuda->device) || FAILED(code, cuCtxSetCurrent, context) ||
        FAILED(code, cuModuleLoadData, &cuda->module, cuda_programs[0].text) ||
        FAILED(code, cuMemAlloc_v2, &cuda->words, CUDA_WORDS * sizeof(uint32_t)) ||
        FAILED(code, cuMemHostAlloc, &shared, CUDA_WORDS * sizeof(uint32_t), CUDA_HOST_MAPPED) ||
        FAILED(code, cuMemHostGetDevicePointer_v2, &cuda->shared_words, shared, 0))
        return -1;
    cuda->shared = shared;
    for (int i = 0; i < CUDA_STREAMS; ++i)
        if (FAILED(code, cuStreamCreate, &cuda->streams[i], 0))
            return -1;
    return 1;
}

int cuda_open(struct cuda *cuda, const struct device_info *info, char reason[CUDA_REASON], struct error *error)
{
    enum { VOLTA = 7 };

    *cuda = (struct cuda){.device = 0};
    if (load(&cuda->calls, reason) == 0 || find(cuda, info, reason) == 0)
        return 0;
    if (attribute(cuda, CUDA_CAPABILITY_MAJOR) < VOLTA) {
        snprintf(reason, CUDA_REASON, "This GPU is older than Volta, and its threads have no turns of their own.");
        return 0;
    }
    cuda->multiprocessors = attribute(cuda, CUDA_MULTIPROCESSORS);
    cuda->cooperative = attribute(cuda, CUDA_COOPERATIVE_LAUNCH) != 0;
    cuda->clusters = attribute(cuda, CUDA_CLUSTER_LAUNCH) != 0 && cuda->calls.cuLaunchKernelEx != NULL;
    return prepare(cuda, error);
}

/* --- launches --- */

static cuda_code start_cluster(const struct cuda *cuda, const struct cuda_launch *launch, void *function,
                               void **parameters)
{
    struct cuda_attribute cluster = {.id = CUDA_CLUSTER_DIMENSION, .value.numbers = {launch->cluster, 1, 1}};
    const struct cuda_config config = {.grid = {launch->groups, 1, 1},
                                       .block = {launch->items, 1, 1},
                                       .stream = cuda->streams[launch->stream],
                                       .attributes = &cluster,
                                       .attribute_count = 1};

    return cuda->calls.cuLaunchKernelEx(&config, function, parameters, NULL);
}

cuda_code cuda_start(const struct cuda *cuda, const struct cuda_launch *launch, const char **call)
{
    uint64_t words = launch->on_host ? cuda->shared_words : cuda->words;
    uint32_t of[4] = {launch->of[0], launch->of[1], launch->of[2], launch->of[3]};
    void *parameters[] = {&words, &of[0], &of[1], &of[2], &of[3]}, *function;
    void *const stream = cuda->streams[launch->stream];
    const cuda_code code = cuda->calls.cuModuleGetFunction(&function, cuda->module, launch->kernel);

    *call = "cuModuleGetFunction";
    if (code != 0)
        return code;
    *call = launch->cluster != 0  ? "cuLaunchKernelEx"
            : launch->cooperative ? "cuLaunchCooperativeKernel"
                                  : "cuLaunchKernel";
    if (launch->cluster != 0)
        return start_cluster(cuda, launch, function, parameters);
    if (launch->cooperative)
        return cuda->calls.cuLaunchCooperativeKernel(function, launch->groups, 1, 1, launch->items, 1, 1, 0, stream,
                                                     parameters);
    return cuda->calls.cuLaunchKernel(function, launch->groups, 1, 1, launch->items, 1, 1, 0, stream, parameters, NULL);
}

uint32_t cuda_resident(const struct cuda *cuda, const char *kernel, uint32_t items, struct error *error)
{
    void *function;
    int groups = 0;
    cuda_code code;

    if (FAILED(code, cuModuleGetFunction, &function, cuda->module, kernel) ||
        FAILED(code, cuOccupancyMaxActiveBlocksPerMultiprocessor, &groups, function, (int)items, 0))
        return 0;
    if (groups <= 0 || cuda->multiprocessors == 0) {
        error_set(error, STATUS_HARNESS, "CUDA's driver says that no group is resident");
        return 0;
    }
    return (uint32_t)groups * cuda->multiprocessors;
}

int cuda_clear(struct cuda *cuda, struct error *error)
{
    cuda_code code;

    for (size_t i = 0; i < CUDA_WORDS; ++i)
        cuda->shared[i] = 0;
    return FAILED(code, cuMemsetD32_v2, cuda->words, 0, CUDA_WORDS) ? -1 : 0;
}

int cuda_wait(const struct cuda *cuda, uint64_t timeout_ns, struct error *error)
{
    const uint64_t began_ns = clock_ns();
    cuda_code code;

    for (int i = 0; i < CUDA_STREAMS; ++i)
        while ((code = cuda->calls.cuStreamQuery(cuda->streams[i])) != 0) {
            if (code != CUDA_NOT_READY)
                return cuda_error(cuda, "cuStreamQuery", code, error);
            if (clock_ns() - began_ns > timeout_ns)
                return 0;
            nanosleep(&(struct timespec){.tv_nsec = LOOK_NS}, NULL);
        }
    return 1;
}

int cuda_read(const struct cuda *cuda, uint32_t *words, size_t count, struct error *error)
{
    cuda_code code;

    return FAILED(code, cuMemcpyDtoH_v2, words, cuda->words, count * sizeof *words) ? -1 : 0;
}
