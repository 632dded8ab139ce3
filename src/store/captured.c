#include "store/captured.h"

#include "base/file.h"
#include "core/text.h"

#include <inttypes.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { JSON_MIB = 1 };

/* SQLite reads the JSON. */
static const char launch_query[] =
    "SELECT json_extract(?1, '$.kernel'), json_extract(?1, '$.dimensions'),"
    " json_extract(?1, '$.offset[0]'), json_extract(?1, '$.offset[1]'), json_extract(?1, '$.offset[2]'),"
    " json_extract(?1, '$.global[0]'), json_extract(?1, '$.global[1]'), json_extract(?1, '$.global[2]'),"
    " json_extract(?1, '$.local[0]'), json_extract(?1, '$.local[1]'), json_extract(?1, '$.local[2]'),"
    " json_extract(?1, '$.reached')"
    " WHERE json_valid(?1)";
static const char argument_query[] = "SELECT key, json_extract(value, '$.kind'), json_extract(value, '$.bytes'),"
                                     " json_extract(value, '$.contents'), json_extract(value, '$.shape[0]'),"
                                     " json_extract(value, '$.shape[1]'), json_extract(value, '$.shape[2]'),"
                                     " json_extract(value, '$.shape[3]'), json_extract(value, '$.shape[4]'),"
                                     " json_extract(value, '$.shape[5]'), json_extract(value, '$.shape[6]'),"
                                     " json_extract(value, '$.shares'), json_extract(value, '$.addresses')"
                                     " FROM json_each(?1, '$.arguments')";

struct reading {
    const char *folder;
    const char *json;
    sqlite3 *database;
    struct captured *captured;
};

static int refuse(const struct reading *reading, const char *why, struct error *error)
{
    return error_set(error, STATUS_USAGE, "%s is no captured launch: %s", reading->folder, why);
}

static sqlite3_stmt *prepare(const struct reading *reading, const char *query)
{
    sqlite3_stmt *statement = NULL;

    if (sqlite3_prepare_v2(reading->database, query, -1, &statement, NULL) == SQLITE_OK)
        sqlite3_bind_text(statement, 1, reading->json, -1, SQLITE_STATIC);
    return statement;
}

static int read_sizes(const struct reading *reading, sqlite3_stmt *row, struct error *error)
{
    struct captured *captured = reading->captured;
    struct nd_range *range = &captured->range;
    uint64_t groups = 1;

    range->dimensions = (uint32_t)sqlite3_column_int(row, 1);
    if (range->dimensions < 1 || range->dimensions > 3)
        return refuse(reading, "launch.json has no size of a launch", error);
    for (uint32_t i = 0; i < 3; ++i) {
        const bool there = i < range->dimensions;
        range->offset[i] = there ? (uint64_t)sqlite3_column_int64(row, 2 + (int)i) : 0;
        range->global[i] = there ? (uint64_t)sqlite3_column_int64(row, 5 + (int)i) : 1;
        range->local[i] = there ? (uint32_t)sqlite3_column_int64(row, 8 + (int)i) : 1;
        if (range->global[i] == 0 || range->global[i] > UINT32_MAX)
            return refuse(reading, "launch.json has no size of a launch", error);
        if (range->local[i] != 0)
            groups *= (range->global[i] + range->local[i] - 1) / range->local[i];
    }
    captured->groups = range->local[0] != 0 && groups <= UINT32_MAX ? (uint32_t)groups : 1;
    return 0;
}

static int read_launch(const struct reading *reading, struct error *error)
{
    struct captured *captured = reading->captured;
    sqlite3_stmt *row = prepare(reading, launch_query);
    int outcome = -1;

    if (row == NULL || sqlite3_step(row) != SQLITE_ROW || sqlite3_column_text(row, 0) == NULL) {
        refuse(reading, "launch.json is not whole", error);
    } else {
        snprintf(captured->kernel, sizeof captured->kernel, "%s", (const char *)sqlite3_column_text(row, 0));
        if (sqlite3_column_int(row, 11) > 0)
            text_list(captured->differs, sizeof captured->differs, "; ",
                      "it could reach memory that was no argument of it, and is not kept");
        outcome = read_sizes(reading, row, error);
    }
    sqlite3_finalize(row);
    return outcome;
}

/* The file that an argument's bytes are in, which has to be whole. */
static int find_bytes(const struct reading *reading, struct proof_argument *argument, struct error *error)
{
    struct stat found;

    if (snprintf(argument->file, sizeof argument->file, "%s/arg-%s.bin", reading->folder, argument->name) >=
        (int)sizeof argument->file)
        return error_set(error, STATUS_USAGE, "%.80s...: paths of at most %zu bytes are allowed", reading->folder,
                         sizeof argument->file - 16);
    if (stat(argument->file, &found) != 0 || (uint64_t)found.st_size != argument->bytes)
        return error_set(error, STATUS_USAGE, "%s is missing, or has not the %" PRIu64 " bytes that it had",
                         argument->file, argument->bytes);
    argument->fill = PROOF_FILL_FILE;
    return 0;
}

