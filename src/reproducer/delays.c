#include "reproducer/delays.h"

#include "base/alloc.h"
#include "core/tokens.h"
#include "reproducer/files.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Those of OpenCL C 2.0 and later also with "_explicit" behind them; those of OpenCL C 1.x also with "atom_". */
static const char *const functions[] = {"atomic_load",
                                        "atomic_store",
                                        "atomic_exchange",
                                        "atomic_compare_exchange_strong",
                                        "atomic_compare_exchange_weak",
                                        "atomic_fetch_add",
                                        "atomic_fetch_sub",
                                        "atomic_fetch_or",
                                        "atomic_fetch_xor",
                                        "atomic_fetch_and",
                                        "atomic_fetch_min",
                                        "atomic_fetch_max",
                                        "atomic_flag_test_and_set",
                                        "atomic_flag_clear",
                                        "atomic_add",
                                        "atomic_sub",
                                        "atomic_xchg",
                                        "atomic_inc",
                                        "atomic_dec",
                                        "atomic_cmpxchg",
                                        "atomic_min",
                                        "atomic_max",
                                        "atomic_and",
                                        "atomic_or",
                                        "atomic_xor"};

enum { FUNCTIONS = sizeof functions / sizeof *functions, FORMS = 3, NAME = 64 };

/* "atomic_add", "atomic_add_explicit", "atom_add": which of them there are the compiler knows. */
static const char *name_form(size_t function, int form, char name[NAME])
{
    if (form == 2)
        snprintf(name, NAME, "atom_%s", functions[function] + strlen("atomic_"));
    else
        snprintf(name, NAME, "%s%s", functions[function], form == 1 ? "_explicit" : "");
    return name;
}

/* The length of the name of an atomic function that is called here, or 0. */
static size_t called(const char *at)
{
    char name[NAME];

    for (size_t i = 0; i < FUNCTIONS; ++i)
        for (int form = 0; form < FORMS; ++form) {
            const size_t length = strlen(name_form(i, form, name));
            if (strncmp(at, name, length) == 0 && at[length + strspn(at + length, " ")] == '(')
                return length;
        }
    return 0;
}

/* Writes a line, in which each call of an atomic function becomes one of a macro; false: it has none. */
static bool write_calls(FILE *out, const char *line, size_t length, uint32_t number)
{
    const char *from = line;
    bool any = false;

    for (const char *at = line; at < line + length;) {
        const size_t name = at > line && token_is_of_name(at[-1]) ? 0 : called(at);
        if (name > 0) {
            fwrite(from, 1, (size_t)(at - from), out);
            fprintf(out, "REPRODUCER_DELAYED(%" PRIu32 ", %.*s, ", number, (int)name, at);
            from = strchr(at, '(') + 1;
            any = true;
        }
        at += name > 0 ? (size_t)(from - at) : 1;
    }
    fwrite(from, 1, (size_t)(line + length - from), out);
    return any;
}

/* --- what it begins with --- */

static void write_line(FILE *out, const char *line)
{
    fputs("    ", out);
    reproducer_put_string(out, line);
    fputs(" \"\\n\"\n", out);
}

void delays_write(FILE *out, uint32_t items, const struct delay *delays, size_t count)
{
    char line[160];

    write_line(out, "static void reproducer_delay(uint line)");
    write_line(out, "{");
    write_line(out, "    const size_t row = get_group_id(1) + get_num_groups(1) * get_group_id(2);");
    write_line(out, "    const size_t local_row = get_local_id(1) + get_local_size(1) * get_local_id(2);");
    write_line(out, "    const size_t group = get_group_id(0) + get_num_groups(0) * row;");
    snprintf(line, sizeof line,
             "    const size_t item = group * %" PRIu32 " + get_local_id(0) + get_local_size(0) * local_row;", items);
    write_line(out, line);
    write_line(out, "    uint parts = 0;");
    for (size_t i = 0; i < count; ++i) {
        snprintf(line, sizeof line, "    if (line == %" PRIu32 " && item == %" PRIu32 ") parts = %" PRIu32 ";",
                 delays[i].line, delays[i].item, delays[i].parts);
        write_line(out, line);
    }
    write_line(out, "    while (parts-- > 0)");
    write_line(out, "        for (volatile uint left = REPRODUCER_UNIT; left > 0; --left)");
    write_line(out, "            ;");
    write_line(out, "}");
    write_line(out, "kernel void reproducer_trial(void)");
    write_line(out, "{");
    write_line(out, "    for (volatile uint left = REPRODUCER_UNIT; left > 0; --left)");
    write_line(out, "        ;");
    write_line(out, "}");
    write_line(out, "#define REPRODUCER_DELAYED(line, function, ...) (reproducer_delay(line), function(__VA_ARGS__))");
    write_line(out, "#line 1");
}

