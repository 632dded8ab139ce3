/*
 * Which device of one run file is which of another. Names change with the driver, so a device is known by what else is
 * the same: what the user says, its UUID, its PCI address on the same host, its name, or that no other is left.
 */
#pragma once

#include "base/error.h"
#include "core/naming.h"
#include "store/store.h"

#include <stdbool.h>
#include <stddef.h>

/* In the order in which they are tried. */
enum pairing {
    PAIRING_MATCH, /* the user says so */
    PAIRING_SAME,  /* all names, and UUID and PCI address where known */
    PAIRING_UUID,
    PAIRING_PCI, /* and names that differ in what they say of the driver alone */
    PAIRING_NAME,
    /*
     * Each run has as many left, all of one name: in their order. The names may differ in what they say of the driver,
     * unless the user wants to compare other devices.
     */
    PAIRING_LEFT,
    PAIRING_NONE, /* it is in one run only */
    PAIRING_COUNT,
};

/* Devices by their places in the run files, from 0; of a device in one run only the other is DEVICE_MISSING. */
struct device_pair {
    size_t before, after;
    enum pairing by;
};
#define DEVICE_MISSING ((size_t)-1)

/* Those of the first run in its order, then what the second has alone. */
struct device_pairs {
    struct device_pair *pairs;
    size_t count;
};

/* What the user says: "OLD=NEW", each a device's name or a selector. */
struct pairing_rules {
    const char *const *matches;
    size_t match_count;
    bool strict;       /* no pair of devices of which only the places are alike: PAIRING_LEFT is an error */
    bool other_device; /* PAIRING_LEFT also pairs devices that are not the same one */
};

/* Pairs the devices of two run files. -1 with STATUS_USAGE if no two are paired. To be freed in any case. */
int pair_devices(struct store *before, struct store *after, const struct pairing_rules *rules,
                 struct device_pairs *pairs, struct error *error);
/* The same, with devices that the second run is to have. */
int pair_devices_with(struct store *before, const struct device_info *devices, size_t count,
                      const struct pairing_rules *rules, struct device_pairs *pairs, struct error *error);
void device_pairs_fini(struct device_pairs *pairs);

NAMING_DECLARE(pairing, enum pairing);
