#include "worker/attempt.h"

#include "core/fuse.h"
#include "device/calls.h"
#include "worker/occupant.h"

enum {
    IDLE_SHIFT_MOST = 8, /* as a power of two: the idle fuse may become so much longer beside groups that ran */
    IDLE_FIRST = 4 * GL_LOOK_POLLS,
    /* A fuse took no time if its launch took less than so many times the one with the shortest fuse, plus so many times
       the time that a stall must stand to be confirmed: so much may be due to the machine. */
    FIRSTS = 2,
    STANDS = 8,
};

bool attempt_is_unwatched(const struct session *session)
{
    return session->probe.channel == CHANNEL_NONE && session->probe.loops_cut_at == 0;
}

/* And what its waits do between two polls is not known. */
static bool is_unwatched_work(const struct attempt *attempt)
{
    return attempt->trial->kind == TRIAL_WORK && attempt_is_unwatched(attempt->session);
}

static struct fuse_terms fuse_terms(const struct attempt *attempt, uint32_t idle_factor)
{
    const struct device_probe *probe = &attempt->session->probe;
    const struct trial *trial = attempt->trial;

    return (struct fuse_terms){
        .cpu = attempt->session->info.kind == DEVICE_CPU,
        .watched = probe->channel != CHANNEL_NONE && probe->loops_cut_at == 0,
        .alone_ps = probe->poll_ps,
        .worst_ps = attempt->worst_poll_ps,
        .loops_cut_at = probe->loops_cut_at,
        .asked = trial->work.numbers.fuse,
        .suspect_ns = trial->suspect_ns,
        .confirm_ns = trial->confirm_ns,
        .limit_ns = attempt->session->info.kind == DEVICE_CPU && is_unwatched_work(attempt)
                        ? atomic_load(&attempt->session->mirror->running_ns)
                        : 0,
        .shift = attempt->session->fuse_shift + attempt->fuse_shift,
        .idle_factor = idle_factor << attempt->idle_shift,
        .idle_most = attempt->idle_most,
    };
}

/*
 * A launch that spun tells what a poll costs here, under this contention. A scenario's kernel may do other things
 * than poll; it tells only if it stalled, and so did little else. Only this trial goes by it: a shorter fuse in another
 * one would make its verdict depend on what ran before.
 */
static void note_poll(struct attempt *attempt, const struct observation *observation)
{
    enum { POLLS_THAT_TELL = 4096, LASTED_MOST_NS = 1000000000 }; /* a fuse may have been renewed in a longer one */
    if (!observation->board_read || observation->polls < POLLS_THAT_TELL ||
        (attempt->trial->kind == TRIAL_WORK && !observation->judged))
        return;
    uint64_t lasted_ns = observation->device_ns != 0 ? observation->device_ns : observation->duration_ns;
    if (lasted_ns > LASTED_MOST_NS)
        return;
    uint64_t poll_ps = lasted_ns / observation->polls * 1000;
    if (poll_ps > attempt->worst_poll_ps)
        attempt->worst_poll_ps = poll_ps;
}

/* What the passes before showed belongs to the whole. */
static void add_pass(struct observation *observation, const struct observation *before)
{
    observation->duration_ns += before->duration_ns;
    observation->device_ns += before->device_ns;
    observation->checked += before->checked;
    observation->stale += before->stale;
    observation->wrong += before->wrong;
}

/* The launches that make up one; the first that does not complete is the last. Then the results are verified. */
static int run_passes(struct attempt *attempt, struct observation *observation, struct error *error)
{
    const struct trial *trial = attempt->trial;
    const uint32_t passes = trial->kind == TRIAL_WORK ? trial->work.launches : 1;
    struct observation before = {0};
    bool complete = true;

    for (uint32_t pass = 0; pass < passes && complete; ++pass) {
        attempt->plan.pass = pass;
        if (launch_run(attempt->session, &attempt->plan, &attempt->judge, observation, error) != 0)
            return -1;
        note_poll(attempt, observation);
        add_pass(observation, &before);
        before = *observation;
        complete = observation->outcome == OUTCOME_ENDED && observation->done == trial->groups;
    }
    if (trial->kind != TRIAL_WORK || !complete)
        return 0;
    return data_verify(attempt->session, trial, &attempt->data, observation, error);
}

/* The same, with the groups of the second queue resident. */
static int run_in_company(struct attempt *attempt, struct observation *observation, struct error *error)
{
    struct session *session = attempt->session;
    const struct fuse_terms terms = fuse_terms(attempt, 1);
    const uint32_t fuse = fuse_total(&terms);

    if (attempt->trial->kind != TRIAL_WORK || attempt->trial->work.numbers.held == 0)
        return run_passes(attempt, observation, error);
    if (session->occupant == NULL && (session->occupant = occupant_open(session, error)) == NULL)
        return -1;
    int outcome =
        occupant_start(session->occupant, attempt->trial, fuse < UINT32_MAX / 4 ? 4 * fuse : UINT32_MAX, error);
    if (outcome == 0) {
        outcome = run_passes(attempt, observation, error);
        if (outcome == 0)
            outcome = occupant_stop(session->occupant, error);
    }
    if (outcome == 0 || error->status != STATUS_UNSUPPORTED)
        return outcome;
    *observation = (struct observation){.outcome = OUTCOME_UNSUPPORTED, .groups = attempt->trial->groups};
    return 0;
}

