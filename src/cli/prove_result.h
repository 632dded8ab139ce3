/* --result and --ignore of `gridlock prove`. */
#pragma once

#include "base/error.h"
#include "proof/request.h"

/* "ARGUMENT=RIGHT". -1 with STATUS_USAGE. */
int prove_add_result(struct proof_request *request, const char *text, struct error *error);

/* "ARGUMENT", "ARGUMENT[3]" or "ARGUMENT[3-5]". Likewise. */
int prove_add_ignored(struct proof_request *request, const char *text, struct error *error);
