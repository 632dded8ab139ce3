/* Promises about the sizes of work-groups. */
#include "act/promising.h"
#include "device/cl_status.h"

#include <inttypes.h>

enum {
    MOST_ITEMS = 1 << 22, /* of a group that is tried */
    SALT = 0x5eed,
};

struct sizing {
    struct promising *promising;
    unsigned dimension; /* in which the group is as large as is tried */
    uint32_t values;    /* of each work-item */
    uint64_t most;      /* work-items for which there is room */
    uint64_t allowed;   /* of a group of this kernel, as the driver says */
};

/* --- one size --- */

/* 1: each work-item of one group of so many ran, and met all others. 0: not so, as promising->failure says. */
static int runs(struct sizing *sizing, uint64_t items, struct error *error)
{
    struct promising *promising = sizing->promising;
    const uint32_t sum = sizing->values * SALT + sizing->values * (sizing->values - 1) / 2;
    size_t size[3] = {1, 1, 1};
    struct buffer *out = &promising->buffers[0];

    size[sizing->dimension] = items;
    out->count = items;
    const int ran = promising_run(promising, size, size, out, error);
    if (ran == 0)
        promising_notes(promising, "%" PRIu64 " are refused: %s", items, promising_failure(promising));
    for (uint32_t id = 0; ran == 1 && id < items; ++id)
        if (out->words[id] != (id ^ SALT) * UINT32_C(0x9e3779b9) + (uint32_t)items + sum)
            return promising_notes(promising, "of %" PRIu64 " work-item %" PRIu32 " has a wrong result", items, id);
    return ran;
}

/* The largest size that runs, of those from `good`, which does, up to `bad`, which does not. */
static int search(struct sizing *sizing, uint64_t good, uint64_t bad, uint64_t *largest, struct error *error)
{
    while (bad - good > 1) {
        const uint64_t middle = good + (bad - good) / 2;
        const int found = runs(sizing, middle, error);
        if (found < 0)
            return -1;
        *(found == 1 ? &good : &bad) = middle;
    }
    *largest = good;
    return 0;
}

/* --- the largest --- */

/* More than was promised: by doubling, then by halving what is between. */
static int exceed(struct sizing *sizing, struct error *error)
{
    struct finding *finding = &sizing->promising->finding;
    uint64_t good = finding->promised;
    uint64_t next = good + 1;
    int found = 1;

    while (good < sizing->most && (found = runs(sizing, next, error)) == 1) {
        good = next;
        next = 2 * good < sizing->most ? 2 * good : sizing->most;
    }
    if (found < 0)
        return -1;
    if (good == sizing->most)
        promising_says(sizing->promising, "No larger group than %" PRIu64 " was tried.", good);
    else if (search(sizing, good, next, &good, error) != 0)
        return -1;
    else
        promising_says(sizing->promising, "Of larger groups, %s.", sizing->promising->failure);
    finding->measured = good;
    return 0;
}

/* The device may have larger groups than this kernel can have: CL_KERNEL_WORK_GROUP_SIZE says so. */
static bool is_allowed(const struct sizing *sizing)
{
    return sizing->promising->finding.promised <= sizing->allowed;
}

/* The driver has not promised it of this kernel. */
static int leave_undecided(struct sizing *sizing)
{
    sizing->promising->finding.undecided = true;
    return promising_says(sizing->promising,
                          "The driver says that groups of this kernel have at most %" PRIu64
                          " work-items, which it may.",
                          sizing->allowed);
}

static int begins(struct sizing *sizing, struct error *error)
{
    const struct finding before = sizing->promising->finding;

    if (is_allowed(sizing))
        return promising_begins(sizing->promising, error);
    leave_undecided(sizing);
    const int outcome = promising_decided(sizing->promising, error);
    sizing->promising->finding = before;
    return outcome;
}

static int measure(struct sizing *sizing, struct error *error)
{
    struct finding *finding = &sizing->promising->finding;

    for (finding->tries = 0; finding->tries < PROMISE_TRIES; ++finding->tries) {
        if (begins(sizing, error) != 0)
            return -1;
        const int found = runs(sizing, finding->promised, error);
        if (found < 0)
            return -1;
        finding->fails += found == 0;
    }
    if (finding->fails > 0 && !is_allowed(sizing))
        return leave_undecided(sizing);
    if (finding->fails < PROMISE_TRIES)
        finding->measured = finding->promised;
    if (finding->fails == 0)
        return promising_decided(sizing->promising, error) != 0 ? -1 : exceed(sizing, error);
    promising_says(sizing->promising, "Work-items: %s.", sizing->promising->failure);
    if (promising_decided(sizing->promising, error) != 0)
        return -1;
    return finding->fails < PROMISE_TRIES ? 0 : search(sizing, 0, finding->promised, &finding->measured, error);
}

