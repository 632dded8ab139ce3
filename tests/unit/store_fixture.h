/* A folder for each test of the run file, and the rows that the tests write. */
#pragma once

#include "store/store.h"

#include <check.h>
#include <ftw.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char base[64];
static char folder[80];
static char path[96];
static struct error error;

static const struct store_run run = {
    .uuid = "12345678-1234-4abc-8def-123456789abc",
    .tool_version = "0.1.0",
    .folder = "/home/somebody",
    .command = "limits",
    .command_line = "limits -o run.db",
    .host = "Linux 6.1 x86_64 node",
    .environment = "POCL_DEVICES=cpu\n",
    .origin = "0123456789abcdef",
    .started_ms = 1700000000123,
};

static const struct trial census = {
    .footprint = {.local_size = 64, .private_bytes = 12, .local_memory_bytes = UINT64_C(5000000000)},
    .kind = TRIAL_CENSUS,
    .groups = 4000000000,
    .rounds = 3,
    .repeats = 20,
    .enough_stalls = 2,
    .gap_ns = 11,
    .proven_groups = 7,
    .suspect_ns = 12,
    .confirm_ns = 13,
    .close_ns = UINT64_MAX,
    .live = true,
};
static const struct trial barrier = {.footprint = {.local_size = 1}, .kind = TRIAL_BARRIER, .groups = 4};

static const struct store_launch passed = {.observation = {.outcome = OUTCOME_ENDED,
                                                           .groups = 4,
                                                           .board_read = true,
                                                           .started = 4,
                                                           .done = 4,
                                                           .witnesses = 4,
                                                           .waitfor = WAITFOR_NOTHING,
                                                           .duration_ns = 1},
                                           .verdict = VERDICT_PASS};

static const struct store_launch starved = {
    .observation = {.outcome = OUTCOME_KILLED,
                    .groups = 101,
                    .board_read = true,
                    .judged = true,
                    .confirmed = true,
                    .relapsed = true,
                    .started = 102,
                    .waiting = 103,
                    .done = 104,
                    .late = 105,
                    .counted = 106,
                    .witnesses = 107,
                    .ended_stop = 108,
                    .ended_idle = 109,
                    .ended_total = 110,
                    .ended_cut = 111,
                    .busy_total = 112,
                    .stop = 113,
                    .waitfor = {0, 114, WAITFOR_NOBODY, 118, true, 119, 120, WAITFOR_NOBODY, 122, 121},
                    .duration_ns = UINT64_C(1) << 63,
                    .device_ns = 115,
                    .handover_ps = 123,
                    .gap_ns = 116,
                    .close_ns = 117,
                    .polls = UINT32_MAX,
                    .code = -36},
    .verdict = VERDICT_STARVED,
    .cause = CAUSE_OCCUPANCY};

static const struct store_launch crashed = {
    .observation = {.outcome = OUTCOME_CRASHED, .groups = 4, .waitfor = WAITFOR_NOTHING, .duration_ns = 9, .code = 11},
    .verdict = VERDICT_CRASH};

static inline void make_base(void)
{
    const char *temporary = getenv("TMPDIR");
    if (temporary == NULL || strlen(temporary) >= 40) /* each transaction would wait for a disk */
        temporary = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp";
    snprintf(base, sizeof base, "%s/store-XXXXXX", temporary);
    ck_assert_ptr_nonnull(mkdtemp(base));
}

