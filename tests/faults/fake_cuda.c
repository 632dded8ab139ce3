/*
 * libcuda.so.1 of a GPU that is not there. What kernels of src/cuda/programs.ptx come to is computed here, at once. The
 * environment says what is wrong:
 *   FAKE_CUDA_NAME     the GPU's name (default: "fake")
 *   FAKE_CUDA_LACKS    no cooperative launches, and no clusters
 *   FAKE_CUDA_WAITS    kernels of this name wait in vain
 *   FAKE_CUDA_TAKES    a grid that is too large is taken
 *   FAKE_CUDA_FAILS    the call of this name fails
 *   FAKE_CUDA_HANGS    kernels of this name never end
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXPORT __attribute__((visibility("default")))

enum { NOT_READY = 600, TOO_LARGE = 720, UNKNOWN = 999, RESIDENT = 16, UNITS = 2, KERNEL = 16, WORDS = 1 << 16 };

struct config {
    uint32_t grid[3], block[3], shared_bytes;
    void *stream;
};

static char kernels[8][KERNEL];
static uint32_t memory_of[2][WORDS]; /* of the device and of the host; addresses are numbers of these */
static bool hangs;

static bool is_set(const char *variable, const char *value)
{
    const char *set = getenv(variable);
    return set != NULL && strcmp(set, value) == 0;
}

#define CALL() (is_set("FAKE_CUDA_FAILS", __func__) ? UNKNOWN : 0)

EXPORT int cuInit(unsigned flags);
EXPORT int cuDeviceGetCount(int *count);
EXPORT int cuDeviceGet(int *device, int number);
EXPORT int cuDeviceGetName(char *name, int size, int device);
EXPORT int cuDeviceGetUuid(unsigned char *uuid, int device);
EXPORT int cuDeviceGetPCIBusId(char *pci, int size, int device);
EXPORT int cuDeviceGetAttribute(int *value, int which, int device);
EXPORT int cuDevicePrimaryCtxRetain(void **context, int device);
EXPORT int cuCtxSetCurrent(void *context);
EXPORT int cuModuleLoadData(void **module, const void *image);
EXPORT int cuModuleGetFunction(void **function, void *module, const char *name);
EXPORT int cuMemAlloc_v2(uint64_t *memory, size_t size);
EXPORT int cuMemsetD32_v2(uint64_t memory, uint32_t value, size_t count);
EXPORT int cuMemcpyDtoH_v2(void *to, uint64_t memory, size_t size);
EXPORT int cuMemHostAlloc(void **memory, size_t size, unsigned flags);
EXPORT int cuMemHostGetDevicePointer_v2(uint64_t *address, void *memory, unsigned flags);
EXPORT int cuStreamCreate(void **stream, unsigned flags);
EXPORT int cuStreamQuery(void *stream);
EXPORT int cuOccupancyMaxActiveBlocksPerMultiprocessor(int *groups, void *function, int items, size_t shared_bytes);
EXPORT int cuLaunchKernel(void *function, unsigned x, unsigned y, unsigned z, unsigned items, unsigned items_y,
                          unsigned items_z, unsigned shared_bytes, void *stream, void **parameters, void **extra);
EXPORT int cuLaunchCooperativeKernel(void *function, unsigned x, unsigned y, unsigned z, unsigned items,
                                     unsigned items_y, unsigned items_z, unsigned shared_bytes, void *stream,
                                     void **parameters);
EXPORT int cuLaunchKernelEx(const struct config *config, void *function, void **parameters, void **extra);
EXPORT int cuGetErrorName(int code, const char **name);

int cuInit(unsigned flags)
{
    (void)flags;
    return CALL();
}

int cuDeviceGetCount(int *count)
{
    *count = 1;
    return CALL();
}

int cuDeviceGet(int *device, int number)
{
    *device = number;
    return CALL();
}

int cuDeviceGetName(char *name, int size, int device)
{
    const char *set = getenv("FAKE_CUDA_NAME");

    (void)device;
    snprintf(name, (size_t)size, "%s", set != NULL ? set : "fake");
    return CALL();
}

/* As the name's letters are, which no device of OpenCL has. */
int cuDeviceGetUuid(unsigned char *uuid, int device)
{
    memset(uuid, 'f', 16);
    (void)device;
    return CALL();
}

int cuDeviceGetPCIBusId(char *pci, int size, int device)
{
    (void)device;
    snprintf(pci, (size_t)size, "0000:4F:00.0");
    return CALL();
}

int cuDeviceGetAttribute(int *value, int which, int device)
{
    (void)device;
    *value = which == 16 ? UNITS : which == 75 ? 9 : getenv("FAKE_CUDA_LACKS") == NULL;
    return CALL();
}

int cuDevicePrimaryCtxRetain(void **context, int device)
{
    (void)device;
    *context = kernels;
    return CALL();
}

int cuCtxSetCurrent(void *context)
{
    (void)context;
    return CALL();
}

