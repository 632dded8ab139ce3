#include "worker/watch.h"

#include "base/clock.h"
#include "base/trace.h"
#include "worker/proving.h"

#include <inttypes.h>
#include <stdatomic.h>

enum {
    SAMPLE_NS = 200 * 1000, /* least time between two samples; or as long as the last one took */
    SMALL_BOARD_WORDS = 1 << 14,
    UNSAMPLED_NS = 50 * 1000000,    /* between looks for an interruption, without a channel */
    RENEW_NS = 5 * 1000000,         /* between two renewals of the fuses */
    UNWATCHED_PERIODS = 10,         /* what a longer gap between two samples counts for */
    TURN_NS = 50 * 1000,            /* what a thread must have run for while a set is closed ... */
    UNTOLD_TURN_NS = 500 * 1000000, /* ... and where groups of it may act unseen */
    LOOKS = 32,                     /* at a large board, in the time that a stall must stand */
    LOOK_SHARE = 2,                 /* times what a look at it costs: the least time between two */
};

void watch_begin(struct watch *watch)
{
    const struct trial *trial = watch->plan->trial;

    watch->whole = trial_board_words(trial) <= SMALL_BOARD_WORDS;
    session_end_overdue(watch->session);
    stall_begin(watch->judge);
    watch->session->standing.gap_ns = watch->judge->gap_ns;
    watch->session->standing.again = watch->judge->confirmed_groups != 0;
    atomic_store_explicit(&watch->session->mirror->longest_ns, 0, memory_order_relaxed);
    if (trial->samples)
        samples_begin(&watch->session->samples, trial->groups);
    standing_begin(&watch->session->standing, trial->groups);
    proving_begin(watch);
}

bool watch_proves(const struct watch *watch)
{
    return watch->session->probe.channel == CHANNEL_PROOF;
}

int watch_stop(struct watch *watch, uint32_t why, struct error *error)
{
    session_stage(watch->session, STAGE_STOPPING);
    watch->stopped = true;
    return board_memory_poke(watch->session, &watch->session->board, GL_STOP, GL_STOP_HOST | why, error);
}

/* --- what the board says now --- */

static struct board board_now(const struct watch *watch)
{
    return trial_board(watch->plan->trial, watch->session->board.copy);
}

/* What a launch took between two changes it may take once more until it sees the stop word. */
static void note_quiet(struct mirror *mirror, uint64_t quiet_ns)
{
    if (quiet_ns > atomic_load_explicit(&mirror->longest_ns, memory_order_relaxed))
        atomic_store_explicit(&mirror->longest_ns, quiet_ns, memory_order_relaxed);
}

/* Reads the whole board, to see what the control words do not tell. */
static int look(struct watch *watch, struct error *error)
{
    struct session *session = watch->session;
    const struct board board = board_now(watch);
    const size_t words = trial_board_words(watch->plan->trial);
    const uint64_t began_ns = clock_ns();

    if ((!watch->whole || watch->sampled_ns == 0) &&
        board_memory_read(session, &session->board, words, true, error) != 0)
        return -1;
    launch_mirror_board(session, session->mirror->live, words, &session->mirror->live_words);
    watch->looked_ns = watch->clock_ns;
    watch->look_ns = clock_ns() - began_ns;
    note_quiet(session->mirror, watch->clock_ns - session->standing.changed_ns);
    standing_look(&session->standing, &board, watch->clock_ns);
    if (watch->plan->trial->samples)
        samples_look(&session->samples, &board, watch->clock_ns);
    if (watch->whole)
        watch->judge->gap_ns = session->standing.gap_ns;
    return 0;
}

/* Notes what the board tells before the stop word blurs it; `marks` as observation_read has them. */
static void tell(struct watch *watch, const unsigned char *marks)
{
    const struct board board = board_now(watch);

    watch->live = (struct observation){.outcome = OUTCOME_LEFT_RUNNING};
    watch->live.gap_ns = watch->judge->gap_ns;
    if (!watch_proves(watch))
        watch->live.busy = standing_busy(&watch->session->standing, &board, watch->clock_ns, &watch->live.busy_at);
    observation_read(&watch->live, watch->plan->trial, &board, marks);
    watch->told = true;
}

static void suspect(const struct watch *watch)
{
    if (watch->plan->suspect != NULL)
        watch->plan->suspect(watch->plan->context, &watch->live);
}

void watch_give_up(struct watch *watch)
{
    watch->observation->overdue = true;
    tell(watch, NULL);
    watch->live.overdue = true;
    suspect(watch);
}

int watch_judged(struct watch *watch, const unsigned char *marks, struct error *error)
{
    const bool live = watch->plan->trial->live;

    tell(watch, marks);
    trace("stall: %" PRIu32 " groups started, %" PRIu32 " wait, %" PRIu32
          " done; nothing of theirs changed for %.3f ms",
          watch->live.started, watch->live.waiting, watch->live.done,
          (double)(watch->clock_ns - watch->session->standing.moved_ns) / 1e6);
    watch->live.judged = watch->live.confirmed = true;
    watch->observation->judged = watch->observation->confirmed = true;
    suspect(watch);
    if (!live)
        return watch_stop(watch, watch_proves(watch) ? GL_STOP_PROVED : 0, error);
    *watch->observation = watch->live;
    watch->observation->duration_ns = watch->clock_ns; /* so far */
    return 0;
}

