#include "device/listing.h"

#include "base/alloc.h"
#include "core/text.h"
#include "device/cl_status.h"
#include "driver/model.h"
#include "wire/wire.h"

#include <CL/cl_ext.h>
#include <dlfcn.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LIST_PLATFORMS = 64, LIST_DEVICES = 256, EXTENSIONS_BYTES = 1 << 16 };

#ifndef CL_DEVICE_UUID_KHR
#define CL_DEVICE_UUID_KHR 0x106A
#endif
#ifndef CL_DEVICE_PCI_BUS_INFO_KHR
#define CL_DEVICE_PCI_BUS_INFO_KHR 0x410F
#endif
#ifndef CL_DEVICE_WARP_SIZE_NV
#define CL_DEVICE_WARP_SIZE_NV 0x4003
#endif
#ifndef CL_DEVICE_PCI_BUS_ID_NV
#define CL_DEVICE_PCI_BUS_ID_NV 0x4008
#define CL_DEVICE_PCI_SLOT_ID_NV 0x4009
#define CL_DEVICE_PCI_DOMAIN_ID_NV 0x400A
#endif

/* Extensions that say something about waiting, publishing, or telling where a group runs. */
static const char *const interesting[] = {
    "cl_khr_global_int32_base_atomics",
    "cl_khr_int64_base_atomics",
    "cl_khr_int64_extended_atomics",
    "cl_khr_subgroups",
    "cl_khr_kernel_clock",
    "cl_khr_command_buffer",
    "cl_khr_device_uuid",
    "cl_khr_pci_bus_info",
    "cl_nv_device_attribute_query",
    "cl_intel_concurrent_dispatch",
    "cl_intel_subgroups",
    "cl_amd_device_attribute_query",
    "cl_arm_scheduling_controls",
    "cl_khr_priority_hints",
};

/* --- reading one device --- */

/* Does it say nothing of what was asked for? A driver refuses a query that it does not know with other codes. */
static bool is_failure(cl_int code)
{
    return code == CL_OUT_OF_RESOURCES || code == CL_OUT_OF_HOST_MEMORY || code == CL_DEVICE_NOT_AVAILABLE ||
           code == CL_INVALID_DEVICE || code == CL_INVALID_PLATFORM;
}

static void tell_failure(char failure[LISTING_FAILURE], const char *call, cl_int code)
{
    snprintf(failure, LISTING_FAILURE, "%s: %s", call, cl_status_name(code));
}

static void tell_missing(struct listed_device *device, const char *what)
{
    if (device->failure[0] == '\0')
        snprintf(device->failure, sizeof device->failure, "clGetDeviceInfo: no %s", what);
}

static cl_int get_info(struct listed_device *listed, cl_device_info what, size_t size, void *value, size_t *length)
{
    const cl_int code = clGetDeviceInfo(listed->device, what, size, value, length);
    if (listed->failure[0] == '\0' && is_failure(code))
        tell_failure(listed->failure, "clGetDeviceInfo", code);
    return code;
}

static void read_text(struct listed_device *device, cl_device_info what, char *text, size_t size)
{
    size_t length = 0;
    char *whole = NULL;

    text[0] = '\0';
    if (get_info(device, what, 0, NULL, &length) != CL_SUCCESS || length == 0 || length > EXTENSIONS_BYTES)
        return;
    whole = xcalloc(1, length + 1); /* drivers forget the final zero byte */
    if (get_info(device, what, length, whole, NULL) == CL_SUCCESS)
        snprintf(text, size, "%s", whole);
    free(whole);
}

/* The value, or 0 when the driver does not answer; *known, if not NULL, tells the two apart. */
static uint64_t read_number(struct listed_device *device, cl_device_info what, bool *known)
{
    union {
        uint32_t word;
        uint64_t number;
    } value = {.number = 0};
    size_t length = 0;
    const bool answered = get_info(device, what, sizeof value, &value, &length) == CL_SUCCESS &&
                          (length == sizeof value.word || length == sizeof value.number);

    if (known != NULL)
        *known = answered;
    if (!answered)
        return 0;
    return length == sizeof value.word ? value.word : value.number;
}

