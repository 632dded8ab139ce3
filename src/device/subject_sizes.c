#include "device/subject.h"

#include "base/alloc.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { UNKNOWN_ELEMENT = 16 };

static bool needs_size(const struct subject_argument *argument)
{
    return argument->bytes == 0 && (argument->kind == ARGUMENT_VALUE || argument->kind == ARGUMENT_LOCAL);
}

struct sizes {
    const char **types;
    cl_ulong *bytes;
    size_t count;
};

/* `alone`: the file's kernels are functions that nobody calls, which compilers leave out. */
static char *sizes_text(const struct subject_file *file, const struct sizes *sizes, size_t first, size_t count,
                        bool alone)
{
    static const char *const words[] = {"kernel", "__kernel", "__global", "void", "ulong", "sizeof"};
    enum { KERNEL_WORDS = 2 };
    char *text = NULL;
    FILE *out = xopen_memstream(&text, NULL);

    for (size_t i = 0; alone && i < KERNEL_WORDS; ++i)
        fprintf(out, "#define %s static\n", words[i]);
    fprintf(out, "%s\n\n", file->text);
    for (size_t i = 0; i < sizeof words / sizeof *words; ++i)
        fprintf(out, "#undef %s\n", words[i]);
    fputs("__kernel void gridlock_sizes(__global ulong *gridlock_bytes)\n{\n", out);
    for (size_t i = 0; i < count; ++i)
        fprintf(out, "    gridlock_bytes[%zu] = sizeof(%s);\n", i, sizes->types[first + i]);
    fputs("}\n", out);
    return xclose_memstream(out, &text);
}

static bool run_sizes(struct session *session, cl_program program, size_t count, cl_ulong *bytes)
{
    const size_t one = 1, size = count * sizeof *bytes;
    cl_int code;
    struct memory memory;
    struct error ignored;
    cl_kernel kernel = clCreateKernel(program, "gridlock_sizes", &code);

    if (code != CL_SUCCESS)
        return false;
    const bool made = memory_make(session, &memory, MEMORY_DEVICE, size, &ignored) == 0 &&
                      memory_set_argument(&memory, kernel, 0) == CL_SUCCESS;
    session_stage(session, STAGE_RUNNING);
    const bool found =
        made && clEnqueueNDRangeKernel(session->queue, kernel, 1, NULL, &one, &one, 0, NULL, NULL) == CL_SUCCESS &&
        memory_read(session->queue, &memory, bytes, size, &ignored) == 0;
    session_stage(session, STAGE_BUILDING);
    memory_free(session, &memory);
    clReleaseKernel(kernel);
    return found;
}

static bool find_together(struct session *session, const struct subject_file *file, struct sizes *sizes, size_t first,
                          size_t count, bool alone)
{
    char *text = sizes_text(file, sizes, first, count, alone);
    const struct subject_source source = {text, text, TEXT_SIZES};
    cl_int code;
    bool died;
    cl_program program = subject_build(session, file, &source, NULL, &code, &died);
    char size[32];
    snprintf(size, sizeof size, "b%zu", count * sizeof *sizes->bytes);
    if (program != NULL)
        subject_try(session, file, text, "gridlock_sizes", size);
    const bool found = program != NULL && run_sizes(session, program, count, sizes->bytes + first);
    session_tried(session, NULL);

    free(text);
    if (program != NULL)
        clReleaseProgram(program);
    session_forget_output(session);
    return found;
}

/*
 * Kernels with local variables cannot be mere functions. A type that the driver garbles keeps a program from being
 * built: then the halves are tried.
 */
static void find_some(struct session *session, const struct subject_file *file, struct sizes *sizes, size_t first,
                      size_t count)
{
    if (find_together(session, file, sizes, first, count, true) ||
        find_together(session, file, sizes, first, count, false) || count == 1)
        return;
    find_some(session, file, sizes, first, count / 2);
    find_some(session, file, sizes, first + count / 2, count - count / 2);
}

static void add_type(struct sizes *sizes, const char *type)
{
    for (size_t i = 0; i < sizes->count; ++i)
        if (strcmp(sizes->types[i], type) == 0)
            return;
    sizes->types[sizes->count++] = type;
}

static void take_size(struct subject_kernel *kernel, uint32_t index, const struct sizes *sizes)
{
    struct subject_argument *argument = &kernel->arguments[index];

    for (size_t i = 0; i < sizes->count; ++i)
        if (strcmp(sizes->types[i], argument->type) == 0)
            argument->bytes = sizes->bytes[i];
    if (argument->bytes == 0 && argument->kind == ARGUMENT_LOCAL)
        argument->bytes = UNKNOWN_ELEMENT;
    if (argument->kind == ARGUMENT_VALUE && argument->bytes > SUBJECT_VALUE_BYTES)
        snprintf(kernel->refused, sizeof kernel->refused,
                 "argument %u (%.40s) has %" PRIu64 " bytes: at most %d are possible", index, argument->name,
                 argument->bytes, SUBJECT_VALUE_BYTES);
}

void subject_find_sizes(struct session *session, struct subject_file *file)
{
    struct sizes sizes = {0};
    size_t most = 0;

    for (uint32_t k = 0; k < file->kernel_count; ++k)
        most += file->kernels[k].argument_count;
    sizes.types = xcalloc(most + 1, sizeof *sizes.types);
    sizes.bytes = xcalloc(most + 1, sizeof *sizes.bytes);
    for (uint32_t k = 0; k < file->kernel_count; ++k)
        for (uint32_t i = 0; i < file->kernels[k].argument_count && file->kernels[k].refused[0] == '\0'; ++i)
            if (needs_size(&file->kernels[k].arguments[i]))
                add_type(&sizes, file->kernels[k].arguments[i].type);
    if (sizes.count > 0)
        find_some(session, file, &sizes, 0, sizes.count);
    for (uint32_t k = 0; k < file->kernel_count; ++k)
        for (uint32_t i = 0; i < file->kernels[k].argument_count && file->kernels[k].refused[0] == '\0'; ++i)
            if (needs_size(&file->kernels[k].arguments[i]))
                take_size(&file->kernels[k], i, &sizes);
    free(sizes.types);
    free(sizes.bytes);
}