/* The driver refused the shape of the launch, or said so. */
static bool is_refused(const struct observation *observation)
{
    return observation->outcome == OUTCOME_UNSUPPORTED && observation->code != CL_SUCCESS;
}

static void set_fuses(struct attempt *attempt, uint32_t idle_factor)
{
    const struct fuse_terms terms = fuse_terms(attempt, idle_factor);
    const bool unasked = attempt->trial->kind == TRIAL_CENSUS && attempt->session->probe.channel == CHANNEL_NONE;

    attempt->plan.fuse_total = fuse_total(&terms);
    attempt->plan.fuse_idle = fuse_idle(&terms);
    attempt->plan.close_polls = unasked ? fuse_close(&terms, attempt->plan.close_ns) : 0;
}

/* An idle fuse blew that was shorter than usual, and that took no time. */
static bool blew_at_once(struct attempt *attempt, const struct observation *observation)
{
    struct fuse_terms usual = fuse_terms(attempt, 1);

    usual.idle_most = 0;
    if (!attempt_blew_idle(observation) || attempt->idle_most == 0 || attempt->plan.fuse_idle >= fuse_idle(&usual))
        return false;
    if (attempt->first_ns == 0)
        attempt->first_ns = observation->duration_ns;
    return observation->duration_ns < FIRSTS * attempt->first_ns + STANDS * attempt->trial->confirm_ns;
}

/* A device that lacks what a launch needs refuses it always: a refusal that does not come back is an error. */
static int launch_with_fuses(struct attempt *attempt, uint32_t idle_factor, struct observation *observation,
                             struct error *error)
{
    struct observation again = {.outcome = OUTCOME_UNSUPPORTED};

    set_fuses(attempt, idle_factor);
    if (run_in_company(attempt, observation, error) != 0)
        return -1;
    if (is_refused(observation) && !attempt->ran && run_in_company(attempt, &again, error) != 0)
        return -1;
    attempt->ran = attempt->ran || observation->outcome == OUTCOME_ENDED || again.outcome == OUTCOME_ENDED;
    if (is_refused(observation) && attempt->ran)
        observation->outcome = OUTCOME_CL_ERROR;
    return 0;
}

int attempt_launch(struct attempt *attempt, uint32_t idle_factor, struct observation *observation, struct error *error)
{
    if (attempt->idle_most == 0 && is_unwatched_work(attempt))
        attempt->idle_most = IDLE_FIRST;
    if (launch_with_fuses(attempt, idle_factor, observation, error) != 0)
        return -1;
    while (blew_at_once(attempt, observation)) {
        attempt->idle_most <<= FUSE_LONGER;
        if (launch_with_fuses(attempt, idle_factor, observation, error) != 0)
            return -1;
    }
    return 0;
}

bool attempt_blew_idle(const struct observation *observation)
{
    return observation->outcome == OUTCOME_ENDED && observation->ended_idle > 0;
}

bool attempt_is_judged(const struct observation *observation)
{
    return observation->judged || observation->churned;
}

bool attempt_blew_early(const struct attempt *attempt, const struct observation *observation)
{
    const struct fuse_terms terms = fuse_terms(attempt, 1);

    return attempt->trial->kind != TRIAL_CENSUS && observation->outcome == OUTCOME_ENDED &&
           observation->ended_total > 0 && !attempt_is_judged(observation) &&
           fuse_may_grow(&terms, observation->duration_ns);
}

bool attempt_has_time(const struct attempt *attempt, const struct observation *observation, uint64_t times)
{
    const struct fuse_terms terms = fuse_terms(attempt, 1);

    return fuse_has_time(&terms, observation->duration_ns, times);
}

/* Without a channel: an idle fuse blew while another group could have gone on. */
static bool blew_beside_others(const struct attempt *attempt, const struct observation *observation)
{
    return attempt_blew_idle(observation) && (observation->stop & GL_STOP_BUSY) != 0 &&
           attempt->idle_shift < IDLE_SHIFT_MOST && attempt_has_time(attempt, observation, 1 << FUSE_LONGER);
}

bool attempt_blew_too_soon(const struct attempt *attempt, const struct observation *observation)
{
    return attempt_blew_early(attempt, observation) || blew_beside_others(attempt, observation);
}

void attempt_lengthen(struct attempt *attempt, const struct observation *observation)
{
    if (blew_beside_others(attempt, observation))
        attempt->idle_shift += FUSE_LONGER;
    else
        attempt->fuse_shift += FUSE_LONGER;
}
