#include "model/builtins.h"

#include "base/alloc.h"
#include "base/source.h"
#include "model/library.h"
#include "model/mangled.h"

#include <stdlib.h>
#include <string.h>

/* How the library defines a function; library/runtime.inc says what they mean. */
enum kind { EACH, TEST, WHOLE, BARE, C_1, C_2, PLAIN, KINDS };

/* What is before the name in its definition, and before and behind it in a call. */
static const struct {
    const char *definition, *call, *open;
} kinds[KINDS] = {
    [EACH] = {"#define EACH_", "EACH_", "("},    [TEST] = {"#define TEST_", "TEST_", "("},
    [WHOLE] = {"#define WHOLE_", "WHOLE_", "("}, [BARE] = {"#define BARE_", "BARE_", "("},
    [C_1] = {"DECLARE_1(", "OF(", ")("},         [C_2] = {"DECLARE_2(", "OF(", ")("},
    [PLAIN] = {"#define PLAIN_", NULL, NULL},
};

/* A function that is another one with another beginning; and one that is told by its end how to round. */
static const struct {
    const char *text, *instead;
} beginnings[] = {{"native_", ""}, {"half_", ""}, {"fast_", ""}, {"atom_", "atomic_"}, {"sub_group_", "work_group_"}},
  roundings[] = {{"_rte", "RTE"}, {"_rtz", "RTZ"}, {"_rtp", "RTP"}, {"_rtn", "RTN"}};

/* A function to be made. */
struct making {
    struct mangled mangled;
    char macro[MANGLED_NAME];  /* its name in the library */
    char result[MANGLED_NAME]; /* what R is */
    unsigned width;            /* N */
    size_t first;              /* the parameter that T is of */
    const char *mode;          /* "RTE", of rounding */
    const char *more;          /* what is given behind the arguments */
    enum kind kind;
    const struct source_file *file; /* that defines it */
};

void builtins_print_library(FILE *out)
{
    for (const struct source_file *file = library_files; file->name != NULL; ++file)
        fputs(file->text, out);
}

/* What follows such a beginning of a line and the name in a file of the library; NULL: nothing does. */
static const char *definition_in(const struct source_file *file, const char *begin, const char *name)
{
    char *wanted = xasprintf("%s%s", begin, name);
    const size_t length = strlen(wanted);
    const char *at = file->text;

    while ((at = strstr(at, wanted)) != NULL && strchr("() \n", at[length]) == NULL)
        at += length;
    free(wanted);
    return at != NULL ? at + length : NULL;
}

static const struct source_file *file_of(const char *begin, const char *name)
{
    const struct source_file *file = library_files;

    while (file->name != NULL && definition_in(file, begin, name) == NULL)
        ++file;
    return file->name != NULL ? file : NULL;
}

static bool find(struct making *making)
{
    for (making->kind = 0; making->kind < PLAIN; ++making->kind) {
        making->file = file_of(kinds[making->kind].definition, making->macro);
        if (making->file != NULL)
            return true;
    }
    return false;
}

/* convert_float4_rte is "convert_rte" with the result float. */
static bool is_conversion(struct making *making)
{
    const char *name = making->mangled.name;

    if (strncmp(name, "convert_", 8) != 0)
        return false;
    const size_t type = strcspn(name + 8, "0123456789_");
    const size_t digits = strspn(name + 8 + type, "0123456789");
    snprintf(making->result, sizeof making->result, "%.*s", (int)type, name + 8);
    snprintf(making->macro, sizeof making->macro, "convert%s", name + 8 + type + digits);
    return true;
}

/* vload_half4 is "vload_halfn". */
static bool has_number(struct making *making)
{
    const char *name = making->mangled.name;
    const size_t stem = strcspn(name, "0123456789"), digits = strspn(name + stem, "0123456789");

    if (digits == 0)
        return false;
    making->width = (unsigned)strtoul(name + stem, NULL, 10);
    snprintf(making->macro, sizeof making->macro, "%.*sn%s", (int)stem, name, name + stem + digits);
    return true;
}

