/* The buffers that a scenario's kernel works on: made, filled before each launch, and verified after it. */
#pragma once

#include "core/reference.h"
#include "device/session.h"
#include "judge/observation.h"

struct data {
    uint32_t count;
    struct memory memories[WORKLOAD_REGIONS]; /* on a CPU shared with the host, if that is possible */
    uint64_t bytes[WORKLOAD_REGIONS];
    void *before[WORKLOAD_REGIONS]; /* what each holds before a launch */
    void *after[WORKLOAD_REGIONS];  /* NULL for an input: what a kernel does to it shows in the next launch */
    bool written;                   /* the inputs are on the device */
    struct reference_memory known;
};

/*
 * Makes the trial's buffers. STATUS_UNSUPPORTED if one is larger than the device allocates, with the
 * sizes; STATUS_HARNESS for any other failure. data_close is to be called in any case.
 */
int data_open(struct session *session, const struct trial *trial, struct data *data, struct error *error);
void data_close(struct session *session, struct data *data);

/* Fills the buffers: the inputs once, the others each time. */
int data_write(struct session *session, struct data *data, struct error *error);

/* Makes them the kernel's arguments from number 1 on; returns a cl_int. */
cl_int data_set_arguments(const struct data *data, cl_kernel kernel);

/*
 * Reads the other buffers back, and notes in the observation what of the results is not as it must be, and how long a
 * hand-over took.
 */
int data_verify(struct session *session, const struct trial *trial, struct data *data, struct observation *observation,
                struct error *error);
