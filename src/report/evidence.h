/* A failed launch with its board, read back from a run file: what an explanation is made of. */
#pragma once

#include "core/board.h"
#include "judge/cause.h"
#include "report/run.h"
#include "store/store.h"

struct evidence {
    struct store_device device;
    char *holders; /* labels of the devices that have a trial of the wanted name; NULL: one has, or none was named */
    struct store_run run; /* that it is of */
    int64_t trial_row;    /* in the file */
    char name[256];       /* of the trial */
    struct trial trial;
    struct store_prediction prediction;
    enum entry_way entry; /* how a kernel of the user's was measured; ENTRY_NONE: not measured, or another kernel */
    struct subject_tried tried; /* what of a kernel of the user's the driver failed of, if it is known; owned */
    char *note;                 /* what failed, in words, or "" */
    uint32_t launch;            /* of the trial, from 0 */
    uint32_t launches;          /* that it had */
    uint32_t alike;             /* of these, with the same verdict and cause */
    bool has_launch;            /* the four below are known: the trial has ended */
    struct strain strain;       /* while the trial ran */
    bool surprise;              /* as the report of the run has it */
    bool superseded; /* a surprise by itself, but not in the report: another batch decided it, or it is known */
    char *shortfall; /* how the point as a whole falls short of what was expected, in words, or "" */
    struct observation observation;
    enum verdict verdict;
    enum cause cause;
    uint32_t *words;    /* of the board; NULL: no board was kept */
    char board_of[256]; /* as in struct store_trial */
    char shown_by[256]; /* without a board: a trial of the kernel with the same verdict and cause that has one, or "" */
    struct board board; /* a view of them */
    uint32_t *samples;  /* how its groups came there (judge/samples.h), or NULL if not kept */
    size_t samples_words;
    struct schedule_kept schedule; /* of the launch, or none; owned */
};

/* Whose launch is wanted. */
struct evidence_wanted {
    const char *trial;  /* with or without the number of its batch, or a scenario; NULL: the one that needs it most */
    const char *device; /* a selector; NULL: any */
};

/* A stored trial has this name, or is a batch of the point with this id. */
bool evidence_is_named(const char *stored, const char *name);

/* The device is one of those that are wanted. */
bool evidence_is_on(const struct evidence_wanted *wanted, const struct device_info *device);

/* How often each cause was found, and in which trial first. */
struct evidence_tally {
    uint32_t trials[CAUSE_COUNT];
    uint64_t launches[CAUSE_COUNT];
    char first[CAUSE_COUNT][256];
};

/*
 * Reads the launch that explains a trial: that which the board was kept of, or else the first that failed. If several
 * devices have the trial it is the first on which it is a surprise, or else failed. Without a name it is the
 * first that is a surprise in the report of the run, or else the first that failed; where boards were left out, the
 * first of these with the same verdict that has one. `tally`, unless NULL, gets all of the run, or of the
 * devices that are wanted. Returns 0; 1: nothing failed (without a name); -1 with STATUS_USAGE if there is no such
 * trial, STATUS_HARNESS if the file cannot be read.
 */
int evidence_read(struct store *store, const struct evidence_wanted *wanted, struct evidence *evidence,
                  struct evidence_tally *tally, struct error *error);
void evidence_fini(struct evidence *evidence);

/*
 * Gives the evidence of each batch of a point that failed, or was a surprise, in the order of trials; `device` is that
 * of `report`, of the same store. Ends at what `take` returns unless that is 0. Returns that, or -1 if the file cannot
 * be read.
 */
typedef int evidence_taker(void *context, const struct evidence *evidence, size_t device, struct error *error);
int evidence_each(struct store *store, const struct run_report *report, evidence_taker *take, void *context,
                  struct error *error);
