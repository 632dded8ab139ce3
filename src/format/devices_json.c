#include "format/devices.h"
#include "format/facts_json.h"

static void write_dialects(struct json_writer *json, const void *value)
{
    const struct device_probe *probe = value;

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

static void write_left_out(struct json_writer *json, const void *value)
{
    const char *notes = ((const struct device_probe *)value)->left_out;
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

static void write_memory(struct json_writer *json, const void *value)
{
    const struct device_probe *probe = value;

    json_writer_text(json, "channel_memory", probe->channel != CHANNEL_NONE ? shared_memory_name(probe->memory) : NULL);
}

static void write_number(struct json_writer *json, const void *value)
{
    const struct device_info *info = value;

    if (info->number != 0)
        json_writer_integer(json, "number", info->number);
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
    static const struct facts_other of_info[] = {{"vendor", write_number}, {NULL, NULL}};
    static const struct facts_other of_probe[] = {{"dialect", write_dialects},
                                                  {"channel", write_left_out},
                                                  {"channel_read_latency_ns", write_memory},
                                                  {NULL, NULL}};

    facts_json(json, FACTS_INFO, info, of_info);
    if (probe != NULL)
        facts_json(json, FACTS_PROBE, probe, of_probe);
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
