/*
 * The keys of a scenario file: this table drives parsing, limits, defaults, what `gridlock check` says, and
 * the reference page.
 */
#pragma once

#include "scenario/ini.h"
#include "scenario/scenario.h"

enum key_kind { KEY_TEXT, KEY_NAME, KEY_FLAG, KEY_AXIS };

/* Which kernels an axis is for: those launched over groups, those launched over a range of work-items, or all. */
enum launched { LAUNCHED_ALL, LAUNCHED_GROUPS, LAUNCHED_RANGE };

struct key {
    const char *section;
    const char *name;
    enum key_kind kind;
    bool required;
    bool is_number;      /* of an axis: a trial has its value in struct axis_numbers */
    size_t offset, size; /* of a text or a flag, in struct scenario; the offset of a number there */
    enum axis_kind axis;
    enum launched of;
    int64_t least, most;  /* of an axis of numbers */
    const char *words;    /* of an axis of words; of a flag the one that sets it */
    const char *standard; /* of an axis */
    const char *about;
};

/* Section by section, as the reference page shows them. */
enum { SCENARIO_KEYS_MOST = 64 };
extern const struct key scenario_keys[];
extern const size_t scenario_key_count;

/* The key of an axis; NULL: there is no such axis of every kernel. */
const struct key *key_find_axis(const char *name);

/* Returns the member that has the axis's value, or NULL. */
uint32_t *key_number(const struct key *key, struct axis_numbers *numbers);

/* The kernel is launched in the way that the key is for. */
bool key_is_for(const struct key *key, const struct kernel_entry *entry);

/* --- axes: their values, as they stand in the file, and whether they are such as the kernel takes --- */

/* All return 0, or -1 with STATUS_USAGE. */

/* Takes a line of [sweep]: a new axis, or more values of the last one. */
int axes_take(struct scenario *scenario, const struct ini_pair *pair, struct error *error);

/* Axes that were not given have one value, the default. The kernel is known, as it is below. */
int axes_add_defaults(struct scenario *scenario, struct error *error);

/*
 * Says of each axis what kind of values it has, and checks them. `kernel_line`: where the kernel is named, which
 * defaults are the fault of.
 */
int axes_check(struct scenario *scenario, unsigned kernel_line, struct error *error);
