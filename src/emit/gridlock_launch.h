/*
 * gridlock_launch.h: launches kernels whose work-groups wait for each other (gridlock.clh), and refuses where they
 * would hang. C99 and C++11, one header, OpenCL 1.2 and later. No thread and no global state.
 *
 *     gl_report report;
 *     if (gl_launch_cooperative(queue, kernel, 1, &global, &local, NULL, &report) != GRIDLOCK_OK)
 *         fprintf(stderr, "%s\n", report.text);
 *
 * The kernel's first argument is its grid's words, which this header makes and sets; set all others before. Queues are
 * in order. Nothing is kept of a kernel or a queue after a call.
 *
 * Apache-2.0. From gridlock, which measures who may wait for whom.
 */
#ifndef GRIDLOCK_LAUNCH_H
#define GRIDLOCK_LAUNCH_H

#if !defined(CL_TARGET_OPENCL_VERSION)
#define CL_TARGET_OPENCL_VERSION 120
#endif
#if defined(__APPLE__)
#include <OpenCL/cl.h>
#else
#include <CL/cl.h>
#endif

#include "gridlock.clh"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(__GNUC__)
#define GL_MAYBE __attribute__((unused)) static
#else
#define GL_MAYBE static
#endif

typedef enum {
    GRIDLOCK_OK,
    GRIDLOCK_TOO_MANY_GROUPS, /* more than fit at once: nothing was launched */
    GRIDLOCK_GAVE_UP,         /* a wait did not end within the fuse: the kernel has ended, its results are incomplete */
    GRIDLOCK_BAD_SIZES, /* global is no multiple of local, there are more than 3 dimensions, or words are too few */
    GRIDLOCK_CL_FAILED  /* a call of OpenCL failed: report.error */
} gl_status;

typedef struct {
    gl_status status;
    cl_int error;     /* of GRIDLOCK_CL_FAILED */
    cl_uint groups;   /* that were asked for */
    cl_uint resident; /* that fit at once; 0: not counted */
    char text[768];   /* one sentence, or one for each of the first groups that gave up */
} gl_report;

/* What may be zero: all of it, or a null pointer in its place. */
typedef struct {
    cl_uint resident;  /* as gl_resident said before for this kernel and local size; 0: count */
    cl_uint fuse;      /* after so many times 64 polls a wait gives up; 0: after some seconds of a processor's time */
    const char *cache; /* a folder in which counts are kept, by device, driver and kernel; NULL: nowhere */
    cl_uint phases;    /* not 0: see gl_launch_cooperative */
    cl_mem words; /* of gl_make_words, for launches one after the other; NULL: made for each launch, which takes time */
} gl_options;

/* Words of a queue of gridlock.clh, GRIDLOCK_QUEUE_WORDS(capacity), with the first values in it; count <= capacity. */
GL_MAYBE void gl_fill_queue(cl_uint *words, size_t capacity, const cl_uint *values, size_t count)
{
    size_t i;

    memset(words, 0, GRIDLOCK_QUEUE_WORDS(capacity) * sizeof *words);
    words[GRIDLOCK_PUSHED] = words[GRIDLOCK_OPEN] = (cl_uint)count;
    for (i = 0; i < count; ++i) {
        words[GRIDLOCK_SLOTS + 2 * i] = 1;
        words[GRIDLOCK_SLOTS + 2 * i + 1] = values[i];
    }
}

/* What is launched. */
typedef struct {
    cl_command_queue queue;
    cl_kernel kernel;
    cl_uint dimensions;
    const size_t *global, *local;
} gl_work_;

/* A buffer for the words of a grid of so many groups, or less. Returns CL_SUCCESS, or the error of a call. */
GL_MAYBE cl_int gl_make_words(cl_command_queue queue, size_t groups, cl_mem *buffer)
{
    cl_context context;
    cl_int error = clGetCommandQueueInfo(queue, CL_QUEUE_CONTEXT, sizeof context, &context, NULL);

    *buffer = NULL;
    if (error == CL_SUCCESS)
        *buffer = clCreateBuffer(context, CL_MEM_READ_WRITE, GRIDLOCK_WORDS(groups) * sizeof(cl_uint), NULL, &error);
    return error;
}

