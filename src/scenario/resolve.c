#include "scenario/entry.h"

#include "core/text.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { VARIABLES = 32 };

struct resolver {
    const struct kernel_entry *entry;
    const struct entry_choice *choice;
    struct variable variables[VARIABLES];
    struct scope scope;
    struct workload *work;
    struct error *error;
};

static int value_of(const struct resolver *resolver, const char *text, int64_t most, int64_t *value)
{
    const int outcome = expression_evaluate(text, &resolver->scope, value, resolver->error);
    if (outcome > 0)
        return error_set(resolver->error, STATUS_USAGE, "'%s' has no value: the resident limit is unknown", text);
    if (outcome == 0 && (*value < 0 || *value > most))
        return error_set(resolver->error, STATUS_USAGE, "'%s' is %" PRId64 ": expected 0 to %" PRId64, text, *value,
                         most);
    return outcome;
}

/* --- build options --- */

/* Bytes that are kept free for what every kernel is built with: which poll, how many registers. */
enum { OPTIONS_KEPT = 56 };

static void append_define(char *options, size_t size, const char *prefix, const char *name, const char *value)
{
    size_t at = strlen(options);
    text_list(options, size, " ", "-D%s%s_%s", prefix, name, value);
    for (at += at > 0 ? 3 : 2; at < size && options[at] != '\0'; ++at)
        options[at] = (char)(options[at] == '-' ? '_' : toupper((unsigned char)options[at]));
}

static int resolve_options(struct resolver *resolver)
{
    const struct kernel_entry *entry = resolver->entry;
    char *options = resolver->work->options;
    const size_t size = sizeof resolver->work->options;

    options[0] = '\0';
    for (size_t i = 0; i < entry->option_count; ++i)
        append_define(options, size, "", entry->options[i].name, entry->options[i].values[resolver->choice->values[i]]);
    for (size_t i = 0; i < entry->parameter_count; ++i) {
        append_define(options, size, "PARAM", "", entry->parameters[i].name);
        text_append(options, size, "=%zu", i);
    }
    if (strlen(options) < size - OPTIONS_KEPT)
        return 0;
    return error_set(resolver->error, STATUS_USAGE, "its build options are longer than %zu bytes",
                     size - OPTIONS_KEPT - 1);
}

static const char *chosen(const struct resolver *resolver, const char *option)
{
    const struct entry_option *found = entry_option_find(resolver->entry, option);
    return found != NULL ? found->values[resolver->choice->values[found - resolver->entry->options]] : NULL;
}

/* --- range --- */

static int resolve_range(struct resolver *resolver)
{
    struct nd_range *range = &resolver->work->range;
    uint64_t extents[3];
    int64_t value;

    if (!entry_has_range(resolver->entry))
        return 0;
    *range = resolver->choice->range;
    for (size_t i = 0; i < 3; ++i) {
        if (value_of(resolver, resolver->entry->range[i], UINT32_MAX, &value) != 0)
            return -1;
        extents[i] = (uint64_t)value;
    }
    if (!nd_range_cover(range, extents, !resolver->choice->ragged))
        return error_set(resolver->error, STATUS_USAGE, "its range has no work-items, or more than 2^32 - 1");
    char *options = resolver->work->options;
    const size_t size = sizeof resolver->work->options - OPTIONS_KEPT;
    text_append(options, size, "%s-DGL_DIMENSIONS=%u -DGL_LOCAL_X=%u -DGL_LOCAL_Y=%u -DGL_LOCAL_Z=%u",
                options[0] != '\0' ? " " : "", range->dimensions, range->local[0], range->local[1], range->local[2]);
    if (strlen(options) + 1 < size)
        return 0;
    return error_set(resolver->error, STATUS_USAGE, "its build options are too long");
}

/* --- regions --- */

static int resolve_region(struct resolver *resolver, uint32_t index)
{
    const struct entry_region *region = &resolver->entry->regions[index];
    const char *type = strcmp(region->element, "item") == 0 ? chosen(resolver, "type") : region->element;
    const int element = type != NULL ? naming_find(&element_naming, type) : -1;
    int64_t count;

    if (element < 0)
        return error_set(resolver->error, STATUS_USAGE, "data %s has type item, but option type does not give one",
                         region->name);
    if (value_of(resolver, region->count, INT64_MAX / 16, &count) != 0)
        return -1;
    resolver->work->regions[index] =
        (struct region){.element = (enum element)element, .fill = region->fill, .count = (uint64_t)count};
    return 0;
}

