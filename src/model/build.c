#include "model/build.h"

#include "base/alloc.h"
#include "base/file.h"
#include "model/builtins.h"
#include "model/clang.h"
#include "model/endless.h"
#include "model/glue.h"
#include "model/library.h"
#include "model/module.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    FILE_MIB_MOST = 1 << 10,
    FRAME_BYTES = 16,  /* of a function, beside what it keeps: where it returns to, and to be aligned */
    STACK_BYTES = 512, /* of what every program calls */
};

/* What both ends of the compiler are told. */
static const char common_options[] =
    "-target x86_64-linux-gnu -O2 -fPIC -fsanitize=kernel-address -fno-optimize-sibling-calls "
    "-fno-omit-frame-pointer -fno-crash-diagnostics";

static const char front_options[] =
    "-x cl -S -emit-llvm -gline-tables-only -fdebug-compilation-dir=. -Wno-psabi -I. -D__OPENCL_VERSION__=300 "
    "-D__IMAGE_SUPPORT__=1 "
    "-Xclang -disable-llvm-passes -Xclang -finclude-default-header -Xclang -fdeclare-opencl-builtins "
    "-Xclang -cl-ext=-all,+cl_khr_fp64,+cl_khr_byte_addressable_store,+cl_khr_global_int32_base_atomics,"
    "+cl_khr_global_int32_extended_atomics,+cl_khr_local_int32_base_atomics,+cl_khr_local_int32_extended_atomics,"
    "+cl_khr_int64_base_atomics,+cl_khr_int64_extended_atomics,+__opencl_c_fp64,+__opencl_c_int64,"
    "+__opencl_c_generic_address_space,+__opencl_c_program_scope_global_variables,+__opencl_c_atomic_order_acq_rel,"
    "+__opencl_c_atomic_order_seq_cst,+__opencl_c_atomic_scope_device,+__opencl_c_atomic_scope_all_devices,"
    "+cl_khr_3d_image_writes,+cl_khr_depth_images,+__opencl_c_images,+__opencl_c_3d_image_writes,"
    "+__opencl_c_read_write_images";

/* Features of OpenCL C 3.0 that clang has no extension for. */
static const char features_30[] = "-D__opencl_c_atomic_scope_device=1 -D__opencl_c_atomic_scope_all_devices=1 "
                                  "-D__opencl_c_work_group_collective_functions=1";

static const char sub_groups_options[] = "-Xclang -cl-ext=+cl_khr_subgroups,+__opencl_c_subgroups";

/* Each access is reported, by functions of the library, but for those of private variables that are surely right. */
static const char back_options[] =
    "-w -fno-builtin -femulated-tls -fstack-usage -fvisibility=hidden "
    "-mllvm -asan-instrumentation-with-call-threshold=0 -mllvm -asan-memory-access-callback-prefix=gl_model_ "
    "-mllvm -asan-stack=0 -mllvm -asan-globals=0 -mllvm -asan-opt=0 -mllvm -asan-use-stack-safety=1";

static const char glue_options[] = "-std=gnu11 -fno-strict-aliasing";

void build_print_options(const struct build *build, FILE *out)
{
    fprintf(out, "%s\n%s\n%s\n%s\n%s\n", common_options, front_options, features_30, back_options, glue_options);
    if (build->sub_groups)
        fprintf(out, "%s\n", sub_groups_options);
    for (size_t i = 0; i < build->options.count; ++i)
        fprintf(out, "%s\n", build->options.words[i]);
}

/* A file of the folder, as a word. */
static void add_file(struct clang_words *words, const struct build *build, const char *name)
{
    char *path = xasprintf("%s/%s", build->folder, name);
    clang_words_add(words, path);
    free(path);
}

static FILE *open_file(const struct build *build, const char *name, const char *mode)
{
    char *path = xasprintf("%s/%s", build->folder, name);
    FILE *file = fopen(path, mode);
    free(path);
    return file;
}

static char *read_file(const struct build *build, const char *name, size_t *size)
{
    struct error ignored;
    char *path = xasprintf("%s/%s", build->folder, name);
    char *text = file_read(path, "file", FILE_MIB_MOST, size, &ignored);
    free(path);
    return text;
}

static int write_file(const struct build *build, const char *name, const char *text)
{
    FILE *file = open_file(build, name, "we");
    if (file == NULL)
        return -1;
    fputs(text, file);
    return fclose(file);
}

static void say(const struct build *build, const char *text)
{
    FILE *log = open_file(build, "log", "ae");
    if (log == NULL)
        return;
    fprintf(log, "error: %s\n", text);
    fclose(log);
}

