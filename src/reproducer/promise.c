#include "base/alloc.h"
#include "core/optional.h"
#include "core/text.h"
#include "format/text.h"
#include "reproducer/conditions.h"
#include "reproducer/excerpt.h"
#include "reproducer/files.h"
#include "reproducer/recipe.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/*
 * By which drivers offer devices, and shape them, wherever they are; paths, indexes and libraries are of one machine.
 */
static const char *const variables[] = {"POCL_DEVICES",
                                        "POCL_MAX_PTHREAD_COUNT",
                                        "POCL_CPU_MAX_CU_COUNT",
                                        "OCLGRIND_NUM_THREADS",
                                        "RUSTICL_ENABLE",
                                        "LP_NUM_THREADS",
                                        POCL_METHOD};

/* The value that the variable had, up to the end of its line; NULL: it was not set. */
static const char *value_of(const char *environment, const char *name)
{
    const size_t length = strlen(name);

    for (const char *line = environment; *line != '\0'; line += reproducer_line(line))
        if (strncmp(line, name, length) == 0 && line[length] == '=')
            return line + length + 1;
    return NULL;
}

bool reproducer_sets(const char *environment)
{
    bool found = false;

    for (size_t i = 0; i < sizeof variables / sizeof *variables; ++i)
        found = found || value_of(environment, variables[i]) != NULL;
    return found;
}

/* --- the kernel --- */

/* A driver's text, as part of a string; two question marks may begin a trigraph. */
static void put_plain(FILE *out, const char *text)
{
    bool after_mark = false;

    for (; *text != '\0'; ++text) {
        const bool plain = isprint((unsigned char)*text) && *text != '"' && *text != '\\' && *text != '?';
        fputc(plain ? *text : after_mark ? '_' : '?', out);
        after_mark = !plain && !after_mark;
    }
}

/* Another value that is set stays. */
static void put_variables(FILE *out, const char *environment)
{
    const char *between = "#define SET_VARIABLES() (", *value;
    char copy[256];

    for (size_t i = 0; i < sizeof variables / sizeof *variables; ++i)
        if ((value = value_of(environment, variables[i])) != NULL) {
            snprintf(copy, sizeof copy, "%.*s", (int)strcspn(value, "\n"), value);
            fprintf(out, "%ssetenv(\"%s\", \"", between, variables[i]);
            put_plain(out, copy);
            fputs("\", 0)", out);
            between = ", ";
        }
    fputs(reproducer_sets(environment) ? ") /* as where it was seen */\n" : "", out);
}

static void put_line(FILE *out, const char *line, size_t length)
{
    const size_t indent = strspn(line, " ");

    fputs("\n    \"", out);
    for (size_t i = 0; i < length; ++i) {
        if (i > indent && line[i] == ' ' && line[i - 1] == ' ')
            continue; /* what is continued in another line ends far to the right */
        if (line[i] == '"' || line[i] == '\\')
            fputc('\\', out);
        fputc(line[i], out);
    }
    fputs("\\n\"", out);
}

/* As a string, without what only takes lines. */
static void put_kernel(FILE *out, const char *text)
{
    bool comment = false;

    fputs("\nstatic const char source[] =", out);
    while (*text != '\0') {
        const size_t length = strcspn(text, "\n");
        comment = comment || strncmp(text + strspn(text, " "), "/*", 2) == 0;
        if (!comment && length > 0 && !source_is_place(text))
            put_line(out, text, length);
        comment = comment && (length < 2 || strncmp(text + length - 2, "*/", 2) != 0);
        text += length + (text[length] == '\n');
    }
    fputs(";\n\n", out);
}

/* Of a text what its last part, which begins with `rest`, uses, and that part. */
static char *take_used(const char *text, const char *rest)
{
    struct excerpt excerpt = {.pieces = NULL};

    excerpt_add_library(&excerpt, text, (size_t)(rest - text), false);
    excerpt_add(&excerpt, rest, strlen(rest));
    char *used = excerpt_text(&excerpt);
    excerpt_fini(&excerpt);
    return used;
}

/* Where the kernel's definition begins: behind the last blank line before its name. */
static const char *find_kernel(const char *text, const char *name)
{
    char call[80];

    snprintf(call, sizeof call, "%s(", name);
    const char *found = strstr(text, call);
    while (found != NULL && found > text && strncmp(found - 1, "\n\n", 2) != 0)
        --found;
    return found != NULL ? found : text;
}

static char *make_kernel(const char *name, const char *numbers, struct error *error)
{
    const struct source_folders none = {NULL, NULL};
    char file[64];

    snprintf(file, sizeof file, "%s.cl", name);
    char *loaded = source_load(none, file, error);
    char *resolved = loaded != NULL ? conditions_resolve(loaded, numbers) : NULL;
    char *kernel = resolved != NULL ? take_used(resolved, find_kernel(resolved, name)) : NULL;
    free(resolved);
    free(loaded);
    return kernel;
}

/* --- the program --- */

/* What is promised, and what was found; texts of a driver's are among it. */
static void put_finding(FILE *out, const struct reproduced_promise *reproduced)
{
    const struct text_page page = {
        .out = out, .first = " * ", .margin = " * ", .columns = 116, .put = reproducer_put_word};
    const struct audit_row *row = reproduced->row;
    const struct device_info *info = &reproduced->device->info;
    char *text = NULL;
    FILE *found = xopen_memstream(&text, NULL);

    if (found == NULL)
        return;
    fprintf(found, "%s (%s) ", row->promise->says, row->promise->made);
    audit_text_finding(found, row);
    fprintf(found, " Seen on %s (%s, driver %s).", info->name, info->platform, info->driver_version);
    xclose_memstream(found, &text);
    text_wrap(&page, text);
    free(text);
}

