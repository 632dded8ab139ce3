/*
 * The run file: one SQLite database a run. A trial is begun in it, durably, before a worker gets it,
 * and ended in it, durably, before a worker gets the next. What a run prints is read back from it.
 *
 * The file is written with a rollback journal and synchronous=FULL, so that it may lie on a network
 * file system. The journal is truncated and synced at each commit, not unlinked: "durable" below is
 * that it outlives every process and any loss of power.
 *
 * A struct store is used by one thread. Every function that can fail returns 0, or -1 with
 * STATUS_HARNESS (the file cannot be read or written) unless something else is said.
 */
#pragma once

#include "base/error.h"
#include "base/packed.h"
#include "core/block.h"
#include "core/device_info.h"
#include "core/schedule.h"
#include "core/sighting.h"
#include "core/strain.h"
#include "core/trial.h"
#include "judge/cause.h"
#include "judge/observation.h"
#include "judge/verdict.h"
#include "promise/promise.h"
#include "search/search.h"

#include <stddef.h>
#include <stdint.h>

struct store;

/* Version of the schema (PRAGMA user_version); store/columns_*.c say what the tables have. */
enum { STORE_SCHEMA = 1 };

/* An option that a run was asked, by its whole name, or an operand. */
struct store_asked {
    char run[37];      /* uuid; left to the store */
    uint32_t place;    /* in the command line, options first; left to the store */
    char option[32];   /* without its dashes; "": an operand */
    const char *value; /* "" if it takes none */
};

/* What a run says about itself. */
struct store_run {
    int64_t id;
    const char *tool_version;
    char uuid[37];            /* of the run, random */
    char command[16];         /* of gridlock, that made it */
    const char *command_line; /* as words_join writes it: for people, and for resume */
    struct store_asked *asked;
    size_t asked_count;
    const char *folder; /* in which the command was given */
    bool sharded;
    uint32_t shard, shards;  /* this one of so many, from 0 */
    char shard_by[32];       /* as in struct shard; "" in files that do not say */
    uint32_t devices;        /* that it was to use; 0: not known */
    const char *host;        /* uname: system, release, machine; not its name, since run files are passed on */
    const char *environment; /* NAME=value lines: those variables that change a device */
    const char *origin;      /* of machine, user and command (engine/origin.h); "": not known */
    int64_t started_ms;      /* Unix time */
};

/* A device in the run, and what its limits were searched with. */
struct store_device {
    int64_t id;
    struct device_info info;
    struct device_probe probe;
    struct search_options options;
    struct search_device settings;
    bool wedged; /* its canary failed, or its worker could not be killed: the rest was not run */
};

/* What a run was to do on a device, in points, footprints or tests; of its own part, an estimate until it has ended. */
struct store_share {
    char run[37]; /* uuid */
    int64_t device;
    uint64_t planned; /* in all shards */
    uint64_t own;     /* in this one */
    bool ended;       /* all of it was dealt with */
};

/* What a run was to show of a device, and whether it did: told when it had ended. */
struct store_asserted {
    char run[37]; /* uuid */
    int64_t device;
    char kind[16];  /* "at-least", "against": the option that asks for it */
    char name[256]; /* a footprint, a line of points, a promise, a model; among those of its kind */
    bool decided, failed;
    char said[320]; /* what was found */
};

/* A file that the run was made of. */
struct store_source {
    char name[512];
    char digest[17]; /* hexadecimal */
};

/* One launch as stored: its observation and its verdict. */
struct store_launch {
    struct observation observation;
    enum verdict verdict;
    enum cause cause;
};

/* A test of a block as stored: what it came to, and its program in text form, with its threads separated by |. */
struct store_test {
    const char *program;
    struct test_outcome outcome;
};

/* What was known of a trial before it ran. */
struct store_prediction {
    uint32_t position;        /* of its point in the device's plan */
    uint32_t resident;        /* limit of its kernel; 0: not known */
    struct expected expected; /* what is known to happen instead is not stored with it, but below */
    enum known_as known;
    char known_verdicts[256]; /* of a failure: with these, joined by " or "; of a promise, its outcome */
    char quoted[320];         /* of a promise: what another run found, as a sentence; or "" */
};

