#include "cli/devices.h"

#include "host/icds.h"
#include "host/signals.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int devices_open(const struct common_options *options, struct supervisor **supervisor, struct error *error)
{
    struct supervisor_options settings;
    supervisor_defaults(&settings, options->timeout_ns);
    settings.kernel_folder = options->kernel_folder;
    settings.icds = options->icds;
    settings.icd_count = options->icd_count;
    return supervisor_open(&settings, supervisor, error);
}

/* --- drivers --- */

static void check_entry(struct remote *remote, const struct icd_entry *entry, struct devices_icd *icds, size_t *count)
{
    struct error error = {0};
    if (entry->problem[0] == '\0' && remote_check_library(remote, entry->library, &error) == 0)
        return;
    struct devices_icd *icd = &icds[(*count)++];
    snprintf(icd->file, sizeof icd->file, "%s", entry->file);
    snprintf(icd->reason, sizeof icd->reason, "%s", entry->problem[0] != '\0' ? entry->problem : error.text);
}

static int named_entries(const struct common_options *options, struct icd_entry **entries, size_t *count,
                         struct error *error)
{
    *entries = calloc(options->icd_count, sizeof **entries);
    if (*entries == NULL)
        return error_set(error, STATUS_HARNESS, "no memory for the list of drivers");
    *count = options->icd_count;
    for (size_t i = 0; i < *count; ++i) {
        snprintf((*entries)[i].file, sizeof(*entries)[i].file, "%s", options->icds[i]);
        snprintf((*entries)[i].library, sizeof(*entries)[i].library, "%s", options->icds[i]);
    }
    return 0;
}

int devices_check_icds(struct remote *remote, const struct common_options *options, struct devices_icd **icds,
                       size_t *count, struct error *error)
{
    struct icd_entry *entries = NULL;
    size_t entry_count = 0;
    int outcome = options->icd_count > 0 ? named_entries(options, &entries, &entry_count, error)
                                         : icds_read(&entries, &entry_count, error);
    *icds = NULL;
    *count = 0;
    if (outcome == 0) {
        *icds = calloc(entry_count + 1, sizeof **icds);
        if (*icds == NULL)
            outcome = error_set(error, STATUS_HARNESS, "no memory for the list of drivers");
    }
    for (size_t i = 0; outcome == 0 && i < entry_count; ++i)
        check_entry(remote, &entries[i], *icds, count);
    free(entries);
    return outcome;
}

/* --- selection --- */

/* Adds to a text as much as fits. */
static void add_text(char *text, size_t size, const char *addition)
{
    size_t used = strlen(text);
    snprintf(text + used, size - used, "%s", addition);
}

static int no_devices(struct remote *remote, const struct common_options *options, struct error *error)
{
    struct devices_icd *icds = NULL;
    size_t count = 0;
    char reasons[sizeof error->text] = "";

    if (devices_check_icds(remote, options, &icds, &count, error) != 0)
        return -1;
    for (size_t i = 0; i < count; ++i) {
        add_text(reasons, sizeof reasons, i == 0 ? ": " : "; ");
        add_text(reasons, sizeof reasons, icds[i].file);
        add_text(reasons, sizeof reasons, ": ");
        add_text(reasons, sizeof reasons, icds[i].reason);
    }
    free(icds);
    if (options->icd_count > 0)
        return error_set(error, STATUS_NO_DEVICE, "no OpenCL device in the given --icd libraries%.400s", reasons);
    return error_set(
        error, STATUS_NO_DEVICE,
        "no OpenCL device in %.80s%.250s; install a driver (Debian: pocl-opencl-icd) or name one with --icd",
        icds_place(), reasons);
}

static bool is_selected(const struct device_info *info, const struct common_options *options)
{
    for (size_t i = 0; i < options->selector_count; ++i)
        if (device_info_matches(info, options->selectors[i]))
            return true;
    return options->selector_count == 0;
}

static int check_selectors(const struct device_info *devices, size_t count, const struct common_options *options,
                           struct error *error)
{
    char names[sizeof error->text] = "";

