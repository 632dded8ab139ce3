/*
 * A thread of the worker that builds what will be needed while kernels are measured, one job after the other. On GPUs
 * alone: on other devices it would take the processors from the groups that are measured. It has a session of its own,
 * which shares context and programs with the worker's.
 */
#ifndef GRIDLOCK_DEVICE_AHEAD_H
#define GRIDLOCK_DEVICE_AHEAD_H

#include "device/session.h"

/* What the thread does next; whoever gives it keeps it until the thread has ended. */
struct ahead_job {
    void (*run)(struct session *aside, struct ahead_job *job);
    struct ahead_job *next;
    bool given, ended;
};

/* job->given stays false where there is no such thread. */
void ahead_give(struct session *session, struct ahead_job *job);

/* Waits until a job that was given has ended; the watchdog ends a compiler that does not come back. False: it will not run. */
bool ahead_await(struct session *session, const struct ahead_job *job);

/* Ends the thread after the job that it is in, and leaves out the others. */
void ahead_stop(struct session *session);

/* Guards what the thread shares. */
void ahead_lock(const struct session *session);
void ahead_unlock(const struct session *session);

#endif