int build_begin(struct build *build, const char *options, struct error *error)
{
    const char *temporary = getenv("TMPDIR");

    *build = (struct build){.clang = clang_find(error)};
    if (build->clang == NULL || clang_options(options, &build->options, error) != 0)
        return -1;
    build->linker = clang_find_linker(error);
    if (build->linker == NULL)
        return -1;
    char *folder = xasprintf("%s/gridlock-model-XXXXXX", temporary != NULL && *temporary == '/' ? temporary : "/tmp");
    if (mkdtemp(folder) != NULL) {
        build->folder = folder;
        return 0;
    }
    free(folder);
    return error_set(error, STATUS_HARNESS, "cannot make a folder for what the compiler makes: %s", strerror(errno));
}

/* Starts a step. */
static pid_t start(const struct build *build, struct clang_words *words)
{
    char *log = xasprintf("%s/log", build->folder);
    const pid_t pid = clang_start(log, words->words);

    free(log);
    clang_words_fini(words);
    return pid;
}

static bool has_ended_well(const struct build *build, pid_t pid, const char *what)
{
    char text[128];
    const int status = clang_wait(pid);

    if (status != 0 && status != 1) {
        snprintf(text, sizeof text, "the %s did not end as it should: it may have taken too much time or memory", what);
        say(build, text);
    }
    return status == 0;
}

static bool is_30(const struct build *build)
{
    for (size_t i = 0; i < build->options.count; ++i)
        if (strcmp(build->options.words[i], "-cl-std=CL3.0") == 0)
            return true;
    return false;
}

/* The same program makes the same text, wherever it was made. */
static void drop_folder(const struct build *build, char *text)
{
    char *beginning = xasprintf("%s/", build->folder);
    const size_t length = strlen(beginning);
    char *to = text;

    for (const char *at = text, *next; at != NULL; at = next == NULL ? NULL : next + length) {
        next = strstr(at, beginning);
        const size_t kept = next == NULL ? strlen(at) : (size_t)(next - at);
        memmove(to, at, kept);
        to += kept;
    }
    *to = '\0';
    free(beginning);
}

char *build_front(const struct build *build, const char *source)
{
    struct clang_words words = {0};
    char *named = xasprintf("%s#line 1 \"kernel.cl\"\n%s", front_files[0].text, source);
    const int written = write_file(build, "kernel.cl", named);
    size_t size;

    free(named);
    clang_words_add(&words, build->clang);
    clang_words_add_all(&words, common_options);
    clang_words_add_all(&words, front_options);
    if (is_30(build))
        clang_words_add_all(&words, features_30);
    if (build->sub_groups)
        clang_words_add_all(&words, sub_groups_options);
    for (size_t i = 0; i < build->options.count; ++i)
        clang_words_add(&words, build->options.words[i]);
    clang_words_add(&words, "-o");
    add_file(&words, build, "kernel.ll");
    add_file(&words, build, "kernel.cl");
    if (written != 0 || !has_ended_well(build, start(build, &words), "compiler"))
        return NULL;
    char *text = read_file(build, "kernel.ll", &size);
    if (text != NULL)
        drop_folder(build, text);
    return text;
}

/* Adds up what the functions of a part keep on the stack. -1: one may keep any amount. */
static int add_frames(const struct build *build, const char *name, size_t *bytes)
{
    FILE *file = open_file(build, name, "re");
    char line[4096], text[4200];
    int outcome = 0;

    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        char *size = strchr(line, '\t');
        char *sort = size == NULL ? NULL : strchr(size + 1, '\t');
        if (sort == NULL)
            continue;
        *size++ = '\0';
        if (strncmp(sort + 1, "dynamic", 7) == 0) {
            snprintf(text, sizeof text, "%s: it keeps arrays whose size is not known before it runs", line);
            say(build, text);
            outcome = -1;
        }
        *bytes += strtoul(size, NULL, 10) + FRAME_BYTES;
    }
    if (file != NULL)
        fclose(file);
    return outcome;
}

static int link_parts(const struct build *build, size_t stack_bytes)
{
    struct clang_words words = {0};
    char *script = xasprintf("SECTIONS { .gl_stack : { gl_stack_bytes = .; LONG(%zu) } } INSERT AFTER .init_array;\n",
                             stack_bytes);
    const int written = write_file(build, "stack.ld", script);

    free(script);
    clang_words_add(&words, build->linker);
    clang_words_add_all(&words, "-shared -z defs -o");
    add_file(&words, build, "kernel.so");
    add_file(&words, build, "kernel.o");
    add_file(&words, build, "glue.o");
    clang_words_add_all(&words, "-L/lib/x86_64-linux-gnu -L/lib64 -l:libm.so.6 -l:libc.so.6 -T");
    add_file(&words, build, "stack.ld");
    return written == 0 && has_ended_well(build, start(build, &words), "linker") ? 0 : -1;
}

