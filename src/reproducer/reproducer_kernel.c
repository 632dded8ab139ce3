#include "reproducer/reproducer.h"

#include "core/build_options.h"
#include "core/text.h"
#include "reproducer/excerpt.h"

#include <stdlib.h>
#include <string.h>

enum { DEPTH = 8, INCLUDED = 64, HEADER_BYTES = 256 };

/* What stands in for headers of gridlock's own, which are not made to be read at once. */
static const struct {
    const char *header;
    const char *files[2];
} short_forms[] = {
    {"abi.h", {"layout.inc", "kernel.inc"}},   {"sync.h", {"layout.inc", "kernel.inc"}},
    {"self.h", {"layout.inc", "kernel.inc"}},  {"wait.h", {"layout.inc", "kernel.inc"}},
    {"group.h", {"layout.inc", "kernel.inc"}}, {"publish.h", {"publish.inc", NULL}},
};

enum { SHORT_FORMS = sizeof short_forms / sizeof *short_forms };

/* A kernel's file as it is put together, with the texts that it is made of. */
struct assembly {
    const struct reproducer *reproducer;
    struct excerpt excerpt, real; /* what is written; the names of the headers that have a short form */
    char *options;                /* a line for each macro of the build */
    char *texts[INCLUDED];
    const char *taken[INCLUDED]; /* files that are taken once */
    size_t text_count, taken_count;
};

/* --- options of the build --- */

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
    if (strncmp(option, "-D", 2) != 0)
        text_list(text->at, text->size, " ", "%.*s", (int)length, option);
}

void reproducer_options(const struct reproducer *reproducer, char *text, size_t size)
{
    text[0] = '\0';
    each_option(reproducer, append_option, &(struct text){text, size});
}

static char *option_lines(const struct reproducer *reproducer)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);

    if (out == NULL)
        return NULL;
    each_option(reproducer, write_macro, out);
    if (fclose(out) == 0)
        return text;
    free(text);
    return NULL;
}

/* What the conditions of a short form go by: options of the build, and what the kernel defines before it. */
static bool is_defined(const void *context, const char *name)
{
    const struct assembly *assembly = context;
    const struct workload *work = &assembly->reproducer->trial->work;

    if (strcmp(name, "NO_DELAY") == 0)
        return work->jitter == 0 && work->uneven == 0;
    return excerpt_defines(&assembly->excerpt, name);
}

/* --- files --- */

/* True the first time that it is asked for a file. */
static bool takes(struct assembly *assembly, const char *name)
{
    for (size_t i = 0; i < assembly->taken_count; ++i)
        if (strcmp(assembly->taken[i], name) == 0)
            return false;
    if (assembly->taken_count < INCLUDED)
        assembly->taken[assembly->taken_count++] = name;
    return true;
}

/* The text of a kernel's file, which lives as long as what is assembled of it. */
static const char *read_file(struct assembly *assembly, const char *name, struct error *error)
{
    if (assembly->text_count == INCLUDED) {
        error_set(error, STATUS_USAGE, "kernel file %s: more than %d files are included", name, INCLUDED);
        return NULL;
    }
    char *text = source_read(assembly->reproducer->folders, name, error);
    if (text != NULL)
        assembly->texts[assembly->text_count++] = text;
    return text;
}

static const struct source_file *find_carried(const char *name)
{
    const struct source_file *carried = source_files;
    while (carried->name != NULL && strcmp(carried->name, name) != 0)
        ++carried;
    return carried;
}

/* A header that gridlock carries: its short form, or else what is used of it. */
static void add_carried(struct assembly *assembly, const struct source_file *carried)
{
    int form = 0;

    if (!takes(assembly, carried->name))
        return;
    while (form < SHORT_FORMS && strcmp(short_forms[form].header, carried->name) != 0)
        ++form;
    excerpt_add_library(form < SHORT_FORMS ? &assembly->real : &assembly->excerpt, carried->text, NULL, NULL);
    for (int i = 0; form < SHORT_FORMS && i < 2 && short_forms[form].files[i] != NULL; ++i)
        if (takes(assembly, short_forms[form].files[i]))
            excerpt_add_library(&assembly->excerpt, reproducer_file(short_forms[form].files[i]), is_defined, assembly);
}

