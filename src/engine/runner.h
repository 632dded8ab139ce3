/*
 * Runs trials on one device: each is begun in the store, run, and ended there; then the device is looked after. In a
 * run that goes on, a trial that the store has is not run again: what was observed then is given instead.
 */
#pragma once

#include "base/shard.h"
#include "base/tally.h"
#include "engine/executor.h"
#include "host/load.h"
#include "scenario/known.h"
#include "search/search.h"
#include "store/store.h"

/* What was asked for of a run, on whatever device. */
struct run_settings {
    struct store *store;
    struct shard shard;
    uint64_t stall_budget_ns; /* 0: by the device */
    int64_t device_row;       /* in the store, of a device that is added; 0: the next one */
    bool continued;
    bool retry_incomplete; /* of a run that goes on: trials that were begun and did not end are run again */
    bool force;            /* a run that goes on may do so with another driver */
};

struct runner {
    const struct run_settings *settings;
    struct executor executor;
    struct store_device stored;
    struct tally names; /* of points that were asked for */
    struct load_meter meter;
    bool taken;
    bool wedged; /* the device is not to be used any more */
};

/*
 * Takes the device, probes it, and adds it to the store; of a run that goes on, takes what the store knows of it. -1:
 * the device cannot be used (STATUS_UNSUPPORTED, STATUS_NO_DEVICE, STATUS_STOPPED), its driver is another one
 * (STATUS_USAGE), or the tool failed. To be followed by runner_end in any case.
 */
int runner_begin(struct runner *runner, const struct device_info *device, enum probe_depth depth,
                 const struct search_options *options, struct error *error);
void runner_end(struct runner *runner);

/* The device is not to be used any more, or the user wants everything to end. */
bool runner_is_over(const struct runner *runner);

/* The trial is of this shard, by its point's id. */
bool runner_has_trial(const struct runner *runner, const struct trial *trial);

/* Notes in the store what the run is to do on this device, or, once it has ended, what it was to do. */
int runner_note_share(struct runner *runner, uint64_t planned, uint64_t own, bool ended, struct error *error);

/* Notes what the lists that were given say of the trial. Returns the verdicts with which it is known to fail. */
verdict_set runner_note_known(struct known *known, const struct trial *trial, struct store_prediction *prediction);

/*
 * Runs a trial; what it showed is in *result, to be freed with remote_result_fini in any case. What goes wrong on the
 * device is part of the result; -1 only if the tool failed. A trial that was begun in a run that goes on, and did not
 * end then, has result->incomplete and nothing else; but what a limit is searched with is run again. How it ended is
 * durable once the store has settled: runner_drive sees to that before the next trial runs, and in the end.
 */
int runner_run(struct runner *runner, const struct asked *asked, struct remote_result *result, struct error *error);

/* What asks for trials, one after the other, by what those before have shown. */
struct trial_source {
    /* Returns 1 and fills the zeroed *asked; 0 when nothing is left, or the runner is over; -1 on an error. */
    int (*next)(void *context, struct asked *asked, struct error *error);
    /* What the trial that was given last has shown. */
    void (*take)(void *context, const struct asked *asked, const struct remote_result *result);
    void *context;
};

/* Runs the trials that the source asks for, until it asks for no more. */
int runner_drive(struct runner *runner, const struct trial_source *source, struct error *error);

/* Trials that are known before the first of them runs. */
struct trial_list {
    struct trial *trials;
    size_t count;
    void (*ask)(void *context, size_t index, struct asked *asked); /* fills what is asked beside the trial */
    bool (*is_bad)(void *context, const struct asked *asked, const struct remote_result *result); /* what came of it */
    void *context;
    /* Told when one has ended: so many of this shard's are done, and so many of these were bad; or NULL. */
    void (*ended)(void *watcher, uint64_t done, uint64_t own, uint64_t bad);
    void *watcher;
};

/* Runs those of them that are of this shard, and notes the share. */
int runner_drive_list(struct runner *runner, const struct trial_list *list, struct error *error);
