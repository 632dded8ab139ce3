/* Devices of one name, told apart: each is numbered beside all others of the file, and those that are still to come. */
#include "base/alloc.h"
#include "store/internal.h"

#include <stdio.h>
#include <stdlib.h>

void store_expect_devices(struct store *store, const struct device_info *devices, size_t count)
{
    store->numbering.expected = devices;
    store->numbering.expected_count = count;
}

static void add(struct numbering *numbering, int64_t id, const struct device_info *info)
{
    GROW(numbering->ids, numbering->count);
    GROW(numbering->devices, numbering->count);
    numbering->ids[numbering->count] = id;
    numbering->devices[numbering->count++] = *info;
}

static void copy_text(sqlite3_stmt *row, int column, char *text, size_t size)
{
    const char *stored = (const char *)sqlite3_column_text(row, column);
    snprintf(text, size, "%s", stored != NULL ? stored : "");
}

static void add_row(struct numbering *numbering, sqlite3_stmt *row)
{
    struct device_info info = {.ordinal = (uint32_t)sqlite3_column_int64(row, 1)};

    copy_text(row, 2, info.platform, sizeof info.platform);
    copy_text(row, 3, info.name, sizeof info.name);
    copy_text(row, 4, info.vendor, sizeof info.vendor);
    copy_text(row, 5, info.uuid, sizeof info.uuid);
    copy_text(row, 6, info.pci, sizeof info.pci);
    add(numbering, sqlite3_column_int64(row, 0), &info);
}

static bool has(const struct numbering *numbering, const struct device_info *info)
{
    for (size_t i = 0; i < numbering->count; ++i)
        if (device_info_same(&numbering->devices[i], info))
            return true;
    return false;
}

/* What cannot be read is left out: who reads these devices one by one comes upon it. */
static int read_all(struct store *store, struct error *error)
{
    struct numbering *numbering = &store->numbering;
    sqlite3_stmt *rows = NULL;
    struct error damage;

    numbering->count = 0;
    if (store_prepare_text(store, "SELECT id, ordinal, platform, name, vendor, uuid, pci FROM device ORDER BY id",
                           &rows, error) != 0)
        return -1;
    while (store_next(store, rows, &damage) == 1)
        add_row(numbering, rows);
    sqlite3_finalize(rows);
    for (size_t i = 0; i < numbering->expected_count; ++i)
        if (!has(numbering, &numbering->expected[i]))
            add(numbering, 0, &numbering->expected[i]);
    device_info_number(numbering->devices, numbering->count);
    return 0;
}

static const struct device_info *find(const struct numbering *numbering, int64_t id)
{
    for (size_t i = 0; i < numbering->count; ++i)
        if (numbering->ids[i] == id)
            return &numbering->devices[i];
    return NULL;
}

int store_number_device(struct store *store, bool first, struct store_device *device, struct error *error)
{
    const struct device_info *numbered = first ? NULL : find(&store->numbering, device->id);

    if (numbered == NULL && read_all(store, error) != 0)
        return -1;
    numbered = find(&store->numbering, device->id);
    if (numbered == NULL)
        return 0;
    device->info.number = numbered->number;
    device->info.pci_shared = numbered->pci_shared;
    device->info.uuid_shared = numbered->uuid_shared;
    return 0;
}

void store_free_numbering(struct store *store)
{
    free(store->numbering.ids);
    free(store->numbering.devices);
    store->numbering = (struct numbering){.count = 0};
}
