/* Choosing devices, for every subcommand that needs one. */
#ifndef GRIDLOCK_CLI_DEVICES_H
#define GRIDLOCK_CLI_DEVICES_H

#include "cli/options.h"
#include "host/remote.h"
#include "report/devices.h"

/* A supervisor as the options ask for it. */
int devices_open(const struct common_options *options, struct supervisor **supervisor, struct error *error);

/*
 * Lists devices and keeps those that answer to a selector, in *devices (allocated; free it; NULL on failure). None at
 * all, or a selector that none answers to, is STATUS_NO_DEVICE; the text says what there is, and why
 * drivers could not be loaded.
 */
int devices_select(struct remote *remote, const struct common_options *options, struct device_info **devices,
                   size_t *count, struct error *error);

/* Tries each registered driver (or --icd); those that fail go to *icds (allocated; free it). */
int devices_check_icds(struct remote *remote, const struct common_options *options, struct devices_icd **icds,
                       size_t *count, struct error *error);

/* The subcommands. */
int command_devices(int count, char **arguments);

#endif
