/* Promises about which groups a launch has: a required size, groups of different sizes, and the preferred multiple. */
#include "act/promising.h"
#include "core/text.h"
#include "device/cl_status.h"

#include <inttypes.h>

enum {
    SAID = 2, /* words that each work-item says */
};

struct grouping {
    struct promising *promising;
    size_t global[3], local[3];
    bool offered; /* groups of different sizes */
    bool refused; /* they are refused, and as they must be where they are not offered */
};

/* --- a launch --- */

static void describe(struct grouping *grouping, const char *what, const char *which)
{
    promising_notes(grouping->promising, "A launch of (%zu, %zu) work-items in groups of (%zu, %zu) %s%s.",
                    grouping->global[0], grouping->global[1], grouping->local[0], grouping->local[1], what, which);
}

/* How large the group of a work-item must be in a dimension: the last one has what is left. */
static size_t extent(const struct grouping *grouping, int dimension, size_t at)
{
    const size_t size = grouping->local[dimension];
    const size_t rest = grouping->global[dimension] - at / size * size;
    return rest < size ? rest : size;
}

static int check(struct grouping *grouping)
{
    struct promising *promising = grouping->promising;
    const uint32_t *words = promising->buffers[0].words;

    for (size_t y = 0; y < grouping->global[1]; ++y)
        for (size_t x = 0; x < grouping->global[0]; ++x, words += SAID) {
            const size_t wide = extent(grouping, 0, x), high = extent(grouping, 1, y);
            if (words[0] == 1 && words[1] == (uint32_t)(wide * high << 16 | high << 8 | wide))
                continue;
            describe(grouping, "is accepted", "");
            text_append(promising->failure, sizeof promising->failure,
                        " Work-item (%zu, %zu) ran %" PRIu32 " times; its group is (%" PRIu32 ", %" PRIu32
                        ") instead of (%zu, %zu), and %" PRIu32 " met in it.",
                        x, y, words[0], words[1] & 0xff, words[1] >> 8 & 0xff, wide, high, words[1] >> 16);
            return 0;
        }
    return 1;
}

/* 1: each work-item ran once, in a group of the right size. */
static int runs(struct grouping *grouping, struct error *error)
{
    struct promising *promising = grouping->promising;
    const size_t items = grouping->global[0] * grouping->global[1];

    if (promising_buffer(promising, 0, SAID * items, error) != 0)
        return -1;
    const int found = promising_run(promising, grouping->global, grouping->local, &promising->buffers[0], error);
    if (found == 0)
        describe(grouping, "fails: ", promising_failure(promising));
    return found == 1 ? check(grouping) : found;
}

static void set_sizes(struct grouping *grouping, const size_t global[2], const size_t local[2])
{
    for (int i = 0; i < 2; ++i) {
        grouping->global[i] = global[i];
        grouping->local[i] = local[i];
    }
    grouping->global[2] = grouping->local[2] = 1;
}

static int blame(struct grouping *grouping)
{
    return promising_says(grouping->promising, "%s", grouping->promising->failure);
}

/* The device, and the kernel, may have groups as large as are launched. */
static bool has_room(const struct grouping *grouping)
{
    const struct promising *promising = grouping->promising;
    const uint64_t items = PROMISE_SIZE_X * PROMISE_SIZE_Y;
    size_t sizes[16] = {0};

    return promising_ask(promising, CL_DEVICE_MAX_WORK_GROUP_SIZE) >= items &&
           promising_group_size(promising) >= items &&
           clGetDeviceInfo(promising->session->device, CL_DEVICE_MAX_WORK_ITEM_SIZES, sizeof sizes, sizes, NULL) ==
               CL_SUCCESS &&
           sizes[0] >= PROMISE_SIZE_X && sizes[1] >= PROMISE_SIZE_Y;
}

static const char no_room[] = "The driver says that groups may not have as many work-items as this needs.";

/* --- a required size --- */

static int runs_required(void *context, struct error *error)
{
    struct grouping *grouping = context;

    set_sizes(grouping, (const size_t[]){4 * PROMISE_SIZE_X, 4 * PROMISE_SIZE_Y},
              (const size_t[]){PROMISE_SIZE_X, PROMISE_SIZE_Y});
    const int found = runs(grouping, error);
    return found == 0 ? blame(grouping) : found;
}

