/* Promises about local memory. */
#include "act/promising.h"
#include "device/cl_status.h"

#include <inttypes.h>
#include <string.h>

enum {
    SMALL_BYTES = PROMISE_LOCAL_BYTES,
    FITTING_STEPS = 8,
    MOST_ITEMS = 64,     /* of a group */
    GROUPS_PER_UNIT = 4, /* enough for several groups to be resident at once */
    MOST_GROUPS = 1024,
};

struct holding {
    struct promising *promising;
    enum local_kind kind;
    uint64_t bytes; /* of each group */
};

/* --- one kernel --- */

static int refused(struct holding *holding, const char *call, const char *why)
{
    return promising_says(holding->promising, "With %" PRIu64 " bytes, %s fails: %.150s.", holding->bytes, call, why);
}

/* Builds the kernel and gives it all arguments but its results. 0: the driver refuses the memory. */
static int prepare(struct holding *holding, struct error *error)
{
    struct promising *promising = holding->promising;
    struct error failure;
    cl_int code = CL_SUCCESS;

    promising->amount = holding->bytes;
    if (promising_build(promising, "promise_local", &failure) != 0)
        return refused(holding, "building the kernel", failure.text);
    if (promising_set(promising, 1, (uint32_t)(holding->bytes / sizeof(uint32_t)), error) != 0)
        return -1;
    if (holding->kind == LOCAL_ARGUMENT)
        code = clSetKernelArg(promising->program->kernel, 2, holding->bytes, NULL);
    return code == CL_SUCCESS ? 1 : refused(holding, "clSetKernelArg", cl_status_name(code));
}

/* Each work-item found all words of its share as they were written. */
static int check(struct holding *holding, uint32_t items)
{
    const struct buffer *results = &holding->promising->buffers[0];
    const uint64_t words = holding->bytes / sizeof(uint32_t);

    for (size_t id = 0; id < results->count; ++id) {
        const uint64_t me = id % items;
        const uint64_t wanted = (words + items - 1 - me) / items;
        if (results->words[id] != wanted + 1)
            return promising_says(holding->promising,
                                  "With %" PRIu64 " bytes, of %" PRIu64 " words that work-item %" PRIu64
                                  " of group %zu read, %" PRIu32 " were as they had been written.",
                                  holding->bytes, wanted, me, id / items,
                                  results->words[id] == 0 ? 0 : results->words[id] - 1);
    }
    return 1;
}

/* 1: in all groups of a launch the memory held what was written to it. */
static int holds(void *context, struct error *error)
{
    struct holding *holding = context;
    struct promising *promising = holding->promising;
    int found = prepare(holding, error);

    if (found != 1)
        return found;
    const uint64_t most = promising_group_size(promising);
    const uint32_t items = most > MOST_ITEMS ? MOST_ITEMS : most > 0 ? (uint32_t)most : 1;
    const uint32_t units = promising->session->info.compute_units;
    const uint32_t groups = units < MOST_GROUPS / GROUPS_PER_UNIT ? (units + 1) * GROUPS_PER_UNIT : MOST_GROUPS;
    const size_t global[3] = {groups * items, 1, 1}, local[3] = {items, 1, 1};
    if (promising_buffer(promising, 0, groups * items, error) != 0)
        return -1;
    found = promising_run(promising, global, local, &promising->buffers[0], error);
    if (found == 0)
        return refused(holding, "the launch", promising_failure(promising));
    return found == 1 ? check(holding, items) : -1;
}

/* --- all local memory --- */

static uint64_t whole_words(uint64_t bytes)
{
    return bytes / sizeof(uint32_t) * sizeof(uint32_t);
}

/* What the driver says that the kernel needs; 0: the memory is refused. */
static int ask(struct holding *holding, uint64_t *bytes, struct error *error)
{
    const struct promising *promising = holding->promising;
    cl_ulong value = 0;
    const int prepared = prepare(holding, error);

    if (prepared != 1)
        return prepared;
    const cl_int code = clGetKernelWorkGroupInfo(promising->program->kernel, promising->session->device,
                                                 CL_KERNEL_LOCAL_MEM_SIZE, sizeof value, &value, NULL);
    if (code != CL_SUCCESS)
        return cl_status_error(error, "CL_KERNEL_LOCAL_MEM_SIZE", code);
    *bytes = value;
    return 1;
}

/*
 * The most bytes with which, as the driver says, the kernel does not need more than there is: drivers may need some for
 * themselves, or count twice. A size that is refused stays: it is the promise that is broken then.
 */