/* `output` is -c or -S. */
static pid_t start_back(const struct build *build, const char *output, const char *language, const char *from,
                        const char *to)
{
    struct clang_words words = {0};

    clang_words_add(&words, build->clang);
    clang_words_add_all(&words, common_options);
    clang_words_add_all(&words, back_options);
    if (strcmp(language, "c") == 0)
        clang_words_add_all(&words, glue_options);
    clang_words_add(&words, output);
    clang_words_add(&words, "-o");
    add_file(&words, build, to);
    clang_words_add(&words, "-x");
    clang_words_add(&words, language);
    add_file(&words, build, from);
    return start(build, &words);
}

static pid_t start_assembler(const struct build *build)
{
    struct clang_words words = {0};

    clang_words_add(&words, build->clang);
    clang_words_add_all(&words, "-target x86_64-linux-gnu -c -o");
    add_file(&words, build, "kernel.o");
    add_file(&words, build, "kernel.s");
    return start(build, &words);
}

/* A loop that does nothing is to be seen. */
static int mark_endless(const struct build *build)
{
    size_t size;
    char *object = read_file(build, "kernel.o", &size);
    const bool has_one = object != NULL && endless_may_be(object, size);

    free(object);
    if (!has_one)
        return 0;
    if (!has_ended_well(build, start_back(build, "-S", "ir", "kernel.ll", "kernel.s"), "compiler"))
        return -1;
    char *assembly = read_file(build, "kernel.s", &size);
    char *marked = assembly == NULL ? NULL : endless_mark(assembly, "gl_model_round");
    const int written = marked == NULL ? -1 : write_file(build, "kernel.s", marked);
    free(assembly);
    free(marked);
    return written == 0 && has_ended_well(build, start_assembler(build), "assembler") ? 0 : -1;
}

/* Both parts at the same time, which know nothing of each other. */
static int compile_parts(const struct build *build, const struct module *module)
{
    FILE *glue = open_file(build, "glue.c", "we"), *log = open_file(build, "log", "ae");
    int outcome = glue == NULL || log == NULL ? -1 : glue_print(module, glue, log);

    if (glue != NULL && fclose(glue) != 0)
        outcome = -1;
    if (log != NULL)
        fclose(log);
    if (outcome != 0 || write_file(build, "kernel.ll", module->text) != 0)
        return -1;
    const pid_t glue_pid = start_back(build, "-c", "c", "glue.c", "glue.o");
    const pid_t kernel_pid = start_back(build, "-c", "ir", "kernel.ll", "kernel.o");
    const bool glue_is_done = has_ended_well(build, glue_pid, "compiler");
    if (!has_ended_well(build, kernel_pid, "compiler") || !glue_is_done)
        return -1;
    return mark_endless(build);
}

/* Of the functions that it calls, and that are not compiled with it. */
static size_t stack_of_others(const struct module *module)
{
    size_t most_bytes = 0;

    for (size_t i = 0; i < module->need_count; ++i) {
        const size_t bytes = builtins_stack_bytes(module->needs[i]);
        most_bytes = bytes > most_bytes ? bytes : most_bytes;
    }
    return STACK_BYTES + most_bytes;
}

/* The image counts bytes of a stack in 32 bits. */
static bool fits(const struct build *build, size_t stack_bytes)
{
    if (stack_bytes <= UINT_MAX)
        return true;
    say(build, "a work-item would have more than 4 GiB of private memory");
    return false;
}

char *build_back(const struct build *build, const char *text, size_t *size)
{
    struct module module;
    struct error error;
    char *object = NULL;

    if (module_read(text, &module, &error) != 0) {
        say(build, error.text);
    } else if (compile_parts(build, &module) == 0) {
        size_t stack_bytes = stack_of_others(&module);
        if (add_frames(build, "kernel.su", &stack_bytes) == 0 && add_frames(build, "glue.su", &stack_bytes) == 0 &&
            fits(build, stack_bytes) && link_parts(build, stack_bytes) == 0)
            object = read_file(build, "kernel.so", size);
    }
    module_fini(&module);
    return object;
}

char *build_log(const struct build *build)
{
    size_t size;
    return read_file(build, "log", &size);
}

void build_fini(struct build *build)
{
    DIR *folder = build->folder == NULL ? NULL : opendir(build->folder);

    for (const struct dirent *entry; folder != NULL && (entry = readdir(folder)) != NULL;)
        unlinkat(dirfd(folder), entry->d_name, 0);
    if (folder != NULL) {
        closedir(folder);
        rmdir(build->folder);
    }
    clang_words_fini(&build->options);
    free(build->folder);
    free(build->linker);
    free(build->clang);
}
