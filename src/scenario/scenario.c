#include "scenario/scenario.h"

#include "core/cause.h"
#include "core/source.h"
#include "core/tally.h"
#include "core/trial.h"
#include "scenario/expectation.h"
#include "scenario/ini.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum key_kind { KEY_TEXT, KEY_NAME, KEY_LIVE, KEY_AXIS };

/* Which kernels an axis is for: those launched over groups, those launched over a range of work-items, or all. */
enum launched { LAUNCHED_ALL, LAUNCHED_GROUPS, LAUNCHED_RANGE };

/*
 * The keys of a scenario file: this table drives parsing, limits, defaults, what `gridlock check` says, and
 * the reference page.
 */
static const struct key {
    const char *section;
    const char *name;
    enum key_kind kind;
    bool required;
    size_t offset, size; /* of a text, in struct scenario */
    enum axis_kind axis;
    enum launched of;
    int64_t least, most;  /* of an axis of numbers */
    const char *words;    /* of an axis of words */
    const char *standard; /* of an axis */
    const char *about;
} keys[] = {
#define TEXT(member) .offset = offsetof(struct scenario, member), .size = sizeof(((struct scenario *)0)->member)
    {"scenario", "kernel", KEY_NAME, .required = true, TEXT(kernel),
     .about = "the kernel: the name of a .cl file, beside the scenario file or one that gridlock carries"},
    {"scenario", "purpose", KEY_TEXT, .required = true, TEXT(purpose), .about = "the question, in a few words"},
    {"scenario", "teaches", KEY_TEXT, .required = true, TEXT(teaches),
     .about = "one sentence: what waits for whom, and why it stalls above the limit"},
    {"scenario", "live", KEY_LIVE, .about = "only: no fuse can end it, so that it is run only with --live"},
    {"sweep", "groups", KEY_AXIS, .required = true, .axis = AXIS_GROUPS, .of = LAUNCHED_GROUPS, .least = 1,
     .most = 1 << 20, .about = "work-groups that are launched"},
    {"sweep", "local-size", KEY_AXIS, .axis = AXIS_NUMBER, .of = LAUNCHED_GROUPS, .least = 1, .most = 1 << 16,
     .standard = "64", .about = "work-items in a group"},
    {"sweep", "shape", KEY_AXIS, .required = true, .axis = AXIS_SHAPE, .of = LAUNCHED_RANGE,
     .words = "W WxH WxHxD driver-1d driver-2d driver-3d",
     .about = "work-items in a group of a kernel that is launched over a range of work-items, in one, two or three "
              "dimensions; driver: left to it"},
    {"sweep", "edge", KEY_AXIS, .axis = AXIS_WORD, .of = LAUNCHED_RANGE, .words = "padded ragged", .standard = "padded",
     .about = "a range that is no multiple of the shape is rounded up, or launched as it is"},
    {"sweep", "dialect", KEY_AXIS, .axis = AXIS_DIALECT, .words = "best all cl30 cl12 ptx", .standard = "best",
     .about = "spelling of atomics and fences; best: the one that was probed as such"},
    {"sweep", "poll", KEY_AXIS, .axis = AXIS_WORD, .words = "load pause rmw volatile", .standard = "load",
     .about = "how a word is polled: by an atomic load, the same after a pause of about 100 ns (dialect ptx), a "
              "read-modify-write or a volatile read"},
    {"sweep", "registers", KEY_AXIS, .axis = AXIS_NUMBER, .least = 0, .most = 255, .standard = "0",
     .about = "most registers of a work-item, by an option of NVIDIA's compiler; 0: as many as it likes"},
    {"sweep", "rounds", KEY_AXIS, .axis = AXIS_NUMBER, .least = 0, .most = 1000000, .standard = "3",
     .about = "how often a launch repeats what the kernel is for"},
    {"sweep", "iterations", KEY_AXIS, .axis = AXIS_NUMBER, .least = 1, .most = 1000000, .standard = "3",
     .about = "launches of each point"},
    {"sweep", "fuse", KEY_AXIS, .axis = AXIS_NUMBER, .of = LAUNCHED_GROUPS, .least = 0, .most = UINT32_MAX - 1,
     .standard = "0",
     .about = "polls after which a group gives up and ends the launch; 0: as many as the device allows"},
    {"sweep", "seed", KEY_AXIS, .axis = AXIS_NUMBER, .least = 0, .most = UINT32_MAX, .standard = "1",
     .about = "of data, delays, and what a kernel draws by lot"},
    {"sweep", "jitter", KEY_AXIS, .axis = AXIS_NUMBER, .least = 0, .most = 1 << 24, .standard = "0",
     .about = "the longest delay drawn by lot, once a round, in polls"},
    {"sweep", "uneven", KEY_AXIS, .axis = AXIS_NUMBER, .least = 0, .most = 1 << 24, .standard = "0",
     .about = "delay once a round, in polls, times the group's id modulo 8"},
    {"sweep", "burners", KEY_AXIS, .axis = AXIS_NUMBER, .least = 0, .most = 64, .standard = "0",
     .about = "threads of the host that keep its processors busy meanwhile"},
    {"sweep", "held", KEY_AXIS, .axis = AXIS_NUMBER, .least = 0, .most = 65536, .standard = "0",
     .about = "groups of a second queue that stay resident meanwhile"},
    {"sweep", "traffic", KEY_AXIS, .axis = AXIS_NUMBER, .least = 0, .most = 1024, .standard = "0",
     .about = "memory that those groups stream through, in MiB"},
    {"expect", "verdict", KEY_TEXT, .required = true, TEXT(verdict),
     .about = "the verdicts that a point may have: VERDICT or VERDICT when CONDITION and CONDITION; VERDICT otherwise"},
    {"expect", "cause", KEY_TEXT, TEXT(cause),
     .about = "the causes that its failed launches may have, by a rule of the same form: CAUSE when CONDITION; ..."},
#undef TEXT
};
enum { KEYS = sizeof keys / sizeof *keys };

