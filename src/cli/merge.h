/* gridlock merge: the union of run files. */
#ifndef GRIDLOCK_CLI_MERGE_H
#define GRIDLOCK_CLI_MERGE_H

int command_merge(int count, char **arguments);

#endif
