#include "format/devices.h"
#include "format/flags.h"
#include "format/json.h"

static json_t *flags_array(const struct flag *flags, uint64_t value)
{
    json_t *array = json_array();
    for (; flags->name != NULL; ++flags)
        if (value & flags->bit)
            json_array_append_new(array, json_string(flags->name));
    return array;
}

static json_t *dialects_object(const struct device_probe *probe)
{
    json_t *object = json_object();
    for (enum dialect dialect = DIALECT_CL30; dialect <= DIALECT_PTX; ++dialect) {
        json_t *entry = json_object();
        /* One that failed has a reason: without, it was not tried. */
        const bool tried = probe->dialect_works[dialect] || probe->dialect_log[dialect][0] != '\0';
        json_object_set_new(entry, "works", tried ? json_boolean(probe->dialect_works[dialect]) : json_null());
        json_object_set_new(entry, "reason", json_text(probe->dialect_log[dialect]));
        json_object_set_new(object, dialect_name(dialect), entry);
    }
    return object;
}

static void describe_info(json_t *object, const struct device_info *info)
{
    json_object_set_new(object, "platform", json_text(info->platform));
    json_object_set_new(object, "name", json_text(info->name));
    json_object_set_new(object, "vendor", json_text(info->vendor));
    json_object_set_new(object, "driver_version", json_text(info->driver_version));
    json_object_set_new(object, "device_version", json_text(info->device_version));
    json_object_set_new(object, "opencl_c_version", json_text(info->c_version));
    json_object_set_new(object, "kind", json_string(device_kind_name(info->kind)));
    json_object_set_new(object, "uuid", json_text(info->uuid));
    json_object_set_new(object, "pci", json_text(info->pci));
    json_object_set_new(object, "compute_units", json_count(info->compute_units));
    json_object_set_new(object, "max_local_size", json_count(info->max_local_size));
    json_object_set_new(object, "max_local_memory_bytes", json_count(info->local_memory_bytes));
    json_object_set_new(object, "global_memory_bytes", json_count(info->global_memory_bytes));
    json_object_set_new(object, "subgroup_width", json_count(info->subgroup_width));
    json_object_set_new(object, "subgroup_independent_forward_progress",
                        info->subgroup_progress_known ? json_boolean(info->subgroup_progress) : json_null());
    json_object_set_new(object, "atomics_64", json_boolean(info->atomics_64));
    json_object_set_new(object, "atomic_memory_capabilities",
                        info->atomics_known ? flags_array(flags_atomic, info->atomic_memory) : json_null());
    json_object_set_new(object, "atomic_fence_capabilities",
                        info->atomics_known ? flags_array(flags_atomic, info->atomic_fence) : json_null());
    json_object_set_new(object, "svm", flags_array(flags_svm, info->svm));
    json_object_set_new(object, "extensions", json_text(info->extensions));
}

static void describe_probe(json_t *object, const struct device_probe *probe)
{
    const bool channel = probe->channel != CHANNEL_NONE;
    json_object_set_new(object, "dialects", dialects_object(probe));
    json_object_set_new(object, "dialect", json_string(dialect_name(probe->dialect)));
    json_object_set_new(object, "yield", json_boolean(probe->yield));
    json_object_set_new(object, "channel", json_string(channel_name(probe->channel)));
    json_object_set_new(object, "channel_memory",
                        channel ? json_string(probe->memory == MEMORY_SVM      ? "svm"
                                              : probe->memory == MEMORY_MAPPED ? "mapped"
                                                                               : "device")
                                : json_null());
    json_object_set_new(object, "channel_read_latency_ns", json_known(channel, probe->read_latency_ns));
    json_object_set_new(object, "channel_stop_latency_ns", json_known(channel, probe->stop_latency_ns));
    json_object_set_new(object, "loops_cut_at", json_count(probe->loops_cut_at));
    json_object_set_new(object, "loops_tried", json_count(probe->loops_tried));
    json_object_set_new(object, "poll_ns", json_real((double)probe->poll_ps / 1000.0));
}

void devices_json_describe(json_t *object, const struct device_info *info, const struct device_probe *probe)
{
    describe_info(object, info);
    if (probe != NULL)
        describe_probe(object, probe);
}

int devices_json(FILE *out, const struct devices_report *report, struct error *error)
{
    json_t *root = json_object();
    json_t *devices = json_array();
    json_t *icds = json_array();

    json_object_set_new(root, "schema_version", json_string(JSON_SCHEMA_VERSION));
    for (size_t i = 0; i < report->count; ++i) {
        const struct devices_entry *entry = &report->entries[i];
        json_t *device = json_object();
        devices_json_describe(device, &entry->info, entry->probed ? &entry->probe : NULL);
        json_object_set_new(device, "probe_failure", json_text(entry->failure));
        json_array_append_new(devices, device);
    }
    for (size_t i = 0; i < report->icd_count; ++i) {
        json_t *icd = json_object();
        json_object_set_new(icd, "file", json_text(report->icds[i].file));
        json_object_set_new(icd, "reason", json_text(report->icds[i].reason));
        json_array_append_new(icds, icd);
    }
    json_object_set_new(root, "devices", devices);
    json_object_set_new(root, "drivers_not_loaded", icds);
    return json_write(out, root, error);
}
