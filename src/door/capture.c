#include "door/capture.h"

#include "door/capture_folder.h"
#include "door/capture_objects.h"
#include "door/shared.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SOURCES = 512, KEPT = 256 };

/* --- what is asked for --- */

const char *capture_root(void)
{
    static const char *_Atomic found;
    const char *now = atomic_load(&found);

    if (now == NULL) {
        now = getenv(CAPTURE_FOLDER);
        now = now != NULL ? now : "";
        atomic_store(&found, now);
    }
    return now[0] != '\0' ? now : NULL;
}

/* "NAME" or "NAME:N": whether it is this kernel, and how many launches of it are wanted. */
static uint64_t wanted(const char *kernel)
{
    const char *text = getenv(CAPTURE_KERNEL), *colon = text != NULL ? strchr(text, ':') : NULL;

    if (text == NULL)
        return 0;
    const size_t length = colon != NULL ? (size_t)(colon - text) : strlen(text);
    if (strlen(kernel) != length || strncmp(kernel, text, length) != 0)
        return 0;
    return colon != NULL ? strtoull(colon + 1, NULL, 10) : 1;
}

/* --- kernels --- */

static uint64_t hash(uint64_t sum, const void *bytes, size_t length)
{
    for (size_t i = 0; i < length; ++i)
        sum = (sum ^ ((const unsigned char *)bytes)[i]) * UINT64_C(0x100000001b3);
    return sum;
}

/* Texts are kept for good, each once; one that finds no place is not kept. It takes `text`, which may be NULL. */
static const char *keep_text(char *text)
{
    static struct {
        _Atomic uint64_t hash;
        char *_Atomic text;
    } texts[SOURCES];
    const uint64_t sum = hash(UINT64_C(0xcbf29ce484222325), text, text != NULL ? strlen(text) : 0) | 1;

    for (uint32_t i = 0; text != NULL && i < SOURCES; ++i) {
        uint64_t none = 0;
        if (atomic_compare_exchange_strong(&texts[i].hash, &none, sum)) {
            atomic_store(&texts[i].text, text);
            return text;
        }
        const char *other = none == sum ? atomic_load(&texts[i].text) : NULL;
        if (other != NULL && strcmp(other, text) == 0) {
            free(text);
            return other;
        }
    }
    free(text);
    return NULL;
}

/* One that is never seen to be set was set by an extension function, since the driver accepts the launch. */
static void expect_arguments(cl_kernel kernel, struct capture_kernel *made)
{
    cl_uint count = 0;

    REAL(kernel)->clGetKernelInfo(kernel, CL_KERNEL_NUM_ARGS, sizeof count, &count, NULL);
    made->too_many = count > CAPTURE_ARGUMENTS;
    made->count = count < CAPTURE_ARGUMENTS ? count : CAPTURE_ARGUMENTS;
    for (uint32_t i = 0; i < made->count; ++i)
        made->arguments[i].kind = CAPTURE_OTHER;
}

struct capture_kernel *capture_made(cl_kernel kernel, struct capture_kernel *before)
{
    struct capture_kernel *made = capture_root() == NULL ? NULL : before != NULL ? before : calloc(1, sizeof *made);
    cl_program program = NULL;

    if (made == NULL)
        return NULL;
    capture_forget_arguments(made);
    *made = (struct capture_kernel){.name = ""};
    REAL(kernel)->clGetKernelInfo(kernel, CL_KERNEL_FUNCTION_NAME, sizeof made->name - 1, made->name, NULL);
    expect_arguments(kernel, made);
    if (REAL(kernel)->clGetKernelInfo(kernel, CL_KERNEL_PROGRAM, sizeof(cl_program), &program, NULL) == CL_SUCCESS) {
        made->source = keep_text(program_source(program));
        made->options = keep_text(program_options(program));
    }
    return made;
}

/* Memory that came in a way that is not seen, or none at all, if the driver tells that it is a pointer. */
static bool is_pointer(cl_kernel kernel, cl_uint index)
{
    cl_kernel_arg_address_qualifier address = CL_KERNEL_ARG_ADDRESS_PRIVATE;

    return REAL(kernel)->clGetKernelArgInfo(kernel, index, CL_KERNEL_ARG_ADDRESS_QUALIFIER, sizeof address, &address,
                                            NULL) == CL_SUCCESS &&
           address != CL_KERNEL_ARG_ADDRESS_PRIVATE;
}

