/* gridlock resume: goes on with a run that was stopped, in whatever way. */
#ifndef GRIDLOCK_CLI_RESUME_H
#define GRIDLOCK_CLI_RESUME_H

int command_resume(int count, char **arguments);

#endif
