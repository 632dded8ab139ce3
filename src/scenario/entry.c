#include "scenario/entry.h"

#include "core/text.h"

#include <ctype.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FIELD_BYTES = 1024 };

struct reader {
    const char *file;
    unsigned line;
    struct kernel_entry *entry;
    struct error *error;
    uint32_t given; /* a bit for each of the fields that are allowed once */
};

static int fail(const struct reader *reader, const char *what, const char *found)
{
    return error_set(reader->error, STATUS_USAGE, "%s:%u: expected %s, not '%.80s'", reader->file, reader->line, what,
                     found);
}

static int take_text(const struct reader *reader, const char *value, char *text, size_t size)
{
    if (strlen(value) >= size)
        return error_set(reader->error, STATUS_USAGE, "%s:%u: at most %zu characters are allowed here, not %zu",
                         reader->file, reader->line, size - 1, strlen(value));
    memcpy(text, value, strlen(value) + 1);
    return 0;
}

static const char twice[] = "a new name";

/* The next word of *at goes to `word`; words are separated by blanks. False: there is none, or it is too long. */
static bool next_word(const char **at, char *word, size_t size)
{
    *at += strspn(*at, " \t");
    const size_t length = strcspn(*at, " \t");
    if (length == 0 || length >= size)
        return false;
    memcpy(word, *at, length);
    word[length] = '\0';
    *at += length;
    return true;
}

/* The next word, of letters, digits, _ and -: it becomes part of a build option or of an expression. */
static bool next_name(const char **at, char *word, size_t size)
{
    if (!next_word(at, word, size))
        return false;
    for (const char *sign = word; *sign != '\0'; ++sign)
        if (!isalnum((unsigned char)*sign) && *sign != '_' && *sign != '-')
            return false;
    return true;
}

static bool is_sign(const char **at, const char *sign)
{
    *at += strspn(*at, " \t");
    if (strncmp(*at, sign, strlen(sign)) != 0)
        return false;
    *at += strlen(sign);
    return true;
}

/* --- fields --- */

static int take_option(const struct reader *reader, const char *value)
{
    static const char form[] = "NAME = VALUE | VALUE ... (at most 8 options of 8 values)";
    struct kernel_entry *entry = reader->entry;
    struct entry_option *option = &entry->options[entry->option_count];
    const char *at = value;

    if (entry->option_count == ENTRY_OPTIONS || !next_name(&at, option->name, sizeof option->name) ||
        !is_sign(&at, "="))
        return fail(reader, form, value);
    do {
        if (option->count == ENTRY_VALUES || !next_name(&at, option->values[option->count], ENTRY_WORD))
            return fail(reader, form, value);
        option->count += 1;
    } while (is_sign(&at, "|"));
    if (*at != '\0')
        return fail(reader, form, value);
    if (entry_option_find(entry, option->name) != NULL || entry_parameter_find(entry, option->name) != NULL)
        return fail(reader, twice, value);
    entry->option_count += 1;
    return 0;
}

static int take_parameter(const struct reader *reader, const char *value)
{
    static const char form[] = "NAME = DEFAULT in LOW..HIGH  DESCRIPTION (at most 16 parameters)";
    struct kernel_entry *entry = reader->entry;
    struct entry_parameter *parameter = &entry->parameters[entry->parameter_count];
    const char *at = value;
    const char *in = strstr(value, " in ");
    char *end;

    if (entry->parameter_count == WORKLOAD_OWN || in == NULL ||
        !next_name(&at, parameter->name, sizeof parameter->name) || !is_sign(&at, "="))
        return fail(reader, form, value);
    at += strspn(at, " ");
    if (at >= in || (size_t)(in - at) >= sizeof parameter->standard)
        return fail(reader, form, value);
    snprintf(parameter->standard, sizeof parameter->standard, "%.*s", (int)(in - at), at);
    parameter->least = strtoll(in + 4, &end, 10);
    if (end == in + 4 || end[0] != '.' || end[1] != '.' || !isdigit((unsigned char)end[2]))
        return fail(reader, form, value);
    parameter->most = strtoll(end + 2, &end, 10);
    if (*end != ' ' && *end != '\0')
        return fail(reader, form, value);
    if (parameter->least < 0 || parameter->most < parameter->least || parameter->most > UINT32_MAX)
        return fail(reader, "limits from 0 to 4294967295", value);
    if (entry_option_find(entry, parameter->name) != NULL || entry_parameter_find(entry, parameter->name) != NULL)
        return fail(reader, twice, value);
    entry->parameter_count += 1;
    return take_text(reader, end + strspn(end, " "), parameter->about, sizeof parameter->about);
}