/* PROOF_ARGUMENT_KINDS: it is not kept. */
static enum proof_argument_kind kind_called(const char *name)
{
    static const struct {
        const char *name;
        enum proof_argument_kind kind;
    } kinds[] = {{"value", PROOF_ARGUMENT_NUMBER}, {"buffer", PROOF_ARGUMENT_BUFFER},
                 {"svm", PROOF_ARGUMENT_BUFFER},   {"local", PROOF_ARGUMENT_LOCAL},
                 {"image", PROOF_ARGUMENT_IMAGE},  {"sampler", PROOF_ARGUMENT_SAMPLER}};

    for (size_t i = 0; name != NULL && i < sizeof kinds / sizeof *kinds; ++i)
        if (strcmp(name, kinds[i].name) == 0)
            return kinds[i].kind;
    return PROOF_ARGUMENT_KINDS;
}

/* What is said of the columns behind those of a shape. */
static void read_differences(struct captured *captured, sqlite3_stmt *row)
{
    const int index = sqlite3_column_int(row, 0), shares = 4 + PROOF_SHAPE, addresses = shares + 1;

    if (sqlite3_column_type(row, shares) != SQLITE_NULL)
        text_list(captured->differs, sizeof captured->differs, "; ",
                  "arguments %d and %d shared memory, and each has its own now", sqlite3_column_int(row, shares),
                  index);
    if (sqlite3_column_int(row, addresses) != 0)
        text_list(captured->differs, sizeof captured->differs, "; ",
                  "argument %d has addresses of the program's memory, which lead nowhere now", index);
}

static int read_argument(const struct reading *reading, sqlite3_stmt *row, struct error *error)
{
    struct captured *captured = reading->captured;
    const char *kind = (const char *)sqlite3_column_text(row, 1);
    struct proof_argument argument = {.kind = kind_called(kind), .bytes = (uint64_t)sqlite3_column_int64(row, 2)};

    read_differences(captured, row);
    if (argument.kind == PROOF_ARGUMENT_KINDS) {
        captured->unknown += 1;
        text_list(captured->lacks, sizeof captured->lacks, ", ", "%d (%.16s)", sqlite3_column_int(row, 0),
                  kind != NULL ? kind : "");
        return 0;
    }
    if (captured->argument_count == PROOF_ARGUMENTS)
        return refuse(reading, "launch.json has too many arguments", error);
    snprintf(argument.name, sizeof argument.name, "%d", sqlite3_column_int(row, 0));
    for (int i = 0; i < PROOF_SHAPE; ++i)
        argument.shape[i] = (uint64_t)sqlite3_column_int64(row, 4 + i);
    if (argument.kind != PROOF_ARGUMENT_SAMPLER && (argument.bytes == 0 || argument.bytes > UINT32_MAX))
        return refuse(reading, "launch.json has an argument of no size", error);
    if ((argument.kind == PROOF_ARGUMENT_NUMBER || sqlite3_column_int(row, 3) != 0) &&
        find_bytes(reading, &argument, error) != 0)
        return -1;
    captured->arguments[captured->argument_count++] = argument;
    return 0;
}

static int read_arguments(const struct reading *reading, struct error *error)
{
    sqlite3_stmt *row = prepare(reading, argument_query);
    int outcome = row != NULL ? 0 : refuse(reading, "launch.json is not whole", error);

    while (outcome == 0 && sqlite3_step(row) == SQLITE_ROW)
        outcome = read_argument(reading, row, error);
    sqlite3_finalize(row);
    return outcome;
}

static int read_options(const struct reading *reading, struct error *error)
{
    struct captured *captured = reading->captured;
    char path[SUBJECT_PATH];
    size_t length;

    snprintf(path, sizeof path, "%s/options", reading->folder);
    char *text = file_read(path, "captured", JSON_MIB, &length, error);
    if (text == NULL)
        return -1;
    snprintf(captured->options, sizeof captured->options, "%s", text);
    free(text);
    return length < sizeof captured->options ? 0 : refuse(reading, "its options are too long", error);
}

int captured_read(const char *folder, struct captured *captured, struct error *error)
{
    struct reading reading = {.folder = folder, .captured = captured};
    char path[SUBJECT_PATH];
    size_t length;
    int outcome = -1;

    *captured = (struct captured){.groups = 0};
    if (snprintf(captured->source, sizeof captured->source, "%s/source.cl", folder) >= (int)sizeof captured->source ||
        snprintf(path, sizeof path, "%s/launch.json", folder) >= (int)sizeof path)
        return error_set(error, STATUS_USAGE, "%.80s...: the path is too long", folder);
    char *json = file_read(path, "captured", JSON_MIB, &length, error);
    if (json == NULL)
        return refuse(
            &reading,
            "it has no launch.json that can be read; expected a file of OpenCL C, or the folder of a captured launch",
            error);
    reading.json = json;
    if (sqlite3_open_v2(":memory:", &reading.database, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, NULL) != SQLITE_OK)
        error_set(error, STATUS_HARNESS, "no memory to read %s", path);
    else if (read_launch(&reading, error) == 0 && read_arguments(&reading, error) == 0)
        outcome = read_options(&reading, error);
    sqlite3_close(reading.database);
    free(json);
    return outcome;
}