static int find_most(struct holding *holding, struct error *error)
{
    uint64_t needed = 0, all;
    int asked;

    holding->bytes = SMALL_BYTES;
    asked = ask(holding, &needed, error);
    if (asked == 0)
        return error_set(error, STATUS_HARNESS, "a kernel with %d bytes of local memory is refused", SMALL_BYTES);
    if (asked < 0)
        return -1;
    all = promising_ask(holding->promising, CL_DEVICE_LOCAL_MEM_SIZE);
    if (all > UINT32_MAX)
        return error_set(error, STATUS_HARNESS, "%" PRIu64 " bytes of local memory are more than is tried", all);
    if (needed > all)
        return error_set(error, STATUS_HARNESS, "of %" PRIu64 " bytes of local memory a kernel with %d needs %" PRIu64,
                         all, SMALL_BYTES, needed);
    holding->bytes = needed > SMALL_BYTES ? all - (needed - SMALL_BYTES) : all;
    for (int i = 0; i < FITTING_STEPS; ++i) {
        holding->bytes = whole_words(holding->bytes);
        holding->promising->finding.promised = holding->bytes;
        if (promising_begins(holding->promising, error) != 0)
            return -1;
        asked = ask(holding, &needed, error);
        if (asked != 1 || needed <= all)
            return asked < 0 ? -1 : 0;
        holding->bytes = (uint64_t)((double)holding->bytes * (double)all / (double)needed);
    }
    return error_set(error, STATUS_HARNESS, "how much local memory the driver needs for itself is not clear");
}

/* Another part of what was promised, in eighths. */
static int try_eighths(struct holding *holding, uint64_t eighths, struct error *error)
{
    struct finding *finding = &holding->promising->finding;

    if (promising_decided(holding->promising, error) != 0)
        return -1;
    holding->bytes = whole_words(finding->promised / 8 * eighths);
    const int found = holds(holding, error);
    if (found == 1)
        finding->measured = holding->bytes;
    return found;
}

static int exceed(struct holding *holding, struct error *error)
{
    static const uint64_t eighths[] = {9, 12, 16, 32};
    struct finding *finding = &holding->promising->finding;
    int found = 1;

    finding->measured = finding->promised;
    for (size_t i = 0; found == 1 && i < sizeof eighths / sizeof *eighths; ++i)
        found = try_eighths(holding, eighths[i], error);
    if (found == 1)
        promising_says(holding->promising, "No more than %" PRIu64 " bytes were tried.", holding->bytes);
    return found < 0 ? -1 : 0;
}

static int find_less(struct holding *holding, struct error *error)
{
    struct finding *finding = &holding->promising->finding;
    const struct finding with_all = *finding;
    int found = 0;

    for (uint64_t eighths = 7; found == 0 && eighths > 0; --eighths) {
        found = try_eighths(holding, eighths, error);
        memcpy(finding->text, with_all.text, sizeof finding->text);
    }
    return found < 0 ? -1 : 0;
}

int promise_local_memory(struct promising *promising, struct error *error)
{
    struct holding holding = {.promising = promising, .kind = (enum local_kind)promising->promise->of[0]};
    struct finding *finding = &promising->finding;

    finding->offered = true;
    if (find_most(&holding, error) != 0)
        return -1;
    finding->text[0] = '\0';
    if (promising_repeat(promising, holds, &holding, error) != 0)
        return -1;
    if (finding->fails == 0)
        return exceed(&holding, error);
    if (finding->fails == finding->tries)
        return find_less(&holding, error);
    finding->measured = finding->promised;
    return 0;
}

/* --- what the driver says of a kernel --- */

static int answers(void *context, struct error *error)
{
    static const char *const sources[] = {
        [LOCAL_DECLARED] = "The kernel declares",
        [LOCAL_ARGUMENT] = "The kernel has as an argument",
        [LOCAL_CALLED] = "The kernel calls one that declares",
    };
    struct holding *holding = context;
    uint64_t needed = 0;
    const int asked = ask(holding, &needed, error);

    if (asked != 1 || needed >= holding->bytes)
        return asked;
    return promising_says(holding->promising, "%s %" PRIu64 " bytes of local memory; the driver says %" PRIu64 ".",
                          sources[holding->kind], holding->bytes, needed);
}

/* OpenCL leaves it to the driver whether a kernel may call one that declares local memory. */
int promise_kernel_local(struct promising *promising, struct error *error)
{
    struct holding holding = {
        .promising = promising, .kind = (enum local_kind)promising->promise->of[0], .bytes = SMALL_BYTES};
    const int prepared = prepare(&holding, error);

    if (prepared == 0 && holding.kind != LOCAL_CALLED)
        return error_set(error, STATUS_HARNESS, "a kernel with %d bytes of local memory is refused", SMALL_BYTES);
    return prepared == 1 ? promising_settle(promising, answers, &holding, error) : prepared;
}