/* --- what is launched --- */

static int set_arguments(struct sizing *sizing, struct error *error)
{
    struct promising *promising = sizing->promising;
    const uint32_t salt = SALT;
    struct buffer *in = &promising->buffers[1];

    if (promising_buffer(promising, 0, sizing->most, error) != 0 ||
        promising_buffer(promising, 1, sizing->most, error) != 0)
        return -1;
    for (uint32_t i = 0; i < PROMISE_VALUES; ++i)
        in->words[i] = i + SALT;
    in->count = PROMISE_VALUES;
    cl_int code = clSetKernelArg(promising->program->kernel, 2, sizeof salt, &salt);
    if (code == CL_SUCCESS)
        code = buffer_write(in, promising->session->queue);
    return code == CL_SUCCESS ? 0 : cl_status_error(error, "preparing a launch", code);
}

/* There is room for twice what the device allows any kernel. */
static int measure_sizes(struct sizing *sizing, uint64_t promised, struct error *error)
{
    const uint64_t device = promising_ask(sizing->promising, CL_DEVICE_MAX_WORK_GROUP_SIZE);

    sizing->promising->finding.offered = true;
    sizing->promising->finding.promised = promised;
    sizing->most = 2 * (promised > device ? promised : device);
    if (sizing->most > MOST_ITEMS)
        return error_set(error, STATUS_HARNESS, "%" PRIu64 " work-items are more than is tried", promised);
    sizing->most = sizing->most < PROMISE_VALUES ? PROMISE_VALUES : sizing->most;
    return set_arguments(sizing, error) == 0 ? measure(sizing, error) : -1;
}

/* 1: it is built; 0: it is assembly, which the driver need not build. */
static int build(struct sizing *sizing, enum kernel_kind kind, struct error *error)
{
    struct promising *promising = sizing->promising;
    const int built = kind == KERNEL_ASSEMBLY ? promising_compile(promising, "promise_size", error)
                      : promising_build(promising, "promise_size", error) == 0 ? 1
                                                                               : -1;

    if (built != 1)
        return built;
    sizing->values = kind == KERNEL_REGISTERS ? PROMISE_VALUES : 0;
    sizing->allowed = promising_group_size(promising);
    return sizing->allowed != 0 ? 1 : error_set(error, STATUS_HARNESS, "the driver does not answer the query");
}

int promise_group_size(struct promising *promising, struct error *error)
{
    struct sizing sizing = {.promising = promising};
    const bool of_kernel = promising->promise->of[1] != 0;

    const int built = build(&sizing, (enum kernel_kind)promising->promise->of[0], error);
    if (built != 1)
        return built;
    const uint64_t promised = of_kernel ? sizing.allowed : promising_ask(promising, CL_DEVICE_MAX_WORK_GROUP_SIZE);
    if (promised == 0)
        return error_set(error, STATUS_HARNESS, "the driver does not answer the query");
    return measure_sizes(&sizing, promised, error);
}

int promise_item_sizes(struct promising *promising, struct error *error)
{
    struct sizing sizing = {.promising = promising, .dimension = promising->promise->of[0]};
    size_t sizes[16] = {0};
    const uint64_t whole = promising_ask(promising, CL_DEVICE_MAX_WORK_GROUP_SIZE);
    const cl_int code =
        clGetDeviceInfo(promising->session->device, CL_DEVICE_MAX_WORK_ITEM_SIZES, sizeof sizes, sizes, NULL);

    if (code != CL_SUCCESS)
        return cl_status_error(error, "CL_DEVICE_MAX_WORK_ITEM_SIZES", code);
    if (build(&sizing, KERNEL_LIGHT, error) != 1)
        return -1;
    const uint64_t promised = sizes[sizing.dimension];
    if (promised == 0 || whole == 0)
        return error_set(error, STATUS_HARNESS, "the driver does not answer the query");
    return measure_sizes(&sizing, promised < whole ? promised : whole, error); /* both hold */
}
