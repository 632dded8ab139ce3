#include "engine/subjects.h"

#include "base/alloc.h"
#include "core/text.h"
#include "engine/hint.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Work-items at which a kernel is measured if nothing else is said. */
static const uint32_t ladder[] = {64, 256, 1024};

struct planning {
    const struct subject_request *request;
    const struct device_info *device;
    struct footprint *footprints;
    size_t count;
    bool kernels_seen[SUBJECT_NAMES];
    bool locals_seen[SUBJECT_GIVEN_LOCALS];
    bool lacks_file; /* one does not build: what is asked for may be there */
    char names[256]; /* of the kernels that there are, for messages */
};

static void append(struct planning *planning, const struct subject *subject)
{
    GROW(planning->footprints, planning->count);
    planning->footprints[planning->count++] =
        (struct footprint){.local_size = (uint32_t)nd_range_local_size(&subject->shape), .subject = *subject};
}

/* --- local arguments --- */

/* The argument's place among the local ones, or -1. */
static int find_local(const struct subject_kernel_info *kernel, const char *argument)
{
    char *end;
    const unsigned long number = strtoul(argument, &end, 10);

    for (uint32_t i = 0; i < kernel->local_count; ++i)
        if (*end == '\0' ? kernel->locals[i].argument == number : strcmp(kernel->locals[i].name, argument) == 0)
            return (int)i;
    return -1;
}

static int refuse_local(const struct given_local *given, const struct subject_kernel_info *kernel, struct error *error)
{
    char names[200] = "";

    for (uint32_t i = 0; i < kernel->local_count; ++i)
        text_list(names, sizeof names, ", ", "%" PRIu32 " (%.40s)", kernel->locals[i].argument, kernel->locals[i].name);
    return error_set(error, STATUS_USAGE, "--arg %s: kernel '%s' has no such local argument%s%s", given->text,
                     kernel->name, names[0] != '\0' ? "; it has " : "; it has none", names);
}

/*
 * The sizes that hold for the kernel: what is given for it alone goes before what is given for all, then what comes
 * last.
 */
static int take_locals(struct planning *planning, const struct subject_kernel_info *kernel, struct subject *subject,
                       struct error *error)
{
    const struct given_local *taken[SUBJECT_LOCALS] = {NULL};

    for (size_t i = 0; i < planning->request->local_count; ++i) {
        const struct given_local *given = &planning->request->locals[i];
        const bool named = strcmp(given->kernel, kernel->name) == 0;
        const int at = find_local(kernel, given->argument);
        if (given->kernel[0] != '\0' && !named)
            continue;
        if (at < 0 && named)
            return refuse_local(given, kernel, error);
        if (at < 0)
            continue;
        planning->locals_seen[i] = true;
        if (taken[at] == NULL || named || taken[at]->kernel[0] == '\0')
            taken[at] = given;
    }
    for (uint32_t i = 0; i < kernel->local_count; ++i)
        if (taken[i] != NULL)
            text_list(subject->locals, sizeof subject->locals, ",", "%" PRIu32 "=%" PRIu64, kernel->locals[i].argument,
                      taken[i]->bytes);
    return 0;
}

/* --- sizes --- */

static struct nd_range shape_of(const uint32_t local[3])
{
    struct nd_range shape = {.dimensions = local[2] > 1 ? 3 : local[1] > 1 ? 2 : 1, .local = {1, 1, 1}};
    memcpy(shape.local, local, sizeof shape.local);
    return shape;
}

static void append_ladder(struct planning *planning, const struct subject_kernel_info *kernel, struct subject *subject)
{
    const uint64_t device_most = planning->device->max_local_size;
    const uint64_t most =
        kernel->most_items != 0 && kernel->most_items < device_most ? kernel->most_items : device_most;

    for (size_t i = 0; i < (kernel->refused ? 1 : sizeof ladder / sizeof *ladder); ++i) {
        const uint64_t size = ladder[i] <= most ? ladder[i] : i == 0 ? most : 0;
        subject->shape = shape_of((uint32_t[3]){(uint32_t)size, 1, 1});
        if (size != 0)
            append(planning, subject);
    }
}

static int append_kernel(struct planning *planning, const struct subject_kernel_info *kernel, struct subject *subject,
                         struct error *error)
{
    const struct subject_request *request = planning->request;

    snprintf(subject->kernel, sizeof subject->kernel, "%s", kernel->name);
    subject->locals[0] = '\0';
    if (take_locals(planning, kernel, subject, error) != 0)
        return -1;
    if (kernel->required[0] != 0) {
        subject->shape = shape_of(kernel->required);
        append(planning, subject);
        return 0;
    }
    if (request->size_count == 0)
        append_ladder(planning, kernel, subject);
    for (size_t i = 0; i < (kernel->refused ? 1 : request->size_count); ++i) {
        subject->shape = request->sizes[i];
        append(planning, subject);
    }
    return 0;
}

