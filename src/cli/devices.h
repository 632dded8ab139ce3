/* gridlock devices. */
#ifndef GRIDLOCK_CLI_DEVICES_H
#define GRIDLOCK_CLI_DEVICES_H

#include <argp.h>

extern const struct argp devices_argp;

int command_devices(int count, char **arguments);

#endif
