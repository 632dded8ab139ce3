/* Promises about what functions of a sub-group give, and whether sub-groups may wait for each other. */
#include "act/gathering.h"
#include "device/cl_status.h"

#include <inttypes.h>
#include <string.h>

enum {
    GROUP = 64,
    MOST_ITEMS = 8192,
    ROW = 8,          /* work-items of a row: some drivers take the first dimension as a sub-group */
    VALUES_TOLD = 12, /* as in promise_sub_values.cl */
    PATIENCE = 1 << 12,
    PATIENCE_CUT = 1 << 15, /* where the driver cuts loops */
    LONG_MS = 500,          /* who has waited so long has waited in vain */
    AIM_MS = LONG_MS + LONG_MS / 4,
};

/* --- functions of a whole sub-group --- */

/* What the functions must give, by what the work-items of a sub-group put in; in the order of VALUES_TOLD. */
static void compute(const uint32_t *given, const uint32_t *told, size_t me, uint32_t wanted[VALUES_TOLD])
{
    uint32_t by_place[GROUP] = {0}, size = 0, before = 0, sum = 0, least = UINT32_MAX, most = 0, any = 0, all = 1;

    for (size_t i = 0; i < GROUP; ++i) {
        const uint32_t place = told[i * VALUES_TOLD + 1];
        if (told[i * VALUES_TOLD] != told[me * VALUES_TOLD] || place >= GROUP)
            continue;
        by_place[place] = given[i];
        size = place + 1 > size ? place + 1 : size;
        sum += given[i];
        before += place < told[me * VALUES_TOLD + 1] ? given[i] : 0;
        least = given[i] < least ? given[i] : least;
        most = given[i] > most ? given[i] : most;
        any |= given[i] & 1;
        all &= given[i] & 1;
    }
    const uint32_t last = size > 0 ? size - 1 : 0;
    const uint32_t values[VALUES_TOLD] = {
        0, 0, sum, least, most, before + given[me], before, any, all, by_place[0], by_place[last / 2], by_place[last],
    };
    memcpy(wanted, values, sizeof values);
}

static int check_values(struct gathering *gathering, const uint32_t *given)
{
    static const char *const names[VALUES_TOLD] = {
        "",
        "",
        "sub_group_reduce_add",
        "sub_group_reduce_min",
        "sub_group_reduce_max",
        "sub_group_scan_inclusive_add",
        "sub_group_scan_exclusive_add",
        "sub_group_any",
        "sub_group_all",
        "sub_group_broadcast of the first",
        "sub_group_broadcast of one in the middle",
        "sub_group_broadcast of the last",
    };
    static const struct {
        uint32_t first, end;
    } of_kind[] = {{2, 5}, {5, 7}, {7, 9}, {9, VALUES_TOLD}};
    const uint32_t kind = gathering->promising->promise->of[0];
    uint32_t wanted[VALUES_TOLD];

    for (size_t me = 0; me < GROUP; ++me) {
        compute(given, gathering->told->words, me, wanted);
        for (uint32_t i = of_kind[kind].first; i < of_kind[kind].end; ++i) {
            const uint32_t got = gathering->told->words[me * VALUES_TOLD + i];
            if (got == wanted[i])
                continue;
            return promising_notes(gathering->promising,
                                   "%s gives work-item %zu the value %" PRIu32 " and not %" PRIu32, names[i], me, got,
                                   wanted[i]);
        }
    }
    return 1;
}

static int try_values(struct gathering *gathering, uint32_t attempt, struct error *error)
{
    const size_t size[3] = {GROUP, 1, 1};
    struct promising *promising = gathering->promising;
    const struct buffer *given = &promising->buffers[1];

    if (gathering_give(gathering, given, attempt, error) != 0 || promising_begins(promising, error) != 0)
        return -1;
    const int found = gathering_launch(gathering, size, (size_t)GROUP * VALUES_TOLD, error);
    return gathering_count(gathering, found != 1 ? found : check_values(gathering, given->words));
}

static int measure_values(struct gathering *gathering, struct error *error)
{
    struct promising *promising = gathering->promising;

    if (promising_group_size(promising) < GROUP)
        return error_set(error, STATUS_HARNESS, "groups have fewer than %d work-items", GROUP);
    if (promising_buffer(promising, 0, (size_t)GROUP * VALUES_TOLD, error) != 0 ||
        promising_buffer(promising, 1, GROUP, error) != 0)
        return -1;
    for (uint32_t attempt = 0; attempt < PROMISE_TRIES; ++attempt)
        if (try_values(gathering, attempt, error) != 0)
            return -1;
    gathering->most = gathering->told->words[(GROUP - 1) * VALUES_TOLD] + 1;
    gathering_conclude(gathering);
    return 0;
}

int promise_sub_values(struct promising *promising, struct error *error)
{
    return gathering_measure(promising, "promise_sub_values", measure_values, error);
}

/* --- waiting --- */

/* 1: the waiting one saw what it waited for. 0: not so; a launch that fails has taken for ever. */
static int wait_once(struct gathering *gathering, uint32_t for_last, uint32_t patience, uint64_t *took_ns,
                     struct error *error)
{
    struct promising *promising = gathering->promising;
    cl_kernel kernel = promising->program->kernel;
    cl_command_queue queue = promising->session->queue;
    const uint32_t board[4] = {0};

