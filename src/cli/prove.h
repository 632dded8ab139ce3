/* What options of gridlock prove say, for others that read them back. */
#pragma once

#include "proof/request.h"

/* Takes "NAME=buffer:4", as --arg does. -1 with STATUS_USAGE. */
int prove_add_argument(struct proof_request *request, const char *text, struct error *error);
