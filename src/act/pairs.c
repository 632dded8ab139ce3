/* Promises about what one work-item sees of what another one wrote: orders and scopes of atomics, fences, barriers. */
#include "act/promising.h"
#include "device/cl_status.h"

#include <inttypes.h>

enum {
    VISIBLE = 8,       /* rounds that are wrong without the order, so that it would be seen if it were missing */
    ENOUGH = 64,       /* rounds that say something, over all tries */
    LONGEST_MS = 2000, /* for which it is tried again while fewer do, */
    NOTHING_MS = 1000, /* and while none does */
    SHORT_MS = 200,    /* launches that took longer do not get more patience */
    GROUPS = 4,        /* where both are of one group */
    LEAST_PAIRS = 8,   /* where they are of different groups */
    MOST_PAIRS = 64,
    PATIENCE = 1 << 16, /* looks at the other, of a launch */
    PATIENCE_CUT = 1 << 15,
    PATIENCE_GROUP = 1 << 9, /* who waits for one of its group may keep it from running */
    MOST_PATIENCE = 1 << 24,
    LINE = 32, /* as in promise_pair.h */
    WORDS = 3,
    ANSWERS = 3, /* of each work-item: rounds it did, rounds that say something, stale words */
};

/* The kernel's arguments. */
enum { BOARD, CELLS, ANSWERED, BUFFERS };

/* Launches of a kernel that has pairs. */
struct pairing {
    struct promising *promising;
    bool group;           /* both are of one group */
    bool total;           /* what each of them saw is in the cells */
    size_t places, local; /* work-items for which there is room; of a group */
    uint32_t rounds, patience;
    uint32_t tries, fails;
    uint64_t seen, late;        /* rounds, over all launches */
    uint64_t took_ns, whole_ns; /* the last launch, and all of them */
};

/* --- one launch --- */

static int clear(struct pairing *pairing, struct error *error)
{
    cl_int code = CL_SUCCESS;

    for (int i = 0; i < BUFFERS && code == CL_SUCCESS; ++i) {
        struct buffer *buffer = &pairing->promising->buffers[i];
        buffer_fill(buffer, 0);
        code = buffer_write(buffer, pairing->promising->session->queue);
    }
    return code == CL_SUCCESS ? 0 : cl_status_error(error, "clEnqueueWriteBuffer", code);
}

static int read_back(struct pairing *pairing, int buffer, struct error *error)
{
    const cl_int code = buffer_read(&pairing->promising->buffers[buffer], pairing->promising->session->queue);
    return code == CL_SUCCESS ? 0 : cl_status_error(error, "clEnqueueReadBuffer", code);
}

static size_t other_of(const struct pairing *pairing, size_t me, size_t places)
{
    if (!pairing->group)
        return (me + places / 2) % places;
    return me / pairing->local * pairing->local + (me % pairing->local + pairing->local / 2) % pairing->local;
}

/* Rounds in which both saw the other's flag down. */
static uint64_t both_down(const struct pairing *pairing, size_t places)
{
    const uint32_t *looked = pairing->promising->buffers[CELLS].words + places * pairing->rounds;
    uint64_t found = 0;

    for (size_t me = 0; me < places; ++me)
        for (uint32_t round = 0; round < pairing->rounds; ++round)
            found += me < other_of(pairing, me, places) && looked[me * pairing->rounds + round] == 1 &&
                     looked[other_of(pairing, me, places) * pairing->rounds + round] == 1;
    return found;
}

/* 1: it was as it should be. 0: not so, as promising->failure or pairing->late says. */
static int judge(struct pairing *pairing, size_t places, struct error *error)
{
    uint64_t late = 0;

    if (read_back(pairing, ANSWERED, error) != 0)
        return -1;
    for (size_t me = 0; me < places; ++me) {
        const uint32_t *answers = pairing->promising->buffers[ANSWERED].words + ANSWERS * me;
        if (answers[0] == 0)
            return promising_notes(pairing->promising, "work-item %zu did not run", me);
        pairing->seen += answers[1];
        late += answers[2];
    }
    if (pairing->total) {
        if (read_back(pairing, CELLS, error) != 0)
            return -1;
        late += both_down(pairing, places);
    }
    pairing->late += late;
    return late == 0;
}

