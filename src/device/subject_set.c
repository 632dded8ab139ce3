/* What the arguments of a kernel are set to, and what is told of them. */
#include "base/alloc.h"
#include "core/text.h"
#include "device/cl_status.h"
#include "device/subject.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { BUFFER_BYTES = 1 << 16 };

static cl_int make_image(const struct session *session, const struct subject_file *file, uint32_t side,
                         struct subject_argument *argument)
{
    const bool depth = strstr(argument->type, "_depth") != NULL;
    const cl_image_format formats[] = {{CL_RGBA, CL_FLOAT}, {CL_RGBA, CL_UNORM_INT8}, {CL_R, CL_FLOAT}};
    const cl_image_format depths[] = {{CL_DEPTH, CL_FLOAT}, {CL_DEPTH, CL_UNORM_INT16}, {CL_DEPTH, CL_FLOAT}};
    const cl_mem_object_type type = subject_image_type(argument->type);
    cl_image_desc shape = {.image_type = type != 0 ? type : CL_MEM_OBJECT_IMAGE2D,
                           .image_width = side,
                           .image_height = side,
                           .image_depth = side,
                           .image_array_size = side};
    cl_int code = CL_SUCCESS;

    if (shape.image_type == CL_MEM_OBJECT_IMAGE1D_BUFFER)
        shape.buffer = file->buffer;
    for (size_t i = 0; i < sizeof formats / sizeof *formats && argument->image == NULL; ++i)
        argument->image =
            clCreateImage(session->context, CL_MEM_READ_WRITE, depth ? &depths[i] : &formats[i], &shape, NULL, &code);
    return code;
}

/* The driver has no such images, rather than no memory. */
static bool is_lacking(cl_int code)
{
    return code == CL_INVALID_OPERATION || code == CL_IMAGE_FORMAT_NOT_SUPPORTED || code == CL_INVALID_IMAGE_SIZE ||
           code == CL_INVALID_IMAGE_DESCRIPTOR || code == CL_INVALID_VALUE;
}

static cl_int make_buffer(const struct session *session, struct subject_file *file)
{
    cl_int code = CL_SUCCESS;

    if (file->buffer == NULL)
        file->buffer = clCreateBuffer(session->context, CL_MEM_READ_WRITE, BUFFER_BYTES, NULL, &code);
    return code;
}

int subject_make_images(const struct session *session, struct subject_kernel *kernel, uint32_t side,
                        struct error *error)
{
    if (make_buffer(session, kernel->file) != CL_SUCCESS)
        return 0; /* which is an error of the launch */
    for (uint32_t i = 0; i < kernel->argument_count; ++i) {
        struct subject_argument *argument = &kernel->arguments[i];
        const cl_int code =
            argument->kind == ARGUMENT_IMAGE ? make_image(session, kernel->file, side, argument) : CL_SUCCESS;
        if (is_lacking(code))
            return error_set(error, STATUS_UNSUPPORTED,
                             "argument %" PRIu32 " (%.60s) is %.60s, which the driver lacks: %s", i, argument->name,
                             argument->type, cl_status_name(code));
    }
    return 0;
}

cl_int subject_make_image(const struct session *session, struct subject_argument *argument, const uint64_t *shape,
                          unsigned char *bytes, size_t size)
{
    const cl_mem_flags flags = CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR;
    const cl_image_format format = {(cl_channel_order)shape[1], (cl_channel_type)shape[2]};
    cl_image_desc description = {.image_type = (cl_mem_object_type)shape[0],
                                 .image_width = shape[3],
                                 .image_height = shape[4],
                                 .image_depth = shape[5],
                                 .image_array_size = shape[6]};
    const bool of_buffer = description.image_type == CL_MEM_OBJECT_IMAGE1D_BUFFER;
    cl_int code = CL_SUCCESS;

    if (argument->image != NULL)
        clReleaseMemObject(argument->image);
    argument->image = NULL;
    if (of_buffer)
        description.buffer = clCreateBuffer(session->context, flags, size, bytes, &code);
    if (code == CL_SUCCESS)
        argument->image = clCreateImage(session->context, of_buffer ? CL_MEM_READ_WRITE : flags, &format, &description,
                                        of_buffer ? NULL : bytes, &code);
    if (description.buffer != NULL)
        clReleaseMemObject(description.buffer);
    return code;
}