/* A trial's verdict depends on it. A driver that fails now and then may have left out the answer. */
static uint64_t read_needed(struct listed_device *device, cl_device_info what, const char *name)
{
    bool known;
    const uint64_t value = read_number(device, what, &known);
    if (!known)
        tell_missing(device, name);
    return value;
}

#define READ_NEEDED(device, what) read_needed(device, what, #what)

static bool has_extension(const char *extensions, const char *name)
{
    const size_t length = strlen(name);
    for (const char *at = extensions; (at = strstr(at, name)) != NULL; at += length)
        if ((at == extensions || at[-1] == ' ') && (at[length] == ' ' || at[length] == '\0'))
            return true;
    return false;
}

static void read_extensions(struct listed_device *device)
{
    struct device_info *info = &device->info;
    char *all = xcalloc(1, EXTENSIONS_BYTES);

    if (all == NULL)
        return;
    read_text(device, CL_DEVICE_EXTENSIONS, all, EXTENSIONS_BYTES);
    for (size_t i = 0; i < sizeof interesting / sizeof *interesting; ++i)
        if (has_extension(all, interesting[i]))
            text_list(info->extensions, sizeof info->extensions, " ", "%s", interesting[i]);
    info->atomics_64 = has_extension(all, "cl_khr_int64_base_atomics");
    free(all);
}

static void read_uuid(struct listed_device *device)
{
    struct device_info *info = &device->info;
    unsigned char uuid[16];
    size_t length = 0;
    if (get_info(device, CL_DEVICE_UUID_KHR, sizeof uuid, uuid, &length) != CL_SUCCESS || length != sizeof uuid)
        return;
    for (size_t i = 0; i < sizeof uuid; ++i)
        snprintf(info->uuid + 2 * i, 3, "%02x", uuid[i]);
}

static void read_pci(struct listed_device *device)
{
    struct device_info *info = &device->info;
    uint32_t address[4]; /* domain, bus, device, function */
    size_t length = 0;
    bool known = get_info(device, CL_DEVICE_PCI_BUS_INFO_KHR, sizeof address, address, &length) == CL_SUCCESS &&
                 length == sizeof address;

    if (!known && strstr(info->vendor, "NVIDIA") != NULL) {
        address[1] = (uint32_t)read_number(device, CL_DEVICE_PCI_BUS_ID_NV, &known);
        const uint32_t slot = (uint32_t)read_number(device, CL_DEVICE_PCI_SLOT_ID_NV, NULL);
        address[0] = (uint32_t)read_number(device, CL_DEVICE_PCI_DOMAIN_ID_NV, NULL);
        address[2] = slot >> 3;
        address[3] = slot & 7;
    }
    if (known)
        snprintf(info->pci, sizeof info->pci, "%04x:%02x:%02x.%x", address[0] & 0xffff, address[1] & 0xff,
                 address[2] & 0xff, address[3] & 0xf);
}

static void read_atomics(struct listed_device *device)
{
    struct device_info *info = &device->info;
    bool memory_known, fence_known;
    info->atomic_memory = read_number(device, CL_DEVICE_ATOMIC_MEMORY_CAPABILITIES, &memory_known);
    info->atomic_fence = read_number(device, CL_DEVICE_ATOMIC_FENCE_CAPABILITIES, &fence_known);
    info->atomics_known = memory_known && fence_known;
    info->svm = read_number(device, CL_DEVICE_SVM_CAPABILITIES, NULL);
    info->subgroup_progress =
        read_number(device, CL_DEVICE_SUB_GROUP_INDEPENDENT_FORWARD_PROGRESS, &info->subgroup_progress_known) != 0;
}