struct parsing {
    struct scenario *scenario;
    unsigned lines[KEYS]; /* where each key stands; 0: it was not given */
};

/* --- lists --- */

static int add_item(struct axis_text *axis, const char *item, size_t length, struct error *error)
{
    while (length > 0 && isspace((unsigned char)*item))
        ++item, --length;
    while (length > 0 && isspace((unsigned char)item[length - 1]))
        --length;
    if (length == 0)
        return error_set(error, STATUS_USAGE, "%s: an empty value between commas", axis->name);
    if (length >= AXIS_ITEM_BYTES || axis->count == AXIS_ITEMS)
        return error_set(error, STATUS_USAGE, "%s: at most %d values of %d characters are allowed", axis->name,
                         AXIS_ITEMS, AXIS_ITEM_BYTES - 1);
    snprintf(axis->items[axis->count++], AXIS_ITEM_BYTES, "%.*s", (int)length, item);
    return 0;
}

/* Items are separated by commas; a line may end with one. Commas within brackets belong to an expression. */
static int add_items(struct axis_text *axis, const char *text, struct error *error)
{
    const char *begin = text;
    int depth = 0;

    for (const char *at = text;; ++at) {
        depth += (*at == '(') - (*at == ')');
        if (*at != '\0' && (*at != ',' || depth > 0))
            continue;
        const bool last = *at == '\0';
        if (!(last && begin != text && strspn(begin, " \t") == strlen(begin)) &&
            add_item(axis, begin, (size_t)(at - begin), error) != 0)
            return -1;
        if (last)
            return 0;
        begin = at + 1;
    }
}

/* --- keys --- */

static int add_text(char *text, size_t size, const char *value, struct error *error)
{
    const size_t used = strlen(text);
    const int length = snprintf(text + used, size - used, "%s%s", used > 0 ? " " : "", value);
    if ((size_t)length >= size - used)
        return error_set(error, STATUS_USAGE, "the text is longer than %zu bytes", size - 1);
    return 0;
}

