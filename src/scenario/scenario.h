/* Scenarios: declarative files, each a kernel, the axes that it is swept over, and what is expected. */
#pragma once

#include "base/error.h"
#include "core/subject.h"
#include "scenario/entry.h"
#include "scenario/expectation.h"

#include <stdio.h>

/* Axes that each kernel has, and its own options and parameters. */
enum { AXIS_ITEMS = 40, AXIS_ITEM_BYTES = 48, SCENARIO_AXES = 16 + ENTRY_OPTIONS + WORKLOAD_OWN };

enum axis_kind {
    AXIS_GROUPS,  /* expressions over resident and compute-units, at least 1 */
    AXIS_NUMBER,  /* expressions over resident, compute-units and groups, within limits */
    AXIS_WORD,    /* words of a list */
    AXIS_DIALECT, /* words of a list, best, or all */
    AXIS_SHAPE,   /* of a work-group */
};

struct axis_text {
    char name[ENTRY_WORD];
    enum axis_kind kind;
    int64_t least, most; /* of a number */
    int option;          /* index of the kernel option, or -1 if this axis is not one */
    int parameter;       /* index of the kernel parameter, or -1 if this axis is not one */
    char items[AXIS_ITEMS][AXIS_ITEM_BYTES];
    size_t count;
    unsigned line; /* where it stands; 0: it has its default */
};

struct scenario {
    char name[64];
    char file[SUBJECT_PATH];   /* as the user gave it, or scenarios/NAME.ini for those that the binary carries */
    char folder[SUBJECT_PATH]; /* where its kernel is looked for first; "": it is one that the binary carries */
    char kernel[48];
    char purpose[512];
    char teaches[1024];
    /* Rules of what is expected: of each launch, and of a point's launches together. All but the first may be "". */
    char verdict[512];
    char cause[512];
    char some[512];
    char rate[512];
    char anti_pattern[128]; /* the condition of points that show what is not to be done, or "" */
    bool live_only;
    bool publication; /* it asks whether groups see what others wrote */
    uint64_t digest;  /* of its text, and of its kernel's */
    struct kernel_entry entry;
    struct axis_text axes[SCENARIO_AXES];
    size_t axis_count;
};

/*
 * Reads a scenario from the text of its file. Everything that can be said without a device is checked. -1
 * with STATUS_USAGE: file:line, what was found and what is allowed.
 */
int scenario_parse(const char *text, size_t length, const char *file, const char *folder, struct scenario *scenario,
                   struct error *error);

/* STATUS_USAGE: a file of kernels was given for one of a scenario, and what is done with such a file. */
int scenario_refuse_kernel(const char *path, struct error *error);

/* Reads it from a file; its kernel may stand beside it, or in `kernel_folder` (NULL or "": no such folder). */
int scenario_load(const char *path, const char *kernel_folder, struct scenario *scenario, struct error *error);

/*
 * Finds one of those that the binary carries; its kernel is looked for in `folder` first, if that is not "".
 * STATUS_USAGE if no scenario has that name.
 */
int scenario_find(const char *name, const char *folder, struct scenario *scenario, struct error *error);

/*
 * Evaluates the rules of what is expected, into *expected, and whether the point is an anti-pattern. -1 with
 * STATUS_USAGE: the one at *fault, a text of the scenario, cannot be read.
 */
int scenario_expect(const struct scenario *scenario, const struct circumstances *circumstances,
                    struct expected *expected, bool *anti_pattern, const char **fault, struct error *error);

/* Those that the binary carries, in alphabetic order; NULL ends them. Generated from the scenarios folder. */
struct scenario_file {
    const char *name; /* "barrier_central.ini" */
    const char *text;
};
extern const struct scenario_file scenario_files[];

const struct axis_text *scenario_axis(const struct scenario *scenario, const char *name); /* NULL: it has none */
bool axis_is_word(const struct axis_text *axis);     /* its values are no numbers */
bool axis_is_of_build(const struct axis_text *axis); /* another value makes another build */

/* Writes the reference page of scenario files, from the table that they are parsed with. */
void scenario_print_reference(FILE *out);
