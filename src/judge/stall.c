#include "judge/stall.h"

enum {
    GAPS_TO_CONFIRM = 8,
    GAPS_TO_SUSPECT = 2,
    PATIENCE = 16, /* the time is doubled four times while groups that should be there are missing */
    PATIENCE_AGAIN = 4,
    CHURN_CONFIRMS = 40,
    CHURN_AGAIN_CONFIRMS = 4,
};

static uint64_t at_least(uint64_t floor_ns, uint64_t ns)
{
    return ns > floor_ns ? ns : floor_ns;
}

void stall_begin(struct stall_judge *judge)
{
    judge->digest = 0;
    judge->changed_ns = 0;
    judge->sampled = false;
    judge->suspected = false;
    judge->relapsed = false;
}

uint64_t stall_needed_ns(const struct stall_judge *judge, uint32_t started)
{
    if (judge->fixed)
        return judge->confirm_ns;
    if (started == judge->confirmed_groups)
        return at_least(judge->suspect_ns, GAPS_TO_SUSPECT * judge->gap_ns);
    uint64_t needed_ns = at_least(judge->confirm_ns, GAPS_TO_CONFIRM * judge->gap_ns);
    return started < judge->proven_groups ? PATIENCE * needed_ns : needed_ns;
}

static void note_change(struct stall_judge *judge, uint64_t now_ns, uint64_t digest)
{
    if (judge->sampled && now_ns - judge->changed_ns > judge->gap_ns)
        judge->gap_ns = now_ns - judge->changed_ns;
    if (judge->suspected)
        judge->relapsed = true;
    judge->suspected = false;
    judge->sampled = true;
    judge->changed_ns = now_ns;
    judge->digest = digest;
}

enum stall_advice stall_sample(struct stall_judge *judge, uint64_t now_ns, uint64_t digest, uint32_t started)
{
    if (started == 0)
        return STALL_WAIT;
    if (!judge->sampled || digest != judge->digest) {
        note_change(judge, now_ns, digest);
        return STALL_WAIT;
    }
    const uint64_t quiet_ns = now_ns - judge->changed_ns;
    const uint64_t needed_ns = stall_needed_ns(judge, started);
    if (quiet_ns >= judge->suspect_ns)
        judge->suspected = true;
    if (quiet_ns >= needed_ns)
        return STALL_DECIDE;
    return quiet_ns >= needed_ns / 2 ? STALL_LOOK : STALL_WAIT;
}

bool stall_decide(struct stall_judge *judge, uint64_t now_ns, uint32_t started, bool blocked)
{
    const uint64_t needed_ns = stall_needed_ns(judge, started);
    /* Where one like it stood the whole time before, less will do. */
    const uint32_t patience = started == judge->confirmed_groups ? judge->patience / PATIENCE_AGAIN : judge->patience;
    if (!blocked && !judge->fixed && now_ns - judge->changed_ns < patience * needed_ns)
        return false;
    judge->confirmed_groups = started;
    return true;
}

bool stall_churns(struct stall_judge *judge, uint64_t now_ns, uint64_t changed_ns, uint64_t moved_ns)
{
    const uint64_t confirms = judge->churned ? CHURN_AGAIN_CONFIRMS : CHURN_CONFIRMS;
    const bool changing = now_ns - changed_ns < judge->suspect_ns;
    if (!changing || now_ns - moved_ns < confirms * judge->confirm_ns)
        return false;
    judge->churned = true;
    return true;
}

void stall_refute(struct stall_judge *judge, uint64_t now_ns, bool changed)
{
    judge->confirmed_groups = 0;
    judge->suspected = false;
    judge->relapsed = judge->relapsed || changed;
    judge->changed_ns = now_ns;
}
