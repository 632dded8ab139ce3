#include "door/capture_objects.h"

#include "door/capture.h"
#include "door/shared.h"

#include <stdint.h>
#include <string.h>

enum { OBJECTS = 1 << 14, TRIES = 16, ALLOCATIONS = 4096, LAYERS = CAPTURE_SHAPE - 1 };

/* --- by handle --- */

static struct {
    _Atomic uint64_t handle, size;
    _Atomic uint32_t kind; /* enum capture_kind */
} objects[OBJECTS];

static uint32_t place_of(uint64_t handle)
{
    return (uint32_t)((handle >> 4) * 0x9e3779b97f4a7c15u >> 40) % OBJECTS;
}

static void note_object(const void *object, size_t size, enum capture_kind kind)
{
    const uint64_t handle = (uintptr_t)object;
    const uint32_t place = place_of(handle);
    uint32_t at = place; /* one that finds no place takes that of another */

    if (capture_root() == NULL)
        return;
    for (uint32_t i = 0; i < TRIES; ++i) {
        const uint32_t next = (place + i) % OBJECTS;
        uint64_t none = 0;
        if (atomic_load(&objects[next].handle) == handle ||
            atomic_compare_exchange_strong(&objects[next].handle, &none, handle)) {
            at = next;
            break;
        }
    }
    atomic_store(&objects[at].handle, handle);
    atomic_store(&objects[at].size, size);
    atomic_store(&objects[at].kind, kind);
}

void capture_memory(cl_mem memory, size_t size)
{
    note_object(memory, size, CAPTURE_BUFFER);
}

void capture_image(cl_mem image)
{
    note_object(image, 0, CAPTURE_IMAGE);
}

void capture_sampler(cl_sampler sampler)
{
    note_object(sampler, 0, CAPTURE_SAMPLER);
}

enum capture_kind capture_kind_of(uint64_t handle, uint64_t *size)
{
    uint32_t at = place_of(handle);

    for (uint32_t i = 0; i < TRIES && handle != 0; ++i, at = (at + 1) % OBJECTS)
        if (atomic_load(&objects[at].handle) == handle) {
            *size = atomic_load(&objects[at].size);
            return (enum capture_kind)atomic_load(&objects[at].kind);
        }
    return CAPTURE_VALUE_BYTES;
}

/* --- shared virtual memory, by address --- */

static struct {
    _Atomic uint64_t at, size;
} allocations[ALLOCATIONS];

/* What is at the same place was freed in a way that is not seen. */
void capture_svm_freed(const void *at)
{
    for (size_t i = 0; at != NULL && capture_root() != NULL && i < ALLOCATIONS; ++i) {
        uint64_t found = (uintptr_t)at;
        atomic_compare_exchange_strong(&allocations[i].at, &found, 0);
    }
}

void capture_svm_made(const void *at, size_t size)
{
    capture_svm_freed(at);
    for (size_t i = 0; capture_root() != NULL && i < ALLOCATIONS; ++i) {
        uint64_t none = 0;
        if (atomic_load(&allocations[i].at) != 0 || !atomic_compare_exchange_strong(&allocations[i].at, &none, 1))
            continue;
        atomic_store(&allocations[i].size, size);
        atomic_store(&allocations[i].at, (uintptr_t)at);
        return;
    }
}

uint64_t capture_svm_bytes(const void *at)
{
    for (size_t i = 0; i < ALLOCATIONS; ++i) {
        const uint64_t begin = atomic_load(&allocations[i].at), size = atomic_load(&allocations[i].size);
        if (begin > 1 && (uintptr_t)at >= begin && (uintptr_t)at - begin < size)
            return size - ((uintptr_t)at - begin);
    }
    return 0;
}

/* --- places --- */

void capture_find_place(struct capture_argument *argument)
{
    const uint64_t at = (uintptr_t)argument->object.at;
    cl_mem memory = argument->object.memory, whole = NULL;
    size_t offset = 0;

    if (argument->kind == CAPTURE_SVM) {
        argument->place.of = 1; /* no handle */
        argument->place.begin = at;
        argument->place.end = at + argument->bytes;
    }
    if (argument->kind != CAPTURE_BUFFER && argument->kind != CAPTURE_IMAGE)
        return;
    REAL(memory)->clGetMemObjectInfo(memory, CL_MEM_ASSOCIATED_MEMOBJECT, sizeof(cl_mem), &whole, NULL);
    REAL(memory)->clGetMemObjectInfo(memory, CL_MEM_OFFSET, sizeof offset, &offset, NULL);
    argument->place.of = (uintptr_t)(whole != NULL ? whole : memory);
    argument->place.begin = offset;
    argument->place.end = argument->kind == CAPTURE_BUFFER ? offset + argument->bytes : UINT64_MAX;
}

uint32_t capture_shared_with(const struct capture_kernel *of, uint32_t index)
{
    const struct capture_argument *one = &of->arguments[index];
    uint32_t first = 0;

    for (; first < index; ++first) {
        const struct capture_argument *other = &of->arguments[first];
        if (one->place.of != 0 && one->place.of == other->place.of && one->place.begin < other->place.end &&
            other->place.begin < one->place.end)
            break;
    }
    return first;
}

