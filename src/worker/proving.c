#include "worker/proving.h"

#include "judge/closure.h"
#include "model/machine.h"

/* Of twice as many steps each time: 2^30 in all, and 2^32 if groups get on. */
enum { LENGTHS_IN_VAIN = 8, LENGTHS_MOST = 10 };

void proving_begin(const struct watch *watch)
{
    machine_watch(watch_proves(watch), watch->plan->seed);
    machine_follow(watch->plan->schedule);
}

void proving_end(void)
{
    machine_follow(NULL);
}

static int read_board(const struct watch *watch, struct error *error)
{
    struct session *session = watch->session;
    return board_memory_read(session, &session->board, trial_board_words(watch->plan->trial), true, error);
}

/* The board as it is now is kept for whoever explains the launch. */
static void mirror_board(const struct watch *watch)
{
    struct session *session = watch->session;
    launch_mirror_board(session, session->mirror->live, trial_board_words(watch->plan->trial),
                        &session->mirror->live_words);
}

static struct board board_of(const struct watch *watch)
{
    return trial_board(watch->plan->trial, watch->session->board.copy);
}

/* --- it never ends by itself --- */

static int take_proof(struct watch *watch, bool changes, struct error *error)
{
    struct session *session = watch->session;

    if (read_board(watch, error) != 0)
        return -1;
    mirror_board(watch);
    const struct board board = board_of(watch);
    const uint32_t stuck = changes ? 0 : closure_of_board(&board, session->standing.marks);
    watch->observation->churned = changes;
    return watch_judged(watch, stuck > 0 ? session->standing.marks : NULL, error);
}

/* The stop word did not help: what was told before it is all that there is. */
static void leave_standing(struct watch *watch)
{
    if (!watch->told || watch->observation->outcome != OUTCOME_ENDED)
        return;
    watch->live.stop = GL_STOP_HOST | GL_STOP_PROVED;
    watch->live.churned = watch->observation->churned;
    *watch->observation = watch->live;
}

/* A census is closed; a stall is ended by the stop word, and left where it stands if that does not help. */
static int meet_proof(struct watch *watch, bool changes, bool *goes_on, struct error *error)
{
    *goes_on = true;
    if (watch->plan->mode == GL_MODE_CENSUS && !watch->closed) {
        watch->closed = true;
        return board_memory_poke(watch->session, &watch->session->board, GL_CLOSE, 1, error);
    }
    if (!watch->stopped && take_proof(watch, changes, error) != 0)
        return -1;
    if (watch->woken)
        leave_standing(watch);
    /* Groups see that it was stopped only if they go on. With --live they are not stopped. */
    *goes_on = !watch->woken && watch->stopped;
    watch->woken = true;
    return 0;
}

/* --- it takes many steps --- */

/* Nothing is known of a launch that takes many steps, but whether its groups have come further in the last half. */
static int meet_length(struct watch *watch, bool *goes_on, struct error *error)
{
    struct standing *standing = &watch->session->standing;

    if (read_board(watch, error) != 0)
        return -1;
    const struct board board = board_of(watch);
    const bool advanced = watch->lengths == 0 || standing_advanced(standing, &board);
    standing_look(standing, &board, ++watch->lengths); /* no time is asked for */
    *goes_on = !watch->stopped;
    if (watch->stopped || watch->lengths < (advanced ? LENGTHS_MOST : LENGTHS_IN_VAIN))
        return 0;
    mirror_board(watch);
    watch_give_up(watch);
    return watch_stop(watch, 0, error);
}

/* A launch that makes accesses lives: its time limit is one for what makes none. */
static void note_steps(struct watch *watch)
{
    const uint64_t steps = machine_steps();

    if (steps == watch->steps)
        return;
    watch->steps = steps;
    session_stage(watch->session, watch->stopped ? STAGE_STOPPING : STAGE_RUNNING);
}

int proving_answer(struct watch *watch, struct error *error)
{
    const enum machine_standing standing = machine_standing();
    bool goes_on = false;

    note_steps(watch);
    if (standing == MACHINE_GOES_ON)
        return 0;
    const int outcome = standing == MACHINE_LONG ? meet_length(watch, &goes_on, error)
                                                 : meet_proof(watch, standing == MACHINE_RECURS, &goes_on, error);
    if (outcome == 0 && goes_on)
        machine_go_on();
    else
        machine_abandon();
    return outcome;
}
