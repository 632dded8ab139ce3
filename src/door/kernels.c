#include "door/capture.h"
#include "door/marks.h"

#include <stdint.h>
#include <string.h>

enum { KERNELS = 8192, TRIES = 16, MOST = PAGE_ARGUMENTS };

/*
 * Names and arguments of kernels, by handle. A handle comes back only through a function that makes a kernel, so what
 * is here is of the kernel that has it. One that is crowded out is asked for its name again; its arguments are lost.
 */
static struct kernel {
    _Atomic uint64_t handle;
    uint32_t argument_count, program;
    struct capture_kernel *capture; /* or NULL */
    struct marked *marked;          /* or NULL */
    char name[PAGE_NAME];
    struct page_argument arguments[MOST];
} kernels[KERNELS];

static uint32_t place_of(cl_kernel kernel)
{
    return (uint32_t)(((uint64_t)(uintptr_t)kernel >> 4) * 0x9e3779b97f4a7c15u >> 40) % KERNELS;
}

static struct kernel *find(cl_kernel kernel)
{
    const uint32_t place = place_of(kernel);

    for (uint32_t i = 0; i < TRIES; ++i) {
        struct kernel *entry = &kernels[(place + i) % KERNELS];
        if (atomic_load_explicit(&entry->handle, memory_order_acquire) == (uintptr_t)kernel)
            return entry;
    }
    return NULL;
}

static struct kernel *add(cl_kernel kernel)
{
    const uint32_t place = place_of(kernel);
    struct kernel *entry = find(kernel);

    for (uint32_t i = 0; entry == NULL && i < TRIES; ++i) {
        uint64_t none = 0;
        struct kernel *other = &kernels[(place + i) % KERNELS];
        if (atomic_compare_exchange_strong(&other->handle, &none, (uintptr_t)kernel))
            entry = other;
    }
    if (entry == NULL) {
        entry = &kernels[place];
        atomic_store(&entry->handle, (uintptr_t)kernel);
    }
    entry->argument_count = 0;
    memset(entry->arguments, 0, sizeof entry->arguments);
    char name[1024] = "";
    REAL(kernel)->clGetKernelInfo(kernel, CL_KERNEL_FUNCTION_NAME, sizeof name - 1, name, NULL);
    memcpy(entry->name, name, sizeof entry->name - 1);
    entry->program = program_number(kernel);
    entry->capture = capture_made(kernel, entry->capture);
    entry->marked = marks_made(kernel, entry->marked);
    return entry;
}

void kernel_made(cl_kernel kernel)
{
    add(kernel);
}

void kernel_cloned(cl_kernel kernel, cl_kernel from)
{
    const struct kernel *other = find(from);
    struct kernel *entry = add(kernel);

    if (other == NULL || other == entry)
        return;
    entry->argument_count = other->argument_count;
    memcpy(entry->arguments, other->arguments, sizeof entry->arguments);
    entry->capture = capture_cloned(entry->capture, other->capture);
    marks_cloned(entry->marked, other->marked);
}

static void note_argument(struct kernel *entry, cl_uint index, size_t size, const void *value)
{
    if (entry == NULL || index >= MOST)
        return;
    struct page_argument *argument = &entry->arguments[index];
    *argument = (struct page_argument){.size = size > UINT32_MAX ? UINT32_MAX : (uint32_t)size, .local = value == NULL};
    if (value != NULL)
        memcpy(&argument->value, value, size < sizeof argument->value ? size : sizeof argument->value);
    if (entry->argument_count <= index)
        entry->argument_count = index + 1;
}

void kernel_argument(cl_kernel kernel, cl_uint index, size_t size, const void *value)
{
    struct kernel *entry = find(kernel);

    if (entry != NULL) {
        capture_argument(kernel, entry->capture, index, size, value);
        marks_argument(entry->marked, index, size, value);
    }
    note_argument(entry, index, size, value);
}

void kernel_argument_svm(cl_kernel kernel, cl_uint index, const void *value, const struct shared *of)
{
    struct kernel *entry = find(kernel);

    if (entry != NULL) {
        capture_argument_svm(kernel, entry->capture, index, value, of);
        marks_argument_svm(entry->marked, index, value, of);
    }
    note_argument(entry, index, sizeof value, &value);
}

void kernel_information(cl_kernel kernel, cl_kernel_exec_info name, size_t size, const void *value)
{
    const struct kernel *entry = find(kernel);

    if (entry == NULL)
        return;
    capture_information(entry->capture, name, size);
    marks_information(entry->marked, name, size, value);
}

void kernel_held(cl_kernel kernel, int by)
{
    const struct kernel *entry = find(kernel);

    if (entry != NULL)
        marks_held(entry->marked, by);
}

void kernel_note(cl_kernel kernel, struct page_command *slot)
{
    const struct kernel *entry = find(kernel);

    if (entry == NULL)
        entry = add(kernel);
    memcpy(slot->kernel, entry->name, sizeof slot->kernel);
    slot->program = entry->program;
    slot->argument_count = entry->argument_count;
    memcpy(slot->arguments, entry->arguments, entry->argument_count * sizeof *slot->arguments);
}

struct capture_kernel *kernel_captured(cl_kernel kernel)
{
    const struct kernel *entry = find(kernel);
    return entry != NULL ? entry->capture : NULL;
}

struct marked *kernel_marked(cl_kernel kernel)
{
    const struct kernel *entry = find(kernel);
    return entry != NULL ? entry->marked : NULL;
}
