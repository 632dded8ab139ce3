#include "core/clock.h"
#include "core/text.h"
#include "device/cl_status.h"
#include "device/session.h"
#include "device/source.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LOG_BYTES = 1 << 16 };

/* limits.cl has the kernel "limits". */
static void kernel_name(const struct program_key *key, char *name, size_t size)
{
    snprintf(name, size, "%.*s", (int)strcspn(key->file, "."), key->file);
}

/* Options come from this list alone, and numbers only from integers. */
static void build_options(const struct program_key *key, char *options, size_t size)
{
    static const char *const dialects[DIALECT_COUNT] = {
        [DIALECT_NONE] = "",
        [DIALECT_CL30] = "-cl-std=CL3.0 -DGL_DIALECT_CL30",
        [DIALECT_CL12] = "-DGL_DIALECT_CL12",
        [DIALECT_PTX] = "-DGL_DIALECT_PTX",
    };
    int used =
        snprintf(options, size, "%s -DGL_PRIVATE_WORDS=%u%s%s%s", dialects[key->dialect], key->private_words,
                 key->yield ? " -DGL_YIELD" : "", key->live ? " -DGL_LIVE" : "", key->local ? " -DGL_LOCAL" : "");
    if (key->required_size != 0)
        snprintf(options + used, size - (size_t)used, " -DGL_REQUIRED_SIZE=%u", key->required_size);
}

/* The first line of the build log that says something. */
static void first_line(const char *log, char *line, size_t size)
{
    const char *found = strstr(log, "error");
    if (found != NULL)
        while (found > log && found[-1] != '\n')
            --found;
    log = found != NULL ? found : log + strspn(log, " \t\r\n");
    snprintf(line, size, "%.*s", (int)strcspn(log, "\r\n"), log);
    text_make_plain(line);
}

static int build_failed(const struct session *session, cl_program program, const struct program_key *key, cl_int code,
                        struct error *error)
{
    char line[256] = "no build log";
    char *log = calloc(1, LOG_BYTES);

    if (log != NULL &&
        clGetProgramBuildInfo(program, session->device, CL_PROGRAM_BUILD_LOG, LOG_BYTES - 1, log, NULL) == CL_SUCCESS)
        first_line(log, line, sizeof line);
    free(log);
    return error_set(error, STATUS_HARNESS, "building %s in dialect %s: %s: %s", key->file, dialect_name(key->dialect),
                     cl_status_name(code), line);
}

static int build(struct session *session, struct program *program, cl_int *code, struct error *error)
{
    char options[256];
    char *text = source_load(session->kernel_folder, program->key.file, error);

    if (text == NULL) {
        *code = CL_INVALID_VALUE;
        return -1;
    }
    const char *source = text;
    program->program = clCreateProgramWithSource(session->context, 1, &source, NULL, code);
    free(text);
    if (*code != CL_SUCCESS)
        return cl_status_error(error, "clCreateProgramWithSource", *code);
    build_options(&program->key, options, sizeof options);
    *code = clBuildProgram(program->program, 1, &session->device, options, NULL, NULL);
    if (*code == CL_SUCCESS)
        return 0;
    build_failed(session, program->program, &program->key, *code, error);
    clReleaseProgram(program->program);
    return -1;
}

static bool same_key(const struct program_key *a, const struct program_key *b)
{
    return strcmp(a->file, b->file) == 0 && a->dialect == b->dialect && a->yield == b->yield && a->live == b->live &&
           a->local == b->local && a->private_words == b->private_words && a->required_size == b->required_size;
}

static struct program *find(struct session *session, const struct program_key *key)
{
    for (size_t i = 0; i < session->program_count; ++i)
        if (same_key(&session->programs[i].key, key))
            return &session->programs[i];
    return NULL;
}

/* Forgets the oldest program when there is no room for another. */
static struct program *room(struct session *session)
{
    if (session->program_count == SESSION_PROGRAMS) {
        struct program *oldest = &session->programs[0];
        clReleaseKernel(oldest->kernel);
        clReleaseProgram(oldest->program);
        memmove(oldest, oldest + 1, (SESSION_PROGRAMS - 1) * sizeof *oldest);
        --session->program_count;
    }
    return &session->programs[session->program_count];
}

int session_kernel(struct session *session, const struct program_key *key, struct program **program, cl_int *code,
                   struct error *error)
{
    char name[64];
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
    kernel_name(key, name, sizeof name);
    (*program)->kernel = clCreateKernel((*program)->program, name, code);
    if (*code != CL_SUCCESS) {
        clReleaseProgram((*program)->program);
        return cl_status_error(error, "clCreateKernel", *code);
    }
    session->program_count += 1;
    session->build_ns += clock_ns() - began_ns;
    return 0;
}

static bool allows(const struct session *session, const struct program *program, uint32_t local_size)
{
    size_t most = 0;
    clGetKernelWorkGroupInfo(program->kernel, session->device, CL_KERNEL_WORK_GROUP_SIZE, sizeof most, &most, NULL);
    return most == 0 || local_size <= most;
}

int session_limits_kernel(struct session *session, const struct footprint *footprint, bool live,
                          struct program **program, cl_int *code, struct error *error)
{
    struct program_key key = {
        .file = "limits.cl",
        .dialect = session->probe.dialect,
        .yield = session->probe.yield,
        .live = live,
        .local = footprint->local_memory_bytes > 0,
        .private_words = footprint->private_bytes / 4,
    };
    struct error ignored;
    struct program *built;

    if (session_kernel(session, &key, program, code, error) != 0)
        return -1;
    if (allows(session, *program, footprint->local_size))
        return 0;
    key.required_size = footprint->local_size;
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
        return error_set(error, STATUS_UNSUPPORTED, "the driver gives no program binary: %s", cl_status_name(code));
    unsigned char *bytes = malloc(length);
    if (bytes == NULL)
        return error_set(error, STATUS_HARNESS, "no memory for a program binary of %zu bytes", length);
    code = clGetProgramInfo(program->program, CL_PROGRAM_BINARIES, sizeof bytes, &bytes, NULL);
    int outcome = code == CL_SUCCESS ? write_file(path, bytes, length, error)
                                     : cl_status_error(error, "CL_PROGRAM_BINARIES", code);
    free(bytes);
    return outcome;
}
