#include "cli/watch_file.h"

#include "base/alloc.h"
#include "cli/options.h"
#include "engine/run_file.h"
#include "watch/tell.h"

#include <stdlib.h>
#include <string.h>

struct watch_file_device {
    int64_t id;
    char name[64];
    uint64_t kept;
};

static void say(const struct watch_file *file, const char *says, const char *path)
{
    const struct watch_request *request = file->request;

    if (request->log != NULL)
        (request->json ? tell_note_json : tell_note_text)(request->log, request->door, says, path);
}

/* -1: it is over with the file. */
static int fail(struct watch_file *file, const struct error *error)
{
    char *says = xasprintf("what is seen is told, but not kept: %s", error->text);

    say(file, says, NULL);
    free(says);
    store_close(file->store);
    file->store = NULL;
    file->failed = true;
    file->why = *error;
    return -1;
}

static int create(struct watch_file *file, struct error *error)
{
    static char name[] = "gridlock watch";
    char chosen[4096];
    const struct shard whole = {.count = 0};
    size_t words = 1;

    while (file->request->words[words - 1] != NULL)
        ++words;
    char **arguments = xcalloc(words + 1, sizeof *arguments);
    arguments[0] = name;
    memcpy(arguments + 1, file->request->words, words * sizeof *arguments);
    struct run_asked asked = {.count = (int)words, .arguments = arguments};
    asked.items = arguments_asked(&asked.item_count);
    const int outcome = run_file_create(file->path, &asked, &whole, chosen, sizeof chosen, &file->store, error);
    free(arguments);
    if (outcome == 0)
        say(file, "run file", chosen);
    return outcome;
}

/* The device of that name, which is added if it is new; NULL: it cannot be. */
static struct watch_file_device *find_device(struct watch_file *file, const char *name, struct error *error)
{
    struct store_device device = {.info.kind = DEVICE_OTHER};

    for (size_t i = 0; i < file->count; ++i)
        if (strcmp(file->devices[i].name, name) == 0)
            return &file->devices[i];
    snprintf(device.info.name, sizeof device.info.name, "%s", name);
    if (store_add_device(file->store, &device, error) != 0)
        return NULL;
    GROW(file->devices, file->count);
    struct watch_file_device *added = &file->devices[file->count++];
    *added = (struct watch_file_device){.id = device.id};
    snprintf(added->name, sizeof added->name, "%s", name);
    return added;
}

static int64_t write_sighting(struct watch_file *file, const struct sighting *sighting, struct error *error)
{
    const char *what = sighting->kernel[0] != '\0' ? sighting->kernel : sighting->call;
    struct trial trial = {.kind = TRIAL_WATCH, .groups = (uint32_t)sighting->groups, .repeats = 1};
    const struct store_end end = {.sighting = sighting, .duration_ns = sighting->for_ns, .note = ""};
    int64_t number = 0;

    snprintf(trial.work.scenario, sizeof trial.work.scenario, "%.28s/%.34s", sighting->program,
             what[0] != '\0' ? what : "end");
    if (store_hold(file->store, error) != 0)
        return -1;
    struct watch_file_device *device =
        find_device(file, sighting->device[0] != '\0' ? sighting->device : "no device", error);
    if (device == NULL ||
        store_begin_trial(file->store, device->id, file->sequence, &trial, NULL, &number, error) != 0 ||
        store_end_trial(file->store, number, &end, error) != 0 || store_settle(file->store, error) != 0)
        return -1;
    device->kept += 1;
    file->sequence += 1;
    return number;
}

static int64_t keep(void *context, const struct sighting *sighting)
{
    struct watch_file *file = context;
    struct error error;
    int64_t number = -1;

    if (!file->failed && (file->store != NULL || create(file, &error) == 0))
        number = write_sighting(file, sighting, &error);
    if (number < 0 && !file->failed)
        fail(file, &error);
    return number > 0 ? number : 0;
}

static void note_fit(void *context, int64_t number, uint64_t groups)
{
    struct watch_file *file = context;
    struct error error;

    if (file->store != NULL && store_note_fit(file->store, number, groups, &error) != 0)
        fail(file, &error);
}

int watch_file_begin(struct watch_file *file, struct watch_request *request, struct error *error)
{
    file->request = request;
    request->keeper = (struct watch_keeper){file, keep, note_fit, file->path != NULL};
    return file->path != NULL ? create(file, error) : 0;
}

static int end_devices(const struct watch_file *file, struct error *error)
{
    if (store_note_devices(file->store, (uint32_t)file->count, error) != 0)
        return -1;
    for (size_t i = 0; i < file->count; ++i) {
        const struct store_share share = {.device = file->devices[i].id,
                                          .planned = file->devices[i].kept,
                                          .own = file->devices[i].kept,
                                          .ended = true};
        if (store_write_share(file->store, &share, error) != 0)
            return -1;
    }
    return 0;
}

void watch_file_end(struct watch_file *file, bool started)
{
    struct error error;

    if (file->store != NULL && started && end_devices(file, &error) != 0)
        fail(file, &error);
    store_close(file->store);
    free(file->devices);
}
