#include "format/devices.h"

static void write_dialects(struct json_writer *json, const struct device_probe *probe)
{
    json_writer_open(json, "dialects", '{');
    for (enum dialect dialect = DIALECT_CL30; dialect <= DIALECT_PTX; ++dialect) {
        /* One that failed has a reason: without, it was not tried. */
        const bool tried = probe->dialect_works[dialect] || probe->dialect_log[dialect][0] != '\0';
        json_writer_open(json, dialect_name(dialect), '{');
        json_writer_known_bool(json, "works", tried, probe->dialect_works[dialect]);
        json_writer_text(json, "reason", probe->dialect_log[dialect]);
        json_writer_close(json, '}');
    }
    json_writer_close(json, '}');
}

static void write_left_out(struct json_writer *json, const char *notes)
{
    uint64_t items;
    uint32_t parts;

    json_writer_open(json, "left_out", '[');
    while (optional_walk(&notes, &items, &parts)) {
        json_writer_open(json, NULL, '{');
        json_writer_count(json, "local_size", items);
        json_writer_set(json, "parts", &optional_naming, parts);
        json_writer_close(json, '}');
    }
    json_writer_close(json, ']');
}

static void write_probe(struct json_writer *json, const struct device_probe *probe)
{
    const bool channel = probe->channel != CHANNEL_NONE, timed = channel && probe->channel != CHANNEL_PROOF;

    write_dialects(json, probe);
    json_writer_text(json, "dialect", dialect_name(probe->dialect));
    json_writer_bool(json, "yield", probe->yield);
    write_left_out(json, probe->left_out);
    json_writer_text(json, "channel", channel_name(probe->channel));
    json_writer_text(json, "channel_memory", channel ? shared_memory_name(probe->memory) : NULL);
    json_writer_known(json, "channel_read_latency_ns", timed, probe->read_latency_ns);
    json_writer_known(json, "channel_stop_latency_ns", timed, probe->stop_latency_ns);
    json_writer_count(json, "loops_cut_at", probe->loops_cut_at);
    json_writer_count(json, "loops_tried", probe->loops_tried);
    json_writer_real(json, "poll_ns", (double)probe->poll_ps / 1000.0);
}

void devices_json_which(struct json_writer *json, const struct device_info *info)
{
    if (info->number == 0)
        return;
    json_writer_integer(json, "number", info->number);
    json_writer_text(json, "pci", info->pci);
    json_writer_text(json, "uuid", info->uuid);
}

void devices_json_describe(struct json_writer *json, const struct device_info *info, const struct device_probe *probe)
{
    json_writer_text(json, "platform", info->platform);
    json_writer_text(json, "name", info->name);
    if (info->number != 0)
        json_writer_integer(json, "number", info->number);
    json_writer_text(json, "vendor", info->vendor);
    json_writer_text(json, "driver_version", info->driver_version);
    json_writer_text(json, "device_version", info->device_version);
    json_writer_text(json, "opencl_c_version", info->c_version);
    json_writer_text(json, "kind", device_kind_name(info->kind));
    json_writer_text(json, "uuid", info->uuid);
    json_writer_text(json, "pci", info->pci);
    json_writer_count(json, "compute_units", info->compute_units);
    json_writer_count(json, "max_local_size", info->max_local_size);
    json_writer_count(json, "max_local_memory_bytes", info->local_memory_bytes);
    json_writer_count(json, "global_memory_bytes", info->global_memory_bytes);
    json_writer_count(json, "subgroup_width", info->subgroup_width);
    json_writer_known_bool(json, "subgroup_independent_forward_progress", info->subgroup_progress_known,
                           info->subgroup_progress);
    json_writer_bool(json, "atomics_64", info->atomics_64);
    json_writer_known_set(json, "atomic_memory_capabilities", info->atomics_known, &atomics_naming,
                          (uint32_t)info->atomic_memory);
    json_writer_known_set(json, "atomic_fence_capabilities", info->atomics_known, &atomics_naming,
                          (uint32_t)info->atomic_fence);
    json_writer_set(json, "svm", &svm_naming, (uint32_t)info->svm);
    json_writer_text(json, "extensions", info->extensions);
    if (probe != NULL)
        write_probe(json, probe);
}

void devices_json(FILE *out, const struct devices_report *report)
{
    struct json_writer json = json_writer_begin(out);

    json_writer_open(&json, "devices", '[');
    for (size_t i = 0; i < report->count; ++i) {
        const struct devices_entry *entry = &report->entries[i];
        json_writer_open(&json, NULL, '{');
        devices_json_describe(&json, &entry->info, entry->probed ? &entry->probe : NULL);
        json_writer_text(&json, "probe_failure", entry->failure);
        json_writer_close(&json, '}');
    }
    json_writer_close(&json, ']');
    json_writer_text(&json, "platforms_without_devices", report->empty_platforms);
    json_writer_open(&json, "drivers_not_loaded", '[');
    for (size_t i = 0; i < report->icd_count; ++i) {
        json_writer_open(&json, NULL, '{');
        json_writer_text(&json, "file", report->icds[i].file);
        json_writer_text(&json, "reason", report->icds[i].reason);
        json_writer_close(&json, '}');
    }
    json_writer_close(&json, ']');
    json_writer_end(&json);
}