/* native_cos is "cos", and sub_group_any is "work_group_any" of a sub-group. */
static bool has_other_beginning(struct making *making)
{
    const char *name = making->mangled.name;

    for (size_t i = 0; i < sizeof beginnings / sizeof *beginnings; ++i) {
        const size_t length = strlen(beginnings[i].text);
        if (strncmp(name, beginnings[i].text, length) != 0)
            continue;
        snprintf(making->macro, sizeof making->macro, "%s%s", beginnings[i].instead, name + length);
        return true;
    }
    return false;
}

/* vstore_half_rtz is "vstore_half" with the mode RTZ. */
static bool has_rounding(struct making *making)
{
    char *end = strrchr(making->macro, '_');

    for (size_t i = 0; end != NULL && i < sizeof roundings / sizeof *roundings; ++i)
        if (strcmp(end, roundings[i].text) == 0) {
            making->mode = roundings[i].instead;
            *end = '\0';
            return true;
        }
    return false;
}

/* atomic_load is "atomic_load_explicit" with the order SEQ_CST. */
static bool lacks_order(struct making *making)
{
    snprintf(making->macro, sizeof making->macro, "%.40s_explicit", making->mangled.name);
    making->more = strstr(making->mangled.name, "compare_exchange") != NULL ? ", SEQ_CST, SEQ_CST" : ", SEQ_CST";
    return true;
}

static bool resolve(struct making *making)
{
    return find(making) || (has_other_beginning(making) && find(making)) || (has_number(making) && find(making)) ||
           (has_rounding(making) && find(making)) || (lacks_order(making) && find(making));
}

static bool make(struct making *making)
{
    const struct mangled *mangled = &making->mangled;

    making->width = 1;
    making->mode = "RTE";
    making->more = "";
    for (size_t i = 0; i < mangled->parameter_count; ++i)
        if (mangled->parameters[i].width > making->width)
            making->width = mangled->parameters[i].width;
    making->first = strncmp(mangled->name, "vload", 5) == 0; /* whose first is an offset */
    snprintf(making->macro, sizeof making->macro, "%s", mangled->name);
    if (is_conversion(making))
        return find(making);
    if (!resolve(making))
        return false;
    const char *result = definition_in(making->file, "#define RESULT_", making->macro);
    if (result != NULL)
        snprintf(making->result, sizeof making->result, "%.*s", (int)strcspn(result + 1, "\n"), result + 1);
    else
        snprintf(making->result, sizeof making->result, making->kind == TEST ? "SIGNED(T)" : "T");
    return true;
}

/* "float4", "const float *" */
static void print_type(const struct mangled_type *type, FILE *out)
{
    fputs(type->element, out);
    if (type->width > 1)
        fprintf(out, "%u", type->width);
    fputs(type->pointer ? " *" : " ", out);
}

static void print_head(const struct making *making, size_t number, FILE *out)
{
    const bool whole = making->kind == WHOLE || making->kind == BARE;

    fputs(making->kind == BARE ? "GL_BARE " : "", out);
    if (whole)
        fputs("R ", out);
    else if (making->kind == TEST && making->width == 1)
        fputs("int ", out);
    else
        fputs("VECTOR(R, N) ", out);
    fprintf(out, "gl_%zu(", number);
    for (size_t i = 0; i < making->mangled.parameter_count; ++i) {
        fputs(i == 0 ? "" : ", ", out);
        print_type(&making->mangled.parameters[i], out);
        fprintf(out, "a%zu", i);
    }
    fputs(making->mangled.parameter_count == 0 ? "void)" : ")", out);
}

