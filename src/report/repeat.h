/* The command that repeats a trial, or a point with all its batches. */
#pragma once

#include "core/device_info.h"
#include "core/trial.h"

/* What is repeated. */
struct repeated {
    const char *environment;  /* of the run: NAME=value lines; NULL: not known */
    const char *command_line; /* of the run; NULL: not known */
    const char *scenario;     /* "": a footprint */
    const struct device_info *device;
    const char *name;          /* of the trial, or the point's id */
    const struct trial *trial; /* NULL: the point */
    bool promise;              /* it is a promise, of that name */
    enum entry_way entry;      /* of a trial of a kernel of the user's: as it was measured; ENTRY_NONE: it was not */
};

/* One line for a POSIX shell, with the variables that the run had. Allocated; NULL if memory is short. */
char *repeat_command(const struct repeated *repeated);
