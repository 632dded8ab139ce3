/* A failed launch with its board, read back from a run file: what an explanation is made of. */
#ifndef GRIDLOCK_REPORT_EVIDENCE_H
#define GRIDLOCK_REPORT_EVIDENCE_H

#include "core/board.h"
#include "core/cause.h"
#include "store/store.h"

struct evidence {
    struct store_device device;
    char *environment; /* of the run: NAME=value lines */
    char *command_line;
    char *folder;       /* in which it was given */
    char *tool_version; /* that made the run */
    char name[256];     /* of the trial */
    struct trial trial;
    struct store_prediction prediction;
    char *note;        /* what failed, in words, or "" */
    uint32_t launch;   /* of the trial, from 0 */
    uint32_t launches; /* that it had */
    uint32_t alike;    /* of these, with the same verdict and cause */
    bool has_launch;   /* the four below are known: the trial has ended */
    bool surprise;     /* as the report of the run has it */
    bool
        superseded; /* it would be one by itself, and is none in the report: another batch decided it, or it is known */
    char *shortfall; /* how the point as a whole falls short of what was expected, in words, or "" */
    struct observation observation;
    enum verdict verdict;
    enum cause cause;
    uint32_t *words;    /* of the board; NULL: none was kept */
    struct board board; /* a view of them */
};

/* How often each cause was found, and in which trial first. */
struct evidence_tally {
    uint32_t trials[CAUSE_COUNT];
    uint64_t launches[CAUSE_COUNT];
    char first[CAUSE_COUNT][256];
};

/*
 * Reads the launch that explains a trial: that which the board was kept of, or else the first that failed. `name` is the
 * trial's, with or without the number of its batch. NULL: the first that is a surprise in the report of the run, or
 * else the first that failed. `tally`, unless NULL, gets all of the run. Returns 0; 1: nothing failed (without a name); -1 with
 * STATUS_USAGE if there is no such trial, STATUS_HARNESS if the file cannot be read.
 */
int evidence_read(struct store *store, const char *name, struct evidence *evidence, struct evidence_tally *tally,
                  struct error *error);
void evidence_fini(struct evidence *evidence);

#endif
