#include "base/alloc.h"
#include "base/source.h"
#include "core/instrument.h"
#include "core/tokens.h"
#include "device/subject.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* No program has names that begin so. */
#define PREFIX "gridlock_front_"

static bool begins_name(const char *text, const char *at)
{
    return at == text || !token_is_of_name(at[-1]);
}

/* The text with another beginning of each name that begins as ours do. */
static void rename_all(FILE *out, const char *text)
{
    for (const char *at = text; *at != '\0'; ++at) {
        if (begins_name(text, at) && (strncmp(at, "gl_", 3) == 0 || strncmp(at, "GL_", 3) == 0))
            fputs(PREFIX, out);
        fputc(*at, out);
    }
}

/* --- macros that the build options define --- */

static bool has_name(const char *text, const char *name, size_t length)
{
    for (const char *at = text; (at = strstr(at, name)) != NULL; ++at)
        if (begins_name(text, at) && !token_is_of_name(at[length]))
            return true;
    return false;
}

/* For each that is a name in `text`, too: it means nothing there, and what it meant behind it. */
static void shield(FILE *out, const char *options, const char *text, bool ends)
{
    char name[64];

    for (const char *at = options; (at = strstr(at, "-D")) != NULL;) {
        const bool is_option = at == options || isspace((unsigned char)at[-1]) || at[-1] == '"' || at[-1] == '\'';
        at += 2;
        at += strspn(at, " \t\"'");
        const size_t length = token_name(at);
        if (!is_option || length == 0 || length >= sizeof name)
            continue;
        snprintf(name, sizeof name, "%.*s", (int)length, at);
        if (!has_name(text, name, length))
            continue;
        if (ends)
            fprintf(out, "#pragma pop_macro(\"%s\")\n", name);
        else
            fprintf(out, "#pragma push_macro(\"%s\")\n#undef %s\n", name, name);
    }
}

static void print_front(FILE *out, const struct device_probe *probe, enum dialect dialect, const char *text)
{
    static const char *const dialects[DIALECT_COUNT] = {"NONE", "CL30", "CL12", "PTX"};

    fprintf(out, "#define " PREFIX "GL_DIALECT_%s\n%s%s%s%s", dialects[dialect],
            device_has_part(probe, OPTIONAL_YIELD) ? "#define " PREFIX "GL_YIELD\n" : "",
            device_has_part(probe, OPTIONAL_HINTS) ? "" : "#define " PREFIX "GL_NO_HINTS\n",
            probe->loops_cut_at != 0 ? "#define " PREFIX "GL_LOOPS_CUT\n" : "",
            probe->channel == CHANNEL_PROOF ? "#define " PREFIX "GL_PROVED\n" : "");
    /* OpenCL C 1.1 has no static functions. */
    fputs("#if __OPENCL_C_VERSION__ < 120\n#define static\n#endif\n", out);
    rename_all(out, text);
    fputs("#undef static\n"
          "#define " PREFIX "word_of(a) " PREFIX "is_##a\n"
          "#define " PREFIX "word(a) " PREFIX "word_of(a)\n"
          "#define " PREFIX "is_if(a) " PREFIX "if_##a\n"
          "enum { " PREFIX "is_return = 1, " PREFIX "if_0 = 1 };\n",
          out);
}

char *subject_front(const struct session *session, enum dialect dialect, const char *options, struct error *error)
{
    char *front = NULL;
    char *text = source_load((struct source_folders){NULL, session->kernel_folder}, "front.h", error);

    if (text == NULL)
        return NULL;
    FILE *out = xopen_memstream(&front, NULL);
    shield(out, options, text, false);
    print_front(out, &session->probe, dialect, text);
    shield(out, options, text, true);
    xclose_memstream(out, &front);
    free(text);
    return front;
}

void subject_entry_name(const struct subject_kernel *kernel, enum entry_way way, char *name, size_t size)
{
    snprintf(name, size, "%s%s", way == ENTRY_CALL ? PREFIX "of_" : "", kernel->name);
}

