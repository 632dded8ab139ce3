/* CUDA's driver, as far as it is called here: its types and functions, under the names that libcuda.so.1 exports. */
#pragma once

#include <stddef.h>
#include <stdint.h>

typedef int cuda_code; /* 0: it went well */

enum {
    CUDA_NOT_READY = 600,
    CUDA_COOPERATIVE_TOO_LARGE = 720,
    CUDA_MULTIPROCESSORS = 16, /* attributes of a device */
    CUDA_CAPABILITY_MAJOR = 75,
    CUDA_COOPERATIVE_LAUNCH = 95,
    CUDA_CLUSTER_LAUNCH = 120,
    CUDA_CLUSTER_DIMENSION = 4, /* of a launch */
    CUDA_HOST_MAPPED = 2,       /* of memory of the host */
};

/* CUlaunchAttribute and CUlaunchConfig. */
struct cuda_attribute {
    uint32_t id, padding;
    union {
        char bytes[64];
        uint32_t numbers[16];
    } value;
};

struct cuda_config {
    uint32_t grid[3], block[3], shared_bytes;
    void *stream;
    struct cuda_attribute *attributes;
    uint32_t attribute_count;
};

/* clang-format off */
#define CUDA_FUNCTIONS(X) \
    X(cuInit, unsigned) \
    X(cuDeviceGetCount, int *) \
    X(cuDeviceGet, int *, int) \
    X(cuDeviceGetName, char *, int, int) \
    X(cuDeviceGetUuid, unsigned char *, int) \
    X(cuDeviceGetPCIBusId, char *, int, int) \
    X(cuDeviceGetAttribute, int *, int, int) \
    X(cuDevicePrimaryCtxRetain, void **, int) \
    X(cuCtxSetCurrent, void *) \
    X(cuModuleLoadData, void **, const void *) \
    X(cuModuleGetFunction, void **, void *, const char *) \
    X(cuMemAlloc_v2, uint64_t *, size_t) \
    X(cuMemsetD32_v2, uint64_t, uint32_t, size_t) \
    X(cuMemcpyDtoH_v2, void *, uint64_t, size_t) \
    X(cuMemHostAlloc, void **, size_t, unsigned) \
    X(cuMemHostGetDevicePointer_v2, uint64_t *, void *, unsigned) \
    X(cuStreamCreate, void **, unsigned) \
    X(cuStreamQuery, void *) \
    X(cuOccupancyMaxActiveBlocksPerMultiprocessor, int *, void *, int, size_t) \
    X(cuLaunchKernel, void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void *, void **, \
      void **) \
    X(cuLaunchCooperativeKernel, void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, \
      void *, void **) \
    X(cuGetErrorName, cuda_code, const char **)

/* Of CUDA 11.8 and later; NULL in an older driver. */
#define CUDA_LATER_FUNCTIONS(X) X(cuLaunchKernelEx, const struct cuda_config *, void *, void **, void **)
/* clang-format on */

#define CUDA_POINTER(name, ...) cuda_code (*name)(__VA_ARGS__);

struct cuda_calls {
    CUDA_FUNCTIONS(CUDA_POINTER)
    CUDA_LATER_FUNCTIONS(CUDA_POINTER)
};
