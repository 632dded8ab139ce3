#include "device/concurrent.h"

concurrent_count *concurrent_find_count(const struct session *session)
{
    cl_platform_id platform = NULL;
    concurrent_count *count = NULL;

    clGetDeviceInfo(session->device, CL_DEVICE_PLATFORM, sizeof(cl_platform_id), &platform, NULL);
    *(void **)&count =
        clGetExtensionFunctionAddressForPlatform(platform, "clGetKernelMaxConcurrentWorkGroupCountINTEL");
    return count;
}
