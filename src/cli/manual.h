/* Manual pages, in the roff of man(7). */
#ifndef GRIDLOCK_CLI_MANUAL_H
#define GRIDLOCK_CLI_MANUAL_H

#include "cli/command.h"

#include <stddef.h>
#include <stdio.h>

/* gridlock(1); `date` stands at its foot. */
void manual_overview(FILE *out, const struct command *commands, size_t count, const char *date);

/* gridlock-COMMAND(1). */
void manual_command(FILE *out, const struct command *command, const struct command *commands, size_t count,
                    const char *date);

#endif
