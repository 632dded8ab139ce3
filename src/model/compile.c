#include "model/compile.h"

#include "base/alloc.h"
#include "base/file.h"
#include "model/cache.h"
#include "model/clang.h"
#include "model/files.h"
#include "model/glue.h"
#include "model/stack.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    PATH_BYTES = 512,
    TEXT_MIB = 256,
    STACK_RESERVE = 640, /* for the machine's hooks, and what libm needs beyond what it keeps in registers */
};

/* The options that both steps have. */
static const char *const common_words[] = {"-target", "x86_64-linux-gnu",          "-O2",
                                           "-fPIC",   "-fsanitize=kernel-address", "-Wno-override-module"};

/* What the front end is told of the device. */
static const char *const front_words[] = {
    "-x",
    "cl",
    "-S",
    "-emit-llvm",
    "-gline-tables-only",
    "-ffp-contract=off",
    "-Xclang",
    "-finclude-default-header",
    "-Xclang",
    "-fdeclare-opencl-builtins",
    "-Xclang",
    "-disable-llvm-passes",
    "-Xclang",
    "-cl-ext=-all,+cl_khr_fp64,+cl_khr_byte_addressable_store,+cl_khr_global_int32_base_atomics,"
    "+cl_khr_global_int32_extended_atomics,+cl_khr_local_int32_base_atomics,+cl_khr_local_int32_extended_atomics,"
    "+cl_khr_int64_base_atomics,+cl_khr_int64_extended_atomics,+__opencl_c_int64,+__opencl_c_fp64,"
    "+__opencl_c_generic_address_space,+__opencl_c_program_scope_global_variables,+__opencl_c_atomic_order_acq_rel,"
    "+__opencl_c_atomic_order_seq_cst,+__opencl_c_atomic_scope_device,+__opencl_c_atomic_scope_all_devices,"
    "+__opencl_c_work_group_collective_functions",
    "-D__ENDIAN_LITTLE__=1",
    "-DCL_DEVICE_MAX_GLOBAL_VARIABLE_SIZE=65536"};

static const char *const library_words[] = {"-x",
                                            "cl",
                                            "-cl-std=CL3.0",
                                            "-c",

                                            "-Xclang",
                                            "-finclude-default-header",
                                            "-Xclang",
                                            "-fdeclare-opencl-builtins"};

/* How the back end calls the machine before each access, and asks for the addresses of local variables. */
static const char *const back_words[] = {"-femulated-tls", "-shared",
                                         "-nostdlib",      "-fstack-size-section",
                                         "-mllvm",         "-asan-instrumentation-with-call-threshold=0",
                                         "-mllvm",         "-asan-memory-access-callback-prefix=gl_model_",
                                         "-mllvm",         "-asan-stack=0",
                                         "-mllvm",         "-asan-globals=0",
                                         "-mllvm",         "-asan-opt=0",
                                         "-Wl,-z,now"};

#define ADD_ALL(command, words)                                                                                        \
    for (size_t word = 0; word < sizeof(words) / sizeof *(words); ++word)                                              \
    clang_add(command, (words)[word])

const char *model_file(const char *name)
{
    const struct source_file *file = model_files;

    while (strcmp(file->name, name) != 0)
        ++file;
    return file->text;
}

/* --- options --- */

/* The words of the user's options, which are copied. */
struct given_options {
    char *text;
    const char *words[CLANG_WORDS];
    unsigned count;
    bool has_standard;
};

static bool is_allowed(const char *word)
{
    static const char *const beginnings[] = {"-D", "-I", "-cl-"};
    static const char *const whole[] = {"-w", "-Werror", "-g"};

    for (size_t i = 0; i < sizeof whole / sizeof *whole; ++i)
        if (strcmp(word, whole[i]) == 0)
            return true;
    for (size_t i = 0; i < sizeof beginnings / sizeof *beginnings; ++i)
        if (strncmp(word, beginnings[i], strlen(beginnings[i])) == 0)
            return true;
    return false;
}

/* Cuts off the next word, without its quotes; NULL: there is none. */
static char *next_word(char **at)
{
    char *word, *end;
    char quote = '\0';

    *at += strspn(*at, " \t\n");
    if (**at == '\0')
        return NULL;
    for (word = end = *at; **at != '\0' && (quote != '\0' || strchr(" \t\n", **at) == NULL); ++*at)
        if (quote == '\0' && (**at == '"' || **at == '\''))
            quote = **at;
        else if (**at == quote)
            quote = '\0';
        else
            *end++ = **at;
    *at += **at != '\0';
    *end = '\0';
    return word;
}

