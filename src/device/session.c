#include "device/session.h"

#include "core/board.h"
#include "core/clock.h"
#include "device/cl_status.h"
#include "device/enqueuer.h"
#include "device/listing.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { SESSION_BOARD_WORDS = 1 << 15 };

void session_stage(struct session *session, enum stage stage)
{
    atomic_store_explicit(&session->mirror->stage_began_ns, clock_ns(), memory_order_relaxed);
    atomic_store_explicit(&session->mirror->stage, stage, memory_order_release);
}

static int find_device(struct session *session, const struct device_info *info, struct error *error)
{
    struct listed_device *devices = NULL;
    size_t count = 0;

    if (listing_read(&devices, &count, error) != 0)
        return -1;
    for (size_t i = 0; i < count; ++i)
        if (device_info_same(&devices[i].info, info)) {
            session->device = devices[i].device;
            session->info = devices[i].info;
        }
    free(devices);
    if (session->device == NULL)
        return error_set(error, STATUS_NO_DEVICE, "device %s of %s is not there any more", info->name, info->platform);
    return 0;
}

static cl_command_queue make_queue(struct session *session, cl_int *code)
{
    /* The call of OpenCL 1.2, which 2.0 renamed: it is the one that every driver has. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
    return clCreateCommandQueue(session->context, session->device, CL_QUEUE_PROFILING_ENABLE, code);
#pragma GCC diagnostic pop
}

int session_open(struct session *session, const struct device_info *info, const struct device_probe *probe,
                 struct error *error)
{
    cl_int code;

    session->probe = *probe;
    if (find_device(session, info, error) != 0)
        return -1;
    session->context = clCreateContext(NULL, 1, &session->device, NULL, NULL, &code);
    if (code != CL_SUCCESS)
        return cl_status_error(error, "clCreateContext", code);
    session->queue = make_queue(session, &code);
    if (code == CL_SUCCESS)
        session->side_queue = make_queue(session, &code);
    if (code != CL_SUCCESS)
        return cl_status_error(error, "clCreateCommandQueue", code);
    session->enqueuer = enqueuer_start(error);
    return session->enqueuer == NULL ? -1 : 0;
}

/* --- board memory --- */

static void free_board(struct session *session)
{
    if (session->buffer != NULL && session->shared != NULL)
        clEnqueueUnmapMemObject(session->queue, session->buffer, session->shared, 0, NULL, NULL);
    if (session->buffer != NULL)
        clReleaseMemObject(session->buffer);
    if (session->svm != NULL)
        clSVMFree(session->context, session->svm);
    if (session->staging != NULL) {
        clEnqueueUnmapMemObject(session->queue, session->staging, session->copy, 0, NULL, NULL);
        clReleaseMemObject(session->staging);
    } else {
        free(session->copy);
    }
    session->staging = NULL;
    session->buffer = NULL;
    session->svm = NULL;
    session->shared = NULL;
    session->copy = NULL;
    session->board_room = 0;
}

static int allocate_svm(struct session *session, size_t bytes, struct error *error)
{
    cl_svm_mem_flags flags = CL_MEM_READ_WRITE | CL_MEM_SVM_FINE_GRAIN_BUFFER;
    if (session->info.svm & CL_DEVICE_SVM_ATOMICS)
        flags |= CL_MEM_SVM_ATOMICS;
    session->svm = clSVMAlloc(session->context, flags, bytes, 0);
    if (session->svm == NULL)
        return error_set(error, STATUS_HARNESS, "clSVMAlloc of %zu bytes failed", bytes);
    session->shared = session->svm;
    return 0;
}

static int allocate_buffer(struct session *session, size_t bytes, bool mapped, struct error *error)
{
    cl_int code;
    cl_mem_flags flags = CL_MEM_READ_WRITE | (mapped ? CL_MEM_ALLOC_HOST_PTR : 0);

    session->buffer = clCreateBuffer(session->context, flags, bytes, NULL, &code);
    if (code != CL_SUCCESS)
        return cl_status_error(error, "clCreateBuffer", code);
    if (!mapped)
        return 0;
    session->shared = clEnqueueMapBuffer(session->queue, session->buffer, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0, bytes,
                                         0, NULL, NULL, &code);
    return code == CL_SUCCESS ? 0 : cl_status_error(error, "clEnqueueMapBuffer", code);
}

/* The host's copy. Where the board is in device memory it is read often: from pinned memory that is faster. */
static int allocate_copy(struct session *session, size_t bytes, enum shared_memory memory, struct error *error)
{
    cl_int code = CL_SUCCESS;

    if (memory == MEMORY_DEVICE)
        session->staging =
            clCreateBuffer(session->context, CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR, bytes, NULL, &code);
    if (session->staging != NULL)
        session->copy = clEnqueueMapBuffer(session->queue, session->staging, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0,
                                           bytes, 0, NULL, NULL, &code);
    if (session->copy != NULL)
        return 0;
    if (session->staging != NULL)
        clReleaseMemObject(session->staging);
    session->staging = NULL;
    session->copy = calloc(1, bytes);
    return session->copy != NULL ? 0 : error_set(error, STATUS_HARNESS, "no memory for a board of %zu bytes", bytes);
}

int session_need_board(struct session *session, size_t words, struct error *error)
{
    enum shared_memory memory = session->probe.channel == CHANNEL_SHARED ? session->probe.memory : MEMORY_DEVICE;

    if (words <= session->board_room && memory == session->board_memory)
        return 0;
    free_board(session);
    size_t room = SESSION_BOARD_WORDS;
    while (room < words)
        room *= 2;
    const size_t bytes = room * sizeof(uint32_t);
    if (allocate_copy(session, bytes, memory, error) != 0)
        return -1;
    int outcome = memory == MEMORY_SVM ? allocate_svm(session, bytes, error)
                                       : allocate_buffer(session, bytes, memory == MEMORY_MAPPED, error);
    if (outcome != 0) {
        free_board(session);
        return -1;
    }
    session->board_room = room;
    session->board_memory = memory;
    return 0;
}

/* --- channel --- */

int session_write_board(struct session *session, size_t words, struct error *error)
{
    const size_t bytes = words * sizeof(uint32_t);

    if (session->shared != NULL) {
        memcpy(session->shared, session->copy, bytes);
        atomic_thread_fence(memory_order_seq_cst);
        return 0;
    }
    cl_int code =
        clEnqueueWriteBuffer(session->queue, session->buffer, CL_TRUE, 0, bytes, session->copy, 0, NULL, NULL);
    return code == CL_SUCCESS ? 0 : cl_status_error(error, "clEnqueueWriteBuffer", code);
}

static void copy_shared(uint32_t *copy, uint32_t *shared, size_t words)
{
    for (size_t i = 0; i < words; ++i)
        copy[i] = atomic_load_explicit((_Atomic uint32_t *)&shared[i], memory_order_relaxed);
    atomic_thread_fence(memory_order_acquire);
}

int session_read_board(struct session *session, size_t words, bool running, struct error *error)
{
    if (session->shared != NULL) {
        copy_shared(session->copy, session->shared, words);
        return 0;
    }
    cl_command_queue queue = running ? session->side_queue : session->queue;
    cl_int code = clEnqueueReadBuffer(queue, session->buffer, CL_TRUE, 0, words * sizeof(uint32_t),
                                      session->copy, 0, NULL, NULL);
    return code == CL_SUCCESS ? 0 : cl_status_error(error, "clEnqueueReadBuffer", code);
}

int session_poke(struct session *session, uint32_t word, uint32_t value, struct error *error)
{
    if (session->shared != NULL) {
        atomic_store_explicit((_Atomic uint32_t *)&session->shared[word], value, memory_order_seq_cst);
        return 0;
    }
    cl_int code = clEnqueueWriteBuffer(session->side_queue, session->buffer, CL_TRUE, word * sizeof value, sizeof value,
                                       &value, 0, NULL, NULL);
    return code == CL_SUCCESS ? 0 : cl_status_error(error, "clEnqueueWriteBuffer", code);
}
