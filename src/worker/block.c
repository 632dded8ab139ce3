#include "worker/block.h"

#include "core/fuse.h"
#include "device/calls.h"
#include "worker/litmus_launch.h"

enum {
    LOOKS_FIRST = 16,   /* of the short fuse, until it turns out to be too short */
    TRIES = 3,          /* at confirming a stall, which may come by chance */
    STALLS_ENOUGH = 3,  /* launches below groups: what runs them does so in one order */
    UNDECIDED_MOST = 2, /* watched launches of a test that get nowhere, slowly: more of them would tell no more */
};

struct run {
    struct session *session;
    const struct block *block;
    struct litmus_launches launches;
    struct test_outcome outcome;
    uint32_t debtors; /* by the state in it */
};

/*
 * On a CPU threads wait for processors, which no count of looks can tell from a stall: the host watches. So it does
 * where it shares memory with the kernel, which some do that call themselves GPUs and simulate one.
 */
static bool is_watched(const struct session *session)
{
    return session->probe.channel == CHANNEL_SHARED ||
           (session->probe.channel != CHANNEL_NONE && session->info.kind == DEVICE_CPU);
}

static struct fuse_looks fuse_looks(const struct session *session)
{
    return (struct fuse_looks){
        .cpu = session->info.kind == DEVICE_CPU,
        .loops_cut_at = session->probe.loops_cut_at,
        .look_ns = session->litmus_look_ns,
    };
}

/* --- what launches came to --- */

/*
 * Notes where the test stands in the last launch, or in one of a series: that of a confirmed stall says more than
 * another one's, and of these the one that the most models do not allow.
 */
static void note_state(struct run *run, uint32_t launch, bool confirmed)
{
    const struct litmus_page page = litmus_launches_page(&run->launches, launch);
    const uint32_t count = page.groups / run->launches.test.threads;
    struct test_state state;

    litmus_page_instances(&page, run->launches.instances);
    const uint32_t debtors = litmus_instances_state(&run->launches.test, run->launches.instances, count, &state);
    if (run->outcome.confirmed && (!confirmed || debtors <= run->debtors))
        return;
    run->outcome.state = state;
    run->debtors = debtors;
}

struct counts {
    uint32_t ended, stalled;
    uint32_t slow;     /* of those that stalled: they still moved */
    uint32_t last;     /* that stalled */
    uint64_t stall_ns; /* the shortest time of a launch, where some stalled; or 0 */
};

static struct counts count_series(struct run *run, uint32_t launches)
{
    struct counts counts = {0};

    for (uint32_t i = 0; i < launches; ++i) {
        const struct litmus_page page = litmus_launches_page(&run->launches, i);
        const enum litmus_page_end end = litmus_page_end(&page);
        counts.ended += end == PAGE_ENDED;
        counts.slow += end == PAGE_SLOW;
        run->outcome.cut = run->outcome.cut || end == PAGE_CUT;
        if (end == PAGE_SLOW || end == PAGE_STALLED) {
            counts.stalled += 1;
            counts.last = i;
        }
    }
    return counts;
}

static void note_least(uint64_t *least_ns, uint64_t ns)
{
    if (ns != 0 && (*least_ns == 0 || ns < *least_ns))
        *least_ns = ns;
}

/* --- by fuses --- */

/* So many launches with this fuse; where the last one that stalled stands is noted. */
static int series(struct run *run, uint32_t launches, uint32_t idle, struct counts *counts, struct error *error)
{
    const struct fuse_looks terms = fuse_looks(run->session);
    const uint32_t total = fuse_looks_total(&terms, idle);
    *counts = (struct counts){0};

    while (launches > 0 && !run->outcome.cut) {
        const uint32_t now = litmus_launches_at_once(&run->launches, launches);
        if (litmus_launch_series(&run->launches, now, idle, total, error) != 0)
            return -1;
        const struct counts here = count_series(run, now);
        run->outcome.duration_ns += run->launches.duration_ns;
        counts->ended += here.ended;
        counts->stalled += here.stalled;
        counts->slow += here.slow;
        launches -= now;
        if (here.stalled == 0)
            continue;
        note_least(&counts->stall_ns, run->launches.duration_ns / now);
        /* Contention makes looks slow, and what is to be bounded is the slowest. */
        const uint64_t look_ns = run->launches.duration_ns / here.stalled / idle + 1;
        if (look_ns > run->session->litmus_look_ns)
            run->session->litmus_look_ns = look_ns;
        note_state(run, here.last, false);
    }
    return 0;
}

/* The same, unless the first few tell enough: below groups launches that stall do so always, or nearly. */
static int launch_enough(struct run *run, uint32_t launches, uint32_t idle, struct counts *counts, struct error *error)
{
    const bool all = run->block->level == LEVEL_GROUP || launches <= STALLS_ENOUGH;
    const uint32_t first = all ? launches : STALLS_ENOUGH;
    struct counts rest;

    if (series(run, first, idle, counts, error) != 0)
        return -1;
    if (all || counts->stalled == first)
        return 0;
    if (series(run, launches - first, idle, &rest, error) != 0)
        return -1;
    counts->ended += rest.ended;
    counts->stalled += rest.stalled;
    counts->slow += rest.slow;
    note_least(&counts->stall_ns, rest.stall_ns);
    return 0;
}