static int take_name(char *name, size_t size, const char *value, struct error *error)
{
    for (const char *at = value; *at != '\0'; ++at)
        if (!isalnum((unsigned char)*at) && *at != '_')
            return error_set(error, STATUS_USAGE, "kernel '%.60s': letters, digits and _ are allowed", value);
    if (value[0] == '\0' || strlen(value) >= size)
        return error_set(error, STATUS_USAGE, "kernel '%.60s': 1 to %zu characters are allowed", value, size - 1);
    memcpy(name, value, strlen(value) + 1);
    return 0;
}

static struct axis_text *axis_of(struct scenario *scenario, const char *name)
{
    for (size_t i = 0; i < scenario->axis_count; ++i)
        if (strcmp(scenario->axes[i].name, name) == 0)
            return &scenario->axes[i];
    return NULL;
}

/* The kernel is launched in the way that the key is for. */
static bool is_for(const struct key *key, const struct kernel_entry *entry)
{
    return key->of == LAUNCHED_ALL || (key->of == LAUNCHED_RANGE) == entry_has_range(entry);
}

/* A new axis, at the end. */
static struct axis_text *new_axis(struct scenario *scenario, const char *name, unsigned line, struct error *error)
{
    if (scenario->axis_count == SCENARIO_AXES || strlen(name) >= ENTRY_WORD) {
        error_set(error, STATUS_USAGE, "%.40s: no such key, or too many keys: see gridlock check --reference", name);
        return NULL;
    }
    struct axis_text *axis = &scenario->axes[scenario->axis_count++];
    *axis = (struct axis_text){.line = line, .option = -1, .parameter = -1};
    snprintf(axis->name, sizeof axis->name, "%s", name);
    return axis;
}

static int take_axis(struct scenario *scenario, const struct ini_pair *pair, struct error *error)
{
    struct axis_text *axis = axis_of(scenario, pair->key);

    if (axis != NULL && !pair->goes_on)
        return error_set(error, STATUS_USAGE, "%s was there before, in line %u: it is allowed once", pair->key,
                         axis->line);
    if (axis == NULL)
        axis = new_axis(scenario, pair->key, pair->line, error);
    return axis == NULL ? -1 : add_items(axis, pair->value, error);
}

static int take_known(struct parsing *parsing, const struct key *key, const struct ini_pair *pair, struct error *error)
{
    struct scenario *scenario = parsing->scenario;
    unsigned *line = &parsing->lines[key - keys];
    char *text = (char *)scenario + key->offset;

    if (*line != 0 && !pair->goes_on)
        return error_set(error, STATUS_USAGE, "%s was there before, in line %u: it is allowed once", pair->key, *line);
    if (*line == 0)
        *line = pair->line;
    switch (key->kind) {
    case KEY_TEXT:
        return add_text(text, key->size, pair->value, error);
    case KEY_NAME:
        if (pair->goes_on)
            return error_set(error, STATUS_USAGE, "%s: one name, in one line, is allowed", pair->key);
        return take_name(text, key->size, pair->value, error);
    case KEY_LIVE:
        scenario->live_only = true;
        return strcmp(pair->value, "only") == 0
                   ? 0
                   : error_set(error, STATUS_USAGE, "live = %.40s: only 'only' is allowed", pair->value);
    case KEY_AXIS:
        return take_axis(scenario, pair, error);
    }
    return -1;
}

static int take_pair(void *context, const struct ini_pair *pair, struct error *error)
{
    struct parsing *parsing = context;
    bool section = false;

    for (size_t i = 0; i < KEYS; ++i) {
        section = section || strcmp(keys[i].section, pair->section) == 0;
        if (strcmp(keys[i].section, pair->section) == 0 && strcmp(keys[i].name, pair->key) == 0)
            return take_known(parsing, &keys[i], pair, error);
    }
    if (!section)
        return error_set(error, STATUS_USAGE, "section [%.40s]: [scenario], [sweep] and [expect] are allowed",
                         pair->section);
    if (strcmp(pair->section, "sweep") == 0)
        return take_axis(parsing->scenario, pair, error); /* the kernel's own, it is hoped */
    return error_set(error, STATUS_USAGE, "unknown key '%.40s' in [%s]: see gridlock check --reference", pair->key,
                     pair->section);
}

