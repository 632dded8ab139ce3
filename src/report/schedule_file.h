/* The schedule of a launch on a model device as a file of text: `explain` writes it, `run --schedule` repeats it. */
#pragma once

#include "base/error.h"
#include "core/schedule.h"
#include "report/evidence.h"

#include <stdint.h>
#include <stdio.h>

/* What is to be repeated. */
struct schedule_file {
    char device[DEVICE_LABEL]; /* a model device's name */
    char point[256];
    uint32_t seed; /* of the launch */
    struct schedule schedule;
};

/* Prints the schedule of the evidence, which must have one. */
void schedule_file_write(FILE *out, const struct evidence *evidence);

/* Call schedule_file_fini even on failure. STATUS_USAGE: the file cannot be read, or has no schedule. */
int schedule_file_read(const char *path, struct schedule_file *file, struct error *error);
void schedule_file_fini(struct schedule_file *file);
