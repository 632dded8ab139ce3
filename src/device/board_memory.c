#include "device/board_memory.h"

#include "device/cl_status.h"
#include "device/session.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { LEAST_WORDS = 1 << 15 };

void board_memory_free(struct session *session, struct board_memory *memory)
{
    if (memory->buffer != NULL && memory->shared != NULL)
        clEnqueueUnmapMemObject(session->queue, memory->buffer, memory->shared, 0, NULL, NULL);
    if (memory->buffer != NULL)
        clReleaseMemObject(memory->buffer);
    if (memory->svm != NULL)
        clSVMFree(session->context, memory->svm);
    if (memory->staging != NULL) {
        clEnqueueUnmapMemObject(session->queue, memory->staging, memory->copy, 0, NULL, NULL);
        clReleaseMemObject(memory->staging);
    } else {
        free(memory->copy);
    }
    memory->staging = NULL;
    memory->buffer = NULL;
    memory->svm = NULL;
    memory->shared = NULL;
    memory->copy = NULL;
    memory->room = 0;
}

static int allocate_svm(struct session *session, struct board_memory *memory, size_t bytes, struct error *error)
{
    cl_svm_mem_flags flags = CL_MEM_READ_WRITE | CL_MEM_SVM_FINE_GRAIN_BUFFER;
    if (session->info.svm & CL_DEVICE_SVM_ATOMICS)
        flags |= CL_MEM_SVM_ATOMICS;
    memory->svm = clSVMAlloc(session->context, flags, bytes, 0);
    if (memory->svm == NULL)
        return error_set(error, STATUS_HARNESS, "clSVMAlloc of %zu bytes failed", bytes);
    memory->shared = memory->svm;
    return 0;
}

static int allocate_buffer(struct session *session, struct board_memory *memory, size_t bytes, bool mapped,
                           struct error *error)
{
    cl_int code;
    cl_mem_flags flags = CL_MEM_READ_WRITE | (mapped ? CL_MEM_ALLOC_HOST_PTR : 0);

    memory->buffer = clCreateBuffer(session->context, flags, bytes, NULL, &code);
    if (code != CL_SUCCESS)
        return cl_status_error(error, "clCreateBuffer", code);
    if (!mapped)
        return 0;
    memory->shared = clEnqueueMapBuffer(session->queue, memory->buffer, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0, bytes,
                                        0, NULL, NULL, &code);
    return code == CL_SUCCESS ? 0 : cl_status_error(error, "clEnqueueMapBuffer", code);
}

/* The host's copy. Where the board is in device memory it is read often: from pinned memory that is faster. */
static int allocate_copy(struct session *session, struct board_memory *memory, size_t bytes, enum shared_memory kind,
                         struct error *error)
{
    cl_int code = CL_SUCCESS;

    if (kind == MEMORY_DEVICE)
        memory->staging =
            clCreateBuffer(session->context, CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR, bytes, NULL, &code);
    if (memory->staging != NULL)
        memory->copy = clEnqueueMapBuffer(session->queue, memory->staging, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0,
                                          bytes, 0, NULL, NULL, &code);
    if (memory->copy != NULL)
        return 0;
    if (memory->staging != NULL)
        clReleaseMemObject(memory->staging);
    memory->staging = NULL;
    memory->copy = calloc(1, bytes);
    return memory->copy != NULL ? 0 : error_set(error, STATUS_HARNESS, "no memory for a board of %zu bytes", bytes);
}

int board_memory_need(struct session *session, struct board_memory *memory, size_t words, struct error *error)
{
    enum shared_memory kind = session->probe.channel == CHANNEL_SHARED ? session->probe.memory : MEMORY_DEVICE;

    if (words <= memory->room && kind == memory->kind)
        return 0;
    board_memory_free(session, memory);
    size_t room = LEAST_WORDS;
    while (room < words)
        room *= 2;
    const size_t bytes = room * sizeof(uint32_t);
    if (allocate_copy(session, memory, bytes, kind, error) != 0)
        return -1;
    int outcome = kind == MEMORY_SVM ? allocate_svm(session, memory, bytes, error)
                                     : allocate_buffer(session, memory, bytes, kind == MEMORY_MAPPED, error);
    if (outcome != 0) {
        board_memory_free(session, memory);
        return -1;
    }
    memory->room = room;
    memory->kind = kind;
    return 0;
}

int board_memory_write(struct session *session, struct board_memory *memory, size_t words, struct error *error)
{
    const size_t bytes = words * sizeof(uint32_t);

    if (memory->shared != NULL) {
        memcpy(memory->shared, memory->copy, bytes);
        atomic_thread_fence(memory_order_seq_cst);
        return 0;
    }
    cl_int code = clEnqueueWriteBuffer(session->queue, memory->buffer, CL_TRUE, 0, bytes, memory->copy, 0, NULL, NULL);
    return code == CL_SUCCESS ? 0 : cl_status_error(error, "clEnqueueWriteBuffer", code);
}

static void copy_shared(uint32_t *copy, uint32_t *shared, size_t words)
{
    for (size_t i = 0; i < words; ++i)
        copy[i] = atomic_load_explicit((_Atomic uint32_t *)&shared[i], memory_order_relaxed);
    atomic_thread_fence(memory_order_acquire);
}

int board_memory_read(struct session *session, struct board_memory *memory, size_t words, bool running,
                      struct error *error)
{
    if (memory->shared != NULL) {
        copy_shared(memory->copy, memory->shared, words);
        return 0;
    }
    cl_command_queue queue = running ? session->side_queue : session->queue;
    cl_int code =
        clEnqueueReadBuffer(queue, memory->buffer, CL_TRUE, 0, words * sizeof(uint32_t), memory->copy, 0, NULL, NULL);
    return code == CL_SUCCESS ? 0 : cl_status_error(error, "clEnqueueReadBuffer", code);
}

int board_memory_poke(struct session *session, struct board_memory *memory, uint32_t word, uint32_t value,
                      struct error *error)
{
    if (memory->shared != NULL) {
        atomic_store_explicit((_Atomic uint32_t *)&memory->shared[word], value, memory_order_seq_cst);
        return 0;
    }
    cl_int code = clEnqueueWriteBuffer(session->side_queue, memory->buffer, CL_TRUE, word * sizeof value, sizeof value,
                                       &value, 0, NULL, NULL);
    return code == CL_SUCCESS ? 0 : cl_status_error(error, "clEnqueueWriteBuffer", code);
}

cl_int board_memory_set_argument(const struct board_memory *memory, cl_kernel kernel, cl_uint index)
{
    return memory->svm != NULL ? clSetKernelArgSVMPointer(kernel, index, memory->svm)
                               : clSetKernelArg(kernel, index, sizeof(cl_mem), &memory->buffer);
}