/* Launches the kernel between a write of the grid's words and a read of them, to the last mark, for which it waits. */
GL_MAYBE cl_int gl_launch_(const gl_work_ *work, cl_mem buffer, size_t groups, cl_uint *words)
{
    cl_int error = clSetKernelArg(work->kernel, 0, sizeof buffer, &buffer);

    if (error == CL_SUCCESS)
        error = clEnqueueWriteBuffer(work->queue, buffer, CL_FALSE, 0, GRIDLOCK_WORDS(groups) * sizeof *words, words, 0,
                                     NULL, NULL);
    if (error == CL_SUCCESS)
        error = clEnqueueNDRangeKernel(work->queue, work->kernel, work->dimensions, NULL, work->global, work->local, 0,
                                       NULL, NULL);
    if (error == CL_SUCCESS)
        error = clEnqueueReadBuffer(work->queue, buffer, CL_TRUE, 0, (GRIDLOCK_MARKS + groups) * sizeof *words, words,
                                    0, NULL, NULL);
    if (error != CL_SUCCESS)
        clFinish(work->queue); /* nothing may use the words any more */
    return error;
}

/*
 * The same with words that are zero but for the first four, in `buffer` or, if that is NULL, in one made here. *words
 * is what was read, or NULL, and is to be freed.
 */
GL_MAYBE cl_int gl_launch_words_(const gl_work_ *work, cl_mem buffer, size_t groups, const cl_uint head[4],
                                 cl_uint **words)
{
    cl_command_queue_properties properties = 0;
    cl_int error = clGetCommandQueueInfo(work->queue, CL_QUEUE_PROPERTIES, sizeof properties, &properties, NULL);
    cl_mem made = NULL;

    *words = NULL;
    if (error == CL_SUCCESS && (properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE) != 0)
        error = CL_INVALID_QUEUE_PROPERTIES;
    if (error != CL_SUCCESS)
        return error;
    *words = (cl_uint *)calloc(GRIDLOCK_WORDS(groups), sizeof **words);
    if (*words == NULL)
        return CL_OUT_OF_HOST_MEMORY;
    memcpy(*words, head, 4 * sizeof **words);
    if (buffer == NULL)
        error = gl_make_words(work->queue, groups, &made);
    if (error == CL_SUCCESS)
        error = gl_launch_(work, buffer != NULL ? buffer : made, groups, *words);
    if (made != NULL)
        clReleaseMemObject(made);
    return error;
}

/* How many of `groups` were on the device together: seen, so never too many; too few if others kept it busy. */
GL_MAYBE cl_int gl_count_(const gl_work_ *work, cl_uint groups, cl_uint patience, cl_uint *present)
{
    size_t global[3] = {1, 1, 1};
    cl_uint head[4] = {0, 0, 0, 0};
    gl_work_ counting = *work;
    cl_uint *words, i;
    cl_int error;

    head[GRIDLOCK_COUNTED] = groups;
    head[GRIDLOCK_PATIENCE] = patience;
    for (i = 0; i < work->dimensions; ++i)
        global[i] = work->local[i];
    global[0] *= groups;
    counting.global = global;
    error = gl_launch_words_(&counting, NULL, groups, head, &words);
    if (error == CL_SUCCESS)
        *present = words[GRIDLOCK_PRESENT];
    free(words);
    return error;
}

/* A number of everything on which the count depends: FNV-1a of 64 bits. */
GL_MAYBE uint64_t gl_hash_(uint64_t hash, const void *data, size_t size)
{
    const unsigned char *bytes = (const unsigned char *)data;
    size_t i;

    for (i = 0; i < size; ++i)
        hash = (hash ^ bytes[i]) * UINT64_C(1099511628211);
    return hash;
}

GL_MAYBE uint64_t gl_hash_device_(uint64_t hash, cl_device_id device)
{
    static const cl_device_info infos[] = {CL_DEVICE_NAME, CL_DEVICE_VENDOR, CL_DRIVER_VERSION, CL_DEVICE_VERSION,
                                           CL_DEVICE_MAX_COMPUTE_UNITS};
    char text[512];
    size_t i, size;

    for (i = 0; i < sizeof infos / sizeof *infos; ++i)
        if (clGetDeviceInfo(device, infos[i], sizeof text, text, &size) == CL_SUCCESS)
            hash = gl_hash_(hash, text, size);
    return hash;
}

