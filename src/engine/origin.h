/* Where a run was begun: on which machine, and by which user. A run file may come from anybody. */
#pragma once

#include "store/store.h"

#include <stdbool.h>

enum { ORIGIN_TEXT = 17 };

/*
 * A code of this machine, this user and the run's command line, folder and environment, which is made with the
 * machine's id as key: who does not know that can neither make one nor keep one for another command.
 */
void origin_make(const struct store_run *run, char text[ORIGIN_TEXT]);

/* The run in this file was begun here, by this user, with this command. */
bool origin_is_here(const struct store_run *run, const char *path);