/* --- what the kernel says to it --- */

static int at_line(const struct scenario *scenario, unsigned line, struct error *error)
{
    return error_context(error, "%s:%u", scenario->file, line);
}

static const struct key *find_axis_key(const char *name)
{
    for (size_t i = 0; i < KEYS; ++i)
        if (keys[i].kind == KEY_AXIS && strcmp(keys[i].name, name) == 0)
            return &keys[i];
    return NULL;
}

static int unknown_axis(const struct scenario *scenario, const struct axis_text *axis, struct error *error)
{
    char known[400] = "";
    size_t used = 0;
    for (size_t i = 0; i < scenario->entry.option_count && used < sizeof known; ++i)
        used += (size_t)snprintf(known + used, sizeof known - used, " %s", scenario->entry.options[i].name);
    for (size_t i = 0; i < scenario->entry.parameter_count && used < sizeof known; ++i)
        used += (size_t)snprintf(known + used, sizeof known - used, " %s", scenario->entry.parameters[i].name);
    return error_set(error, STATUS_USAGE,
                     "%s:%u: unknown key '%s' in [sweep]: kernel %s has%s; every kernel has %s dialect poll registers "
                     "rounds iterations seed jitter uneven burners held traffic",
                     scenario->file, axis->line, axis->name, scenario->kernel,
                     known[0] != '\0' ? known : " none of its own",
                     entry_has_range(&scenario->entry) ? "shape edge" : "groups local-size");
}

/* A kernel's own names must not hide what every kernel has, nor what expressions call by name. */
static int check_own_name(const struct scenario *scenario, const char *name, struct error *error)
{
    static const char *const taken[] = {"resident", "compute-units", "line", "progress"};
    bool is_taken = find_axis_key(name) != NULL;

    for (size_t i = 0; i < sizeof taken / sizeof *taken; ++i)
        is_taken = is_taken || strcmp(taken[i], name) == 0;
    if (!is_taken)
        return 0;
    return error_set(error, STATUS_USAGE, "%s.cl: %s: another name is wanted: this one has a meaning in every scenario",
                     scenario->kernel, name);
}

static int check_own_names(const struct scenario *scenario, struct error *error)
{
    for (size_t i = 0; i < scenario->entry.option_count; ++i)
        if (check_own_name(scenario, scenario->entry.options[i].name, error) != 0)
            return -1;
    for (size_t i = 0; i < scenario->entry.parameter_count; ++i)
        if (check_own_name(scenario, scenario->entry.parameters[i].name, error) != 0)
            return -1;
    return 0;
}

/* Says what kind of values the axis has. */
static int classify(struct scenario *scenario, struct axis_text *axis, struct error *error)
{
    const struct key *key = find_axis_key(axis->name);

    for (size_t i = 0; i < scenario->entry.option_count; ++i)
        if (strcmp(scenario->entry.options[i].name, axis->name) == 0)
            axis->option = (int)i;
    for (size_t i = 0; i < scenario->entry.parameter_count; ++i)
        if (strcmp(scenario->entry.parameters[i].name, axis->name) == 0)
            axis->parameter = (int)i;
    if (key == NULL && axis->option < 0 && axis->parameter < 0)
        return unknown_axis(scenario, axis, error);
    if (key != NULL && !is_for(key, &scenario->entry))
        return error_set(error, STATUS_USAGE, "%s:%u: %s: kernel %s is launched over %s are allowed", scenario->file,
                         axis->line, axis->name, scenario->kernel,
                         key->of == LAUNCHED_RANGE ? "groups: groups and local-size"
                                                   : "a range of work-items: shape and edge");
    if (key != NULL) {
        axis->kind = key->axis;
        axis->least = key->least;
        axis->most = key->most;
        return 0;
    }
    axis->kind = axis->option >= 0 ? AXIS_WORD : AXIS_NUMBER;
    if (axis->parameter >= 0) {
        axis->least = scenario->entry.parameters[axis->parameter].least;
        axis->most = scenario->entry.parameters[axis->parameter].most;
    }
    return 0;
}

