#include "device/subject.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/tally.h"
#include "core/text.h"
#include "device/cl_status.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { SOURCE_MIB = 64, FILES_KEPT = 64 };

/* --- a file as it is --- */

static void forget_kernel(struct subject_kernel *kernel)
{
    for (uint32_t i = 0; i < kernel->argument_count; ++i) {
        if (kernel->arguments[i].image != NULL)
            clReleaseMemObject(kernel->arguments[i].image);
        if (kernel->arguments[i].sampler != NULL)
            clReleaseSampler(kernel->arguments[i].sampler);
    }
    free(kernel->arguments);
    for (int way = 0; way < ENTRY_COUNT; ++way)
        if (kernel->builds[way].program != NULL)
            clReleaseProgram(kernel->builds[way].program);
}

static void close_file(struct subject_file *file)
{
    for (uint32_t i = 0; i < file->kernel_count; ++i)
        forget_kernel(&file->kernels[i]);
    if (file->original != NULL)
        clReleaseProgram(file->original);
    if (file->buffer != NULL)
        clReleaseMemObject(file->buffer);
    if (file->folder_descriptor >= 0)
        close(file->folder_descriptor);
    for (size_t i = 0; i < file->text_count; ++i)
        free(file->texts[i]);
    free(file->texts);
    free(file->kernels);
    free(file->text);
    free(file);
}

/*
 * Marks of UTF-8, which some editors write: compilers take them only at the beginning of a text, where other text
 * comes.
 */
static void drop_marks(struct subject_file *file)
{
    static const char mark[] = "\xef\xbb\xbf";
    size_t length = 0;

    while (strncmp(file->text + length, mark, sizeof mark - 1) == 0)
        length += sizeof mark - 1;
    file->length -= length;
    memmove(file->text, file->text + length, file->length + 1);
}

/* The body never runs, but the compiler does not know that. */
static const char ours[] =
    "__kernel void empty(__global uint *out) { out[0] = 0; }\n"
    "__kernel void empty_local(__local uint *memory, __global uint *out) { out[0] = memory[0]; }\n";

/* The supervisor's standard input is a file that anybody can read from its beginning. */
static int read_text(struct subject_file *file, struct error *error)
{
    char input[64];
    const bool is_input = strcmp(file->name, SUBJECT_STDIN) == 0;

    if (strcmp(file->name, SUBJECT_OURS) == 0) {
        file->length = sizeof ours - 1;
        file->text = xstrdup(ours);
        return 0;
    }
    snprintf(input, sizeof input, "/proc/%ld/fd/0", (long)getppid());
    file->text = file_read(is_input ? input : file->name, "source", SOURCE_MIB, &file->length, error);
    if (file->text == NULL)
        return -1;
    if (strlen(file->text) != file->length)
        return error_set(error, STATUS_USAGE, "'%s' is no OpenCL C source: a text is expected, not a binary",
                         file->name);
    drop_marks(file);
    return 0;
}

static bool is_plain(const char *folder)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./+-";
    return folder[strspn(folder, plain)] == '\0';
}

/*
 * Compilers take options apart in ways of their own: a folder with a name that is not plain is named by a descriptor.
 */
