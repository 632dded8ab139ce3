#include "engine/hint.h"

#include "base/file.h"
#include "core/tokens.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FILE_MIB = 64, NAME_BYTES = 128 };

/* --- included files --- */

/* A file that is not found, and which one includes it: "" if that is the source, or not known. */
struct include {
    char name[NAME_BYTES], by[SUBJECT_PATH];
};

/* From "error: defs.h:3:10: ", as clang writes it, up to `end`. */
static void find_includer(const char *line, const char *end, const char *file, char by[SUBJECT_PATH])
{
    static const char *const words[] = {"fatal error: ", "error: "};

    for (size_t i = 0; i < sizeof words / sizeof *words; ++i)
        if (strncmp(line, words[i], strlen(words[i])) == 0)
            line += strlen(words[i]);
    for (int parts = 0; parts < 3 && end > line; parts += *--end == ':')
        continue;
    const size_t length = (size_t)(end - line);
    const bool is_source = length == strlen(file) && strncmp(line, file, length) == 0;
    snprintf(by, SUBJECT_PATH, "%.*s", is_source || length >= SUBJECT_PATH ? 0 : (int)length, line);
}

/* "'defs.h' file not found", as clang says it, and so PoCL, Intel and Mesa; NVIDIA's is made of it, too. */
static bool find_include(const char *log, const char *file, struct include *include)
{
    static const char end[] = "' file not found";
    const char *at = strstr(log, end), *begin = at;

    while (begin != NULL && begin > log && begin[-1] != '\'' && begin[-1] != '\n')
        --begin;
    if (at == NULL || begin == at || (size_t)(at - begin) >= sizeof include->name)
        return false;
    snprintf(include->name, sizeof include->name, "%.*s", (int)(at - begin), begin);
    const char *line = begin;
    while (line > log && line[-1] != '\n')
        --line;
    find_includer(line, begin, file, include->by);
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

/* Takes the folder of the next -I off *options, as it is written there; *quoted: without marks it is another text. */
static bool next_folder(const char **options, char folder[SUBJECT_PATH], bool *quoted)
{
    const char *at = strstr(*options, "-I");
    char mark = '\0';
    size_t length = 0;

    if (at == NULL)
        return false;
    *quoted = false;
    for (at += 2 + strspn(at + 2, " "); *at != '\0' && (mark != '\0' || *at != ' '); ++at) {
        const bool opens = mark == '\0' && (*at == '"' || *at == '\'');
        const bool escapes = *at == '\\' && at[1] != '\0';
        *quoted = *quoted || opens || escapes;
        if (opens || *at == mark)
            mark = (char)(opens ? *at : '\0');
        else if (length + 1 < SUBJECT_PATH)
            folder[length++] = *(at += escapes);
    }
    folder[length] = '\0';
    *options = at;
    return true;
}

/* The file is in a folder that was given in a way that the driver does not take. */
static bool hint_of_folder(const char *name, const char *options, char hint[HINT_BYTES])
{
    char folder[SUBJECT_PATH], path[SUBJECT_PATH + NAME_BYTES];
    bool quoted;

    while (next_folder(&options, folder, &quoted)) {
        snprintf(path, sizeof path, "%s/%s", folder, name);
        if (!quoted || access(path, R_OK) != 0)
            continue;
        snprintf(hint, HINT_BYTES,
                 "'%s' is in the folder '%s', but this driver takes no -I with quotation marks or backslashes: give it "
                 "a path that needs none, such as that of a link",
                 name, folder);
        return true;
    }
    return false;
}

static void hint_of_include(const struct include *include, const char *options, char hint[HINT_BYTES])
{
    const bool of_other = include->by[0] != '\0', of_host = is_of_host(include->name);
    const char *by = of_other ? include->by : "it";

    if (!of_host && hint_of_folder(include->name, options, hint))
        return;
    if (of_host && of_other)
        snprintf(hint, HINT_BYTES,
                 "%s includes '%s', a header for host programs, which OpenCL C does not have; if that file is the "
                 "driver's own, its compiler was misled: leave out one of the --build-options after the other",
                 by, include->name);
    else if (of_host)
        snprintf(hint, HINT_BYTES,
                 "it includes '%s', a header for host programs, which OpenCL C does not have: give the text of the "
                 "kernels alone",
                 include->name);
    else
        snprintf(hint, HINT_BYTES,
                 "%s includes '%s', which is not beside it%s: name the folder by --build-options \"-I FOLDER\"", by,
                 include->name, strstr(options, "-I") != NULL ? ", nor in a folder that --build-options name" : "");
}

/* --- names of other files --- */

/* The word that ends here is one after which a name is used, not declared. */
static bool is_used_after(const char *text, const char *end)
{
    static const char *const words[] = {"return", "else", "case", "do"};
    const char *begin = end;

    while (begin > text && token_is_of_name(begin[-1]))
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
        if (token_is_of_name(at[length]) || (at > text && token_is_of_name(at[-1])))
            continue;
        while (before > text && isspace((unsigned char)before[-1]))
            --before;
        if (before > text && before < at && (token_is_of_name(before[-1]) || strchr("*}", before[-1]) != NULL) &&
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
        const char quote = *(*at)++;
        const size_t length = token_name(*at);
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

/* --- other languages --- */

/* By what no text in OpenCL C has in it. */
static bool hint_of_language(const char *file, char hint[HINT_BYTES])
{
    static const struct {
        const char *sign, *language;
    } signs[] = {
        {"__global__", "CUDA or HIP"},    {"threadIdx", "CUDA or HIP"},
        {"\n.address_size", "PTX"},       {"OpMemoryModel ", "SPIR-V assembly"},
        {"\ntarget triple", "LLVM's IR"}, {"gl_GlobalInvocationID", "GLSL"},
        {"numthreads(", "HLSL"},          {"[[thread_position", "Metal"},
        {"@workgroup_size", "WGSL"},
    };
    struct error ignored;
    size_t length;
    char *text = strcmp(file, SUBJECT_STDIN) != 0 ? file_read(file, "source", FILE_MIB, &length, &ignored) : NULL;

    for (size_t i = 0; text != NULL && hint[0] == '\0' && i < sizeof signs / sizeof *signs; ++i)
        if (strstr(text, signs[i].sign) != NULL)
            snprintf(hint, HINT_BYTES, "it has '%s' in it, as %s has: expected OpenCL C",
                     signs[i].sign + (signs[i].sign[0] == '\n'), signs[i].language);
    free(text);
    return hint[0] != '\0';
}

void hint_find(const struct subject_request *request, const struct executor *executor, const struct subject *subject,
               const char *log, char hint[HINT_BYTES])
{
    struct include include;

    hint[0] = '\0';
    if (find_include(log, subject->file, &include))
        hint_of_include(&include, subject->options, hint);
    else if (hint_of_language(subject->file, hint))
        return;
    else if (!hint_of_names(request, subject->file, log, hint))
        hint_of_version(executor, subject, hint);
}
