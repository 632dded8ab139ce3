#include "driver/model.h"
#include "driver/objects.h"

#include <string.h>

struct _cl_platform_id model_platform = {{OBJECT_PLATFORM, 1}};
struct _cl_device_id model_device;

enum { GROUP_ITEMS = 1024, LOCAL_BYTES = 1 << 16 };

/* A unit for each place, as on a CPU; where there are more than so many, several share one, as on a GPU. Where places
   have no end, there are two, so that groups of different units can meet. */
enum { UNITS_MOST = 64, UNIT_PLACES = 32, UNITS_ENDLESS = 2 };

static cl_uint units_of(const struct model_device *device)
{
    const uint32_t places = device->resident > 0 ? device->resident : UNITS_ENDLESS;
    return places <= UNITS_MOST ? places : (places + UNIT_PLACES - 1) / UNIT_PLACES;
}

static cl_device_type type_of(enum device_kind kind)
{
    return kind == DEVICE_CPU   ? CL_DEVICE_TYPE_CPU
           : kind == DEVICE_GPU ? CL_DEVICE_TYPE_GPU
                                : CL_DEVICE_TYPE_ACCELERATOR;
}

#define ENTRY(name) .name = model_##name,

const struct opencl *opencl_of_model(const struct model_device *device, const struct device_info *like,
                                     struct error *error)
{
    static const struct opencl table = {OPENCL_FUNCTIONS(ENTRY)};

    if (model_compile_check(error) != 0)
        return NULL;
    model_device = (struct _cl_device_id){.object = object_made(OBJECT_DEVICE), .model = *device};
    model_device_name(device, model_device.name);
    model_device.type = like != NULL ? type_of(like->kind) : CL_DEVICE_TYPE_ACCELERATOR;
    model_device.units = like != NULL ? like->compute_units : units_of(device);
    model_device.group_items = like != NULL ? like->max_local_size : GROUP_ITEMS;
    model_device.local_bytes = like != NULL ? like->local_memory_bytes : LOCAL_BYTES;
    if (like != NULL)
        model_device.holdings = like->holdings;
    return &table;
}

/* --- platform --- */

cl_int model_clGetPlatformIDs(cl_uint room, cl_platform_id *platforms, cl_uint *count)
{
    if ((platforms == NULL && count == NULL) || (platforms != NULL && room == 0))
        return CL_INVALID_VALUE;
    if (platforms != NULL)
        *platforms = &model_platform;
    if (count != NULL)
        *count = 1;
    return CL_SUCCESS;
}

cl_int model_clGetPlatformInfo(cl_platform_id platform, cl_platform_info what, size_t size, void *value, size_t *length)
{
    const struct answer answer = {size, value, length};

    if (platform != NULL && !object_is(platform, OBJECT_PLATFORM))
        return CL_INVALID_PLATFORM;
    switch (what) {
    case CL_PLATFORM_NAME:
    case CL_PLATFORM_VENDOR:
        return answer_text(&answer, DEVICE_MODEL_PLATFORM);
    case CL_PLATFORM_VERSION:
        return answer_text(&answer, "OpenCL 3.0 gridlock");
    case CL_PLATFORM_NUMERIC_VERSION:
        return ANSWER(&answer, cl_version, CL_MAKE_VERSION(3, 0, 0));
    case CL_PLATFORM_PROFILE:
        return answer_text(&answer, "FULL_PROFILE");
    case CL_PLATFORM_EXTENSIONS:
        return answer_text(&answer, "");
    default:
        return CL_INVALID_VALUE;
    }
}

void *model_clGetExtensionFunctionAddressForPlatform(cl_platform_id platform, const char *name)
{
    (void)platform;
    (void)name;
    return NULL;
}

/* --- device --- */

