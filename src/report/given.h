/* What a run was asked, read back: the options and operands that say how to do a trial of it again. */
#pragma once

#include "store/store.h"

#include <stdbool.h>

/* Returns what the option, named without its dashes, was last set to; NULL if the run was not asked it. */
const char *given_value(const struct store_run *run, const char *option);

/* Returns the scenario's file as it was named; NULL if none was, so that the program carries the scenario. */
const char *given_scenario(const struct store_run *run, const char *scenario);

/* Says whether the run was told which points or promises to run: by --include, --exclude or --skips. */
bool given_chooses(const struct store_run *run);
