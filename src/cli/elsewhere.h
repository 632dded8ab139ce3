/* Options that are given to a command which does not have them, and others do. */
#pragma once

#include "cli/options.h"

struct command;

/* The table of subcommands, which ends with one without a name. */
void elsewhere_know(const struct command *commands);

/*
 * If other commands have the option that the word begins with ("--schedule=FILE"), says so on stderr, and returns true:
 * "gridlock limits: --schedule is an option of gridlock run".
 */
bool elsewhere_has(const struct parsing *parsing, const char *word);