/* Axes that were not given have one value, the default. */
static int add_defaults(struct scenario *scenario, struct error *error)
{
    const struct kernel_entry *entry = &scenario->entry;
    struct axis_text *axis;

    for (size_t i = 0; i < KEYS; ++i) {
        if (keys[i].standard == NULL || axis_of(scenario, keys[i].name) != NULL || !is_for(&keys[i], entry))
            continue;
        if ((axis = new_axis(scenario, keys[i].name, 0, error)) == NULL ||
            add_items(axis, keys[i].standard, error) != 0)
            return -1;
    }
    for (size_t i = 0; i < entry->option_count; ++i) {
        if (axis_of(scenario, entry->options[i].name) != NULL)
            continue;
        if ((axis = new_axis(scenario, entry->options[i].name, 0, error)) == NULL ||
            add_items(axis, entry->options[i].values[0], error) != 0)
            return -1;
    }
    for (size_t i = 0; i < entry->parameter_count; ++i) {
        if (axis_of(scenario, entry->parameters[i].name) != NULL)
            continue;
        if ((axis = new_axis(scenario, entry->parameters[i].name, 0, error)) == NULL ||
            add_item(axis, entry->parameters[i].standard, strlen(entry->parameters[i].standard), error) != 0)
            return -1;
    }
    return 0;
}

static bool is_listed(const char *words, const char *word)
{
    const size_t length = strlen(word);
    if (strpbrk(word, " \t") != NULL)
        return false; /* several words, which may stand in the list side by side */
    for (const char *at = words; (at = strstr(at, word)) != NULL; at += length)
        if ((at == words || at[-1] == ' ') && (at[length] == ' ' || at[length] == '\0'))
            return true;
    return false;
}

static bool has_item(const struct axis_text *axis, const char *item)
{
    for (size_t i = 0; i < axis->count; ++i)
        if (strcmp(axis->items[i], item) == 0)
            return true;
    return false;
}

static int check_word(const struct scenario *scenario, const struct axis_text *axis, const char *item,
                      struct error *error)
{
    char allowed[ENTRY_VALUES * (ENTRY_WORD + 1)] = "";
    const struct key *key = find_axis_key(axis->name);
    size_t used = 0;

    if (axis->option >= 0)
        for (size_t i = 0; i < scenario->entry.options[axis->option].count; ++i)
            used += (size_t)snprintf(allowed + used, sizeof allowed - used, "%s%s", i > 0 ? " " : "",
                                     scenario->entry.options[axis->option].values[i]);
    else
        snprintf(allowed, sizeof allowed, "%s", key->words);
    if (is_listed(allowed, item))
        return 0;
    return error_set(error, STATUS_USAGE, "%s = %s: one of %s is allowed", axis->name, item, allowed);
}

/* What needs a device to have a value is checked when there is one. The limit, and with it groups, depend on the build. */
static int check_number(const struct axis_text *axis, const char *item, struct error *error)
{
    static const struct variable variables[] = {
        {"compute-units", 0, false}, {"resident", 0, false}, {"groups", 0, false}};
    const struct scope scope = {variables, axis_is_of_build(axis) ? 1 : axis->kind == AXIS_GROUPS ? 2 : 3};
    int64_t value;

    const int outcome = expression_evaluate(item, &scope, &value, error);
    if (outcome < 0)
        return error_context(error, "%s", axis->name);
    if (outcome == 0 && (value < axis->least || value > axis->most))
        return error_set(error, STATUS_USAGE, "%s = %s: %" PRId64 " to %" PRId64 " is allowed", axis->name, item,
                         axis->least, axis->most);
    return 0;
}

