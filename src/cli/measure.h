/*
 * What `run`, `limits`, `progress`, `audit` and `demo` have in common: devices, the run file, which part of the plan is
 * run, and how stalls are provoked. `resume` is the same command again with the run file that it goes on with.
 */
#pragma once

#include "base/shard.h"
#include "cli/exit_status.h"
#include "cli/options.h"
#include "cli/selection.h"
#include "cli/status_line.h"
#include "engine/runner.h"
#include "format/format.h"

/* --live: kernels with neither fuse nor stop word, which can take a machine down. */
enum live { LIVE_NO, LIVE_CPU, LIVE_ANY };

struct measure_options {
    struct common_options common;
    enum color_choice color; /* of text */
    const char *run_file;    /* to write, or NULL */
    const char *against;     /* a run that this one must not fall behind, or NULL */
    struct shard shard;
    enum live live;
    bool yes;
    uint64_t stall_budget_ms; /* 0: not given */
    uint64_t wait_s;          /* for a device that another run uses */
    enum status_line_kind progress;
    enum status_unit unit;                /* what it counts */
    const struct exit_options *exit;      /* what fails the run; NULL: no more than its report says */
    uint64_t jobs;                        /* devices measured at the same time */
    const struct continuation *continued; /* NULL: it begins */
};

enum { CONTINUATION_NAMED = 64 };

/* What resume says of the run that goes on. A run file may come from anybody, so none of it can be an option. */
struct continuation {
    const char *path; /* of the run file */
    bool retry_incomplete, force;
    bool foreign;       /* it was begun on another machine or by another user, */
    char *const *named; /* and of the files that it names only these may be loaded: absolute, or names of libraries */
    size_t named_count; /* at most CONTINUATION_NAMED */
};

/* Build options of a foreign run are named as this and the text. */
#define BUILD_OPTIONS_NAMED "--build-options="

/* The next command goes on with this run, which must outlive it. */
void measure_continue(const struct continuation *continuation);

/*
 * STATUS_USAGE if a foreign run would load drivers, kernels or any of these files without leave, or if what was named
 * for a run that goes on is nothing that it loads.
 */
int measure_check_origin(const struct measure_options *options, char *const *files, size_t count, struct error *error);

/* All of them, those of common_line and color_line included: a part, of a struct measure_options. */
extern const struct command_line measure_line;

/* The option for the run file alone. */
extern const struct command_line run_file_line;

/* Reads the argument of --live, NULL or "any". */
int live_parse(const char *text, enum live *live, struct error *error);

void measure_options_init(struct measure_options *options);

/* Devices, and the run file. A zeroed one is closed. */
struct measurement {
    const struct measure_options *options;
    struct remote remote;
    struct selection selection;
    struct run_settings settings; /* the shard: given, from the environment, or of the run that goes on */
    struct worker_executor worker;
    size_t begun, done, refused; /* selected devices so far, and those that could be measured, or could not be used */
    bool wedged;                 /* one of them no longer works */
    /* How far each of several devices is that are measured at once, in memory shared with their processes; or NULL. */
    struct status_figures *figures;
    size_t job; /* in the process of a device: which it is */
    struct status_line probing;
    struct status_line line; /* of the device that is measured */
    char path[4096];         /* of the run file */
    struct store *against;   /* a run that this one must not fall behind, or NULL */
};

/* Selects devices, unless none is needed; to be closed also after a failure. */
int measurement_open(struct measurement *measurement, const struct measure_options *options, bool devices,
                     struct error *error);

/* Creates the run file for the command, or goes on with one. Asks before --live=any. */
int measurement_begin(struct measurement *measurement, int count, char **arguments, struct error *error);

/*
 * What a run that goes on was made of must be the same: notes the digest of a file of the user's, or compares it with
 * the one that was noted. `also` names what else is in the digest, as ", or its kernel,". STATUS_USAGE.
 */
int measurement_note_source(const struct measurement *measurement, const char *file, uint64_t digest, const char *also,
                            struct error *error);

typedef int measure_device(void *context, const struct device_info *device, struct error *error);

/*
 * Measures the selected devices by `measure`, until a signal comes: one after the other, or several at the same time,
 * each in a process of its own, of which only the run file comes back. As measurement_device_ended.
 */
int measurement_each(struct measurement *measurement, measure_device *measure, void *context, struct error *error);

/* Measures one, and shows meanwhile how far it is. */
int measurement_device(struct measurement *measurement, measure_device *measure, void *context,
                       const struct device_info *device, struct error *error);

/* Shows how far the device is: a callback for engines, whose context is the measurement. */
void measurement_share(void *measurement, uint64_t done, uint64_t total, uint64_t bad);

/* Several devices are measured at the same time: nothing is printed before all have ended. */
bool measurement_is_parallel(const struct measurement *measurement);

/*
 * Text is printed bit by bit, as it is measured; of a run that goes on all is printed at the end: what it had before
 * may end now, anywhere.
 */
bool measurement_prints_bit_by_bit(const struct measurement *measurement);

/* Surprises of devices that other processes measure. */
uint32_t measurement_fails_elsewhere(const struct measurement *measurement);

/*
 * A device was measured, with this outcome. One that cannot be used does not keep the others from being measured: why
 * not goes to stderr. -1: no device could, or more is wrong.
 */
int measurement_device_ended(struct measurement *measurement, int outcome, struct error *error);

/* How far it is, is shown in this way. */
enum status_line_kind measurement_status_line(const struct measurement *measurement);

/*
 * Stores what --against was to show, and prints what was measured, as text or JSON: all of the report, or, where the
 * text was `printed` as it came, what is left to say of the run.
 */
int measurement_print(struct measurement *measurement, struct report *report, const struct text_style *style,
                      bool printed, struct error *error);

/*
 * Prints the whole report, if it was read without an error, as `outcome` says, and returns what became of it. *status
 * is the exit status, whatever was printed. The caller frees the report.
 */
int measurement_report(struct measurement *measurement, struct report *report, int outcome, enum status *status,
                       struct error *error);

/* Replaces the outcome by what a signal makes of it. */
int measurement_interrupted(const struct measurement *measurement, int outcome, struct error *error);

void measurement_close(struct measurement *measurement);
