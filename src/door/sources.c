#include "door/marks.h"

#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/*
 * The sources of programs, each as a file beside the page: kilobytes. A handle comes back only with a program that is
 * built or linked, so what is here is of the program that has it.
 */
enum { PROGRAMS = DOOR_PROGRAMS, TRIES = 16, SOURCE_MOST = 4 << 20, ALL_MOST = 64 << 20 };

static struct program {
    _Atomic uint64_t handle;
    _Atomic uint32_t number;
    char *_Atomic options; /* as the program has given them; owned, or NULL */
    char *_Atomic text;    /* of the one that it was linked from, where the driver tells none; owned, or NULL */
} programs[PROGRAMS];

static _Atomic uint32_t numbers;
static _Atomic uint64_t written;

static struct program *find(cl_program program, bool add)
{
    const uint64_t handle = (uintptr_t)program;
    const uint32_t place = (uint32_t)((handle >> 4) * 0x9e3779b97f4a7c15u >> 40);

    for (uint32_t i = 0; i < TRIES; ++i) {
        struct program *entry = &programs[(place + i) % PROGRAMS];
        uint64_t found = atomic_load(&entry->handle);
        if (found == handle || (found == 0 && add && atomic_compare_exchange_strong(&entry->handle, &found, handle)))
            return entry;
    }
    return NULL;
}

static bool write_file(uint32_t number, const char *ending, const char *text, size_t length)
{
    const char *folder = getenv(DOOR_FOLDER);
    char path[PATH_MAX];

    if (folder == NULL || !page_may_write(length))
        return false;
    snprintf(path, sizeof path, "%s/%ld-%u.%s", folder, (long)getpid(), number, ending);
    const int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
    const bool whole = file >= 0 && write(file, text, length) == (ssize_t)length;
    if (file >= 0)
        close(file);
    return whole;
}

char *program_source(cl_program program)
{
    const struct program *entry = find(program, false);
    const char *linked = entry != NULL ? atomic_load(&entry->text) : NULL;
    size_t size = 0;

    if (linked != NULL)
        return strdup(linked);
    if (REAL(program)->clGetProgramInfo(program, CL_PROGRAM_SOURCE, 0, NULL, &size) != CL_SUCCESS || size < 2 ||
        size > SOURCE_MOST)
        return NULL;
    char *text = calloc(1, size + 1);
    if (text != NULL && REAL(program)->clGetProgramInfo(program, CL_PROGRAM_SOURCE, size, text, NULL) == CL_SUCCESS)
        return text;
    free(text);
    return NULL;
}

/* Of several devices some may have no build. */
static bool is_built_for(cl_program program, cl_device_id device)
{
    cl_build_status status = CL_BUILD_NONE;

    return REAL(program)->clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_STATUS, sizeof status, &status,
                                                NULL) == CL_SUCCESS &&
           status == CL_BUILD_SUCCESS;
}

cl_uint program_devices(cl_program program, cl_device_id *devices, cl_uint most)
{
    cl_device_id all[64];
    size_t size = 0;
    cl_uint count = 0;

    if (REAL(program)->clGetProgramInfo(program, CL_PROGRAM_DEVICES, sizeof all, all, &size) != CL_SUCCESS)
        return 0;
    for (size_t i = 0; i < size / sizeof(cl_device_id) && count < most; ++i)
        if (is_built_for(program, all[i]))
            devices[count++] = all[i];
    return count;
}

uint32_t program_slot(cl_program program)
{
    const struct program *entry = find(program, false);
    return entry != NULL ? (uint32_t)(entry - programs) : DOOR_PROGRAMS;
}

/* A driver may add some, which no compiler takes from a user. */
static char *given_options(cl_program program)
{
    struct program *entry = find(program, false);
    const char *given = entry != NULL ? atomic_load(&entry->options) : NULL;

    return given != NULL ? strdup(given) : NULL;
}

static char *driver_options(cl_program program)
{
    const cl_icd_dispatch *real = REAL(program);
    cl_device_id device;
    size_t size = 0;

    if (program_devices(program, &device, 1) == 0 ||
        real->clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_OPTIONS, 0, NULL, &size) != CL_SUCCESS ||
        size > SOURCE_MOST)
        return NULL;
    char *text = calloc(1, size + 1);
    if (text != NULL &&
        real->clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_OPTIONS, size, text, NULL) == CL_SUCCESS)
        return text;
    free(text);
    return NULL;
}

char *program_options(cl_program program)
{
    char *given = given_options(program);

    return given != NULL ? given : driver_options(program);
}

/* 0: it has none, or there is no room for it. */
static uint32_t keep(cl_program program)
{
    char *source = program_source(program), *options = program_options(program);
    const size_t length = source != NULL ? strlen(source) : 0;
    const bool room = source != NULL && options != NULL && atomic_fetch_add(&written, length) + length <= ALL_MOST;
    const uint32_t number = room ? atomic_fetch_add(&numbers, 1) + 1 : 0;
    const bool kept =
        room && write_file(number, "options", options, strlen(options)) && write_file(number, "cl", source, length);

    free(source);
    free(options);
    return kept ? number : 0;
}

static void begin(struct program *entry, const char *options, char *text)
{
    free(atomic_exchange(&entry->options, options != NULL ? strdup(options) : NULL));
    free(atomic_exchange(&entry->text, text));
    atomic_store(&entry->number, 0);
}

/* No thread may use a program while another one builds it. */
void program_built(cl_program program, const char *options)
{
    struct program *entry = find(program, true);

    if (entry == NULL)
        return;
    begin(entry, options != NULL ? options : "", NULL);
    marks_program_built(program);
    atomic_store(&entry->number, keep(program));
}

void program_compiled(cl_program program, const char *options, cl_uint headers)
{
    struct program *entry = find(program, true);

    if (entry != NULL)
        begin(entry, headers > 0 ? NULL : options != NULL ? options : "", NULL);
}

void program_linked(cl_program program, cl_uint count, const cl_program *from)
{
    const struct program *one = count == 1 ? find(from[0], false) : NULL;
    const char *options = one != NULL ? atomic_load(&one->options) : NULL;
    char *text = options != NULL ? program_source(from[0]) : NULL;
    struct program *entry = find(program, text != NULL);

    if (entry == NULL) {
        free(text);
        return;
    }
    begin(entry, text != NULL ? options : NULL, text);
    marks_program_built(program);
    atomic_store(&entry->number, keep(program));
}

uint32_t program_number(cl_kernel kernel)
{
    cl_program program = NULL;

    REAL(kernel)->clGetKernelInfo(kernel, CL_KERNEL_PROGRAM, sizeof(cl_program), &program, NULL);
    const struct program *entry = program != NULL ? find(program, false) : NULL;
    return entry != NULL ? atomic_load(&entry->number) : 0;
}
