/* gridlock explain --reproducer: a program that does a launch again, in a folder. */
#pragma once

#include "report/evidence.h"

/* Writes it and says so on stdout. -1 with STATUS_USAGE if there can be none, or its files are already there. */
int reproduce(struct store *store, const struct evidence *evidence, const char *folder, struct error *error);

/* The same of the wanted launch of a run of proofs: a program that has it stall on a real device. */
int reproduce_proof(struct store *store, const struct evidence_wanted *wanted, const char *folder, struct error *error);

/* The same of the wanted promise of an audit, or the first that is broken. */
int reproduce_promise(struct store *store, const struct evidence_wanted *wanted, const char *folder,
                      struct error *error);