/* How a trial ended. */
struct store_end {
    const struct store_launch *launches;
    uint32_t count;
    uint32_t evidence;     /* index of the launch that the board belongs to */
    const uint32_t *board; /* its words, or NULL */
    size_t board_words;
    const struct packed *packed_board; /* the same, if it was packed before; or NULL */
    bool shares_board;                 /* a large one is stored once with those of other trials that are alike */
    const uint32_t *samples;           /* of its groups while it ran (judge/samples.h), or NULL */
    size_t samples_words;
    struct schedule_kept schedule;  /* of one of the launches, or none */
    const struct store_test *tests; /* of a block */
    uint32_t test_count;
    const struct finding *finding; /* of a promise; or NULL */
    const uint32_t *proof;         /* a packed struct proof_result; or NULL */
    size_t proof_words;
    const struct sighting *sighting; /* of a program that is watched; or NULL */
    uint64_t duration_ns;            /* of the whole trial */
    struct trial_facts facts;
    const struct subject_facts *subject; /* of a kernel of the user's, if it was built; or NULL */
    struct subject_tried tried;          /* what the driver failed of, if it is known */
    uint32_t left_out;                   /* parts that its kernels were built without, as bits of enum optional */
    struct strain strain;                /* while it ran */
    const char *rungs;                   /* rungs of the kill ladder that were climbed, separated by spaces; or NULL */
    const char *stderr_tail;             /* the worker's last words, or NULL */
    const char *note;                    /* what failed, in words, or "" */
    const char *made_up;                 /* arguments of a kernel that is tried that nobody gave; or NULL */
};

/*
 * A stored trial, as store_each_trial passes it; valid during the call only. What only a board tells is 0, or
 * WAITFOR_NOBODY, in a launch without a board. Texts are never NULL.
 */
struct store_trial {
    int64_t id;
    int64_t run;        /* that it is of */
    char name[256];     /* trial_id() */
    uint32_t sequence;  /* as there */
    struct trial trial; /* of its workload, what is stored */
    struct store_prediction prediction;
    bool ended;
    const struct store_launch *launches;
    uint32_t count;
    uint32_t evidence;
    const uint32_t *board; /* NULL: none was kept */
    size_t board_words;
    char board_of[256];      /* it is the board of this trial, which is alike (core/likeness.h); "": it is its own */
    const uint32_t *samples; /* NULL: no samples were kept */
    size_t samples_words;
    const struct store_test *tests; /* of a block that has ended, by their places */
    uint32_t test_count;
    struct finding finding; /* of a promise that was measured */
    uint64_t duration_ns;
    struct trial_facts facts;
    struct subject_facts subject; /* of a kernel of the user's that was built */
    struct subject_tried tried;   /* what the driver failed of, if it is known: all of its texts, or none */
    struct strain strain;         /* not known where the system does not tell */
    const char *note, *made_up;
};

/* Creates the file. An existing one, or a folder that cannot be written, is STATUS_USAGE. */
int store_create(const char *path, const struct store_run *run, struct store **store, struct error *error);

/*
 * Opens an existing run file for reading; one that xz has packed is unpacked first. Not a run file, or of another
 * schema version: STATUS_USAGE.
 */
int store_open(const char *path, struct store **store, struct error *error);

/*
 * Opens an existing run file to go on with its run. As store_open; one that is packed, or that cannot be written, is
 * STATUS_USAGE.
 */
int store_continue(const char *path, struct store **store, struct error *error);

void store_close(struct store *store); /* NULL is fine */

const char *store_path(const struct store *store); /* as it was opened */

/*
 * Sets *run to the one behind it in the file, the first if its id is 0; a merged file has several. 1; 0: there are no
 * more;
 * -1. To be freed with store_run_fini in any case.
 */
int store_next_run(struct store *store, struct store_run *run, struct error *error);
void store_run_fini(struct store_run *run);

/* Calls `take` for each run. As store_each_trial. */
int store_each_run(struct store *store, int (*take)(void *context, const struct store_run *run), void *context,
                   struct error *error);

/*
 * How busy the machine was while a device was measured: the mean over all of its trials, by their durations, and over
 * those in doubt, in which a launch was undecided although that was not expected, did not end in time, or seemed to
 * stall and went on, or which were run again.
 */
struct store_strain {
    struct strain all, in_doubt;
    uint64_t trials_in_doubt;
};
int store_read_strain(struct store *store, int64_t device_id, struct store_strain *strain, struct error *error);

/* Sets *source to the one with that name; its digest is "" if the run has no such source. */
int store_find_source(struct store *store, const char *name, struct store_source *source, struct error *error);

/* Other processes write to the file at the same time: waits for them for longer. */
void store_expect_writers(struct store *store);

/* Sets *id to the row of the device's trial with that name, or to 0. */
int store_find_trial(struct store *store, int64_t device_id, const char *name, int64_t *id, struct error *error);

