#include "format/devices.h"

#include "core/text.h"
#include "format/escape.h"
#include "format/text.h"

#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

enum { COLUMNS = 80 };

static const char values_margin[] = "                        ";

/* A value that fits is printed as it is; words of a longer one get further lines in its column. */
static void print_row(FILE *out, const char *label, const char *text)
{
    char first[sizeof values_margin];

    snprintf(first, sizeof first, "  %-22s", label);
    if (strlen(first) + strlen(text) > COLUMNS)
        text_clean_lines(out, first, values_margin, text);
    else
        escape_each(escape_text, out, first, text, "\n", NULL);
}

static void print_text(FILE *out, const char *label, const char *text)
{
    if (text[0] != '\0')
        print_row(out, label, text);
}

static void print_flags(FILE *out, const char *label, const struct naming *naming, uint64_t flags, bool known)
{
    char names[160];

    naming_print_set(naming, (uint32_t)flags, ", ", names, sizeof names);
    print_row(out, label, !known ? "not reported" : flags == 0 ? "none" : names);
}

static __attribute__((format(printf, 3, 4))) void print_line(FILE *out, const char *label, const char *format, ...)
{
    char text[1200];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    print_row(out, label, text);
}

static void print_info(FILE *out, const struct device_info *info)
{
    if (!device_info_is_model(info))
        fprintf(out, "%" PRIu32 ":%" PRIu32 "  ", info->platform_index, info->device_index);
    escape_each(escape_text, out, "", DEVICE_LABEL_OF(info), "\n", NULL);
    print_text(out, "platform", info->platform);
    print_text(out, "driver", info->driver_version);
    print_text(out, "OpenCL", info->device_version);
    print_text(out, "OpenCL C", info->c_version);
    print_text(out, "uuid", info->uuid);
    print_text(out, "pci", info->pci);
    print_line(out, "kind", "%s, %" PRIu32 " compute unit%s", device_kind_name(info->kind), info->compute_units,
               text_s(info->compute_units));
    print_line(out, "work-group", "at most %" PRIu64 " work-items, %" PRIu64 " bytes of local memory",
               info->max_local_size, info->local_memory_bytes);
    print_flags(out, "atomics", &atomics_naming, info->atomic_memory, info->atomics_known);
    print_flags(out, "fences", &atomics_naming, info->atomic_fence, info->atomics_known);
    print_row(out, "64-bit atomics", info->atomics_64 ? "yes" : "no");
    print_flags(out, "shared virtual memory", &svm_naming, info->svm, true);
    print_row(out, "subgroup progress",
              !info->subgroup_progress_known ? "not reported"
              : info->subgroup_progress      ? "promised to be independent"
                                             : "not promised");
    print_text(out, "extensions", info->extensions);
}

static void print_dialects(FILE *out, const struct device_probe *probe)
{
    for (enum dialect dialect = DIALECT_CL30; dialect <= DIALECT_PTX; ++dialect) {
        const char *log = probe->dialect_works[dialect] ? "" : probe->dialect_log[dialect];
        print_line(out, dialect == DIALECT_CL30 ? "dialects, probed" : "", "%s %s%s%s", dialect_name(dialect),
                   probe->dialect_works[dialect] ? "works" : "does not work", log[0] != '\0' ? ": " : "", log);
    }
}

static void print_left_out(FILE *out, const struct device_probe *probe)
{
    char text[OPTIONAL_DESCRIBED];

    optional_describe(probe->left_out, text, sizeof text);
    if (text[0] != '\0')
        print_line(out, "left out, probed", "%s: the driver died of it", text);
}

static void print_probe(FILE *out, const struct device_probe *probe)
{
    print_dialects(out, probe);
    char text[160];
    snprintf(text, sizeof text, "%s", channel_name(probe->channel));
    if (probe->channel == CHANNEL_SHARED)
        text_append(text, sizeof text, " (%s)", probe->memory == MEMORY_SVM ? "fine-grain SVM" : "mapped buffer");
    if (probe->channel == CHANNEL_PROOF)
        text_append(text, sizeof text, ": the device says when nothing can change any more");
    else if (probe->channel != CHANNEL_NONE)
        text_append(text, sizeof text, ", read in %.3f ms, stops in %.3f ms", (double)probe->read_latency_ns / 1e6,
                    (double)probe->stop_latency_ns / 1e6);
    print_row(out, "channel, probed", text);
    if (probe->loops_cut_at != 0)
        print_line(out, "loops, probed", "cut after %" PRIu64 " iterations while the condition is still true",
                   probe->loops_cut_at);
    else if (probe->loops_tried != 0)
        print_line(out, "loops, probed", "not cut within %" PRIu64 " iterations", probe->loops_tried);
    else
        print_row(out, "loops, probed", "not measured");
    print_left_out(out, probe);
}

void devices_text(FILE *out, const struct devices_report *report)
{
    for (size_t i = 0; i < report->count; ++i) {
        const struct devices_entry *entry = &report->entries[i];
        if (i > 0)
            fputc('\n', out);
        print_info(out, &entry->info);
        if (entry->probed)
            print_probe(out, &entry->probe);
        print_text(out, "probe failed", entry->failure);
    }
    if (report->empty_platforms[0] != '\0') {
        fputs(report->count > 0 ? "\n" : "", out);
        text_clean_lines(out, "", "  ", report->empty_platforms);
    }
    for (size_t i = 0; i < report->icd_count; ++i) {
        char text[sizeof report->icds->file + sizeof report->icds->reason + 2];
        snprintf(text, sizeof text, "%s: %s", report->icds[i].file, report->icds[i].reason);
        fputs(i == 0 && report->count > 0 ? "\n" : "", out);
        text_clean_lines(out, "not loaded: ", "  ", text);
    }
}