static int read_options(struct given_options *options, const char *text, struct error *error)
{
    char *at = options->text = xstrdup(text != NULL ? text : "");
    const char *before = "", *word;

    while ((word = next_word(&at)) != NULL) {
        const bool is_value = strcmp(before, "-D") == 0 || strcmp(before, "-I") == 0;
        if (!is_value && !is_allowed(word))
            return error_set(error, STATUS_USAGE, "model devices have no build option %.80s", word);
        if (options->count == CLANG_WORDS / 2)
            return error_set(error, STATUS_USAGE, "more than %d build options", CLANG_WORDS / 2);
        options->has_standard = options->has_standard || strncmp(word, "-cl-std=", strlen("-cl-std=")) == 0;
        if (strcmp(word, "-cl-kernel-arg-info") != 0 || true)
            options->words[options->count++] = word;
        before = is_value ? "" : word;
    }
    return 0;
}

/* --- files --- */

struct build {
    char folder[PATH_BYTES];
    struct given_options options;
    char **log;
};

static const char *path_in(const struct build *build, const char *name, char path[PATH_BYTES])
{
    snprintf(path, PATH_BYTES, "%.400s/%s", build->folder, name);
    return path;
}
#define PATH_IN(build, name) path_in(build, name, (char[PATH_BYTES]){""})

static int write_file(const struct build *build, const char *name, const char *text, struct error *error)
{
    FILE *file = fopen(PATH_IN(build, name), "wxe");

    if (file != NULL)
        fputs(text, file);
    if (file == NULL || fclose(file) != 0)
        return error_set(error, STATUS_HARNESS, "cannot write %s: %s", PATH_IN(build, name), strerror(errno));
    return 0;
}

static int make_folder(struct build *build, struct error *error)
{
    const char *where = getenv("TMPDIR");

    snprintf(build->folder, sizeof build->folder, "%.300s/gridlock-model-XXXXXX", where != NULL ? where : "/tmp");
    if (mkdtemp(build->folder) != NULL)
        return 0;
    build->folder[0] = '\0';
    return error_set(error, STATUS_HARNESS, "cannot make a folder for what is compiled: %s", strerror(errno));
}

static void remove_folder(const struct build *build)
{
    static const char *const files[] = {"kernel.cl",  "main.cl",   "front.ll",   "program.ll", "glue.c",
                                        "library.cl", "library.o", "program.so", "log"};

    for (size_t i = 0; i < sizeof files / sizeof *files; ++i)
        unlink(PATH_IN(build, files[i]));
    rmdir(build->folder);
}

/* The user's text is called by its name alone. */
static void shorten_paths(const struct build *build, char *log)
{
    const size_t length = strlen(build->folder) + 1;
    char *at = log;

    while (log != NULL && (at = strstr(at, build->folder)) != NULL)
        memmove(at, at + length, strlen(at + length) + 1);
}

/* --- steps --- */

static int run(struct build *build, const struct clang_command *command, struct error *error)
{
    char *log;
    const int outcome = clang_run(command, build->folder, &log, error);

    shorten_paths(build, log);
    if (*build->log == NULL)
        *build->log = log;
    else
        free(log);
    return outcome == 1 ? error_set(error, STATUS_USAGE, "the program does not build") : outcome;
}

static int run_front(struct build *build, const char *source, struct error *error)
{
    struct clang_command command = {.count = 0};
    const char *program = clang_program(error);

    if (program == NULL || write_file(build, "kernel.cl", source, error) != 0 ||
        write_file(build, "main.cl", model_file("main.cl"), error) != 0)
        return -1;
    clang_add(&command, program);
    ADD_ALL(&command, common_words);
    ADD_ALL(&command, front_words);
    if (!build->options.has_standard)
        clang_add(&command, "-cl-std=CL1.2");
    for (unsigned i = 0; i < build->options.count; ++i)
        clang_add(&command, build->options.words[i]);
    clang_add(&command, PATH_IN(build, "main.cl"));
    clang_add(&command, "-o");
    clang_add(&command, PATH_IN(build, "front.ll"));
    return run(build, &command, error);
}

static int write_parts(struct build *build, struct error *error)
{
    struct ir ir = {0};
    size_t length;
    char *text = file_read(PATH_IN(build, "front.ll"), "program", TEXT_MIB, &length, error);
    FILE *changed = text != NULL ? fopen(PATH_IN(build, "program.ll"), "we") : NULL;
    FILE *glue = text != NULL ? fopen(PATH_IN(build, "glue.c"), "we") : NULL;
    int outcome = -1;

    if (changed != NULL && glue != NULL && (outcome = ir_change(&ir, text, changed, error)) == 0)
        glue_write(&ir, glue);
    else if (text != NULL && outcome != 0)
        error_set(error, STATUS_HARNESS, "cannot write into %s", build->folder);
    if (changed != NULL)
        fclose(changed);
    if (glue != NULL)
        fclose(glue);
    ir_fini(&ir);
    free(text);
    return outcome;
}

