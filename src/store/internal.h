/*
 * What the files of the store share. A row is a struct, and a table of columns says which of its
 * members is stored under which name and how; the schema and all statements are made from that table, so a
 * column is named once.
 */
#pragma once

#include "store/store.h"

#include <sqlite3.h>

/* The devices of the file as they were last read, and those that are to come (store_expect_devices). */
struct numbering {
    int64_t *ids; /* 0: still to come */
    struct device_info *devices;
    size_t count;
    const struct device_info *expected;
    size_t expected_count;
};

struct store {
    struct numbering numbering;
    sqlite3 *database;
    char *path;  /* as the user gave it, for messages */
    char *draft; /* name of the file until it is complete, or NULL */
    bool held;   /* since store_hold */
};

enum { STORE_APPLICATION = 0x47524c4b }; /* PRAGMA application_id: "GRLK" */

/* Generated at build time from the folder sql; `name` is NULL at the end. */
struct store_script {
    const char *name, *text;
};
extern const struct store_script store_scripts[];

/* The text of a script that is there. */
const char *store_script_text(const char *name);

/* Opens a file that exists; it is not read yet. Messages call it `path`. */
int store_connect(const char *file, const char *path, struct store **opened, struct error *error);

extern const char store_writing[]; /* what a connection that writes is set to */

/*
 * A draft with empty tables, or with those of a run that it signs. Without a signature it is no run file, and it has
 * its name only when it is published. So whoever is killed meanwhile leaves nothing under that name. STATUS_USAGE if a
 * file of that name exists; nothing replaces it. Publishing and discarding close the draft.
 */
int store_create_draft(const char *path, const struct store_run *run, struct store **store, struct error *error);
int store_publish(struct store *store, struct error *error);
void store_discard(struct store *store);
int store_sign(struct store *store, struct error *error);

/* Inserts what a new run was asked. */
int store_write_asked(struct store *store, const struct store_run *run, struct error *error);

/* Words of a board, or of its samples. */
struct words {
    const uint32_t *items;
    size_t count;
    const struct packed *packed; /* the same, to be written as it is; or NULL */
};

enum kind {
    KIND_BOOL,
    KIND_U8,
    KIND_U16,
    KIND_I32,
    KIND_U32,
    KIND_I64,
    KIND_U64,
    KIND_CHARS,  /* char array */
    KIND_STRING, /* const char * */
    KIND_WORDS,  /* struct words */
    KIND_NAME,   /* an enum, stored as the value's name */
    KIND_SET,    /* bits of an enum's values, stored as their names, "pass or stale"; the empty one is NULL */
    KIND_RATE,   /* struct whole, stored as its rate, "stale <= 1/200"; NULL without a rate */
};

/* Which value, beside that of an unknown member, is stored as NULL. */
enum absent {
    ABSENT_NEVER,
    ABSENT_IN_JSON, /* never; but JSON has null for 0 */
    ABSENT_ZERO,    /* 0, or an empty text */
    ABSENT_NOBODY,  /* WAITFOR_NOBODY */
};

/* What shows a column beside the file; each includes those before it. */
enum shown {
    SHOWN_NOT,
    SHOWN_IN_POINTS, /* reports of scenarios keep it of the launch that gave a point its verdict, for their texts */
    SHOWN_IN_JSON,
};

struct column {
    const char *name;
    const char *says;   /* what it means, for people who query the file; or NULL. Names of values are added to it. */
    const char *part;   /* what the columns from this one on are about, for them; or NULL */
    bool is_later;      /* files of before it was added lack it, where it is as if it were NULL */
    const char *refers; /* to which column of another table, or NULL */
    size_t offset;
    size_t size;
    const struct naming *naming; /* for KIND_NAME and KIND_SET; of a number: JSON has the names of its bits */
    enum kind kind;
    enum shown shown;
    const char *key;     /* in JSON, if that is not its name */
    uint32_t divided_by; /* in JSON; 0: it is there as it is */
    enum absent absent;
    size_t known; /* offset of a bool: while it is false the column is NULL; 0: always known */
};

struct table {
    const char *name;
    const char *says;
    const struct column *columns;
    size_t count;
    const struct table *rest; /* the rest of its columns, or NULL */
    const char *numbered;     /* rows have an id, the primary key, which means this; or NULL */
    const char *keys;         /* what follows the columns in its definition */
};

/* The rows that are more than one struct of the interface. */

struct device_row {
    struct store_device device;
    char estimators[64];           /* of the options, as stored */
    char given[SEARCH_GIVEN * 11]; /* of the options, as stored; 10 digits and a comma each */
};

struct trial_row {
    int64_t device;
    struct store_trial stored; /* its texts may be NULL */
    bool of_scenario;
    bool of_range;
    bool of_block;
    bool of_lot; /* a block whose mapping has a seed */
    bool of_subject;
    bool built; /* of a subject */
    bool found; /* of a promise */
    const char *rungs;
    const char *stderr_tail;
};

struct launch_row {
    int64_t trial;
    uint32_t launch;
    uint32_t rules;
    struct store_launch stored;
    struct words board;
    char alike[17]; /* the board is that of table board with this code; "": its own, or no board was kept */
    struct words samples;
};

struct schedule_row {
    int64_t trial;
    struct schedule_kept kept; /* its turns are these: */
    struct words turns;
};

struct proof_row {
    int64_t trial;
    struct words result;
};

struct sighting_row {
    int64_t trial;
    struct sighting seen;
};

struct sighted_row {
    int64_t trial;
    uint32_t place;
    struct sighted seen;
};

struct test_row {
    int64_t trial;
    struct store_test stored;
    bool stopped;                        /* it stalled, or it was undecided: its state is known */
    char positions[4 * MAPPING_THREADS]; /* of the state, as stored */
};