/* --- files --- */

/* All are wanted, or this one is named. */
static bool is_wanted(struct planning *planning, const char *name)
{
    bool wanted = planning->request->kernel_count == 0;

    for (size_t i = 0; i < planning->request->kernel_count; ++i)
        if (strcmp(planning->request->kernels[i], name) == 0)
            wanted = planning->kernels_seen[i] = true;
    return wanted;
}

static int append_file(struct planning *planning, const struct remote_kernels *found, struct subject *subject,
                       struct error *error)
{
    for (size_t i = 0; i < found->count; ++i) {
        const struct subject_kernel_info *kernel = &found->kernels[i];
        text_list(planning->names, sizeof planning->names, ", ", "%s", kernel->name);
        if (is_wanted(planning, kernel->name) && append_kernel(planning, kernel, subject, error) != 0)
            return -1;
    }
    return 0;
}

static void tell(const struct subject_request *request, const struct executor *executor, const struct subject *subject,
                 const char *log)
{
    char hint[HINT_BYTES];

    hint_find(request, executor, subject, log, hint);
    request->log(subject->file, log, hint);
}

static int plan_file(struct planning *planning, const struct executor *executor, const char *file, struct error *error)
{
    const struct subject_request *request = planning->request;
    struct subject subject = {.shape = {.dimensions = 1, .local = {1, 1, 1}}, .wanted = request->wanted};
    struct remote_kernels found;

    snprintf(subject.file, sizeof subject.file, "%s", file);
    snprintf(subject.options, sizeof subject.options, "%s", request->options);
    int outcome = executor->operations->kernels(executor->self, &subject, &found, error);
    if (outcome == 0) {
        if (found.count == 0 && request->file_count > 1 && request->log != NULL)
            request->log(file, NULL, "");
        outcome = append_file(planning, &found, &subject, error);
    } else if (error->status == STATUS_SURPRISE) {
        /* The driver does not build it, or died of it: its one trial shows that. */
        planning->lacks_file = true;
        if (request->log != NULL && found.log != NULL)
            tell(request, executor, &subject, found.log);
        append(planning, &subject);
        outcome = 0;
    }
    remote_kernels_fini(&found);
    return outcome;
}

static int check_sizes(const struct subject_request *request, const struct device_info *device, struct error *error)
{
    for (size_t i = 0; i < request->size_count; ++i) {
        char shape[SHAPE_BYTES];
        if (nd_range_local_size(&request->sizes[i]) <= device->max_local_size)
            continue;
        nd_range_print_shape(&request->sizes[i], shape);
        return error_set(error, STATUS_USAGE, "--local-size %s: %s allows 1 to %" PRIu64 " work-items", shape,
                         DEVICE_LABEL_OF(device), device->max_local_size);
    }
    return 0;
}

static int check_seen(const struct planning *planning, struct error *error)
{
    const struct subject_request *request = planning->request;

    if (planning->lacks_file)
        return 0;
    if (planning->count == 0 && planning->names[0] == '\0')
        return error_set(error, STATUS_USAGE, "there is no kernel in %s%s" SUBJECTS_NO_KERNEL, request->files[0],
                         request->file_count > 1 ? " and the other files" : "");
    for (size_t i = 0; i < request->kernel_count; ++i)
        if (!planning->kernels_seen[i])
            return error_set(error, STATUS_USAGE, "no kernel '%s' in %s%s (there are %s)", request->kernels[i],
                             request->files[0], request->file_count > 1 ? " and the other files" : "",
                             planning->names[0] != '\0' ? planning->names : "none");
    for (size_t i = 0; i < request->local_count; ++i)
        if (!planning->locals_seen[i])
            return error_set(error, STATUS_USAGE, "--arg %s: no kernel that is measured has such a local argument",
                             request->locals[i].text);
    return 0;
}

int subjects_plan(const struct subject_request *request, const struct executor *executor,
                  const struct device_info *device, struct footprint **footprints, size_t *count, struct error *error)
{
    struct planning planning = {.request = request, .device = device};
    int outcome = check_sizes(request, device, error);

    for (size_t i = 0; outcome == 0 && i < request->file_count; ++i)
        outcome = plan_file(&planning, executor, request->files[i], error);
    if (outcome == 0)
        outcome = check_seen(&planning, error);
    if (outcome != 0) {
        free(planning.footprints);
        return -1;
    }
    *footprints = planning.footprints;
    *count = planning.count;
    return 0;
}
