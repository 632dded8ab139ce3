#include "report/pairing.h"

#include "base/alloc.h"
#include "core/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

NAMING_DEFINE(pairing, enum pairing, PAIRING_COUNT, "match", "same", "uuid", "pci", "name", "left", "none");

/* The devices of a run file, and the host if all its runs are of one. */
struct side {
    struct device_info *devices;
    bool *paired;
    size_t count;
    char host[512];
    bool hosts_differ;
};

static int take_host(void *context, const struct store_run *run)
{
    struct side *side = context;

    side->hosts_differ = side->hosts_differ || (side->host[0] != '\0' && strcmp(side->host, run->host) != 0);
    snprintf(side->host, sizeof side->host, "%s", run->host);
    return 0;
}

static int read_side(struct store *store, struct side *side, struct error *error)
{
    struct store_device stored = {.id = 0};
    int found;

    while ((found = store_next_device(store, &stored, error)) == 1) {
        GROW(side->devices, side->count);
        side->devices[side->count++] = stored.info;
    }
    if (found < 0 || store_each_run(store, take_host, side, error) != 0)
        return -1;
    side->paired = xcalloc(side->count + 1, sizeof *side->paired);
    return 0;
}

static void free_side(struct side *side)
{
    free(side->devices);
    free(side->paired);
}

static void add_pair(struct device_pairs *pairs, size_t before, size_t after, enum pairing by)
{
    GROW(pairs->pairs, pairs->count);
    pairs->pairs[pairs->count++] = (struct device_pair){before, after, by};
}

static void pair(struct device_pairs *pairs, struct side *old, size_t before, struct side *new, size_t after,
                 enum pairing by)
{
    old->paired[before] = true;
    new->paired[after] = true;
    add_pair(pairs, before, after, by);
}

/* --- what the user says --- */

enum { NAMES_LISTED = 3, NAMES_BYTES = NAMES_LISTED * 64 + 24 };

/* The devices that are left, "'a', 'b' and 3 more"; or "nothing". */
static const char *names_left(const struct side *side, char text[NAMES_BYTES])
{
    size_t listed = 0;

    text[0] = '\0';
    for (size_t i = 0; i < side->count; ++i)
        if (!side->paired[i] && ++listed <= NAMES_LISTED)
            text_list(text, NAMES_BYTES, ", ", "'%.60s'", DEVICE_LABEL_OF(&side->devices[i]));
    if (listed > NAMES_LISTED)
        text_append(text, NAMES_BYTES, " and %zu more", listed - NAMES_LISTED);
    return listed > 0 ? text : "nothing";
}

/* Its whole name, or else the only one that answers to the selector. */
static size_t find_named(const struct side *side, const char *name)
{
    size_t found = DEVICE_MISSING, answers = 0;

    for (int whole = 1; whole >= 0 && answers == 0; --whole)
        for (size_t i = 0; i < side->count; ++i) {
            const struct device_info *info = &side->devices[i];
            if (side->paired[i] || (whole ? strcmp(info->name, name) != 0 : !device_info_matches(info, name)))
                continue;
            found = i;
            ++answers;
        }
    return answers == 1 ? found : DEVICE_MISSING;
}

static int no_such_device(const char *match, const struct side *old, const struct side *new, struct error *error)
{
    char before[NAMES_BYTES], after[NAMES_BYTES];

    return error_set(
        error, STATUS_USAGE,
        "--match %.60s: expected OLD=NEW, each the name of one device; left are %s in the first run, %s in the second",
        match, names_left(old, before), names_left(new, after));
}

/* A name may have an equals sign of its own: the first that parts two devices is the one. */
static int pair_match(struct device_pairs *pairs, struct side *old, struct side *new, const char *match,
                      struct error *error)
{
    char name[512];