static enum device_kind kind_of(uint64_t type)
{
    if (type & CL_DEVICE_TYPE_GPU)
        return DEVICE_GPU;
    return type & CL_DEVICE_TYPE_CPU ? DEVICE_CPU : DEVICE_OTHER;
}

static void read_device(struct listed_device *device)
{
    struct device_info *info = &device->info;

    read_text(device, CL_DEVICE_NAME, info->name, sizeof info->name);
    if (info->name[0] == '\0')
        tell_missing(device, "CL_DEVICE_NAME");
    read_text(device, CL_DEVICE_VENDOR, info->vendor, sizeof info->vendor);
    read_text(device, CL_DRIVER_VERSION, info->driver_version, sizeof info->driver_version);
    read_text(device, CL_DEVICE_VERSION, info->device_version, sizeof info->device_version);
    read_text(device, CL_DEVICE_OPENCL_C_VERSION, info->c_version, sizeof info->c_version);
    info->kind = kind_of(read_number(device, CL_DEVICE_TYPE, NULL));
    info->compute_units = (uint32_t)read_number(device, CL_DEVICE_MAX_COMPUTE_UNITS, NULL);
    info->address_bits = (uint32_t)read_number(device, CL_DEVICE_ADDRESS_BITS, NULL);
    info->max_local_size = READ_NEEDED(device, CL_DEVICE_MAX_WORK_GROUP_SIZE);
    info->local_memory_bytes = READ_NEEDED(device, CL_DEVICE_LOCAL_MEM_SIZE);
    info->global_memory_bytes = read_number(device, CL_DEVICE_GLOBAL_MEM_SIZE, NULL);
    info->max_allocation_bytes = read_number(device, CL_DEVICE_MAX_MEM_ALLOC_SIZE, NULL);
    if (strstr(info->vendor, "NVIDIA") != NULL)
        info->subgroup_width = (uint32_t)read_number(device, CL_DEVICE_WARP_SIZE_NV, NULL);
    read_extensions(device);
    read_atomics(device);
    read_uuid(device);
    read_pci(device);
}

/* --- listing --- */

/* The ordinal counts the devices before it that are alike in all else. */
static void number_alike(struct listed_device *devices, size_t count)
{
    for (size_t i = 0; i < count; ++i)
        for (size_t j = 0; j < i; ++j)
            devices[i].info.ordinal += device_info_same(&devices[i].info, &devices[j].info);
}

static void note_platform(struct listing *listing, const char *name, const char *failure)
{
    if (listing->platform_count == WIRE_PLATFORMS)
        return;
    struct wire_platform *platform = &listing->platforms[listing->platform_count++];
    *platform = (struct wire_platform){.failure = ""};
    snprintf(platform->name, sizeof platform->name, "%s", name);
    snprintf(platform->failure, sizeof platform->failure, "%s", failure);
}

static void list_device(struct listing *listing, const struct listed_device *found)
{
    char name[sizeof listing->platforms->name];
    struct listed_device *device = &listing->devices[listing->count];

    *device = *found;
    read_device(device);
    if (device->failure[0] == '\0') {
        ++listing->count;
        return;
    }
    snprintf(name, sizeof name, "device %" PRIu32 ":%" PRIu32 " of %s", device->info.platform_index,
             device->info.device_index, device->info.platform);
    note_platform(listing, name, device->failure);
}