extern const struct table store_run_table;         /* of struct store_run */
extern const struct table store_asked_table;       /* of struct store_asked */
extern const struct table store_source_table;      /* of struct store_source */
extern const struct table store_share_table;       /* of struct store_share */
extern const struct table store_asserted_table;    /* of struct store_asserted */
extern const struct table store_device_table;      /* of struct device_row */
extern const struct table store_begun_table;       /* of struct trial_row: what is known when it begins */
extern const struct table store_ended_table;       /* of struct trial_row: what is known when it ends */
extern const struct table store_observation_table; /* of struct launch_row */
extern const struct table store_verdict_table;     /* of struct launch_row */
extern const struct table store_schedule_table;    /* of struct schedule_row */
extern const struct table store_proof_table;       /* of struct proof_row */
extern const struct table store_sighting_table;    /* of struct sighting_row */
extern const struct table store_sighted_table;     /* of struct sighted_row */
extern const struct table store_litmus_table;      /* of struct test_row */

/* Sets `error` to "cannot `what` 'path': ..." for an SQLite result code; returns -1. */
int store_fail(const struct store *store, int code, const char *what, struct error *error);

/* Prepares what `sql` has gathered, and frees it in any case. */
int store_prepare(struct store *store, sqlite3_str *sql, sqlite3_stmt **statement, struct error *error);
int store_prepare_text(struct store *store, const char *sql, sqlite3_stmt **statement, struct error *error);

/* Runs statements that give no rows. */
int store_execute(struct store *store, const char *sql, struct error *error);
int store_execute_built(struct store *store, char *sql, struct error *error); /* frees it; NULL: memory was short */

/* Begins a transaction, unless one is held. */
int store_transact(struct store *store, struct error *error);

/*
 * Ends it: commits it, unless it is held, if `result` is 0; otherwise undoes it. Returns 0 only if it was not undone.
 */
int store_finish(struct store *store, int result, struct error *error);

/* Steps to the next row. Returns 1, 0 behind the last row, or -1 on error. */
int store_next(struct store *store, sqlite3_stmt *statement, struct error *error);

/* Prepares "SELECT key, <the table's columns> <rest>". */
int store_prepare_select(struct store *store, const char *key, const struct table *table, const char *rest,
                         sqlite3_stmt **statement, struct error *error);

/*
 * Appends what "SELECT <the columns> <rest>" gives to an array that is empty or grew by this; `rows` is the address of
 * the pointer to its items of `size` bytes, and `key`, unless NULL, the text that the statement takes.
 */
int store_read_rows(struct store *store, const struct table *table, size_t size, const char *rest, const char *key,
                    void *rows, size_t *count, struct error *error);

/* Binds the one or two numbers that such a statement takes. */
int store_start(struct store *store, sqlite3_stmt *statement, int64_t first, int64_t second, struct error *error);

/* Sets the number of a device that was read, the first of a walk or another one; the file has its id. */
int store_number_device(struct store *store, bool first, struct store_device *device, struct error *error);
void store_free_numbering(struct store *store);

/*
 * Large boards that are alike, of which the file has one (board.c): the trial's is noted there, unless one is, and
 * launch->alike is set instead of launch->board; and reads it back.
 */
int store_share_board(struct store *store, int64_t trial_row, const struct store_end *end, struct launch_row *launch,
                      struct error *error);
int store_read_shared(struct store *store, struct trial_row *trial, struct launch_row *launch, struct error *error);

int store_write_proof(struct store *store, int64_t trial_row, const struct words *proof, struct error *error);
int store_write_sighting(struct store *store, int64_t trial_row, const struct sighting *sighting, struct error *error);
int store_write_schedule(struct store *store, int64_t trial_row, const struct schedule_kept *kept, struct error *error);

/* The tests of a block: inserts those of an ended trial, and adds them to one that is read. */
int store_write_tests(struct store *store, int64_t trial_row, const struct store_end *end, struct error *error);
int store_read_tests(struct store *store, struct trial_row *trial, struct error *error);

/* Creates the tables of an empty file. */
int store_create_tables(struct store *store, struct error *error);

/* Older files lack tables of what was not kept then: 1, 0, or -1. */
int store_has_table(struct store *store, const char *database, const struct table *table, struct error *error);

bool column_may_be_null(const struct column *column);

/* The value of a member: of a text (or NULL), and of a number, a bool or a name. */
const char *member_text(const struct column *column, const void *member);
int64_t member_integer(const struct column *column, const void *member);

/* The table of this database ("main") is of an older file, and lacks the column. */
bool store_lacks(struct store *store, const char *database, const struct table *table, const struct column *column);

/* Adds to the tables of an older file the columns that they lack. */
int store_add_later(struct store *store, struct error *error);

/* Appends "a, b, c", the names of the table's columns, each followed by `suffix`. */
void row_append_names(sqlite3_str *sql, const struct table *table, const char *suffix);

int row_prepare_insert(struct store *store, const struct table *table, sqlite3_stmt **statement, struct error *error);

/* Binds the row to the parameters from 1; returns an SQLite result code. */
int row_bind(sqlite3_stmt *statement, const struct table *table, const void *row);

/* Binds the row to a statement of row_prepare_insert and runs it. */
int row_insert(struct store *store, sqlite3_stmt *statement, const struct table *table, const void *row,
               struct error *error);

/* Inserts one row, and gives its id, unless `id` is NULL. */
int row_insert_one(struct store *store, const struct table *table, const void *row, int64_t *id, struct error *error);

/* Reads result columns from `first` on into a zeroed row; row_free frees what it allocates there. */
int row_read(struct store *store, sqlite3_stmt *statement, int first, const struct table *table, void *row,
             struct error *error);
void row_free(const struct table *table, void *row);
