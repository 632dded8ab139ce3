/* Why models of progress are broken, and which tests stalled in which block, from a run file with litmus tests. */
#pragma once

#include "base/error.h"
#include "report/evidence.h"

#include <stdbool.h>
#include <stdio.h>

/*
 * Writes, for each wanted device with litmus tests, the shortest test that breaks each broken model, and the blocks in which
 * tests stalled; *any is set to whether there is such a device. 0, or -1.
 */
int explain_progress(FILE *out, struct store *store, const struct evidence_wanted *wanted, bool *any,
                     struct error *error);

/* Is the wanted trial the name of a block of litmus tests, with or without the number of its batch? 0, or -1. */
int explain_progress_has(struct store *store, const struct evidence_wanted *wanted, bool *has, struct error *error);

/* Writes which tests of the blocks of that name stalled, and where they stood. 0, or -1. */
int explain_progress_block(FILE *out, struct store *store, const struct evidence_wanted *wanted, struct error *error);
