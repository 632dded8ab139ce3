#include "device/ahead.h"

#include <pthread.h>
#include <stdlib.h>

struct ahead {
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    struct session session; /* a copy, whose stages are nobody's */
    struct ahead_job *first, *last;
    bool ends;
};

/* The next job, or NULL: the thread must end. */
static struct ahead_job *take_next(struct ahead *ahead)
{
    pthread_mutex_lock(&ahead->lock);
    while (ahead->first == NULL && !ahead->ends)
        pthread_cond_wait(&ahead->changed, &ahead->lock);
    struct ahead_job *job = ahead->ends ? NULL : ahead->first;
    if (job != NULL)
        ahead->first = job->next;
    pthread_mutex_unlock(&ahead->lock);
    return job;
}

static void *run_all(void *context)
{
    struct ahead *ahead = context;
    struct ahead_job *job;

    while ((job = take_next(ahead)) != NULL) {
        job->run(&ahead->session, job);
        pthread_mutex_lock(&ahead->lock);
        job->ended = true;
        pthread_cond_broadcast(&ahead->changed);
        pthread_mutex_unlock(&ahead->lock);
    }
    return NULL;
}

static struct ahead *start(const struct session *session)
{
    struct ahead *ahead = calloc(1, sizeof *ahead);

    if (ahead == NULL)
        return NULL;
    ahead->session = *session;
    ahead->session.ahead = ahead;
    ahead->session.aside = true;
    pthread_mutex_init(&ahead->lock, NULL);
    pthread_cond_init(&ahead->changed, NULL);
    if (pthread_create(&ahead->thread, NULL, run_all, ahead) == 0)
        return ahead;
    free(ahead);
    return NULL;
}

void ahead_give(struct session *session, struct ahead_job *job)
{
    if (session->info.kind != DEVICE_GPU)
        return;
    if (session->ahead == NULL && (session->ahead = start(session)) == NULL)
        return;
    ahead_lock(session);
    job->given = true;
    if (session->ahead->first == NULL)
        session->ahead->first = job;
    else
        session->ahead->last->next = job;
    session->ahead->last = job;
    pthread_cond_broadcast(&session->ahead->changed);
    ahead_unlock(session);
}

bool ahead_await(struct session *session, const struct ahead_job *job)
{
    if (session->aside || session->ahead == NULL || !job->given)
        return false;
    session_stage(session, STAGE_BUILDING);
    ahead_lock(session);
    while (!job->ended)
        pthread_cond_wait(&session->ahead->changed, &session->ahead->lock);
    ahead_unlock(session);
    return true;
}

void ahead_stop(struct session *session)
{
    struct ahead *ahead = session->ahead;

    if (ahead == NULL)
        return;
    session_stage(session, STAGE_BUILDING);
    ahead_lock(session);
    ahead->ends = true;
    pthread_cond_broadcast(&ahead->changed);
    ahead_unlock(session);
    pthread_join(ahead->thread, NULL);
    pthread_cond_destroy(&ahead->changed);
    pthread_mutex_destroy(&ahead->lock);
    free(ahead);
    session->ahead = NULL;
}

void ahead_lock(const struct session *session)
{
    if (session->ahead != NULL)
        pthread_mutex_lock(&session->ahead->lock);
}

void ahead_unlock(const struct session *session)
{
    if (session->ahead != NULL)
        pthread_mutex_unlock(&session->ahead->lock);
}
