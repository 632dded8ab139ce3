#include "base/source.h"

#include "base/alloc.h"
#include "base/file.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SOURCE_DEPTH = 8 };

char *source_read(struct source_folders folders, const char *name, struct error *error)
{
    const char *const places[] = {folders.own, folders.given};
    size_t length;

    if (strchr(name, '/') != NULL)
        return ERROR_NULL(error, STATUS_USAGE, "kernel name %s: expected a name without a slash", name);
    for (size_t i = 0; i < sizeof places / sizeof *places; ++i) {
        if (places[i] == NULL || places[i][0] == '\0')
            continue;
        char *path = xasprintf("%s/%s", places[i], name);
        const bool is_there = access(path, F_OK) == 0;
        char *text = is_there ? file_read(path, "kernel file", 1, &length, error) : NULL;
        free(path);
        if (is_there)
            return text;
    }
    for (const struct source_file *file = source_files; file->name != NULL; ++file)
        if (strcmp(file->name, name) == 0)
            return xstrdup(file->text);
    return ERROR_NULL(error, STATUS_USAGE, "kernel file %s not found", name);
}

/* If `line` includes a file of ours, its name goes to `name`. */
static bool parse_include(const char *line, char *name, size_t size)
{
    static const char directive[] = "#include \"";
    if (strncmp(line, directive, sizeof directive - 1) != 0)
        return false;
    const char *begin = line + sizeof directive - 1;
    size_t length = strcspn(begin, "\"\n");
    if (begin[length] != '"' || length >= size)
        return false;
    memcpy(name, begin, length);
    name[length] = '\0';
    return true;
}

/* GL_AT is the line in the file itself, and 0 in those that it includes: a number cannot tell which of them. */
static void print_place(FILE *out, int depth, unsigned number, const char *name)
{
    fprintf(out, "#undef GL_AT\n#define GL_AT %s\n#line %u \"%s\"\n", depth == 0 ? "__LINE__" : "0", number, name);
}

bool source_is_place(const char *line)
{
    static const char *const begins[] = {"#line ", "#undef GL_AT\n", "#define GL_AT "};

    for (size_t i = 0; i < sizeof begins / sizeof *begins; ++i)
        if (strncmp(line, begins[i], strlen(begins[i])) == 0)
            return true;
    return false;
}

static int expand(FILE *out, struct source_folders folders, const char *name, int depth, struct error *error)
{
    char included[256];
    int outcome = 0;
    char *text = NULL;

    if (depth > SOURCE_DEPTH)
        return error_set(error, STATUS_USAGE, "kernel file %s: includes are nested too deeply", name);
    text = source_read(folders, name, error);
    if (text == NULL)
        return -1;
    unsigned number = 1;
    print_place(out, depth, 1, name);
    for (const char *line = text; outcome == 0 && *line != '\0'; ++number) {
        const size_t length = strcspn(line, "\n");
        if (parse_include(line, included, sizeof included)) {
            outcome = expand(out, folders, included, depth + 1, error);
            if (outcome != 0)
                error_context(error, "%s:%u", name, number);
            print_place(out, depth, number + 1, name);
        } else {
            fprintf(out, "%.*s\n", (int)length, line);
        }
        line += length + (line[length] == '\n');
    }
    free(text);
    return outcome;
}

char *source_load(struct source_folders folders, const char *name, struct error *error)
{
    char *text = NULL;
    FILE *out = xopen_memstream(&text, NULL);
    const int outcome = expand(out, folders, name, 0, error);

    xclose_memstream(out, &text);
    if (outcome == 0)
        return text;
    free(text);
    return NULL;
}
