#include "device/subject.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "core/text.h"
#include "device/cl_status.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The dialect that needs no other version of OpenCL C than the user's. */
static enum dialect plain_dialect(const struct device_probe *probe)
{
    return probe->dialect_works[DIALECT_PTX] && device_has_part(probe, OPTIONAL_DIALECT) ? DIALECT_PTX
           : probe->dialect_works[DIALECT_CL12]                                          ? DIALECT_CL12
                                                                                         : probe->dialect;
}

static void take_build(struct session *session, struct subject_kernel *kernel, enum entry_way way, cl_program program,
                       const char *log)
{
    char name[sizeof kernel->name + 32];
    cl_uint arguments = 0;
    cl_int code;

    subject_entry_name(kernel, way, name, sizeof name);
    kernel->builds[way].end = BUILD_HIDDEN;
    cl_kernel built = clCreateKernel(program, name, &code);
    if (code != CL_SUCCESS)
        return;
    subject_read_facts(session, built, log, name, &kernel->builds[way].facts);
    clGetKernelInfo(built, CL_KERNEL_NUM_ARGS, sizeof arguments, &arguments, NULL);
    clReleaseKernel(built);
    /* What was changed may have been text that the compiler leaves out. */
    if (arguments != kernel->argument_count + 1 || clRetainProgram(program) != CL_SUCCESS)
        return;
    kernel->builds[way].program = program;
    kernel->builds[way].end = BUILD_WORKS;
}

static void take_failure(struct subject_build *build, bool died, const char *log, cl_int code)
{
    char line[sizeof build->said - 48] = "";

    build->end = died ? BUILD_DIED : BUILD_REFUSED;
    if (log != NULL)
        text_of_log(log, line, sizeof line);
    snprintf(build->said, sizeof build->said, "%s%s%s", cl_status_name(code), line[0] != '\0' ? ": " : "", line);
}

/* Kernels that do not build together are built in halves: what a driver garbles of one then harms only that. */
static void build_some(struct session *session, struct subject_file *file, const char *front,
                       struct subject_kernel **kernels, uint32_t count, enum entry_way way)
{
    char *text = subject_text(file, front, kernels, count, way);
    char *log = NULL;
    cl_int code;
    bool died;
    const struct subject_source source = {text, text + strlen(front), subject_text_of(way)};
    cl_program program = subject_build(session, file, &source, &log, &code, &died);

    if (program != NULL) {
        for (uint32_t i = 0; i < count; ++i)
            take_build(session, kernels[i], way, program, log);
        clReleaseProgram(program);
    } else if (count == 1) {
        take_failure(&kernels[0]->builds[way], died, log, code);
    }
    free(log);
    if (program != NULL || count == 1) {
        for (uint32_t i = 0; i < count; ++i)
            kernels[i]->builds[way].text = text;
        GROW(file->texts, file->text_count);
        file->texts[file->text_count++] = text;
        return;
    }
    free(text);
    build_some(session, file, front, kernels, count / 2, way);
    build_some(session, file, front, kernels + count / 2, count - count / 2, way);
}

static bool has_bound(const struct subject_kernel *kernel, enum entry_way way, enum subject_bound bound)
{
    return kernel->builds[way].program != NULL && subject_bound(&kernel->original, &kernel->builds[way].facts) == bound;
}

/* One that is exact; of others, rather one whose limit can be relied on. */
static enum entry_way choose_way(const struct subject_kernel *kernel)
{
    for (enum subject_bound bound = BOUND_EXACT; bound <= BOUND_UNLIKE; ++bound)
        for (enum entry_way way = ENTRY_INSERT; way >= ENTRY_CALL; --way)
            if (has_bound(kernel, way, bound))
                return way;
    return ENTRY_NONE;
}

/*
 * Those that can be measured, and in this way are to be built yet. Where text in a kernel shows a lower bound, one that
 * calls it was never seen to be nearer, and has the body compiled a second time.
 */
