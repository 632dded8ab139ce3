/* gridlock list. */
#ifndef GRIDLOCK_CLI_LIST_H
#define GRIDLOCK_CLI_LIST_H

int command_list(int count, char **arguments);

#endif
