#include "cli/selection.h"

#include "base/alloc.h"
#include "base/icd_folder.h"
#include "core/text.h"
#include "host/signals.h"
#include "report/like.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* If not, errno says why. */
static bool is_readable_folder(const char *path)
{
    struct stat status;

    if (stat(path, &status) != 0)
        return false;
    if (S_ISDIR(status.st_mode))
        return access(path, R_OK | X_OK) == 0;
    errno = ENOTDIR;
    return false;
}

/* A selector that begins like a model device's is one. */
static int check_models(const struct common_options *options, struct error *error)
{
    struct model_device device;
    struct device_info ignored;

    for (size_t i = 0; i < options->selector_count; ++i)
        if (model_device_is_named(options->selectors[i]) &&
            (like_read(options->selectors[i], &device, &ignored, error) != 0 ||
             model_device_check_kernels(&device, error) != 0))
            return -1;
    return 0;
}

int selection_open(const struct common_options *options, struct supervisor **supervisor, struct error *error)
{
    struct supervisor_options settings;

    if (check_models(options, error) != 0)
        return -1;

    if (options->kernel_folder != NULL && !is_readable_folder(options->kernel_folder))
        return error_set(error, STATUS_USAGE, "--kernel-dir %s: %s", options->kernel_folder, strerror(errno));
    signals_defer();
    supervisor_defaults(&settings, options->timeout_ns, options->build_timeout_ns);
    settings.kernel_folder = options->kernel_folder;
    settings.icds = options->icds;
    settings.icd_count = options->icd_count;
    return supervisor_open(&settings, supervisor, error);
}

void selection_fini(struct selection *selection)
{
    free(selection->devices);
    free(selection->left_out);
    free(selection->entries);
    *selection = (struct selection){0};
}

/* --- drivers --- */

/* Those of model devices need none. */
static bool needs_drivers(const struct common_options *options)
{
    for (size_t i = 0; i < options->selector_count; ++i)
        if (!model_device_is_named(options->selectors[i]))
            return true;
    return options->selector_count == 0;
}

static void name_entries(struct selection *selection, const struct common_options *options)
{
    selection->entries = xcalloc(options->icd_count, sizeof *selection->entries);
    selection->entry_count = options->icd_count;
    for (size_t i = 0; i < options->icd_count; ++i) {
        struct icd_entry *entry = &selection->entries[i];
        snprintf(entry->file, sizeof entry->file, "%s", options->icds[i]);
        snprintf(entry->library, sizeof entry->library, "%s", options->icds[i]);
        icds_check_library(entry);
    }
}

static void read_entries(struct selection *selection, const struct common_options *options)
{
    if (selection->entries == NULL && options->icd_count > 0)
        name_entries(selection, options);
    else if (selection->entries == NULL)
        icds_read(&selection->entries, &selection->entry_count);
}

static bool is_left_out(const struct selection *selection, const struct icd_entry *entry)
{
    for (size_t i = 0; i < selection->left_out_count; ++i)
        if (strcmp(selection->left_out[i].file, entry->file) == 0)
            return true;
    return false;
}

static void leave_out(struct selection *selection, const struct icd_entry *entry, const char *reason)
{
    GROW(selection->left_out, selection->left_out_count);
    struct devices_icd *icd = &selection->left_out[selection->left_out_count++];
    /* dlerror begins with the library, which for --icd is what the message begins with anyway. */
    const size_t length = strlen(entry->file);
    if (strncmp(reason, entry->file, length) == 0 && strncmp(reason + length, ": ", 2) == 0)
        reason += length + 2;
    snprintf(icd->file, sizeof icd->file, "%s", entry->file);
    /* An .icd file is named with its library, unless the reason already says which that is. */
    if (strcmp(entry->file, entry->library) == 0 || entry->library[0] == '\0' || strstr(reason, entry->library) != NULL)
        snprintf(icd->reason, sizeof icd->reason, "%s", reason);
    else
        snprintf(icd->reason, sizeof icd->reason, "%.200s: %s", entry->library, reason);
}

void selection_check_drivers(struct selection *selection, struct remote *remote, const struct common_options *options)
{
    if (!needs_drivers(options))
        return;
    read_entries(selection, options);
    for (size_t i = 0; i < selection->entry_count && signals_received() == 0; ++i) {
        const struct icd_entry *entry = &selection->entries[i];
        struct error reason = {0};
        snprintf(reason.text, sizeof reason.text, "%s", entry->problem);
        if (is_left_out(selection, entry) ||
            (entry->problem[0] == '\0' && remote_check_library(remote, entry->library, &reason) == 0))
            continue;
        leave_out(selection, entry, reason.text);
    }
}

/* --- listing --- */

static void forget_devices(struct selection *selection)
{
    free(selection->devices);
    selection->devices = NULL;
    selection->count = 0;
}

static bool has_failed(const struct wire_platform *platform)
{
    return platform->failure[0] != '\0';
}

static bool is_whole(const struct selection *selection, const struct remote *remote)
{
    for (size_t i = 0; i < remote->platform_count; ++i)
        if (has_failed(&remote->platforms[i]))
            return false;
    return selection->count > 0;
}

/* A failure that does not come back in a new worker is none; the loader itself leaves out a platform that fails. */
static int list(struct selection *selection, struct remote *remote, struct error *error)
{
    struct supervisor_end end;

    if (remote_list(remote, NULL, &selection->devices, &selection->count, error) != 0)
        return -1;
    if (is_whole(selection, remote) || signals_received() != 0)
        return 0;
    forget_devices(selection);
    supervisor_end_worker(remote->supervisor, true, &end);
    return remote_list(remote, NULL, &selection->devices, &selection->count, error);
}

