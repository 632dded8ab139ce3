/* gridlock limits. */
#ifndef GRIDLOCK_CLI_LIMITS_H
#define GRIDLOCK_CLI_LIMITS_H

int command_limits(int count, char **arguments);

#endif
