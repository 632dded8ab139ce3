#include "device/session.h"

#include "base/clock.h"
#include "base/trace.h"
#include "device/cl_status.h"
#include "device/enqueuer.h"
#include "device/listing.h"

#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

void session_stage(struct session *session, enum stage stage)
{
    if (session->aside)
        return;
    trace("%s", stage_words(stage));
    atomic_store_explicit(&session->mirror->stage_began_ns, clock_ns(), memory_order_relaxed);
    atomic_store_explicit(&session->mirror->stage, stage, memory_order_release);
}

void session_text(struct session *session, enum subject_text text)
{
    if (!session->aside)
        atomic_store(&session->mirror->text, text);
}

void session_tried(struct session *session, const struct subject_tried *tried)
{
    const char *parts[TRIED_PARTS];
    off_t at = sizeof(struct mirror);

    if (session->aside)
        return;
    atomic_store(&session->mirror->tried_bytes, 0);
    if (tried == NULL || tried->text == NULL)
        return;
    subject_tried_parts(tried, parts);
    for (size_t i = 0; i < TRIED_PARTS; ++i) {
        const ssize_t size = (ssize_t)strlen(parts[i]) + 1;
        if (pwrite(session->shared, parts[i], (size_t)size, at) != size)
            return;
        at += size;
    }
    atomic_store(&session->mirror->tried_bytes, (uint64_t)at - sizeof(struct mirror));
}

void session_subject(struct session *session, const struct subject_facts *facts)
{
    atomic_store(&session->mirror->subject_known, 0);
    if (facts == NULL)
        return;
    session->mirror->subject = *facts;
    atomic_store(&session->mirror->subject_known, 1);
}

/* A byte of 0 is the mark (host/watchdog.c). Where nobody reads it, nothing is lost. */
void session_forget_output(const struct session *session)
{
    if (!session->aside && write(STDERR_FILENO, "", 1) < 0)
        return;
}

/* A driver may write to the page as well. */
enum stop_request session_stop_request(const struct session *session)
{
    const uint32_t request = atomic_load_explicit(&session->mirror->stop_requested, memory_order_acquire);
    return request <= STOP_NOW ? (enum stop_request)request : STOP_NOT;
}

bool session_is_interrupted(const struct session *session)
{
    return session_stop_request(session) == STOP_NOW;
}

void session_end_overdue(struct session *session)
{
    uint32_t request = STOP_OVERDUE;
    atomic_compare_exchange_strong(&session->mirror->stop_requested, &request, STOP_NOT);
}

static int find_device(struct session *session, const struct device_info *info, struct error *error)
{
    struct listing listing;
    const int outcome = listing_read(&listing, device_info_is_model(info) ? info : NULL, error);

    for (size_t i = 0; i < listing.count; ++i)
        if (device_info_same(&listing.devices[i].info, info))
            session->device = listing.devices[i].device;
    listing_fini(&listing);
    if (outcome == 0 && session->device == NULL)
        return error_set(error, STATUS_NO_DEVICE, "device %s of %s is gone", DEVICE_LABEL_OF(info), info->platform);
    return outcome;
}

cl_command_queue session_make_queue(struct session *session, cl_command_queue_properties properties, cl_int *code)
{
    /* The call of OpenCL 1.2, which 2.0 renamed: it is the one that every driver has. */
    return clCreateCommandQueue(session->context, session->device, properties, code);
}

concurrent_count *session_concurrent_count(const struct session *session)
{
    cl_platform_id platform = NULL;
    concurrent_count *count = NULL;

    clGetDeviceInfo(session->device, CL_DEVICE_PLATFORM, sizeof(cl_platform_id), &platform, NULL);
    *(void **)&count =
        clGetExtensionFunctionAddressForPlatform(platform, "clGetKernelMaxConcurrentWorkGroupCountINTEL");
    return count;
}

int session_open(struct session *session, const struct device_info *info, const struct device_probe *probe,
                 struct error *error)
{
    cl_int code;

    session->info = *info; /* as the driver described it first: all workers go by the same */
    session->probe = *probe;
    if (find_device(session, info, error) != 0)
        return -1;
    session->context = clCreateContext(NULL, 1, &session->device, NULL, NULL, &code);
    if (code != CL_SUCCESS)
        return cl_status_error(error, "clCreateContext", code);
    session->queue = session_make_queue(session, CL_QUEUE_PROFILING_ENABLE, &code);
    if (code == CL_SUCCESS)
        session->side_queue = session_make_queue(session, CL_QUEUE_PROFILING_ENABLE, &code);
    if (code != CL_SUCCESS)
        return cl_status_error(error, "clCreateCommandQueue", code);
    session->enqueuer = enqueuer_start(error);
    return session->enqueuer == NULL ? -1 : 0;
}