cl_int model_clGetDeviceIDs(cl_platform_id platform, cl_device_type type, cl_uint room, cl_device_id *devices,
                            cl_uint *count)
{
    const cl_device_type known = CL_DEVICE_TYPE_CPU | CL_DEVICE_TYPE_GPU | CL_DEVICE_TYPE_ACCELERATOR |
                                 CL_DEVICE_TYPE_CUSTOM | CL_DEVICE_TYPE_DEFAULT;

    if (platform != NULL && !object_is(platform, OBJECT_PLATFORM))
        return CL_INVALID_PLATFORM;
    if (type != CL_DEVICE_TYPE_ALL && (type == 0 || (type & ~known) != 0))
        return CL_INVALID_DEVICE_TYPE;
    if ((devices == NULL && count == NULL) || (devices != NULL && room == 0))
        return CL_INVALID_VALUE;
    if (type != CL_DEVICE_TYPE_ALL && (type & (model_device.type | CL_DEVICE_TYPE_DEFAULT)) == 0)
        return CL_DEVICE_NOT_FOUND;
    if (devices != NULL)
        *devices = &model_device;
    if (count != NULL)
        *count = 1;
    return CL_SUCCESS;
}

#define ATOMICS                                                                                                        \
    (CL_DEVICE_ATOMIC_ORDER_RELAXED | CL_DEVICE_ATOMIC_ORDER_ACQ_REL | CL_DEVICE_ATOMIC_ORDER_SEQ_CST |                \
     CL_DEVICE_ATOMIC_SCOPE_WORK_ITEM | CL_DEVICE_ATOMIC_SCOPE_WORK_GROUP | CL_DEVICE_ATOMIC_SCOPE_DEVICE |            \
     CL_DEVICE_ATOMIC_SCOPE_ALL_DEVICES)
#define EXTENSIONS                                                                                                     \
    "cl_khr_global_int32_base_atomics cl_khr_global_int32_extended_atomics cl_khr_local_int32_base_atomics "           \
    "cl_khr_local_int32_extended_atomics cl_khr_int64_base_atomics cl_khr_int64_extended_atomics "                     \
    "cl_khr_byte_addressable_store cl_khr_fp64 cl_khr_3d_image_writes cl_khr_depth_images"

