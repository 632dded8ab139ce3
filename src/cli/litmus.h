/* gridlock litmus: programs by which models of progress are told apart. */
#ifndef GRIDLOCK_CLI_LITMUS_H
#define GRIDLOCK_CLI_LITMUS_H

int command_litmus(int count, char **arguments);

#endif