/* Of the memory that an argument is, a driver's extension may have made it. */
static bool is_address(const struct capture_kernel *of, uint64_t word)
{
    for (uint32_t i = 0; i < of->count; ++i)
        if (of->arguments[i].place.of == 1 && word >= of->arguments[i].place.begin && word < of->arguments[i].place.end)
            return true;
    return capture_svm_bytes((const void *)(uintptr_t)word) > 0; // NOLINT(performance-no-int-to-ptr)
}

bool capture_points(const struct capture_kernel *of, const unsigned char *bytes, uint64_t size)
{
    uint64_t least = UINT64_MAX, most = 0, word;

    for (size_t i = 0; i < ALLOCATIONS + of->count; ++i) {
        const bool made = i < ALLOCATIONS;
        const struct capture_argument *argument = made ? NULL : &of->arguments[i - ALLOCATIONS];
        const uint64_t begin = made ? atomic_load(&allocations[i].at) : argument->place.begin;
        const uint64_t end = made ? begin + atomic_load(&allocations[i].size) : argument->place.end;
        if (made ? begin <= 1 : argument->place.of != 1)
            continue;
        least = begin < least ? begin : least;
        most = end > most ? end : most;
    }
    for (uint64_t at = 0; bytes != NULL && least < most && at + sizeof word <= size; at += sizeof word) {
        memcpy(&word, bytes + at, sizeof word);
        if (word >= least && word < most && is_address(of, word))
            return true;
    }
    return false;
}

/* --- shapes --- */

static bool ask_image(cl_mem image, cl_image_info name, size_t size, void *value)
{
    return REAL(image)->clGetImageInfo(image, name, size, value, NULL) == CL_SUCCESS;
}

/* Those of a shape that an image does not have are 0. */
static void region_of(const struct capture_argument *argument, size_t region[3])
{
    const uint64_t *shape = argument->shape, layers = shape[LAYERS];

    for (size_t i = 0; i < 3; ++i)
        region[i] = shape[3 + i] > 0 ? shape[3 + i] : 1;
    if (shape[0] == CL_MEM_OBJECT_IMAGE1D_ARRAY)
        region[1] = layers;
    if (shape[0] == CL_MEM_OBJECT_IMAGE2D_ARRAY)
        region[2] = layers;
}

bool capture_read_image(struct capture_argument *argument)
{
    static const cl_image_info names[] = {CL_IMAGE_WIDTH, CL_IMAGE_HEIGHT, CL_IMAGE_DEPTH, CL_IMAGE_ARRAY_SIZE};
    cl_mem image = argument->object.memory;
    cl_mem_object_type type = 0;
    cl_image_format format = {0};
    cl_uint levels = 0, samples = 0;
    size_t element = 0, region[3], size = 0;

    if (REAL(image)->clGetMemObjectInfo(image, CL_MEM_TYPE, sizeof type, &type, NULL) != CL_SUCCESS ||
        type == CL_MEM_OBJECT_PIPE || !ask_image(image, CL_IMAGE_FORMAT, sizeof format, &format) ||
        !ask_image(image, CL_IMAGE_ELEMENT_SIZE, sizeof element, &element))
        return false;
    argument->shape[0] = type;
    argument->shape[1] = format.image_channel_order;
    argument->shape[2] = format.image_channel_data_type;
    for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
        argument->shape[3 + i] = ask_image(image, names[i], sizeof size, &size) ? size : 0;
    region_of(argument, region);
    argument->bytes = element * region[0] * region[1] * region[2];
    ask_image(image, CL_IMAGE_NUM_MIP_LEVELS, sizeof levels, &levels);
    ask_image(image, CL_IMAGE_NUM_SAMPLES, sizeof samples, &samples);
    return levels <= 1 && samples <= 1;
}

bool capture_read_sampler(struct capture_argument *argument)
{
    static const cl_sampler_info names[] = {CL_SAMPLER_NORMALIZED_COORDS, CL_SAMPLER_ADDRESSING_MODE,
                                            CL_SAMPLER_FILTER_MODE};
    cl_sampler sampler = argument->object.sampler;
    bool told = true;

    for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
        cl_uint value = 0; /* as large as each of them */
        told = told && REAL(sampler)->clGetSamplerInfo(sampler, names[i], sizeof value, &value, NULL) == CL_SUCCESS;
        argument->shape[i] = value;
    }
    return told;
}

/* --- contents --- */

cl_int capture_enqueue_read(const struct capture_argument *argument, cl_command_queue queue, cl_uint count,
                            const cl_event *list, cl_event *read)
{
    static const size_t origin[3];
    const cl_icd_dispatch *real = REAL(queue);
    size_t region[3];

    if (argument->kind == CAPTURE_BUFFER)
        return real->clEnqueueReadBuffer(queue, argument->object.memory, CL_FALSE, 0, argument->bytes,
                                         argument->contents, count, list, read);
    if (argument->kind == CAPTURE_SVM) {
        shared_copy_function *const other = argument->by != NULL ? shared_copy(argument->by) : NULL;
        return (other != NULL ? other : real->clEnqueueSVMMemcpy)(
            queue, CL_FALSE, argument->contents, argument->object.at, argument->bytes, count, list, read);
    }
    region_of(argument, region);
    return real->clEnqueueReadImage(queue, argument->object.memory, CL_FALSE, origin, region, 0, 0, argument->contents,
                                    count, list, read);
}
