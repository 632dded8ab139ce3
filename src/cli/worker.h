/* The worker's entry; its arguments come from the supervisor, not from people. */
#ifndef GRIDLOCK_CLI_WORKER_H
#define GRIDLOCK_CLI_WORKER_H

int command_worker(int count, char **arguments);

#endif