/* --- what is decided from it --- */

static int sample_census(struct watch *watch, struct error *error)
{
    const uint32_t arrivals = watch->session->board.copy[GL_CENSUS] & ~GL_CLOSED;

    if (arrivals == 0 || watch->closed)
        return 0;
    if (arrivals != watch->arrivals) {
        const uint64_t gap_ns = watch->clock_ns - watch->arrived_ns;
        if (watch->arrivals != 0 && gap_ns > watch->observation->gap_ns)
            watch->observation->gap_ns = gap_ns;
        watch->arrivals = arrivals;
        watch->arrived_ns = watch->clock_ns;
        return 0;
    }
    if (watch->clock_ns - watch->arrived_ns < watch->plan->close_ns)
        return 0;
    watch->closed = true;
    trace("census: closed after %" PRIu32 " arrivals", arrivals);
    return board_memory_poke(watch->session, &watch->session->board, GL_CLOSE, 1, error);
}

/* A closed set of groups that are stuck is a stall, whatever the others do. */
static int sample_stall(struct watch *watch, uint64_t needed_ns, struct error *error)
{
    struct standing *standing = &watch->session->standing;
    const struct board board = board_now(watch);
    const uint32_t stuck = standing_close(standing, &board, watch->clock_ns, needed_ns);

    if (stuck == 0) {
        turns_fini(&watch->turns);
        return 0;
    }
    /*
     * A group that has not started may be one that a thread would take next. What no board tells takes processor time:
     * on a busy machine, or with many threads, two seconds may be little of that.
     */
    if (watch->session->info.kind == DEVICE_CPU &&
        !turns_had(&watch->turns, standing->untold ? UNTOLD_TURN_NS : TURN_NS))
        return 0;
    watch->judge->confirmed_groups = board.words[GL_STARTED];
    return watch_judged(watch, standing->marks, error);
}

/* A launch that changes without progress for long enough is ended. */
static int sample_churn(struct watch *watch, struct error *error)
{
    const struct standing *standing = &watch->session->standing;
    const struct board board = board_now(watch);

    if (!standing_turns(standing, &board, watch->clock_ns) ||
        !stall_churns(watch->judge, watch->clock_ns, standing->changed_ns, standing->moved_ns))
        return 0;
    trace("the launch changes without progress");
    watch->observation->churned = true;
    tell(watch, NULL);
    return watch_stop(watch, 0, error);
}

/* The fuses of groups that wait are there against a host that is gone, unless the scenario has set them. */
static int renew_fuse(struct watch *watch, struct error *error)
{
    if (watch->plan->trial->work.numbers.fuse != 0 || watch->session->probe.loops_cut_at != 0 ||
        watch->clock_ns - watch->renewed_ns < RENEW_NS)
        return 0;
    watch->renewed_ns = watch->clock_ns;
    return board_memory_poke(watch->session, &watch->session->board, GL_RENEWED, ++watch->renewed, error);
}

static int decide(struct watch *watch, uint64_t needed_ns, struct error *error)
{
    const struct launch_plan *plan = watch->plan;

    if (sample_stall(watch, needed_ns, error) != 0)
        return -1;
    if (watch->stopped || plan->trial->live || plan->mode != GL_MODE_WORK)
        return 0;
    if (sample_churn(watch, error) != 0)
        return -1;
    return watch->stopped ? 0 : renew_fuse(watch, error);
}

static bool is_due(const struct watch *watch, uint64_t needed_ns)
{
    const uint64_t since_ns = watch->clock_ns - watch->looked_ns;

    if (watch->whole || watch->looked_ns == 0)
        return true;
    if (watch->clock_ns >= watch->decided_ns && watch->looked_ns < watch->decided_ns)
        return true; /* nothing else has to be waited for */
    if (watch->clock_ns < watch->decided_ns && watch->decided_ns - watch->clock_ns < needed_ns / LOOKS)
        return false; /* it would delay the look that decides */
    return since_ns >= needed_ns / LOOKS && since_ns >= LOOK_SHARE * watch->look_ns;
}

/* Until the next sample: no later than when all that stands will have stood for long enough. */
static uint64_t pause_of(const struct watch *watch)
{
    const uint64_t period_ns = watch->cost_ns > SAMPLE_NS ? watch->cost_ns : SAMPLE_NS;

    if (watch->session->probe.channel == CHANNEL_NONE)
        return UNSAMPLED_NS;
    if (watch_proves(watch))
        return SAMPLE_NS;
    if (watch->clock_ns >= watch->decided_ns || watch->decided_ns - watch->clock_ns > period_ns)
        return period_ns;
    return watch->decided_ns - watch->clock_ns;
}

/* --- the loop --- */

