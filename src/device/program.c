#include "base/alloc.h"
#include "base/clock.h"
#include "base/source.h"
#include "core/build_options.h"
#include "core/text.h"
#include "device/cl_status.h"
#include "device/session.h"
#include "device/subject.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LOG_BYTES_MOST = 1 << 26, BINARY_BYTES_MOST = 1 << 30 };

static void key_init(const char *kernel, struct program_key *key)
{
    memset(key, 0, sizeof *key);
    snprintf(key->kernel, sizeof key->kernel, "%s", kernel);
}

void session_key(const struct session *session, const char *kernel, struct program_key *key)
{
    key_init(kernel, key);
    build_options(session->info.kind, &session->probe, device_dialect(&session->probe), false, key->options);
}

char *session_build_log(const struct session *session, cl_program program)
{
    size_t length = 0;

    if (clGetProgramBuildInfo(program, session->device, CL_PROGRAM_BUILD_LOG, 0, NULL, &length) != CL_SUCCESS ||
        length > LOG_BYTES_MOST)
        return NULL;
    char *log = xcalloc(1, length + 1);
    clGetProgramBuildInfo(program, session->device, CL_PROGRAM_BUILD_LOG, length, log, NULL);
    return log;
}

static int build_failed(const struct session *session, cl_program program, const struct program_key *key, cl_int code,
                        struct error *error)
{
    char line[256] = "no build log";
    char *log = session_build_log(session, program);

    if (log != NULL)
        text_of_log(log, line, sizeof line);
    free(log);
    return error_set(error, STATUS_HARNESS, "building %s.cl with %s: %s: %s", key->kernel, key->options,
                     cl_status_name(code), line);
}

static int build(struct session *session, struct program *program, cl_int *code, struct error *error)
{
    char file[64];
    const struct source_folders folders = {program->key.folder, session->kernel_folder};
    snprintf(file, sizeof file, "%s.cl", program->key.kernel);
    char *text = source_load(folders, file, error);

    if (text == NULL) {
        *code = CL_INVALID_VALUE;
        return -1;
    }
    const char *source = text;
    program->program = clCreateProgramWithSource(session->context, 1, &source, NULL, code);
    free(text);
    if (*code != CL_SUCCESS)
        return cl_status_error(error, "clCreateProgramWithSource", *code);
    *code = clBuildProgram(program->program, 1, &session->device, program->key.options, NULL, NULL);
    if (*code == CL_SUCCESS)
        return 0;
    build_failed(session, program->program, &program->key, *code, error);
    clReleaseProgram(program->program);
    return -1;
}

static bool same_key(const struct program_key *a, const struct program_key *b)
{
    return strcmp(a->kernel, b->kernel) == 0 && strcmp(a->folder, b->folder) == 0 &&
           strcmp(a->options, b->options) == 0;
}

static struct program *find(struct session *session, const struct program_key *key)
{
    for (size_t i = 0; i < session->program_count; ++i)
        if (session->programs[i].subject == NULL && same_key(&session->programs[i].key, key))
            return &session->programs[i];
    return NULL;
}

static void forget(struct session *session, size_t at)
{
    clReleaseKernel(session->programs[at].kernel);
    clReleaseProgram(session->programs[at].program);
    session->program_count -= 1;
    memmove(&session->programs[at], &session->programs[at + 1],
            (session->program_count - at) * sizeof *session->programs);
}

void session_forget_programs(struct session *session)
{
    while (session->program_count > 0)
        forget(session, session->program_count - 1);
}

/* Forgets the oldest program when there is no room for another. */
static struct program *room(struct session *session)
{
    if (session->program_count == SESSION_PROGRAMS)
        forget(session, 0);
    return &session->programs[session->program_count];
}

struct program *session_keep_kernel(struct session *session, struct subject_kernel *subject, cl_program from,
                                    const char *name, cl_int *code)
{
    for (size_t i = 0; i < session->program_count; ++i)
        if (session->programs[i].subject == subject)
            return &session->programs[i];
    struct program *program = room(session);
    *program = (struct program){.program = from, .kernel = clCreateKernel(from, name, code), .subject = subject};
    if (*code != CL_SUCCESS || (*code = clRetainProgram(from)) != CL_SUCCESS)
        return NULL;
    session->program_count += 1;
    return program;
}

