/* gridlock check. */
#ifndef GRIDLOCK_CLI_CHECK_H
#define GRIDLOCK_CLI_CHECK_H

int command_check(int count, char **arguments);

#endif
