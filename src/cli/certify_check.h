/* gridlock certify --check: what of a certificate no longer holds. */
#pragma once

#include "cli/certify_steps.h"

enum { CERTIFY_WORDS = 4 * CERTIFY_ARGUMENTS };

/*
 * Measures, and writes the certificate; prints it unless another one is checked. Returns its JSON, allocated; NULL: no
 * result.
 */
char *certify_run(struct certify_options *options, struct certified *certified, struct error *error);

/* What the certificate that options->check names says, measured again, and compared. Prints it. */
int certify_check(const struct certify_options *options, enum status *status, struct error *error);