/* How long a stall must stand. On a CPU that nobody can watch, a group may have waited for a processor meanwhile ... */
static uint64_t confirm_ns(const struct run *run)
{
    return run->block->confirm_ns * (run->session->info.kind == DEVICE_CPU ? STALL_PATIENCE_CPU : 1);
}

/* ... and if one that started could end where the launch that stalled was left, that was all. */
static bool stands(struct run *run)
{
    const struct litmus_page page = litmus_launches_page(&run->launches, 0);

    if (run->session->info.kind != DEVICE_CPU)
        return true;
    litmus_page_instances(&page, run->launches.instances);
    return litmus_instances_blocked(&run->launches.test, run->launches.instances,
                                    page.groups / run->launches.test.threads);
}

/* A short fuse, and how long a launch took that it ended. */
struct blown {
    uint32_t idle;
    uint64_t took_ns;
};

/* Tests that come one after the other are alike in what a look costs, where all wait: the last one tells the fuse. */
static uint32_t first_looks(const struct session *session, const struct blown *blown, uint64_t stand_ns)
{
    return session->stood_ns != 0 ? fuse_looks_lengthen(session->stood_looks, session->stood_ns, stand_ns)
                                  : fuse_looks_guess(blown->idle, blown->took_ns, stand_ns);
}

/* Does the stall come back with a long fuse, and nothing moves any more? */
static int confirm_by_fuse(struct run *run, const struct blown *blown, struct error *error)
{
    const uint64_t stand_ns = confirm_ns(run);
    uint32_t looks = first_looks(run->session, blown, stand_ns);
    struct counts counts;
    int vain = 0;

    while (vain < TRIES) {
        if (series(run, 1, looks, &counts, error) != 0)
            return -1;
        run->outcome.ran += counts.ended;
        const bool stood = counts.stalled > counts.slow;
        if (stood) {
            run->session->stood_looks = looks;
            run->session->stood_ns = run->launches.duration_ns;
        }
        if (stood && run->launches.duration_ns >= stand_ns) {
            run->outcome.confirmed = stands(run);
            return 0;
        }
        vain += !stood || looks == FUSE_LOOKS_IDLE_MOST;
        looks = stood ? fuse_looks_lengthen(looks, run->launches.duration_ns, stand_ns) : looks;
    }
    return 0;
}

/* The same where the host sees for how long nothing has moved, and ends the launch. */
static int confirm_watched(struct run *run, const struct blown *blown, struct error *error)
{
    const struct fuse_looks terms = {.look_ns = blown->took_ns / blown->idle + 1};
    const uint32_t looks = fuse_looks_lengthen(blown->idle, blown->took_ns, confirm_ns(run));
    const uint32_t net = fuse_looks_total(&terms, looks);

    run->launches.judge.fixed = true;
    for (int tries = 0; tries < TRIES && !run->outcome.confirmed; ++tries) {
        if (litmus_launch_watched(&run->launches, net, error) != 0)
            return -1;
        const struct counts counts = count_series(run, 1);
        const bool stood = run->launches.judged && counts.stalled > counts.slow;
        run->outcome.duration_ns += run->launches.duration_ns;
        run->outcome.ran += counts.ended;
        if (counts.stalled > 0)
            note_state(run, 0, stood);
        run->outcome.confirmed = stood;
    }
    return 0;
}

/* Launches that end instead count as others do. */
static int confirm(struct run *run, const struct blown *blown, struct error *error)
{
    return run->session->probe.channel != CHANNEL_NONE ? confirm_watched(run, blown, error)
                                                       : confirm_by_fuse(run, blown, error);
}

/* With a fuse of twice the length, would a stall still end before it has stood long enough to be confirmed? */
static bool may_be_longer(const struct run *run, const struct blown *blown)
{
    return run->session->probe.loops_cut_at == 0 && blown->idle < FUSE_LOOKS_IDLE_MOST &&
           2 * blown->took_ns <= confirm_ns(run);
}

/*
 * All launches have ended by themselves with this fuse. If most of them had not with a shorter one, that is too short
 * for this device, and the next tests begin with this one; a few may stall by chance.
 */
static void note_fuse(struct run *run, uint32_t idle, uint32_t stalled_first)
{
    struct session *session = run->session;

    if (2 * stalled_first > run->block->iterations && idle * session->litmus_look_ns <= run->block->suspect_ns)
        session->litmus_looks = idle;
}

/*
 * All launches at once with a short fuse. If some stall, one must come back with a long one; if none does, the
 * fuse may have been too short, and those launches are made again with a longer one.
 */