static enum capture_kind find_kind(cl_kernel kernel, cl_uint index, struct capture_argument *argument,
                                   const void *value)
{
    uint64_t handle = 0;

    if (value == NULL)
        return CAPTURE_LOCAL;
    if (argument->bytes != sizeof handle)
        return CAPTURE_VALUE_BYTES;
    memcpy(&handle, value, sizeof handle);
    memcpy(&argument->object, value, sizeof argument->object);
    const enum capture_kind kind = capture_kind_of(handle, &argument->bytes);
    if ((kind == CAPTURE_IMAGE && !capture_read_image(argument)) ||
        (kind == CAPTURE_SAMPLER && !capture_read_sampler(argument)))
        return CAPTURE_OTHER;
    return kind == CAPTURE_VALUE_BYTES && is_pointer(kernel, index) ? CAPTURE_OTHER : kind;
}

static struct capture_argument *begin_argument(struct capture_kernel *of, cl_uint index, size_t size)
{
    if (of == NULL)
        return NULL;
    if (index >= CAPTURE_ARGUMENTS) {
        of->too_many = true;
        return NULL;
    }
    struct capture_argument *argument = &of->arguments[index];
    free(argument->value);
    *argument = (struct capture_argument){.kind = CAPTURE_OTHER, .bytes = size};
    of->count = index >= of->count ? index + 1 : of->count;
    return argument;
}

void capture_argument(cl_kernel kernel, struct capture_kernel *of, cl_uint index, size_t size, const void *value)
{
    struct capture_argument *argument = begin_argument(of, index, size);

    if (argument == NULL)
        return;
    argument->kind = find_kind(kernel, index, argument, value);
    capture_find_place(argument);
    if (argument->kind != CAPTURE_VALUE_BYTES)
        return;
    argument->value = size <= CAPTURE_VALUE ? malloc(size > 0 ? size : 1) : NULL;
    if (argument->value != NULL)
        memcpy(argument->value, value, size);
    else
        argument->kind = CAPTURE_OTHER;
}

void capture_argument_svm(cl_kernel kernel, struct capture_kernel *of, cl_uint index, const void *value,
                          const struct shared *by)
{
    struct capture_argument *argument = begin_argument(of, index, 0);

    if (argument == NULL)
        return;
    argument->bytes = by != NULL ? shared_bytes(by, kernel, value) : capture_svm_bytes(value);
    if (argument->bytes == 0)
        return;
    argument->kind = CAPTURE_SVM;
    argument->by = by;
    memcpy(&argument->object, &value, sizeof argument->object);
    capture_find_place(argument);
}

void capture_information(struct capture_kernel *of, cl_kernel_exec_info name, size_t size)
{
    enum { UNIFIED = 0x4203 /* CL_KERNEL_EXEC_INFO_USM_PTRS_INTEL */ };

    if (of != NULL && (name == CL_KERNEL_EXEC_INFO_SVM_PTRS || name == UNIFIED))
        of->reached = (uint32_t)(size / sizeof(void *));
}

/* Of arguments that were set before; NULL, or `to`. */
struct capture_kernel *capture_cloned(struct capture_kernel *to, const struct capture_kernel *from)
{
    if (to == NULL || from == NULL)
        return to;
    const uint64_t launches = to->launches;
    capture_forget_arguments(to);
    if (!capture_copy(to, from))
        to->too_many = true;
    to->launches = launches;
    return to;
}

/* --- launches --- */

/* A launch of this kernel with these sizes is new: it is noted. One for which there is no room is left out. */
static bool is_new(const struct capture_kernel *of, const struct page_command *slot)
{
    static _Atomic uint64_t seen[KEPT];
    uint64_t sum = hash(UINT64_C(0xcbf29ce484222325), of->name, strlen(of->name));

    sum = hash(sum, &of->source, sizeof of->source);
    sum = hash(sum, &of->options, sizeof of->options);
    sum = hash(sum, slot->global, sizeof slot->global);
    sum = hash(sum, slot->local, sizeof slot->local) | 1;
    for (int i = 0; i < KEPT; ++i) {
        uint64_t none = 0;
        if (atomic_compare_exchange_strong(&seen[i], &none, sum))
            return true;
        if (none == sum)
            return false;
    }
    atomic_fetch_add_explicit(&door_page.left_out, 1, memory_order_relaxed);
    return false;
}

