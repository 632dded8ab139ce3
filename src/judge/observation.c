#include "judge/observation.h"

#include "judge/closure.h"

NAMING_DEFINE(outcome, enum outcome, OUTCOME_COUNT, "ended", "left-running", "killed", "crashed", "device-lost",
              "build-failed", "unsupported", "cl-error", "interrupted", "stood");

/* The group is done, and what it last saw proves that what it waited for was true. */
static bool is_witness(const struct trial *trial, const struct board *board, uint32_t group)
{
    if (!board_ended(board, group))
        return false;
    switch (trial->kind) {
    case TRIAL_BARRIER:
        /* The counter only grows, so after the last round it is what all groups together added. */
        return board_entry(board, group, GL_ENDED) == GL_ENDED_HELD &&
               board_entry(board, group, GL_ROUND) == trial->rounds &&
               board_entry(board, group, GL_SEEN) == trial->rounds * trial->groups;
    case TRIAL_CENSUS:
        return !board_entry(board, group, GL_COUNTED) || (board_entry(board, group, GL_SEEN) & GL_CLOSED);
    case TRIAL_DISCOVERY:
        return !board_entry(board, group, GL_COUNTED) || board_entry(board, group, GL_ENDED) == GL_ENDED_HELD;
    case TRIAL_WORK:
        return board_entry(board, group, GL_PROVEN) == board_entry(board, group, GL_WAITS);
    default: /* the others have no board */
        return false;
    }
}

/*
 * The driver cut the group's wait: the kernel has ended, and the group still waits with neither fuse nor
 * stop word to blame, or went on although the word had not reached the value. What the group itself
 * says of it (GL_ENDED_CUT) is not enough: a compiler may take for granted that loops only end as written.
 */
static bool is_cut(const struct observation *observation, const struct trial *trial, const struct board *board,
                   uint32_t group)
{
    const uint32_t ended = board_entry(board, group, GL_ENDED);
    const bool met = board_is_met(board_wait_kind(board, group), board_entry(board, group, GL_SEEN),
                                  board_entry(board, group, GL_WAIT_VALUE));

    if (observation->outcome != OUTCOME_ENDED)
        return false;
    /* One that has what it waited for may have returned without a word. */
    if (board_waiting(board, group))
        return ended == GL_ENDED_CUT ||
               (!board_ready(board, group) && (ended == GL_ENDED_NONE || ended == GL_ENDED_HELD));
    /* A kernel that waits often counts the waits that ended with what they waited for. */
    if (trial->kind == TRIAL_WORK && board_entry(board, group, GL_PROVEN) != board_entry(board, group, GL_WAITS))
        return ended == GL_ENDED_CUT || ended == GL_ENDED_HELD;
    return ended == GL_ENDED_CUT || (trial->kind != TRIAL_CENSUS && ended == GL_ENDED_HELD && !met);
}

static void count_group(struct observation *observation, const struct trial *trial, const struct board *board,
                        const unsigned char *marks, uint32_t group)
{
    uint32_t ended = board_entry(board, group, GL_ENDED);
    uint32_t polls = board_entry(board, group, GL_POLLS);

    observation->late += board_entry(board, group, GL_LATE) != 0;
    if (!board_started(board, group))
        return;
    observation->started += 1;
    observation->waiting += board_waiting(board, group);
    observation->ready += marks != NULL ? marks[group] == CLOSURE_UNSEEN : board_ready(board, group);
    observation->done += board_ended(board, group);
    observation->counted += trial->kind != TRIAL_WORK && board_entry(board, group, GL_COUNTED) != 0;
    observation->checked += board_entry(board, group, GL_CHECKED);
    observation->stale += board_entry(board, group, GL_STALE);
    observation->wrong += board_entry(board, group, GL_WRONG);
    observation->witnesses += is_witness(trial, board, group);
    observation->ended_stop += ended == GL_ENDED_STOP;
    observation->ended_idle += ended == GL_ENDED_IDLE;
    observation->ended_total += ended == GL_ENDED_TOTAL;
    observation->ended_cut += is_cut(observation, trial, board, group);
    /* The total fuse tells a livelock only if the board was still changing in its last half. */
    observation->busy_total += ended == GL_ENDED_TOTAL && board_entry(board, group, GL_IDLE) < polls / 2;
    if (polls > observation->polls)
        observation->polls = polls;
}

void observation_read(struct observation *observation, const struct trial *trial, const struct board *board,
                      const unsigned char *marks)
{
    observation->groups = trial->groups;
    observation->board_read = true;
    observation->stop = board->words[GL_STOP];
    observation->seed = trial->kind == TRIAL_WORK ? board->words[GL_SEED] : 0;
    for (uint32_t group = 0; group < board->groups; ++group)
        count_group(observation, trial, board, marks, group);
    for (uint32_t i = 0; i < 3; ++i)
        observation->shape[i] = board_entry(board, 0, GL_SHAPE + i);
    observation->launched = board_entry(board, 0, GL_LAUNCHED);
    waitfor_analyse(board, marks, &observation->waitfor);
}

uint32_t observation_left(const struct observation *observation)
{
    const uint32_t gave_up = observation->ended_stop + observation->ended_idle + observation->ended_total;
    const uint32_t inside = observation->started - observation->done;
    return gave_up < inside ? gave_up : inside;
}

bool outcome_is_harmless(enum outcome outcome)
{
    return outcome == OUTCOME_ENDED || outcome == OUTCOME_UNSUPPORTED || outcome == OUTCOME_BUILD_FAILED;
}
