#include "driver/objects.h"

#include "base/alloc.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define ACCESS (CL_MEM_READ_WRITE | CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY)
#define HOST_ACCESS (CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_NO_ACCESS)

static bool has_several(cl_mem_flags flags)
{
    return (flags & (flags - 1)) != 0;
}

static bool flags_agree(cl_mem_flags flags)
{
    const cl_mem_flags pointer = CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR | CL_MEM_ALLOC_HOST_PTR;

    return (flags & ~(ACCESS | HOST_ACCESS | pointer)) == 0 && !has_several(flags & ACCESS) &&
           !has_several(flags & HOST_ACCESS) && ((flags & CL_MEM_USE_HOST_PTR) == 0 || !has_several(flags & pointer));
}

/* Between any two allocations: an access that is a little outside of one is in no other one. */
enum { GAP = 1 << 24 };

/* Of whole pages, of zeros; NULL: there is none. */
static void *allocate(size_t size)
{
    void *const bytes = mmap(NULL, size + GAP, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

    if (bytes == MAP_FAILED)
        return NULL;
    if (mprotect(bytes, size, PROT_READ | PROT_WRITE) == 0)
        return bytes;
    munmap(bytes, size + GAP);
    return NULL;
}

static void deallocate(void *bytes, size_t size)
{
    munmap(bytes, size + GAP);
}

cl_mem memory_create(cl_context context, cl_mem_flags flags, size_t size, void *host, cl_int *code)
{
    const bool uses = (flags & CL_MEM_USE_HOST_PTR) != 0, copies = (flags & CL_MEM_COPY_HOST_PTR) != 0;

    if (!object_is(context, OBJECT_CONTEXT))
        return no_object(code, CL_INVALID_CONTEXT);
    if (!flags_agree(flags))
        return no_object(code, CL_INVALID_VALUE);
    if (size == 0 || size > MODEL_ALLOCATION_BYTES)
        return no_object(code, CL_INVALID_BUFFER_SIZE);
    if ((host != NULL) != (uses || copies))
        return no_object(code, CL_INVALID_HOST_PTR);
    unsigned char *const bytes = uses ? host : allocate(size);
    if (bytes == NULL)
        return no_object(code, CL_MEM_OBJECT_ALLOCATION_FAILURE);
    if (copies)
        memcpy(bytes, host, size);
    cl_mem memory = xmalloc(sizeof *memory);
    *memory = (struct _cl_mem){.object = object_made(OBJECT_BUFFER),
                               .context = context,
                               .flags = (flags & ACCESS) != 0 ? flags : flags | CL_MEM_READ_WRITE,
                               .size = size,
                               .bytes = bytes,
                               .own = !uses};
    object_retain(context);
    no_object(code, CL_SUCCESS);
    return memory;
}

cl_mem model_clCreateBuffer(cl_context context, cl_mem_flags flags, size_t size, void *host, cl_int *code)
{
    cl_mem memory = memory_create(context, flags, size, host, code);

    if (memory != NULL && host == NULL && model_device.model.reads == MODEL_READS_WRITTEN)
        memory->written = allocate(size);
    return memory;
}

/* Of a buffer, whose bytes it shares. */
cl_mem model_clCreateSubBuffer(cl_mem buffer, cl_mem_flags flags, cl_buffer_create_type type, const void *info,
                               cl_int *code)
{
    const cl_buffer_region *const region = info;
    const cl_mem_flags possible = ACCESS | HOST_ACCESS;

    if (!object_is(buffer, OBJECT_BUFFER) || buffer->buffer != NULL)
        return no_object(code, CL_INVALID_MEM_OBJECT);
    if (type != CL_BUFFER_CREATE_TYPE_REGION || region == NULL || region->origin > buffer->size ||
        region->size > buffer->size - region->origin || (flags & ~possible) != 0)
        return no_object(code, CL_INVALID_VALUE);
    cl_mem part = memory_create(buffer->context, (flags != 0 ? flags : buffer->flags & ACCESS) | CL_MEM_USE_HOST_PTR,
                                region->size, buffer->bytes + region->origin, code);
    if (part == NULL)
        return NULL;
    part->buffer = buffer;
    part->written = buffer->written != NULL ? buffer->written + region->origin : NULL;
    object_retain(buffer);
    return part;
}

void memory_release(cl_mem memory)
{
    if (!object_release(memory))
        return;
    if (memory->own)
        deallocate(memory->bytes, memory->size);
    if (memory->own && memory->written != NULL)
        deallocate(memory->written, memory->size);
    if (memory->buffer != NULL)
        memory_release(memory->buffer);
    model_clReleaseContext(memory->context);
    free(memory);
}

cl_int model_clReleaseMemObject(cl_mem memory)
{
    if (!object_is(memory, OBJECT_BUFFER) && !object_is(memory, OBJECT_IMAGE))
        return CL_INVALID_MEM_OBJECT;
    memory_release(memory);
    return CL_SUCCESS;
}

/* --- what there is none of --- */

void *model_clSVMAlloc(cl_context context, cl_svm_mem_flags flags, size_t size, cl_uint alignment)
{
    (void)context, (void)flags, (void)size, (void)alignment;
    return NULL;
}

void model_clSVMFree(cl_context context, void *pointer)
{
    (void)context, (void)pointer;
}

cl_int model_clEnqueueSVMMap(cl_command_queue queue, cl_bool blocks, cl_map_flags flags, void *pointer, size_t size,
                             cl_uint wait_count, const cl_event *wait_list, cl_event *event)
{
    (void)blocks, (void)flags, (void)pointer, (void)size, (void)wait_count, (void)wait_list, (void)event;
    return object_is(queue, OBJECT_QUEUE) ? CL_INVALID_OPERATION : CL_INVALID_COMMAND_QUEUE;
}

cl_int model_clEnqueueSVMUnmap(cl_command_queue queue, void *pointer, cl_uint wait_count, const cl_event *wait_list,
                               cl_event *event)
{
    (void)pointer, (void)wait_count, (void)wait_list, (void)event;
    return object_is(queue, OBJECT_QUEUE) ? CL_INVALID_OPERATION : CL_INVALID_COMMAND_QUEUE;
}

cl_int model_clSetKernelArgSVMPointer(cl_kernel kernel, cl_uint index, const void *pointer)
{
    (void)index, (void)pointer;
    return object_is(kernel, OBJECT_KERNEL) ? CL_INVALID_OPERATION : CL_INVALID_KERNEL;
}

cl_int model_clSetKernelExecInfo(cl_kernel kernel, cl_kernel_exec_info what, size_t size, const void *value)
{
    (void)what, (void)size, (void)value;
    return object_is(kernel, OBJECT_KERNEL) ? CL_INVALID_OPERATION : CL_INVALID_KERNEL;
}
