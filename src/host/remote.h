/*
 * OpenCL from a distance: what the worker can do, as functions. A worker that dies is replaced; a
 * device that was opened is opened again in the new worker.
 */
#pragma once

#include "base/error.h"
#include "base/packed.h"
#include "core/device_info.h"
#include "host/supervisor.h"
#include "judge/observation.h"
#include "wire/wire.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { REMOTE_HASHES = 256 };

struct remote {
    struct supervisor *supervisor;
    bool open;  /* the present worker has opened it */
    bool fresh; /* the present worker has opened no device yet */
    struct device_info device;
    struct device_probe probe;
    struct supervisor_end end;   /* of the last request */
    supervisor_waiting *waiting; /* told of while a device is probed, and in the end with 0 ns; or NULL */
    void *context;
    struct wire_platform platforms[WIRE_PLATFORMS]; /* that have no device, or could not be listed */
    size_t platform_count;
    /* Hashes (0: no more) of what the driver died of with all optional parts left out, */
    uint64_t hopeless[REMOTE_HASHES];
    uint64_t other_loops[REMOTE_HASHES]; /* and of kernels that PoCL has to make other loops for */
    /* Whose turns a model device is to take in a trial with this seed, or NULL; and the first it took otherwise. */
    const struct schedule *schedule;
    uint32_t schedule_seed, differs;
};

/* A trial, be it a block of litmus tests, as it went. */
struct remote_result {
    struct observation *observations; /* owned; free with remote_result_fini */
    uint32_t count;
    /* For a block: what its first tests came to, in their order; owned, too. */
    struct test_outcome *tests;
    uint32_t test_count;
    uint32_t test_capacity; /* tests of the block */
    struct finding finding; /* of a promise */
    bool found;             /* a worker said it */
    uint32_t *proof;        /* a packed struct proof_result; owned, too; or NULL */
    size_t proof_words;
    struct promise_search search;
    uint32_t evidence;     /* index of the launch whose board is kept */
    const uint32_t *board; /* in the shared page, until the next request; NULL: no board */
    size_t board_words;
    struct packed packed_board; /* the same; or nothing: it is not packed yet */
    const uint32_t *samples;    /* of that launch, in the shared page until the next request, or NULL */
    size_t samples_words;
    struct schedule_kept schedule; /* of the launch that failed; in the shared page, too */
    uint64_t duration_ns;
    struct trial_facts facts;
    struct subject_facts subject; /* as in struct wire_done */
    struct subject_tried tried;   /* what the driver failed of: parts of `tried_bytes` */
    char *tried_bytes;
    bool recalled;     /* it ran in an earlier process, and was read back */
    bool incomplete;   /* it was begun in an earlier process, which did not end it */
    bool clean;        /* nothing failed: the worker can be used again */
    bool unkillable;   /* its worker could not be killed */
    uint32_t left_out; /* what its kernels were built without, as bits of enum optional */
    bool suspected;
    struct observation suspect; /* the stall that the worker reported before it stopped the launch */
    struct supervisor_end end;  /* how the worker ended, if it did */
    char text[512];             /* what failed, in words, or "" */
    char *made_up;              /* of a kernel that is tried: arguments that nobody gave; owned, too; or NULL */
};

/*
 * Lists the model device of this name, with the holdings of `model`, or with NULL all devices of all drivers, into
 * *devices (allocated; free it). A loader that crashes or hangs is STATUS_NO_DEVICE and says so.
 */
int remote_list(struct remote *remote, const struct device_info *model, struct device_info **devices, size_t *count,
                struct error *error);

/* Tries one driver library in a worker of its own: 0, or -1 with the reason. */
int remote_check_library(struct remote *remote, const char *library, struct error *error);

/* Which probe steps to take: all dialects, or the first that works. */
enum probe_depth { PROBE_FIRST_DIALECT, PROBE_ALL };