int session_kernel(struct session *session, const struct program_key *key, struct program **program, cl_int *code,
                   struct error *error)
{
    uint64_t began_ns = clock_ns();

    *code = CL_SUCCESS;
    *program = find(session, key);
    if (*program != NULL)
        return 0;
    session_stage(session, STAGE_BUILDING);
    *program = room(session);
    **program = (struct program){.key = *key};
    if (build(session, *program, code, error) != 0)
        return -1;
    (*program)->kernel = clCreateKernel((*program)->program, key->kernel, code);
    if (*code != CL_SUCCESS) {
        clReleaseProgram((*program)->program);
        return cl_status_error(error, "clCreateKernel", *code);
    }
    session->program_count += 1;
    session->build_ns += clock_ns() - began_ns;
    return 0;
}

uint64_t session_kernel_says(const struct session *session, const struct program *program,
                             cl_kernel_work_group_info what)
{
    size_t value = 0;
    if (clGetKernelWorkGroupInfo(program->kernel, session->device, what, sizeof value, &value, NULL) != CL_SUCCESS)
        return 0;
    return value;
}

int session_trial_kernel(struct session *session, const struct trial *trial, struct program **program, cl_int *code,
                         struct error *error)
{
    struct program_key key;

    if (trial->work.kernel[0] == '\0')
        return session_limits_kernel(session, &trial->footprint, trial->live, program, code, error);
    key_init(trial->work.kernel, &key);
    snprintf(key.folder, sizeof key.folder, "%s", trial->work.folder);
    build_options_trial(session->info.kind, &session->probe, trial, key.options);
    return session_kernel(session, &key, program, code, error);
}

int session_limits_kernel(struct session *session, const struct footprint *footprint, bool live,
                          struct program **program, cl_int *code, struct error *error)
{
    struct program_key key;
    struct error ignored;
    struct program *built;

    *code = CL_SUCCESS;
    if (footprint->subject.file[0] != '\0')
        return subject_program(session, &footprint->subject, program, error);
    key_init("limits", &key);
    build_options_limits(session->info.kind, &session->probe, footprint, live, key.options);
    if (session_kernel(session, &key, program, code, error) != 0)
        return -1;
    const uint64_t most = session_kernel_says(session, *program, CL_KERNEL_WORK_GROUP_SIZE);
    if (most == 0 || footprint->local_size <= most)
        return 0;
    text_append(key.options, sizeof key.options, " -DGL_REQUIRED_SIZE=%u", footprint->local_size);
    cl_int refused;
    if (session_kernel(session, &key, &built, &refused, &ignored) == 0)
        *program = built; /* else the first one stands, and what it allows */
    return 0;
}

static int write_file(const char *path, const unsigned char *bytes, size_t length, struct error *error)
{
    FILE *file = fopen(path, "wxe");
    if (file == NULL)
        return error_set(error, STATUS_USAGE, "cannot create %s: %s", path, strerror(errno));
    size_t written = fwrite(bytes, 1, length, file);
    if (fclose(file) != 0 || written != length)
        return error_set(error, STATUS_HARNESS, "cannot write %s: %s", path, strerror(errno));
    return 0;
}

int session_save_binary(struct session *session, const struct footprint *footprint, const char *path,
                        struct error *error)
{
    struct program *program;
    size_t length = 0;
    cl_int code;

    if (session_limits_kernel(session, footprint, false, &program, &code, error) != 0)
        return -1;
    code = clGetProgramInfo(program->program, CL_PROGRAM_BINARY_SIZES, sizeof length, &length, NULL);
    if (code != CL_SUCCESS || length == 0)
        return error_set(error, STATUS_UNSUPPORTED, "the driver provides no program binary: %s", cl_status_name(code));
    if (length > BINARY_BYTES_MOST)
        return error_set(error, STATUS_HARNESS, "the driver says that the program binary has %zu bytes", length);
    unsigned char *bytes = xmalloc(length);
    code = clGetProgramInfo(program->program, CL_PROGRAM_BINARIES, sizeof bytes, &bytes, NULL);
    int outcome = code == CL_SUCCESS ? write_file(path, bytes, length, error)
                                     : cl_status_error(error, "CL_PROGRAM_BINARIES", code);
    free(bytes);
    return outcome;
}