/* What is a number, and the same for all. */
static const struct {
    cl_device_info what;
    uint32_t bytes;
    uint64_t value;
} numbers[] = {
    {CL_DEVICE_VENDOR_ID, sizeof(cl_uint), 0},
    {CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS, sizeof(cl_uint), MODEL_DIMENSIONS},
    {CL_DEVICE_MAX_CLOCK_FREQUENCY, sizeof(cl_uint), 0},
    {CL_DEVICE_ADDRESS_BITS, sizeof(cl_uint), 64},
    {CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof(cl_ulong), MODEL_ALLOCATION_BYTES},
    {CL_DEVICE_GLOBAL_MEM_SIZE, sizeof(cl_ulong), MODEL_GLOBAL_BYTES},
    {CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE, sizeof(cl_ulong), MODEL_ALLOCATION_BYTES},
    {CL_DEVICE_MAX_CONSTANT_ARGS, sizeof(cl_uint), 128},
    {CL_DEVICE_GLOBAL_MEM_CACHE_TYPE, sizeof(cl_device_mem_cache_type), CL_NONE},
    {CL_DEVICE_GLOBAL_MEM_CACHELINE_SIZE, sizeof(cl_uint), 0},
    {CL_DEVICE_GLOBAL_MEM_CACHE_SIZE, sizeof(cl_ulong), 0},
    {CL_DEVICE_LOCAL_MEM_TYPE, sizeof(cl_device_local_mem_type), CL_LOCAL},
    {CL_DEVICE_MAX_PARAMETER_SIZE, sizeof(size_t), 1024},
    {CL_DEVICE_MEM_BASE_ADDR_ALIGN, sizeof(cl_uint), MODEL_ALIGNMENT * 8},
    {CL_DEVICE_IMAGE_SUPPORT, sizeof(cl_bool), CL_TRUE},
    {CL_DEVICE_MAX_READ_IMAGE_ARGS, sizeof(cl_uint), 128},
    {CL_DEVICE_MAX_WRITE_IMAGE_ARGS, sizeof(cl_uint), 128},
    {CL_DEVICE_MAX_READ_WRITE_IMAGE_ARGS, sizeof(cl_uint), 128},
    {CL_DEVICE_MAX_SAMPLERS, sizeof(cl_uint), 128},
    {CL_DEVICE_IMAGE2D_MAX_WIDTH, sizeof(size_t), MODEL_IMAGE_SIDE},
    {CL_DEVICE_IMAGE2D_MAX_HEIGHT, sizeof(size_t), MODEL_IMAGE_SIDE},
    {CL_DEVICE_IMAGE3D_MAX_WIDTH, sizeof(size_t), MODEL_IMAGE_LAYERS},
    {CL_DEVICE_IMAGE3D_MAX_HEIGHT, sizeof(size_t), MODEL_IMAGE_LAYERS},
    {CL_DEVICE_IMAGE3D_MAX_DEPTH, sizeof(size_t), MODEL_IMAGE_LAYERS},
    {CL_DEVICE_IMAGE_MAX_ARRAY_SIZE, sizeof(size_t), MODEL_IMAGE_LAYERS},
    {CL_DEVICE_IMAGE_MAX_BUFFER_SIZE, sizeof(size_t), MODEL_IMAGE_PIXELS},
    {CL_DEVICE_ERROR_CORRECTION_SUPPORT, sizeof(cl_bool), CL_FALSE},
    {CL_DEVICE_HOST_UNIFIED_MEMORY, sizeof(cl_bool), CL_TRUE},
    {CL_DEVICE_PROFILING_TIMER_RESOLUTION, sizeof(size_t), 1},
    {CL_DEVICE_ENDIAN_LITTLE, sizeof(cl_bool), CL_TRUE},
    {CL_DEVICE_AVAILABLE, sizeof(cl_bool), CL_TRUE},
    {CL_DEVICE_COMPILER_AVAILABLE, sizeof(cl_bool), CL_TRUE},
    {CL_DEVICE_LINKER_AVAILABLE, sizeof(cl_bool), CL_FALSE},
    {CL_DEVICE_EXECUTION_CAPABILITIES, sizeof(cl_device_exec_capabilities), CL_EXEC_KERNEL},
    {CL_DEVICE_QUEUE_ON_HOST_PROPERTIES, sizeof(cl_command_queue_properties),
     CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE},
    {CL_DEVICE_QUEUE_ON_DEVICE_PROPERTIES, sizeof(cl_command_queue_properties), 0},
    {CL_DEVICE_SINGLE_FP_CONFIG, sizeof(cl_device_fp_config),
     CL_FP_DENORM | CL_FP_INF_NAN | CL_FP_ROUND_TO_NEAREST | CL_FP_FMA | CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT},
    {CL_DEVICE_DOUBLE_FP_CONFIG, sizeof(cl_device_fp_config),
     CL_FP_DENORM | CL_FP_INF_NAN | CL_FP_ROUND_TO_NEAREST | CL_FP_ROUND_TO_ZERO | CL_FP_ROUND_TO_INF | CL_FP_FMA},
    {CL_DEVICE_SVM_CAPABILITIES, sizeof(cl_device_svm_capabilities), 0},
    {CL_DEVICE_ATOMIC_MEMORY_CAPABILITIES, sizeof(cl_device_atomic_capabilities), ATOMICS},
    {CL_DEVICE_ATOMIC_FENCE_CAPABILITIES, sizeof(cl_device_atomic_capabilities), ATOMICS},
    {CL_DEVICE_WORK_GROUP_COLLECTIVE_FUNCTIONS_SUPPORT, sizeof(cl_bool), CL_TRUE},
    {CL_DEVICE_NON_UNIFORM_WORK_GROUP_SUPPORT, sizeof(cl_bool), CL_FALSE},
    {CL_DEVICE_GENERIC_ADDRESS_SPACE_SUPPORT, sizeof(cl_bool), CL_TRUE},
    {CL_DEVICE_PREFERRED_VECTOR_WIDTH_CHAR, sizeof(cl_uint), 1},
    {CL_DEVICE_PREFERRED_VECTOR_WIDTH_SHORT, sizeof(cl_uint), 1},
    {CL_DEVICE_PREFERRED_VECTOR_WIDTH_INT, sizeof(cl_uint), 1},
    {CL_DEVICE_PREFERRED_VECTOR_WIDTH_LONG, sizeof(cl_uint), 1},
    {CL_DEVICE_PREFERRED_VECTOR_WIDTH_FLOAT, sizeof(cl_uint), 1},
    {CL_DEVICE_PREFERRED_VECTOR_WIDTH_DOUBLE, sizeof(cl_uint), 1},
    {CL_DEVICE_REFERENCE_COUNT, sizeof(cl_uint), 1},
    {CL_DEVICE_NUMERIC_VERSION, sizeof(cl_version), CL_MAKE_VERSION(3, 0, 0)},
};

