/* What is right at the end of a launch, by what the user says. */
#include "worker/proof.h"

#include "base/alloc.h"
#include "base/file.h"
#include "device/cl_status.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { FILE_MIB = 64, TYPE = 64 };

struct expected {
    uint32_t argument;
    size_t bytes;
    unsigned char *right, *is;
    uint32_t each, number; /* as in struct proof_wrong */
};

struct expect_check {
    struct proof_check check; /* which is this */
    struct session *session;
    cl_mem *buffers;
    struct expected all[PROOF_RIGHTS];
    uint32_t count;
};

/* --- elements --- */

/* "uint" of "atomic_uint": the type without what makes it atomic. */
static void name_type(const char *told, char type[TYPE])
{
    static const char atomic[] = "atomic_", qualified[] = "_Atomic(";

    if (strncmp(told, atomic, sizeof atomic - 1) == 0)
        snprintf(type, TYPE, "%.63s", told + sizeof atomic - 1);
    else if (strncmp(told, qualified, sizeof qualified - 1) == 0)
        snprintf(type, TYPE, "%.*s", (int)strcspn(told + sizeof qualified - 1, ")"), told + sizeof qualified - 1);
    else
        snprintf(type, TYPE, "%.63s", told);
}

/* As which numbers its bytes are told: of a vector the components, of others words, or bytes. */
static void find_number(const char *type, struct expected *expected)
{
    static const struct {
        const char *name;
        uint32_t bytes, number;
    } known[] = {{"char", 1, PROOF_SIGNED},     {"uchar", 1, PROOF_UNSIGNED},  {"short", 2, PROOF_SIGNED},
                 {"ushort", 2, PROOF_UNSIGNED}, {"half", 2, PROOF_UNSIGNED},   {"int", 4, PROOF_SIGNED},
                 {"uint", 4, PROOF_UNSIGNED},   {"float", 4, PROOF_FLOATING},  {"long", 8, PROOF_SIGNED},
                 {"ulong", 8, PROOF_UNSIGNED},  {"double", 8, PROOF_FLOATING}, {"size_t", 8, PROOF_UNSIGNED}};
    const size_t length = strcspn(type, "0123456789");

    expected->each = expected->bytes % sizeof(uint32_t) == 0 ? sizeof(uint32_t) : 1;
    expected->number = PROOF_UNSIGNED;
    for (size_t i = 0; i < sizeof known / sizeof *known; ++i)
        if (strlen(known[i].name) == length && strncmp(known[i].name, type, length) == 0) {
            expected->each = known[i].bytes;
            expected->number = known[i].number;
        }
}

uint32_t proof_element_bytes(const struct proof_launch *proving, uint32_t index)
{
    struct expected expected = {.bytes = proof_buffer_bytes(proving, index)};
    char type[TYPE];

    name_type(proving->kernel->arguments[index].type, type);
    find_number(type, &expected);
    return expected.each;
}

/* Of "1,(int2)(2,3)": 2. */
static size_t count_values(const char *text)
{
    size_t count = 1;
    int depth = 0;

    for (; *text != '\0'; ++text) {
        depth += (strchr("([{", *text) != NULL) - (strchr(")]}", *text) != NULL);
        count += depth == 0 && *text == ',';
    }
    return count;
}

/* --- computed on the device --- */

/* The file, and behind it two kernels: how large an element is, and what is right. */
static char *write_program(const struct proof_launch *proving, const struct proof_right *right, const char *type)
{
    const bool lists = right->kind == PROOF_RIGHT_VALUES;

    return xasprintf("%s\n"
                     "kernel void gridlock_size(global uint *gridlock_right)\n{\n"
                     "    *gridlock_right = sizeof(%s);\n}\n"
                     "%s%s%s%s%s"
                     "kernel void gridlock_right(global %s *gridlock_right)\n{\n"
                     "    const uint i = get_global_id(0), groups = %" PRIu32 ", items = %" PRIu64 ";\n"
                     "    (void)groups, (void)items;\n"
                     "    gridlock_right[i] = (%s\n);\n}\n",
                     proving->kernel->file->text, type, lists ? "constant " : "", lists ? type : "",
                     lists ? " gridlock_values[] = {" : "", lists ? right->text : "", lists ? "\n};\n" : "", type,
                     proving->request->trial.groups,
                     nd_range_local_size(&proving->request->trial.footprint.subject.shape),
                     lists ? "gridlock_values[i]" : right->text);
}