cl_int subject_set_sampler(struct session *session, cl_kernel kernel, struct subject_argument *argument, uint32_t index)
{
    cl_int code = CL_SUCCESS;
    /* The call of OpenCL 1.2, which 2.0 renamed: it is the one that every driver has. */
    if (argument->sampler == NULL)
        argument->sampler =
            clCreateSampler(session->context, CL_FALSE, CL_ADDRESS_CLAMP_TO_EDGE, CL_FILTER_NEAREST, &code);
    return code != CL_SUCCESS ? code : clSetKernelArg(kernel, index, sizeof(cl_sampler), &argument->sampler);
}

/* Bytes of a local argument: those that were given, or an element for each work-item. */
static uint64_t local_bytes(const struct subject *subject, const struct subject_argument *argument, uint32_t index)
{
    const uint64_t given = subject_local_bytes(subject, index);
    return given != 0 ? given : argument->bytes * nd_range_local_size(&subject->shape);
}

uint64_t subject_local_memory(const struct subject *subject, const struct subject_kernel *kernel)
{
    uint64_t bytes = kernel->original.local_bytes;

    for (uint32_t i = 0; i < kernel->argument_count; ++i)
        if (kernel->arguments[i].kind == ARGUMENT_LOCAL)
            bytes += local_bytes(subject, &kernel->arguments[i], i);
    return bytes;
}

char *subject_print_arguments(const struct subject *subject, const struct subject_kernel *kernel)
{
    char *text = NULL;
    FILE *out = xopen_memstream(&text, NULL);

    for (uint32_t i = 0; i < kernel->argument_count; ++i) {
        const struct subject_argument *argument = &kernel->arguments[i];
        const cl_mem_object_type image = subject_image_type(argument->type);
        const bool depth = strstr(argument->type, "_depth") != NULL;
        if (argument->kind == ARGUMENT_VALUE)
            fprintf(out, "v%" PRIu64 " ", argument->bytes);
        else if (argument->kind == ARGUMENT_LOCAL)
            fprintf(out, "l%" PRIu64 " ", local_bytes(subject, argument, i));
        else if (argument->kind == ARGUMENT_IMAGE)
            fprintf(out, "%c%u ", depth ? 'd' : 'i', image != 0 ? image : CL_MEM_OBJECT_IMAGE2D);
        else
            fprintf(out, argument->kind == ARGUMENT_BUFFER ? "b%d " : "s0 ", BUFFER_BYTES);
    }
    fputs("w0", out);
    return xclose_memstream(out, &text);
}

/*
 * A type without a name has no known size, and drivers there are that take another than sizeof gives. The value is
 * zeros.
 */
static cl_int set_value(cl_kernel kernel, const struct subject_argument *argument, uint32_t index)
{
    static const unsigned char zeros[SUBJECT_VALUE_BYTES];
    cl_int code = argument->bytes > 0 ? clSetKernelArg(kernel, index, argument->bytes, zeros) : CL_INVALID_ARG_SIZE;

    for (size_t bytes = 1; code == CL_INVALID_ARG_SIZE && bytes <= sizeof zeros; ++bytes)
        code = clSetKernelArg(kernel, index, bytes, zeros);
    return code;
}

static cl_int set_argument(struct session *session, struct subject_file *file, cl_kernel kernel,
                           struct subject_argument *argument, uint32_t index, const struct subject *subject)
{
    cl_int code = CL_SUCCESS;

    switch (argument->kind) {
    case ARGUMENT_VALUE:
        code = set_value(kernel, argument, index);
        /* Of a sampler, rusticl tells only the name that the user gave to its type. */
        return code == CL_INVALID_SAMPLER ? subject_set_sampler(session, kernel, argument, index) : code;
    case ARGUMENT_LOCAL:
        return clSetKernelArg(kernel, index, local_bytes(subject, argument, index), NULL);
    case ARGUMENT_BUFFER:
        return clSetKernelArg(kernel, index, sizeof(cl_mem), &file->buffer);
    case ARGUMENT_IMAGE:
        code = make_image(session, file, 1, argument);
        return code != CL_SUCCESS ? code : clSetKernelArg(kernel, index, sizeof(cl_mem), &argument->image);
    case ARGUMENT_SAMPLER:
        return subject_set_sampler(session, kernel, argument, index);
    }
    return CL_INVALID_ARG_VALUE;
}

