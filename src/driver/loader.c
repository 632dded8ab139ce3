#include "driver/opencl.h"

#include <dlfcn.h>

#define FIND(function)                                                                                                 \
    *(void **)&table.function = dlsym(library, #function);                                                             \
    if (table.function == NULL)                                                                                        \
        return ERROR_NULL(error, STATUS_UNSUPPORTED,                                                                   \
                          "the OpenCL loader libOpenCL.so.1 lacks " #function                                          \
                          ": install one of OpenCL 2.0 or later (Debian: ocl-icd-libopencl1)");

const struct opencl *opencl_of_loader(struct error *error)
{
    static struct opencl table;
    /* Drivers may expect its functions where a program that is linked with it would have them. */
    void *const library = dlopen("libOpenCL.so.1", RTLD_NOW | RTLD_GLOBAL);

    if (library == NULL)
        return ERROR_NULL(error, STATUS_UNSUPPORTED, "no OpenCL loader: %s; install one (Debian: ocl-icd-libopencl1)",
                          dlerror());
    OPENCL_FUNCTIONS(FIND)
    return &table;
}
