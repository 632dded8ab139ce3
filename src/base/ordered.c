#include "base/ordered.h"

#include "base/alloc.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum {
    AHEAD = 64,             /* parts that may be finished before their turn */
    TEXT_FIRST = 4 * 1024,  /* bytes of a part's text, at first */
    PART_BYTES = 256 * 1024 /* kept of a part that is not to be written yet */
};

struct part {
    bool finished;
    char *text; /* NULL: nothing came of it */
    size_t length;
};

/* What the jobs share. */
struct ordered {
    FILE *out;
    void (*run)(struct ordered_job *job, void *context);
    void *context;
    pthread_mutex_t mutex;
    pthread_cond_t moved;
    /* Under the mutex: */
    unsigned long taken; /* parts that jobs have begun */
    unsigned long turn;  /* the part that is to be written next */
    struct part finished[AHEAD];
    struct error *error;
    bool failed;
    _Atomic bool ended; /* changed under the mutex */
};

struct thread {
    struct ordered_job job;
    pthread_t id;
};

/* --- under the mutex --- */

static void end_all(struct ordered *ordered)
{
    ordered->ended = true;
    pthread_cond_broadcast(&ordered->moved);
}

static void write_text(struct ordered *ordered, const char *text, size_t length)
{
    if (fwrite(text, 1, length, ordered->out) != length)
        end_all(ordered);
}

/* Waits until no more than `parts` parts come before this one. False: there is no use in going on. */
static bool wait_for_turn(struct ordered *ordered, unsigned long part, unsigned long parts)
{
    while (!ordered->ended && part > ordered->turn + parts)
        pthread_cond_wait(&ordered->moved, &ordered->mutex);
    return !ordered->ended;
}

/* Writes the parts whose turn it is. */
static void write_finished(struct ordered *ordered)
{
    for (;;) {
        struct part *part = &ordered->finished[ordered->turn % AHEAD];
        if (!part->finished)
            break;
        if (part->length > 0)
            write_text(ordered, part->text, part->length);
        free(part->text);
        *part = (struct part){.finished = false};
        ++ordered->turn;
    }
    pthread_cond_broadcast(&ordered->moved);
}

/* Takes the next part, which must not be too far ahead. */
static void take_part(struct ordered_job *job)
{
    job->part = job->ordered->taken++;
    if (!wait_for_turn(job->ordered, job->part, AHEAD - 1))
        job->part = ORDERED_NO_PART;
}

/* --- what a job does --- */

void ordered_end(struct ordered_job *job)
{
    pthread_mutex_lock(&job->ordered->mutex);
    end_all(job->ordered);
    pthread_mutex_unlock(&job->ordered->mutex);
}

bool ordered_fail(struct ordered_job *job, const struct error *error)
{
    struct ordered *ordered = job->ordered;

    pthread_mutex_lock(&ordered->mutex);
    if (!ordered->failed && ordered->error != NULL)
        *ordered->error = *error;
    ordered->failed = true;
    end_all(ordered);
    pthread_mutex_unlock(&ordered->mutex);
    return false;
}

bool ordered_has_ended(const struct ordered_job *job)
{
    return job->ordered->ended;
}

/* A part of which too much came waits for its turn, and is then written as it comes. */
static bool write_ahead(struct ordered_job *job)
{
    struct ordered *ordered = job->ordered;

    pthread_mutex_lock(&ordered->mutex);
    const bool goes_on = wait_for_turn(ordered, job->part, 0);
    if (goes_on)
        write_text(ordered, job->text, job->length);
    job->length = 0;
    pthread_mutex_unlock(&ordered->mutex);
    return goes_on;
}

bool ordered_make_room(struct ordered_job *job, size_t bytes)
{
    if (job->length + bytes <= job->capacity)
        return true;
    if (job->capacity >= PART_BYTES)
        return write_ahead(job);
    const size_t least = bytes > TEXT_FIRST ? bytes : TEXT_FIRST;
    const size_t capacity = job->capacity > 0 ? 2 * job->capacity : least;
    job->text = xrealloc(job->text, capacity);
    job->capacity = capacity;
    return true;
}

void ordered_next(struct ordered_job *job)
{
    struct ordered *ordered = job->ordered;

    pthread_mutex_lock(&ordered->mutex);
    if (ordered->ended) {
        job->part = ORDERED_NO_PART;
    } else {
        ordered->finished[job->part % AHEAD] = (struct part){true, job->text, job->length};
        job->text = NULL;
        job->length = 0;
        job->capacity = 0;
        write_finished(ordered);
        take_part(job);
    }
    pthread_mutex_unlock(&ordered->mutex);
}

static void *run(void *context)
{
    struct ordered_job *job = context;
    struct ordered *ordered = job->ordered;

    pthread_mutex_lock(&ordered->mutex);
    take_part(job);
    pthread_mutex_unlock(&ordered->mutex);
    ordered->run(job, ordered->context);
    free(job->text);
    return NULL;
}

/* --- all of them --- */

static unsigned start(struct ordered *ordered, struct thread *threads, unsigned jobs)
{
    for (unsigned i = 0; i < jobs; ++i) {
        threads[i].job.ordered = ordered;
        const int code = pthread_create(&threads[i].id, NULL, run, &threads[i].job);
        if (code != 0) {
            struct error error;
            error_set(&error, STATUS_HARNESS, "cannot start job %u of %u: %s", i + 1, jobs, strerror(code));
            ordered_fail(&threads[i].job, &error);
            return i;
        }
    }
    return jobs;
}

int ordered_run(unsigned jobs, FILE *out, void (*run_job)(struct ordered_job *job, void *context), void *context,
                struct error *error)
{
    struct ordered ordered = {.out = out,
                              .run = run_job,
                              .context = context,
                              .mutex = PTHREAD_MUTEX_INITIALIZER,
                              .moved = PTHREAD_COND_INITIALIZER,
                              .error = error};
    struct thread *threads = xcalloc(jobs, sizeof *threads);

    const unsigned count = start(&ordered, threads, jobs);
    for (unsigned i = 0; i < count; ++i)
        pthread_join(threads[i].id, NULL);
    for (unsigned i = 0; i < AHEAD; ++i)
        free(ordered.finished[i].text);
    free(threads);
    pthread_cond_destroy(&ordered.moved);
    pthread_mutex_destroy(&ordered.mutex);
    return ordered.failed ? -1 : 0;
}