/* With the program as the driver built it for its first device. */
GL_MAYBE uint64_t gl_hash_kernel_(uint64_t hash, cl_kernel kernel, cl_device_id device)
{
    char name[512];
    size_t size = 0, binary = 0;
    cl_ulong used = 0;
    cl_program program;
    cl_uint devices = 0;
    unsigned char *bytes;

    if (clGetKernelInfo(kernel, CL_KERNEL_FUNCTION_NAME, sizeof name, name, &size) == CL_SUCCESS)
        hash = gl_hash_(hash, name, size);
    if (clGetKernelWorkGroupInfo(kernel, device, CL_KERNEL_LOCAL_MEM_SIZE, sizeof used, &used, NULL) == CL_SUCCESS)
        hash = gl_hash_(hash, &used, sizeof used);
    if (clGetKernelInfo(kernel, CL_KERNEL_PROGRAM, sizeof program, &program, NULL) != CL_SUCCESS ||
        clGetProgramInfo(program, CL_PROGRAM_NUM_DEVICES, sizeof devices, &devices, NULL) != CL_SUCCESS ||
        devices != 1 ||
        clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof binary, &binary, NULL) != CL_SUCCESS || binary == 0)
        return 0;
    bytes = (unsigned char *)malloc(binary);
    if (bytes == NULL)
        return 0;
    hash = clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof bytes, &bytes, NULL) == CL_SUCCESS
               ? gl_hash_(hash, bytes, binary)
               : 0;
    free(bytes);
    return hash;
}

/* The file of a count; 0: there is none. */
GL_MAYBE int gl_cache_name_(const char *folder, cl_device_id device, const gl_work_ *work, char *name, size_t size)
{
    uint64_t hash = gl_hash_device_(UINT64_C(14695981039346656037), device);

    hash = folder == NULL ? 0 : gl_hash_kernel_(hash, work->kernel, device);
    if (hash == 0)
        return 0;
    hash = gl_hash_(hash, work->local, work->dimensions * sizeof *work->local);
    return (size_t)snprintf(name, size, "%s/resident-%08lx%08lx", folder, (unsigned long)(hash >> 32),
                            (unsigned long)(hash & 0xffffffffu)) < size;
}

GL_MAYBE cl_uint gl_cache_read_(const char *name)
{
    unsigned long groups = 0;
    FILE *file = fopen(name, "r");

    if (file == NULL)
        return 0;
    if (fscanf(file, "%lu", &groups) != 1 || groups > 0xffffffu)
        groups = 0;
    fclose(file);
    return (cl_uint)groups;
}

GL_MAYBE void gl_cache_write_(const char *name, cl_uint groups)
{
    FILE *file = fopen(name, "w");

    if (file == NULL)
        return;
    fprintf(file, "%lu\n", (unsigned long)groups);
    fclose(file);
}

/*
 * Counts by launches, in which groups only wait for more to come. A device may be slow to start them: what is seen with
 * much more patience counts, until that changes nothing. A CPU device's other threads may not have had a turn yet.
 * First by one group: a kernel that does not count runs all of itself, and has no memory for more groups than it was
 * written for.
 */
GL_MAYBE cl_int gl_count_all_(const gl_work_ *work, cl_device_id device, cl_uint *groups)
{
    cl_device_type type = CL_DEVICE_TYPE_GPU;
    cl_uint units = 1, asked, patience, seen = 0;
    cl_int error = clGetDeviceInfo(device, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof units, &units, NULL);

    if (error == CL_SUCCESS)
        error = clGetDeviceInfo(device, CL_DEVICE_TYPE, sizeof type, &type, NULL);
    const int is_cpu = (type & CL_DEVICE_TYPE_CPU) != 0;
    patience = is_cpu ? 1u << 14 : 1u << 6;
    asked = units < 1u << 10 ? units * 64 : 1u << 16;
    *groups = 0;
    if (error == CL_SUCCESS)
        error = gl_count_(work, 1, patience, &seen);
    while (error == CL_SUCCESS && seen != 0) {
        error = gl_count_(work, asked, patience, &seen);
        const int is_more = error == CL_SUCCESS && seen > *groups;
        if (is_more)
            *groups = seen;
        if (is_more && seen == asked && asked < 1u << 20)
            asked *= 2;
        else if ((is_more || (is_cpu && *groups < units)) && patience < 1u << 22)
            patience *= 16;
        else
            break;
    }
    return error;
}