static void list_platform(struct listing *listing, cl_platform_id platform, cl_uint index)
{
    cl_device_id ids[LIST_DEVICES];
    cl_uint count = 0, tried = 0;
    struct listed_device found = {.info.platform_index = index};
    char *name = found.info.platform, failure[LISTING_FAILURE] = "", left[sizeof listing->platforms->name];

    const cl_int named = clGetPlatformInfo(platform, CL_PLATFORM_NAME, sizeof found.info.platform - 1, name, NULL);
    const cl_int listed = clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, LIST_DEVICES, ids, &count);
    if (is_failure(named)) {
        snprintf(name, sizeof found.info.platform, "platform %" PRIu32, index);
        tell_failure(failure, "clGetPlatformInfo", named);
        note_platform(listing, name, failure);
    } else if (listed != CL_SUCCESS || count == 0) {
        if (listed != CL_SUCCESS && listed != CL_DEVICE_NOT_FOUND)
            tell_failure(failure, "clGetDeviceIDs", listed);
        note_platform(listing, name[0] != '\0' ? name : "without a name", failure);
    } else {
        for (; tried < count && tried < LIST_DEVICES && listing->count < LIST_DEVICES; ++tried) {
            found.device = ids[tried];
            found.info.device_index = tried;
            list_device(listing, &found);
        }
        if (tried < count) {
            snprintf(left, sizeof left, "%" PRIu32 " devices of %s", count - tried, name);
            snprintf(failure, sizeof failure, "no more than %d are listed", LIST_DEVICES);
            note_platform(listing, left, failure);
        }
    }
}

static const struct opencl *find_opencl(const struct device_info *model, struct error *error)
{
    struct model_device device;

    if (model == NULL)
        return opencl_of_loader(error);
    if (model_device_parse(model->name, &device, error) != 0)
        return NULL;
    return opencl_of_model(&device, model->holdings.count > 0 ? model : NULL, error);
}

int listing_read(struct listing *listing, const struct device_info *model, struct error *error)
{
    cl_platform_id platforms[LIST_PLATFORMS];
    cl_uint found = 0;

    *listing = (struct listing){.devices = xcalloc(LIST_DEVICES, sizeof *listing->devices)};
    opencl = find_opencl(model, error);
    if (opencl == NULL)
        return -1;
    cl_int code = clGetPlatformIDs(LIST_PLATFORMS, platforms, &found);
    if (code == -1001 || (code == CL_SUCCESS && found == 0))
        return 0;
    if (code != CL_SUCCESS)
        return cl_status_error(error, "clGetPlatformIDs", code);
    for (cl_uint i = 0; i < found && i < LIST_PLATFORMS; ++i)
        list_platform(listing, platforms[i], i);
    number_alike(listing->devices, listing->count);
    return 0;
}

void listing_fini(struct listing *listing)
{
    free(listing->devices);
    listing->devices = NULL;
}

int listing_check_library(const char *library, struct error *error)
{
    void *handle = dlopen(library, RTLD_LAZY | RTLD_LOCAL);
    if (handle == NULL)
        return error_set(error, STATUS_NO_DEVICE, "%s", dlerror());
    if (dlsym(handle, "clGetExtensionFunctionAddress") == NULL && dlsym(handle, "clIcdGetPlatformIDsKHR") == NULL)
        return error_set(error, STATUS_NO_DEVICE, "%s: not an OpenCL driver (no clGetExtensionFunctionAddress)",
                         library);
    return 0;
}

/* --- private ICD folder --- */

static int write_icd(const char *folder, size_t index, const char *library, struct error *error)
{
    char path[128];
    snprintf(path, sizeof path, "%s/%zu.icd", folder, index);
    FILE *file = fopen(path, "wxe");
    if (file != NULL)
        fprintf(file, "%s\n", library);
    if (file == NULL || fclose(file) != 0)
        return error_set(error, STATUS_HARNESS, "cannot write %s: %s", path, strerror(errno));
    return 0;
}

int listing_use_icds(const char *folder, char *const *libraries, size_t count, struct error *error)
{
    for (size_t i = 0; i < count; ++i)
        if (write_icd(folder, i, libraries[i], error) != 0)
            return -1;
    if (setenv("OCL_ICD_VENDORS", folder, 1) != 0)
        return error_set(error, STATUS_HARNESS, "cannot set OCL_ICD_VENDORS: %s", strerror(errno));
    return 0;
}