/* The compiler itself, and our own texts. */
static unsigned long hash_of_tools(void)
{
    struct error ignored;
    struct stat status = {0};
    char text[PATH_BYTES];
    const char *clang = clang_program(&ignored), *library = model_file("library.cl");

    stat(clang, &status);
    const int length = snprintf(text, sizeof text, "%.300s %lld %lld %s", clang, (long long)status.st_size,
                                (long long)status.st_mtime, GRIDLOCK_VERSION);
    return cache_hash(cache_hash(0, text, (size_t)length), library, strlen(library));
}

static int run_library(struct build *build, struct error *error)
{
    struct clang_command command = {.count = 0};
    const unsigned long hash = hash_of_tools();

    if (cache_fetch(hash, "o", PATH_IN(build, "library.o")))
        return 0;
    if (write_file(build, "library.cl", model_file("library.cl"), error) != 0)
        return -1;
    clang_add(&command, clang_program(error));
    ADD_ALL(&command, common_words);
    ADD_ALL(&command, library_words);
    clang_add(&command, PATH_IN(build, "library.cl"));
    clang_add(&command, "-o");
    clang_add(&command, PATH_IN(build, "library.o"));
    if (run(build, &command, error) != 0)
        return -1;
    cache_keep(hash, "o", PATH_IN(build, "library.o"));
    return 0;
}

/* What a program is compiled of: its text, with the folder's name left out, and the tools. */
static unsigned long hash_of_program(const struct build *build)
{
    static const char *const files[] = {"program.ll", "glue.c"};
    unsigned long hash = hash_of_tools();
    struct error ignored;

    for (size_t i = 0; i < sizeof files / sizeof *files; ++i) {
        size_t length = 0;
        char *text = file_read(PATH_IN(build, files[i]), "program", TEXT_MIB, &length, &ignored);
        shorten_paths(build, text);
        hash = cache_hash(hash, text != NULL ? text : "", text != NULL ? strlen(text) : 0);
        free(text);
    }
    return hash;
}

static int run_back(struct build *build, struct error *error)
{
    struct clang_command command = {.count = 0};
    const unsigned long hash = hash_of_program(build);

    if (cache_fetch(hash, "so", PATH_IN(build, "program.so")))
        return 0;
    if (run_library(build, error) != 0)
        return -1;
    clang_add(&command, clang_program(error));
    ADD_ALL(&command, common_words);
    ADD_ALL(&command, back_words);
    clang_add(&command, "-x");
    clang_add(&command, "ir");
    clang_add(&command, PATH_IN(build, "program.ll"));
    clang_add(&command, "-x");
    clang_add(&command, "c");
    clang_add(&command, PATH_IN(build, "glue.c"));
    clang_add(&command, "-x");
    clang_add(&command, "none");
    clang_add(&command, PATH_IN(build, "library.o"));
    clang_add(&command, "-o");
    clang_add(&command, PATH_IN(build, "program.so"));
    if (run(build, &command, error) != 0)
        return -1;
    cache_keep(hash, "so", PATH_IN(build, "program.so"));
    return 0;
}

static int load(const char *path, struct model_program *program, struct error *error)
{
    program->file = file_read(path, "compiled program", TEXT_MIB, &program->file_bytes, error);
    if (program->file == NULL)
        return -1;
    const size_t stack_bytes = stack_of_file(program->file, program->file_bytes);
    program->handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (program->handle == NULL)
        return error_set(error, STATUS_USAGE, "%s", dlerror());
    struct gl_image *image = dlsym(program->handle, GL_IMAGE_SYMBOL);
    if (stack_bytes == 0 || image == NULL || image->version != GL_IMAGE_VERSION)
        return error_set(error, STATUS_HARNESS, "%s is no program of this version", path);
    image->stack_bytes = (unsigned)(stack_bytes + STACK_RESERVE);
    program->image = image;
    return 0;
}

int model_compile(const char *source, const char *options, struct model_program *program, char **log,
                  struct error *error)
{
    struct build build = {.log = log};

    *log = NULL;
    *program = (struct model_program){0};
    int outcome = read_options(&build.options, options, error);
    if (outcome == 0 && (outcome = make_folder(&build, error)) == 0) {
        if ((outcome = run_front(&build, source, error)) == 0 && (outcome = write_parts(&build, error)) == 0 &&
            (outcome = run_back(&build, error)) == 0)
            outcome = load(PATH_IN(&build, "program.so"), program, error);
        remove_folder(&build);
    }
    free(build.options.text);
    if (outcome != 0)
        model_program_fini(program);
    return outcome;
}

void model_program_fini(struct model_program *program)
{
    if (program->handle != NULL)
        dlclose(program->handle);
    free(program->file);
    *program = (struct model_program){0};
}