static void find_folder(struct subject_file *file)
{
    const char *slash = strrchr(file->name, '/');

    snprintf(file->folder, sizeof file->folder, "%.*s", slash != NULL ? (int)(slash - file->name + 1) : 1,
             slash != NULL ? file->name : ".");
    file->folder_descriptor = is_plain(file->folder) ? -1 : open(file->folder, O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (file->folder_descriptor >= 0)
        snprintf(file->folder, sizeof file->folder, "/proc/%ld/fd/%d", (long)getpid(), file->folder_descriptor);
}

/* Returns the length of the included name if the folder has it, and a compiler may find another file first; or 0. */
static size_t is_beside(const struct subject_file *file, const char *folder, const char *line, const char **name)
{
    const size_t length = text_included(line, name);
    struct stat there, here;
    char *path = xasprintf("%s/%.*s", folder, (int)length, *name);
    const char *only = path + strlen(folder) + 1;
    const bool is_there = length != 0 && *only != '/' && stat(path, &there) == 0;
    const bool is_here = is_there && stat(only, &here) == 0;
    const bool differs = is_here && (there.st_dev != here.st_dev || there.st_ino != here.st_ino);

    free(path);
    return differs || (is_there && strstr(file->options, "-I") != NULL) ? length : 0;
}

/*
 * What a file includes in quotes C looks for in the folder of that file, before all others. What is built is a text,
 * which is in no folder: such names get the folder's.
 */
static void name_what_is_beside(struct subject_file *file)
{
    char *folder = realpath(file->folder, NULL), *text = NULL;
    const char *at = file->text, *name = "";

    if (folder == NULL || strpbrk(folder, "\"\n") != NULL) {
        free(folder);
        return;
    }
    FILE *out = xopen_memstream(&text, NULL);
    for (const char *line = at; line != NULL; line = strchr(line, '\n'), line += line != NULL)
        if (is_beside(file, folder, line, &name) != 0) {
            fprintf(out, "%.*s%s/", (int)(name - at), at, folder);
            at = name;
        }
    fputs(at, out);
    free(file->text);
    file->text = xclose_memstream(out, &text);
    file->length = strlen(file->text);
    free(folder);
}

/* What was given, and what is needed beside: the file's folder, and what the driver tells of kernels. */
static void complete_options(const struct session *session, struct subject_file *file)
{
    char platform[128] = "", *folder = realpath(file->folder, NULL);
    const bool is_told = folder != NULL && is_plain(folder);
    cl_platform_id id = NULL;

    if (clGetDeviceInfo(session->device, CL_DEVICE_PLATFORM, sizeof(cl_platform_id), &id, NULL) == CL_SUCCESS)
        clGetPlatformInfo(id, CL_PLATFORM_NAME, sizeof platform - 1, platform, NULL);
    const bool tells = strstr(platform, "NVIDIA") != NULL && device_has_part(&session->probe, OPTIONAL_REGISTERS);
    const char *arguments = device_has_part(&session->probe, OPTIONAL_ARGUMENTS) ? " -cl-kernel-arg-info" : "";
    const char *verbose = tells ? " -cl-nv-verbose" : "";
    snprintf(file->all_options, sizeof file->all_options, "%s%s -I %s%s", file->options, arguments, file->folder,
             verbose);
    snprintf(file->told_options, sizeof file->told_options, "%s%s%s%s -I .%s", file->options, arguments,
             is_told ? " -I " : "", is_told ? folder : "", verbose);
    free(folder);
}

static cl_program build(struct session *session, const struct subject_file *file, const char *text, char **log,
                        cl_int *code)
{
    cl_program program = clCreateProgramWithSource(session->context, 1, &text, NULL, code);

    if (*code != CL_SUCCESS)
        return NULL;
    *code = clBuildProgram(program, 1, &session->device, file->all_options, NULL, NULL);
    if (log != NULL)
        *log = session_build_log(session, program);
    if (*code == CL_SUCCESS)
        return program;
    clReleaseProgram(program);
    return NULL;
}

/* The same whatever is in front of it; 0: none. */
static uint64_t identify(const struct session *session, const struct subject_file *file, const char *behind_front)
{
    if (behind_front == NULL)
        return 0;
    const uint64_t hashes[] = {tally_hash(session->info.name), tally_hash(file->options), tally_hash(behind_front)};
    return tally_hash_bytes((const char *)hashes, sizeof hashes) | 1;
}

static void tell_text(struct session *session, const struct subject_file *file, enum subject_text kind)
{
    session_text(session, strcmp(file->name, SUBJECT_OURS) == 0 ? TEXT_NONE : kind);
}

void subject_try(struct session *session, const struct subject_file *file, const char *text, const char *kernel,
                 const char *arguments)
{
    if (strcmp(file->name, SUBJECT_OURS) != 0)
        session_tried(session, &(struct subject_tried){text, file->told_options, kernel, arguments});
}

cl_program subject_build(struct session *session, const struct subject_file *file, const struct subject_source *source,
                         char **log, cl_int *code, bool *died)
{
    const uint64_t began_ns = clock_ns(), this = identify(session, file, source->behind_front);
    struct mirror *mirror = session->mirror;

    *died = false;
    *code = CL_BUILD_PROGRAM_FAILURE;
    for (size_t i = 0; this != 0 && i < FATAL_BUILDS; ++i)
        *died = *died || atomic_load(&mirror->fatal[i]) == this;
    if (*died)
        return NULL;
    tell_text(session, file, source->kind);
    subject_try(session, file, source->text, "", "");
    session_stage(session, STAGE_BUILDING);
    if (this != 0)
        atomic_store(&mirror->building, this);
    cl_program program = build(session, file, source->text, log, code);
    if (this != 0)
        atomic_store(&mirror->building, 0);
    session_forget_output(session);
    if (program != NULL || source->kind != TEXT_AS_IS) /* else it is tried in another way */
        session_tried(session, NULL);
    session->build_ns += clock_ns() - began_ns;
    return program;
}

static int refuse_options(const struct subject_file *file, const char *log, struct error *error)
{
    char said[160] = "";

    if (log != NULL)
        text_of_log(log, said, sizeof said);
    return error_set(error, STATUS_USAGE,
                     "'%.100s' does not build: the driver refuses the --build-options \"%.160s%s\"%s%s", file->name,
                     file->options, strlen(file->options) > 160 ? " ..." : "", said[0] != '\0' ? ": " : "", said);
}

static int open_file(struct session *session, struct subject_file *file, char **log, struct error *error)
{
    cl_int code;
    bool died;

    if (read_text(file, error) != 0)
        return -1;
    find_folder(file);
    name_what_is_beside(file);
    complete_options(session, file);
    char *named = subject_text(file, "", NULL, 0, ENTRY_NONE);
    file->original = subject_build(session, file, &(struct subject_source){named, NULL, TEXT_AS_IS}, log, &code, &died);
    free(named);
    if (file->original == NULL && code == CL_INVALID_BUILD_OPTIONS)
        return refuse_options(file, *log, error);
    if (file->original == NULL)
        return error_set(error, STATUS_SURPRISE, "'%s' as it is does not build: the driver's compiler says %s",
                         file->name, cl_status_name(code));
    if (subject_read_kernels(session, file, *log, error) != 0)
        return -1;
    subject_find_sizes(session, file);
    return 0;
}

/* One that is open, or NULL; *count: of those that are. */
static struct subject_file *find_file(const struct session *session, const char *file, const char *options,
                                      size_t *count)
{
    *count = 0;
    for (struct subject_file *open = session->subjects; open != NULL; open = open->next, ++*count)
        if (strcmp(open->name, file) == 0 && strcmp(open->options, options) == 0 &&
            open->without == session->probe.without)
            return open;
    return NULL;
}

/* With the programs that use what they own. */
static void forget_files(struct session *session)
{
    subject_stop_ahead(session);
    session_forget_programs(session);
    while (session->subjects != NULL) {
        struct subject_file *file = session->subjects;
        session->subjects = file->next;
        close_file(file);
    }
}

int subject_open(struct session *session, const struct subject *subject, struct subject_file **opened, char **log,
                 struct error *error)
{
    size_t count;

    *log = NULL;
    *opened = find_file(session, subject->file, subject->options, &count);
    if (*opened != NULL)
        return 0;
    struct subject_file *next = xcalloc(1, sizeof *next);
    next->folder_descriptor = -1;
    snprintf(next->name, sizeof next->name, "%s", subject->file);
    snprintf(next->options, sizeof next->options, "%s", subject->options);
    next->wanted = subject->wanted;
    next->without = session->probe.without;
    if (open_file(session, next, log, error) != 0) {
        close_file(next);
        return -1;
    }
    if (count >= FILES_KEPT)
        forget_files(session);
    next->next = session->subjects;
    session->subjects = *opened = next;
    subject_make_ahead(session, next);
    return 0;
}

/* --- the kernel of a trial --- */

struct subject_kernel *subject_find_kernel(struct subject_file *file, const char *name)
{
    for (uint32_t i = 0; i < file->kernel_count; ++i)
        if (strcmp(file->kernels[i].name, name) == 0)
            return &file->kernels[i];
    return NULL;
}

static bool has_size(const struct subject_kernel *kernel, const struct subject *subject)
{
    for (uint32_t i = 0; i < 3; ++i)
        if (kernel->required[0] != 0 && kernel->required[i] != subject->shape.local[i])
            return false;
    return true;
}

int subject_program(struct session *session, const struct subject *subject, struct program **program,
                    struct error *error)
{
    struct subject_file *file;
    char *log = NULL;
    char name[sizeof subject->kernel + 32];
    cl_int code = CL_SUCCESS;

    const int opened = subject_open(session, subject, &file, &log, error);
    free(log);
    if (opened != 0 || file == NULL)
        return -1;
    struct subject_kernel *kernel = subject_find_kernel(file, subject->kernel);
    if (kernel == NULL)
        return error_set(error, STATUS_UNSUPPORTED, "the file has no such kernel");
    if (kernel->refused[0] != '\0')
        return error_set(error, STATUS_UNSUPPORTED, "%s", kernel->refused);
    if (!has_size(kernel, subject))
        return error_set(error, STATUS_UNSUPPORTED, "it requires another size of work-groups");
    const uint64_t local_bytes = subject_local_memory(subject, kernel);
    if (local_bytes > session->info.local_memory_bytes)
        return error_set(error, STATUS_UNSUPPORTED, "%" PRIu64 " bytes of local memory: the device has only %" PRIu64,
                         local_bytes, session->info.local_memory_bytes);
    if (subject_make_images(session, kernel, 1, error) != 0 || subject_make(session, file, error) != 0)
        return -1;
    if (kernel->way == ENTRY_NONE)
        return subject_fail(session, kernel, subject->wanted, error);
    tell_text(session, file, subject_text_of(kernel->way));
    subject_entry_name(kernel, kernel->way, name, sizeof name);
    char *arguments = subject_print_arguments(subject, kernel);
    subject_try(session, file, kernel->builds[kernel->way].text, name, arguments);
    free(arguments);
    *program = session_keep_kernel(session, kernel, kernel->builds[kernel->way].program, name, &code);
    return *program != NULL ? 0 : cl_status_error(error, "clCreateKernel", code);
}