/* Adds a device in the row device->id, which must be free; or, if it is 0, in the next one, and sets it. */
int store_add_device(struct store *store, struct store_device *device, struct error *error);

/* How many devices the run is to use. Durable when it returns. */
int store_note_devices(struct store *store, uint32_t devices, struct error *error);

/* Adds or replaces this run's share of a device; share->run is left to the store. Durable when it returns. */
int store_write_share(struct store *store, const struct store_share *share, struct error *error);

/* Sets *shares to all shares, allocated, and *count. */
int store_read_shares(struct store *store, struct store_share **shares, size_t *count, struct error *error);

/* Replaces what the run says of this kind; run and kind of the rows are left to the store. Durable when it returns. */
int store_write_asserted(struct store *store, const char *kind, struct store_asserted *rows, size_t count,
                         struct error *error);

/* Sets *rows to all of them, allocated, and *count. */
int store_read_asserted(struct store *store, struct store_asserted **rows, size_t *count, struct error *error);

/* Durable when it returns. */
int store_mark_wedged(struct store *store, int64_t device_id, bool wedged, struct error *error);

/* Notes what kernels are built without on the device from now on, as in struct device_probe. */
int store_note_left_out(struct store *store, int64_t device_id, const char *left_out, struct error *error);

/* Notes a file that the run is made of; each name once. */
int store_add_source(struct store *store, const struct store_source *source, struct error *error);

/*
 * Durable when it returns; *trial_row is then the trial's row. `sequence` is as for trial_id(), and
 * `prediction` may be NULL.
 */
int store_begin_trial(struct store *store, int64_t device_id, uint32_t sequence, const struct trial *trial,
                      const struct store_prediction *prediction, int64_t *trial_row, struct error *error);

/* Durable when it returns, all or nothing. Also stores the verdicts, with VERDICT_RULES. */
int store_end_trial(struct store *store, int64_t trial_row, const struct store_end *end, struct error *error);

/*
 * What is written after store_hold is durable only when store_settle returns, all or nothing: the end of a trial and
 * the beginning of the next are one commit then. Other processes cannot write meanwhile. A second store_hold does
 * nothing, nor does store_settle without one. Functions that read trials settle first, so that nothing is printed that
 * could be lost; and so does store_close.
 */
int store_hold(struct store *store, struct error *error);
int store_settle(struct store *store, struct error *error);

/*
 * Sets *kept to the schedule of a launch of the trial, whose turns and text are the caller's; they are NULL if the file
 * has none.
 */
int store_read_schedule(struct store *store, int64_t trial_row, struct schedule_kept *kept, struct error *error);

/* Reads the packed struct proof_result of the trial, allocated; NULL if the trial has no proof. */
int store_read_proof(struct store *store, int64_t trial_row, uint32_t **words, size_t *count, struct error *error);

/* Reads what was seen of a program that is watched; sighting_fini. Without a program: it is of something else. */
int store_read_sighting(struct store *store, int64_t trial_row, struct sighting *sighting, struct error *error);

/* Notes how many groups of that launch fit at once. Durable when it returns. */
int store_note_fit(struct store *store, int64_t trial_row, uint64_t fit, struct error *error);

/* Makes an ended trial one that was begun and has not ended; what it showed is dropped. Durable when it returns. */
int store_reopen_trial(struct store *store, int64_t trial_row, struct error *error);

/* Devices that the run will come to; they outlive the store. Those that are read are numbered beside them, too. */
void store_expect_devices(struct store *store, const struct device_info *devices, size_t count);

/*
 * Sets *device to the one that was added after it, numbered beside the others (device_info_number); after none if its
 * id is 0. 1; 0: there are no more; -1.
 */
int store_next_device(struct store *store, struct store_device *device, struct error *error);

/* Which trials are read, and what is done with each; a non-zero return of `take` ends it. */
struct store_walk {
    int64_t device;
    int64_t after; /* only those whose row is above it */
    /*
     * For reports of scenarios, in half the time: without boards, samples and tests. The file is locked for reading
     * while some hundred trials are read, so `take` must be quick and must not call functions of the store.
     */
    bool quick;
    bool census; /* for reports of limits: boards, samples and tests of a census alone */
    int (*take)(void *context, const struct store_trial *trial);
    void *context;
};

/*
 * Calls walk->take for trials of a device, in the order in which they were begun. Returns what that returned in the
 * end, without an error. Unless it is quick, the file is not locked meanwhile, and `take` may call functions of the
 * store.
 */
int store_each_trial(struct store *store, const struct store_walk *walk, struct error *error);
