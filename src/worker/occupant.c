#include "worker/occupant.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "core/board.h"
#include "device/cl_status.h"
#include "device/enqueuer.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum {
    RESIDENT_NS = 1000000000, /* in which they must all have started */
    LOOK_NS = 100000,
    STREAM_WORDS_PER_MIB = 1 << 18,
};

struct occupant {
    struct session *session;
    cl_command_queue queue;
    struct enqueuer *enqueuer;
    struct board_memory board;
    struct memory stream;
    size_t stream_words;
    uint32_t groups;
    bool running;
};

struct occupant *occupant_open(struct session *session, struct error *error)
{
    cl_int code;
    struct occupant *occupant = xcalloc(1, sizeof *occupant);

    occupant->session = session;
    occupant->queue = session_make_queue(session, 0, &code);
    if (code != CL_SUCCESS)
        cl_status_error(error, "clCreateCommandQueue", code);
    else
        occupant->enqueuer = enqueuer_start(error);
    if (occupant->enqueuer != NULL)
        return occupant;
    free(occupant);
    return NULL;
}

/* The memory that they stream through; at least a word, which the kernel's argument needs. */
static int need_stream(struct occupant *occupant, uint32_t mib, struct error *error)
{
    const size_t words = mib > 0 ? (size_t)mib * STREAM_WORDS_PER_MIB : 1;

    if (words <= occupant->stream_words)
        return 0;
    memory_free(occupant->session, &occupant->stream);
    occupant->stream_words = 0;
    if (memory_make(occupant->session, &occupant->stream, MEMORY_DEVICE, words * sizeof(uint32_t), error) != 0)
        return -1;
    occupant->stream_words = words;
    return 0;
}

static int prepare(struct occupant *occupant, const struct trial *trial, uint32_t fuse_total, cl_kernel kernel,
                   struct error *error)
{
    const size_t words = board_words(occupant->groups, 0);
    struct board_memory *board = &occupant->board;

    if (board_memory_need(occupant->session, board, words, error) != 0 ||
        need_stream(occupant, trial->work.numbers.traffic, error) != 0)
        return -1;
    memset(board->copy, 0, words * sizeof *board->copy);
    board->copy[GL_GROUPS] = occupant->groups;
    board->copy[GL_ROUNDS] = trial->work.numbers.traffic * STREAM_WORDS_PER_MIB;
    board->copy[GL_FUSE_TOTAL] = fuse_total;
    if (board_memory_write(occupant->session, board, words, error) != 0)
        return -1;
    cl_int code = memory_set_argument(&board->memory, kernel, 0);
    if (code == CL_SUCCESS)
        code = memory_set_argument(&occupant->stream, kernel, 1);
    return code == CL_SUCCESS ? 0 : cl_status_error(error, "clSetKernelArg", code);
}

static int wait_until_resident(struct occupant *occupant, struct error *error)
{
    const uint64_t began_ns = clock_ns();
    struct launch_end end;

    while (clock_ns() - began_ns < RESIDENT_NS) {
        occupant->running = !enqueuer_wait(occupant->enqueuer, LOOK_NS, &end);
        if (!occupant->running)
            return error_set(error, STATUS_UNSUPPORTED, "the groups of the second queue did not stay resident");
        if (board_memory_read(occupant->session, &occupant->board, GL_CONTROL_WORDS, true, error) != 0)
            return -1;
        if (occupant->board.copy[GL_STARTED] == occupant->groups)
            return 0;
    }
    struct error ignored;
    occupant_stop(occupant, &ignored);
    return error_set(error, STATUS_UNSUPPORTED, "%u groups of a second queue are not resident together",
                     occupant->groups);
}

int occupant_start(struct occupant *occupant, const struct trial *trial, uint32_t fuse_total, struct error *error)
{
    struct session *session = occupant->session;
    struct program_key key;
    struct program *program;
    cl_int code;

    if (session->probe.channel == CHANNEL_PROOF)
        return error_set(error, STATUS_UNSUPPORTED, "a model device runs one launch at a time");
    if (session->probe.channel == CHANNEL_NONE)
        return error_set(error, STATUS_UNSUPPORTED,
                         "groups of a second queue need a channel through which to end them");
    session_key(session, "occupy", &key);
    if (session_kernel(session, &key, &program, &code, error) != 0)
        return -1;
    occupant->groups = trial->work.numbers.held;
    if (prepare(occupant, trial, fuse_total, program->kernel, error) != 0)
        return -1;
    const size_t local_size = trial->footprint.local_size;
    enqueuer_launch(occupant->enqueuer, &(struct launch){.queue = occupant->queue,
                                                         .kernel = program->kernel,
                                                         .dimensions = 1,
                                                         .global_size = {occupant->groups * local_size},
                                                         .local_size = {local_size}});
    occupant->running = true;
    return wait_until_resident(occupant, error);
}

int occupant_stop(struct occupant *occupant, struct error *error)
{
    struct launch_end end;
    struct board_memory *board = &occupant->board;

    if (!occupant->running)
        return 0;
    if (board_memory_poke(occupant->session, board, GL_STOP, GL_STOP_HOST, error) != 0)
        return -1;
    while (!enqueuer_wait(occupant->enqueuer, RESIDENT_NS, &end))
        ; /* its loop has a fuse, and the watchdog watches */
    occupant->running = false;
    if (board_memory_read(occupant->session, board, board_words(occupant->groups, 0), false, error) != 0)
        return -1;
    const struct board seen = {board->copy, occupant->groups, 0};
    for (uint32_t group = 0; group < occupant->groups; ++group)
        if (board_entry(&seen, group, GL_ENDED) != GL_ENDED_STOP)
            return error_set(error, STATUS_UNSUPPORTED,
                             "the groups of the second queue ended first: the device runs one queue after the other");
    return 0;
}

/* --- burners --- */

struct burners {
    _Atomic bool stopped;
    uint32_t count;
    pthread_t threads[BURNERS_MOST];
};

static void *burn(void *context)
{
    struct burners *burners = context;
    while (!atomic_load_explicit(&burners->stopped, memory_order_relaxed))
        ; /* that is all it is for */
    return NULL;
}

struct burners *burners_start(uint32_t count, struct error *error)
{
    struct burners *burners = xcalloc(1, sizeof *burners);

    for (; burners->count < count && burners->count < BURNERS_MOST; ++burners->count)
        if (pthread_create(&burners->threads[burners->count], NULL, burn, burners) != 0) {
            error_set(error, STATUS_HARNESS, "cannot start burner %u of %u", burners->count + 1, count);
            burners_stop(burners);
            return NULL;
        }
    return burners;
}

void burners_stop(struct burners *burners)
{
    if (burners == NULL)
        return;
    atomic_store_explicit(&burners->stopped, true, memory_order_relaxed);
    for (uint32_t i = 0; i < burners->count; ++i)
        pthread_join(burners->threads[i], NULL);
    free(burners);
}
