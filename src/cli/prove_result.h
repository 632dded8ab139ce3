/* --result of `gridlock prove`. */
#pragma once

#include "base/error.h"
#include "proof/request.h"

/* "ARGUMENT=RIGHT". -1 with STATUS_USAGE. */
int prove_add_result(struct proof_request *request, const char *text, struct error *error);
