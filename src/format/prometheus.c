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
    prometheus_label(out, ",platform", info->platform);
    prometheus_label(out, ",driver", info->driver_version);
    fprintf(out, ",ordinal=\"%" PRIu32 "\"", info->number == 0 ? 0 : info->number - 1);
    if (info->number == 0)
        return;
    prometheus_label(out, ",pci", info->pci);
    prometheus_label(out, ",uuid", info->uuid);
}

void prometheus_end(FILE *out, uint64_t value)
{
    fprintf(out, "} %" PRIu64 "\n", value);
}

void prometheus_sample(FILE *out, const struct report *report, size_t device, const char *name, uint64_t value)
{
    prometheus_begin(out, report, device, name);
    prometheus_end(out, value);
}

static void write_started(FILE *out, const struct report *report)
{
    prometheus_head(out, "gridlock_run_started_timestamp_seconds", "gauge", "When the run began.");
    for (size_t i = 0; i < report->head_count; ++i) {
        const struct store_run *run = &report->heads[i].run;
        fputs("gridlock_run_started_timestamp_seconds{", out);
        prometheus_label(out, "uuid", run->uuid);
        prometheus_label(out, ",version", run->tool_version);
        fputs("} ", out);
        escape_decimal(out, (double)run->started_ms / 1000.0, 3);
        fputc('\n', out);
    }
}

static void write_devices(FILE *out, const struct report *report)
{
    enum { OF_EXTENT = 2 };
    static const char *const gauges[][2] = {
        {"gridlock_compute_units", "Compute units of the device."},
        {"gridlock_device_wedged", "1 if the device stopped working during the run."},
        {"gridlock_planned", "Points, footprints or tests of the plan, in all shards."},
        {"gridlock_elsewhere", "Those that are in other shards."},
        {"gridlock_not_run", "Those that should have been run and were not."},
        {"gridlock_complete", "1 if all that should have been run on the device was."},
    };

    for (size_t i = 0; i < sizeof gauges / sizeof *gauges; ++i) {
        prometheus_head(out, gauges[i][0], "gauge", gauges[i][1]);
        for (size_t j = 0; j < report_device_count(report); ++j) {
            const struct store_device *stored = report_device(report, j);
            struct extent extent;
            report_extent(report, j, &extent);
            if (i >= OF_EXTENT && !extent.known)
                continue; /* the file does not say */
            const uint64_t values[] = {stored->info.compute_units, stored->wedged, extent.planned,
                                       extent.elsewhere,           extent.left,    extent.ended};
            prometheus_sample(out, report, j, gauges[i][0], values[i]);
        }
    }
}

int report_write_prometheus(FILE *out, const struct report *report, const struct text_style *style, struct error *error)
{
    (void)style;
    (void)error;
    write_started(out, report);
    write_devices(out, report);
    report_parts(report)->prometheus(out, report);
    return 0;
}