    cl_int code = clSetKernelArg(kernel, 1, sizeof for_last, &for_last);
    if (code == CL_SUCCESS)
        code = clSetKernelArg(kernel, 2, sizeof patience, &patience);
    if (code == CL_SUCCESS)
        code = clEnqueueWriteBuffer(queue, gathering->told->memory, CL_TRUE, 0, sizeof board, board, 0, NULL, NULL);
    if (code != CL_SUCCESS)
        return cl_status_error(error, "preparing a launch", code);
    if (!promising_launch(promising, gathering->shape, gathering->shape)) {
        *took_ns = UINT64_MAX;
        return 0;
    }
    *took_ns = promising->end.ended_ns - promising->end.began_ns;
    code = buffer_read(gathering->told, queue);
    if (code != CL_SUCCESS)
        return cl_status_error(error, "clEnqueueReadBuffer", code);
    return gathering->told->words[1] == 2;
}

/* So much patience that a wait in vain takes AIM_MS, if the last one is a measure; at most four times as much. */
static uint32_t more_patience(uint32_t patience, uint64_t took_ns)
{
    const uint64_t aim = took_ns > 0 ? patience * (AIM_MS * UINT64_C(1000000)) / took_ns : UINT64_MAX;
    return aim < patience * UINT64_C(4) ? (uint32_t)aim : patience * 4;
}

/*
 * With more patience each time: a machine that is busy is no reason. *clear: it was long enough, and four times as much
 * patience was in vain as well.
 */
static int wait_patiently(struct gathering *gathering, uint32_t for_last, bool *clear, struct error *error)
{
    const bool cut = gathering->promising->session->probe.loops_cut_at != 0;
    uint32_t patience = cut ? PATIENCE_CUT : PATIENCE;
    uint64_t took_ns = 0;
    int found, vain = 0;

    while ((found = wait_once(gathering, for_last, patience, &took_ns, error)) == 0) {
        vain += took_ns >= LONG_MS * UINT64_C(1000000);
        if (vain == 2 || cut || took_ns == UINT64_MAX || patience >= UINT32_C(1) << 30)
            break;
        patience = vain == 0 ? more_patience(patience, took_ns) : patience * 4;
    }
    *clear = found == 1 || vain == 2 || took_ns == UINT64_MAX;
    return found;
}

static int try_directions(struct gathering *gathering, struct error *error)
{
    struct finding *finding = &gathering->promising->finding;
    uint32_t in_vain[2] = {0}, unclear = 0;

    for (uint32_t i = 0; i < PROMISE_TRIES; ++i) {
        bool clear;
        if (finding->promised > 0 && promising_begins(gathering->promising, error) != 0)
            return -1;
        const int found = wait_patiently(gathering, i % 2, &clear, error);
        if (found < 0)
            return -1;
        finding->tries += 1;
        finding->fails += found == 0 && clear && finding->promised > 0;
        in_vain[i % 2] += found == 0 && clear;
        unclear += !clear;
    }
    finding->measured = in_vain[0] + in_vain[1] + unclear == 0;
    finding->undecided = in_vain[0] + in_vain[1] == 0 && unclear > 0;
    return promising_says(
        gathering->promising,
        "Of %" PRIu32 " sub-groups, in a group of %zu x %zu work-items, the first one waited for the last one in vain "
        "in %u of %u launches, and the last one for the first one in %u of %u.",
        gathering->told->words[2], gathering->shape[0], gathering->shape[1], in_vain[1], PROMISE_TRIES / 2, in_vain[0],
        PROMISE_TRIES - PROMISE_TRIES / 2);
}

/* A group of more than one sub-group, if there is such a one. */
static int find_shape(struct gathering *gathering, uint64_t items, struct error *error)
{
    const size_t line[3] = {items, 1, 1}, rows[3] = {ROW, items / ROW, 1};
    uint64_t took_ns = 0;

    memcpy(gathering->shape, line, sizeof line);
    if (gathering->promising->finding.promised > 0 && promising_begins(gathering->promising, error) != 0)
        return -1;
    const int found = wait_once(gathering, 0, 1, &took_ns, error);
    if (found == 1 && gathering->told->words[2] == 1 && rows[1] > 1)
        memcpy(gathering->shape, rows, sizeof rows);
    return found < 0 ? -1 : 0;
}

static int measure_progress(struct gathering *gathering, struct error *error)
{
    struct promising *promising = gathering->promising;
    struct finding *finding = &promising->finding;
    const uint64_t most = promising_group_size(promising);

    finding->promised = promising_ask(promising, CL_DEVICE_SUB_GROUP_INDEPENDENT_FORWARD_PROGRESS) != 0;
    if (promising_buffer(promising, 0, 4, error) != 0 ||
        find_shape(gathering, most < MOST_ITEMS ? most : MOST_ITEMS, error) != 0 ||
        try_directions(gathering, error) != 0)
        return -1;
    if (gathering->told->words[2] > 1)
        return 0;
    finding->undecided = true;
    finding->fails = 0;
    return promising_says(promising, "A group of %zu x %zu work-items is one sub-group.", gathering->shape[0],
                          gathering->shape[1]);
}

int promise_sub_progress(struct promising *promising, struct error *error)
{
    return gathering_measure(promising, "promise_sub_progress", measure_progress, error);
}
