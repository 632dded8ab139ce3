#include "worker/litmus_level.h"

#include "core/text.h"
#include "device/cl_status.h"

#include <inttypes.h>

enum {
    TOLD = 6,       /* words, as in litmus_shape.cl */
    PTX_LANES = 32, /* groups of whole warps */
    ROW = 8,        /* work-items of a row, where each row is a sub-group */
    TRIES = 4,      /* at a group of one sub-group */
};

void litmus_level_option(enum block_level level, char options[BUILD_OPTIONS])
{
    if (level != LEVEL_GROUP)
        text_append(options, BUILD_OPTIONS, " -DGL_LEVEL=%d", (int)level);
}

/* --- which work-items form a sub-group --- */

/* A device, while its sub-groups are looked for. */
struct looking {
    struct session *session;
    struct program *program;
    struct memory told;
    enum outcome *outcome;
};

static int launch(struct looking *looking, const size_t local[2], uint32_t told[TOLD], struct error *error)
{
    struct session *session = looking->session;
    cl_kernel kernel = looking->program->kernel;
    static const uint32_t nothing[TOLD];

    if (memory_write(session->queue, &looking->told, nothing, sizeof nothing, error) != 0)
        return -1;
    cl_int code = memory_set_argument(&looking->told, kernel, 0);
    if (code != CL_SUCCESS)
        return cl_status_error(error, "clSetKernelArg", code);
    session_stage(session, STAGE_RUNNING);
    code = clEnqueueNDRangeKernel(session->queue, kernel, 2, NULL, local, local, 0, NULL, NULL);
    if (code == CL_SUCCESS)
        code = clFinish(session->queue);
    if (code != CL_SUCCESS)
        return cl_status_error(error, "clEnqueueNDRangeKernel", code);
    return memory_read(session->queue, &looking->told, told, TOLD * sizeof *told, error);
}

/* What a group of this shape is divided into; -1 if its work-items do not agree. */
static int divide(struct looking *looking, const size_t local[2], struct litmus_shape *shape, struct error *error)
{
    uint32_t told[TOLD] = {0};

    if (launch(looking, local, told, error) != 0)
        return -1;
    *shape = (struct litmus_shape){.local = {local[0], local[1]}, .sub_groups = told[0], .lanes = told[1]};
    if (told[0] > 0 && told[1] > 0 && told[2] == told[1] * (told[1] - 1) / 2 && told[3] == told[1] &&
        told[4] == told[0] && told[5] == told[0] * (told[0] - 1) / 2)
        return 0;
    *looking->outcome = OUTCOME_UNSUPPORTED;
    return error_set(error, STATUS_UNSUPPORTED,
                     "the device's sub-groups cannot be told apart: in a group of %zu x %zu work-items, %" PRIu32
                     " are in the first of %" PRIu32 ", which is said to have %" PRIu32,
                     local[0], local[1], told[1], told[0], told[3]);
}

static int find_lanes(struct looking *looking, size_t size, struct litmus_shape *shape, struct error *error)
{
    size_t local[2] = {size, 1};

    for (int i = 0; i < TRIES; ++i) {
        if (divide(looking, local, shape, error) != 0)
            return -1;
        shape->threads = shape->lanes;
        if (shape->sub_groups == 1 && shape->lanes > 1)
            return 0;
        local[0] = shape->lanes;
    }
    *looking->outcome = OUTCOME_UNSUPPORTED;
    return error_set(error, STATUS_UNSUPPORTED, "no group of several work-items is one sub-group");
}

/* Some drivers take the first dimension as a sub-group. */
static int find_sub_groups(struct looking *looking, size_t size, struct litmus_shape *shape, struct error *error)
{
    const size_t line[2] = {size, 1}, rows[2] = {ROW, size / ROW};

    if (divide(looking, line, shape, error) != 0)
        return -1;
    if (shape->sub_groups == 1 && rows[1] > 1 && divide(looking, rows, shape, error) != 0)
        return -1;
    shape->threads = shape->sub_groups;
    if (shape->sub_groups > 1)
        return 0;
    *looking->outcome = OUTCOME_UNSUPPORTED;
    return error_set(error, STATUS_UNSUPPORTED, "a group of %zu work-items is one sub-group", size);
}

static int build(struct looking *looking, enum block_level level, struct error *error)
{
    struct program_key key;
    struct error why;
    cl_int code;

    session_key(looking->session, "litmus_shape", &key);
    litmus_level_option(level, key.options);
    if (session_kernel(looking->session, &key, &looking->program, &code, &why) == 0)
        return 0;
    *looking->outcome = OUTCOME_UNSUPPORTED;
    return error_set(error, STATUS_UNSUPPORTED,
                     "the device has no sub-groups in dialect %s, neither OpenCL C 3.0's nor cl_khr_subgroups",
                     dialect_name(looking->session->probe.dialect));
}

static int look(struct looking *looking, const struct block *block, struct litmus_shape *shape, struct error *error)
{
    const size_t unit = looking->session->probe.dialect == DIALECT_PTX ? PTX_LANES : 1;
    const size_t size = block->local_size < unit ? unit : block->local_size / unit * unit;

    if (build(looking, block->level, error) != 0 ||
        memory_make(looking->session, &looking->told, MEMORY_DEVICE, TOLD * sizeof(uint32_t), error) != 0)
        return -1;
    return block->level == LEVEL_LANE ? find_lanes(looking, size, shape, error)
                                      : find_sub_groups(looking, size, shape, error);
}

int litmus_shape_find(struct session *session, const struct block *block, struct litmus_shape *shape,
                      enum outcome *outcome, struct error *error)
{
    struct looking looking = {.session = session, .outcome = outcome};
    int result = 0;

    *shape = (struct litmus_shape){.local = {block->local_size, 1}};
    shape->threads = block->local_size;
    if (block->level == LEVEL_SUB_GROUP || block->level == LEVEL_LANE)
        result = look(&looking, block, shape, error);
    memory_free(session, &looking.told);
    if (shape->threads > block->groups)
        shape->threads = block->groups;
    return result;
}