/* Lists the devices of one driver in a worker that sees no other. */
static int list_one(struct selection *selection, struct remote *remote, struct icd_entry *entry, struct error *error)
{
    char *library = entry->library;

    if (entry->problem[0] != '\0')
        return error_set(error, STATUS_NO_DEVICE, "%s", entry->problem);
    supervisor_use_icds(remote->supervisor, &library, 1);
    int outcome = remote_list(remote, NULL, &selection->devices, &selection->count, error);
    forget_devices(selection);
    return outcome;
}

/* Of all drivers, unless the loader would open what may never answer. */
static int list_together(struct selection *selection, struct remote *remote, const struct common_options *options,
                         struct error *error)
{
    read_entries(selection, options);
    for (size_t i = 0; i < selection->entry_count; ++i)
        if (selection->entries[i].may_block)
            return error_set(error, STATUS_NO_DEVICE, "%s: %s", selection->entries[i].file,
                             selection->entries[i].problem);
    return list(selection, remote, error);
}

/* The drivers cannot be loaded together: tries each by itself, and goes on with those that can be. */
static int list_apart(struct selection *selection, struct remote *remote, struct error *error)
{
    struct error together = *error;
    size_t good = 0;

    for (size_t i = 0; i < selection->entry_count && good < ICD_FOLDER_FILES && signals_received() == 0; ++i) {
        struct icd_entry *entry = &selection->entries[i];
        if (list_one(selection, remote, entry, error) == 0) {
            selection->good[good++] = entry->library;
            continue;
        }
        leave_out(selection, entry, error->text);
        const struct devices_icd *icd = &selection->left_out[selection->left_out_count - 1];
        error_set(error, STATUS_NO_DEVICE, "driver %s skipped: %s", icd->file, icd->reason);
        if (selection->entry_count > 1)
            report_error(error);
    }
    if (signals_received() != 0)
        return error_set(error, (enum status)(128 + signals_received()), "interrupted while listing devices");
    if (selection->entry_count == 0)
        *error = together;
    else if (good == 0 && selection->entry_count > 1)
        error_set(error, STATUS_NO_DEVICE, "no OpenCL driver could be used");
    if (good == 0)
        return -1;
    supervisor_use_icds(remote->supervisor, selection->good, good);
    return list(selection, remote, error);
}

/* Tells of platforms and devices that could not be listed; the others go on. */
static void name_failed(struct selection *selection, const struct remote *remote, struct error *error)
{
    for (size_t i = 0; i < remote->platform_count; ++i) {
        const struct wire_platform *platform = &remote->platforms[i];
        struct icd_entry entry = {.library = ""};
        if (!has_failed(platform))
            continue;
        snprintf(entry.file, sizeof entry.file, "%s", platform->name);
        leave_out(selection, &entry, platform->failure);
        error_set(error, STATUS_NO_DEVICE, "%s skipped: %s", platform->name, platform->failure);
        if (selection->count > 0)
            report_error(error);
    }
}

/* --- selection --- */

static bool is_selected(const struct device_info *info, const struct common_options *options)
{
    for (size_t i = 0; i < options->selector_count; ++i)
        if (!model_device_is_named(options->selectors[i]) && device_info_matches(info, options->selectors[i]))
            return true;
    return options->selector_count == 0;
}

/* --- model devices --- */

static bool has_device(const struct selection *selection, const char *name)
{
    for (size_t i = 0; i < selection->count; ++i)
        if (strcmp(selection->devices[i].name, name) == 0)
            return true;
    return false;
}

/* Each once, however often and by whatever name it is asked for. */
static int list_models(struct selection *selection, struct remote *remote, const struct common_options *options,
                       struct error *error)
{
    for (size_t i = 0; i < options->selector_count; ++i) {
        struct model_device device;
        struct device_info wanted, *found;
        size_t count;
        if (!model_device_is_named(options->selectors[i]))
            continue;
        if (like_read(options->selectors[i], &device, &wanted, error) != 0)
            return -1;
        if (has_device(selection, wanted.name))
            continue;
        if (remote_list(remote, &wanted, &found, &count, error) != 0)
            return -1;
        for (size_t j = 0; j < count; ++j) {
            GROW(selection->devices, selection->count);
            selection->devices[selection->count++] = found[j];
        }
        free(found);
    }
    return 0;
}

/* --- all --- */

static int list_drivers(struct selection *selection, struct remote *remote, const struct common_options *options,
                        struct error *error)
{
    if (list_together(selection, remote, options, error) != 0 &&
        (error->status != STATUS_NO_DEVICE || list_apart(selection, remote, error) != 0))
        return selection_no_loader(error);
    name_failed(selection, remote, error);
    if (selection->devices == NULL || selection->count == 0)
        return selection_no_devices(selection, remote, options, error);
    device_info_number(selection->devices, selection->count);
    if (selection_check(selection, remote, options, error) != 0)
        return -1;
    size_t kept = 0;
    for (size_t i = 0; i < selection->count; ++i)
        if (is_selected(&selection->devices[i], options))
            selection->devices[kept++] = selection->devices[i];
    selection->count = kept;
    return 0;
}

int selection_make(struct selection *selection, struct remote *remote, const struct common_options *options,
                   struct error *error)
{
    if ((needs_drivers(options) && list_drivers(selection, remote, options, error) != 0) ||
        list_models(selection, remote, options, error) != 0)
        return -1;
    device_info_number(selection->devices, selection->count);
    return 0;
}
