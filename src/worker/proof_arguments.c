#include "worker/proof.h"

#include "base/alloc.h"
#include "base/file.h"
#include "device/cl_status.h"
#include "driver/model.h"
#include "worker/grid.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    LOCAL_ROOM = 128, /* bytes: what local memory that is made up is rounded up to */
    FILE_MIB = 1024,  /* as much as captured launches have */
    SPREAD = 16,
    SIDE = 16, /* of an image, in each dimension: work-items have neighbours, and as many as numbers that are made up */
};

static const struct proof_argument *given(const struct proof_launch *proving, uint32_t index)
{
    const struct proof_request *request = proving->request;

    for (uint32_t i = 0; i < request->argument_count; ++i)
        if (proof_find_argument(proving, request->arguments[i].name) == index)
            return &request->arguments[i];
    return NULL;
}

uint64_t proof_buffer_bytes(const struct proof_launch *proving, uint32_t index)
{
    const struct proof_argument *argument = given(proving, index);

    if (argument == NULL)
        return proving->making.bytes > 0 ? proving->making.bytes : PROOF_BUFFER;
    return argument->fill == PROOF_FILL_GRID ? grid_bytes(proving->request->trial.groups) : argument->bytes;
}

static const char *kind_words(enum argument_kind kind)
{
    static const char *const words[] = {[ARGUMENT_VALUE] = "a number",
                                        [ARGUMENT_BUFFER] = "a buffer",
                                        [ARGUMENT_LOCAL] = "local memory",
                                        [ARGUMENT_IMAGE] = "an image",
                                        [ARGUMENT_SAMPLER] = "a sampler"};
    return words[kind];
}

/* "argument 2 (n) of KERNEL is int, not 1.5" */
static int refuse(const struct proof_launch *proving, uint32_t index, const char *is, const char *is_not,
                  struct error *error)
{
    const char *name = proving->kernel->arguments[index].name;

    return error_set(error, STATUS_USAGE, "--arg %s: argument %" PRIu32 "%s%s%s of %s is %s, not %s",
                     given(proving, index)->name, index, name[0] != '\0' ? " (" : "", name, name[0] != '\0' ? ")" : "",
                     proving->kernel->name, is, is_not);
}

static int check_kind(const struct proof_launch *proving, uint32_t index, const struct proof_argument *argument,
                      struct error *error)
{
    static const enum argument_kind kinds[] = {[PROOF_ARGUMENT_BUFFER] = ARGUMENT_BUFFER,
                                               [PROOF_ARGUMENT_LOCAL] = ARGUMENT_LOCAL,
                                               [PROOF_ARGUMENT_NUMBER] = ARGUMENT_VALUE,
                                               [PROOF_ARGUMENT_IMAGE] = ARGUMENT_IMAGE,
                                               [PROOF_ARGUMENT_SAMPLER] = ARGUMENT_SAMPLER};
    const enum argument_kind wanted = proving->kernel->arguments[index].kind;

    if (argument == NULL || kinds[argument->kind] == wanted)
        return 0;
    return refuse(proving, index, kind_words(wanted), kind_words(kinds[argument->kind]), error);
}

static void note_made_up(const struct proof_launch *proving, uint32_t index, const char *what)
{
    const char *name = proving->kernel->arguments[index].name;
    char number[16];

    snprintf(number, sizeof number, "%" PRIu32, index);
    fprintf(proving->made_up, "%s%s: %s", ftell(proving->made_up) > 0 ? ", " : "", name[0] != '\0' ? name : number,
            what);
}

/* What a buffer begins with; allocated. NULL: its file cannot be read. */
static unsigned char *fill(const struct proof_launch *proving, const struct proof_argument *argument, uint64_t bytes,
                           struct error *error)
{
    const uint32_t kind = argument != NULL ? argument->fill : proving->making.fill;
    unsigned char *filled = xcalloc(1, bytes);

