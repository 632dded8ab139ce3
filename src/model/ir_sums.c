#include "model/ir_sums.h"

#include "base/alloc.h"
#include "model/mangled.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* Of integers; those without an order of their own are relaxed, or sequentially consistent. */
static bool is_sum(const char *symbol)
{
    static const char *const names[] = {"atomic_add",
                                        "atomic_sub",
                                        "atomic_inc",
                                        "atomic_dec",
                                        "atom_add",
                                        "atom_sub",
                                        "atom_inc",
                                        "atom_dec",
                                        "atomic_fetch_add",
                                        "atomic_fetch_sub",
                                        "atomic_fetch_add_explicit",
                                        "atomic_fetch_sub_explicit"};
    struct mangled mangled;

    if (!mangled_read(symbol, &mangled) || mangled.parameter_count == 0)
        return false;
    const char *element = mangled.parameters[0].element;
    for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
        if (strcmp(mangled.name, names[i]) == 0)
            return strcmp(element, "int") == 0 || strcmp(element, "uint") == 0;
    return false;
}

/* The name of what the line calls or declares, behind '@'; NULL: nothing. */
static const char *name_in(const char *line, size_t *length)
{
    const size_t end = strcspn(line, "\n");
    const char *at = memchr(line, '@', end);

    *length = at == NULL ? 0 : strcspn(at + 1, "(\n");
    return at == NULL || at[1 + *length] != '(' ? NULL : at + 1;
}

static bool is_noted(const struct ir_sums *sums, const char *name, size_t length)
{
    for (size_t i = 0; i < sums->count; ++i)
        if (strlen(sums->names[i]) == length && memcmp(sums->names[i], name, length) == 0)
            return true;
    return false;
}

void ir_sums_note(struct ir_sums *sums, const char *line)
{
    size_t length;
    const char *name = strncmp(line, "declare ", strlen("declare ")) == 0 ? name_in(line, &length) : NULL;

    if (name == NULL)
        return;
    char *copy = xstrndup(name, length);
    if (!is_sum(copy)) {
        free(copy);
        return;
    }
    GROW(sums->names, sums->count);
    sums->names[sums->count++] = copy;
}

/* "%7" or "%call" in the line "  %7 = call i32 @..."; its length, or 0 if it is none. */
static size_t result_of(const char *line)
{
    const size_t end = strcspn(line, "\n"), length = strcspn(line + strspn(line, " "), " \n");
    const char *at = line + strspn(line, " ") + length;

    if (line[strspn(line, " ")] != '%' || strncmp(at, " = ", 3) != 0)
        return 0;
    return memmem(at, end - (size_t)(at - line), "call ", strlen("call ")) == NULL ? 0 : length;
}

static bool may_go_on(char c)
{
    return isalnum((unsigned char)c) || (c != '\0' && strchr("-$._", c) != NULL);
}

static bool names(const char *from, const char *end, const char *result, size_t length)
{
    for (const char *at = from; (at = memmem(at, (size_t)(end - at), result, length)) != NULL; ++at)
        if (!may_go_on(at[length]))
            return true;
    return false;
}

/* Anywhere in the function but where it is made, as blocks may be in any order. */
static bool is_used(const char *function, const char *line, size_t length)
{
    const char *result = line + strspn(line, " "), *end = strstr(line, "\n}");

    return end == NULL || names(function, line, result, length) || names(result + length, end, result, length);
}

bool ir_sums_print(const struct ir_sums *sums, const char *function, const char *line, FILE *out)
{
    size_t name_length;
    const char *name = name_in(line, &name_length);

    if (name == NULL || !is_noted(sums, name, name_length))
        return false;
    const bool declares = strncmp(line, "declare ", strlen("declare ")) == 0;
    const size_t length = declares ? 0 : result_of(line);
    if (!declares && (length == 0 || is_used(function, line, length)))
        return false;
    const char *behind = name + name_length;
    fprintf(out, "%.*s" IR_SUM "%.*s\n", (int)(behind - line), line, (int)strcspn(behind, "\n"), behind);
    return true;
}

void ir_sums_fini(struct ir_sums *sums)
{
    for (size_t i = 0; i < sums->count; ++i)
        free(sums->names[i]);
    free(sums->names);
}