/* --- before statements --- */

/* Where a line of the text begins: in a comment, within so many brackets, behind this last character of code. */
struct place {
    bool in_comment;
    int parentheses, braces;
    char last;
};

static void take_code(struct place *place, char c)
{
    place->parentheses += (c == '(') - (c == ')');
    place->braces += (c == '{') - (c == '}');
    if (!isspace((unsigned char)c))
        place->last = c;
}

/* Goes through a line, up to its end. A line of the preprocessor's is no code. */
static void pass_line(struct place *place, const char *at, const char *end)
{
    if (!place->in_comment && at[strspn(at, " \t")] == '#')
        return;
    while (at < end) {
        const bool opens = strncmp(at, "/*", 2) == 0, closes = strncmp(at, "*/", 2) == 0;
        if (place->in_comment || opens) {
            place->in_comment = !closes;
            at += place->in_comment && !opens ? 1 : 2;
        } else if (strncmp(at, "//", 2) == 0) {
            return;
        } else if (token_is_quote(*at)) {
            place->last = *at;
            at = token_skip_literal(at);
        } else {
            take_code(place, *at++);
        }
    }
}

/* A statement of a block begins here, and no part of one. */
static bool begins_statement(const struct place *place, const char *code)
{
    static const char *const parts[] = {"else", "case", "default", "while"}; /* of do ... while, perhaps */

    for (size_t i = 0; i < sizeof parts / sizeof *parts; ++i)
        if (strncmp(code, parts[i], strlen(parts[i])) == 0 && !token_is_of_name(code[strlen(parts[i])]) &&
            (i < 3 || place->last == '}'))
            return false;
    return !place->in_comment && place->parentheses == 0 && place->braces > 0 && place->last != '\0' &&
           strchr(";{}", place->last) != NULL && (isalpha((unsigned char)*code) || strchr("_*(+-", *code) != NULL) &&
           *code != '\0';
}

static bool is_delayed(uint32_t line, const struct delay *delays, size_t count)
{
    for (size_t i = 0; i < count; ++i)
        if (delays[i].line == line)
            return true;
    return false;
}

static void write_delayed(FILE *out, const char *line, size_t length, uint32_t number, const struct place *place)
{
    const size_t indent = strspn(line, " \t");
    char *delayed = NULL;
    FILE *calls = xopen_memstream(&delayed, NULL);
    const bool any = write_calls(calls, line, length, number);

    xclose_memstream(calls, &delayed);
    if (!any && begins_statement(place, line + indent))
        fprintf(out, "%.*sreproducer_delay(%" PRIu32 "); %s", (int)indent, line, number, delayed + indent);
    else
        fputs(delayed, out);
    free(delayed);
}

char *delays_insert(const char *text, const struct delay *delays, size_t count)
{
    struct place place = {.last = '\0'};
    char *copy = NULL;
    FILE *out = xopen_memstream(&copy, NULL);
    uint32_t number = 1;

    for (const char *line = text; *line != '\0'; ++number) {
        const size_t length = reproducer_line(line);
        if (is_delayed(number, delays, count))
            write_delayed(out, line, length, number, &place);
        else
            fwrite(line, 1, length, out);
        pass_line(&place, line, line + length);
        line += length;
    }
    return xclose_memstream(out, &copy);
}
