/*
 * The door as a layer of the OpenCL loader: it stands before the loader's own functions, which find the driver by the
 * object. Loaders since 2026 take only layers that have clInitLayerWithProperties, and others do not know that.
 */
#include "door/door.h"

#include <stdint.h>
#include <string.h>

#define EXPORTED __attribute__((visibility("default")))

/* As cl_layer.h has it, which OpenCL's headers of before 2021 lack; of these functions those of today lack some. */
enum { LAYER_API_VERSION = 0x4240, LAYER_NAME = 0x4241 };

EXPORTED cl_int CL_API_CALL clGetLayerInfo(cl_uint name, size_t size, void *value, size_t *size_ret);
EXPORTED cl_int CL_API_CALL clInitLayer(cl_uint count, const cl_icd_dispatch *target, cl_uint *count_ret,
                                        const cl_icd_dispatch **layer);
EXPORTED cl_int CL_API_CALL clInitLayerWithProperties(cl_uint count, const cl_icd_dispatch *target, cl_uint *count_ret,
                                                      const cl_icd_dispatch **layer, const intptr_t *properties);
EXPORTED cl_int CL_API_CALL clDeinitLayer(void);

cl_int CL_API_CALL clGetLayerInfo(cl_uint name, size_t size, void *value, size_t *size_ret)
{
    static const cl_uint version = 100;
    static const char title[] = "gridlock watch";
    const void *from = name == LAYER_API_VERSION ? (const void *)&version : title;
    const size_t length = name == LAYER_API_VERSION ? sizeof version : sizeof title;

    if ((name != LAYER_API_VERSION && name != LAYER_NAME) || (value != NULL && size < length))
        return CL_INVALID_VALUE;
    if (value != NULL)
        memcpy(value, from, length);
    if (size_ret != NULL)
        *size_ret = length;
    return CL_SUCCESS;
}

/* The caller is known by where it is called from, so this is part of what the loader calls. */
static inline __attribute__((always_inline)) cl_int stand(cl_uint count, const cl_icd_dispatch *target,
                                                          cl_uint *count_ret, const cl_icd_dispatch **layer)
{
    if (target == NULL || count_ret == NULL || layer == NULL)
        return CL_INVALID_VALUE;
    *layer = drivers_stand_before_loader(target, count, __builtin_return_address(0));
    *count_ret = count;
    return *layer != NULL ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY;
}

cl_int CL_API_CALL clInitLayer(cl_uint count, const cl_icd_dispatch *target, cl_uint *count_ret,
                               const cl_icd_dispatch **layer)
{
    return stand(count, target, count_ret, layer);
}

cl_int CL_API_CALL clInitLayerWithProperties(cl_uint count, const cl_icd_dispatch *target, cl_uint *count_ret,
                                             const cl_icd_dispatch **layer, const intptr_t *properties)
{
    (void)properties; /* of how it is ended, which changes nothing here */
    return stand(count, target, count_ret, layer);
}

cl_int CL_API_CALL clDeinitLayer(void)
{
    return CL_SUCCESS;
}
