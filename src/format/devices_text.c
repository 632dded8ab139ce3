#include "format/devices.h"
#include "format/escape.h"
#include "format/text.h"

#include <inttypes.h>

static void print_label(FILE *out, const char *label)
{
    fprintf(out, "  %-22s", label);
}

static void print_text(FILE *out, const char *label, const char *text)
{
    if (text[0] == '\0')
        return;
    print_label(out, label);
    escape_each(escape_text, out, "", text, "\n", NULL);
}

static void print_flags(FILE *out, const char *label, const struct naming *naming, uint64_t flags, bool known)
{
    char names[160];

    naming_print_set(naming, (uint32_t)flags, ", ", names, sizeof names);
    print_label(out, label);
    fprintf(out, "%s\n", !known ? "not reported" : flags == 0 ? "none" : names);
}

static void print_info(FILE *out, const struct device_info *info)
{
    fprintf(out, "%" PRIu32 ":%" PRIu32 "  ", info->platform_index, info->device_index);
    escape_each(escape_text, out, "", DEVICE_LABEL_OF(info), "\n", NULL);
    print_text(out, "platform", info->platform);
    print_text(out, "driver", info->driver_version);
    print_text(out, "OpenCL", info->device_version);
    print_text(out, "OpenCL C", info->c_version);
    print_text(out, "uuid", info->uuid);
    print_text(out, "pci", info->pci);
    print_label(out, "kind");
    fprintf(out, "%s, %" PRIu32 " compute units\n", device_kind_name(info->kind), info->compute_units);
    print_label(out, "work-group");
    fprintf(out, "at most %" PRIu64 " work-items, %" PRIu64 " bytes of local memory\n", info->max_local_size,
            info->local_memory_bytes);
    print_flags(out, "atomics", &atomics_naming, info->atomic_memory, info->atomics_known);
    print_flags(out, "fences", &atomics_naming, info->atomic_fence, info->atomics_known);
    print_label(out, "64-bit atomics");
    fprintf(out, "%s\n", info->atomics_64 ? "yes" : "no");
    print_flags(out, "shared virtual memory", &svm_naming, info->svm, true);
    print_label(out, "subgroup progress");
    fprintf(out, "%s\n",
            !info->subgroup_progress_known ? "not reported"
            : info->subgroup_progress      ? "promised to be independent"
                                           : "not promised");
    print_text(out, "extensions", info->extensions);
}

static void print_dialects(FILE *out, const struct device_probe *probe)
{
    for (enum dialect dialect = DIALECT_CL30; dialect <= DIALECT_PTX; ++dialect) {
        print_label(out, dialect == DIALECT_CL30 ? "dialects, probed" : "");
        fprintf(out, "%s %s", dialect_name(dialect), probe->dialect_works[dialect] ? "works" : "does not work");
        if (!probe->dialect_works[dialect] && probe->dialect_log[dialect][0] != '\0') {
            escape_each(escape_text, out, ": ", probe->dialect_log[dialect], NULL);
        }
        fputc('\n', out);
    }
}

static void print_probe(FILE *out, const struct device_probe *probe)
{
    print_dialects(out, probe);
    print_label(out, "channel, probed");
    fputs(channel_name(probe->channel), out);
    if (probe->channel == CHANNEL_SHARED)
        fprintf(out, " (%s)", probe->memory == MEMORY_SVM ? "fine-grain SVM" : "mapped buffer");
    if (probe->channel != CHANNEL_NONE)
        fprintf(out, ", read in %.3f ms, stops in %.3f ms", (double)probe->read_latency_ns / 1e6,
                (double)probe->stop_latency_ns / 1e6);
    fputc('\n', out);
    print_label(out, "loops, probed");
    if (probe->loops_cut_at != 0)
        fprintf(out, "cut after %" PRIu64 " iterations while the condition is still true\n", probe->loops_cut_at);
    else if (probe->loops_tried != 0)
        fprintf(out, "not cut within %" PRIu64 " iterations\n", probe->loops_tried);
    else
        fputs("not measured\n", out);
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
        text_clean(out, report->empty_platforms);
        fputc('\n', out);
    }
    for (size_t i = 0; i < report->icd_count; ++i) {
        fputs(i == 0 && report->count > 0 ? "\nnot loaded: " : "not loaded: ", out);
        escape_each(escape_text, out, "", report->icds[i].file, ": ", report->icds[i].reason, "\n", NULL);
    }
}