    if (kind == PROOF_FILL_SEQUENCE || kind == PROOF_FILL_SPREAD)
        for (uint32_t i = 0; (i + UINT64_C(1)) * sizeof i <= bytes; ++i) {
            const uint32_t number = kind == PROOF_FILL_SPREAD ? SPREAD * (i + 1) : i;
            memcpy(filled + i * sizeof number, &number, sizeof number);
        }
    if (kind == PROOF_FILL_ONES)
        memset(filled, 0xff, bytes);
    if (kind == PROOF_FILL_GRID)
        grid_fill(proving->session, argument->bytes, filled);
    if (kind != PROOF_FILL_FILE)
        return filled;
    size_t length;
    char *text = file_read(argument->file, "--arg", FILE_MIB, &length, error);
    if (text == NULL) {
        free(filled);
        return NULL;
    }
    memcpy(filled, text, length < bytes ? length : bytes);
    free(text);
    return filled;
}

static int set_buffer(struct proof_launch *proving, uint32_t index, const struct proof_argument *argument, cl_int *code,
                      struct error *error)
{
    const uint64_t bytes = proof_buffer_bytes(proving, index);
    unsigned char *filled = fill(proving, argument, bytes, error);
    char what[48];

    if (filled == NULL)
        return -1;
    proving->buffers[index] =
        clCreateBuffer(proving->session->context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, bytes, filled, code);
    free(filled);
    if (*code == CL_SUCCESS)
        *code = clSetKernelArg(proving->made, index, sizeof(cl_mem), &proving->buffers[index]);
    snprintf(what, sizeof what, "%" PRIu64 "%s", bytes,
             proving->making.fill == PROOF_FILL_ZERO ? " zero bytes" : " bytes that are not zero");
    if (argument == NULL)
        note_made_up(proving, index, what);
    return 0;
}

static int set_local(struct proof_launch *proving, uint32_t index, const struct proof_argument *argument, cl_int *code)
{
    const uint64_t items = nd_range_local_size(&proving->request->trial.footprint.subject.shape);
    const uint64_t usual = proving->kernel->arguments[index].bytes * items;
    const uint64_t made_up = usual > proving->making.local_bytes ? usual : proving->making.local_bytes;
    const uint64_t bytes = argument != NULL ? argument->bytes : made_up;
    char what[48];

    /* Who knows how much it needs has given it; else nobody says that it is too little by some elements. */
    const uint64_t room = argument != NULL ? bytes : (bytes + LOCAL_ROOM - 1) / LOCAL_ROOM * LOCAL_ROOM;
    *code = clSetKernelArg(proving->made, index, room, NULL);
    snprintf(what, sizeof what, "%" PRIu64 " bytes of local memory", bytes);
    proving->result->numbers_made_up += argument == NULL;
    if (argument == NULL)
        note_made_up(proving, index, what);
    return 0;
}

/* Whether it is one of the types with a sign, or a vector of them. */
static bool has_sign(const char *type)
{
    static const char *const names[] = {"char", "short", "int", "long"};
    const size_t length = strcspn(type, "0123456789");

    for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
        if (length == strlen(names[i]) && strncmp(type, names[i], length) == 0)
            return true;
    return false;
}

/* Of a type of the user's nobody knows whether it has one. */
static bool has_no_sign(const char *type)
{
    return *type == 'u' && (has_sign(type + 1) || strncmp(type, "unsigned ", 9) == 0);
}

static bool convert_whole(const char *number, const char *type, size_t bytes, unsigned char *value)
{
    const size_t size = bytes < sizeof(uint64_t) ? bytes : sizeof(uint64_t);
    const uint64_t most = UINT64_MAX >> (64 - 8 * size), most_signed = most >> 1;
    const bool is_negative = *number == '-';
    char *end;

    errno = 0;
    const uint64_t whole = is_negative ? (uint64_t)strtoll(number, &end, 0) : strtoull(number, &end, 0);
    memcpy(value, &whole, size);
    if (errno == ERANGE || *end != '\0')
        return false;
    return is_negative ? !has_no_sign(type) && ~whole <= most_signed : whole <= (has_sign(type) ? most_signed : most);
}

static bool convert_real(const char *number, size_t bytes, unsigned char *value)
{
    errno = 0;
    const double real = strtod(number, NULL);
    const float single = (float)real;
    const bool is_large = errno == ERANGE && isinf(real);

    if (bytes == sizeof single)
        memcpy(value, &single, sizeof single);
    else if (bytes == sizeof real)
        memcpy(value, &real, sizeof real);
    else
        return false;
    return !is_large && (bytes == sizeof real || isinf(single) == isinf(real));
}

