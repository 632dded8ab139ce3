#include "driver/model.h"
#include "driver/objects.h"

#include "base/alloc.h"
#include "model/machine.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { USUAL_ITEMS = 64 };

/* A launch that is enqueued: what it needs is its own, whatever becomes of the kernel. */
struct work {
    cl_kernel kernel; /* retained */
    struct argument *arguments;
    struct machine_launch launch;
};

/* --- the launch --- */

/* Memory that several arguments have is one region, which can be written if one of them may. */
static void add_region(struct machine_region *regions, size_t *count, const struct argument *argument, bool read_only)
{
    for (size_t i = 0; i < *count; ++i)
        if (regions[i].base == argument->buffer->bytes) {
            regions[i].read_only = regions[i].read_only && read_only;
            if (regions[i].bytes < argument->buffer->size)
                regions[i].bytes = argument->buffer->size;
            return;
        }
    regions[(*count)++] = (struct machine_region){.base = argument->buffer->bytes,
                                                  .bytes = argument->buffer->size,
                                                  .read_only = read_only,
                                                  .written = argument->buffer->written};
}

static void describe(const struct work *work, const void **values, size_t *locals, struct machine_region *regions,
                     struct machine_launch *launch)
{
    const struct gl_kernel *made = work->kernel->made;

    *launch = work->launch;
    launch->arguments = values;
    launch->local_bytes = locals;
    launch->regions = regions;
    for (unsigned i = 0; i < made->argument_count; ++i) {
        const struct argument *argument = &work->arguments[i];
        const unsigned kind = made->arguments[i].kind;
        locals[i] = argument->local_bytes;
        values[i] = kind == GL_ARGUMENT_LOCAL ? NULL : argument->value != NULL ? argument->value : &argument->pointer;
        if (argument->buffer != NULL)
            add_region(regions, &launch->region_count, argument,
                       kind == GL_ARGUMENT_CONSTANT || (argument->buffer->flags & CL_MEM_READ_ONLY) != 0);
    }
}

/* Of the last launch, if a fault ended it; written with the machine's lock. */
static char fault[MODEL_LINE + sizeof ": " + sizeof((struct machine_report *)0)->fault];

const char *model_fault(void)
{
    return fault;
}

/* The turns of the last launch, and where they ended; written with the machine's lock, too. */
static struct schedule schedule;
static const void *stops[MACHINE_STOPS][MACHINE_FRAMES];

const struct schedule *model_schedule(void)
{
    return &schedule;
}

void model_stops(cl_kernel kernel, char text[SCHEDULE_STOPS_TEXT])
{
    static char lines[MACHINE_STOPS][MODEL_LINE];
    const struct schedule told = schedule_until_still(&schedule);
    const uint32_t end = schedule_cuts(&told);
    size_t used = 0;

    text[0] = '\0';
    if (end == 0)
        return;
    model_lines(&kernel->program->built, &stops[0][0], MACHINE_FRAMES, MACHINE_STOPS, lines);
    for (uint32_t i = end < SCHEDULE_TOLD ? 0 : end - SCHEDULE_TOLD; i < end && used < SCHEDULE_STOPS_TEXT; ++i)
        used += (size_t)snprintf(text + used, SCHEDULE_STOPS_TEXT - used, "%s\n", lines[i % MACHINE_STOPS]);
}

static void keep_schedule(const struct machine_report *report)
{
    schedule = report->schedule;
    memcpy(stops, report->stops, sizeof stops);
}

/* Also on stderr, which the supervisor shows of a driver that dies. */
static void tell_fault(const struct machine_report *report, const struct model_program *program)
{
    char line[MODEL_LINE];

    model_lines(program, report->frames, MACHINE_FRAMES, 1, &line);
    snprintf(fault, sizeof fault, "%s%s%s", line, line[0] != '\0' ? ": " : "", report->fault);
    fprintf(stderr, "%s\n", fault);
}

/* Of launches that are explored. */
static const struct explore_bounds *explore_bounds;
static struct explored *explored;

void model_explore(const struct explore_bounds *bounds, struct explored *into)
{
    explore_bounds = bounds;
    explored = into;
}