/*
 * Measures how many groups of this kernel, of this local size, and with these arguments' local memory, are on the
 * device at the same time. Set all arguments but the first before, and the first again afterwards. The kernel begins
 * with GL_BEGIN, and nothing behind that runs. `cache`: as in gl_options. Returns CL_SUCCESS, or the error of a call.
 */
GL_MAYBE cl_int gl_resident_in(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions, const size_t *local,
                               const char *cache, cl_uint *groups)
{
    const gl_work_ work = {queue, kernel, dimensions, NULL, local};
    cl_device_id device;
    char name[1024];
    cl_int error = clGetCommandQueueInfo(queue, CL_QUEUE_DEVICE, sizeof device, &device, NULL);
    int kept;

    *groups = 0;
    if (error != CL_SUCCESS)
        return error;
    kept = gl_cache_name_(cache, device, &work, name, sizeof name);
    if (kept)
        *groups = gl_cache_read_(name);
    if (*groups != 0)
        return CL_SUCCESS;
    error = gl_count_all_(&work, device, groups);
    if (error == CL_SUCCESS && kept)
        gl_cache_write_(name, *groups);
    return error;
}

GL_MAYBE cl_int gl_resident(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions, const size_t *local,
                            cl_uint *groups)
{
    return gl_resident_in(queue, kernel, dimensions, local, NULL, groups);
}

/* How a group gave up, or "". */
GL_MAYBE void gl_tell_mark_(cl_uint mark, char *text, size_t size)
{
    static const char *const kinds[] = {"",
                                        "",
                                        "waited for a lock",
                                        "waited for a flag",
                                        "",
                                        "waited for a value of a queue",
                                        "waited for what another group does",
                                        "found words that were not zero when the launch began"};
    const unsigned long kind = mark >> 24, whom = mark & 0xffffff;

    if (kind == GRIDLOCK_AT_LOCK && whom != 0)
        snprintf(text, size, "waited for a lock that group %lu held", whom - 1);
    else if (kind == GRIDLOCK_AT_FLAG && whom != 0)
        snprintf(text, size, "waited for group %lu", whom - 1);
    else if (kind == GRIDLOCK_AT_TILE)
        snprintf(text, size, "waited for the sum of tile %lu", whom);
    else
        snprintf(text, size, "%s", kind < sizeof kinds / sizeof *kinds ? kinds[kind] : "");
}

GL_MAYBE void gl_add_text_(gl_report *report, const char *text)
{
    const size_t length = strlen(report->text);

    snprintf(report->text + length, sizeof report->text - length, "%s", text);
}

GL_MAYBE void gl_tell_one_(gl_report *report, const char *text, unsigned *told)
{
    if ((*told)++ != 0)
        gl_add_text_(report, "; ");
    gl_add_text_(report, text);
}

/* Of the groups that gave up elsewhere than at a barrier, those that found words not zero, or the others. */
GL_MAYBE void gl_tell_marks_(gl_report *report, const cl_uint *marks, int dirty, unsigned *told)
{
    char line[160], what[80];
    cl_uint group;

    for (group = 0; group < report->groups && *told < 4; ++group) {
        if (marks[group] >> 24 <= GRIDLOCK_AT_BARRIER || (marks[group] >> 24 == GRIDLOCK_AT_DIRTY) != dirty)
            continue;
        gl_tell_mark_(marks[group], what, sizeof what);
        snprintf(line, sizeof line, "group %lu %s", (unsigned long)group, what);
        gl_tell_one_(report, line, told);
    }
}

/* How many groups waited at a barrier, and who was missing there. */
GL_MAYBE void gl_tell_barrier_(gl_report *report, const cl_uint *marks, unsigned *told)
{
    char line[160], why[96] = "";
    cl_uint group, at_barrier = 0, absent = 0, others = 0, missing = 0;

    for (group = 0; group < report->groups; ++group) {
        at_barrier += marks[group] >> 24 == GRIDLOCK_AT_BARRIER;
        absent += marks[group] == GRIDLOCK_LATE || marks[group] == GRIDLOCK_ABSENT;
        others += marks[group] == GRIDLOCK_STARTED;
        if (marks[group] >> 24 == 0)
            missing = group;
    }
    if (at_barrier == 0)
        return;
    if (absent != 0)
        snprintf(why, sizeof why, "; %lu had not started, as group %lu: more groups than fit at once",
                 (unsigned long)absent, (unsigned long)missing);
    else if (others != 0)
        snprintf(why, sizeof why, "; %lu had started and did not come to it, as group %lu", (unsigned long)others,
                 (unsigned long)missing);
    snprintf(line, sizeof line, "%lu of %lu groups waited at a barrier%s", (unsigned long)at_barrier,
             (unsigned long)report->groups, why);
    gl_tell_one_(report, line, told);
}