int cuModuleLoadData(void **module, const void *image)
{
    *module = kernels;
    return strstr(image, ".entry meet(") != NULL ? CALL() : UNKNOWN;
}

int cuModuleGetFunction(void **function, void *module, const char *name)
{
    (void)module;
    for (size_t i = 0; i < sizeof kernels / sizeof *kernels; ++i)
        if (kernels[i][0] == '\0' || strcmp(kernels[i], name) == 0) {
            snprintf(kernels[i], KERNEL, "%s", name);
            *function = kernels[i];
            return CALL();
        }
    return UNKNOWN;
}

int cuMemAlloc_v2(uint64_t *memory, size_t size)
{
    *memory = 0;
    return size <= sizeof memory_of[0] ? CALL() : UNKNOWN;
}

int cuMemsetD32_v2(uint64_t memory, uint32_t value, size_t count)
{
    for (size_t i = 0; i < count; ++i)
        memory_of[memory][i] = value;
    return CALL();
}

int cuMemcpyDtoH_v2(void *to, uint64_t memory, size_t size)
{
    memcpy(to, memory_of[memory], size);
    return CALL();
}

int cuMemHostAlloc(void **memory, size_t size, unsigned flags)
{
    (void)flags;
    *memory = memory_of[1];
    return size <= sizeof memory_of[1] ? CALL() : UNKNOWN;
}

int cuMemHostGetDevicePointer_v2(uint64_t *address, void *memory, unsigned flags)
{
    (void)memory, (void)flags;
    *address = 1;
    return CALL();
}

int cuStreamCreate(void **stream, unsigned flags)
{
    (void)flags;
    *stream = kernels;
    return CALL();
}

int cuStreamQuery(void *stream)
{
    (void)stream;
    return hangs ? NOT_READY : CALL();
}

int cuOccupancyMaxActiveBlocksPerMultiprocessor(int *groups, void *function, int items, size_t shared_bytes)
{
    (void)function, (void)items, (void)shared_bytes;
    *groups = RESIDENT;
    return CALL();
}

/* All threads that count, or all but one. */
static void count(uint32_t *words, uint32_t all, bool in_vain)
{
    words[0] = all - in_vain;
    words[1] = in_vain;
}

/* Word `a` is written, and word `b` is waited for; here the kernel that writes it is always on its way. */
static void flag(uint32_t *words, const uint32_t of[3], bool in_vain)
{
    if (of[0] != 0)
        words[of[0]] = !in_vain;
    words[of[2]] = of[1] != 0 && in_vain ? 1 : 2;
}

static int run(const char *kernel, uint32_t groups, uint32_t items, void **parameters)
{
    uint32_t *const words = memory_of[*(const uint64_t *)parameters[0]];
    const uint32_t of[3] = {*(const uint32_t *)parameters[2], *(const uint32_t *)parameters[3],
                            *(const uint32_t *)parameters[4]};
    const bool in_vain = is_set("FAKE_CUDA_WAITS", kernel), fits = groups <= RESIDENT * UNITS;

    hangs = is_set("FAKE_CUDA_HANGS", kernel);
    if (strcmp(kernel, "meet") == 0)
        count(words, groups, in_vain || of[0] > RESIDENT * UNITS);
    else if (strcmp(kernel, "chain") == 0)
        count(words, groups, in_vain && !fits);
    else if (strcmp(kernel, "flag") == 0)
        flag(words, of, in_vain);
    else if (strcmp(kernel, "loop") == 0)
        words[1] = in_vain ? 0 : 7, words[2] = words[3] = !in_vain;
    else
        count(words, items, in_vain), words[3] = words[0];
    return 0;
}

int cuLaunchKernel(void *function, unsigned x, unsigned y, unsigned z, unsigned items, unsigned items_y,
                   unsigned items_z, unsigned shared_bytes, void *stream, void **parameters, void **extra)
{
    (void)y, (void)z, (void)items_y, (void)items_z, (void)shared_bytes, (void)stream, (void)extra;
    return CALL() != 0 ? CALL() : run(function, x, items, parameters);
}

int cuLaunchCooperativeKernel(void *function, unsigned x, unsigned y, unsigned z, unsigned items, unsigned items_y,
                              unsigned items_z, unsigned shared_bytes, void *stream, void **parameters)
{
    (void)y, (void)z, (void)items_y, (void)items_z, (void)shared_bytes, (void)stream;
    if (x > RESIDENT * UNITS && getenv("FAKE_CUDA_TAKES") == NULL)
        return TOO_LARGE;
    return CALL() != 0 ? CALL() : run(function, x, items, parameters);
}

int cuLaunchKernelEx(const struct config *config, void *function, void **parameters, void **extra)
{
    (void)extra;
    return CALL() != 0 ? CALL() : run(function, config->grid[0], config->block[0], parameters);
}

int cuGetErrorName(int code, const char **name)
{
    *name = code == UNKNOWN ? "CUDA_ERROR_UNKNOWN" : NULL;
    return 0;
}
