#include "litmus/suite.h"

#include "base/ordered.h"
#include "litmus/enumerate.h"
#include "litmus/form.h"

#include <string.h>

/* One of the threads, and what it judges with. */
struct worker {
    const struct litmus_suite *suite;
    struct ordered_job *job; /* its parts are those of this shard */
    unsigned long seen;      /* parts of this shard */
    struct litmus_judge judge;
    struct litmus_verdicts verdicts;
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

static bool is_stopped(const struct litmus_suite *suite)
{
    return suite->stopped != NULL && suite->stopped();
}

static bool found(void *context, const struct litmus_program *program)
{
    struct worker *worker = context;
    struct ordered_job *job = worker->job;
    struct error error;

    if (ordered_has_ended(job) || is_stopped(worker->suite) || !ordered_make_room(job, LITMUS_LINE))
        return false;
    if (litmus_judge_program(&worker->judge, program, &worker->verdicts, &error) != 0)
        return ordered_fail(job, &error);
    job->length += litmus_line(program, &worker->verdicts, job->text + job->length);
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

    if (worker->job->part == ORDERED_NO_PART)
        return LITMUS_STOP;
    if (!is_of_shard(worker->suite, program, known) || worker->seen++ != worker->job->part)
        return LITMUS_SKIP;
    if (!is_stopped(worker->suite))
        return LITMUS_SEARCH;
    ordered_end(worker->job);
    return LITMUS_STOP;
}

static void end_part(void *context)
{
    ordered_next(((struct worker *)context)->job);
}

static void run(struct ordered_job *job, void *context)
{
    const struct litmus_suite *suite = context;
    struct worker worker = {.suite = suite, .job = job};
    const struct litmus_visitor visitor = {&worker, begin_part, end_part, found};

    litmus_enumerate(suite->threads, suite->instructions, &visitor);
    litmus_judge_fini(&worker.judge);
}

int litmus_suite_write(const struct litmus_suite *suite, FILE *out, struct error *error)
{
    struct litmus_suite shared = *suite;
    return ordered_run(suite->jobs, out, run, &shared, error);
}