static cl_int run(const struct proof_launch *proving, cl_program program, const char *name, cl_mem buffer, size_t items)
{
    cl_int code;
    cl_kernel kernel = clCreateKernel(program, name, &code);

    if (code != CL_SUCCESS)
        return code;
    code = clSetKernelArg(kernel, 0, sizeof(cl_mem), &buffer);
    if (code == CL_SUCCESS)
        code = clEnqueueNDRangeKernel(proving->session->queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL);
    if (code == CL_SUCCESS)
        code = clFinish(proving->session->queue);
    clReleaseKernel(kernel);
    return code;
}

/* What a kernel with so many work-items fills. */
struct computed {
    size_t items;
    void *to;
    size_t bytes;
};

static cl_int compute(const struct proof_launch *proving, cl_program program, const char *name,
                      const struct computed *computed)
{
    cl_int code;
    cl_mem buffer = clCreateBuffer(proving->session->context, CL_MEM_READ_WRITE, computed->bytes, NULL, &code);

    if (code != CL_SUCCESS)
        return code;
    session_stage(proving->session, STAGE_RUNNING);
    code = run(proving, program, name, buffer, computed->items);
    if (code == CL_SUCCESS)
        code = clEnqueueReadBuffer(proving->session->queue, buffer, CL_TRUE, 0, computed->bytes, computed->to, 0, NULL,
                                   NULL);
    clReleaseMemObject(buffer);
    return code;
}

static int refuse_count(const struct proof_right *right, const char *what, size_t has, size_t wanted,
                        struct error *error)
{
    return error_set(error, STATUS_USAGE,
                     "--result %s: %zu %s, and the buffer has %zu: --arg %s=buffer:BYTES says how large it is",
                     right->name, has, what, wanted, right->name);
}

static int fill(const struct proof_launch *proving, cl_program program, const struct proof_right *right,
                struct expected *expected, struct error *error)
{
    uint32_t size = 0;
    cl_int code = compute(proving, program, "gridlock_size", &(struct computed){1, &size, sizeof size});

    if (code != CL_SUCCESS)
        return cl_status_error(error, "--result: clEnqueueNDRangeKernel", code);
    const size_t elements = expected->bytes / (size > 0 ? size : 1), values = count_values(right->text);
    if (right->kind == PROOF_RIGHT_VALUES && values != elements)
        return refuse_count(right, "values", values, elements, error);
    code = compute(proving, program, "gridlock_right", &(struct computed){elements, expected->right, elements * size});
    return code == CL_SUCCESS ? 0 : cl_status_error(error, "--result: clEnqueueNDRangeKernel", code);
}

/* The line of the log that says what is wrong. */
static int refuse_text(const struct proof_right *right, const char *log, struct error *error)
{
    const char *wrong = log != NULL ? strstr(log, "error: ") : NULL;

    return error_set(error, STATUS_USAGE, "--result %s: '%.80s' does not build: %.*s", right->name, right->text,
                     wrong != NULL ? (int)strcspn(wrong, "\n") : 0, wrong != NULL ? wrong : "");
}

static int build(const struct proof_launch *proving, const struct proof_right *right, const char *type,
                 struct expected *expected, struct error *error)
{
    char *text = write_program(proving, right, type), *log = NULL;
    const struct subject_source source = {.text = text, .kind = TEXT_AS_IS};
    cl_int code;
    bool died;
    cl_program program = subject_build(proving->session, proving->kernel->file, &source, &log, &code, &died);
    const int outcome =
        program != NULL ? fill(proving, program, right, expected, error) : refuse_text(right, log, error);