/* The number as a scalar of so many bytes. False: the type has no such number. */
static bool convert(const char *number, const char *type, size_t bytes, unsigned char *value)
{
    static const char *const reals[] = {"half", "float", "double"};

    for (size_t i = 0; i < sizeof reals / sizeof *reals; ++i)
        if (strncmp(type, reals[i], strlen(reals[i])) == 0)
            return convert_real(number, bytes, value);
    return convert_whole(number, type, bytes, value);
}

/* Of a vector the bytes of an element; of a large struct those of its members, as most have. */
static size_t scalar_bytes(const struct subject_argument *argument)
{
    const size_t digits = strcspn(argument->type, "0123456789");
    const uint64_t width = strtoull(argument->type + digits, NULL, 10);
    const uint64_t count = width == 3 ? 4 : width;

    if (count > 1 && argument->bytes % count == 0)
        return argument->bytes / count;
    return argument->bytes > sizeof(uint64_t) && argument->bytes % sizeof(uint32_t) == 0 ? sizeof(uint32_t)
                                                                                         : argument->bytes;
}

/* The bytes that a file has for a value. */
static int read_value(struct proof_launch *proving, uint32_t index, const struct proof_argument *argument,
                      unsigned char value[SUBJECT_VALUE_BYTES], struct error *error)
{
    const uint64_t wanted = proving->kernel->arguments[index].bytes;
    size_t length;
    char *bytes = file_read(argument->file, "--arg", FILE_MIB, &length, error);

    if (bytes == NULL)
        return -1;
    if (length == wanted)
        memcpy(value, bytes, length);
    free(bytes);
    return length == wanted
               ? 0
               : error_set(error, STATUS_USAGE, "--arg %s: %s has %zu bytes, and the value takes %" PRIu64 " of them",
                           argument->name, argument->file, length, wanted);
}

static long first_number(const struct proof_launch *proving)
{
    return proving->making.number != NULL ? strtol(proving->making.number, NULL, 10) : 0;
}

static long next_number(const struct proof_launch *proving)
{
    const long number = first_number(proving) + (long)proving->making.apart * (long)proving->passed;
    return number > 0 ? number : 0;
}

static int set_number(struct proof_launch *proving, uint32_t index, const struct proof_argument *argument, cl_int *code,
                      struct error *error)
{
    const struct subject_argument *wanted = &proving->kernel->arguments[index];
    const size_t each = scalar_bytes(wanted);
    unsigned char value[SUBJECT_VALUE_BYTES] = {0};
    char made[24];
    const bool is_file = argument != NULL && argument->file[0] != '\0';
    const char *number = argument != NULL ? argument->number : made;

    snprintf(made, sizeof made, "%ld", next_number(proving));
    if (is_file && read_value(proving, index, argument, value, error) != 0)
        return -1;
    for (size_t at = 0; !is_file && each > 0 && at + each <= wanted->bytes; at += each)
        if (!convert(number, wanted->type, each, value + at) && argument != NULL)
            return refuse(proving, index, wanted->type, number, error);
    *code = clSetKernelArg(proving->made, index, wanted->bytes, value);
    if (argument != NULL)
        return 0;
    /* Of kernels that other drivers made nobody knows. */
    const bool is_used = !device_info_is_model(&proving->session->info) || model_argument_is_used(proving->made, index);
    proving->result->numbers_made_up += is_used;
    proving->numbers += is_used;
    proving->passed += 1;
    note_made_up(proving, index, number);
    return 0;
}

/* As it was captured: nothing of an earlier launch is left in it. */
static int set_image(struct proof_launch *proving, uint32_t index, const struct proof_argument *argument, cl_int *code,
                     struct error *error)
{
    struct subject_argument *of = &proving->kernel->arguments[index];
    unsigned char *filled = fill(proving, argument, argument->bytes, error);

