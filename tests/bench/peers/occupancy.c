/*
 * What CUDA says of gridlock's own kernel: loads the PTX that NVIDIA's OpenCL driver made of it
 * (gridlock limits --save-binaries) through the CUDA driver API, and asks
 * cuOccupancyMaxActiveBlocksPerMultiprocessor.
 *
 *     occupancy FILE < requests
 *
 * A request is a line "KERNEL LOCAL_SIZE LOCAL_BYTES"; the answer is a line "BLOCKS UNITS REGISTERS
 * STATIC_BYTES": blocks on a multiprocessor, multiprocessors, registers of a work-item, bytes of
 * static local memory. Build: gcc occupancy.c -lcuda.
 */
#include <cuda.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void check(CUresult result, const char *call)
{
    const char *name = "unknown error";
    if (result == CUDA_SUCCESS)
        return;
    cuGetErrorName(result, &name);
    fprintf(stderr, "occupancy: %s: %s\n", call, name);
    exit(1);
}

static char *read_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    char *text = calloc(1, 1 << 24);
    if (file == NULL || text == NULL || fread(text, 1, (1 << 24) - 1, file) == 0) {
        fprintf(stderr, "occupancy: cannot read %s\n", path);
        exit(1);
    }
    fclose(file);
    return text;
}

/* OpenCL's texture mode is the one word of its PTX that CUDA does not take; it changes no code here. */
static int load(CUmodule *module, char *text)
{
    if (cuModuleLoadData(module, text) == CUDA_SUCCESS)
        return 0;
    char *mode = strstr(text, ", texmode_independent");
    if (mode == NULL)
        return -1;
    memset(mode, ' ', strlen(", texmode_independent"));
    fputs("occupancy: loaded with \"texmode_independent\" taken out\n", stderr);
    return cuModuleLoadData(module, text) == CUDA_SUCCESS ? 0 : -1;
}

static void answer(CUmodule module, const char *kernel, int local_size, size_t local_bytes, int units)
{
    CUfunction function;
    int blocks, registers, static_bytes;

    check(cuModuleGetFunction(&function, module, kernel), "cuModuleGetFunction");
    check(cuFuncGetAttribute(&registers, CU_FUNC_ATTRIBUTE_NUM_REGS, function), "cuFuncGetAttribute");
    check(cuFuncGetAttribute(&static_bytes, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, function), "cuFuncGetAttribute");
    check(cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, function, local_size, local_bytes),
          "cuOccupancyMaxActiveBlocksPerMultiprocessor");
    printf("%d %d %d %d\n", blocks, units, registers, static_bytes);
}

int main(int count, char **arguments)
{
    CUdevice device;
    CUcontext context;
    CUmodule module;
    char kernel[64];
    int local_size, units;
    size_t local_bytes;

    if (count != 2) {
        fputs("usage: occupancy FILE < requests\n", stderr);
        return 2;
    }
    check(cuInit(0), "cuInit");
    check(cuDeviceGet(&device, 0), "cuDeviceGet");
    check(cuDevicePrimaryCtxRetain(&context, device), "cuDevicePrimaryCtxRetain");
    check(cuCtxSetCurrent(context), "cuCtxSetCurrent");
    check(cuDeviceGetAttribute(&units, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, device), "cuDeviceGetAttribute");
    if (load(&module, read_file(arguments[1])) != 0) {
        fprintf(stderr, "occupancy: CUDA does not load %s\n", arguments[1]);
        return 1;
    }
    while (scanf("%63s %d %zu", kernel, &local_size, &local_bytes) == 3)
        answer(module, kernel, local_size, local_bytes, units);
    return 0;
}