static bool is_refused(const struct grouping *grouping)
{
    return grouping->promising->end.enqueue_code == CL_INVALID_WORK_GROUP_SIZE;
}

static int refuses_others(void *context, struct error *error)
{
    static const size_t others[][2] = {{PROMISE_SIZE_X / 2, PROMISE_SIZE_Y},
                                       {2 * PROMISE_SIZE_X, PROMISE_SIZE_Y},
                                       {PROMISE_SIZE_Y, PROMISE_SIZE_X},
                                       {PROMISE_SIZE_X, 1}};
    struct grouping *grouping = context;

    for (size_t i = 0; i < sizeof others / sizeof *others; ++i) {
        set_sizes(grouping, (const size_t[]){4 * PROMISE_SIZE_X, 4 * PROMISE_SIZE_X}, others[i]);
        const int found = runs(grouping, error);
        if (found < 0)
            return -1;
        if (found == 1)
            describe(grouping, "runs", " although another size is required");
        if (!is_refused(grouping))
            return blame(grouping);
    }
    return 1;
}

static int says_required(void *context, struct error *error)
{
    struct grouping *grouping = context;
    struct promising *promising = grouping->promising;
    size_t said[3] = {0};
    const cl_int code = clGetKernelWorkGroupInfo(promising->program->kernel, promising->session->device,
                                                 CL_KERNEL_COMPILE_WORK_GROUP_SIZE, sizeof said, said, NULL);

    if (code != CL_SUCCESS)
        return cl_status_error(error, "CL_KERNEL_COMPILE_WORK_GROUP_SIZE", code);
    if (said[0] == PROMISE_SIZE_X && said[1] == PROMISE_SIZE_Y && said[2] == 1)
        return 1;
    return promising_says(promising, "The kernel requires groups of (%d, %d, 1); the driver says (%zu, %zu, %zu).",
                          PROMISE_SIZE_X, PROMISE_SIZE_Y, said[0], said[1], said[2]);
}

int promise_required_size(struct promising *promising, struct error *error)
{
    static promise_try *const attempts[] = {
        [REQUIRED_RUNS] = runs_required, [REQUIRED_ALONE] = refuses_others, [REQUIRED_SAID] = says_required};
    struct grouping grouping = {.promising = promising};

    if (promising_build(promising, "promise_group", error) != 0)
        return -1;
    if (promising->promise->of[0] != REQUIRED_SAID && !has_room(&grouping))
        return promising_undecided(promising, no_room);
    return promising_settle(promising, attempts[promising->promise->of[0]], &grouping, error);
}

/* --- groups of different sizes --- */

/* Those of OpenCL 2 must have them, and later ones say whether they do. */
static bool offers_uneven(const struct promising *promising, unsigned version)
{
    return version / 100 == 2 ||
           (version >= 300 && promising_ask(promising, CL_DEVICE_NON_UNIFORM_WORK_GROUP_SUPPORT) != 0);
}

static int runs_uneven(void *context, struct error *error)
{
    struct grouping *grouping = context;

    set_sizes(grouping, (const size_t[]){3 * PROMISE_SIZE_X + 3, 3 * PROMISE_SIZE_Y + 1},
              (const size_t[]){PROMISE_SIZE_X, PROMISE_SIZE_Y});
    const int found = runs(grouping, error);
    if (found != 0)
        return found;
    grouping->refused = !grouping->offered && is_refused(grouping);
    return grouping->refused ? 1 : blame(grouping);
}

int promise_uneven_groups(struct promising *promising, struct error *error)
{
    struct grouping grouping = {.promising = promising};
    struct finding *finding = &promising->finding;
    const unsigned version = device_info_version(&promising->session->info);

    if (version == 0)
        return error_set(error, STATUS_HARNESS, "the version of OpenCL is not clear");
    if (promising_build(promising, "promise_group", error) != 0)
        return -1;
    grouping.offered = offers_uneven(promising, version);
    if (!has_room(&grouping))
        return promising_undecided(promising, no_room);
    if (promising_settle(promising, runs_uneven, &grouping, error) != 0)
        return -1;
    if (grouping.offered || finding->fails > 0)
        return 0;
    finding->offered = false;
    finding->promised = 0;
    finding->measured = !grouping.refused;
    return 0;
}