static int check_shape(const struct axis_text *axis, const char *item, struct error *error)
{
    struct nd_range ignored;
    if (nd_range_parse_shape(item, &ignored))
        return 0;
    return error_set(error, STATUS_USAGE,
                     "%s = %s: 64, 16x16, 8x8x4 (1 to 65536 work-items), driver-1d, driver-2d or driver-3d is allowed",
                     axis->name, item);
}

static int check_item(const struct scenario *scenario, const struct axis_text *axis, const char *item,
                      struct error *error)
{
    switch (axis->kind) {
    case AXIS_WORD:
    case AXIS_DIALECT:
        return check_word(scenario, axis, item, error);
    case AXIS_SHAPE:
        return check_shape(axis, item, error);
    case AXIS_GROUPS:
    case AXIS_NUMBER:
        break;
    }
    return check_number(axis, item, error);
}

/* `kernel_line`: where the kernel is named, which defaults are the fault of. */
static int check_axis(struct scenario *scenario, struct axis_text *axis, unsigned kernel_line, struct error *error)
{
    const unsigned line = axis->line > 0 ? axis->line : kernel_line;

    if (classify(scenario, axis, error) != 0)
        return -1;
    for (size_t i = 0; i < axis->count; ++i) {
        if (check_item(scenario, axis, axis->items[i], error) != 0) {
            if (axis->line == 0)
                error_context(error, "kernel %s", scenario->kernel);
            return at_line(scenario, line, error);
        }
    }
    if (axis->kind == AXIS_DIALECT && axis->count > 1 && has_item(axis, "all")) {
        error_set(error, STATUS_USAGE, "%s: all, or a list of others, is allowed", axis->name);
        return at_line(scenario, line, error);
    }
    return 0;
}

static int check_rule(const struct scenario *scenario, struct error *error)
{
    struct variable variables[SCENARIO_AXES + 3] = {
        {"resident", 0, false}, {"compute-units", 0, false}, {"local-size", 0, false}};
    struct word words[SCENARIO_AXES];
    struct circumstances circumstances = {.numbers = {variables, 3}, .words = words};
    uint32_t ignored;

    for (size_t i = 0; i < scenario->axis_count; ++i) {
        const struct axis_text *axis = &scenario->axes[i];
        if (axis_is_word(axis))
            words[circumstances.word_count++] = (struct word){axis->name, axis->items[0]};
        else
            variables[circumstances.numbers.count++] = (struct variable){axis->name, 0, false};
    }
    if (expectation_evaluate(scenario->verdict, &circumstances, &verdict_naming, &ignored, error) != 0)
        return at_line(scenario, scenario->verdict_line, error);
    if (scenario->cause[0] != '\0' &&
        expectation_evaluate(scenario->cause, &circumstances, &cause_naming, &ignored, error) != 0)
        return at_line(scenario, scenario->cause_line, error);
    return 0;
}

static int load_entry(struct scenario *scenario, struct error *error)
{
    char file[64];
    snprintf(file, sizeof file, "%s.cl", scenario->kernel);
    char *text = source_read(scenario->folder[0] != '\0' ? scenario->folder : NULL, file, error);
    if (text == NULL)
        return -1;
    int outcome = entry_parse(text, file, &scenario->entry, error);
    scenario->digest ^= tally_hash(text);
    free(text);
    if (outcome == 0 && scenario->entry.checks[0] == '\0' && scenario->entry.result_count == 0)
        outcome = error_set(error, STATUS_USAGE, "kernel %s has neither checks nor a result: nothing could be verified",
                            scenario->kernel);
    return outcome;
}