/* For each test a folder of its own; remove_base, which runs even if a test fails, removes them all. */
static inline void set_up(void)
{
    snprintf(folder, sizeof folder, "%s/XXXXXX", base);
    ck_assert_ptr_nonnull(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/run.db", folder);
    memset(&error, 0, sizeof error);
}

static inline int remove_entry(const char *name, const struct stat *status, int type, struct FTW *place)
{
    (void)status;
    (void)type;
    (void)place;
    return remove(name);
}

static inline void remove_base(void)
{
    ck_assert_int_eq(nftw(base, remove_entry, 8, FTW_DEPTH | FTW_PHYS), 0);
}

static inline struct store *create(void)
{
    struct store *store = NULL;
    ck_assert_msg(store_create(path, &run, &store, &error) == 0, "%s", error.text);
    return store;
}

static inline struct store *reopen(struct store *store)
{
    struct store *opened = NULL;
    store_close(store);
    ck_assert_msg(store_open(path, &opened, &error) == 0, "%s", error.text);
    return opened;
}

static inline int64_t add_device(struct store *store)
{
    struct store_device device = {.info = {.name = "some device"}};
    ck_assert_msg(store_add_device(store, &device, &error) == 0, "%s", error.text);
    return device.id;
}

static inline int64_t begin(struct store *store, int64_t device, uint32_t sequence, const struct trial *trial)
{
    int64_t row = 0;
    ck_assert_msg(store_begin_trial(store, device, sequence, trial, NULL, &row, &error) == 0, "%s", error.text);
    return row;
}

/* Another process's view of the file, without the store. Locks are not waited for. */
static inline int execute(const char *sql)
{
    sqlite3 *database;
    int code = sqlite3_open_v2(path, &database, SQLITE_OPEN_READWRITE, NULL);
    ck_assert_int_eq(code, SQLITE_OK);
    code = sqlite3_exec(database, sql, NULL, NULL, NULL);
    sqlite3_close(database);
    return code;
}

/* The single value that the query gives, as text; "NULL" for NULL. */
static inline const char *query(const char *sql)
{
    static char text[256];
    sqlite3 *database;
    sqlite3_stmt *statement;
    const unsigned char *value;

    ck_assert_int_eq(sqlite3_open_v2(path, &database, SQLITE_OPEN_READONLY, NULL), SQLITE_OK);
    ck_assert_msg(sqlite3_prepare_v2(database, sql, -1, &statement, NULL) == SQLITE_OK, "%s", sqlite3_errmsg(database));
    ck_assert_int_eq(sqlite3_step(statement), SQLITE_ROW);
    value = sqlite3_column_text(statement, 0);
    snprintf(text, sizeof text, "%s", value != NULL ? (const char *)value : "NULL");
    sqlite3_finalize(statement);
    sqlite3_close(database);
    return text;
}

/* What a callback has seen. */
struct seen {
    struct store_device devices[4];
    struct store_trial trials[4]; /* pointers in it are dead, but for the copies below */
    struct store_launch launches[4];
    uint32_t *board;
    uint32_t samples[4];
    char note[64];
    int count;
    int stop_at; /* 0: never */
};

/* The devices of the store, in `seen`: 0, or -1. */
static inline int read_devices(struct store *store, struct seen *seen)
{
    struct store_device device = {.id = 0};
    int found;

    while ((found = store_next_device(store, &device, &error)) == 1) {
        ck_assert_int_lt(seen->count, 4);
        seen->devices[seen->count++] = device;
    }
    return found;
}

static inline int take_trial(void *context, const struct store_trial *trial)
{
    struct seen *seen = context;
    ck_assert_int_lt(seen->count, 4);
    ck_assert_uint_le(trial->count, 4);
    seen->trials[seen->count++] = *trial;
    for (uint32_t i = 0; i < trial->count; ++i)
        seen->launches[i] = trial->launches[i];
    if (trial->board != NULL) {
        free(seen->board);
        seen->board = malloc(trial->board_words * sizeof *seen->board);
        ck_assert_ptr_nonnull(seen->board);
        memcpy(seen->board, trial->board, trial->board_words * sizeof *seen->board);
    }
    ck_assert_uint_le(trial->samples_words, 4);
    if (trial->samples != NULL)
        memcpy(seen->samples, trial->samples, trial->samples_words * sizeof *seen->samples);
    snprintf(seen->note, sizeof seen->note, "%s", trial->note);
    return seen->count == seen->stop_at ? 42 : 0;
}

/* A value that no version writes, and the column that has it. */
struct spoiler {
    const char *sql;
    const char *column;
};

/* The trial of this device is refused once it is spoilt. Closes the store. */
static inline void assert_spoilt(struct store *store, int64_t device, const struct spoiler *spoiler)
{
    struct seen seen = {.count = 0};
    char column[64];

    ck_assert_int_eq(execute(spoiler->sql), SQLITE_OK);
    ck_assert_int_eq(
        store_each_trial(store, &(struct store_walk){device, 0, .take = take_trial, .context = &seen}, &error), -1);
    ck_assert_int_eq(error.status, STATUS_HARNESS);
    ck_assert_int_eq(seen.count, 0);
    snprintf(column, sizeof column, "column %s of", spoiler->column);
    ck_assert_msg(strstr(error.text, column) != NULL, "%s", error.text);
    store_close(store);
}

static inline void read_trials(struct store *store, int64_t device, struct seen *seen)
{
    memset(seen, 0, sizeof *seen);
    ck_assert_msg(
        store_each_trial(store, &(struct store_walk){device, 0, .take = take_trial, .context = seen}, &error) == 0,
        "%s", error.text);
}

/* Runs the case, to which `add` adds the tests. */
static inline int fixture_run(const char *name, void (*add)(TCase *tests))
{
    Suite *suite = suite_create(name);
    TCase *tests = tcase_create(name);
    SRunner *runner;
    int failed;

    tcase_add_unchecked_fixture(tests, make_base, remove_base);
    tcase_add_checked_fixture(tests, set_up, NULL);
    tcase_set_timeout(tests, 0); /* how long a test takes says nothing about the code */
    add(tests);
    suite_add_tcase(suite, tests);
    runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