/* Who gave up, for whom. Words that were not zero alone: that others wait, or came late, may follow from it. */
GL_MAYBE void gl_tell_(gl_report *report, const cl_uint *marks)
{
    unsigned told = 0;

    gl_tell_marks_(report, marks, 1, &told);
    if (told != 0)
        return;
    gl_tell_barrier_(report, marks, &told);
    gl_tell_marks_(report, marks, 0, &told);
}

GL_MAYBE gl_status gl_fail_(gl_report *report, cl_int error, const char *what)
{
    report->status = GRIDLOCK_CL_FAILED;
    report->error = error;
    snprintf(report->text, sizeof report->text, "%s failed with OpenCL's error %ld%s", what, (long)error,
             error == CL_INVALID_KERNEL_ARGS        ? ": an argument was not set"
             : error == CL_INVALID_ARG_SIZE         ? ": the first arguments are not as gl_launch_cooperative sets them"
             : error == CL_INVALID_WORK_GROUP_SIZE  ? ": the kernel or the device does not take this local size"
             : error == CL_INVALID_QUEUE_PROPERTIES ? ": the queue is out of order"
                                                    : "");
    return report->status;
}

/* A poll takes under a nanosecond on a CPU, whose threads may wait for their turn; on a GPU nearly a microsecond. */
enum { GL_FUSE_OF_CPU_ = 1 << 28, GL_FUSE_OF_GPU_ = 1 << 18 };

GL_MAYBE cl_uint gl_fuse_(cl_command_queue queue, const gl_options *options)
{
    cl_device_type type = CL_DEVICE_TYPE_CPU;
    cl_device_id device;

    if (options->fuse != 0)
        return options->fuse;
    if (clGetCommandQueueInfo(queue, CL_QUEUE_DEVICE, sizeof device, &device, NULL) == CL_SUCCESS)
        clGetDeviceInfo(device, CL_DEVICE_TYPE, sizeof type, &type, NULL);
    return (type & CL_DEVICE_TYPE_CPU) != 0 ? GL_FUSE_OF_CPU_ : GL_FUSE_OF_GPU_;
}

/* Launches once, and says in the report how it ended. */
GL_MAYBE gl_status gl_launch_once_(const gl_work_ *work, const gl_options *options, gl_report *report)
{
    cl_uint head[4] = {0, 0, 0, 0};
    cl_uint *words;
    cl_int error;

    head[GRIDLOCK_FUSE] = gl_fuse_(work->queue, options);
    error = gl_launch_words_(work, options->words, report->groups, head, &words);
    if (error != CL_SUCCESS) {
        free(words);
        return gl_fail_(report, error, "launching the kernel");
    }
    report->status = words[GRIDLOCK_STOP] == 0 ? GRIDLOCK_OK : GRIDLOCK_GAVE_UP;
    if (report->status == GRIDLOCK_GAVE_UP)
        gl_tell_(report, words + GRIDLOCK_MARKS);
    free(words);
    return report->status;
}

/* One launch for each phase: [1] and [2] of the arguments are the first phase, and the one behind the last. */
GL_MAYBE gl_status gl_launch_phases_(const gl_work_ *work, const gl_options *options, cl_uint step, gl_report *report)
{
    cl_uint phase, end;

    for (phase = 0; phase < options->phases; phase = end) {
        cl_int error = clSetKernelArg(work->kernel, 1, sizeof phase, &phase);
        end = options->phases - phase < step ? options->phases : phase + step;
        if (error == CL_SUCCESS)
            error = clSetKernelArg(work->kernel, 2, sizeof end, &end);
        if (error != CL_SUCCESS)
            return gl_fail_(report, error, "setting the phases, arguments 1 and 2");
        if (gl_launch_once_(work, options, report) != GRIDLOCK_OK)
            return report->status;
    }
    return GRIDLOCK_OK;
}

