#include "report/reproducer.h"

#include "core/build_options.h"
#include "report/conditionals.h"
#include "report/lexical.h"
#include "report/unused.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { PREFIXES = 32, PREFIX_BYTES = 32 };

/* Names that no compiler defines: ours, and those of the kernel's own options. */
struct prefixes {
    const char *list[PREFIXES + 1];
    char own[PREFIXES][PREFIX_BYTES];
    size_t count, own_count;
};

static void add_prefix(struct prefixes *prefixes, const char *prefix)
{
    if (prefixes->count < PREFIXES)
        prefixes->list[prefixes->count++] = prefix;
}

/* A line " * option:  fault = none | hoisted" stands for macros FAULT_...; a blank or a dash is an underscore there. */
static void add_option(struct prefixes *prefixes, const char *line)
{
    static const char key[] = " * option:";
    size_t length = 0;

    if (strncmp(line, key, sizeof key - 1) != 0 || prefixes->own_count == PREFIXES)
        return;
    char *prefix = prefixes->own[prefixes->own_count++];
    line += sizeof key - 1;
    line += strspn(line, " ");
    for (; (isalnum((unsigned char)*line) || *line == '-' || *line == '_') && length + 2 < PREFIX_BYTES; ++line)
        prefix[length++] = (char)(*line == '-' ? '_' : toupper((unsigned char)*line));
    memcpy(prefix + length, "_", 2);
    if (length > 0)
        add_prefix(prefixes, prefix);
}

/* Those that the files have that all kernels include, and those that the kernel's head names. */
static void find_prefixes(const char *head, struct prefixes *prefixes)
{
    static const char *const shared[] = {"GL_",    "GRIDLOCK_", "FAULT_", "ACCESS_", "POLL_",
                                         "FENCE_", "TYPE_",     "OP_",    "BOARD_"};

    *prefixes = (struct prefixes){.count = 0};
    for (size_t i = 0; i < sizeof shared / sizeof *shared; ++i)
        add_prefix(prefixes, shared[i]);
    for (size_t length = lexical_comment(head), at = 0; at < length; at += strcspn(head + at, "\n") + 1)
        add_option(prefixes, head + at);
}

/* Calls `take` for each of the options with which the kernel was built. */
static void each_option(const struct reproducer *reproducer,
                        void (*take)(void *context, const char *option, size_t length), void *context)
{
    char options[BUILD_OPTIONS];
    struct trial trial = *reproducer->trial;

    trial.live = false; /* whoever builds the reproducer decides that */
    build_options_trial(&reproducer->evidence->device.probe, &trial, options);
    for (const char *at = options; *(at += strspn(at, " ")) != '\0'; at += strcspn(at, " "))
        take(context, at, strcspn(at, " "));
}

/* -DNAME or -DNAME=VALUE. */
static void write_macro(void *context, const char *option, size_t length)
{
    const char *equals = memchr(option, '=', length);
    FILE *out = context;

    if (length < 3 || strncmp(option, "-D", 2) != 0)
        return;
    if (equals == NULL)
        fprintf(out, "#define %.*s 1\n", (int)length - 2, option + 2);
    else
        fprintf(out, "#define %.*s %.*s\n", (int)(equals - option) - 2, option + 2, (int)(option + length - equals) - 1,
                equals + 1);
}

struct text {
    char *at;
    size_t size;
};

static void append_option(void *context, const char *option, size_t length)
{
    struct text *text = context;
    const size_t used = strlen(text->at);
    if (strncmp(option, "-D", 2) != 0)
        snprintf(text->at + used, text->size - used, "%s%.*s", used > 0 ? " " : "", (int)length, option);
}

void reproducer_options(const struct reproducer *reproducer, char *text, size_t size)
{
    text[0] = '\0';
    each_option(reproducer, append_option, &(struct text){text, size});
}

/* What the build was told comes first, then the files in their order. */
static char *with_macros(const struct reproducer *reproducer, const char *rest)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);

    if (out == NULL)
        return NULL;
    fputs("/* What it was built with. */\n", out);
    each_option(reproducer, write_macro, out);
    fputc('\n', out);
    fputs(rest, out);
    if (fclose(out) == 0)
        return text;
    free(text);
    return NULL;
}

/* The head of the kernel's file stays, and then all that it needs. */
static char *put_together(const char *head, const char *text)
{
    char *whole = NULL;
    const size_t length = lexical_comment(head);
    if (asprintf(&whole, "%.*s%s%s", (int)length, head, length > 0 ? "\n\n" : "", text) < 0)
        return NULL;
    return whole;
}

char *reproducer_kernel(const struct reproducer *reproducer)
{
    static const char *const open_names[] = {"GL_LIVE", "GL_REQUIRED_SIZE", NULL};
    const char *head = reproducer->kernel;
    struct prefixes prefixes;
    char *whole = NULL, *resolved = NULL, *used = NULL, *result = NULL;

    if (strncmp(head, "#line", 5) == 0)
        head += strcspn(head, "\n") + 1;
    find_prefixes(head, &prefixes);
    struct macros macros = {.prefixes = prefixes.list, .open = open_names};
    whole = with_macros(reproducer, head + lexical_comment(head));
    if (whole != NULL)
        resolved = conditionals_resolve(&macros, whole);
    if (resolved != NULL)
        used = unused_drop(resolved);
    if (used != NULL)
        result = put_together(head, used);
    macros_fini(&macros);
    free(whole);
    free(resolved);
    free(used);
    return result;
}
