#include "format/kind.h"

#include "base/alloc.h"

#include <stdlib.h>

static void say_note(FILE *out, const struct report_case *found)
{
    switch (found->note) {
    case NOTE_SHARD:
        extent_print_shard(out, found->report, found->extent);
        break;
    case NOTE_WEDGED:
        fputs("the device stopped working; the rest was not run", out);
        break;
    case NOTE_LEFT:
        extent_print_left(out, found->report, found->extent);
        break;
    case NOTE_DEVICES:
        extent_print_devices(out, found->report);
        break;
    case NOTE_ASSERTED:
        fputs(found->asserted->said, out);
        break;
    case NOTE_NONE:
        break;
    }
}

static void take_asserted(const struct report *report, size_t device, case_taker *take, void *context)
{
    for (size_t i = 0; i < report->asserted_count; ++i) {
        const struct store_asserted *asserted = &report->asserted[i];
        struct report_case found = {
            .suite = asserted->kind,
            .result = !asserted->decided ? RESULT_UNKNOWN
                      : asserted->failed ? RESULT_FAIL
                                         : RESULT_PASS,
            .type = !asserted->decided ? "undecided"
                    : asserted->failed ? "not-as-asserted"
                                       : "as-asserted",
            .note = NOTE_ASSERTED,
            .aside = true,
            .asserted = asserted,
            .message = say_note,
        };
        if (asserted->device != report_device(report, device)->id)
            continue;
        snprintf(found.name, sizeof found.name, "%s", asserted->name);
        take(context, &found);
    }
}

static void take_note(const struct report *report, const struct extent *extent, enum report_note note, case_taker *take,
                      void *context)
{
    static const char *const names[] = {
        [NOTE_SHARD] = "shard", [NOTE_WEDGED] = "device", [NOTE_LEFT] = "run", [NOTE_DEVICES] = "devices"};
    const enum verdict verdict = note == NOTE_WEDGED ? VERDICT_WEDGED : VERDICT_NOT_RUN;
    struct report_case found = {
        .suite = "gridlock",
        .result = note == NOTE_SHARD ? RESULT_PASS : RESULT_ERROR,
        .type = note == NOTE_SHARD ? "shard" : verdict_name(verdict),
        .note = note,
        .report = report,
        .extent = extent,
        .message = say_note,
    };

    snprintf(found.name, sizeof found.name, "%s", names[note]);
    take(context, &found);
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
    if (report_device(report, device) != NULL && !report->only_asserted)
        report_parts(report)->each_case(report, device, take, context);
    if (report_device(report, device) != NULL)
        take_asserted(report, device, take, context);
    report_each_note(report, device, take, context);
}

void report_each_note(const struct report *report, size_t device, case_taker *take, void *context)
{
    const struct store_device *stored = report_device(report, device);
    struct extent extent = {.ended = true};

    if (stored != NULL)
        report_extent(report, device, &extent);
    if (extent.shards != 0)
        take_note(report, &extent, NOTE_SHARD, take, context);
    if (stored != NULL && stored->wedged)
        take_note(report, &extent, NOTE_WEDGED, take, context);
    else if (!extent.ended)
        take_note(report, &extent, NOTE_LEFT, take, context);
    if (report_devices_left(report) > 0 && report_device(report, device + 1) == NULL)
        take_note(report, &extent, NOTE_DEVICES, take, context);
}

char *report_case_message(const struct report_case *found)
{
    char *text = NULL;
    FILE *out = xopen_memstream(&text, NULL);

    found->message(out, found);
    return xclose_memstream(out, &text);
}

void report_case_write(FILE *out, const struct report_case *found, escaper *escape)
{
    char *message = report_case_message(found);

    escape(out, message);
    free(message);
}
