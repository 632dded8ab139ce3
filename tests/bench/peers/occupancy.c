/*
 * What CUDA says of a kernel: loads the PTX that NVIDIA's OpenCL driver made of it (gridlock limits --save-binaries, or
 * meet --binary) through the CUDA driver API, and asks cuOccupancyMaxActiveBlocksPerMultiprocessor.
 *
 *     occupancy < requests
 *
 * A request is a line "FILE KERNEL LOCAL_SIZE LOCAL_BYTES"; the answer is a line "BLOCKS UNITS REGISTERS
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

static void blank_out(char *text, const char *words)
{
    for (char *at = text; (at = strstr(at, words)) != NULL;)
        memset(at, ' ', strlen(words));
}

/*
 * What OpenCL's PTX says that CUDA does not take: its texture mode, and that a parameter points to
 * local memory. Both are declarations; no instruction is changed.
 */
static CUmodule load(const char *path)
{
    char log[4096] = "";
    CUmodule module;
    CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
    void *values[] = {log, (void *)sizeof log};
    char *text = read_file(path);

    blank_out(text, ", texmode_independent");
    blank_out(text, ".ptr .shared .align 4");
    CUresult result = cuModuleLoadDataEx(&module, text, 2, options, values);
    if (result != CUDA_SUCCESS) {
        fprintf(stderr, "occupancy: CUDA does not load %s: error %d: %s\n", path, (int)result, log);
        exit(1);
    }
    free(text);
    return module;
}

static void answer(CUmodule module, const char *name, int local_size, size_t local_bytes, int units)
{
    CUfunction function;
    int blocks, registers, static_bytes;

    check(cuModuleGetFunction(&function, module, name), "cuModuleGetFunction");
    check(cuFuncGetAttribute(&registers, CU_FUNC_ATTRIBUTE_NUM_REGS, function), "cuFuncGetAttribute");
    check(cuFuncGetAttribute(&static_bytes, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, function), "cuFuncGetAttribute");
    check(cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, function, local_size, local_bytes),
          "cuOccupancyMaxActiveBlocksPerMultiprocessor");
    printf("%d %d %d %d\n", blocks, units, registers, static_bytes);
}

int main(void)
{
    CUdevice device;
    CUcontext context;
    char path[4096], name[256];
    int local_size, units;
    size_t local_bytes;

    check(cuInit(0), "cuInit");
    check(cuDeviceGet(&device, 0), "cuDeviceGet");
    check(cuDevicePrimaryCtxRetain(&context, device), "cuDevicePrimaryCtxRetain");
    check(cuCtxSetCurrent(context), "cuCtxSetCurrent");
    check(cuDeviceGetAttribute(&units, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, device), "cuDeviceGetAttribute");
    while (scanf("%4095s %255s %d %zu", path, name, &local_size, &local_bytes) == 4) {
        CUmodule module = load(path);
        answer(module, name, local_size, local_bytes, units);
        check(cuModuleUnload(module), "cuModuleUnload");
    }
    return 0;
}
