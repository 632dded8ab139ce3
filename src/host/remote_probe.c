#include "base/alloc.h"
#include "host/leaving.h"
#include "host/signals.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- listing --- */

struct device_list {
    struct device_info *devices;
    size_t count;
    struct remote *remote;
};

static void take_device(void *context, const struct wire_packet *packet)
{
    struct device_list *list = context;
    struct remote *remote = list->remote;

    if (packet->header.type == WIRE_PLATFORM && remote->platform_count < WIRE_PLATFORMS)
        remote->platforms[remote->platform_count++] = packet->body.platform;
    if (packet->header.type != WIRE_DEVICE)
        return;
    GROW(list->devices, list->count);
    list->devices[list->count++] = packet->body.device;
}

int remote_list(struct remote *remote, const struct device_info *model, struct device_info **devices, size_t *count,
                struct error *error)
{
    struct device_list list = {.remote = remote};
    struct wire_list body = {0};

    if (model == NULL)
        remote->platform_count = 0;
    else
        body.model = *model;
    *devices = NULL;
    *count = 0;
    const int outcome =
        remote_request(remote, &(struct supervisor_request){WIRE_LIST, &body, take_device, &list, 0}, error);

    if (outcome != 0 && outcome != REMOTE_NO_WORKER && error->status == STATUS_HARNESS)
        error->status = STATUS_NO_DEVICE;
    if (outcome != 0) {
        free(list.devices);
        return -1;
    }
    for (size_t i = 0; i < list.count && model != NULL; ++i)
        list.devices[i].holdings = model->holdings;
    *devices = list.devices;
    *count = list.count;
    return 0;
}

int remote_check_library(struct remote *remote, const char *library, struct error *error)
{
    struct wire_check body = {0};
    snprintf(body.library, sizeof body.library, "%s", library);
    remote_drop_worker(remote);
    int outcome = remote_request(remote, &(struct supervisor_request){.type = WIRE_CHECK, .body = &body}, error);
    remote_drop_worker(remote);
    return outcome;
}

/* --- probing --- */

static void take_probe(void *context, const struct wire_packet *packet)
{
    struct remote *remote = context;
    char left_out[OPTIONAL_NOTES]; /* of which the worker knows nothing */

    if (packet->header.type != WIRE_PROBED)
        return;
    memcpy(left_out, remote->probe.left_out, sizeof left_out);
    remote->probe = packet->body.probed;
    memcpy(remote->probe.left_out, left_out, sizeof left_out);
    remote->probe.without = 0;
}

/*
 * Starting a worker takes seconds on some devices: one that only said that a step failed, and passes the canary, goes
 * on.
 */
static bool goes_on(struct remote *remote, uint32_t left_out)
{
    struct error ignored;

    return supervisor_has_worker(remote->supervisor) && remote->end.rungs[0] == '\0' &&
           remote->probe.dialect != DIALECT_NONE &&
           remote_request(remote, &(struct supervisor_request){.type = WIRE_CANARY, .left_out = left_out}, &ignored) ==
               0;
}

static int try_step(struct remote *remote, enum probe_step which, uint32_t left_out, struct error *error)
{
    const struct device_probe before = remote->probe;

    if (remote_need_open(remote, error) != 0)
        return -1;
    if (remote_request(remote, &(struct supervisor_request){WIRE_PROBE, &which, take_probe, remote, left_out}, error) ==
        0)
        return 0;
    remote->probe = before;
    if (!goes_on(remote, left_out))
        remote_drop_worker(remote);
    return -1;
}

/* What fails is tried again; if the driver died of it, without what kernels of so many work-items can do without. */
static int step_of(struct remote *remote, enum probe_step which, uint64_t items, struct error *error)
{
    struct leaving leaving;
    int outcome;

    leaving_begin(&leaving, remote, items);
    outcome = try_step(remote, which, leaving.left_out, error);
    if (outcome == 0 || !remote_is_worth_another(error))
        return outcome;
    do {
        outcome = try_step(remote, which, leaving.left_out, error);
    } while (leaving_tries(&leaving, outcome, error));
    return outcome;
}

static int step(struct remote *remote, enum probe_step which, struct error *error)
{
    return step_of(remote, which, 1, error);
}

/* Kernels of larger groups: those of one work-item say nothing of them where a driver compiles for the size. */
static void probe_groups(struct remote *remote)
{
    const uint64_t most = remote->device.max_local_size;
    struct error ignored;

    if (most > 1)
        step_of(remote, PROBE_GROUPS, most < PROBE_ITEMS ? most : PROBE_ITEMS, &ignored);
}

bool remote_is_nvidia(const struct device_info *device)
{
    return strstr(device->vendor, "NVIDIA") != NULL;
}

