/* Completion scripts for shells. */
#ifndef GRIDLOCK_CLI_COMPLETION_H
#define GRIDLOCK_CLI_COMPLETION_H

#include "cli/command.h"

#include <stddef.h>
#include <stdio.h>

void completion_bash(FILE *out, const struct command *commands, size_t count);
void completion_zsh(FILE *out, const struct command *commands, size_t count);
void completion_fish(FILE *out, const struct command *commands, size_t count);

#endif