static void print_caller(FILE *out, const struct subject_kernel *kernel)
{
    fprintf(out, "%s __kernel void " PREFIX "of_%s(", kernel->attributes, kernel->name);
    for (uint32_t i = 0; i < kernel->argument_count; ++i)
        fprintf(out, "%s " PREFIX "a%u%s, ", kernel->arguments[i].declared, i, kernel->arguments[i].behind);
    fputs(PREFIX "gl_words " PREFIX "board)\n{\n    if (" PREFIX "gl_in_front(" PREFIX "board))\n        ", out);
    fprintf(out, "%s(", kernel->name);
    for (uint32_t i = 0; i < kernel->argument_count; ++i)
        fprintf(out, "%s" PREFIX "a%u", i > 0 ? ", " : "", i);
    fputs(");\n}\n", out);
}

/* Words of the language that the text has as macros mean again what they do. */
static void print_callers(FILE *out, struct subject_kernel *const *kernels, uint32_t count)
{
    static const char *const words[] = {"__kernel",      "void",  "__global", "__constant", "__local",
                                        "__attribute__", "const", "volatile", "restrict",   "if"};

    for (size_t i = 0; i < sizeof words / sizeof *words; ++i)
        fprintf(out, "#undef %s\n", words[i]);
    for (uint32_t i = 0; i < count; ++i)
        print_caller(out, kernels[i]);
}

/* Where its words are macros of the user's, the body might run: then other names come about, and it does not build. */
#define STATEMENT(first)                                                                                               \
    " if (" first "!" PREFIX "gl_in_front(" PREFIX "board) * " PREFIX "word(if(0)) * " PREFIX "word(return)) return; "

/* With the text put into those of the kernels that have a place for it, which `found` tells. */
static char *insert(const char *text, struct subject_kernel *const *kernels, uint32_t count, bool *found)
{
    static const struct instrument with = {
        .parameter = PREFIX "gl_words " PREFIX "board",
        .argument = "(" PREFIX "gl_words)0",
        .statement = STATEMENT(""),
        /* Inlined into another kernel it folds away, which saves PoCL minutes. */
        .called = STATEMENT(PREFIX "board != 0 && "),
    };
    const char **names = xcalloc(count, sizeof *names);

    for (uint32_t i = 0; i < count; ++i)
        names[i] = kernels[i]->name;
    char *changed = instrument_kernels(text, names, count, &with, found);
    free(names);
    return changed;
}

void subject_find_places(struct subject_file *file, struct subject_kernel **kernels)
{
    bool *found = xcalloc(file->kernel_count + 1, sizeof *found);

    for (uint32_t i = 0; i < file->kernel_count; ++i)
        kernels[i] = &file->kernels[i];
    free(insert(file->text, kernels, file->kernel_count, found));
    for (uint32_t i = 0; i < file->kernel_count; ++i)
        file->kernels[i].has_place = found[i];
    free(found);
}

static void print_line_name(FILE *out, const char *name)
{
    fputs("#line 1 \"", out);
    for (; *name != '\0'; ++name)
        fprintf(out, "%s%c", *name == '"' || *name == '\\' ? "\\" : "", iscntrl((unsigned char)*name) ? '?' : *name);
    fputs("\"\n", out);
}

char *subject_text(const struct subject_file *file, const char *front, struct subject_kernel *const *kernels,
                   uint32_t count, enum entry_way way)
{
    bool *found = xcalloc(count, sizeof *found);
    char *inserted = way == ENTRY_INSERT ? insert(file->text, kernels, count, found) : NULL;
    char *text = NULL;
    FILE *out = xopen_memstream(&text, NULL);

    free(found);
    fputs(front, out);
    print_line_name(out, file->name);
    fputs(inserted != NULL ? inserted : file->text, out);
    if (way != ENTRY_NONE)
        fputs("\n\n", out);
    if (way == ENTRY_CALL)
        print_callers(out, kernels, count);
    free(inserted);
    return xclose_memstream(out, &text);
}
