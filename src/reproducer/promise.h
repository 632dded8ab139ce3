/* A program that holds a driver to one promise, and needs nothing of ours: what goes with a bug report to its makers. */
#pragma once

#include "report/report.h"

#include <stdio.h>

#define REPRODUCER_PROMISE "promise.c"

struct reproduced_promise {
    const struct store_device *device;
    const struct audit_row *row;
};

/* Writes it into `folder`, which is made if it is missing; a file that is there stays. STATUS_USAGE: it cannot, or there is
 * no program for this promise. */
int reproducer_write_promise(const struct reproduced_promise *reproduced, const char *folder, struct error *error);
