/* The command that repeats a trial, or a point with all its batches. */
#pragma once

#include "core/device_info.h"
#include "core/trial.h"
#include "store/store.h"

/* What is repeated. */
struct repeated {
    const struct store_run *run; /* NULL: not known */
    const char *scenario;        /* "": a footprint */
    const struct device_info *device;
    const char *name;          /* of the trial, or the point's id */
    const struct trial *trial; /* NULL: the point */
    bool promise;              /* it is a promise, of that name */
    enum entry_way entry;      /* of a trial of a kernel of the user's: as it was measured; ENTRY_NONE: it was not */
};

/* Sets `text` to an extended regular expression for the trial's name without the number of its batch. */
enum { REPEAT_EXPRESSION = 600 };
void repeat_expression(const char *name, char text[REPEAT_EXPRESSION]);

/* One line for a POSIX shell, with the variables that the run had. Allocated. */
char *repeat_command(const struct repeated *repeated);
