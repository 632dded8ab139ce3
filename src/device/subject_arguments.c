#include "base/alloc.h"
#include "core/text.h"
#include "device/subject.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool ask(cl_kernel kernel, cl_uint index, cl_kernel_arg_info what, void *value, size_t size)
{
    memset(value, 0, size);
    return clGetKernelArgInfo(kernel, index, what, size, value, NULL) == CL_SUCCESS;
}

/*
 * *length: that of the text, with its 0. False, and no text: the driver does not tell it, or there is no room for it.
 */
static bool ask_text(cl_kernel kernel, cl_uint index, cl_kernel_arg_info what, char *text, size_t size, size_t *length)
{
    *length = 0;
    text[0] = '\0';
    if (clGetKernelArgInfo(kernel, index, what, 0, NULL, length) != CL_SUCCESS || *length > size)
        return false;
    return ask(kernel, index, what, text, size);
}

/* Without qualifiers, which are told apart from it. */
static void strip_type(char *type)
{
    static const char *const qualifiers[] = {"const ",        "volatile ",  "restrict ",   "__read_only ",
                                             "__write_only ", "read_only ", "write_only ", "__global ",
                                             "__private ",    "__local ",   "__constant "};

    for (size_t i = 0; i < sizeof qualifiers / sizeof *qualifiers;) {
        const size_t length = strlen(qualifiers[i]);
        const bool found = strncmp(type, qualifiers[i], length) == 0;
        if (found)
            memmove(type, type + length, strlen(type + length) + 1);
        i = found ? 0 : i + 1;
    }
}

/* Takes the star from the end of a pointer's type. */
static void strip_star(char *type)
{
    char *end = strrchr(type, '*');

    if (end == NULL || end[1 + strspn(end + 1, " ")] != '\0')
        return;
    while (end > type && end[-1] == ' ')
        --end;
    *end = '\0';
}

static const struct {
    const char *name;
    cl_mem_object_type type;
} image_types[] = {
    {"image1d_t", CL_MEM_OBJECT_IMAGE1D},
    {"image1d_array_t", CL_MEM_OBJECT_IMAGE1D_ARRAY},
    {"image1d_buffer_t", CL_MEM_OBJECT_IMAGE1D_BUFFER},
    {"image2d_t", CL_MEM_OBJECT_IMAGE2D},
    {"image2d_array_t", CL_MEM_OBJECT_IMAGE2D_ARRAY},
    {"image2d_depth_t", CL_MEM_OBJECT_IMAGE2D},
    {"image2d_array_depth_t", CL_MEM_OBJECT_IMAGE2D_ARRAY},
    {"image3d_t", CL_MEM_OBJECT_IMAGE3D},
};

cl_mem_object_type subject_image_type(const char *type)
{
    for (size_t i = 0; i < sizeof image_types / sizeof *image_types; ++i)
        if (strcmp(type, image_types[i].name) == 0)
            return image_types[i].type;
    return 0;
}

/* One with a name that the user gave to its type has an access qualifier, as nothing else has. */
static bool is_image(const char *type, cl_kernel_arg_access_qualifier access)
{
    const bool has_access = access == CL_KERNEL_ARG_ACCESS_READ_ONLY || access == CL_KERNEL_ARG_ACCESS_WRITE_ONLY ||
                            access == CL_KERNEL_ARG_ACCESS_READ_WRITE;
    return subject_image_type(type) != 0 || (has_access && strchr(type, '*') == NULL);
}

/* Of arguments that cannot be made up, what they are called. */
static const char *not_made_up(const char *type, cl_kernel_arg_type_qualifier qualifier)
{
    static const char *const types[] = {
        "queue_t",   "event_t",        "clk_event_t",          "clk_event_t*",         "reserve_id_t",
        "ndrange_t", "image2d_msaa_t", "image2d_array_msaa_t", "image2d_msaa_depth_t", "image2d_array_msaa_depth_t"};

    if ((qualifier & CL_KERNEL_ARG_TYPE_PIPE) != 0)
        return "a pipe";
    for (size_t i = 0; i < sizeof types / sizeof *types; ++i)
        if (strcmp(type, types[i]) == 0)
            return type;
    return NULL;
}

/* Bytes of a type that OpenCL C knows; 0: it is another one. */
static uint64_t size_of_builtin(const struct session *session, const char *type)
{
    static const struct {
        const char *name;
        uint64_t bytes;
    } scalars[] = {{"char", 1}, {"uchar", 1}, {"unsigned char", 1}, {"short", 2}, {"ushort", 2}, {"unsigned short", 2},
                   {"int", 4},  {"uint", 4},  {"unsigned int", 4},  {"long", 8},  {"ulong", 8},  {"unsigned long", 8},
                   {"half", 2}, {"float", 4}, {"double", 8}};
    const size_t length = strcspn(type, "0123456789");

    if (strcmp(type, "size_t") == 0 || strcmp(type, "ptrdiff_t") == 0 || strcmp(type, "intptr_t") == 0 ||
        strcmp(type, "uintptr_t") == 0)
        return session->info.address_bits / 8;
    for (size_t i = 0; i < sizeof scalars / sizeof *scalars; ++i) {
        if (strlen(scalars[i].name) != length || strncmp(type, scalars[i].name, length) != 0)
            continue;
        if (type[length] == '\0')
            return scalars[i].bytes;
        char *end;
        const unsigned long width = strtoul(type + length, &end, 10);
        if (*end == '\0' && (width == 2 || width == 3 || width == 4 || width == 8 || width == 16))
            return scalars[i].bytes * (width == 3 ? 4 : width);
    }
    return 0;
}

