/* Why there is no device, or not the one that was meant. */
#include "cli/selection.h"

#include "core/text.h"
#include "litmus/emulate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* PoCL keeps compiled kernels in a folder, and has no device where it cannot make one. NULL: it can. */
static const char *unwritable_cache(void)
{
    static const char *const variables[] = {"POCL_CACHE_DIR", "XDG_CACHE_HOME", "HOME"};
    const char *folder = NULL;

    for (size_t i = 0; i < sizeof variables / sizeof *variables && folder == NULL; ++i)
        folder = getenv(variables[i]);
    return folder != NULL && access(folder, W_OK) != 0 ? folder : NULL;
}

const char *selection_empty_platforms(const struct remote *remote, char *text, size_t size)
{
    char names[400] = "";
    const char *enabled = getenv("RUSTICL_ENABLE"), *cache = unwritable_cache();

    for (size_t i = 0; i < remote->platform_count; ++i)
        if (remote->platforms[i].failure[0] == '\0')
            text_list(names, sizeof names, ", ", "%s", remote->platforms[i].name);
    text[0] = '\0';
    if (names[0] != '\0')
        text_append(text, size, "; platforms without a device: %.150s", names);
    if (strcasestr(names, "rusticl") != NULL && (enabled == NULL || enabled[0] == '\0'))
        text_append(text, size, " (rusticl needs RUSTICL_ENABLE, such as RUSTICL_ENABLE=llvmpipe)");
    if (strstr(names, "Portable Computing Language") != NULL && cache != NULL)
        text_append(text, size, " (PoCL needs a cache, but cannot write to %.60s: set POCL_CACHE_DIR)", cache);
    return text;
}

/* The loader does not look for it where the user may have seen it. */
static bool is_only_here(const char *library)
{
    return strchr(library, '/') == NULL && access(library, F_OK) == 0;
}

#define NEEDS_NONE ", or choose a model device (-d model:obe:8)"

int selection_no_devices(struct selection *selection, struct remote *remote, const struct common_options *options,
                         struct error *error)
{
    char reasons[sizeof error->text] = "", empty[sizeof error->text];

    selection_empty_platforms(remote, empty, sizeof empty); /* as long as the worker is the one that listed */
    selection_check_drivers(selection, remote, options);
    for (size_t i = 0; i < selection->left_out_count; ++i) {
        const struct devices_icd *icd = &selection->left_out[i];
        text_append(reasons, sizeof reasons, "%s%s: %s", i == 0 ? ": " : "; ", icd->file, icd->reason);
        if (is_only_here(icd->file))
            text_append(reasons, sizeof reasons, " (the file that is here is named by ./%s)", icd->file);
    }
    text_append(reasons, sizeof reasons, "%s", empty);
    if (options->icd_count > 0)
        return error_set(error, STATUS_NO_DEVICE, "no OpenCL device in the given --icd libraries%.400s", reasons);
    return error_set(
        error, STATUS_NO_DEVICE,
        "no OpenCL device in %.60s%.300s; install a driver (Debian: pocl-opencl-icd), name one with --icd" NEEDS_NONE,
        icds_place(), reasons);
}

int selection_no_loader(struct error *error)
{
    if (error->status != STATUS_UNSUPPORTED)
        return -1;
    error->status = STATUS_NO_DEVICE;
    text_append(error->text, sizeof error->text, NEEDS_NONE);
    return -1;
}

static bool answers(const struct selection *selection, const char *selector)
{
    for (size_t i = 0; i < selection->count; ++i)
        if (device_info_matches(&selection->devices[i], selector))
            return true;
    return false;
}

enum { NAMES_BYTES = 276, NAMES_MORE_BYTES = 24 };

/* Whole names, as many as there is room for. */
static void list_names(const struct selection *selection, char names[NAMES_BYTES])
{
    char name[NAMES_BYTES];

    names[0] = '\0';
    for (size_t i = 0; i < selection->count; ++i) {
        snprintf(name, sizeof name, "%s%s (%s)", i == 0 ? "" : ", ", DEVICE_LABEL_OF(&selection->devices[i]),
                 selection->devices[i].platform);
        if (i > 0 && strlen(names) + strlen(name) >= NAMES_BYTES - NAMES_MORE_BYTES) {
            text_append(names, NAMES_BYTES, " and %zu more", selection->count - i);
            return;
        }
        text_append(names, NAMES_BYTES, "%s", name);
    }
}

int selection_check(const struct selection *selection, const struct remote *remote,
                    const struct common_options *options, struct error *error)
{
    char names[NAMES_BYTES], empty[sizeof error->text];

    list_names(selection, names);
    for (size_t i = 0; i < options->selector_count; ++i)
        if (!model_device_is_named(options->selectors[i]) && !answers(selection, options->selectors[i]))
            return error_set(error, STATUS_NO_DEVICE, "no device matches \"%.60s\"; available: %s%.140s",
                             options->selectors[i], names, selection_empty_platforms(remote, empty, sizeof empty));
    return 0;
}