static int take_region(const struct reader *reader, const char *value)
{
    static const char form[] = "NAME TYPE COUNT FILL (TYPE uint, int, long, ulong, float or item; FILL zero, ones, "
                               "index or seeded; at most 8 regions)";
    struct kernel_entry *entry = reader->entry;
    struct entry_region *region = &entry->regions[entry->region_count];
    const char *at = value;
    char fill[ENTRY_WORD];

    if (entry->region_count == WORKLOAD_REGIONS || !next_name(&at, region->name, sizeof region->name) ||
        !next_word(&at, region->element, sizeof region->element) ||
        !next_word(&at, region->count, sizeof region->count) || !next_word(&at, fill, sizeof fill) || *at != '\0')
        return fail(reader, form, value);
    if (naming_find(&fill_naming, fill) < 0 ||
        (naming_find(&element_naming, region->element) < 0 && strcmp(region->element, "item") != 0))
        return fail(reader, form, value);
    for (size_t i = 0; i < entry->region_count; ++i)
        if (strcmp(entry->regions[i].name, region->name) == 0)
            return fail(reader, twice, value);
    region->fill = (enum fill)naming_find(&fill_naming, fill);
    entry->region_count += 1;
    return 0;
}

static int take_result(const struct reader *reader, const char *value)
{
    struct kernel_entry *entry = reader->entry;
    if (entry->result_count == WORKLOAD_RESULTS || strchr(value, '=') == NULL)
        return fail(reader, "TERM = TERM (at most 8 times)", value);
    return take_text(reader, value, entry->results[entry->result_count++], ENTRY_TEXT);
}

static int take_launches(const struct reader *reader, const char *value)
{
    char *end;
    const long launches = strtol(value, &end, 10);
    if (launches < 1 || launches > 64 || *end != '\0')
        return fail(reader, "a number of launches from 1 to 64", value);
    reader->entry->launches = (uint32_t)launches;
    return 0;
}

/* Three expressions without blanks. */
static int take_range(const struct reader *reader, const char *value)
{
    for (size_t i = 0; i < 3; ++i) {
        const size_t length = strcspn(value, " ");
        if (length == 0 || length >= ENTRY_EXPRESSION || (i == 2 && value[length] != '\0'))
            return fail(reader, "WIDTH HEIGHT DEPTH (expressions without blanks)", value);
        snprintf(reader->entry->range[i], ENTRY_EXPRESSION, "%.*s", (int)length, value);
        value += length + strspn(value + length, " ");
    }
    return 0;
}

static int take_names(const struct reader *reader, const char *value)
{
    struct kernel_entry *entry = reader->entry;
    struct entry_names *names = &entry->names[entry->name_count];

    if (entry->name_count == WORD_FAMILIES || !names_parse(value, names))
        return fail(reader,
                    "NAME = EXPRESSION, i < COUNT ... (NAME as fork {i}, with each index once; at most 8 names "
                    "of 3 indexes)",
                    value);
    for (size_t i = 0; i < entry->name_count; ++i)
        if (names_are_alike(&entry->names[i], names))
            return fail(reader, twice, value);
    names->line = reader->line;
    entry->name_count += 1;
    return 0;
}

static int take_name(const struct reader *reader, const char *value)
{
    const char *slash = strrchr(reader->file, '/');
    const char *stem = slash != NULL ? slash + 1 : reader->file;
    if (strlen(value) + 3 != strlen(stem) || strncmp(value, stem, strlen(value)) != 0)
        return fail(reader, "the name of the file without .cl", value);
    return take_text(reader, value, reader->entry->name, sizeof reader->entry->name);
}

/* What follows a field's name: a text of its own, or what its function reads. */
static const struct field {
    const char *name;
    int (*take)(const struct reader *reader, const char *value); /* NULL: as a text */
    size_t offset, size;                                         /* of the text */
    enum { ONCE, REQUIRED, EXPRESSION, MANY } kind;
} fields[] = {
#define TEXT(member) NULL, offsetof(struct kernel_entry, member), sizeof((struct kernel_entry *)0)->member
    {"kernel", take_name, offsetof(struct kernel_entry, name), 0, REQUIRED},
    {"purpose", TEXT(purpose), REQUIRED},
    {"needs", TEXT(needs), REQUIRED},
    {"fails", TEXT(fails), REQUIRED},
    {"source", TEXT(source), REQUIRED},
    {"words", TEXT(words), EXPRESSION},
    {"checks", TEXT(checks), EXPRESSION},
    {"handover", TEXT(handover), EXPRESSION},
    {"launches", take_launches, 0, 0, ONCE},
    {"range", take_range, 0, 0, ONCE},
    {"option", take_option, 0, 0, MANY},
    {"param", take_parameter, 0, 0, MANY},
    {"data", take_region, 0, 0, MANY},
    {"result", take_result, 0, 0, MANY},
    {"names", take_names, 0, 0, MANY},
};
enum { FIELDS = sizeof fields / sizeof *fields };