static int find_region(const struct resolver *resolver, const char *name, size_t length)
{
    for (size_t i = 0; i < resolver->entry->region_count; ++i)
        if (strlen(resolver->entry->regions[i].name) == length &&
            strncmp(resolver->entry->regions[i].name, name, length) == 0)
            return (int)i;
    return -1;
}

/* --- results --- */

static int bad_term(const struct resolver *resolver, const char *text)
{
    return error_set(resolver->error, STATUS_USAGE,
                     "cannot parse the term '%s': expected an expression, REGION, REGION[INDEX], each, reduce, dot, "
                     "permutation, scan, exclusive-scan, group-scan, exclusive-group-scan or group-reduce (REGION)",
                     text);
}

/* f(REGION) or f(REGION,REGION). */
static int resolve_function(const struct resolver *resolver, const char *text, enum term_kind kind, struct term *term)
{
    const char *open = strchr(text, '(') + 1;
    const size_t length = strcspn(open, ",)");
    const int a = find_region(resolver, open, length);
    int b = a;

    if (open[length] == ',') {
        const char *second = open + length + 1 + strspn(open + length + 1, " ");
        b = find_region(resolver, second, strcspn(second, ")"));
    }
    if (a < 0 || b < 0 || (open[length] == ',') != (kind == TERM_DOT) || strcspn(open, ")") + 1 != strlen(open))
        return bad_term(resolver, text);
    if (kind == TERM_DOT && resolver->work->regions[a].count != resolver->work->regions[b].count)
        return error_set(resolver->error, STATUS_USAGE, "'%s' has regions of different lengths", text);
    *term = (struct term){.kind = kind, .a = (uint32_t)a, .b = (uint32_t)b};
    return 0;
}

static int resolve_element(struct resolver *resolver, const char *text, int region, struct term *term)
{
    char index[ENTRY_TEXT];
    int64_t value;
    const char *open = strchr(text, '[') + 1;
    const size_t length = strlen(open);

    if (length < 2 || open[length - 1] != ']')
        return bad_term(resolver, text);
    snprintf(index, sizeof index, "%.*s", (int)(length - 1), open);
    if (value_of(resolver, index, (int64_t)resolver->work->regions[region].count - 1, &value) != 0)
        return -1;
    *term = (struct term){.kind = TERM_ELEMENT, .a = (uint32_t)region, .index = (uint64_t)value};
    return 0;
}

static int resolve_term(struct resolver *resolver, const char *text, struct term *term)
{
    static const struct {
        const char *name;
        enum term_kind kind;
    } functions[] = {
        {"each(", TERM_EACH},
        {"reduce(", TERM_REDUCE},
        {"dot(", TERM_DOT},
        {"permutation(", TERM_PERMUTATION},
        {"scan(", TERM_SCAN},
        {"exclusive-scan(", TERM_EXCLUSIVE_SCAN},
        {"group-scan(", TERM_GROUP_SCAN},
        {"exclusive-group-scan(", TERM_EXCLUSIVE_GROUP_SCAN},
        {"group-reduce(", TERM_GROUP_REDUCE},
    };
    const size_t length = strcspn(text, "[ ");
    const int region = find_region(resolver, text, length);

    for (size_t i = 0; i < sizeof functions / sizeof *functions; ++i)
        if (strncmp(text, functions[i].name, strlen(functions[i].name)) == 0)
            return resolve_function(resolver, text, functions[i].kind, term);
    if (region >= 0 && text[length] == '[')
        return resolve_element(resolver, text, region, term);
    *term = (struct term){.kind = region >= 0 ? TERM_REGION : TERM_VALUE, .a = region >= 0 ? (uint32_t)region : 0};
    if (region >= 0)
        return text[length] == '\0' ? 0 : bad_term(resolver, text);
    return value_of(resolver, text, INT64_MAX, &term->value);
}

/* A region is compared with what gives one, and a number with a number; the left one may speak of each. */
static bool is_comparable(const struct term *left, const struct term *right)
{
    if (term_is_whole(left) || term_is_whole(right))
        return term_is_whole(left) && term_is_whole(right);
    return right->kind != TERM_EACH && right->kind != TERM_PERMUTATION;
}