    if (program != NULL)
        clReleaseProgram(program);
    session_tried(proving->session, NULL);
    free(log);
    free(text);
    return outcome;
}

static int read_file(const struct proof_right *right, struct expected *expected, struct error *error)
{
    size_t length;
    char *text = file_read(right->text, "--result", FILE_MIB, &length, error);

    if (text == NULL)
        return -1;
    const bool fits = length == expected->bytes;
    if (fits)
        memcpy(expected->right, text, length);
    free(text);
    return fits ? 0 : refuse_count(right, "bytes in the file", length, expected->bytes, error);
}

/* --- held against what is there --- */

static enum proof_answer judge_end(struct proof_check *check, struct proof_wrong *wrong)
{
    struct expect_check *of = (struct expect_check *)check;

    for (uint32_t i = 0; i < of->count; ++i) {
        const struct expected *expected = &of->all[i];
        if (clEnqueueReadBuffer(of->session->queue, of->buffers[expected->argument], CL_TRUE, 0, expected->bytes,
                                expected->is, 0, NULL, NULL) != CL_SUCCESS)
            return PROOF_IS_UNKNOWN;
        for (size_t at = 0; at + expected->each <= expected->bytes; at += expected->each)
            if (memcmp(expected->is + at, expected->right + at, expected->each) != 0) {
                *wrong = (struct proof_wrong){
                    .object = expected->argument, .bytes = expected->each, .number = expected->number, .offset = at};
                memcpy(&wrong->is, expected->is + at, expected->each);
                memcpy(&wrong->right, expected->right + at, expected->each);
                return PROOF_IS_WRONG;
            }
    }
    return PROOF_IS_RIGHT;
}

static int add_expected(struct proof_launch *proving, struct expect_check *check, const struct proof_right *right,
                        struct error *error)
{
    const uint32_t argument = proof_find_argument(proving, right->name);
    char type[TYPE];

    if (argument == UINT32_MAX || proving->buffers[argument] == NULL)
        return error_set(error, STATUS_USAGE, "--result %s: %s has no buffer that is called so", right->name,
                         proving->kernel->name);
    for (uint32_t i = 0; i < proving->request->ignored_count; ++i)
        if (proof_find_argument(proving, proving->request->ignored[i].name) == argument)
            return error_set(error, STATUS_USAGE,
                             "--result %s: what it ends with is not known of a buffer that --ignore leaves out",
                             right->name);
    struct expected *expected = &check->all[check->count++];
    *expected = (struct expected){.argument = argument, .bytes = proof_buffer_bytes(proving, argument)};
    expected->right = xcalloc(1, expected->bytes + 1);
    expected->is = xcalloc(1, expected->bytes + 1);
    name_type(proving->kernel->arguments[argument].type, type);
    find_number(type, expected);
    return right->kind == PROOF_RIGHT_FILE ? read_file(right, expected, error)
                                           : build(proving, right, type, expected, error);
}

int proof_expect(struct proof_launch *proving, struct error *error)
{
    const struct proof_request *request = proving->request;

    if (request->right_count == 0)
        return 0;
    struct expect_check *check = xcalloc(1, sizeof *check);
    *check = (struct expect_check){.check.judge = judge_end, .session = proving->session, .buffers = proving->buffers};
    proving->check = &check->check;
    for (uint32_t i = 0; i < request->right_count; ++i)
        if (add_expected(proving, check, &request->rights[i], error) != 0)
            return -1;
    return 0;
}

void proof_expect_no_more(struct proof_launch *proving)
{
    struct expect_check *check = (struct expect_check *)proving->check;

    for (uint32_t i = 0; check != NULL && i < check->count; ++i) {
        free(check->all[i].right);
        free(check->all[i].is);
    }
    free(check);
    proving->check = NULL;
}