/* What the driver has accepted. */
static bool write_launch(const struct capture_kernel *of, const struct page_command *slot, char *path)
{
    const bool written = of->source != NULL && of->options != NULL && !of->too_many &&
                         capture_write(capture_root(), of, slot, path) == 0;

    if (written && capture_lacks(of, false))
        atomic_fetch_add_explicit(&door_page.lacking, 1, memory_order_relaxed);
    if (of->source == NULL)
        atomic_fetch_add_explicit(&door_page.sourceless, 1, memory_order_relaxed);
    atomic_fetch_add_explicit(written ? &door_page.captured : &door_page.left_out, 1, memory_order_relaxed);
    return written;
}

static bool has_contents(enum capture_kind kind)
{
    return kind == CAPTURE_BUFFER || kind == CAPTURE_IMAGE || kind == CAPTURE_SVM;
}

/* Each read waits for the one before, so that the last one ends them. */
static bool read_buffers(struct capture *capture, cl_command_queue queue, cl_uint count, const cl_event *list)
{
    struct capture_kernel *of = &capture->kernel;

    for (uint32_t i = 0; i < of->count; ++i) {
        struct capture_argument *argument = &of->arguments[i];
        cl_event read = NULL;
        if (!has_contents(argument->kind) || !capture_may_take(argument->bytes))
            continue;
        argument->contents = malloc(argument->bytes);
        cl_event before = capture->last;
        if (argument->contents == NULL || capture_enqueue_read(argument, queue, before != NULL ? 1 : count,
                                                               before != NULL ? &before : list, &read) != CL_SUCCESS) {
            free(argument->contents);
            argument->contents = NULL;
            continue;
        }
        if (before != NULL)
            REAL(before)->clReleaseEvent(before);
        capture->last = read;
    }
    return capture->last != NULL;
}

/* The second of the two that it takes, the driver's answer and the end of the reads, writes them. */
static void arrive(struct capture *capture)
{
    if (atomic_fetch_add(&capture->arrived, 1) == 0)
        return;
    if (capture->accepted && !capture->failed) {
        if (capture_lacks(&capture->kernel, true) && !capture_lacks(&capture->kernel, false))
            atomic_fetch_add_explicit(&door_page.lacking, 1, memory_order_relaxed);
        capture_write_contents(capture);
    }
    capture_forget_arguments(&capture->kernel);
    free(capture->list);
    free(capture);
}

static void CL_CALLBACK reads_ended(cl_event event, cl_int status, void *context)
{
    struct capture *capture = context;

    capture->failed = status != CL_COMPLETE;
    REAL(event)->clReleaseEvent(event);
    arrive(capture);
}

struct capture *capture_begin(struct capture_kernel *of, cl_command_queue queue, cl_uint *count, const cl_event **list)
{
    if (of == NULL || of->launches >= wanted(of->name))
        return NULL;
    struct capture *capture = calloc(1, sizeof *capture);
    if (capture == NULL || !capture_copy(&capture->kernel, of) || !read_buffers(capture, queue, *count, *list)) {
        if (capture != NULL)
            capture_forget_arguments(&capture->kernel);
        free(capture);
        return NULL;
    }
    of->launches += 1;
    capture->list = calloc((size_t)*count + 1, sizeof(cl_event)); /* the driver has accepted the list */
    if (capture->list != NULL) {
        for (cl_uint i = 0; i < *count; ++i)
            capture->list[i] = (*list)[i];
        capture->list[(*count)++] = capture->last;
        *list = capture->list;
    }
    return capture;
}

void capture_end(struct capture *capture, struct capture_kernel *of, const struct page_command *slot, bool accepted)
{
    if (of == NULL)
        return;
    if (capture == NULL) {
        if (accepted && is_new(of, slot))
            write_launch(of, slot, NULL);
        return;
    }
    capture->accepted = accepted && write_launch(&capture->kernel, slot, capture->folder);
    if (accepted)
        (void)is_new(of, slot);
    capture->slot = *slot;
    cl_event last = capture->last;
    if (REAL(last)->clSetEventCallback(last, CL_COMPLETE, reads_ended, capture) != CL_SUCCESS) {
        REAL(last)->clReleaseEvent(last);
        return; /* nobody says when they end, so what they write to is left alone */
    }
    arrive(capture);
}
