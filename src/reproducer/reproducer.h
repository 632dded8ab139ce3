/*
 * Programs that need nothing of ours, and go with a bug report to a driver's makers: one does a launch again, the
 * other one holds the driver to a promise.
 */
#pragma once

#include "base/source.h"
#include "proof/request.h"
#include "report/evidence.h"
#include "report/report.h"
#include "store/captured.h"

struct reproducer {
    const struct evidence *evidence;
    const struct trial *trial;     /* with all of its workload */
    struct source_folders folders; /* where the kernel and what it includes are looked for first */
};

/* The kernel is built once more by this name, from this file, by a program in this one. */
#define REPRODUCER_KERNEL "stall.cl"
#define REPRODUCER_PROGRAM "stall.c"

/*
 * 0, or -1 with STATUS_USAGE: such a trial cannot be done again by one program and two files. A launch that passed can:
 * its reproducer is what a driver that stalls is compared with.
 */
int reproducer_check(const struct evidence *evidence, struct error *error);

/* Writes both files into `folder`, which is made if it is missing. Files that are there stay: STATUS_USAGE. */
int reproducer_write(const struct reproducer *reproducer, const char *folder, struct error *error);

/*
 * The two files of the program that builds and launches what the driver failed of, for a kernel that was not
 * measured.
 */
#define REPRODUCER_BUILD "program.c"
#define REPRODUCER_TEXT "program.cl"

/* Writes them into such a folder. STATUS_USAGE: nothing is known of which the driver failed. */
int reproducer_write_build(const struct evidence *evidence, const char *folder, struct error *error);

/*
 * Writes a program that repeats a captured launch from the files of its folder, where it may be written to as well.
 * STATUS_USAGE: some of its arguments were not kept.
 */
#define REPRODUCER_REPLAY "replay.c"
int reproducer_write_replay(const struct captured *captured, const char *folder, struct error *error);

#define REPRODUCER_PROOF "proof.c"

/* A launch that does not end in some schedule, of a kernel of the user's. */
struct reproduced_proof {
    const struct proof_row *row;
    const char *text;                       /* of the kernel's file */
    const struct proof_argument *arguments; /* that were given */
    uint32_t argument_count;
};

/*
 * Writes a program that has it stall on a real device into such a folder. STATUS_USAGE: no program can, or something
 * else is wrong with the launch.
 */
int reproducer_write_proof(const struct reproduced_proof *reproduced, const char *folder, struct error *error);

#define REPRODUCER_PROMISE "promise.c"

/* A promise of a device, and what was measured of it. */
struct reproduced_promise {
    const struct store_device *device;
    const struct audit_row *row;
    const char *environment; /* of the run: NAME=value lines; "": not known */
};

/*
 * Writes a program that holds a driver to one promise into such a folder. STATUS_USAGE: it cannot, or there is no
 * program for this promise.
 */
int reproducer_write_promise(const struct reproduced_promise *reproduced, const char *folder, struct error *error);
