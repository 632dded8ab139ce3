#include "model/ir_unused.h"

#include "base/alloc.h"
#include "model/ir_type.h"
#include "model/mangled.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* "add_explicit" of "atomic_fetch_add_explicit". */
static const char *operation_of(const char *name)
{
    static const char *const begins[] = {"atomic_fetch_", "atomic_", "atom_"};

    for (size_t i = 0; i < sizeof begins / sizeof *begins; ++i)
        if (strncmp(name, begins[i], strlen(begins[i])) == 0)
            return name + strlen(begins[i]);
    return "";
}

/* Of integers; those without an order of their own are relaxed, or sequentially consistent. */
static bool is_alike(const char *symbol)
{
    static const char *const names[] = {"add", "sub", "inc", "dec", "min", "max", "or", "and"};
    struct mangled mangled;

    if (!mangled_read(symbol, &mangled) || mangled.parameter_count == 0)
        return false;
    const char *element = mangled.parameters[0].element;
    if (strcmp(element, "int") != 0 && strcmp(element, "uint") != 0)
        return false;
    const char *operation = operation_of(mangled.name);
    const size_t length = strcspn(operation, "_");
    for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
        if (strlen(names[i]) == length && memcmp(names[i], operation, length) == 0 &&
            (operation[length] == '\0' || strcmp(operation + length, "_explicit") == 0))
            return true;
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

static bool is_noted(const struct ir_unused *unused, const char *name, size_t length)
{
    for (size_t i = 0; i < unused->count; ++i)
        if (strlen(unused->names[i]) == length && memcmp(unused->names[i], name, length) == 0)
            return true;
    return false;
}

void ir_unused_note(struct ir_unused *unused, const char *line)
{
    size_t length;
    const char *name = strncmp(line, "declare ", strlen("declare ")) == 0 ? name_in(line, &length) : NULL;

    if (name == NULL)
        return;
    char *copy = xstrndup(name, length);
    if (!is_alike(copy)) {
        free(copy);
        return;
    }
    GROW(unused->names, unused->count);
    unused->names[unused->count++] = copy;
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

/* Where it is named first; NULL: nowhere. */
static const char *find(const char *from, const char *end, const char *name, size_t length)
{
    for (const char *at = from; (at = memmem(at, (size_t)(end - at), name, length)) != NULL; ++at)
        if (!may_go_on(at[length]))
            return at;
    return NULL;
}

/* Anywhere in the function but where it is made, as blocks may be in any order. */
static bool is_used(const char *function, const char *line, size_t length)
{
    const char *result = line + strspn(line, " "), *end = strstr(line, "\n}");

    return end == NULL || find(function, line, result, length) != NULL ||
           find(result + length, end, result, length) != NULL;
}

bool ir_unused_print(const struct ir_unused *unused, const char *function, const char *line, FILE *out)
{
    size_t name_length;
    const char *name = name_in(line, &name_length);

    if (name == NULL || !is_noted(unused, name, name_length))
        return false;
    const bool declares = strncmp(line, "declare ", strlen("declare ")) == 0;
    const size_t length = declares ? 0 : result_of(line);
    if (!declares && (length == 0 || is_used(function, line, length)))
        return false;
    const char *behind = name + name_length;
    fprintf(out, "%.*s" IR_UNUSED "%.*s\n", (int)(behind - line), line, (int)strcspn(behind, "\n"), behind);
    return true;
}

/* Whether the line that `at` is in begins with the word. */
static bool line_begins(const char *at, const char *word)
{
    while (at[-1] != '\n')
        at -= 1;
    return strncmp(at + strspn(at, " "), word, strlen(word)) == 0;
}

/* "  store i32 %1, i32* %10, align 4": the name "%10" behind "%1"; NULL: another line, or it is where "%1" points. */
static const char *stored_to(const char *behind, size_t *length)
{
    if (*behind != ',' || !line_begins(behind, "store "))
        return NULL;
    const char *end = ir_item_end(behind + 1), *at = end;
    while (at > behind && *at != '%')
        at -= 1;
    *length = (size_t)(end - at);
    return at > behind ? at : NULL;
}

bool ir_unused_parameter(const char *function, const char *name, size_t length)
{
    const char *body = function + strcspn(function, "\n"), *end = strstr(body, "\n}");
    size_t own_length = 1;

    while (own_length < length && may_go_on(name[own_length]))
        own_length += 1;
    if (end == NULL || length < 2 || own_length < length)
        return false;
    const char *at = find(body, end, name, length);
    if (at == NULL)
        return true;
    const char *own = stored_to(at + length, &own_length);
    if (own == NULL || find(at + length, end, name, length) != NULL)
        return false;
    const char *made = find(body, end, own, own_length);
    return strncmp(made + own_length, " = alloca ", strlen(" = alloca ")) == 0 &&
           find(made + own_length, end, own, own_length) == own && find(own + own_length, end, own, own_length) == NULL;
}

void ir_unused_fini(struct ir_unused *unused)
{
    for (size_t i = 0; i < unused->count; ++i)
        free(unused->names[i]);
    free(unused->names);
}