static const struct {
    cl_device_info what;
    const char *text;
} texts[] = {
    {CL_DEVICE_VENDOR, DEVICE_MODEL_PLATFORM},
    {CL_DRIVER_VERSION, GRIDLOCK_VERSION},
    {CL_DEVICE_PROFILE, "FULL_PROFILE"},
    {CL_DEVICE_VERSION, "OpenCL 3.0 gridlock"},
    {CL_DEVICE_OPENCL_C_VERSION, "OpenCL C 3.0 gridlock"},
    {CL_DEVICE_BUILT_IN_KERNELS, ""},
};

/* Work-items of a sub-group, each of which goes on whatever others of its group do; or 0. */
static cl_int answer_sub_groups(const struct _cl_device_id *device, cl_device_info what, const struct answer *answer)
{
    const cl_uint width = device->model.sub_groups;

    switch (what) {
    case CL_DEVICE_EXTENSIONS:
        return answer_text(answer, width > 0 ? EXTENSIONS " cl_khr_subgroups" : EXTENSIONS);
    case CL_DEVICE_PREFERRED_WORK_GROUP_SIZE_MULTIPLE:
        return ANSWER(answer, size_t, width > 0 ? width : 1);
    case CL_DEVICE_MAX_NUM_SUB_GROUPS:
        return ANSWER(answer, cl_uint, width > 0 ? ((cl_uint)device->group_items + width - 1) / width : 0);
    case CL_DEVICE_SUB_GROUP_INDEPENDENT_FORWARD_PROGRESS:
        return ANSWER(answer, cl_bool, width > 0 ? CL_TRUE : CL_FALSE);
    default:
        return CL_INVALID_VALUE;
    }
}

cl_int model_clGetDeviceInfo(cl_device_id device, cl_device_info what, size_t size, void *value, size_t *length)
{
    const struct answer answer = {size, value, length};

    if (!object_is(device, OBJECT_DEVICE))
        return CL_INVALID_DEVICE;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; ++i)
        if (texts[i].what == what)
            return answer_text(&answer, texts[i].text);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; ++i)
        if (numbers[i].what == what)
            return answer_bytes(&answer, &numbers[i].value, numbers[i].bytes); /* the lowest byte comes first */
    switch (what) {
    case CL_DEVICE_NAME:
        return answer_text(&answer, device->name);
    case CL_DEVICE_PLATFORM:
        return ANSWER(&answer, cl_platform_id, &model_platform);
    case CL_DEVICE_MAX_COMPUTE_UNITS:
        return ANSWER(&answer, cl_uint, device->units);
    case CL_DEVICE_TYPE:
        return ANSWER(&answer, cl_device_type, device->type);
    case CL_DEVICE_MAX_WORK_GROUP_SIZE:
        return ANSWER(&answer, size_t, device->group_items);
    case CL_DEVICE_LOCAL_MEM_SIZE:
        return ANSWER(&answer, cl_ulong, device->local_bytes);
    case CL_DEVICE_MAX_WORK_ITEM_SIZES: {
        const size_t most[MODEL_DIMENSIONS] = {device->group_items, device->group_items, device->group_items};
        return answer_bytes(&answer, most, sizeof most);
    }
    default:
        return answer_sub_groups(device, what, &answer);
    }
}
