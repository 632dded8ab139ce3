#include "core/text.h"
#include "reproducer/excerpt.h"
#include "reproducer/files.h"

#include <stdlib.h>
#include <string.h>

enum { DEPTH = 8, FILES = 64, HEADER_BYTES = 256 };

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
    const char *taken[FILES];     /* texts of files that are taken once */
    size_t taken_count, read_count;
};

/* --- options of the build --- */

void reproducer_options(const struct reproducer *reproducer, char text[BUILD_OPTIONS])
{
    struct trial trial = *reproducer->trial;

    trial.live = false;
    build_options_trial(reproducer->evidence->device.info.kind, &reproducer->evidence->device.probe, &trial, text);
}

/* As lines "#define NAME VALUE", with what else the conditions of a short form go by. */
static void add_macros(struct excerpt *excerpt, const struct reproducer *reproducer)
{
    const struct workload *work = &reproducer->trial->work;
    char options[BUILD_OPTIONS], lines[4 * BUILD_OPTIONS] = "";

    reproducer_options(reproducer, options);
    for (const char *at = options; *(at += strspn(at, " ")) != '\0'; at += strcspn(at, " ")) {
        if (strncmp(at, "-D", 2) != 0)
            continue;
        at += 2;
        const int length = (int)strcspn(at, " "), name = (int)strcspn(at, "= ");
        text_append(lines, sizeof lines, "#define %.*s %.*s\n", name, at, name < length ? length - name - 1 : 1,
                    name < length ? at + name + 1 : "1");
    }
    if (work->numbers.jitter == 0 && work->numbers.uneven == 0)
        text_append(lines, sizeof lines, "#define GL_NO_DELAY\n");
    excerpt_add_library(excerpt, lines, strlen(lines), false);
}

/* --- files --- */

/* True the first time that it is asked for the text of a file. */
static bool takes(struct assembly *assembly, const char *text)
{
    for (size_t i = 0; i < assembly->taken_count; ++i)
        if (assembly->taken[i] == text)
            return false;
    if (assembly->taken_count < FILES)
        assembly->taken[assembly->taken_count++] = text;
    return true;
}

/* A header that gridlock carries: its short form, or else what is used of it. */
static void add_carried(struct assembly *assembly, const char *name, const char *carried)
{
    int form = 0;

    if (!takes(assembly, carried))
        return;
    while (form < SHORT_FORMS && strcmp(short_forms[form].header, name) != 0)
        ++form;
    excerpt_add_library(form < SHORT_FORMS ? &assembly->real : &assembly->excerpt, carried, strlen(carried), false);
    for (int i = 0; form < SHORT_FORMS && i < 2 && short_forms[form].files[i] != NULL; ++i) {
        const char *text = reproducer_file(reproducer_files, short_forms[form].files[i]);
        if (takes(assembly, text))
            excerpt_add_library(&assembly->excerpt, text, strlen(text), true);
    }
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
    const char *carried = reproducer_file(source_files, name);
    char included[HEADER_BYTES], *text = source_read(assembly->reproducer->folders, name, error);
    const char *from = text, *next;
    int result = text != NULL ? 0 : -1;

    if (text != NULL && depth > DEPTH)
        result = error_set(error, STATUS_USAGE, "kernel file %s: includes are nested too deeply", name);
    if (text != NULL && ++assembly->read_count > FILES)
        result = error_set(error, STATUS_USAGE, "kernel file %s: more than %d files are included", name, FILES);
    const bool own = result == 0 && (depth == 0 || carried == NULL || strcmp(carried, text) != 0);
    for (const char *line = text; result == 0 && *line != '\0'; line = next) {
        const bool includes = sscanf(line, "#include \"%255[^\"\n]\"", included) == 1;
        next = line + reproducer_line(line);
        if (!includes && (depth > 0 || !is_registry(line)))
            continue;
        if (own)
            excerpt_add(&assembly->excerpt, from, (size_t)(line - from));
        if (includes)
            result = add_file(assembly, included, depth + 1, error);
        from = next;
    }
    if (own)
        excerpt_add(&assembly->excerpt, from, strlen(from));
    else if (result == 0)
        add_carried(assembly, name, carried);
    free(text);
    return result;
}

/* --- the kernel --- */

/* NULL: it could not be made, or lacks a name. */
static char *assemble(struct assembly *assembly, struct error *error)
{
    const char *own = assembly->reproducer->trial->work.kernel, *kernel = own[0] != '\0' ? own : "limits";
    char name[sizeof assembly->reproducer->trial->work.kernel + 3];
    size_t length;

    snprintf(name, sizeof name, "%s.cl", kernel);
    add_macros(&assembly->excerpt, assembly->reproducer);
    excerpt_add(&assembly->excerpt, "\n", 1);
    if (add_file(assembly, name, 0, error) != 0)
        return NULL;
    char *text = excerpt_text(&assembly->excerpt);
    const char *missing = excerpt_find_missing(&assembly->excerpt, &assembly->real, &length);
    if (missing == NULL)
        return text;
    error_set(error, STATUS_USAGE, "kernel %s uses %.*s, which is not available in reproducers", kernel, (int)length,
              missing);
    free(text);
    return NULL;
}

char *reproducer_kernel(const struct reproducer *reproducer, struct error *error)
{
    struct assembly assembly = {.reproducer = reproducer};
    char *text = assemble(&assembly, error);

    excerpt_fini(&assembly.excerpt);
    excerpt_fini(&assembly.real);
    return text;
}