/* The call of the macro: of vectors, with their elements i. */
static void print_call(const struct making *making, bool elements, FILE *out)
{
    fprintf(out, "%s%s%s", kinds[making->kind].call, making->macro, kinds[making->kind].open);
    for (size_t i = 0; i < making->mangled.parameter_count; ++i) {
        const struct mangled_type *type = &making->mangled.parameters[i];
        fputs(i == 0 ? "" : ", ", out);
        if (!elements || type->width == 1)
            fprintf(out, "a%zu", i);
        else if (type->pointer)
            fprintf(out, "((T%zu *)a%zu + i)", i, i);
        else
            fprintf(out, "a%zu[i]", i);
    }
    fprintf(out, "%s)", making->more);
}

static void print_words(const struct making *making, FILE *out)
{
    for (size_t i = 0; i < making->mangled.parameter_count; ++i) {
        const struct mangled_type *type = &making->mangled.parameters[i];
        fprintf(out, "#undef T%zu\n#define T%zu %s\n#undef N%zu\n#define N%zu %u\n", i, i, type->element, i, i,
                type->width);
    }
    fprintf(out, "#undef T\n#undef N\n#undef R\n#undef GLOBAL0\n#define N %u\n", making->width);
    fprintf(out, "#define R %s\n#undef UNUSED\n#define UNUSED %d\n#undef MODE\n#define MODE %s\n", making->result,
            making->mangled.is_unused, making->mode);
    fprintf(out, "#undef TEAM\n#define TEAM %d\n", strncmp(making->mangled.name, "sub_group_", 10) == 0);
    if (making->first < making->mangled.parameter_count)
        fprintf(out, "#define T %s\n#define GLOBAL0 %d\n", making->mangled.parameters[making->first].element,
                making->mangled.parameters[0].global);
}

bool builtins_print(const char *symbol, size_t number, FILE *out)
{
    struct making making;

    if (!mangled_read(symbol, &making.mangled))
        return file_of(kinds[PLAIN].definition, symbol) != NULL;
    if (!make(&making))
        return false;
    print_words(&making, out);
    print_head(&making, number, out);
    fprintf(out, " __asm__(\"%s\");\n", symbol);
    print_head(&making, number, out);
    fputs("\n{\n", out);
    if (making.kind == WHOLE || making.kind == BARE || making.width == 1) {
        fputs("    return ", out);
        print_call(&making, false, out);
    } else {
        fputs("    VECTOR(R, N) result;\n    for (int i = 0; i < N; ++i)\n        result[i] = ", out);
        fputs(making.kind == TEST ? "-(R)" : "", out);
        print_call(&making, true, out);
        fputs(";\n    return result", out);
    }
    fputs(";\n}\n", out);
    return true;
}

size_t builtins_stack_bytes(const char *symbol)
{
    static const struct {
        const char *file;
        size_t bytes;
    } rows[] = {{"math.inc", 3072}, {"vector.inc", 512}, {"image.inc", 512}, {"printf.inc", 16384}};
    struct making making;

    if (!mangled_read(symbol, &making.mangled))
        making.file = file_of(kinds[PLAIN].definition, symbol);
    else if (!make(&making))
        return 0;
    for (size_t i = 0; making.file != NULL && i < sizeof rows / sizeof *rows; ++i)
        if (strcmp(making.file->name, rows[i].file) == 0)
            return rows[i].bytes;
    return 0;
}

/* As the user writes it: read_pipe is __read_pipe_2 to clang. */
static char *name_of_clangs(const char *symbol)
{
    static const char *const endings[] = {"_2", "_4", "_ro", "_wo", "_basic", "_events", "_varargs", "_impl"};
    char *name = xstrdup(symbol + 2);

    for (size_t i = 0; i < sizeof endings / sizeof *endings; ++i) {
        const size_t length = strlen(name), less = strlen(endings[i]);
        if (length > less && strcmp(name + length - less, endings[i]) == 0)
            name[length - less] = '\0';
    }
    return name;
}

char *builtins_name(const char *symbol)
{
    struct mangled mangled;

    if (strncmp(symbol, "__", 2) == 0)
        return name_of_clangs(symbol);
    mangled_read(symbol, &mangled);
    return xstrdup(mangled.name[0] != '\0' ? mangled.name : symbol);
}