static int resolve_result(struct resolver *resolver, uint32_t index)
{
    char left[ENTRY_TEXT];
    const char *text = resolver->entry->results[index];
    const char *equals = strchr(text, '=');
    struct result *result = &resolver->work->results[index];
    size_t length = (size_t)(equals - text);

    while (length > 0 && text[length - 1] == ' ')
        --length;
    snprintf(left, sizeof left, "%.*s", (int)length, text);
    if (resolve_term(resolver, left, &result->left) != 0)
        return -1;
    if (resolve_term(resolver, equals + 1 + strspn(equals + 1, " "), &result->right) != 0)
        return -1;
    if (is_comparable(&result->left, &result->right))
        return 0;
    return error_set(resolver->error, STATUS_USAGE,
                     "'%s' compares a region with a number, or has each or permutation on the right", text);
}

/* --- all of it --- */

static int resolve_numbers(struct resolver *resolver)
{
    const struct kernel_entry *entry = resolver->entry;
    struct workload *work = resolver->work;
    int64_t value = 0;

    if (entry->words[0] != '\0' && value_of(resolver, entry->words, WORD_MOST, &value) != 0)
        return -1;
    work->sync_words = (uint32_t)value;
    value = 0;
    if (entry->checks[0] != '\0' && value_of(resolver, entry->checks, INT64_MAX, &value) != 0)
        return -1;
    work->checks_counted = entry->checks[0] != '\0';
    work->launches = entry->launches;
    if (__builtin_mul_overflow((uint64_t)value, entry->launches, &work->checks))
        return error_set(resolver->error, STATUS_USAGE, "too many checks");
    return 0;
}

/* The region of times of hand-overs: it must be of uint. */
static int resolve_handover(struct resolver *resolver)
{
    const char *name = resolver->entry->handover;
    struct workload *work = resolver->work;
    const int region = find_region(resolver, name, strlen(name));

    if (name[0] == '\0')
        return 0;
    if (region < 0 || work->regions[region].element != ELEMENT_UINT || work->regions[region].fill != FILL_ZERO)
        return error_set(resolver->error, STATUS_USAGE, "handover '%s' is no region of type uint filled with zero",
                         name);
    work->handover = (uint32_t)region + 1;
    return 0;
}

static int resolve_data(struct resolver *resolver)
{
    const struct kernel_entry *entry = resolver->entry;
    struct workload *work = resolver->work;
    const char *operation = chosen(resolver, "op");
    const int found = operation != NULL ? naming_find(&operation_naming, operation) : OPERATION_SUM;

    work->operation = found < 0 ? OPERATION_SUM : (enum operation)found;
    work->region_count = (uint32_t)entry->region_count;
    work->result_count = (uint32_t)entry->result_count;
    for (uint32_t i = 0; i < work->region_count; ++i)
        if (resolve_region(resolver, i) != 0)
            return -1;
    for (uint32_t i = 0; i < work->result_count; ++i)
        if (resolve_result(resolver, i) != 0)
            return -1;
    return resolve_handover(resolver);
}

int entry_resolve(const struct kernel_entry *entry, const struct entry_choice *choice, const struct scope *scope,
                  struct workload *work, struct error *error)
{
    struct resolver resolver = {.entry = entry, .choice = choice, .work = work, .error = error};
    size_t count = 0;

    for (; count < scope->count && count < VARIABLES; ++count)
        resolver.variables[count] = scope->variables[count];
    for (size_t i = 0; i < entry->parameter_count && count < VARIABLES; ++i)
        resolver.variables[count++] = (struct variable){entry->parameters[i].name, choice->parameters[i], true};
    resolver.scope = (struct scope){resolver.variables, count};
    for (size_t i = 0; i < entry->parameter_count; ++i)
        work->own[i] = (uint32_t)choice->parameters[i];
    snprintf(work->kernel, sizeof work->kernel, "%s", entry->name);
    if (resolve_options(&resolver) != 0 || resolve_range(&resolver) != 0 || resolve_numbers(&resolver) != 0)
        return error_context(error, "kernel %s", entry->name);
    if (names_resolve(entry, &resolver.scope, work, error) != 0)
        return -1;
    return resolve_data(&resolver) != 0 ? error_context(error, "kernel %s", entry->name) : 0;
}