    if (filled == NULL)
        return -1;
    *code = subject_make_image(proving->session, of, argument->shape, filled, argument->bytes);
    free(filled);
    if (*code == CL_SUCCESS)
        *code = clSetKernelArg(proving->made, index, sizeof(cl_mem), &of->image);
    return 0;
}

static int set_sampler(struct proof_launch *proving, uint32_t index, const uint64_t *shape, cl_int *code)
{
    struct subject_argument *of = &proving->kernel->arguments[index];

    if (of->sampler == NULL)
        of->sampler = clCreateSampler(proving->session->context, shape[0] != 0, (cl_addressing_mode)shape[1],
                                      (cl_filter_mode)shape[2], code);
    if (*code == CL_SUCCESS)
        *code = subject_set_sampler(proving->session, proving->made, of, index);
    return 0;
}

static int set_other(struct proof_launch *proving, uint32_t index, const struct proof_argument *given, cl_int *code,
                     struct error *error)
{
    struct subject_argument *argument = &proving->kernel->arguments[index];
    const bool is_sampler = argument->kind == ARGUMENT_SAMPLER;
    char what[48];

    if (given != NULL)
        return is_sampler ? set_sampler(proving, index, given->shape, code)
                          : set_image(proving, index, given, code, error);
    *code = is_sampler ? subject_set_sampler(proving->session, proving->made, argument, index)
                       : clSetKernelArg(proving->made, index, sizeof(cl_mem), &argument->image);
    snprintf(what, sizeof what, "an image of %d pixels in each dimension", SIDE);
    note_made_up(proving, index, is_sampler ? "a sampler" : what);
    return 0;
}

static int set_argument(struct proof_launch *proving, uint32_t index, struct error *error)
{
    const struct proof_argument *argument = given(proving, index);
    cl_int code = CL_SUCCESS;
    int outcome = 0;

    if (check_kind(proving, index, argument, error) != 0)
        return -1;
    switch (proving->kernel->arguments[index].kind) {
    case ARGUMENT_BUFFER:
        outcome = set_buffer(proving, index, argument, &code, error);
        break;
    case ARGUMENT_LOCAL:
        outcome = set_local(proving, index, argument, &code);
        break;
    case ARGUMENT_VALUE:
        outcome = set_number(proving, index, argument, &code, error);
        break;
    case ARGUMENT_IMAGE:
    case ARGUMENT_SAMPLER:
        outcome = set_other(proving, index, argument, &code, error);
        break;
    }
    if (outcome != 0 || code == CL_SUCCESS)
        return outcome;
    return error_set(error, STATUS_UNSUPPORTED, "argument %" PRIu32 " (%.60s) of %s cannot be set: %s", index,
                     proving->kernel->arguments[index].name, proving->kernel->name, cl_status_name(code));
}

/* Each that was given is one of the kernel's. */
static int check_names(const struct proof_launch *proving, struct error *error)
{
    const struct proof_request *request = proving->request;

    for (uint32_t i = 0; i < request->argument_count; ++i) {
        bool found = false;
        for (uint32_t index = 0; index < proving->kernel->argument_count && !found; ++index)
            found = given(proving, index) == &request->arguments[i];
        if (!found)
            return error_set(error, STATUS_USAGE,
                             "--arg %s: %s has %" PRIu32 " arguments; none is called so, or it is given twice",
                             request->arguments[i].name, proving->kernel->name, proving->kernel->argument_count);
    }
    return 0;
}

int proof_set_arguments(struct proof_launch *proving, struct error *error)
{
    char *made_up;
    int outcome = 0;

    if (check_names(proving, error) != 0 || subject_make_images(proving->session, proving->kernel, SIDE, error) != 0)
        return -1;
    proving->made_up = xopen_memstream(&made_up, NULL);
    proving->numbers = proving->passed = 0;
    for (uint32_t i = 0; outcome == 0 && i < proving->kernel->argument_count; ++i)
        outcome = set_argument(proving, i, error);
    xclose_memstream(proving->made_up, &made_up);
    proving->result->made_up = proof_result_text(proving->result, made_up);
    proving->result->number = (uint16_t)first_number(proving);
    proving->result->apart = (int8_t)proving->making.apart;
    free(made_up);
    return outcome;
}
