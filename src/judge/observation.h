/* Observations: the facts of one launch, without opinion. They are what is stored. */
#pragma once

#include "core/board.h"
#include "core/trial.h"
#include "judge/waitfor.h"

/* How a launch came to its end, as far as the host could tell. */
enum outcome {
    OUTCOME_ENDED,        /* the kernel ended; the board is final */
    OUTCOME_LEFT_RUNNING, /* --live: the kernel was still spinning when its board was read */
    OUTCOME_KILLED,       /* the worker was killed; the board, if any, is the last that was mirrored */
    OUTCOME_CRASHED,      /* the worker died by itself */
    OUTCOME_DEVICE_LOST,  /* the driver says that the device or the launch is gone */
    OUTCOME_BUILD_FAILED, /* the driver did not build the kernel */
    OUTCOME_UNSUPPORTED,  /* the device cannot run this footprint */
    OUTCOME_CL_ERROR,     /* another OpenCL error */
    OUTCOME_INTERRUPTED,  /* stopped by the user */
    OUTCOME_STOOD,        /* it was proved that it never ends: nobody can do anything any more; the worker was killed */
    OUTCOME_COUNT,
};

struct observation {
    enum outcome outcome;
    uint32_t groups; /* launched */
    bool board_read; /* the counts below come from a board */
    /* What the host saw while the kernel ran. */
    bool judged;    /* the host saw no change for the suspicion's time and ended the launch */
    bool confirmed; /* this stall, or an earlier one of the same batch in the same state, stood the longer time */
    bool churned;   /* it saw changes without progress for long enough (judge/stall.h), and ended the launch */
    bool relapsed;  /* it was thought to have stalled, and a group went on after all */
    bool overdue;   /* its time was up, and the host ended it */
    uint32_t seed;  /* of its delays, and of what its kernel drew by lot (core/lots.h); 0: not known */
    /* Groups that had started, had not ended, and were in no wait when the host ended it; and the first of them. */
    uint32_t busy;
    uint32_t busy_at;
    /* Groups, counted on the board. */
    uint32_t started;
    uint32_t waiting;   /* started, and waiting when the launch ended or was stopped */
    uint32_t ready;     /* of these, with the word that it waits for already there: it did not look in time */
    uint32_t done;      /* reached their end with all conditions true */
    uint32_t late;      /* started after the stop word was set */
    uint32_t counted;   /* by census or discovery */
    uint32_t witnesses; /* done, and each wait ended with a value that proves its condition */
    /* How last waits ended. */
    uint32_t ended_stop;
    uint32_t ended_idle;
    uint32_t ended_total;
    uint32_t ended_cut;  /* by the driver; of a kernel as it is, all of them, if the driver cuts loops: one may be */
    uint32_t busy_total; /* of ended_total: those whose board had changed lately */
    uint32_t stop;       /* the stop word at the end (GL_STOP_*) */
    /* For a scenario's kernel: reads across groups that it checked, in all its groups ... */
    uint64_t checked;
    uint64_t stale; /* of these, with the value of an earlier round */
    uint64_t wrong; /* of these, with a value that is wrong in another way */
    /* ... and its results, which the host verified: elements that differ, and the first of them, as bits. */
    uint64_t differing;
    uint32_t bad_result; /* which of the workload's results, from 1; 0: all are right */
    uint64_t bad_at;     /* element */
    uint64_t bad_wanted;
    uint64_t bad_got;
    struct waitfor waitfor;
    /* For a launch over a range: how the driver divided it. */
    uint32_t shape[3]; /* work-items of the first group */
    uint32_t launched; /* groups */
    /* Times. */
    uint64_t duration_ns; /* launch to end, on the host's clock */
    uint64_t device_ns;   /* by event profiling; 0: not known */
    uint64_t handover_ps; /* the median of a hand-over, as its kernel measured it; 0: not known */
    uint64_t gap_ns;      /* the longest time without a change while changes still came; 0: no channel */
    uint64_t still_ns;    /* from when something moved last (judge/standing.h) to the end; 0: not known */
    uint64_t close_ns;    /* census: the time without an arrival after which it was closed; 0: not by the host */
    uint32_t polls;       /* the most polls of one group */
    int32_t code;         /* cl_int of an OpenCL error; signal number of a crash, or minus its exit status */
};

/*
 * Fills in all that a board tells about a launch of `trial`. The outcome is set before: what a board
 * means depends on whether its kernel has ended. Counts are zero before; fields that no board can tell are left alone.
 * `marks` are the groups that were seen to be stuck while it ran (judge/closure.h), or NULL.
 */
void observation_read(struct observation *observation, const struct trial *trial, const struct board *board,
                      const unsigned char *marks);

/*
 * Groups that gave up their last wait and did not end, at the stop word or by a fuse. They still wait on the board,
 * unless another of their work-items has gone on after that.
 */
uint32_t observation_left(const struct observation *observation);

/* The worker that saw it can be used again. */
bool outcome_is_harmless(enum outcome outcome);

NAMING_DECLARE(outcome, enum outcome);