static int take_field(struct reader *reader, const char *name, const char *value)
{
    size_t i = 0;

    while (i < FIELDS && strcmp(fields[i].name, name) != 0)
        ++i;
    if (i == FIELDS)
        return fail(reader,
                    "kernel, purpose, needs, fails, source, option, param, range, words, names, data, checks, result, "
                    "handover or launches",
                    name);
    /* Of a field that comes twice the first value would be lost. */
    if (fields[i].kind != MANY && (reader->given >> i & 1) != 0)
        return fail(reader, "a field that was not given before", name);
    reader->given |= UINT32_C(1) << i;
    if (fields[i].take != NULL)
        return fields[i].take(reader, value);
    /* An expression without a value would be as good as absent. */
    if (fields[i].kind == EXPRESSION && value[0] == '\0')
        return fail(reader, "an expression", value);
    return take_text(reader, value, (char *)reader->entry + fields[i].offset, fields[i].size);
}

/* --- the comment --- */

/*
 * A line of the comment without its " * "; NULL: the comment is over, or a free text begins. A line that does not fit
 * is cut, and still longer than any field may be.
 */
static const char *line_of(const char *text, char *line, size_t size)
{
    const size_t length = strcspn(text, "\n");
    if (strncmp(text, " * ", 3) != 0)
        return NULL;
    snprintf(line, size, "%.*s", (int)(length - 3), text + 3);
    for (size_t end = strlen(line); end > 0 && line[end - 1] == ' '; --end)
        line[end - 1] = '\0';
    return text + length + (text[length] == '\n');
}

static bool begins_field(const char *line, char *name, size_t size)
{
    const size_t length = strcspn(line, ": ");
    if (line[0] == ' ' || line[length] != ':' || length == 0 || length >= size)
        return false;
    snprintf(name, size, "%.*s", (int)length, line);
    return true;
}

static int missing(const struct kernel_entry *entry, const char *file, struct error *error)
{
    for (size_t i = 0; i < FIELDS; ++i)
        if (fields[i].kind == REQUIRED && ((const char *)entry)[fields[i].offset] == '\0')
            return error_set(error, STATUS_USAGE, "%s:1: the first comment has no line ' * %s: ...'", file,
                             fields[i].name);
    return 0;
}

int entry_parse(const char *text, const char *file, struct kernel_entry *entry, struct error *error)
{
    struct reader reader = {.file = file, .line = 2, .entry = entry, .error = error};
    char line[FIELD_BYTES];
    char name[ENTRY_WORD];
    char next[FIELD_BYTES];

    memset(entry, 0, sizeof *entry);
    entry->launches = 1;
    if (strncmp(text, "/*\n", 3) != 0)
        return error_set(error, STATUS_USAGE, "%s:1: the file must begin with the comment that describes the kernel",
                         file);
    const char *at = line_of(text + 3, line, sizeof line);
    while (at != NULL && begins_field(line, name, sizeof name)) {
        char *value = line + strlen(name) + 1;
        unsigned lines = 1;
        /* A field goes on in lines that begin with blanks. */
        while ((text = line_of(at, next, sizeof next)) != NULL && next[0] == ' ') {
            text_append(line, sizeof line, " %s", next + strspn(next, " "));
            at = text;
            lines += 1;
        }
        if (take_field(&reader, name, value + strspn(value, " ")) != 0)
            return -1;
        reader.line += lines;
        if (text == NULL)
            break;
        memcpy(line, next, sizeof line);
        at = text;
    }
    return missing(entry, file, error);
}

const struct entry_option *entry_option_find(const struct kernel_entry *entry, const char *name)
{
    for (size_t i = 0; i < entry->option_count; ++i)
        if (strcmp(entry->options[i].name, name) == 0)
            return &entry->options[i];
    return NULL;
}

const struct entry_parameter *entry_parameter_find(const struct kernel_entry *entry, const char *name)
{
    for (size_t i = 0; i < entry->parameter_count; ++i)
        if (strcmp(entry->parameters[i].name, name) == 0)
            return &entry->parameters[i];
    return NULL;
}

bool entry_has_range(const struct kernel_entry *entry)
{
    return entry->range[0][0] != '\0';
}

int entry_value_find(const struct entry_option *option, const char *value)
{
    for (size_t i = 0; i < option->count; ++i)
        if (strcmp(option->values[i], value) == 0)
            return (int)i;
    return -1;
}