    for (size_t i = 0; i < count; ++i) {
        add_text(names, sizeof names, i == 0 ? "" : ", ");
        add_text(names, sizeof names, devices[i].name);
    }
    for (size_t selector = 0; selector < options->selector_count; ++selector) {
        bool matched = false;
        for (size_t i = 0; i < count; ++i)
            matched = matched || device_info_matches(&devices[i], options->selectors[selector]);
        if (!matched)
            return error_set(error, STATUS_NO_DEVICE, "no device answers to \"%.60s\"; there are: %.400s",
                             options->selectors[selector], names);
    }
    return 0;
}

int devices_select(struct remote *remote, const struct common_options *options, struct device_info **devices,
                   size_t *count, struct error *error)
{
    size_t found = 0;

    if (remote_list(remote, devices, &found, error) != 0)
        return -1;
    if (found == 0 || check_selectors(*devices, found, options, error) != 0) {
        free(*devices);
        *devices = NULL;
        return found == 0 ? no_devices(remote, options, error) : -1;
    }
    *count = 0;
    for (size_t i = 0; i < found; ++i)
        if (is_selected(&(*devices)[i], options))
            (*devices)[(*count)++] = (*devices)[i];
    return 0;
}

/* --- gridlock devices --- */

static int probe_devices(struct remote *remote, const struct common_options *options, struct devices_report *report,
                         const struct device_info *devices, size_t count, struct error *error)
{
    report->entries = calloc(count + 1, sizeof *report->entries);
    if (report->entries == NULL)
        return error_set(error, STATUS_HARNESS, "no memory for the report");
    for (size_t i = 0; i < count && signals_received() == 0; ++i) {
        struct devices_entry *entry = &report->entries[report->count++];
        struct error failure = {0};
        entry->info = devices[i];
        if (remote_choose(remote, &devices[i], PROBE_ALL, options->channel, &failure) != 0)
            snprintf(entry->failure, sizeof entry->failure, "%s", failure.text);
        entry->probed = true;
        entry->probe = remote->probe;
    }
    return 0;
}

static int run_devices(const struct common_options *options, struct error *error)
{
    struct remote remote = {0};
    struct devices_report report = {0};
    struct device_info *devices = NULL;
    size_t count = 0;
    int outcome = -1;

    if (devices_open(options, &remote.supervisor, error) != 0)
        return -1;
    if (devices_select(&remote, options, &devices, &count, error) != 0)
        goto out;
    if (probe_devices(&remote, options, &report, devices, count, error) != 0 ||
        devices_check_icds(&remote, options, &report.icds, &report.icd_count, error) != 0)
        goto out;
    outcome = 0;
    if (options->format == FORMAT_JSON)
        outcome = devices_json(stdout, &report, error);
    else
        devices_text(stdout, &report);
out:
    if (signals_received() != 0)
        outcome = error_set(error, (enum status)(128 + signals_received()), "interrupted");
    supervisor_close(remote.supervisor);
    free(report.entries);
    free(report.icds);
    free(devices);
    return outcome;
}

static error_t parse_devices(int key, char *argument, struct argp_state *state)
{
    (void)argument;
    if (key == ARGP_KEY_INIT) {
        state->child_inputs[0] = state->input;
        return 0;
    }
    if (key == ARGP_KEY_ARG)
        argp_error(state, "unexpected argument: %s", argument);
    return ARGP_ERR_UNKNOWN;
}

int command_devices(int count, char **arguments)
{
    static const struct argp_child children[] = {{&common_argp, 0, NULL, 0}, {0}};
    static const struct argp argp = {
        .parser = parse_devices,
        .doc = "Shows every OpenCL device: what its driver says that matters for synchronization between work-groups, "
               "what was found by running kernels, and which drivers could not be loaded and why.",
        .children = children,
    };
    struct common_options options;
    struct error error;

    common_options_init(&options);
    argp_parse(&argp, count, arguments, 0, NULL, &options);
    return run_devices(&options, &error) == 0 ? STATUS_OK : report_error(&error);
}