/* What each kernel's expressions give is tried once, with small numbers. */
static int try_entry(const struct scenario *scenario, struct error *error)
{
    static const struct variable variables[] = {{"groups", 4, true},   {"local-size", 4, true},
                                                {"rounds", 3, true},   {"compute-units", 2, true},
                                                {"resident", 4, true}, {"line", 32, true}};
    const struct scope scope = {variables, sizeof variables / sizeof *variables};
    struct entry_choice choice = {.range = {.dimensions = 1, .local = {64, 1, 1}}};
    struct workload work = {0};

    for (size_t i = 0; i < scenario->entry.parameter_count; ++i)
        if (expression_evaluate(scenario->entry.parameters[i].standard, &scope, &choice.parameters[i], error) != 0)
            return error_context(error, "kernel %s, param %s", scenario->kernel, scenario->entry.parameters[i].name);
    return entry_resolve(&scenario->entry, &choice, &scope, &work, error);
}

/* `axes`: those that the kernel must have; else all other keys. */
static int require(const struct parsing *parsing, bool axes, struct error *error)
{
    for (size_t i = 0; i < KEYS; ++i) {
        const struct key *key = &keys[i];
        if ((key->kind == KEY_AXIS) != axes || (axes && !is_for(key, &parsing->scenario->entry)))
            continue;
        if (key->required && parsing->lines[i] == 0)
            return error_set(error, STATUS_USAGE, "%s:1: [%s] has no %s: %s", parsing->scenario->file, key->section,
                             key->name, key->about);
        if (key->required && key->kind == KEY_TEXT && ((const char *)parsing->scenario)[key->offset] == '\0')
            return error_set(error, STATUS_USAGE, "%s:%u: %s has no value: %s", parsing->scenario->file,
                             parsing->lines[i], key->name, key->about);
    }
    return 0;
}

static void take_file_name(struct scenario *scenario, const char *file, const char *folder)
{
    const char *slash = strrchr(file, '/');
    const char *stem = slash != NULL ? slash + 1 : file;
    snprintf(scenario->file, sizeof scenario->file, "%s", file);
    snprintf(scenario->folder, sizeof scenario->folder, "%s", folder);
    snprintf(scenario->name, sizeof scenario->name, "%.*s", (int)strcspn(stem, "."), stem);
}

int scenario_parse(const char *text, size_t length, const char *file, const char *folder, struct scenario *scenario,
                   struct error *error)
{
    struct parsing parsing = {.scenario = scenario};

    memset(scenario, 0, sizeof *scenario);
    take_file_name(scenario, file, folder);
    scenario->digest = tally_hash_bytes(text, length) * 31; /* so that the two do not cancel each other out */
    if (ini_read(text, length, file, take_pair, &parsing, error) != 0 || require(&parsing, false, error) != 0)
        return -1;
    for (size_t i = 0; i < KEYS; ++i) {
        if (keys[i].offset == offsetof(struct scenario, verdict))
            scenario->verdict_line = parsing.lines[i];
        else if (keys[i].offset == offsetof(struct scenario, cause))
            scenario->cause_line = parsing.lines[i];
    }
    if (load_entry(scenario, error) != 0 || check_own_names(scenario, error) != 0)
        return at_line(scenario, parsing.lines[0], error);
    if (require(&parsing, true, error) != 0)
        return -1;
    if (add_defaults(scenario, error) != 0)
        return at_line(scenario, 1, error);
    for (size_t i = 0; i < scenario->axis_count; ++i)
        if (check_axis(scenario, &scenario->axes[i], parsing.lines[0], error) != 0)
            return -1;
    if (try_entry(scenario, error) != 0)
        return at_line(scenario, parsing.lines[0], error);
    return check_rule(scenario, error);
}

