/* One launch: fill the board, run, sample it through the channel, stop it if it stalls, read it back. */
#pragma once

#include "core/schedule.h"
#include "device/session.h"
#include "judge/observation.h"
#include "judge/stall.h"
#include "worker/data.h"

struct launch_end;

/* What a launch needs beyond its trial. */
struct launch_plan {
    const struct trial *trial;
    struct program *program;
    uint32_t mode; /* GL_MODE_* */
    uint32_t fuse_idle;
    uint32_t fuse_total;
    uint32_t close_polls;            /* census without a channel */
    uint64_t close_ns;               /* census with a channel */
    struct data *data;               /* of a scenario's kernel, or NULL */
    uint32_t seed;                   /* of its delays, and of what its kernel draws by lot */
    const struct schedule *schedule; /* whose turns a model device takes; or NULL */
    uint32_t pass;                   /* which of its launches, from 0; data are filled before the first */
    /* Called once when the stall judge has decided, or the time is up, and before the stop word is written, with the
     * board in session->board.copy; may be NULL. */
    void (*suspect)(void *context, const struct observation *observation);
    void *context;
};

/*
 * Runs it. The observation is complete in any case; its outcome says if the kernel ended, was left
 * running (live), was interrupted, or met an OpenCL error. With --live, and no channel, the launch
 * has no end that the worker could see: the watchdog ends it. Returns -1 only if the worker itself
 * failed (STATUS_HARNESS).
 */
int launch_run(struct session *session, const struct launch_plan *plan, struct stall_judge *judge,
               struct observation *observation, struct error *error);

/* Reads back the board of one that has ended. */
int launch_read_end(struct session *session, const struct launch_plan *plan, struct observation *observation,
                    struct error *error);

/* Its parts: makes the board and the arguments, and hands it to the thread that enqueues it. */
int launch_prepare(struct session *session, const struct launch_plan *plan, struct error *error);

/* The launch of a trial's kernel, whose arguments are set: over its range, or over its groups in a row. */
struct launch launch_over(const struct session *session, cl_kernel kernel, const struct trial *trial);
void launch_enqueue(const struct session *session, const struct launch_plan *plan);

/* What the driver said of it. */
void launch_take_codes(struct observation *observation, const struct launch_end *end);

/* Copies the board in session->board.copy to an area of the mirror; its length then stands in *counter. */
void launch_mirror_board(const struct session *session, uint32_t *area, size_t words, _Atomic uint32_t *counter);

/* 0 if the trial is within what the device and this tool allow; else STATUS_UNSUPPORTED. */
int launch_possible(const struct session *session, const struct trial *trial, struct error *error);
