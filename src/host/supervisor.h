/*
 * The supervisor's side of a worker: the process, the socket to it, and the watchdog thread that ends
 * it when it overruns a deadline. One worker at a time. All functions are for one thread, which must
 * live as long as the process: a worker dies when the thread that started it ends.
 */
#pragma once

#include "base/error.h"
#include "host/ladder.h"
#include "wire/wire.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct supervisor;

struct supervisor_options {
    const char *kernel_folder; /* or NULL */
    char *const *icds;
    size_t icd_count;
    uint64_t budget_ns[STAGE_COUNT]; /* 0: no deadline */
    struct ladder_graces graces;
};

/* How a request ended. */
enum reply {
    REPLY_DONE,       /* the worker answered */
    REPLY_DIED,       /* the worker died by itself */
    REPLY_GARBLED,    /* something, perhaps a driver, wrote to its socket; it was ended */
    REPLY_KILLED,     /* the watchdog, or a signal to this process, ended it */
    REPLY_UNKILLABLE, /* it did not die; it is given up */
};

struct supervisor_end {
    enum reply reply;
    int signal;             /* that ended the worker, or 0 */
    int exit_status;        /* if it exited */
    bool out_of_memory;     /* for want of memory, in code of ours */
    enum stage stage;       /* in which it was */
    enum subject_text text; /* with which it was */
    char calls[CALLS_TEXT]; /* of OpenCL in which it was (wire/calls.h), */
    char when[CALLS_WHEN];  /* and what was so when they were made */
    char rungs[64];         /* rungs climbed, separated by spaces */
    char stderr_tail[2048];
};

/* The usual budgets and graces; `run_ns` is the budget of one launch, `build_ns` that of building one kernel. */
void supervisor_defaults(struct supervisor_options *options, uint64_t run_ns, uint64_t build_ns);

/* Starts the watchdog; a worker is started when first needed. */
int supervisor_open(const struct supervisor_options *options, struct supervisor **supervisor, struct error *error);

/* What it was opened with, and the driver libraries that its workers see now. */
const struct supervisor_options *supervisor_settings(const struct supervisor *supervisor);

/* Ends worker and watchdog. NULL is fine. */
void supervisor_close(struct supervisor *supervisor);

/* From now on workers see these driver libraries only (none: the registry). Ends the present worker. */
void supervisor_use_icds(struct supervisor *supervisor, char *const *icds, size_t count);

/* Many times a second while a request waits: the stage that the worker is in, and for how long. */
typedef void supervisor_waiting(void *context, enum stage stage, uint64_t since_ns);

/* From now on `waiting` is told; NULL: nobody is. */
void supervisor_tell(struct supervisor *supervisor, supervisor_waiting *waiting, void *context);

pid_t supervisor_worker(const struct supervisor *supervisor); /* 0: there is none */

/* Ends the worker in the middle of a request, which is answered by REPLY_KILLED. */
void supervisor_kill(struct supervisor *supervisor);

bool supervisor_has_worker(const struct supervisor *supervisor);

/* A request, and who is told of each message before WIRE_DONE, or NULL. */
struct supervisor_request {
    enum wire_type type;
    const void *body; /* of wire_body_bytes */
    void (*take)(void *context, const struct wire_packet *packet);
    void *context;
    uint32_t left_out; /* what kernels are built without, as bits of enum optional */
};

/*
 * Sends a request and takes its replies. Starts a worker if none runs. Returns 0 with *end and, for REPLY_DONE,
 * *done filled in; or -1 with STATUS_HARNESS if no worker could be started.
 */
int supervisor_request(struct supervisor *supervisor, const struct supervisor_request *request, struct wire_done *done,
                       struct supervisor_end *end, struct error *error);

/*
 * Requests that nobody waits for: one more, to a worker that has at most a few and gets no others; how many of them are
 * not answered yet, or -1, the worker has gone; and that there are no more, so that it may end while the caller goes
 * on.
 */
int supervisor_post(struct supervisor *supervisor, const struct supervisor_request *request, struct error *error);
int supervisor_posted(struct supervisor *supervisor);
void supervisor_dismiss(struct supervisor *supervisor);

/*
 * Ends the worker, if there is one, up the ladder from the stop word; a worker that is idle ends by
 * itself when its socket closes. *end says which rungs it took; REPLY_UNKILLABLE if it did not die.
 */
void supervisor_end_worker(struct supervisor *supervisor, bool idle, struct supervisor_end *end);

/* The page shared with the worker; its evidence stays after the worker's end, until the next request. */
struct mirror *supervisor_mirror(struct supervisor *supervisor);

/*
 * What the driver was given last, also after the worker's end: its texts, allocated, are *tried; NULL: nothing is
 * known.
 */
char *supervisor_tried(struct supervisor *supervisor, struct subject_tried *tried);