/* What only gridlock reads in the comment at the head of a kernel, and the host of a reproducer has in numbers. */
static bool is_registry(const char *line)
{
    static const char *const keys[] = {
        "option:", "param:", "words:", "names:", "data:", "checks:", "result:", "handover:", "launches:", "         "};

    for (size_t i = 0; i < sizeof keys / sizeof *keys; ++i)
        if (strncmp(line, " * ", 3) == 0 && strncmp(line + 3, keys[i], strlen(keys[i])) == 0)
            return true;
    return false;
}

/* A file with what it includes; what gridlock carries includes others at its begin. */
static int add_file(struct assembly *assembly, const char *name, int depth, struct error *error)
{
    const char *text = read_file(assembly, name, error), *from = text;
    const struct source_file *carried = find_carried(name);
    char included[HEADER_BYTES];

    if (text == NULL)
        return -1;
    if (depth > DEPTH)
        return error_set(error, STATUS_USAGE, "kernel file %s: includes are nested too deeply", name);
    const bool own = depth == 0 || carried->name == NULL || strcmp(carried->text, text) != 0;
    for (const char *line = text; *line != '\0'; line += strcspn(line, "\n") + (strchr(line, '\n') != NULL)) {
        const bool includes = sscanf(line, "#include \"%255[^\"\n]\"", included) == 1;
        if (!includes && (depth > 0 || !is_registry(line)))
            continue;
        if (own)
            excerpt_add(&assembly->excerpt, from, (size_t)(line - from));
        if (includes && add_file(assembly, included, depth + 1, error) != 0)
            return -1;
        from = line + strcspn(line, "\n") + (strchr(line, '\n') != NULL);
    }
    if (own)
        excerpt_add(&assembly->excerpt, from, strlen(from));
    else
        add_carried(assembly, carried);
    return 0;
}

/* --- the kernel --- */

static int check_names(const struct assembly *assembly, const char *name, struct error *error)
{
    size_t length;
    const char *missing = excerpt_find_missing(&assembly->excerpt, &assembly->real, &length);

    if (missing == NULL)
        return 0;
    return error_set(error, STATUS_USAGE, "kernel %s uses %.*s, which is not available in reproducers", name,
                     (int)length, missing);
}

static int assemble(struct assembly *assembly, FILE *out, struct error *error)
{
    const struct reproducer *reproducer = assembly->reproducer;
    const char *kernel = reproducer->trial->work.kernel[0] != '\0' ? reproducer->trial->work.kernel : "limits";
    char name[sizeof reproducer->trial->work.kernel + 3];

    snprintf(name, sizeof name, "%s.cl", kernel);
    assembly->options = option_lines(reproducer);
    if (assembly->options == NULL)
        return error_set(error, STATUS_HARNESS, "no memory for a reproducer");
    excerpt_add_library(&assembly->excerpt, assembly->options, NULL, NULL);
    excerpt_add(&assembly->excerpt, "\n", 1);
    if (add_file(assembly, name, 0, error) != 0)
        return -1;
    if (excerpt_choose(&assembly->excerpt) != 0 || assembly->real.short_of_memory)
        return error_set(error, STATUS_HARNESS, "no memory for a reproducer");
    excerpt_write(&assembly->excerpt, out);
    return check_names(assembly, kernel, error);
}

char *reproducer_kernel(const struct reproducer *reproducer, struct error *error)
{
    struct assembly assembly = {.reproducer = reproducer};
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    int result = out != NULL ? assemble(&assembly, out, error) : -1;

    if (out == NULL || fclose(out) != 0)
        result = error_set(error, STATUS_HARNESS, "no memory for a reproducer");
    excerpt_fini(&assembly.excerpt);
    excerpt_fini(&assembly.real);
    for (size_t i = 0; i < assembly.text_count; ++i)
        free(assembly.texts[i]);
    free(assembly.options);
    if (result == 0)
        return text;
    free(text);
    return NULL;
}