static void put_head(FILE *out, const struct reproduced_promise *reproduced)
{
    const struct audit_row *row = reproduced->row;

    fputs("/*\n", out);
    put_finding(out, reproduced);
    fputs(" *     cc promise.c -lOpenCL -o promise && ./promise [PART OF A DEVICE'S OR PLATFORM'S NAME, OR --list]\n",
          out);
    fputs(row->promise->ends
              ? " * Exit status: 0 kept; 1 broken, also if there is no end while launches of another process end; 2 no "
                "such\n * device; 3 undecided, also if there is no end of these either.\n */\n"
              : " * Exit status: 0 kept; 1 broken; 2 no such device; 3 undecided, also if there is no end.\n */\n",
          out);
}

/* The driver's refusal to build the kernel says all. */
static bool is_not_built(const struct audit_row *row)
{
    return row->finding.fails > 0 && recipe_has_failed_in(row, PROMISE_BUILD);
}

/* The headers of the template that the program uses. */
static void put_includes(FILE *out, const char *program)
{
    const bool is_new =
        strstr(program, "ExecInfo") != NULL || strstr(program, "SUB_GROUP") != NULL || strstr(program, "SVM") != NULL;
    const char *line = reproducer_file(reproducer_files, "promise.c"), *end = line;
    size_t length;

    reproducer_split(line, "#include \"act.h\"", &length);
    fputs("#define _GNU_SOURCE\n", out);
    fputs(is_new ? "#define CL_TARGET_OPENCL_VERSION 300\n#define CL_USE_DEPRECATED_OPENCL_1_2_APIS\n"
                 : "#define CL_TARGET_OPENCL_VERSION 120\n",
          out);
    for (end += length; line < end; line += reproducer_line(line)) {
        const char *sign = strncmp(line, "#include <stdlib.h>", 19) == 0     ? "atexit("
                           : strncmp(line, "#include <time.h>", 17) == 0     ? "timespec"
                           : strncmp(line, "#include <sys/wait.h>", 21) == 0 ? "waitpid("
                                                                             : "";
        if (strstr(program, sign) != NULL)
            fwrite(line, 1, reproducer_line(line), out);
    }
}

char *reproducer_host(const char *const parts[3], const char *numbers)
{
    size_t length;
    const char *frame = reproducer_split(reproducer_file(reproducer_files, "promise.c"), "#include \"act.h\"", &length);
    const char *rest = reproducer_split(frame, "#include \"promise_loop.inc\"", &length);
    const char *texts[3] = {"", "", ""};

    for (int i = 0; i < 3 && parts[i] != NULL; ++i)
        texts[i] = reproducer_file(reproducer_files, parts[i]);
    char *all = xasprintf("%.*s%s\n%s\n%s\n%s", (int)length, frame, texts[0], texts[1], texts[2], rest);
    char *host = conditions_resolve(all, numbers);
    free(all);
    char *used = take_used(host, strstr(host, "\nint main("));
    free(host);
    return used;
}

void reproducer_put_begin(FILE *out, const char *program, const struct device_info *device, const char *environment)
{
    put_includes(out, program);
    fputs("#define DEVICE \"", out);
    put_plain(out, device->name);
    fputs("\" /* unless another is named */\n", out);
    put_variables(out, environment);
}

/* A program of this kernel and this text. */
static char *make_program(const struct reproduced_promise *reproduced, const char *numbers, const char *kernel,
                          const char *used)
{
    const struct device_probe *probe = &reproduced->device->probe;
    char options[BUILD_OPTIONS], flags[BUILD_OPTIONS], *text = NULL;
    FILE *out = xopen_memstream(&text, NULL);

    build_options(reproduced->device->info.kind, probe, probe->dialect, false, options);
    text_append(options, sizeof options, " %s", numbers);
    reproducer_flags(options, flags);
    put_head(out, reproduced);
    reproducer_put_begin(out, used, &reproduced->device->info, reproduced->environment);
    fprintf(out, "#define BUILD_OPTIONS \"%s\"\n", flags);
    put_kernel(out, kernel);
    fputs(used, out);
    return xclose_memstream(out, &text);
}

/* Why there is no program for a row; NULL: there may be one. */
static const char *refusal(const struct audit_row *row)
{
    if (row->promise->of_cuda)
        return "it is measured through CUDA's driver, by gridlock audit --via cuda alone";
    if (row->promise->silent)
        return "nothing is promised";
    if (row->incomplete || row->finding.undecided)
        return "it could not be measured";
    if (!row->finding.offered || row->finding.promised == 0)
        return "the device does not promise it";
    return NULL;
}

int reproducer_write_promise(const struct reproduced_promise *reproduced, const char *folder, struct error *error)
{
    const struct audit_row *row = reproduced->row;
    const struct recipe *recipe = recipe_of(row);
    const char *reason = refusal(row);
    char numbers[RECIPE_NUMBERS];

    if (reason == NULL && recipe == NULL)
        reason = "nobody has written one";
    if (reason != NULL)
        return error_set(error, STATUS_USAGE, "there is no reproducer for promise %s: %s", row->promise->name, reason);
    recipe_write_numbers(reproduced, recipe, numbers);
    char *kernel = make_kernel(recipe->kernel, numbers, error);
    const char *const *parts = is_not_built(row) ? (const char *const[3]){"promise_build.inc"} : recipe->parts;
    char *used = kernel != NULL ? reproducer_host(parts, numbers) : NULL;
    char *program = used != NULL ? make_program(reproduced, numbers, kernel, used) : NULL;
    const struct source_file files[] = {{REPRODUCER_PROMISE, program}, {NULL, NULL}};
    const int outcome = program != NULL ? reproducer_save(folder, files, error) : -1;
    free(program);
    free(used);
    free(kernel);
    return outcome;
}
