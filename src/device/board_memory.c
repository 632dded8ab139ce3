#include "device/board_memory.h"

#include "device/cl_status.h"
#include "device/session.h"

#include <stdatomic.h>
#include <stdlib.h>

enum { LEAST_WORDS = 1 << 15 };

void board_memory_free(struct session *session, struct board_memory *board)
{
    memory_free(session, &board->memory);
    if (board->staging.shared == NULL)
        free(board->copy);
    memory_free(session, &board->staging);
    *board = (struct board_memory){0};
}

/* The host's copy. Where the board is in device memory it is read often: from pinned memory that is faster. */
static int allocate_copy(struct session *session, struct board_memory *board, size_t bytes, struct error *error)
{
    struct error ignored;

    if (board->kind == MEMORY_DEVICE && memory_make(session, &board->staging, MEMORY_MAPPED, bytes, &ignored) == 0)
        board->copy = board->staging.shared;
    else
        board->copy = calloc(1, bytes);
    return board->copy != NULL ? 0 : error_set(error, STATUS_HARNESS, "no memory for a board of %zu bytes", bytes);
}

int board_memory_need(struct session *session, struct board_memory *board, size_t words, struct error *error)
{
    enum shared_memory kind = session->probe.channel == CHANNEL_SHARED ? session->probe.memory : MEMORY_DEVICE;

    if (words <= board->room && kind == board->kind)
        return 0;
    board_memory_free(session, board);
    size_t room = LEAST_WORDS;
    while (room < words)
        room *= 2;
    const size_t bytes = room * sizeof(uint32_t);
    board->kind = kind;
    if (allocate_copy(session, board, bytes, error) != 0 ||
        memory_make(session, &board->memory, kind, bytes, error) != 0) {
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