/*
 * Chooses a device and probes it, each step in a request of its own: what fails is tried again, then noted as
 * not working, and the next step gets a new worker if this one has broken. `channel` forces one kind (CHANNEL_AUTO: the
 * best that works). STATUS_NO_DEVICE if the device cannot be opened; STATUS_UNSUPPORTED if no dialect
 * compiles there or the forced channel does not work.
 */
int remote_choose(struct remote *remote, const struct device_info *device, enum probe_depth depth, enum channel channel,
                  struct error *error);

/* Chooses a device of which all this was probed before. */
void remote_continue(struct remote *remote, const struct device_info *device, const struct device_probe *probe);

/*
 * Runs a trial. What goes wrong with the device or the worker is part of the result; -1 with
 * STATUS_HARNESS only if the tool itself failed. After anything but a clean trial the worker is gone. A driver that
 * dies before a launch has ended, or does not build the kernel, is asked again; if it fails in the same way, without
 * the optional parts of the kernel, one after the other. What helped is noted for the size of its groups in the probe's
 * `left_out`, and left out from then on; PoCL's loops only of this kernel. So it is with blocks and promises.
 */
int remote_trial(struct remote *remote, const struct trial *trial, struct remote_result *result, struct error *error);
void remote_result_fini(struct remote_result *result);

/* Makes room for what the tests of a block come to, and in the end notes how it ended. */
void remote_result_begin(struct remote_result *result, const struct block *block);
void remote_result_end(struct remote_result *result, const struct observation *observation);

/*
 * Runs a block of litmus tests as remote_trial does. Its one observation says how it came to its end. Tests behind one
 * that ends the worker are not run.
 */
int remote_block(struct remote *remote, const struct block *block, struct remote_result *result, struct error *error);

/*
 * Measures a promise as remote_trial does. result->finding is what was found, even by the death of the worker. What is
 * tried several times is tried so often; 0: as often as usual.
 */
int remote_promise(struct remote *remote, const struct promise *promise, uint32_t tries, struct remote_result *result,
                   struct error *error);

/* Explores a launch on a model device; result->proof is what was proved, unless result->text says why nothing was. */
int remote_proof(struct remote *remote, const struct proof_request *request, struct remote_result *result,
                 struct error *error);

/*
 * Looks at workers. `look` is told many times a second that a launch runs, in this process, and for how long. True: it
 * was proved that it never ends, so that the worker is to be ended; text has room for `size` bytes that say how, or
 * else what to say if its time is up.
 */
struct remote_looker {
    bool (*look)(void *context, pid_t worker, uint64_t since_ns, char *text, size_t size);
    void *context;
};

/*
 * Launches a kernel of the user's as it is. What came of it is the one observation of the result: a worker that did not
 * come back in time is ended. `looker` may be NULL. result->text says what failed, or why it never ends.
 */
int remote_try(struct remote *remote, const struct proof_request *request, const struct remote_looker *looker,
               struct remote_result *result, struct error *error);

/* The canary: 0 if the device works. STATUS_WEDGED if not; *end then says how the worker ended. */
int remote_canary(struct remote *remote, struct supervisor_end *end, struct error *error);

/* Kernels of a file of the user's, and what the driver says if it does not build it. */
struct remote_kernels {
    struct subject_kernel_info *kernels; /* owned; free with remote_kernels_fini */
    size_t count;
    char *log; /* owned, too; or NULL */
};

/*
 * STATUS_SURPRISE: the file does not build, or the driver died of it; STATUS_USAGE: it cannot be read, or the options
 * are none.
 */
int remote_kernels(struct remote *remote, const struct subject *subject, struct remote_kernels *kernels,
                   struct error *error);
void remote_kernels_fini(struct remote_kernels *kernels);

/* Writes the program binary of a footprint's kernel to a new file. */
int remote_save_binary(struct remote *remote, const struct footprint *footprint, const char *path, struct error *error);
