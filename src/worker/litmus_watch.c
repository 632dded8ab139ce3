#include "abi.h"
#include "base/clock.h"
#include "device/enqueuer.h"
#include "worker/litmus_launch.h"

#include <string.h>

enum {
    SAMPLE_NS = 200 * 1000, /* least time between two samples; or as long as the last one took */
    NO_FUSE = UINT32_MAX,
    LONGEST_CONFIRMS = 40, /* times confirm_ns: a launch that goes on for longer, if slowly, is not waited for */
    GAP_MOST_NS =
        25 * 1000000, /* a longer one is a livelock that ended, and says nothing of how groups get their turns */
    UNSEEN_NS = 100 * 1000000, /* a longer time between two samples does not count: the whole process may have stood */
};

static int stop(struct litmus_launches *launches, struct error *error)
{
    session_stage(launches->session, STAGE_STOPPING);
    return board_memory_poke(launches->session, &launches->session->pages, GL_PAGE_STOP, GL_STOP_HOST, error);
}

static uint32_t moves_of(const uint32_t *words)
{
    return words[GL_PAGE_STARTS] + words[GL_PAGE_ENDS];
}

/* Groups that have started and not ended; at least one as soon as any has started, for the judge. */
static uint32_t present_in(const uint32_t *words)
{
    const uint32_t starts = words[GL_PAGE_STARTS], ends = words[GL_PAGE_ENDS];
    return starts == 0 ? 0 : starts > ends ? starts - ends : 1;
}

static int decide(struct litmus_launches *launches, uint64_t now_ns, bool blocked, struct error *error)
{
    const uint32_t *words = launches->session->pages.copy;
    launches->judged = stall_decide(&launches->judge, now_ns, present_in(words), blocked);
    return launches->judged ? stop(launches, error) : 0;
}

/*
 * Below groups a thread that gets no turns while another one does is what is looked for: they share what runs them.
 */
static bool is_below_groups(const struct litmus_launches *launches)
{
    return launches->block->level != LEVEL_GROUP;
}

/*
 * A group that could go on by itself may only wait for its turn; but where the time is fixed, that is all there is to
 * it.
 */
static bool is_blocked(struct litmus_launches *launches, const struct litmus_page *page)
{
    if (launches->judge.fixed || is_below_groups(launches))
        return true;
    litmus_page_instances(page, launches->instances);
    return litmus_instances_blocked(&launches->test, launches->instances, page->groups / launches->test.threads);
}

/* Where a thread is that has not looked for a while nobody knows; the whole device may have stood. */
static int compare(struct litmus_launches *launches, const struct litmus_page *page, uint64_t now_ns,
                   struct error *error)
{
    const bool looked = is_below_groups(launches) ? litmus_page_turned(page, launches->before)
                                                  : litmus_page_looked(page, launches->before);

    if (!looked && launches->judge.fixed)
        return 0;
    return decide(launches, now_ns, looked && is_blocked(launches, page), error);
}

static int look_closer(struct litmus_launches *launches, enum stall_advice advice, uint64_t now_ns, struct error *error)
{
    const struct litmus_page page = litmus_launches_page(launches, 0);

    if (advice == STALL_LOOK && launches->has_before)
        return 0;
    if (board_memory_read(launches->session, &launches->session->pages, litmus_launches_page_words(launches), true,
                          error) != 0)
        return -1;
    if (moves_of(page.words) != launches->judge.digest)
        return 0; /* the next sample sees it, too */
    if (launches->has_before)
        return compare(launches, &page, now_ns, error);
    /* A look at all groups, to compare a later one with. */
    memcpy(launches->before, page.words + GL_PAGE_SLOTS, page.groups * sizeof *launches->before);
    launches->has_before = true;
    return 0;
}

static void note_time(struct litmus_launches *launches, uint64_t now_ns)
{
    if (launches->sampled_ns != 0 && now_ns - launches->sampled_ns > UNSEEN_NS)
        stall_refute(&launches->judge, now_ns, false);
    launches->sampled_ns = now_ns;
}

static int sample(struct litmus_launches *launches, uint64_t *cost_ns, struct error *error)
{
    const uint64_t began_ns = clock_ns();
    struct board_memory *pages = &launches->session->pages;

    if (launches->judged)
        return 0;
    if (board_memory_read(launches->session, pages, GL_PAGE_SLOTS, true, error) != 0)
        return -1;
    const uint64_t now_ns = clock_ns();
    const uint32_t moves = moves_of(pages->copy);
    *cost_ns = now_ns - began_ns;
    note_time(launches, began_ns);
    launches->has_before = launches->has_before && moves == launches->judge.digest;
    const enum stall_advice advice = stall_sample(&launches->judge, now_ns, moves, present_in(pages->copy));
    if (launches->judge.gap_ns > GAP_MOST_NS)
        launches->judge.gap_ns = GAP_MOST_NS;
    return advice == STALL_WAIT ? 0 : look_closer(launches, advice, now_ns, error);
}

static int watch(struct litmus_launches *launches, struct launch_end *end, struct error *error)
{
    struct session *session = launches->session;
    const uint64_t until_ns = clock_ns() + LONGEST_CONFIRMS * launches->block->confirm_ns;
    uint64_t cost_ns = 0;
    bool stopped = false;

    while (!enqueuer_wait(session->enqueuer, cost_ns > SAMPLE_NS ? cost_ns : SAMPLE_NS, end)) {
        const bool too_long = clock_ns() > until_ns && !launches->judge.suspected;
        if (!stopped && (too_long || session_is_interrupted(session))) {
            stopped = true;
            if (stop(launches, error) != 0)
                return -1;
        }
        if (!stopped && sample(launches, &cost_ns, error) != 0)
            return -1;
    }
    return 0;
}

int litmus_launch_watched(struct litmus_launches *launches, uint32_t fuse_total, struct error *error)
{
    struct session *session = launches->session;
    struct launch_end end;
    size_t range[2];

    launches->judged = launches->has_before = false;
    launches->sampled_ns = 0;
    stall_begin(&launches->judge);
    if (litmus_launches_prepare(launches, 1, NO_FUSE, fuse_total, error) != 0 ||
        litmus_launches_set_page(launches, 0, error) != 0)
        return -1;
    const cl_uint dimensions = litmus_launches_range(launches, range);
    session_stage(session, STAGE_RUNNING);
    enqueuer_launch(session->enqueuer,
                    &(struct launch){.queue = session->queue,
                                     .kernel = launches->program->kernel,
                                     .dimensions = dimensions,
                                     .global_size = {range[0], range[1]},
                                     .local_size = {launches->shape.local[0], launches->shape.local[1]}});
    if (watch(launches, &end, error) != 0)
        return -1;
    launches->duration_ns = end.ended_ns - end.began_ns;
    if (end.enqueue_code != CL_SUCCESS || end.finish_code != CL_SUCCESS)
        return litmus_launches_fail(launches, end.enqueue_code, end.finish_code, error);
    if (board_memory_read(session, &session->pages, litmus_launches_page_words(launches), false, error) != 0)
        return -1;
    const struct litmus_page page = litmus_launches_page(launches, 0);
    if (litmus_launches_check_shape(launches, 0, error) != 0)
        return -1;
    /* On a GPU, and below groups, threads that the stop has freed may end; they say so. */
    const uint32_t freed = launches->judge.fixed || is_below_groups(launches) ? litmus_page_late(&page) : 0;
    launches->judged = launches->judged && moves_of(page.words) - freed == launches->judge.digest;
    return 0;
}
