/* For the textfile collector of Prometheus' node exporter. All samples of a metric stand together. */
#include "format/escape.h"
#include "format/format.h"
#include "format/kind.h"

void prometheus_head(FILE *out, const char *name, const char *type, const char *help)
{
    fprintf(out, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, type);
}

void prometheus_label(FILE *out, const char *name, const char *value)
{
    fprintf(out, "%s=\"", name);
    escape_each(escape_label, out, "", value, "\"", NULL);
}

void prometheus_begin(FILE *out, const struct report *report, size_t device, const char *name)
{
    const struct device_info *info = &report_device(report, device)->info;

    fprintf(out, "%s{", name);
    prometheus_label(out, "device", info->name);
    fputc(',', out);
    prometheus_label(out, "platform", info->platform);
    fputc(',', out);
    prometheus_label(out, "driver", info->driver_version);
    fprintf(out, ",ordinal=\"%" PRIu32 "\"", info->number == 0 ? 0 : info->number - 1);
    if (info->number == 0)
        return;
    fputc(',', out);
    prometheus_label(out, "pci", info->pci);
    fputc(',', out);
    prometheus_label(out, "uuid", info->uuid);
}

void prometheus_end(FILE *out, uint64_t value)
{
    fprintf(out, "} %" PRIu64 "\n", value);
}

static void write_started(FILE *out, const struct report *report)
{
    prometheus_head(out, "gridlock_run_started_timestamp_seconds", "gauge", "When the run began.");
    for (size_t i = 0; i < report->head_count; ++i) {
        const struct report_head *run = &report->heads[i];
        fputs("gridlock_run_started_timestamp_seconds{", out);
        prometheus_label(out, "uuid", run->uuid);
        fputc(',', out);
        prometheus_label(out, "version", run->tool_version);
        fputs("} ", out);
        escape_decimal(out, (double)run->started_ms / 1000.0, 3);
        fputc('\n', out);
    }
}

static void write_devices(FILE *out, const struct report *report)
{
    prometheus_head(out, "gridlock_compute_units", "gauge", "Compute units of the device.");
    for (size_t i = 0; i < report_device_count(report); ++i) {
        prometheus_begin(out, report, i, "gridlock_compute_units");
        prometheus_end(out, report_device(report, i)->info.compute_units);
    }
    prometheus_head(out, "gridlock_device_wedged", "gauge", "1 if the device stopped working during the run.");
    for (size_t i = 0; i < report_device_count(report); ++i) {
        prometheus_begin(out, report, i, "gridlock_device_wedged");
        prometheus_end(out, report_device(report, i)->wedged);
    }
}

static uint64_t planned(const struct extent *extent)
{
    return extent->planned;
}

static uint64_t elsewhere(const struct extent *extent)
{
    return extent->elsewhere;
}

static uint64_t not_run(const struct extent *extent)
{
    return extent->left;
}

static uint64_t complete(const struct extent *extent)
{
    return extent->ended;
}

static void write_extents(FILE *out, const struct report *report)
{
    static const struct {
        const char *name, *help;
        uint64_t (*of)(const struct extent *extent);
    } gauges[] = {
        {"gridlock_planned", "Points, footprints or tests of the plan, in all shards.", planned},
        {"gridlock_elsewhere", "Those that are in other shards.", elsewhere},
        {"gridlock_not_run", "Those that should have been run and were not.", not_run},
        {"gridlock_complete", "1 if all that should have been run on the device was.", complete},
    };

    for (size_t i = 0; i < sizeof gauges / sizeof *gauges; ++i) {
        prometheus_head(out, gauges[i].name, "gauge", gauges[i].help);
        for (size_t j = 0; j < report_device_count(report); ++j) {
            struct extent extent;
            report_extent(report, j, &extent);
            if (!extent.known)
                continue; /* an older file does not say */
            prometheus_begin(out, report, j, gauges[i].name);
            prometheus_end(out, gauges[i].of(&extent));
        }
    }
}

int report_write_prometheus(FILE *out, const struct report *report, const struct text_style *style, struct error *error)
{
    (void)style;
    (void)error;
    write_started(out, report);
    write_devices(out, report);
    write_extents(out, report);
    report_parts(report)->prometheus(out, report);
    return 0;
}
