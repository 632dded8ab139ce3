#include "format/kind.h"

#include <stdlib.h>

/* --- what is said of a device, or of the run --- */

static void say_wedged(FILE *out, const struct report_case *found)
{
    (void)found;
    fputs("the device stopped working; the rest was not run", out);
}

static void say_shard(FILE *out, const struct report_case *found)
{
    extent_print_shard(out, found->report, found->extent);
}

static void say_left(FILE *out, const struct report_case *found)
{
    extent_print_left(out, found->report, found->extent);
}

static void say_devices(FILE *out, const struct report_case *found)
{
    extent_print_devices(out, found->report);
}

static void take_aside(struct report_case *found, const char *name, const char *type,
                       void (*message)(FILE *out, const struct report_case *found), case_taker *take, void *context)
{
    snprintf(found->name, sizeof found->name, "%s", name);
    found->type = type;
    found->message = message;
    take(context, found);
}

size_t report_suite_count(const struct report *report)
{
    const size_t count = report_device_count(report);
    return count == 0 && report_devices_left(report) > 0 ? 1 : count;
}

const struct store_device *report_suite_device(const struct report *report, size_t suite)
{
    static const struct store_device none = {.info = {.name = "no device"}};
    const struct store_device *device = report_device(report, suite);
    return device != NULL ? device : &none;
}

void report_each_case(const struct report *report, size_t device, case_taker *take, void *context)
{
    struct extent extent;
    struct report_case found = {.suite = "gridlock", .of_device = true, .report = report, .extent = &extent};

    if (report_device(report, device) == NULL) {
        found.result = RESULT_ERROR;
        take_aside(&found, "devices", verdict_name(VERDICT_NOT_RUN), say_devices, take, context);
        return;
    }
    report_parts(report)->each_case(report, device, take, context);
    report_extent(report, device, &extent);
    if (extent.shards != 0)
        take_aside(&found, "shard", "shard", say_shard, take, context);
    found.result = RESULT_ERROR;
    if (report_device(report, device)->wedged)
        take_aside(&found, "device", verdict_name(VERDICT_WEDGED), say_wedged, take, context);
    else if (!extent.ended)
        take_aside(&found, "run", verdict_name(VERDICT_NOT_RUN), say_left, take, context);
    if (report_devices_left(report) > 0 && report_device(report, device + 1) == NULL)
        take_aside(&found, "devices", verdict_name(VERDICT_NOT_RUN), say_devices, take, context);
}

char *report_case_message(const struct report_case *found)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);

    if (out == NULL)
        return NULL;
    found->message(out, found);
    return fclose(out) == 0 ? text : NULL;
}

void report_case_write(FILE *out, const struct report_case *found, void (*escape)(FILE *out, const char *text),
                       bool *failed)
{
    char *message = report_case_message(found);

    if (message != NULL)
        escape(out, message);
    *failed = *failed || message == NULL;
    free(message);
}
