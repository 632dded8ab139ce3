/* What was promised, what was found of it, and what follows; from a run file of an audit. */
#pragma once

#include "base/error.h"
#include "report/evidence.h"
#include "report/report.h"

#include <stdio.h>

/*
 * Writes the wanted promise, of each wanted device; or, if none is wanted, all that are broken. 0; -1 with STATUS_USAGE if
 * the run has no promise of that name.
 */
int explain_audit(FILE *out, struct store *store, const struct evidence_wanted *wanted, struct error *error);

/* The wanted promise in the report of an audit, or the first that is broken; and its device. As explain_audit. */
int explain_find_promise(const struct report *report, const struct evidence_wanted *wanted,
                         const struct audit_device **device, const struct audit_row **row, struct error *error);
