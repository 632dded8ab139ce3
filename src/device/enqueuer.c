#include "device/enqueuer.h"

#include "base/alloc.h"
#include "base/clock.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum state { STATE_IDLE, STATE_GIVEN, STATE_ENDED };

struct enqueuer {
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    enum state state;
    struct launch launch;
    struct launch_end end;
};

static uint64_t profiled_ns(cl_event event)
{
    cl_ulong began, ended;
    if (clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof began, &began, NULL) != CL_SUCCESS ||
        clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof ended, &ended, NULL) != CL_SUCCESS)
        return 0;
    return ended > began ? ended - began : 0;
}

static void finish(cl_event event, struct launch_end *end)
{
    cl_int status = CL_COMPLETE;

    do {
        end->finish_code = clWaitForEvents(1, &event);
        if (clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL) != CL_SUCCESS)
            status = CL_COMPLETE;
    } while (end->finish_code == CL_SUCCESS && status > CL_COMPLETE); /* not all drivers wait until then */
    if (status < 0)
        end->finish_code = status; /* says more than "the wait failed" */
    end->ended_ns = clock_ns();
    if (end->finish_code == CL_SUCCESS)
        end->device_ns = profiled_ns(event);
    clReleaseEvent(event);
}

struct launch_end launch_carry_out(const struct launch *launch)
{
    struct launch_end end = {.began_ns = clock_ns()};
    cl_event event = NULL;
    const size_t *offset = launch->global_offset;

    if (offset[0] == 0 && offset[1] == 0 && offset[2] == 0)
        offset = NULL;
    end.enqueue_code =
        clEnqueueNDRangeKernel(launch->queue, launch->kernel, launch->dimensions, offset, launch->global_size,
                               launch->local_size[0] != 0 ? launch->local_size : NULL, 0, NULL, &event);
    if (end.enqueue_code == CL_SUCCESS) {
        clFlush(launch->queue);
        finish(event, &end);
    } else {
        end.ended_ns = clock_ns();
    }
    return end;
}

static void *serve(void *argument)
{
    struct enqueuer *enqueuer = argument;

    pthread_mutex_lock(&enqueuer->mutex);
    for (;;) {
        while (enqueuer->state != STATE_GIVEN)
            pthread_cond_wait(&enqueuer->changed, &enqueuer->mutex);
        struct launch launch = enqueuer->launch;
        pthread_mutex_unlock(&enqueuer->mutex);
        struct launch_end end = launch_carry_out(&launch);
        pthread_mutex_lock(&enqueuer->mutex);
        enqueuer->end = end;
        enqueuer->state = STATE_ENDED;
        pthread_mutex_unlock(&enqueuer->mutex);
        pthread_cond_broadcast(&enqueuer->changed);
        pthread_mutex_lock(&enqueuer->mutex);
    }
    return NULL;
}

struct enqueuer *enqueuer_start(struct error *error)
{
    pthread_condattr_t attributes;
    pthread_t thread;
    struct enqueuer *enqueuer = xcalloc(1, sizeof *enqueuer);

    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_mutex_init(&enqueuer->mutex, NULL);
    pthread_cond_init(&enqueuer->changed, &attributes);
    pthread_condattr_destroy(&attributes);
    int code = pthread_create(&thread, NULL, serve, enqueuer);
    if (code != 0) {
        free(enqueuer);
        return ERROR_NULL(error, STATUS_HARNESS, "cannot start the enqueuing thread: %s", strerror(code));
    }
    pthread_detach(thread);
    return enqueuer;
}

void enqueuer_launch(struct enqueuer *enqueuer, const struct launch *launch)
{
    pthread_mutex_lock(&enqueuer->mutex);
    enqueuer->launch = *launch;
    enqueuer->state = STATE_GIVEN;
    pthread_mutex_unlock(&enqueuer->mutex);
    pthread_cond_broadcast(&enqueuer->changed); /* the thread that it wakes needs the mutex */
}

bool enqueuer_wait(struct enqueuer *enqueuer, uint64_t timeout_ns, struct launch_end *end)
{
    uint64_t until_ns = clock_ns() + timeout_ns;
    struct timespec until = {.tv_sec = (time_t)(until_ns / 1000000000u), .tv_nsec = (long)(until_ns % 1000000000u)};
    int code = 0;

    pthread_mutex_lock(&enqueuer->mutex);
    while (enqueuer->state == STATE_GIVEN && code == 0)
        code = pthread_cond_timedwait(&enqueuer->changed, &enqueuer->mutex, &until);
    bool ended = enqueuer->state == STATE_ENDED;
    if (ended) {
        *end = enqueuer->end;
        enqueuer->state = STATE_IDLE;
    }
    pthread_mutex_unlock(&enqueuer->mutex);
    return ended;
}
