/* gridlock devices. */
#ifndef GRIDLOCK_CLI_DEVICES_H
#define GRIDLOCK_CLI_DEVICES_H

int command_devices(int count, char **arguments);

#endif