static int try_once(struct pairing *pairing, size_t places, struct error *error)
{
    const size_t global[3] = {places, 1, 1}, local[3] = {pairing->local, 1, 1};
    struct promising *promising = pairing->promising;

    if (clear(pairing, error) != 0 || promising_set(promising, 3, pairing->patience, error) != 0)
        return -1;
    if (!promising_launch(promising, global, local))
        return promising_notes(promising, "a launch fails with %s", promising_failure(promising));
    pairing->took_ns = promising->end.ended_ns - promising->end.began_ns;
    pairing->whole_ns += pairing->took_ns;
    return judge(pairing, places, error);
}

/* --- all launches --- */

/* Who says too little may only have needed more time. */
static void be_more_patient(struct pairing *pairing)
{
    if (!pairing->group && pairing->patience < MOST_PATIENCE && pairing->took_ns < SHORT_MS * UINT64_C(1000000) &&
        pairing->promising->session->probe.loops_cut_at == 0)
        pairing->patience *= 2;
}

static bool goes_on(const struct pairing *pairing)
{
    const uint64_t longest_ms = pairing->seen == 0 ? NOTHING_MS : LONGEST_MS;

    if (pairing->tries < PROMISE_TRIES)
        return true;
    return pairing->fails == 0 && pairing->seen < ENOUGH && pairing->whole_ns < longest_ms * 1000000;
}

static int try_all(struct pairing *pairing, struct error *error)
{
    struct promising *promising = pairing->promising;
    struct finding *finding = &promising->finding;

    while (goes_on(pairing)) {
        /* A single pair, which has the device to itself, and all of them, in turn. */
        const size_t places = pairing->group || pairing->tries % 2 == 1 ? pairing->places : 2;
        const uint64_t seen_before = pairing->seen;
        if (finding->offered && promising_begins(promising, error) != 0)
            return -1;
        const int found = try_once(pairing, places, error);
        if (found < 0)
            return -1;
        pairing->tries += 1;
        pairing->fails += found == 0;
        finding->tries += 1;
        finding->fails += found == 0;
        if (pairing->seen - seen_before < ENOUGH / PROMISE_TRIES)
            be_more_patient(pairing);
    }
    return 0;
}

static const char stale[] = "A word was older than what was said to be written before it";
static const char unordered[] = "Two work-items each raised a flag, and neither saw the other's";

/* What the tries come to. */
static void conclude(struct pairing *pairing)
{
    struct promising *promising = pairing->promising;
    struct finding *finding = &promising->finding;

    if (pairing->fails > 0)
        promising_failed_in(promising, pairing->total ? "promise_total" : "promise_handover");
    if (promising->failure[0] != '\0')
        promising_says(promising, "In %u of %u launches, %s.", pairing->fails, pairing->tries, promising->failure);
    else if (pairing->fails > 0)
        promising_says(promising, "%s: %" PRIu64 " times in %u launches with %" PRIu64 " rounds.",
                       pairing->total ? unordered : stale, pairing->late, pairing->tries, pairing->seen);
    else if (pairing->seen < ENOUGH)
        promising_says(promising,
                       "Only %" PRIu64
                       " rounds of %u launches say something, of at least %d: who should meet hardly run at "
                       "the same time.",
                       pairing->seen, pairing->tries, ENOUGH);
    else
        promising_says(promising, "All of %" PRIu64 " rounds are right.", pairing->seen);
    finding->measured = pairing->fails == 0 && pairing->seen >= ENOUGH;
    finding->undecided = finding->offered && pairing->fails == 0 && pairing->seen < ENOUGH;
}

/* --- what is launched --- */

static int make_buffers(struct pairing *pairing, struct error *error)
{
    const size_t words[BUFFERS] = {[BOARD] = LINE, [CELLS] = pairing->rounds * WORDS, [ANSWERED] = ANSWERS};

    for (cl_uint i = 0; i < BUFFERS; ++i)
        if (promising_buffer(pairing->promising, i, pairing->places * words[i], error) != 0)
            return -1;
    return 0;
}

static size_t bounded(size_t size, size_t least, size_t most)
{
    return size < least ? least : size > most ? most : size;
}

static int set_sizes(struct pairing *pairing, struct error *error)
{
    const uint64_t most = promising_group_size(pairing->promising);
    const uint32_t units = pairing->promising->session->info.compute_units;

    pairing->local = !pairing->group ? 1 : most != 0 && most < PROMISE_PAIR_GROUP ? most / 2 * 2 : PROMISE_PAIR_GROUP;
    if (pairing->local == 0)
        return error_set(error, STATUS_HARNESS, "groups have one work-item only");
    pairing->places = pairing->group ? GROUPS * pairing->local : 2 * bounded(units, LEAST_PAIRS, MOST_PAIRS);
    return 0;
}

