#include "scenario/scenario.h"

#include "base/file.h"
#include "base/source.h"
#include "base/tally.h"
#include "scenario/keys.h"

#include <ctype.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

struct parsing {
    struct scenario *scenario;
    unsigned lines[SCENARIO_KEYS_MOST]; /* where each key stands; 0: it was not given */
};

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
            return error_set(error, STATUS_USAGE, "kernel '%.60s': only letters, digits and _ are allowed", value);
    if (value[0] == '\0' || strlen(value) >= size)
        return error_set(error, STATUS_USAGE, "kernel '%.60s': expected 1 to %zu characters", value, size - 1);
    memcpy(name, value, strlen(value) + 1);
    return 0;
}

static int take_known(struct parsing *parsing, const struct key *key, const struct ini_pair *pair, struct error *error)
{
    struct scenario *scenario = parsing->scenario;
    unsigned *line = &parsing->lines[key - scenario_keys];
    char *text = (char *)scenario + key->offset;

    if (*line != 0 && !pair->goes_on)
        return error_set(error, STATUS_USAGE, "%s is given twice, first in line %u", pair->key, *line);
    if (*line == 0)
        *line = pair->line;
    switch (key->kind) {
    case KEY_TEXT:
        return add_text(text, key->size, pair->value, error);
    case KEY_NAME:
        if (pair->goes_on)
            return error_set(error, STATUS_USAGE, "%s: expected one name on one line", pair->key);
        return take_name(text, key->size, pair->value, error);
    case KEY_FLAG:
        *(bool *)text = true;
        return strcmp(pair->value, key->words) == 0
                   ? 0
                   : error_set(error, STATUS_USAGE, "%s = %.40s: expected '%s'", key->name, pair->value, key->words);
    case KEY_AXIS:
        return axes_take(scenario, pair, error);
    }
    return -1;
}

static int take_pair(void *context, const struct ini_pair *pair, struct error *error)
{
    struct parsing *parsing = context;
    bool section = false;

    for (size_t i = 0; i < scenario_key_count; ++i) {
        section = section || strcmp(scenario_keys[i].section, pair->section) == 0;
        if (strcmp(scenario_keys[i].section, pair->section) == 0 && strcmp(scenario_keys[i].name, pair->key) == 0)
            return take_known(parsing, &scenario_keys[i], pair, error);
    }
    if (!section)
        return error_set(error, STATUS_USAGE, "unknown section [%.40s] (expected [scenario], [sweep] or [expect])",
                         pair->section);
    if (strcmp(pair->section, "sweep") == 0)
        return axes_take(parsing->scenario, pair, error); /* the kernel's own, it is hoped */
    return error_set(error, STATUS_USAGE, "unknown key '%.40s' in [%s] (see gridlock check --reference)", pair->key,
                     pair->section);
}

/* --- what the kernel says to it --- */

static int at_line(const struct scenario *scenario, unsigned line, struct error *error)
{
    return error_context(error, "%s:%u", scenario->file, line);
}

