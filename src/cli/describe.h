/* gridlock describe: the commands and their options, for the build. It is in no help. */
#ifndef GRIDLOCK_CLI_DESCRIBE_H
#define GRIDLOCK_CLI_DESCRIBE_H

#include "cli/command.h"

#include <stddef.h>

int describe_main(const struct command *commands, size_t command_count, int count, char **arguments);

#endif
