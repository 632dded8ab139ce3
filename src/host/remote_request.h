/* What all that is asked of a worker from a distance has in common: internal to the files remote*.c. */
#pragma once

#include "host/remote.h"

/* A worker could not even be started, which says nothing of drivers. */
enum { REMOTE_NO_WORKER = -2 };

/* For requests whose failure is simply an error: 0, -1, or REMOTE_NO_WORKER. */
int remote_request(struct remote *remote, const struct supervisor_request *request, struct error *error);

/* What the failure of a request to explore or make one launch means: the worker ended, or it could not do that. */
enum outcome remote_failure(const struct remote *remote, const struct error *error);

/*
 * Whether the last request's worker died while the driver built a program that it can do without: the next one will,
 * and is worth asking again.
 */
bool remote_learn_fatal(struct remote *remote);

/* How a trial, a block or a promise was answered. */
enum answer {
    ANSWER_FAILED = -1, /* the tool itself failed */
    ANSWER_DONE,
    ANSWER_DEATH, /* the worker ended */
    ANSWER_LOSS,  /* the device cannot be opened any more */
};

struct leaving;

/*
 * Asks the worker for a trial, a block or a promise, without the optional parts of kernels that the driver fails of. If
 * it fails only once with them, they are not what it failed of, and that failure is the answer. If the worker cannot
 * say so itself, *done is as if it had.
 */
enum answer remote_ask_leaving(struct leaving *leaving, struct supervisor_request *request,
                               struct remote_result *result, struct wire_done *done, struct error *error);

/* Asks once more: does it come to the same end? What is found this time does not count. */
bool remote_ends_so_again(struct remote *remote, const struct supervisor_request *request, enum answer answer,
                          enum outcome outcome, struct remote_result *result);

bool remote_is_nvidia(const struct device_info *device);

void remote_drop_worker(struct remote *remote);

/* Opens the device, if the present worker has not: a worker that fails to is replaced once. */
int remote_need_open(struct remote *remote, struct error *error);

/* Whether to ask a new worker: a failure that does not come back there does not count. */
bool remote_is_worth_another(const struct error *error);

/* That failure was the end of the worker, by a signal or by the watchdog. */
bool remote_lost_worker(const struct remote *remote, const struct error *error);