int scenario_load(const char *path, struct scenario *scenario, struct error *error)
{
    char folder[256];
    const char *slash = strrchr(path, '/');
    size_t length = 0;
    int outcome = -1;
    FILE *file = fopen(path, "re");
    char *text = malloc(INI_FILE_BYTES + 1);

    if (file == NULL || text == NULL) {
        error_set(error, STATUS_USAGE, "cannot open scenario file %s: %s", path, strerror(errno));
        goto out;
    }
    length = fread(text, 1, INI_FILE_BYTES + 1, file);
    if (ferror(file)) {
        error_set(error, STATUS_USAGE, "cannot read scenario file %s: %s", path, strerror(errno));
        goto out;
    }
    const int written = slash != NULL ? snprintf(folder, sizeof folder, "%.*s", (int)(slash - path + 1), path)
                                      : snprintf(folder, sizeof folder, ".");
    if (written >= (int)sizeof folder || strlen(path) >= sizeof scenario->file)
        error_set(error, STATUS_USAGE, "the path of scenario file %.60s... is too long: %zu bytes are allowed", path,
                  sizeof folder - 1);
    else
        outcome = scenario_parse(text, length, path, folder, scenario, error);
out:
    free(text);
    if (file != NULL)
        fclose(file);
    return outcome;
}

int scenario_find(const char *name, const char *folder, struct scenario *scenario, struct error *error)
{
    char path[128];

    for (const struct scenario_file *file = scenario_files; file->name != NULL; ++file) {
        if (strlen(file->name) != strlen(name) + 4 || strncmp(file->name, name, strlen(name)) != 0)
            continue;
        snprintf(path, sizeof path, "scenarios/%s", file->name);
        return scenario_parse(file->text, strlen(file->text), path, folder, scenario, error);
    }
    return error_set(error, STATUS_USAGE, "there is no scenario %.60s: gridlock list shows those that there are", name);
}

bool axis_is_of_build(const struct axis_text *axis)
{
    return axis_is_word(axis) || strcmp(axis->name, "local-size") == 0 || strcmp(axis->name, "registers") == 0;
}

bool axis_is_word(const struct axis_text *axis)
{
    return axis->kind == AXIS_WORD || axis->kind == AXIS_DIALECT || axis->kind == AXIS_SHAPE;
}

const struct axis_text *scenario_axis(const struct scenario *scenario, const char *name)
{
    for (size_t i = 0; i < scenario->axis_count; ++i)
        if (strcmp(scenario->axes[i].name, name) == 0)
            return &scenario->axes[i];
    return NULL;
}

/* Writes `text` in lines of at most 100 columns, those after the first indented; returns at the last line's end. */
static void print_wrapped(FILE *out, const char *text, int indent)
{
    enum { COLUMNS = 100 };
    int column = indent;

    for (const char *at = text; *at != '\0';) {
        const int length = (int)strcspn(at, " ");
        if (column > indent && column + 1 + length > COLUMNS)
            column = fprintf(out, "\n%*s", indent, "") - 1;
        column += fprintf(out, "%s%.*s", column > indent ? " " : "", length, at);
        at += length;
        at += strspn(at, " ");
    }
}

static void print_key(FILE *out, const struct key *key)
{
    char text[512];
    const char *standard = key->standard;

    if (key->kind != KEY_AXIS)
        snprintf(text, sizeof text, "%s%s", key->about, key->required ? " (required)" : "");
    else if (key->words != NULL)
        snprintf(text, sizeof text, "%s (one of %s%s%s)", key->about, key->words,
                 standard != NULL ? "; default " : "; required", standard != NULL ? standard : "");
    else
        snprintf(text, sizeof text, "%s (%" PRId64 " to %" PRId64 "%s%s)", key->about, key->least, key->most,
                 standard != NULL ? "; default " : ", required", standard != NULL ? standard : "");
    fprintf(out, "%-10s ", key->name);
    print_wrapped(out, text, 11);
    fputc('\n', out);
}

void scenario_print_reference(FILE *out)
{
    const char *section = "";
    for (size_t i = 0; i < KEYS; ++i) {
        if (strcmp(section, keys[i].section) != 0)
            fprintf(out, "%s[%s]\n", i > 0 ? "\n" : "", keys[i].section);
        section = keys[i].section;
        print_key(out, &keys[i]);
    }
}