int subject_set_arguments(struct session *session, const struct subject *subject, const struct program *program,
                          struct error *error)
{
    struct subject_kernel *kernel = program->subject;
    struct subject_file *file = kernel->file;
    uint32_t at = 0;
    cl_int code = make_buffer(session, file);

    while (code == CL_SUCCESS && at < kernel->argument_count) {
        code = set_argument(session, file, program->kernel, &kernel->arguments[at], at, subject);
        at += code == CL_SUCCESS;
    }
    if (code == CL_SUCCESS)
        code = memory_set_argument(&session->board.memory, program->kernel, at);
    if (code == CL_SUCCESS)
        return 0;
    return error_set(error, STATUS_HARNESS, "argument %" PRIu32 "%s%.60s cannot be set: %s", at,
                     at < kernel->argument_count ? " of the type " : "",
                     at < kernel->argument_count ? kernel->arguments[at].type : "", cl_status_name(code));
}

void subject_inform(const struct subject_kernel *kernel, struct subject_kernel_info *info)
{
    *info =
        (struct subject_kernel_info){.most_items = kernel->original.most_items, .refused = kernel->refused[0] != '\0'};
    snprintf(info->name, sizeof info->name, "%s", kernel->name);
    memcpy(info->required, kernel->required, sizeof info->required);
    for (uint32_t i = 0; i < kernel->argument_count && info->local_count < SUBJECT_LOCALS; ++i)
        if (kernel->arguments[i].kind == ARGUMENT_LOCAL) {
            info->locals[info->local_count].argument = i;
            snprintf(info->locals[info->local_count++].name, sizeof info->locals->name, "%s",
                     kernel->arguments[i].name);
        }
}

/* "argument 2 (tile): 256 bytes", of those that nobody gave; a name that is too long is not told. */
static void describe_sizes(const struct subject *subject, const struct subject_kernel *kernel, char *text, size_t size)
{
    text[0] = '\0';
    for (uint32_t i = 0; i < kernel->argument_count; ++i) {
        const struct subject_argument *argument = &kernel->arguments[i];
        if (argument->kind == ARGUMENT_LOCAL && subject_local_bytes(subject, i) == 0)
            text_list(text, size, ", ", "argument %" PRIu32 "%s%s%s: %" PRIu64 " bytes", i,
                      argument->name[0] != '\0' ? " (" : "", argument->name, argument->name[0] != '\0' ? ")" : "",
                      local_bytes(subject, argument, i));
    }
}

static uint64_t promised_groups(struct session *session, const struct subject *subject, const struct program *program)
{
    const size_t local[3] = {subject->shape.local[0], subject->shape.local[1], subject->shape.local[2]};
    concurrent_count *const count = strstr(session->info.extensions, "cl_intel_concurrent_dispatch") != NULL
                                        ? session_concurrent_count(session)
                                        : NULL;
    size_t groups = 0;

    if (count == NULL ||
        count(session->queue, program->kernel, subject->shape.dimensions, NULL, local, &groups) != CL_SUCCESS)
        return 0;
    return groups;
}

void subject_describe(struct session *session, const struct subject *subject, const struct program *program,
                      struct subject_facts *facts)
{
    const struct subject_kernel *kernel = program->subject;

    *facts = (struct subject_facts){.way = kernel->way,
                                    .original = kernel->original,
                                    .measured = kernel->builds[kernel->way].facts,
                                    .group_bytes = subject_local_memory(subject, kernel),
                                    .promised_groups = promised_groups(session, subject, program)};
    if (strcmp(subject->file, SUBJECT_OURS) == 0)
        facts->original = facts->measured;
    describe_sizes(subject, kernel, facts->sizes, sizeof facts->sizes);
}