    for (const char *sign = strchr(match, '='); sign != NULL; sign = strchr(sign + 1, '=')) {
        snprintf(name, sizeof name, "%.*s", (int)(sign - match), match);
        const size_t before = find_named(old, name), after = find_named(new, sign + 1);
        if (before != DEVICE_MISSING && after != DEVICE_MISSING) {
            pair(pairs, old, before, new, after, PAIRING_MATCH);
            return 0;
        }
    }
    return no_such_device(match, old, new, error);
}

/* --- which devices may be one --- */

/*
 * What a name says of the device, without what is said of the driver: what stands in brackets, as the versions that
 * Mesa has there, and of a CPU what PoCL puts in front of its name, "pthread-skylake-avx512-". *length: its bytes.
 */
static const char *model_of(const struct device_info *info, size_t *length)
{
    const char *model = info->name;
    const size_t whole = strcspn(model, "([");

    *length = whole > 0 ? whole : strlen(model);
    for (size_t i = 0; i + 1 < *length && info->kind == DEVICE_CPU;)
        if (model[i++] == '-') {
            model += i;
            *length -= i;
            i = 0;
        }
    while (*length > 0 && model[*length - 1] == ' ')
        *length -= 1;
    return model;
}

/* They may be one device by two versions of a driver. */
static bool alike(const struct device_info *a, const struct device_info *b)
{
    size_t length, other;
    const char *model = model_of(a, &length), *model_b = model_of(b, &other);

    return a->kind == b->kind && strcmp(a->platform, b->platform) == 0 && length == other &&
           strncasecmp(model, model_b, length) == 0;
}

/* --- what is the same --- */

static bool same_uuid(const struct device_info *a, const struct device_info *b)
{
    return device_info_has_uuid(a) && strcmp(a->uuid, b->uuid) == 0;
}

static bool same_pci(const struct device_info *a, const struct device_info *b)
{
    return a->pci[0] != '\0' && strcmp(a->pci, b->pci) == 0 && alike(a, b);
}

static bool same_names(const struct device_info *a, const struct device_info *b)
{
    return strcmp(a->platform, b->platform) == 0 && strcmp(a->name, b->name) == 0;
}

static bool same_name(const struct device_info *a, const struct device_info *b)
{
    return strcmp(a->name, b->name) == 0;
}

static const struct rule {
    enum pairing by;
    bool (*same)(const struct device_info *a, const struct device_info *b);
} rules_of_sameness[] = {
    {PAIRING_SAME, device_info_same}, {PAIRING_UUID, same_uuid}, {PAIRING_PCI, same_pci},
    {PAIRING_NAME, same_names},       {PAIRING_NAME, same_name},
};

static bool same_host(const struct side *old, const struct side *new)
{
    return strcmp(old->host, new->host) == 0 && !old->hosts_differ && !new->hosts_differ;
}

static void pair_same(struct device_pairs *pairs, struct side *old, struct side *new, const struct rule *rule)
{
    if (rule->by == PAIRING_PCI && !same_host(old, new))
        return;
    for (size_t i = 0; i < old->count; ++i)
        for (size_t j = 0; j < new->count && !old->paired[i]; ++j)
            if (!new->paired[j] && rule->same(&old->devices[i], &new->devices[j]))
                pair(pairs, old, i, new, j, rule->by);
}

/* --- what is left --- */

/* How many are left, if all of them have the same names; else 0. */
static size_t left_alike(const struct side *side)
{
    const struct device_info *first = NULL;
    size_t count = 0;

    for (size_t i = 0; i < side->count; ++i) {
        if (side->paired[i])
            continue;
        first = first != NULL ? first : &side->devices[i];
        if (!same_names(first, &side->devices[i]))
            return 0;
        ++count;
    }
    return count;
}

static bool in_order(const struct device_info *a, const struct device_info *b)
{
    (void)a;
    (void)b;
    return true;
}

static const struct device_info *first_left(const struct side *side)
{
    size_t i = 0;
    while (i < side->count && side->paired[i])
        ++i;
    return i < side->count ? &side->devices[i] : NULL;
}

