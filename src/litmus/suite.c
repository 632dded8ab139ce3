#include "litmus/suite.h"

#include "litmus/enumerate.h"
#include "litmus/form.h"

#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum {
    AHEAD = 64,             /* parts that may be finished before their turn */
    PART_BYTES = 256 * 1024 /* kept of a part that is not to be written yet */
};

#define NO_PART ULONG_MAX

struct part {
    bool finished;
    char *text; /* NULL: nothing was found */
    size_t length;
};

/* What the workers share. */
struct work {
    const struct litmus_suite *suite;
    FILE *out;
    pthread_mutex_t mutex;
    pthread_cond_t moved;
    /* Under the mutex: */
    unsigned long taken; /* parts that workers have begun */
    unsigned long turn;  /* the part that is to be written next */
    struct part finished[AHEAD];
    struct error *error;
    bool failed;
    _Atomic bool ended; /* there is no use in going on; changed under the mutex */
};

struct worker {
    struct work *work;
    pthread_t thread;
    struct litmus_judge judge;
    struct litmus_verdicts verdicts;
    unsigned long seen; /* parts of this shard */
    unsigned long mine; /* the one to search */
    char *text;         /* what was found in it and not written yet */
    size_t length, capacity;
};

size_t litmus_line(const struct litmus_program *program, const struct litmus_verdicts *verdicts, char line[LITMUS_LINE])
{
    char *at = line + litmus_text(program, line);

    for (enum litmus_model model = 0; model < LITMUS_MODELS; ++model) {
        *at++ = '\t';
        at = stpcpy(at, litmus_model_name(model));
        *at++ = '=';
        *at++ = verdicts->weak[model] ? 'P' : 'F';
        *at++ = verdicts->strong[model] ? 'P' : 'F';
    }
    *at++ = '\n';
    *at = '\0';
    return (size_t)(at - line);
}

/* --- under the mutex --- */

static void end_work(struct work *work)
{
    work->ended = true;
    pthread_cond_broadcast(&work->moved);
}

static void write_text(struct work *work, const char *text, size_t length)
{
    if (fwrite(text, 1, length, work->out) != length)
        end_work(work);
}

/* Waits until no more than `parts` parts come before this one. False: there is no use in going on. */
static bool wait_for_turn(struct work *work, unsigned long part, unsigned long parts)
{
    while (!work->ended && part > work->turn + parts)
        pthread_cond_wait(&work->moved, &work->mutex);
    return !work->ended;
}

/* Writes the parts whose turn it is. */
static void write_finished(struct work *work)
{
    for (;;) {
        struct part *part = &work->finished[work->turn % AHEAD];
        if (!part->finished)
            break;
        if (part->length > 0)
            write_text(work, part->text, part->length);
        free(part->text);
        *part = (struct part){.finished = false};
        ++work->turn;
    }
    pthread_cond_broadcast(&work->moved);
}

/* Takes the next part, which must not be too far ahead. */
static void take_part(struct worker *worker)
{
    worker->mine = worker->work->taken++;
    if (!wait_for_turn(worker->work, worker->mine, AHEAD - 1))
        worker->mine = NO_PART;
}

/* --- what a worker does --- */

static bool fail(struct work *work, const struct error *error)
{
    pthread_mutex_lock(&work->mutex);
    if (!work->failed && work->error != NULL)
        *work->error = *error;
    work->failed = true;
    end_work(work);
    pthread_mutex_unlock(&work->mutex);
    return false;
}

/* A part of which too much was found waits for its turn, and is then written as it is found. */
static bool write_ahead(struct worker *worker)
{
    struct work *work = worker->work;

    pthread_mutex_lock(&work->mutex);
    const bool goes_on = wait_for_turn(work, worker->mine, 0);
    if (goes_on)
        write_text(work, worker->text, worker->length);
    worker->length = 0;
    pthread_mutex_unlock(&work->mutex);
    return goes_on;
}

static bool has_room(struct worker *worker)
{
    if (worker->length + LITMUS_LINE <= worker->capacity)
        return true;
    if (worker->capacity >= PART_BYTES)
        return write_ahead(worker);
    const size_t capacity = worker->capacity > 0 ? 2 * worker->capacity : 4 * (size_t)LITMUS_LINE;
    char *text = realloc(worker->text, capacity);
    if (text == NULL) {
        struct error error;
        error_set(&error, STATUS_HARNESS, "no memory for the programs that were found");
        return fail(worker->work, &error);
    }
    worker->text = text;
    worker->capacity = capacity;
    return true;
}

