#include "device/memory.h"

#include "base/alloc.h"
#include "device/cl_status.h"
#include "device/session.h"

#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { LEAST_WORDS = 1 << 15 };

static int allocate_svm(struct session *session, struct memory *memory, size_t bytes, struct error *error)
{
    cl_svm_mem_flags flags = CL_MEM_READ_WRITE | CL_MEM_SVM_FINE_GRAIN_BUFFER;
    if (session->info.svm & CL_DEVICE_SVM_ATOMICS)
        flags |= CL_MEM_SVM_ATOMICS;
    memory->svm = memory->shared = clSVMAlloc(session->context, flags, bytes, 0);
    return memory->svm != NULL ? 0 : error_set(error, STATUS_HARNESS, "clSVMAlloc of %zu bytes failed", bytes);
}

static int allocate_buffer(struct session *session, struct memory *memory, size_t bytes, bool mapped,
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

int memory_make(struct session *session, struct memory *memory, enum shared_memory kind, size_t bytes,
                struct error *error)
{
    *memory = (struct memory){0};
    const int outcome = kind == MEMORY_SVM ? allocate_svm(session, memory, bytes, error)
                                           : allocate_buffer(session, memory, bytes, kind == MEMORY_MAPPED, error);
    if (outcome != 0)
        memory_free(session, memory);
    return outcome;
}

void memory_free(struct session *session, struct memory *memory)
{
    if (memory->buffer != NULL && memory->shared != NULL)
        clEnqueueUnmapMemObject(session->queue, memory->buffer, memory->shared, 0, NULL, NULL);
    if (memory->buffer != NULL)
        clReleaseMemObject(memory->buffer);
    if (memory->svm != NULL)
        clSVMFree(session->context, memory->svm);
    *memory = (struct memory){0};
}

int memory_write(cl_command_queue queue, struct memory *memory, const void *from, size_t bytes, struct error *error)
{
    if (memory->shared != NULL) {
        memcpy(memory->shared, from, bytes);
        atomic_thread_fence(memory_order_seq_cst);
        return 0;
    }
    cl_int code = clEnqueueWriteBuffer(queue, memory->buffer, CL_TRUE, 0, bytes, from, 0, NULL, NULL);
    return code == CL_SUCCESS ? 0 : cl_status_error(error, "clEnqueueWriteBuffer", code);
}

static void copy_shared(uint32_t *to, uint32_t *shared, size_t words)
{
    for (size_t i = 0; i < words; ++i)
        to[i] = atomic_load_explicit((_Atomic uint32_t *)&shared[i], memory_order_relaxed);
    atomic_thread_fence(memory_order_acquire);
}

int memory_read(cl_command_queue queue, const struct memory *memory, void *to, size_t bytes, struct error *error)
{
    if (memory->shared != NULL) {
        copy_shared(to, memory->shared, bytes / sizeof(uint32_t));
        return 0;
    }
    cl_int code = clEnqueueReadBuffer(queue, memory->buffer, CL_TRUE, 0, bytes, to, 0, NULL, NULL);
    return code == CL_SUCCESS ? 0 : cl_status_error(error, "clEnqueueReadBuffer", code);
}

cl_int memory_set_argument(const struct memory *memory, cl_kernel kernel, cl_uint index)
{
    return memory->svm != NULL ? clSetKernelArgSVMPointer(kernel, index, memory->svm)
                               : clSetKernelArg(kernel, index, sizeof(cl_mem), &memory->buffer);
}

/* --- of a board --- */

void board_memory_free(struct session *session, struct board_memory *board)
{
    memory_free(session, &board->memory);
    if (board->staging.shared == NULL)
        free(board->copy);
    memory_free(session, &board->staging);
    *board = (struct board_memory){0};
}

/* The host's copy. Where the board is in device memory it is read often: from pinned memory that is faster. */
static void allocate_copy(struct session *session, struct board_memory *board, size_t bytes)
{
    struct error ignored;

    if (board->kind == MEMORY_DEVICE && memory_make(session, &board->staging, MEMORY_MAPPED, bytes, &ignored) == 0)
        board->copy = board->staging.shared;
    else
        board->copy = xcalloc(1, bytes);
}

int board_memory_need(struct session *session, struct board_memory *board, size_t words, struct error *error)
{
    const enum channel channel = session->probe.channel;
    const enum shared_memory kind =
        channel == CHANNEL_SHARED || channel == CHANNEL_PROOF ? session->probe.memory : MEMORY_DEVICE;

    if (words <= board->room && kind == board->kind)
        return 0;
    board_memory_free(session, board);
    size_t room = LEAST_WORDS;
    while (room < words)
        room *= 2;
    const size_t bytes = room * sizeof(uint32_t);
    board->kind = kind;
    allocate_copy(session, board, bytes);
    if (memory_make(session, &board->memory, kind, bytes, error) != 0) {
        board_memory_free(session, board);
        return -1;
    }
    board->room = room;
    return 0;
}

int board_memory_write(struct session *session, struct board_memory *board, size_t words, struct error *error)
{
    return memory_write(session->queue, &board->memory, board->copy, words * sizeof(uint32_t), error);
}

/* A page is a row of a rectangle. */
struct rectangle {
    size_t pitch;
    size_t region[3];
};

static struct rectangle rectangle_of(const struct board_pages *pages)
{
    return (struct rectangle){
        .pitch = pages->page_words * sizeof(uint32_t),
        .region = {pages->words * sizeof(uint32_t), pages->count, 1},
    };
}

static const size_t corner[3] = {0, 0, 0};

int board_memory_clear(struct session *session, struct board_memory *board, size_t words, struct error *error)
{
    static const cl_uint zero = 0;

    if (board->memory.shared != NULL) {
        memset(board->memory.shared, 0, words * sizeof zero);
        return 0;
    }
    cl_int code = clEnqueueFillBuffer(session->queue, board->memory.buffer, &zero, sizeof zero, 0, words * sizeof zero,
                                      0, NULL, NULL);
    return code == CL_SUCCESS ? 0 : cl_status_error(error, "clEnqueueFillBuffer", code);
}

int board_memory_write_pages(struct session *session, struct board_memory *board, const struct board_pages *pages,
                             struct error *error)
{
    const struct rectangle rows = rectangle_of(pages);
    uint32_t *shared = board->memory.shared;
    cl_int code = CL_SUCCESS;

    for (size_t i = 0; shared != NULL && i < pages->count; ++i)
        memcpy(shared + i * pages->page_words, board->copy + i * pages->page_words, rows.region[0]);
    atomic_thread_fence(memory_order_seq_cst);
    if (shared == NULL)
        code = clEnqueueWriteBufferRect(session->queue, board->memory.buffer, CL_TRUE, corner, corner, rows.region,
                                        rows.pitch, 0, rows.pitch, 0, board->copy, 0, NULL, NULL);
    return code == CL_SUCCESS ? 0 : cl_status_error(error, "clEnqueueWriteBufferRect", code);
}

int board_memory_read_pages(struct session *session, struct board_memory *board, const struct board_pages *pages,
                            struct error *error)
{
    const struct rectangle rows = rectangle_of(pages);
    cl_int code;

    if (board->memory.shared != NULL) {
        for (size_t i = 0; i < pages->count; ++i)
            copy_shared(board->copy + i * pages->page_words, (uint32_t *)board->memory.shared + i * pages->page_words,
                        pages->words);
        return 0;
    }
    code = clEnqueueReadBufferRect(session->queue, board->memory.buffer, CL_TRUE, corner, corner, rows.region,
                                   rows.pitch, 0, rows.pitch, 0, board->copy, 0, NULL, NULL);
    return code == CL_SUCCESS ? 0 : cl_status_error(error, "clEnqueueReadBufferRect", code);
}

int board_memory_read(struct session *session, struct board_memory *board, size_t words, bool running,
                      struct error *error)
{
    cl_command_queue queue = running ? session->side_queue : session->queue;
    return memory_read(queue, &board->memory, board->copy, words * sizeof(uint32_t), error);
}

int board_memory_poke(struct session *session, struct board_memory *board, uint32_t word, uint32_t value,
                      struct error *error)
{
    uint32_t *shared = board->memory.shared;

    if (shared != NULL) {
        atomic_store_explicit((_Atomic uint32_t *)&shared[word], value, memory_order_seq_cst);
        return 0;
    }
    cl_int code = clEnqueueWriteBuffer(session->side_queue, board->memory.buffer, CL_TRUE, word * sizeof value,
                                       sizeof value, &value, 0, NULL, NULL);
    return code == CL_SUCCESS ? 0 : cl_status_error(error, "clEnqueueWriteBuffer", code);
}