/* Time that nobody watched does not count: the process, or the machine, may have stood. */
static void advance_clock(struct watch *watch, uint64_t began_ns, uint64_t now_ns)
{
    const uint64_t period_ns = watch->cost_ns > SAMPLE_NS ? watch->cost_ns : SAMPLE_NS;
    const uint64_t gap_ns = watch->sampled_ns == 0 ? 0 : now_ns - watch->sampled_ns;

    watch->clock_ns += gap_ns < UNWATCHED_PERIODS * period_ns ? gap_ns : UNWATCHED_PERIODS * period_ns;
    watch->sampled_ns = now_ns;
    watch->cost_ns = now_ns - began_ns;
}

static int sample(struct watch *watch, struct error *error)
{
    struct session *session = watch->session;
    const bool census = watch->plan->mode == GL_MODE_CENSUS;
    const size_t words = watch->whole && !census ? trial_board_words(watch->plan->trial) : GL_CONTROL_WORDS;
    const uint64_t began_ns = clock_ns();

    if (board_memory_read(session, &session->board, words, true, error) != 0)
        return -1;
    advance_clock(watch, began_ns, clock_ns());
    if (census)
        return sample_census(watch, error);
    if (session->board.copy[GL_STOP] != 0)
        return 0; /* a fuse blew: what groups do now they do because of that */
    const uint32_t started = session->board.copy[GL_STARTED];
    const uint64_t needed_ns = stall_needed_ns(watch->judge, started);
    if (watch->stopped || started == 0 || !is_due(watch, needed_ns))
        return 0;
    if (look(watch, error) != 0)
        return -1;
    watch->decided_ns = session->standing.changed_ns + needed_ns;
    return decide(watch, needed_ns, error);
}

/* The user, or the deadline of the launch, wants it to end. */
static int obey(struct watch *watch, enum stop_request request, struct error *error)
{
    const bool sampled = watch->session->probe.channel != CHANNEL_NONE;
    const bool live = watch->plan->trial->live; /* which does not look at the stop word */

    trace("the launch is to end: %s", request == STOP_OVERDUE ? "its time is up" : "interrupted");
    if (request == STOP_OVERDUE)
        watch->observation->overdue = true;
    else
        watch->observation->outcome = OUTCOME_INTERRUPTED;
    watch->stopped = true;
    if (!sampled || live)
        return 0;
    if (request == STOP_OVERDUE && watch->plan->mode != GL_MODE_CENSUS) {
        if (look(watch, error) != 0)
            return -1;
        watch_give_up(watch);
    }
    return watch_stop(watch, 0, error);
}

int watch_run(struct watch *watch, struct launch_end *end, bool *ended, struct error *error)
{
    struct session *session = watch->session;
    const bool live = watch->plan->trial->live;
    const bool proves = watch_proves(watch);
    const bool sampled = session->probe.channel != CHANNEL_NONE && !proves;

    for (;;) {
        *ended = enqueuer_wait(session->enqueuer, pause_of(watch), end);
        if (*ended)
            return 0;
        const enum stop_request request = session_stop_request(session);
        if (!watch->stopped && request != STOP_NOT && obey(watch, request, error) != 0)
            return -1;
        if (live && watch->observation->outcome == OUTCOME_INTERRUPTED)
            return 0;
        if (sampled && sample(watch, error) != 0)
            return -1;
        if (proves && proving_answer(watch, error) != 0)
            return -1;
        if (watch->observation->outcome == OUTCOME_LEFT_RUNNING && !proves)
            return 0; /* a device that proves has left it, too, and says when */
    }
}

/* --- the end --- */

/* A group that was thought to be stuck has gone on, or one that was thought not to start has. */
static bool is_refuted(const struct watch *watch, const struct board *board)
{
    const bool starved = watch->live.waitfor.never_started != WAITFOR_NOBODY;
    return standing_refuted(&watch->session->standing, board) ||
           (starved && board->words[GL_STARTED] != watch->live.started);
}

static void keep_what_was_told(struct watch *watch)
{
    struct observation *observation = watch->observation;

    observation->busy = watch->live.busy;
    observation->busy_at = watch->live.busy_at;
    if (!observation->judged)
        return;
    observation->waitfor = watch->live.waitfor;
    observation->ready = watch->live.ready;
}

void watch_conclude(struct watch *watch, uint64_t lasted_ns)
{
    struct observation *observation = watch->observation;
    const struct standing *standing = &watch->session->standing;
    const struct board board = board_now(watch);
    const bool at_last = !watch->stopped && standing_advanced(standing, &board);
    const uint64_t still_ns = at_last ? 0 : watch->clock_ns - standing->moved_ns;

    if (standing->looked)
        observation->still_ns = still_ns == 0 ? 1 : still_ns < lasted_ns ? still_ns : lasted_ns;
    if (watch->told)
        keep_what_was_told(watch);
    if (!observation->judged || watch_proves(watch) || watch->plan->trial->live || !is_refuted(watch, &board))
        return;
    observation->confirmed = false;
    observation->relapsed = true;
    watch->judge->confirmed_groups = 0;
}
