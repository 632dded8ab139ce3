#include "worker/grid.h"

#include "base/alloc.h"

#include <gridlock_launch.h>

uint64_t grid_bytes(uint32_t groups)
{
    return GRIDLOCK_WORDS(groups) * sizeof(cl_uint);
}

void grid_fill(const struct session *session, uint64_t fuse, unsigned char *words)
{
    const uint32_t usual = session->info.kind == DEVICE_CPU ? GL_FUSE_OF_CPU_ : GL_FUSE_OF_GPU_;
    const uint32_t chosen = fuse != 0 ? (uint32_t)fuse : usual;

    memcpy(words + GRIDLOCK_FUSE * sizeof chosen, &chosen, sizeof chosen);
}

cl_int grid_read(const struct session *session, cl_mem words, struct observation *observation, struct error *error)
{
    const size_t bytes = (GRIDLOCK_MARKS + (size_t)observation->groups) * sizeof(cl_uint);
    gl_report report = {.groups = observation->groups};
    cl_uint *read = xcalloc(1, bytes);
    const cl_int code = clEnqueueReadBuffer(session->queue, words, CL_TRUE, 0, bytes, read, 0, NULL, NULL);

    if (code == CL_SUCCESS && read[GRIDLOCK_STOP] != 0) {
        for (uint32_t group = 0; group < observation->groups; ++group)
            observation->ended_total += read[GRIDLOCK_MARKS + group] >> 24 != 0;
        gl_tell_(&report, read + GRIDLOCK_MARKS);
        error_set(error, STATUS_HARNESS, "its waits gave up: %s", report.text);
    }
    free(read);
    return code;
}