void model_explored_lines(cl_kernel kernel, const struct explored *of, char (*lines)[MODEL_LINE], char *fault_line)
{
    if (of->site_count > 0)
        model_lines(&kernel->program->built, &of->frames[0][0], MACHINE_FRAMES, of->site_count, lines);
    *fault_line = '\0';
    if (of->fault[0] != '\0')
        model_lines(&kernel->program->built, of->fault_frames, MACHINE_FRAMES, 1, (char(*)[MODEL_LINE])fault_line);
}

static cl_int status_of(const struct machine_report *report)
{
    switch (report->end) {
    case MACHINE_ENDED:
    case MACHINE_ABANDONED:
        return CL_SUCCESS;
    case MACHINE_STOOD:
        return MODEL_STOOD;
    case MACHINE_SPENT:
        return MODEL_SPENT;
    case MACHINE_FAULT:
        break;
    }
    return CL_OUT_OF_RESOURCES;
}

/* There is one machine. */
static cl_int run(void *asked)
{
    static pthread_mutex_t machine = PTHREAD_MUTEX_INITIALIZER;
    const struct work *work = asked;
    const size_t room = work->kernel->made->argument_count + 1;
    const void **values = xcalloc(room, sizeof *values);
    size_t *locals = xcalloc(room, sizeof *locals);
    struct machine_region *regions = xcalloc(room, sizeof *regions);
    struct machine_launch launch;
    struct machine_report report;
    struct error error;

    describe(work, values, locals, regions, &launch);
    pthread_mutex_lock(&machine);
    fault[0] = '\0';
    schedule_fini(&schedule);
    const bool explores = explored != NULL;
    const int outcome =
        explores ? explore(&launch, explore_bounds, explored, &error) : machine_run(&launch, &report, &error);
    if (outcome == 0 && !explores)
        keep_schedule(&report);
    pthread_mutex_unlock(&machine);
    free(values);
    free(locals);
    free(regions);
    if (outcome == 0 && explores)
        return CL_SUCCESS;
    if (outcome == 0 && report.end == MACHINE_FAULT)
        tell_fault(&report, &work->kernel->program->built);
    if (outcome == 0)
        return status_of(&report);
    fprintf(stderr, "%s\n", error.text);
    return MODEL_REFUSED;
}

static void end(void *asked)
{
    struct work *work = asked;

    arguments_free(work->arguments, work->kernel->made->argument_count);
    kernel_release(work->kernel);
    free(work);
}

/* --- what may be launched --- */

static cl_int check_arguments(const struct _cl_kernel *kernel)
{

    for (unsigned i = 0; i < kernel->made->argument_count; ++i) {
        if (!kernel->arguments[i].is_set)
            return CL_INVALID_KERNEL_ARGS;
        if (kernel->arguments[i].local_bytes > model_device.local_bytes)
            return CL_OUT_OF_RESOURCES;
    }
    return kernel_local_bytes(kernel) <= model_device.local_bytes ? CL_SUCCESS : CL_OUT_OF_RESOURCES;
}

/* Of the first dimension as much as divides it; 1 of the others. */
static void choose_local(struct machine_launch *launch)
{
    launch->local[0] = USUAL_ITEMS;
    while (launch->global[0] % launch->local[0] != 0)
        --launch->local[0];
    launch->local[1] = launch->local[2] = 1;
}

static cl_int take_local(const struct gl_kernel *kernel, const size_t *local, struct machine_launch *launch)
{
    size_t items = 1;

    if (local == NULL && kernel->required[0] != 0)
        return CL_INVALID_WORK_GROUP_SIZE;
    if (local == NULL) {
        choose_local(launch);
        return CL_SUCCESS;
    }
    for (uint32_t i = 0; i < MODEL_DIMENSIONS; ++i) {
        launch->local[i] = i < launch->dimensions ? local[i] : 1;
        if (launch->local[i] > model_device.group_items)
            return CL_INVALID_WORK_ITEM_SIZE;
        if (launch->local[i] == 0 || launch->global[i] % launch->local[i] != 0 ||
            (kernel->required[0] != 0 && kernel->required[i] != launch->local[i]))
            return CL_INVALID_WORK_GROUP_SIZE;
        items *= launch->local[i];
    }
    return items <= model_device.group_items ? CL_SUCCESS : CL_INVALID_WORK_GROUP_SIZE;
}