static bool found(void *context, const struct litmus_program *program)
{
    struct worker *worker = context;
    const struct litmus_suite *suite = worker->work->suite;
    struct error error;

    if (worker->work->ended || (suite->stopped != NULL && suite->stopped()) || !has_room(worker))
        return false;
    if (litmus_judge_program(&worker->judge, program, &worker->verdicts, &error) != 0)
        return fail(worker->work, &error);
    worker->length += litmus_line(program, &worker->verdicts, worker->text + worker->length);
    return true;
}

/* The first instructions, by which shards are told. */
static bool is_of_shard(const struct litmus_suite *suite, const struct litmus_program *program, unsigned known)
{
    struct litmus_program beginning = *program;
    char text[LITMUS_TEXT];

    if (suite->shard.count == 0)
        return true;
    for (unsigned thread = 0; thread < program->threads; ++thread) {
        const unsigned first = program->first[thread];
        const unsigned length = known > first ? known - first : 0;
        beginning.length[thread] = (uint8_t)(length < program->length[thread] ? length : program->length[thread]);
    }
    litmus_text(&beginning, text);
    return shard_has(&suite->shard, text);
}

static enum litmus_answer begin_part(void *context, const struct litmus_program *program, unsigned known)
{
    struct worker *worker = context;
    struct work *work = worker->work;

    if (worker->mine == NO_PART)
        return LITMUS_STOP;
    if (!is_of_shard(work->suite, program, known) || worker->seen++ != worker->mine)
        return LITMUS_SKIP;
    if (work->suite->stopped == NULL || !work->suite->stopped())
        return LITMUS_SEARCH;
    pthread_mutex_lock(&work->mutex);
    end_work(work);
    pthread_mutex_unlock(&work->mutex);
    return LITMUS_STOP;
}

/* Leaves what was found, and takes another part. */
static void end_part(void *context)
{
    struct worker *worker = context;
    struct work *work = worker->work;

    pthread_mutex_lock(&work->mutex);
    if (work->ended) {
        worker->mine = NO_PART;
    } else {
        work->finished[worker->mine % AHEAD] = (struct part){true, worker->text, worker->length};
        worker->text = NULL;
        worker->length = 0;
        worker->capacity = 0;
        write_finished(work);
        take_part(worker);
    }
    pthread_mutex_unlock(&work->mutex);
}

static void *run(void *context)
{
    struct worker *worker = context;
    struct work *work = worker->work;
    const struct litmus_visitor visitor = {worker, begin_part, end_part, found};

    pthread_mutex_lock(&work->mutex);
    take_part(worker);
    pthread_mutex_unlock(&work->mutex);
    litmus_enumerate(work->suite->threads, work->suite->instructions, &visitor);
    litmus_judge_fini(&worker->judge);
    free(worker->text);
    return NULL;
}

/* --- all of them --- */

static unsigned start_workers(struct work *work, struct worker *workers)
{
    for (unsigned i = 0; i < work->suite->jobs; ++i) {
        workers[i].work = work;
        const int code = pthread_create(&workers[i].thread, NULL, run, &workers[i]);
        if (code != 0) {
            struct error error;
            error_set(&error, STATUS_HARNESS, "job %u of %u could not be started: %s", i + 1, work->suite->jobs,
                      strerror(code));
            fail(work, &error);
            return i;
        }
    }
    return work->suite->jobs;
}

int litmus_suite_write(const struct litmus_suite *suite, FILE *out, struct error *error)
{
    struct work work = {.suite = suite,
                        .out = out,
                        .mutex = PTHREAD_MUTEX_INITIALIZER,
                        .moved = PTHREAD_COND_INITIALIZER,
                        .error = error};
    struct worker *workers = calloc(suite->jobs, sizeof *workers);

    if (workers == NULL)
        return error_set(error, STATUS_HARNESS, "no memory for %u jobs", suite->jobs);
    const unsigned count = start_workers(&work, workers);
    for (unsigned i = 0; i < count; ++i)
        pthread_join(workers[i].thread, NULL);
    for (unsigned i = 0; i < AHEAD; ++i)
        free(work.finished[i].text);
    free(workers);
    pthread_cond_destroy(&work.moved);
    pthread_mutex_destroy(&work.mutex);
    return work.failed ? -1 : 0;
}