/* The number of groups; 0: the sizes are not those of groups. */
GL_MAYBE cl_uint gl_groups_(cl_uint dimensions, const size_t *global, const size_t *local)
{
    size_t groups = 1;
    cl_uint i;

    if (dimensions < 1 || dimensions > 3)
        return 0;
    for (i = 0; i < dimensions; ++i) {
        if (local[i] == 0 || global[i] == 0 || global[i] % local[i] != 0 || global[i] / local[i] > 0xffffff)
            return 0;
        groups *= global[i] / local[i];
        if (groups > 0xffffff)
            return 0;
    }
    return (cl_uint)groups;
}

/* Is the caller's buffer too small? That is said in the report. */
GL_MAYBE int gl_lacks_words_(cl_mem words, gl_report *report)
{
    size_t bytes = 0;

    if (words == NULL)
        return 0;
    if (clGetMemObjectInfo(words, CL_MEM_SIZE, sizeof bytes, &bytes, NULL) == CL_SUCCESS &&
        bytes >= GRIDLOCK_WORDS(report->groups) * sizeof(cl_uint))
        return 0;
    report->status = GRIDLOCK_BAD_SIZES;
    snprintf(report->text, sizeof report->text, "the buffer of words has %lu bytes, and %lu groups take %lu",
             (unsigned long)bytes, (unsigned long)report->groups,
             (unsigned long)(GRIDLOCK_WORDS(report->groups) * sizeof(cl_uint)));
    return 1;
}

/*
 * Launches the kernel, waits for its end, and reports. More groups than fit at once are refused: nothing is launched.
 *
 * With options->phases, of a kernel that is written in phases, it is launched once for each phase instead. Such a
 * kernel has `uint first, uint end` as its second and third argument, which are set here:
 *
 *     for (uint phase = first; phase < end; ++phase) {
 *         ...
 *         if (phase + 1 < end && !gl_barrier(&grid))
 *             return;
 *     }
 *
 * `options` may be NULL. Returns report->status.
 */
GL_MAYBE gl_status gl_launch_cooperative(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,
                                         const size_t *global, const size_t *local, const gl_options *options,
                                         gl_report *report)
{
    const gl_work_ work = {queue, kernel, dimensions, global, local};
    const cl_uint phase = 0;
    gl_options chosen;
    cl_int error = CL_SUCCESS;

    memset(&chosen, 0, sizeof chosen);
    if (options != NULL)
        chosen = *options;
    memset(report, 0, sizeof *report);
    report->groups = gl_groups_(dimensions, global, local);
    if (report->groups == 0) {
        report->status = GRIDLOCK_BAD_SIZES;
        snprintf(
            report->text, sizeof report->text,
            "expected 1 to 3 dimensions, a global size that is a multiple of the local size, and at most %lu groups",
            0xfffffful);
        return report->status;
    }
    if (gl_lacks_words_(chosen.words, report))
        return report->status;
    report->resident = chosen.resident;
    if (chosen.phases != 0) {
        error = clSetKernelArg(kernel, 1, sizeof phase, &phase);
        if (error == CL_SUCCESS)
            error = clSetKernelArg(kernel, 2, sizeof phase, &phase);
    }
    if (error == CL_SUCCESS && report->resident == 0)
        error = gl_resident_in(queue, kernel, dimensions, local, chosen.cache, &report->resident);
    if (error != CL_SUCCESS)
        return gl_fail_(report, error, "counting the groups that fit");
    if (report->groups <= report->resident && chosen.phases == 0)
        return gl_launch_once_(&work, &chosen, report);
    if (chosen.phases != 0)
        return gl_launch_phases_(&work, &chosen, report->groups <= report->resident ? chosen.phases : 1, report);
    report->status = GRIDLOCK_TOO_MANY_GROUPS;
    if (report->resident == 0)
        snprintf(report->text, sizeof report->text,
                 "no group counted itself: the kernel does not begin with GL_BEGIN of its first argument");
    else
        snprintf(report->text, sizeof report->text,
                 "%lu groups were to be launched, and %lu fit on the device at once: launch at most so many, and let "
                 "each do more",
                 (unsigned long)report->groups, (unsigned long)report->resident);
    return report->status;
}

#endif