/* Builds the kernel and launches it. */
static int measure(struct pairing *pairing, const char *kernel, struct error *error)
{
    const bool cut = pairing->promising->session->probe.loops_cut_at != 0;

    pairing->rounds = promise_rounds(pairing->promising->promise, &pairing->promising->session->probe);
    pairing->patience = pairing->group ? PATIENCE_GROUP : cut ? PATIENCE_CUT : PATIENCE;
    const int outcome = promising_compile(pairing->promising, kernel, error);
    if (outcome != 1)
        return outcome;
    if (set_sizes(pairing, error) != 0 || make_buffers(pairing, error) != 0 || try_all(pairing, error) != 0)
        return -1;
    conclude(pairing);
    return 0;
}

/* --- atomics and fences --- */

/* It is promised, and was right in enough rounds. */
static bool was_seen(const struct finding *finding)
{
    return finding->offered && finding->measured != 0 && !finding->undecided;
}

/*
 * What is right without the order as well is no sign that it is kept: an x86 has this one by itself, and a compiler
 * seldom takes it away. Whatever the driver dies of here, nothing is known.
 */
static int measure_unordered(struct promising *promising, bool total, struct error *error)
{
    const bool group = promising->promise->of[1] == SCOPE_GROUP;
    struct pairing pairing = {.promising = promising, .group = group, .total = total};
    const struct finding kept = promising->finding;

    promising->unordered = true;
    promising->finding.offered = false;
    promising->finding.undecided = true;
    const int outcome = measure(&pairing, total ? "promise_total" : "promise_handover", error);
    promising->unordered = false;
    promising->finding = kept;
    if (outcome != 0 || pairing.late >= VISIBLE)
        return outcome;
    promising->finding.undecided = true;
    return promising_says(promising,
                          "All of its rounds are right, and of %" PRIu64
                          " rounds of a kernel without any order %" PRIu64
                          " are not: on this device it can hardly be seen whether it is kept.",
                          pairing.seen, pairing.late);
}

/* A hand-over; and if it is to be sequentially consistent, whether there is one order of all. */
static int measure_order(struct promising *promising, struct error *error)
{
    struct finding *finding = &promising->finding;
    const bool group = promising->promise->of[1] == SCOPE_GROUP;
    struct pairing handover = {.promising = promising, .group = group};
    struct pairing total = {.promising = promising, .group = group, .total = true};

    if (measure(&handover, "promise_handover", error) != 0)
        return -1;
    if (promising->promise->of[0] == ORDER_ACQ_REL && was_seen(finding))
        return measure_unordered(promising, false, error);
    if (promising->promise->of[0] != ORDER_SEQ_CST || handover.seen == 0 || finding->fails > 0)
        return 0;
    const struct finding first = *finding;
    finding->undecided = false;
    if (measure(&total, "promise_total", error) != 0)
        return -1;
    if (finding->fails == 0 && first.measured == 0)
        *finding = first;
    return was_seen(finding) ? measure_unordered(promising, true, error) : 0;
}

int promise_atomic_order(struct promising *promising, struct error *error)
{
    if (!promising_has_atomics(promising, CL_DEVICE_ATOMIC_MEMORY_CAPABILITIES))
        return 0;
    if (promising->promise->of[0] == ORDER_RELAXED)
        return promise_relaxed(promising, error);
    return measure_order(promising, error);
}

int promise_atomic_fence(struct promising *promising, struct error *error)
{
    if (!promising_has_atomics(promising, CL_DEVICE_ATOMIC_FENCE_CAPABILITIES))
        return 0;
    return measure_order(promising, error);
}

/* --- OpenCL C 1.2 --- */

int promise_mem_fence(struct promising *promising, struct error *error)
{
    const bool local = promising->promise->of[0] != 0;
    struct pairing pairing = {.promising = promising, .group = local};

    promising->finding.offered = true;
    return measure(&pairing, "promise_handover", error);
}

int promise_barrier(struct promising *promising, struct error *error)
{
    struct pairing pairing = {.promising = promising, .group = true};

    promising->finding.offered = true;
    promising->finding.promised = 1;
    return measure(&pairing, "promise_barrier", error);
}

int promise_sub_barrier(struct promising *promising, struct error *error)
{
    struct pairing pairing = {.promising = promising, .group = true};

    if (!promising_has_sub_groups(promising))
        return 0;
    return measure(&pairing, "promise_sub_barrier", error);
}
