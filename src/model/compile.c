#include "model/compile.h"

#include "base/alloc.h"
#include "core/text.h"
#include "model/build.h"
#include "model/clang.h"
#include "model/kept.h"
#include "model/library.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* What else a program is made of: clang, and what of ours is compiled into it. */
static void print_rest(const struct build *build, FILE *out)
{
    struct stat status = {0};

    stat(build->clang, &status);
    fprintf(out, "%s %u %s %lld %lld.%09ld\n", GRIDLOCK_VERSION, GL_IMAGE_VERSION, build->clang,
            (long long)status.st_size, (long long)status.st_mtim.tv_sec, status.st_mtim.tv_nsec);
    build_print_options(build, out);
    for (const struct source_file *file = library_files; file->name != NULL; ++file)
        fputs(file->text, out);
    fputs(front_files[0].text, out);
}

/* Where a program of this text is kept. Allocated. */
static char *path_of(const struct build *build, const char *text)
{
    char *content;
    size_t size;
    FILE *out = xopen_memstream(&content, &size);

    print_rest(build, out);
    fputs(text, out);
    xclose_memstream(out, &content);
    char *path = kept_path(content, size);
    free(content);
    return path;
}

/* What a text includes may change, so that only what the front end makes of it says what it is. */
static char *make(const struct build *build, const char *source, size_t *size)
{
    const bool has_files = strstr(source, "include") != NULL || strstr(source, "import") != NULL;
    char *path = path_of(build, has_files ? "" : source);
    char *object = has_files ? NULL : kept_get(path, size);
    char *text = object == NULL ? build_front(build, source) : NULL;

    if (text != NULL) {
        if (has_files) {
            free(path);
            path = path_of(build, text);
            object = kept_get(path, size);
        }
        if (object == NULL) {
            object = build_back(build, text, size);
            if (object != NULL)
                kept_put(path, object, *size);
        }
    }
    free(text);
    free(path);
    return object;
}

/* From memory, so that each has variables of its own. */
static int load(struct model_program *program, const char *object, size_t size, struct error *error)
{
    char path[32];

    program->descriptor = memfd_create("gridlock-model", MFD_CLOEXEC);
    if (program->descriptor < 0 || write(program->descriptor, object, size) != (ssize_t)size)
        return error_set(error, STATUS_HARNESS, "there is no memory for a program of %zu bytes", size);
    snprintf(path, sizeof path, "/proc/self/fd/%d", program->descriptor);
    program->handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (program->handle == NULL)
        return error_set(error, STATUS_HARNESS, "cannot load what clang made: %s", dlerror());
    program->image = dlsym(program->handle, GL_IMAGE_SYMBOL);
    if (program->image == NULL || program->image->version != GL_IMAGE_VERSION)
        return error_set(error, STATUS_HARNESS, "what clang made is no program of ours");
    return 0;
}

int model_compile_check(struct error *error)
{
    char *const clang = clang_find(error);
    char *const linker = clang == NULL ? NULL : clang_find_linker(error);
    const int outcome = linker == NULL ? -1 : 0;

    free(linker);
    free(clang);
    return outcome;
}

/* clang only says that it does not know a name. */
static char *log_of(const struct build *build, const struct model_source *source)
{
    char *log = build_log(build);

    if (log == NULL || source->sub_groups || (strstr(log, "sub_group") == NULL && strstr(log, "subgroup") == NULL))
        return log;
    char *whole = xasprintf(
        "error: unsupported: sub-groups are needed: a model device has them if \",sub-groups=N\" is behind its "
        "name, with the work-items of one; gridlock prove explores no launches with them\n%s",
        log);
    free(log);
    return whole;
}

int model_compile(const struct model_source *source, struct model_program *program, char **log, struct error *error)
{
    struct build build;
    char *object = NULL;
    char line[256];
    size_t size = 0;
    int outcome = -1;

    *log = NULL;
    *program = (struct model_program){.descriptor = -1};
    if (build_begin(&build, source->options, error) == 0) {
        build.sub_groups = source->sub_groups;
        object = make(&build, source->text, &size);
        *log = log_of(&build, source);
        if (object != NULL) {
            outcome = load(program, object, size, error);
        } else if (*log == NULL || **log == '\0') {
            free(*log);
            *log = NULL;
            error_set(error, STATUS_HARNESS, "clang left no program, and did not say why; is there room in TMPDIR?");
        } else {
            text_of_log(*log, line, sizeof line);
            error_set(error, STATUS_USAGE, "%s", line);
        }
    } else if (error->status == STATUS_USAGE) {
        *log = xasprintf("error: %s\n", error->text);
    }
    build_fini(&build);
    free(object);
    if (outcome != 0)
        model_program_fini(program);
    return outcome;
}

void model_program_fini(struct model_program *program)
{
    if (program->handle != NULL)
        dlclose(program->handle);
    if (program->descriptor >= 0)
        close(program->descriptor);
    *program = (struct model_program){.descriptor = -1};
}
