/* How busy others kept the machine while a device was measured, where verdicts hung on it. */
#pragma once

#include "store/store.h"

#include <stdio.h>

struct device_strain {
    int64_t device;
    uint32_t needed; /* threads of the host that a launch keeps busy */
    struct store_strain strain;
};

/* Reads the strain of each device into a new array, which the caller frees. Returns 0, or -1. */
int strains_read(struct device_strain **strains, size_t *count, struct store *store, struct error *error);

/* That of the device; not known, if no trial says it. */
struct device_strain strains_find(const struct device_strain *strains, size_t count, int64_t device);

/* Those of a CPU device, or the one that watches the launch; 0 of a model device, where nothing hangs on time. */
uint32_t strain_needed_threads(const struct device_info *info);

/* Trials were in doubt, and others kept the machine so busy meanwhile that this may be why. */
bool strain_made_doubtful(const struct device_strain *strain);

/* "other processes used 1.4 of 2 processors, and for 62 % of the time some process waited for one" */
void strain_print(FILE *out, const struct strain *strain);

/* "the machine was busy: ..., while 3 trials ran that were undecided or run again; ..." */
void strain_print_doubt(FILE *out, const struct device_strain *strain);
