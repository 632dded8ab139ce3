#include "door/shared.h"

#include <stdatomic.h>
#include <stdint.h>

typedef cl_int CL_API_CALL set_function(cl_kernel, cl_uint, const void *);
typedef cl_int CL_API_CALL info_function(cl_context, const void *, cl_uint, size_t, void *, size_t *);

/* As cl_ext.h has it, which OpenCL's headers of before 2021 lack. */
enum { SHARED_BASE = 0x419B, SHARED_SIZE = 0x419C };

enum { DRIVERS = 4 };

static struct shared {
    set_function *_Atomic set;
    info_function *_Atomic info;
    shared_copy_function *_Atomic copy;
} drivers[DRIVERS];

static cl_int set_argument(const struct shared *of, cl_kernel kernel, cl_uint index, const void *value)
{
    const cl_int outcome = shared_set(of, kernel, index, value);

    if (outcome == CL_SUCCESS)
        kernel_argument_svm(kernel, index, value, of);
    return outcome;
}

/* Each driver has one of its own: a handle that no loader has looked into does not say whose it is. */
#define SET(n)                                                                                                         \
    static cl_int CL_API_CALL set_##n(cl_kernel kernel, cl_uint index, const void *value)                              \
    {                                                                                                                  \
        return set_argument(&drivers[n], kernel, index, value);                                                        \
    }
SET(0)
SET(1)
SET(2)
SET(3)

void *shared_stand_before(void *set, void *info, void *copy)
{
    static set_function *const ours[DRIVERS] = {set_0, set_1, set_2, set_3};

    for (int i = 0; i < DRIVERS; ++i) {
        set_function *none = NULL;
        if (!atomic_compare_exchange_strong(&drivers[i].set, &none, (set_function *)set) && none != (set_function *)set)
            continue;
        atomic_store(&drivers[i].info, (info_function *)info);
        atomic_store(&drivers[i].copy, (shared_copy_function *)copy);
        return (void *)ours[i];
    }
    return set;
}

cl_int shared_set(const struct shared *of, cl_kernel kernel, cl_uint index, const void *value)
{
    return atomic_load(&of->set)(kernel, index, value);
}

uint64_t shared_bytes(const struct shared *of, cl_kernel kernel, const void *at)
{
    info_function *const info = atomic_load(&of->info);
    cl_context context = NULL;
    const char *base = NULL;
    size_t size = 0;

    if (info == NULL ||
        REAL(kernel)->clGetKernelInfo(kernel, CL_KERNEL_CONTEXT, sizeof(cl_context), &context, NULL) != CL_SUCCESS ||
        info(context, at, SHARED_BASE, sizeof(char *), (void *)&base, NULL) != CL_SUCCESS ||
        info(context, at, SHARED_SIZE, sizeof size, &size, NULL) != CL_SUCCESS || base == NULL ||
        (uintptr_t)at < (uintptr_t)base || (uintptr_t)at - (uintptr_t)base >= size)
        return 0;
    return size - ((uintptr_t)at - (uintptr_t)base);
}

shared_copy_function *shared_copy(const struct shared *of)
{
    return atomic_load(&of->copy);
}
