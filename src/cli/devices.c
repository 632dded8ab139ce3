#include "cli/command.h"

#include "base/alloc.h"
#include "cli/selection.h"
#include "host/signals.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void probe_devices(struct remote *remote, const struct common_options *options, struct devices_report *report,
                          const struct device_info *devices, size_t count)
{
    report->entries = xcalloc(count + 1, sizeof *report->entries);
    for (size_t i = 0; i < count && signals_received() == 0; ++i) {
        struct devices_entry *entry = &report->entries[report->count++];
        struct error failure = {0};
        entry->info = devices[i];
        if (remote_choose(remote, &devices[i], PROBE_ALL, options->channel, &failure) != 0)
            snprintf(entry->failure, sizeof entry->failure, "%s", failure.text);
        entry->probed = true;
        entry->probe = remote->probe;
    }
}

static int run_devices(const struct common_options *options, struct error *error)
{
    struct remote remote = {0};
    struct devices_report report = {.empty_platforms = ""};
    struct selection selection = {0};
    char empty[512] = "";
    int outcome = -1;

    if (selection_open(options, &remote.supervisor, error) != 0)
        return -1;
    if (selection_make(&selection, &remote, options, error) != 0)
        goto out;
    if (selection_empty_platforms(&remote, empty, sizeof empty)[0] != '\0')
        report.empty_platforms = empty + strlen("; ");
    probe_devices(&remote, options, &report, selection.devices, selection.count);
    selection_check_drivers(&selection, &remote, options);
    report.icds = selection.left_out;
    report.icd_count = selection.left_out_count;
    outcome = 0;
    if (options->format == FORMAT_JSON)
        devices_json(stdout, &report);
    else
        devices_text(stdout, &report);
out:
    if (signals_received() != 0)
        outcome = error_set(error, (enum status)(128 + signals_received()), "interrupted");
    supervisor_close(remote.supervisor);
    selection_fini(&selection);
    free(report.entries);
    return outcome;
}

static const struct command_part parts[] = {{&common_line, 0}, {0}};

const struct command_line devices_line = {
    .parts = parts,
    .doc = "Shows each OpenCL device: what its driver reports about synchronization between work-groups, what running "
           "kernels on it showed, and which drivers could not be loaded, and why.",
    .notes =
        "Model devices have no driver, and are shown if they are named, such as --device model:obe:8 (gridlock help "
        "words).",
    .statuses = "0 the devices were shown; 2 usage error; 3 the tool failed; 4 no device; 5 a worker could not be "
                "killed; 130, 143 ended by SIGINT, SIGTERM",
};

int command_devices(int count, char **arguments)
{
    struct common_options options;
    struct error error;

    common_options_init(&options);
    parse_arguments(&devices_line, count, arguments, &options);
    return run_devices(&options, &error) == 0 ? STATUS_OK : report_error(&error);
}