/* Returns whether one was built, and then did not do what it should. */
static bool probe_dialects(struct remote *remote, enum probe_depth depth)
{
    static const struct {
        enum probe_step step;
        enum dialect dialect;
    } steps[] = {
        {PROBE_DIALECT_PTX, DIALECT_PTX}, {PROBE_DIALECT_CL30, DIALECT_CL30}, {PROBE_DIALECT_CL12, DIALECT_CL12}};
    struct error error = {0};
    bool fails = false;

    for (size_t i = 0; i < sizeof steps / sizeof *steps; ++i) {
        if (steps[i].dialect == DIALECT_PTX && !remote_is_nvidia(&remote->device))
            continue; /* other compilers may not survive this assembly */
        char *log = remote->probe.dialect_log[steps[i].dialect];
        if ((depth == PROBE_ALL || remote->probe.dialect == DIALECT_NONE) && step(remote, steps[i].step, &error) != 0) {
            snprintf(log, sizeof *remote->probe.dialect_log, "%.159s", error.text);
            fails = fails || error.status == STATUS_SURPRISE;
        }
    }
    return fails;
}

static void probe_channels(struct remote *remote, enum channel wanted)
{
    static const struct {
        enum probe_step step;
        enum channel channel;
    } steps[] = {{PROBE_CHANNEL_SVM, CHANNEL_SHARED},
                 {PROBE_CHANNEL_MAPPED, CHANNEL_SHARED},
                 {PROBE_CHANNEL_QUEUE, CHANNEL_QUEUE}};
    const uint64_t fine_grain_buffer = 1u << 1; /* CL_DEVICE_SVM_FINE_GRAIN_BUFFER */
    struct error error = {0};

    for (size_t i = 0; i < sizeof steps / sizeof *steps && remote->probe.channel == CHANNEL_NONE; ++i) {
        if (wanted != CHANNEL_AUTO && wanted != steps[i].channel)
            continue;
        if (steps[i].step == PROBE_CHANNEL_SVM && !(remote->device.svm & fine_grain_buffer))
            continue;
        step(remote, steps[i].step, &error);
    }
}

void remote_continue(struct remote *remote, const struct device_info *device, const struct device_probe *probe)
{
    if (!remote->fresh)
        remote_drop_worker(remote);
    remote->device = *device;
    remote->probe = *probe;
}

/* A device that could not be probed is left out, or no longer works. */
static int give_up(struct remote *remote, struct error *error)
{
    struct supervisor_end end;
    struct error ignored;

    if (remote_is_worth_another(error))
        error->status = remote_canary(remote, &end, &ignored) == 0 ? STATUS_NO_DEVICE : STATUS_WEDGED;
    return error_context(error, "%s", DEVICE_LABEL_OF(&remote->device));
}

/*
 * Of a model device nothing is timed: it says itself when a launch stands still. A poll counts as a microsecond:
 * what is to wait for a while waits for so many.
 */
static const struct device_probe of_model = {.channel = CHANNEL_PROOF, .memory = MEMORY_MAPPED, .poll_ps = 1000000};

static int choose(struct remote *remote, const struct device_info *device, enum probe_depth depth, enum channel channel,
                  struct error *error)
{
    struct error ignored = {0};

    const bool is_model = device_info_is_model(device);

    remote_continue(remote, device, is_model ? &of_model : &(struct device_probe){0});
    if (!remote_is_nvidia(device))
        snprintf(remote->probe.dialect_log[DIALECT_PTX], sizeof remote->probe.dialect_log[DIALECT_PTX],
                 "it is inline assembly for NVIDIA GPUs");
    if (remote_need_open(remote, error) != 0) {
        error->status = error->status == STATUS_HARNESS ? STATUS_NO_DEVICE : error->status;
        return -1;
    }
    const bool fails = probe_dialects(remote, depth);
    if (signals_received() != 0)
        return error_set(error, (enum status)(128 + signals_received()), "interrupted while probing %s",
                         DEVICE_LABEL_OF(device));
    if (remote->probe.dialect == DIALECT_NONE)
        return error_set(error, fails ? STATUS_WEDGED : STATUS_UNSUPPORTED,
                         "%s: no dialect compiles and runs; cl12 says: %s", DEVICE_LABEL_OF(device),
                         remote->probe.dialect_log[DIALECT_CL12]);
    if (device->kind == DEVICE_CPU)
        step(remote, PROBE_YIELD, &ignored);
    if (!is_model && step(remote, PROBE_LOOPS, error) != 0)
        return give_up(remote, error);
    if (device->kind == DEVICE_CPU && depth == PROBE_ALL)
        probe_groups(remote);
    if (channel != CHANNEL_NONE && !is_model)
        probe_channels(remote, channel);
    if (channel != CHANNEL_AUTO && remote->probe.channel != channel)
        return error_set(error, STATUS_UNSUPPORTED, "%s: channel %s does not work on this device",
                         DEVICE_LABEL_OF(device), channel_name(channel));
    return 0;
}

int remote_choose(struct remote *remote, const struct device_info *device, enum probe_depth depth, enum channel channel,
                  struct error *error)
{
    supervisor_tell(remote->supervisor, remote->waiting, remote->context);
    const int outcome = choose(remote, device, depth, channel, error);
    supervisor_tell(remote->supervisor, NULL, NULL);
    if (remote->waiting != NULL)
        remote->waiting(remote->context, STAGE_IDLE, 0);
    return outcome;
}