static uint32_t choose_kernels(struct subject_file *file, enum entry_way way, struct subject_kernel **chosen)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < file->kernel_count; ++i) {
        const struct subject_kernel *kernel = &file->kernels[i];
        const bool is_safe =
            has_bound(kernel, ENTRY_INSERT, BOUND_EXACT) || has_bound(kernel, ENTRY_INSERT, BOUND_AT_LEAST);
        if (kernel->refused[0] == '\0' && (way == ENTRY_INSERT ? kernel->has_place : !is_safe))
            chosen[count++] = &file->kernels[i];
    }
    return count;
}

/* --- why none is --- */

static void say_end(const struct subject_build *build, enum entry_way way, char *text, size_t size)
{
    const char *with =
        way == ENTRY_CALL ? "with a kernel of gridlock's that calls it" : "with text of gridlock's put into it";

    switch (build->end) {
    case BUILD_NO_PLACE:
        text_list(text, size, "; ", "no text was put into it, because its head is not found in the file");
        break;
    case BUILD_REFUSED:
        text_list(text, size, "; ", "%s, the driver's compiler fails: %s", with, build->said);
        break;
    case BUILD_DIED:
        text_list(text, size, "; ", "%s, the driver's compiler crashed", with);
        break;
    case BUILD_HIDDEN:
        text_list(text, size, "; ", "%s, the driver's compiler leaves that out", with);
        break;
    case BUILD_NOT_TRIED:
    case BUILD_WORKS:
        break;
    }
}

/* What it failed of last. */
static void tell_failed(struct session *session, const struct subject_kernel *kernel)
{
    for (enum entry_way way = ENTRY_CALL; way <= ENTRY_INSERT; ++way)
        if (kernel->builds[way].end == BUILD_REFUSED || kernel->builds[way].end == BUILD_DIED) {
            subject_try(session, kernel->file, kernel->builds[way].text, "", "");
            return;
        }
}

int subject_fail(struct session *session, const struct subject_kernel *kernel, enum entry_way wanted,
                 struct error *error)
{
    char text[sizeof error->text] = "";

    if (wanted == ENTRY_INSERT && kernel->builds[ENTRY_INSERT].end == BUILD_NO_PLACE)
        return error_set(
            error, STATUS_UNSUPPORTED,
            "the driver was given nothing to build: the kernel's head is not found in the file, so no text "
            "was put into it; --entry call does without");
    for (enum entry_way way = ENTRY_INSERT; way >= ENTRY_CALL; --way)
        say_end(&kernel->builds[way], way, text, sizeof text);
    tell_failed(session, kernel);
    return error_set(error, STATUS_SURPRISE, "the file builds as it is, but not what measures this kernel: %s", text);
}

static int make(struct session *session, struct subject_file *file, struct error *error)
{
    session->probe.without = file->without; /* the session may be one that makes files ahead */
    char *front = subject_front(session, plain_dialect(&session->probe), file->options, error);

    if (front == NULL)
        return -1;
    struct subject_kernel **chosen = xcalloc(file->kernel_count + 1, sizeof(struct subject_kernel *));
    subject_find_places(file, chosen);
    for (uint32_t i = 0; i < file->kernel_count; ++i)
        if (!file->kernels[i].has_place)
            file->kernels[i].builds[ENTRY_INSERT].end = BUILD_NO_PLACE;
    for (enum entry_way way = ENTRY_INSERT; way >= ENTRY_CALL; --way) {
        const uint32_t count = choose_kernels(file, way, chosen);
        if (count > 0 && (file->wanted == ENTRY_NONE || way == file->wanted))
            build_some(session, file, front, chosen, count, way);
    }
    for (uint32_t i = 0; i < file->kernel_count; ++i)
        file->kernels[i].way = choose_way(&file->kernels[i]);
    free(front);
    free(chosen);
    return 0;
}

/* --- ahead of the trials --- */

/*
 * A thread that makes one file after the other. What it builds with is its own, but what it tells of the driver's
 * death.
 */