/* A kernel's own names must not hide what every kernel has, nor what expressions call by name. */
static int check_own_name(const struct scenario *scenario, const char *name, struct error *error)
{
    static const char *const taken[] = {"resident", "compute-units", "line", "progress"};
    bool is_taken = key_find_axis(name) != NULL;

    for (size_t i = 0; i < sizeof taken / sizeof *taken; ++i)
        is_taken = is_taken || strcmp(taken[i], name) == 0;
    if (!is_taken)
        return 0;
    return error_set(error, STATUS_USAGE, "%s.cl: %s: this name has a meaning in every scenario; choose another one",
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

/* Where the key stands whose text is at `offset` of the scenario. */
static unsigned line_of(const struct parsing *parsing, size_t offset)
{
    for (size_t i = 0; i < scenario_key_count; ++i)
        if (scenario_keys[i].kind == KEY_TEXT && scenario_keys[i].offset == offset)
            return parsing->lines[i];
    return 0;
}

/*
 * What a point may come to of which nothing is predicted. Where perhaps no clause applies, the file does not say
 * whether the groups find places, or get their turns; that they read old data, or wait in a circle, it would have to
 * say.
 */
static verdict_set allowed_by(const struct ruling *ruling)
{
    const verdict_set unsaid = UINT32_C(1) << VERDICT_PASS | UINT32_C(1) << VERDICT_STARVED;

    if (ruling->expected != 0)
        return 0;
    return ruling->possible | (ruling->open ? unsaid : 0);
}

int scenario_expect(const struct scenario *scenario, const struct circumstances *circumstances,
                    struct expected *expected, bool *anti_pattern, const char **fault, struct error *error)
{
    struct ruling verdict, cause, some;
    const struct {
        const char *rule;
        const struct naming *naming;
        struct ruling *ruling;
    } sets[] = {
        {scenario->verdict, &verdict_naming, &verdict},
        {scenario->cause, &cause_naming, &cause},
        {scenario->some, &verdict_naming, &some},
    };

    for (size_t i = 0; i < sizeof sets / sizeof *sets; ++i) {
        *fault = sets[i].rule;
        if (expectation_evaluate(sets[i].rule, circumstances, sets[i].naming, sets[i].ruling, error) != 0)
            return -1;
    }
    expected->verdicts = verdict.expected;
    expected->allowed = allowed_by(&verdict);
    expected->causes = cause.open ? 0 : cause.possible;
    expected->whole.some = some.expected;
    *fault = scenario->rate;
    if (expectation_evaluate_rate(scenario->rate, circumstances, &expected->whole, error) != 0)
        return -1;
    *fault = scenario->anti_pattern;
    *anti_pattern = false;
    return scenario->anti_pattern[0] != '\0'
               ? expectation_is_met(scenario->anti_pattern, circumstances, anti_pattern, error)
               : 0;
}

static int check_rules(const struct parsing *parsing, struct error *error)
{
    const struct scenario *scenario = parsing->scenario;
    struct variable variables[SCENARIO_AXES + 3] = {
        {"resident", 0, false}, {"compute-units", 0, false}, {"local-size", 0, false}};
    struct word words[SCENARIO_AXES];
    struct circumstances circumstances = {.numbers = {variables, 3}, .words = words};
    struct expected ignored;
    bool anti_pattern;
    const char *fault;

    for (size_t i = 0; i < scenario->axis_count; ++i) {
        const struct axis_text *axis = &scenario->axes[i];
        if (axis_is_word(axis))
            words[circumstances.word_count++] = (struct word){axis->name, axis->items[0]};
        else
            variables[circumstances.numbers.count++] = (struct variable){axis->name, 0, false};
    }
    if (scenario_expect(scenario, &circumstances, &ignored, &anti_pattern, &fault, error) == 0)
        return 0;
    return at_line(scenario, line_of(parsing, (size_t)(fault - (const char *)scenario)), error);
}

/* What it includes is there. */
static int try_includes(struct source_folders folders, const char *file, struct error *error)
{
    char *text = source_load(folders, file, error);

    free(text);
    return text != NULL ? 0 : -1;
}

static int load_entry(struct scenario *scenario, const char *kernel_folder, struct error *error)
{
    const struct source_folders folders = {scenario->folder, kernel_folder};
    char file[64];
    snprintf(file, sizeof file, "%s.cl", scenario->kernel);
    char *text = source_read(folders, file, error);
    if (text == NULL)
        return -1;
    int outcome = entry_parse(text, file, &scenario->entry, error);
    scenario->digest ^= tally_hash(text);
    free(text);
    if (outcome == 0)
        outcome = try_includes(folders, file, error);
    const bool verified = scenario->entry.checks[0] != '\0' || scenario->entry.result_count > 0;
    if (outcome == 0 && !verified && entry_has_range(&scenario->entry))
        outcome = error_set(error, STATUS_USAGE,
                            "kernel %s is launched over a range, where no group waits, and has neither checks nor a "
                            "result, so nothing could be verified",
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
    for (size_t i = 0; i < scenario_key_count; ++i) {
        const struct key *key = &scenario_keys[i];
        if ((key->kind == KEY_AXIS) != axes || (axes && !key_is_for(key, &parsing->scenario->entry)))
            continue;
        if (key->required && parsing->lines[i] == 0)
            return error_set(error, STATUS_USAGE, "%s:1: [%s] lacks %s: %s", parsing->scenario->file, key->section,
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

static int parse(const char *text, size_t length, const char *file, const char *folder, const char *kernel_folder,
                 struct scenario *scenario, struct error *error)
{
    struct parsing parsing = {.scenario = scenario};

    memset(scenario, 0, sizeof *scenario);
    take_file_name(scenario, file, folder);
    scenario->digest = tally_hash_bytes(text, length) * 31; /* so that the two do not cancel each other out */
    if (ini_read(text, length, file, take_pair, &parsing, error) != 0 || require(&parsing, false, error) != 0)
        return -1;
    if (load_entry(scenario, kernel_folder, error) != 0 || check_own_names(scenario, error) != 0)
        return at_line(scenario, parsing.lines[0], error);
    if (require(&parsing, true, error) != 0)
        return -1;
    if (axes_add_defaults(scenario, error) != 0)
        return at_line(scenario, 1, error);
    if (axes_check(scenario, parsing.lines[0], error) != 0)
        return -1;
    if (try_entry(scenario, error) != 0)
        return at_line(scenario, parsing.lines[0], error);
    return check_rules(&parsing, error);
}

int scenario_parse(const char *text, size_t length, const char *file, const char *folder, struct scenario *scenario,
                   struct error *error)
{
    return parse(text, length, file, folder, NULL, scenario, error);
}

int scenario_refuse_kernel(const char *path, struct error *error)
{
    return error_set(
        error, STATUS_USAGE,
        "%.200s has kernels and is no scenario; gridlock limits --source %.200s measures how many groups of them fit",
        path, path);
}

int scenario_load(const char *path, const char *kernel_folder, struct scenario *scenario, struct error *error)
{
    char folder[SUBJECT_PATH];
    const char *slash = strrchr(path, '/');
    size_t length = 0;

    if (file_is_kernel(path))
        return scenario_refuse_kernel(path, error);
    char *text = file_read(path, "scenario file", 1, &length, error);
    if (text == NULL)
        return -1;
    /* A path that could be opened has less than PATH_MAX bytes. */
    snprintf(folder, sizeof folder, "%.*s", slash != NULL ? (int)(slash - path + 1) : 1, slash != NULL ? path : ".");
    const int outcome = parse(text, length, path, folder, kernel_folder, scenario, error);
    free(text);
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
    return error_set(error, STATUS_USAGE, "unknown scenario %.60s (gridlock list shows all)", name);
}
