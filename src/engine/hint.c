#include "engine/hint.h"

#include "base/file.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FILE_MIB = 64, NAME_BYTES = 128 };

static bool is_of_name(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* --- included files --- */

/* "'defs.h' file not found", as clang says it, and so PoCL, Intel and Mesa; NVIDIA's is made of it, too. */
static bool find_include(const char *log, char *name, size_t size)
{
    static const char end[] = "' file not found";
    const char *at = strstr(log, end), *begin = at;

    while (begin != NULL && begin > log && begin[-1] != '\'' && begin[-1] != '\n')
        --begin;
    if (at == NULL || begin == at || (size_t)(at - begin) >= size)
        return false;
    snprintf(name, size, "%.*s", (int)(at - begin), begin);
    return true;
}

/* A header of a host program: <vector>, as C++'s own are one word, OpenCL's, or one of C's. */
static bool is_of_host(const char *name)
{
    static const char *const headers[] = {"assert.h", "math.h",   "stdbool.h", "stddef.h", "stdint.h",
                                          "stdio.h",  "stdlib.h", "string.h",  "time.h"};

    for (size_t i = 0; i < sizeof headers / sizeof *headers; ++i)
        if (strcmp(name, headers[i]) == 0)
            return true;
    return name[strspn(name, "abcdefghijklmnopqrstuvwxyz_")] == '\0' || strncmp(name, "CL/", strlen("CL/")) == 0;
}

static void hint_of_include(const char *name, char hint[HINT_BYTES])
{
    if (is_of_host(name))
        snprintf(hint, HINT_BYTES,
                 "it includes '%s', a header for host programs, which OpenCL C does not have: give the text of the "
                 "kernels alone",
                 name);
    else
        snprintf(hint, HINT_BYTES,
                 "it includes '%s', which is not beside it: name the folder by --build-options \"-I "
                 "FOLDER\"",
                 name);
}

/* --- names of other files --- */

/* The word that ends here is one after which a name is used, not declared. */
static bool is_used_after(const char *text, const char *end)
{
    static const char *const words[] = {"return", "else", "case", "do"};
    const char *begin = end;

    while (begin > text && is_of_name(begin[-1]))
        --begin;
    for (size_t i = 0; i < sizeof words / sizeof *words; ++i)
        if ((size_t)(end - begin) == strlen(words[i]) && strncmp(begin, words[i], strlen(words[i])) == 0)
            return true;
    return false;
}

/* A type, '*' or '}' stands in front of it, or #define. */
static bool declares(const char *text, const char *name)
{
    const size_t length = strlen(name);

    for (const char *at = text; (at = strstr(at, name)) != NULL; at += length) {
        const char *before = at;
        if (is_of_name(at[length]) || (at > text && is_of_name(at[-1])))
            continue;
        while (before > text && isspace((unsigned char)before[-1]))
            --before;
        if (before > text && before < at && (is_of_name(before[-1]) || strchr("*}", before[-1]) != NULL) &&
            !is_used_after(text, before))
            return true;
    }
    return false;
}

/* Another file that declares the name, or NULL. */
static const char *find_file(const struct subject_request *request, const char *file, const char *name)
{
    for (size_t i = 0; i < request->file_count; ++i) {
        struct error ignored;
        size_t length;
        if (strcmp(request->files[i], file) == 0 || strcmp(request->files[i], SUBJECT_STDIN) == 0)
            continue;
        char *text = file_read(request->files[i], "source", FILE_MIB, &length, &ignored);
        const bool found = text != NULL && declares(text, name);
        free(text);
        if (found)
            return request->files[i];
    }
    return NULL;
}

/* The next name between quotation marks, from *at on. */
static bool next_name(const char **at, char *name, size_t size)
{
    while ((*at = strpbrk(*at, "'\"")) != NULL) {
        size_t length = 0;
        const char quote = *(*at)++;
        while (is_of_name((*at)[length]))
            ++length;
        if (length < 2 || (*at)[length] != quote || length >= size || isdigit((unsigned char)**at))
            continue;
        snprintf(name, size, "%.*s", (int)length, *at);
        *at += length + 1;
        return true;
    }
    return false;
}

static bool hint_of_names(const struct subject_request *request, const char *file, const char *log,
                          char hint[HINT_BYTES])
{
    char name[NAME_BYTES];

    for (const char *at = log; next_name(&at, name, sizeof name);) {
        const char *other = find_file(request, file, name);
        if (other == NULL)
            continue;
        snprintf(hint, HINT_BYTES,
                 "'%s' is declared in %s: files that belong together can be measured as one, by cat %s %s"
                 " | gridlock limits --source -",
                 name, other, other, file);
        return true;
    }
    return false;
}

/* --- versions --- */

static bool hint_of_version(const struct executor *executor, const struct subject *subject, char hint[HINT_BYTES])
{
    static const char *const versions[] = {"CL3.0", "CL2.0", "CL1.2"};

    if (strstr(subject->options, "-cl-std") != NULL)
        return false;
    for (size_t i = 0; i < sizeof versions / sizeof *versions; ++i) {
        struct subject other = *subject;
        struct remote_kernels found;
        struct error ignored;
        if (snprintf(other.options, sizeof other.options, "%s%s-cl-std=%s", subject->options,
                     subject->options[0] != '\0' ? " " : "", versions[i]) >= (int)sizeof other.options)
            return false;
        const int outcome = executor->operations->kernels(executor->self, &other, &found, &ignored);
        remote_kernels_fini(&found);
        if (outcome != 0)
            continue;
        snprintf(hint, HINT_BYTES, "it builds with --build-options=%s-cl-std=%s%s",
                 subject->options[0] != '\0' ? "\"... " : "", versions[i], subject->options[0] != '\0' ? "\"" : "");
        return true;
    }
    return false;
}

void hint_find(const struct subject_request *request, const struct executor *executor, const struct subject *subject,
               const char *log, char hint[HINT_BYTES])
{
    char name[NAME_BYTES];

    hint[0] = '\0';
    if (find_include(log, name, sizeof name))
        hint_of_include(name, hint);
    else if (!hint_of_names(request, subject->file, log, hint))
        hint_of_version(executor, subject, hint);
}