/* Its groups, and their numbers, are counted in 32 bits. */
static cl_int check_groups(const struct machine_launch *launch)
{
    uint64_t groups = 1;

    for (uint32_t i = 0; i < MODEL_DIMENSIONS; ++i) {
        const uint64_t count = launch->global[i] / launch->local[i];
        if (count > UINT32_MAX || groups * count > UINT32_MAX)
            return CL_OUT_OF_RESOURCES;
        groups *= count;
    }
    return CL_SUCCESS;
}

static cl_int take_range(const size_t *offset, const size_t *global, struct machine_launch *launch)
{
    for (uint32_t i = 0; i < MODEL_DIMENSIONS; ++i) {
        const bool given = i < launch->dimensions;
        launch->global[i] = !given ? 1 : global != NULL ? global[i] : 0;
        launch->offset[i] = given && offset != NULL ? offset[i] : 0;
        if (launch->offset[i] > SIZE_MAX - launch->global[i])
            return CL_INVALID_GLOBAL_OFFSET;
    }
    return CL_SUCCESS;
}

/* A device that is like another one has as many places as that had for what the groups of this launch occupy. */
static cl_int take_places(const struct _cl_kernel *kernel, struct machine_launch *launch)
{
    const struct holdings *holdings = &model_device.holdings;
    const struct holdings_row asked = {.local_size = (uint32_t)(launch->local[0] * launch->local[1] * launch->local[2]),
                                       .private_bytes = (uint32_t)kernel->made->array_bytes,
                                       .local_memory_bytes = kernel_local_bytes(kernel)};

    if (holdings->count == 0)
        return CL_SUCCESS;
    launch->device.resident = holdings_find_kernel(holdings, kernel->made->name, asked.local_size);
    if (launch->device.resident == 0)
        launch->device.resident = holdings_find(holdings, &asked);
    if (launch->device.resident > 0)
        return CL_SUCCESS;
    snprintf(fault, sizeof fault,
             "no group was measured on %.80s that occupies as much as one of this kernel: %" PRIu32
             " work-items, %" PRIu64 " bytes of local memory, and %" PRIu32 " of private arrays each",
             model_device.model.like, asked.local_size, asked.local_memory_bytes, asked.private_bytes);
    return CL_OUT_OF_RESOURCES;
}

cl_int model_clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions, const size_t *offset,
                                    const size_t *global, const size_t *local, cl_uint wait_count,
                                    const cl_event *wait_list, cl_event *event)
{
    struct machine_launch launch = {.dimensions = dimensions, .device = model_device.model};
    cl_int code;

    if (!object_is(queue, OBJECT_QUEUE))
        return CL_INVALID_COMMAND_QUEUE;
    if (!object_is(kernel, OBJECT_KERNEL))
        return CL_INVALID_KERNEL;
    if (kernel->program->context != queue->context)
        return CL_INVALID_CONTEXT;
    if (dimensions < 1 || dimensions > MODEL_DIMENSIONS)
        return CL_INVALID_WORK_DIMENSION;
    if ((code = check_arguments(kernel)) != CL_SUCCESS || (code = take_range(offset, global, &launch)) != CL_SUCCESS ||
        (code = take_local(kernel->made, local, &launch)) != CL_SUCCESS ||
        (code = check_groups(&launch)) != CL_SUCCESS || (code = take_places(kernel, &launch)) != CL_SUCCESS)
        return code;
    struct work *work = xcalloc(1, sizeof *work);
    launch.image = kernel->program->built.image;
    launch.kernel = kernel->made;
    *work = (struct work){kernel, xcalloc(kernel->made->argument_count + 1, sizeof *work->arguments), launch};
    arguments_copy(kernel->arguments, kernel->made, work->arguments);
    object_retain(kernel);
    return command_enqueue(queue, &(struct command){CL_COMMAND_NDRANGE_KERNEL, run, end, work}, WAITS, false, event);
}