static const char *access_word(cl_kernel_arg_access_qualifier access)
{
    return access == CL_KERNEL_ARG_ACCESS_WRITE_ONLY   ? "__write_only"
           : access == CL_KERNEL_ARG_ACCESS_READ_WRITE ? "__read_write"
                                                       : "__read_only";
}

/* A pointer to arrays, of which drivers write "unsigned char [6]*", has the dimensions behind its name. */
static void declare_pointer(struct subject_argument *argument, cl_kernel_arg_address_qualifier address,
                            cl_kernel_arg_type_qualifier qualifier)
{
    const size_t element = strcspn(argument->type, "[");
    const bool is_array = argument->type[element] != '\0';

    snprintf(argument->declared, sizeof argument->declared, "%s %s%s%.*s %s%s",
             address == CL_KERNEL_ARG_ADDRESS_LOCAL      ? "__local"
             : address == CL_KERNEL_ARG_ADDRESS_CONSTANT ? "__constant"
                                                         : "__global",
             (qualifier & CL_KERNEL_ARG_TYPE_CONST) != 0 && address != CL_KERNEL_ARG_ADDRESS_CONSTANT ? "const " : "",
             (qualifier & CL_KERNEL_ARG_TYPE_VOLATILE) != 0 ? "volatile " : "", (int)element, argument->type,
             is_array ? "(*" : "*", (qualifier & CL_KERNEL_ARG_TYPE_RESTRICT) != 0 ? " restrict" : "");
    if (is_array)
        snprintf(argument->behind, sizeof argument->behind, ")%s", argument->type + element);
}

static bool read_argument(struct session *session, cl_kernel kernel, cl_uint index, struct subject_kernel *read)
{
    struct subject_argument *argument = &read->arguments[index];
    cl_kernel_arg_address_qualifier address;
    cl_kernel_arg_access_qualifier access;
    cl_kernel_arg_type_qualifier qualifier;
    size_t length = 0;

    if (!ask(kernel, index, CL_KERNEL_ARG_ADDRESS_QUALIFIER, &address, sizeof address) ||
        !ask(kernel, index, CL_KERNEL_ARG_ACCESS_QUALIFIER, &access, sizeof access) ||
        !ask(kernel, index, CL_KERNEL_ARG_TYPE_QUALIFIER, &qualifier, sizeof qualifier) ||
        !ask_text(kernel, index, CL_KERNEL_ARG_TYPE_NAME, argument->type, sizeof argument->type, &length)) {
        if (length > sizeof argument->type)
            snprintf(read->refused, sizeof read->refused,
                     "the name of the type of argument %u has %zu bytes: at most %zu are possible", index, length - 1,
                     sizeof argument->type - 1);
        else
            snprintf(read->refused, sizeof read->refused, "the driver does not tell the type of argument %u", index);
        return false;
    }
    ask_text(kernel, index, CL_KERNEL_ARG_NAME, argument->name, sizeof argument->name, &length);
    /* Drivers say of what is const behind a pointer to arrays only so. */
    if (strchr(argument->type, '[') != NULL && strncmp(argument->type, "const ", strlen("const ")) == 0)
        qualifier |= CL_KERNEL_ARG_TYPE_CONST;
    strip_type(argument->type);
    const char *impossible = not_made_up(argument->type, qualifier);
    if (impossible != NULL) {
        snprintf(read->refused, sizeof read->refused, "argument %u (%.60s) is %.60s, which cannot be made up", index,
                 argument->name, impossible);
        return false;
    }
    if (is_image(argument->type, access)) {
        argument->kind = ARGUMENT_IMAGE;
        snprintf(argument->declared, sizeof argument->declared, "%s %s", access_word(access), argument->type);
    } else if (strcmp(argument->type, "sampler_t") == 0) {
        argument->kind = ARGUMENT_SAMPLER;
        snprintf(argument->declared, sizeof argument->declared, "sampler_t");
    } else if (address == CL_KERNEL_ARG_ADDRESS_PRIVATE) {
        argument->kind = ARGUMENT_VALUE;
        snprintf(argument->declared, sizeof argument->declared, "%s", argument->type);
    } else {
        argument->kind = address == CL_KERNEL_ARG_ADDRESS_LOCAL ? ARGUMENT_LOCAL : ARGUMENT_BUFFER;
        strip_star(argument->type);
        declare_pointer(argument, address, qualifier);
    }
    argument->bytes = size_of_builtin(session, argument->type);
    return true;
}

void subject_read_arguments(struct session *session, cl_kernel kernel, struct subject_kernel *read)
{
    cl_uint count = 0, locals = 0;

    if (clGetKernelInfo(kernel, CL_KERNEL_NUM_ARGS, sizeof count, &count, NULL) != CL_SUCCESS ||
        count > SUBJECT_TOLD_MOST) {
        snprintf(read->refused, sizeof read->refused, "the driver does not tell its arguments");
        return;
    }
    read->arguments = xcalloc((size_t)count + 1, sizeof *read->arguments);
    read->argument_count = count;
    for (cl_uint i = 0; i < count; ++i) {
        if (!read_argument(session, kernel, i, read))
            return;
        locals += read->arguments[i].kind == ARGUMENT_LOCAL;
    }
    if (locals > SUBJECT_LOCALS)
        snprintf(read->refused, sizeof read->refused, "it has %u local arguments: at most %d are possible", locals,
                 SUBJECT_LOCALS);
}