struct subject_ahead {
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    struct session session; /* a copy, whose stages are nobody's */
    struct subject_file *first, *last;
    bool ends;
};

/* The next file, or NULL: it must end. */
static struct subject_file *take_next(struct subject_ahead *ahead)
{
    pthread_mutex_lock(&ahead->lock);
    while (ahead->first == NULL && !ahead->ends)
        pthread_cond_wait(&ahead->changed, &ahead->lock);
    struct subject_file *file = ahead->ends ? NULL : ahead->first;
    if (file != NULL)
        ahead->first = file->later;
    pthread_mutex_unlock(&ahead->lock);
    return file;
}

static void *make_all(void *context)
{
    struct subject_ahead *ahead = context;
    struct subject_file *file;

    while ((file = take_next(ahead)) != NULL) {
        const int outcome = make(&ahead->session, file, &file->failure);
        pthread_mutex_lock(&ahead->lock);
        file->made = outcome == 0 ? MADE : NOT_MADE;
        pthread_cond_broadcast(&ahead->changed);
        pthread_mutex_unlock(&ahead->lock);
    }
    return NULL;
}

static struct subject_ahead *start(const struct session *session)
{
    struct subject_ahead *ahead = xcalloc(1, sizeof *ahead);

    ahead->session = *session;
    ahead->session.aside = true;
    pthread_mutex_init(&ahead->lock, NULL);
    pthread_cond_init(&ahead->changed, NULL);
    if (pthread_create(&ahead->thread, NULL, make_all, ahead) == 0)
        return ahead;
    free(ahead);
    return NULL;
}

/* A kernel of ours is asked for when it is needed: it goes before those that will be. */
static void append(struct subject_ahead *ahead, struct subject_file *file)
{
    if (ahead->first == NULL) {
        ahead->first = ahead->last = file;
    } else if (strcmp(file->name, SUBJECT_OURS) == 0) {
        file->later = ahead->first;
        ahead->first = file;
    } else {
        ahead->last->later = file;
        ahead->last = file;
    }
}

void subject_make_ahead(struct session *session, struct subject_file *file)
{
    if (session->info.kind != DEVICE_GPU)
        return;
    if (session->ahead == NULL && (session->ahead = start(session)) == NULL)
        return;
    pthread_mutex_lock(&session->ahead->lock);
    append(session->ahead, file);
    file->made = IN_THE_MAKING;
    pthread_cond_broadcast(&session->ahead->changed);
    pthread_mutex_unlock(&session->ahead->lock);
}

void subject_stop_ahead(struct session *session)
{
    struct subject_ahead *ahead = session->ahead;

    if (ahead == NULL)
        return;
    session_stage(session, STAGE_BUILDING);
    pthread_mutex_lock(&ahead->lock);
    ahead->ends = true;
    pthread_cond_broadcast(&ahead->changed);
    pthread_mutex_unlock(&ahead->lock);
    pthread_join(ahead->thread, NULL);
    pthread_cond_destroy(&ahead->changed);
    pthread_mutex_destroy(&ahead->lock);
    free(ahead);
    session->ahead = NULL;
}

int subject_make(struct session *session, struct subject_file *file, struct error *error)
{
    const uint64_t began_ns = clock_ns();

    if (session->ahead == NULL) {
        if (file->made != MADE && make(session, file, error) != 0)
            return -1;
        file->made = MADE;
        return 0;
    }
    session_stage(session, STAGE_BUILDING); /* so the watchdog ends a compiler that does not come back */
    pthread_mutex_lock(&session->ahead->lock);
    while (file->made == IN_THE_MAKING)
        pthread_cond_wait(&session->ahead->changed, &session->ahead->lock);
    pthread_mutex_unlock(&session->ahead->lock);
    session->build_ns += clock_ns() - began_ns;
    if (file->made == MADE)
        return 0;
    *error = file->failure;
    return -1;
}