static int refuse_left(const struct side *old, const struct side *new, bool unlike, struct error *error)
{
    char names[NAMES_BYTES], others[NAMES_BYTES];

    return error_set(
        error, STATUS_USAGE,
        unlike ? "the runs are of different devices, %s and %s; gridlock compare --other-device compares them "
                 "all the same"
               : "no device of one run is known to be one of the other; pair them with --match OLD=NEW: "
                 "%s in the first run, %s in the second",
        names_left(old, names), names_left(new, others));
}

static int pair_left(struct device_pairs *pairs, struct side *old, struct side *new, const struct pairing_rules *rules,
                     struct error *error)
{
    static const struct rule of_order = {PAIRING_LEFT, in_order};
    const size_t count = left_alike(old);
    const bool as_many = count > 0 && count == left_alike(new);
    const bool may_be = as_many && (rules->other_device || alike(first_left(old), first_left(new)));

    if (may_be && !rules->strict) {
        pair_same(pairs, old, new, &of_order);
        return 0;
    }
    if (pairs->count == 0 || may_be)
        return refuse_left(old, new, as_many && !may_be, error);
    for (size_t i = 0; i < old->count; ++i)
        if (!old->paired[i])
            add_pair(pairs, i, DEVICE_MISSING, PAIRING_NONE);
    for (size_t i = 0; i < new->count; ++i)
        if (!new->paired[i])
            add_pair(pairs, DEVICE_MISSING, i, PAIRING_NONE);
    return 0;
}

/* A missing one is behind all others. */
static int by_place(const void *a, const void *b)
{
    const struct device_pair *one = a, *other = b;

    if (one->before != other->before)
        return one->before < other->before ? -1 : 1;
    return one->after < other->after ? -1 : one->after > other->after;
}

static int pair_all(struct device_pairs *pairs, struct side *old, struct side *new, const struct pairing_rules *rules,
                    struct error *error)
{
    for (size_t i = 0; i < rules->match_count; ++i)
        if (pair_match(pairs, old, new, rules->matches[i], error) != 0)
            return -1;
    for (size_t i = 0; i < sizeof rules_of_sameness / sizeof *rules_of_sameness; ++i)
        pair_same(pairs, old, new, &rules_of_sameness[i]);
    if (pair_left(pairs, old, new, rules, error) != 0)
        return -1;
    qsort(pairs->pairs, pairs->count, sizeof *pairs->pairs, by_place);
    return 0;
}

static int pair_sides(struct store *before, struct side *new, const struct pairing_rules *rules,
                      struct device_pairs *pairs, struct error *error)
{
    struct side old = {.count = 0};
    int result = read_side(before, &old, error);

    if (result == 0)
        result = pair_all(pairs, &old, new, rules, error);
    free_side(&old);
    return result;
}

int pair_devices(struct store *before, struct store *after, const struct pairing_rules *rules,
                 struct device_pairs *pairs, struct error *error)
{
    struct side new = {.count = 0};
    int result = read_side(after, &new, error);

    *pairs = (struct device_pairs){.count = 0};
    if (result == 0)
        result = pair_sides(before, &new, rules, pairs, error);
    free_side(&new);
    return result;
}

int pair_devices_with(struct store *before, const struct device_info *devices, size_t count,
                      const struct pairing_rules *rules, struct device_pairs *pairs, struct error *error)
{
    struct side new = {.devices = xcalloc(count + 1, sizeof *devices), .paired = xcalloc(count + 1, 1), .count = count};

    *pairs = (struct device_pairs){.count = 0};
    memcpy(new.devices, devices, count * sizeof *devices);
    const int result = pair_sides(before, &new, rules, pairs, error);
    free_side(&new);
    return result;
}

void device_pairs_fini(struct device_pairs *pairs)
{
    free(pairs->pairs);
    *pairs = (struct device_pairs){.count = 0};
}