static int run_fused(struct run *run, struct error *error)
{
    struct session *session = run->session;
    struct test_outcome *outcome = &run->outcome;
    struct counts counts;
    const struct fuse_looks terms = fuse_looks(session);
    uint32_t left = run->block->iterations, stalled_first = 0;

    if (session->litmus_looks == 0)
        session->litmus_looks = fuse_looks_at_most(&terms, LOOKS_FIRST);
    for (uint32_t idle = session->litmus_looks;; idle *= 2) {
        if (launch_enough(run, left, idle, &counts, error) != 0)
            return -1;
        outcome->ran += counts.ended;
        left -= counts.ended;
        note_least(&outcome->stall_ns, counts.stall_ns);
        if (counts.stalled == 0) {
            note_fuse(run, idle, stalled_first);
            return 0;
        }
        const struct blown blown = {idle, counts.stall_ns};
        stalled_first = stalled_first != 0 ? stalled_first : left;
        if (session->probe.loops_cut_at == 0 && confirm(run, &blown, error) != 0)
            return -1;
        if (outcome->confirmed) {
            outcome->stalled = counts.stalled - counts.slow;
            outcome->undecided = counts.slow;
            outcome->ran += outcome->stalled;
            return 0;
        }
        if (outcome->cut || !may_be_longer(run, &blown)) {
            outcome->undecided = counts.stalled;
            return 0;
        }
    }
}

/* --- watched --- */

static int run_watched(struct run *run, struct error *error)
{
    struct test_outcome *outcome = &run->outcome;
    const struct fuse_looks terms = fuse_looks(run->session);
    const uint32_t net = fuse_looks_net(&terms, run->session->probe.poll_ps);

    for (uint32_t i = 0; i < run->block->iterations && !outcome->cut; ++i) {
        if (litmus_launch_watched(&run->launches, net, error) != 0)
            return -1;
        const uint64_t duration_ns = run->launches.duration_ns;
        const struct counts counts = count_series(run, 1);
        /*
         * Where loops are cut a stall would have come to nothing: that it stood until now is how slow the machine is.
         */
        const bool stood = counts.stalled > 0 && run->launches.judged && run->session->probe.loops_cut_at == 0;
        outcome->duration_ns += duration_ns;
        outcome->ran += counts.ended + (stood ? 1 : 0);
        outcome->stalled += stood ? 1 : 0;
        outcome->undecided += counts.stalled > 0 && !stood ? 1 : 0;
        if (stood)
            note_least(&outcome->stall_ns, duration_ns);
        if (counts.stalled > 0)
            note_state(run, 0, stood);
        outcome->confirmed = outcome->confirmed || stood;
        const bool enough = run->block->level != LEVEL_GROUP && outcome->stalled == STALLS_ENOUGH;
        if (enough || outcome->undecided == UNDECIDED_MOST || session_is_interrupted(run->session))
            break;
    }
    return 0;
}

/* --- a block --- */

static int run_test(struct run *run, uint32_t number, const struct block_sink *sink, struct wire_done *done,
                    struct error *error)
{
    uint32_t next_at;

    run->outcome = (struct test_outcome){.test = number};
    run->debtors = 0;
    run->launches.outcome = OUTCOME_CL_ERROR;
    if (litmus_launches_take(&run->launches, &next_at, &done->code, error) != 0) {
        done->outcome = done->code == CL_SUCCESS                 ? run->launches.outcome
                        : done->code == CL_INVALID_BUILD_OPTIONS ? OUTCOME_UNSUPPORTED
                                                                 : OUTCOME_BUILD_FAILED;
        return -1;
    }
    const int outcome = is_watched(run->session) ? run_watched(run, error) : run_fused(run, error);
    if (outcome != 0) {
        done->outcome = run->launches.outcome;
        done->code = run->launches.code;
        return -1;
    }
    run->launches.test_at = next_at;
    if (sink->test(sink->context, &run->outcome) == 0)
        return 0;
    done->outcome = OUTCOME_CL_ERROR;
    return error_set(error, STATUS_HARNESS, "nobody takes the outcome of test %u", number);
}

void block_run(struct session *session, const struct block *block, const struct block_sink *sink,
               struct wire_done *done)
{
    struct error error = {0};
    struct run run = {.session = session, .block = block, .launches.outcome = OUTCOME_CL_ERROR};
    int outcome = block_check(block, &error) == 0 ? litmus_launches_open(&run.launches, session, block, &error) : -1;

    session->build_ns = 0;
    if (outcome != 0)
        done->outcome = run.launches.outcome;
    else if (block->level != LEVEL_GROUP)
        done->facts.threads = run.launches.shape.threads;
    for (uint32_t test = 0; outcome == 0 && test < block->test_count; ++test) {
        outcome = run_test(&run, test, sink, done, &error);
        if (outcome == 0 && session_is_interrupted(session)) {
            done->outcome = OUTCOME_INTERRUPTED;
            break;
        }
    }
    done->facts.build_ns = session->build_ns;
    if (outcome != 0)
        wire_fail(done, done->outcome, &error);
    litmus_launches_close(&run.launches);
}
