#include "cli/model_from.h"

#include "core/text.h"

#include <inttypes.h>
#include <string.h>

int model_from_read(struct model_from *from, const char *path, struct error *error)
{
    struct store *store = NULL;

    *from = (struct model_from){.path = path};
    if (path == NULL)
        return 0;
    int outcome = store_open(path, &store, error);
    if (outcome == 0)
        outcome = report_read(&from->report, store, error);
    if (outcome == 0 && !report_kind_is_of_tests(from->report.kind))
        outcome = error_set(error, STATUS_USAGE, "'%s' is of gridlock %s: expected a run of gridlock progress", path,
                            report_kind_name(from->report.kind));
    store_close(store);
    return outcome == 0 ? 0 : error_context(error, "--model-from");
}

void model_from_fini(struct model_from *from)
{
    report_fini(&from->report);
}

static const struct progress_device *find_device(const struct model_from *from, const struct device_info *device)
{
    for (size_t i = 0; i < from->report.progress.count; ++i)
        if (device_info_same(&from->report.progress.devices[i].stored.info, device))
            return &from->report.progress.devices[i];
    return NULL;
}

static void print_classes(const struct litmus_classification *classification, char quote[MODEL_QUOTE])
{
    const uint32_t open = litmus_strongest_open(classification);
    char classes[LITMUS_CLASSES];

    litmus_classes(classification, classes);
    switch (litmus_class_kind(classification)) {
    case LITMUS_CLASS_UNFAIR:
        text_append(quote, MODEL_QUOTE, "work-groups broke all models.");
        break;
    case LITMUS_CLASS_UNKNOWN:
        text_append(quote, MODEL_QUOTE, "its tests do not show which model work-groups keep.");
        break;
    case LITMUS_CLASS_MODELS:
        text_append(quote, MODEL_QUOTE, "the strongest model that work-groups did not break is %s", classes);
        if (open > 0)
            text_append(quote, MODEL_QUOTE, "; tests that might refute it, but were undecided: %" PRIu32, open);
        text_append(quote, MODEL_QUOTE, ".");
        break;
    }
}

int model_from_quote(const struct model_from *from, const struct device_info *device, char quote[MODEL_QUOTE],
                     struct error *error)
{
    const char *slash = from->path != NULL ? strrchr(from->path, '/') : NULL;

    quote[0] = '\0';
    if (from->path == NULL)
        return 0;
    const struct progress_device *found = find_device(from, device);
    if (found == NULL)
        return error_set(error, STATUS_USAGE, "--model-from: '%.200s' has no litmus tests of %s", from->path,
                         DEVICE_LABEL_OF(device));
    text_append(quote, MODEL_QUOTE, "gridlock progress, in %.60s", slash != NULL ? slash + 1 : from->path);
    if (strcmp(found->stored.info.driver_version, device->driver_version) != 0)
        text_append(quote, MODEL_QUOTE, ", with driver %.40s", found->stored.info.driver_version);
    text_append(quote, MODEL_QUOTE, ": ");
    print_classes(&found->classification, quote);
    return 0;
}
