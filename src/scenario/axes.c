#include "scenario/keys.h"

#include "core/text.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

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

/* --- values --- */

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

/* --- axes --- */

/* A new axis, at the end. */
static struct axis_text *new_axis(struct scenario *scenario, const char *name, unsigned line, struct error *error)
{
    if (scenario->axis_count == SCENARIO_AXES || strlen(name) >= ENTRY_WORD) {
        error_set(error, STATUS_USAGE, "%.40s: unknown key, or too many keys (see gridlock check --reference)", name);
        return NULL;
    }
    struct axis_text *axis = &scenario->axes[scenario->axis_count++];
    *axis = (struct axis_text){.line = line, .option = -1, .parameter = -1};
    snprintf(axis->name, sizeof axis->name, "%s", name);
    return axis;
}

int axes_take(struct scenario *scenario, const struct ini_pair *pair, struct error *error)
{
    const struct axis_text *given = scenario_axis(scenario, pair->key);

    if (given != NULL && !pair->goes_on)
        return error_set(error, STATUS_USAGE, "%s is given twice, first in line %u", pair->key, given->line);
    struct axis_text *axis =
        given != NULL ? &scenario->axes[given - scenario->axes] : new_axis(scenario, pair->key, pair->line, error);
    return axis == NULL ? -1 : add_items(axis, pair->value, error);
}

/* One that was not given; `text` is a list, or one value. */
static int add_default(struct scenario *scenario, const char *name, const char *text, bool list, struct error *error)
{
    if (scenario_axis(scenario, name) != NULL)
        return 0;
    struct axis_text *axis = new_axis(scenario, name, 0, error);
    if (axis == NULL)
        return -1;
    return list ? add_items(axis, text, error) : add_item(axis, text, strlen(text), error);
}

int axes_add_defaults(struct scenario *scenario, struct error *error)
{
    const struct kernel_entry *entry = &scenario->entry;
    int result = 0;

    for (size_t i = 0; i < scenario_key_count && result == 0; ++i)
        if (scenario_keys[i].standard != NULL && key_is_for(&scenario_keys[i], entry))
            result = add_default(scenario, scenario_keys[i].name, scenario_keys[i].standard, true, error);
    for (size_t i = 0; i < entry->option_count && result == 0; ++i)
        result = add_default(scenario, entry->options[i].name, entry->options[i].values[0], false, error);
    for (size_t i = 0; i < entry->parameter_count && result == 0; ++i)
        result = add_default(scenario, entry->parameters[i].name, entry->parameters[i].standard, false, error);
    return result;
}

/* --- what the kernel says to them --- */

static int unknown_axis(const struct scenario *scenario, const struct axis_text *axis, struct error *error)
{
    char own[300] = "", common[200] = "";

    for (size_t i = 0; i < scenario->entry.option_count; ++i)
        text_append(own, sizeof own, " %s", scenario->entry.options[i].name);
    for (size_t i = 0; i < scenario->entry.parameter_count; ++i)
        text_append(own, sizeof own, " %s", scenario->entry.parameters[i].name);
    for (size_t i = 0; i < scenario_key_count; ++i)
        if (scenario_keys[i].kind == KEY_AXIS && key_is_for(&scenario_keys[i], &scenario->entry))
            text_append(common, sizeof common, " %s", scenario_keys[i].name);
    return error_set(error, STATUS_USAGE, "%s:%u: unknown key '%s' in [sweep]: kernel %s has%s; every kernel has%s",
                     scenario->file, axis->line, axis->name, scenario->kernel,
                     own[0] != '\0' ? own : " none of its own", common);
}

/* Says what kind of values the axis has. */
static int classify(struct scenario *scenario, struct axis_text *axis, struct error *error)
{
    const struct key *key = key_find_axis(axis->name);
    const struct entry_option *option = entry_option_find(&scenario->entry, axis->name);
    const struct entry_parameter *parameter = entry_parameter_find(&scenario->entry, axis->name);

    if (key == NULL && option == NULL && parameter == NULL)
        return unknown_axis(scenario, axis, error);
    if (key != NULL && !key_is_for(key, &scenario->entry))
        return error_set(error, STATUS_USAGE, "%s:%u: %s does not apply: kernel %s is launched over %s", scenario->file,
                         axis->line, axis->name, scenario->kernel,
                         key->of == LAUNCHED_RANGE ? "groups (use groups and local-size)"
                                                   : "a range of work-items (use shape and edge)");
    if (key != NULL) {
        axis->kind = key->axis;
        axis->least = key->least;
        axis->most = key->most;
        return 0;
    }
    axis->kind = option != NULL ? AXIS_WORD : AXIS_NUMBER;
    if (option != NULL) {
        axis->option = (int)(option - scenario->entry.options);
    } else {
        axis->parameter = (int)(parameter - scenario->entry.parameters);
        axis->least = parameter->least;
        axis->most = parameter->most;
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

static int check_word(const struct scenario *scenario, const struct axis_text *axis, const char *item,
                      struct error *error)
{
    char allowed[ENTRY_VALUES * (ENTRY_WORD + 1)] = "";
    const struct key *key = key_find_axis(axis->name);

    if (axis->option >= 0)
        for (size_t i = 0; i < scenario->entry.options[axis->option].count; ++i)
            text_list(allowed, sizeof allowed, " ", "%s", scenario->entry.options[axis->option].values[i]);
    else
        snprintf(allowed, sizeof allowed, "%s", key->words);
    if (is_listed(allowed, item))
        return 0;
    return error_set(error, STATUS_USAGE, "%s = %s: expected one of %s", axis->name, item, allowed);
}

/*
 * What needs a device to have a value is checked when there is one. The limit, and with it groups, depend on the build.
 */
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
        return error_set(error, STATUS_USAGE, "%s = %s: expected %" PRId64 " to %" PRId64, axis->name, item,
                         axis->least, axis->most);
    return 0;
}

static int check_item(const struct scenario *scenario, const struct axis_text *axis, const char *item,
                      struct error *error)
{
    struct nd_range ignored;

    if (!axis_is_word(axis))
        return check_number(axis, item, error);
    if (axis->kind != AXIS_SHAPE)
        return check_word(scenario, axis, item, error);
    if (nd_range_parse_shape(item, &ignored))
        return 0;
    return error_set(error, STATUS_USAGE,
                     "%s = %s: expected a shape such as 64, 16x16 or 8x8x4 (1 to 65536 work-items), driver-1d, "
                     "driver-2d or driver-3d",
                     axis->name, item);
}

/* Of what kind they are is known. */
static int check_items(const struct scenario *scenario, const struct axis_text *axis, struct error *error)
{
    for (size_t i = 0; i < axis->count; ++i)
        if (check_item(scenario, axis, axis->items[i], error) != 0)
            return axis->line == 0 ? error_context(error, "kernel %s", scenario->kernel) : -1;
    for (size_t i = 0; i < axis->count; ++i)
        if (axis->kind == AXIS_DIALECT && axis->count > 1 && strcmp(axis->items[i], "all") == 0)
            return error_set(error, STATUS_USAGE, "%s: expected all, or a list of other values", axis->name);
    return 0;
}

int axes_check(struct scenario *scenario, unsigned kernel_line, struct error *error)
{
    for (size_t i = 0; i < scenario->axis_count; ++i) {
        struct axis_text *axis = &scenario->axes[i];
        if (classify(scenario, axis, error) != 0)
            return -1;
        if (check_items(scenario, axis, error) != 0)
            return error_context(error, "%s:%u", scenario->file, axis->line > 0 ? axis->line : kernel_line);
    }
    return 0;
}
