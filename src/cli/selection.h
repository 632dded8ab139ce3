/* Choosing devices, for every subcommand that needs one. */
#pragma once

#include "base/icd_folder.h"
#include "cli/options.h"
#include "format/devices.h"
#include "host/icds.h"
#include "host/remote.h"

/* The devices to work with, and the drivers that could not be used. A zeroed one is empty. */
struct selection {
    struct device_info *devices;
    size_t count;
    struct devices_icd *left_out;
    size_t left_out_count;
    /* The drivers that were found, and those of them that the supervisor was told to use, if they
     * cannot all be loaded together; it points to them as long as it lives. */
    struct icd_entry *entries;
    size_t entry_count;
    char *good[ICD_FOLDER_FILES];
};

/*
 * Opens a supervisor as the options ask for it. STATUS_USAGE: a --kernel-dir cannot be read, or a model device has no
 * such name.
 */
int selection_open(const struct common_options *options, struct supervisor **supervisor, struct error *error);

/*
 * Lists devices and keeps those that answer to a selector, numbered beside each other. Model devices are those that
 * selectors name (litmus/emulate.h); if these name nothing else, no driver is looked for. Drivers that crash or hang
 * while they are loaded, and platforms that cannot be listed, are left out, which is said on stderr. No device at
 * all, or a selector that none answers to, is STATUS_NO_DEVICE; the text says what there is, and why drivers could
 * not be loaded. Call selection_fini even on failure, once the supervisor is closed.
 */
int selection_make(struct selection *selection, struct remote *remote, const struct common_options *options,
                   struct error *error);

/* Also tries the drivers that the loader passed over in silence, and adds those that fail to left_out. */
void selection_check_drivers(struct selection *selection, struct remote *remote, const struct common_options *options);

/*
 * "; platforms without a device: A, B", or "", and what may be the reason: a variable that is not set, or a folder that
 * cannot be written.
 */
const char *selection_empty_platforms(const struct remote *remote, char *text, size_t size);

/*
 * For selection_make; each returns -1 and says why there is no device: none was listed; or the loader may be missing,
 * and no driver is to blame; or no device answers to a selector, if that is so, else 0.
 */
int selection_no_devices(struct selection *selection, struct remote *remote, const struct common_options *options,
                         struct error *error);
int selection_no_loader(struct error *error);
int selection_check(const struct selection *selection, const struct remote *remote,
                    const struct common_options *options, struct error *error);

void selection_fini(struct selection *selection);
