#include "base/alloc.h"
#include "core/optional.h"
#include "core/text.h"
#include "format/text.h"
#include "promise/options.h"
#include "reproducer/conditions.h"
#include "reproducer/excerpt.h"
#include "reproducer/files.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* What the program for an act is made of: a kernel, and templates with what they are told beside the numbers. */
static const struct recipe {
    enum promise_act act;
    const char *kernel;
    const char *parts[3]; /* NULL: no more of them */
    const char *told;
} recipes[] = {
    {ASK_GROUP_SIZE, "promise_size", {"promise_size.inc"}, ""},
    {ASK_ITEM_SIZES, "promise_size", {"promise_size.inc"}, "-DOF_SIDE=1"},
    {ASK_CONCURRENT_COUNT, "promise_dispatch", {"promise_dispatch.inc"}, "-DOF_ACT=1"},
    {ASK_CONCURRENT_MORE, "promise_dispatch", {"promise_dispatch.inc"}, "-DOF_ACT=2"},
    {ASK_CONCURRENT_AGAIN, "promise_dispatch", {"promise_dispatch.inc"}, "-DOF_ACT=3"},
    {ASK_BARRIER_VALID, "promise_dispatch", {"promise_dispatch.inc"}, ""},
    {ASK_LOCAL_MEMORY, "promise_local", {"promise_local.inc"}, ""},
    {ASK_KERNEL_LOCAL, "promise_local", {"promise_kernel_local.inc"}, ""},
    {ASK_REQUIRED_SIZE, "promise_group", {"promise_group.inc"}, ""},
    {ASK_RANGE, "promise_range", {"range.inc", "promise_tries.inc"}, ""},
    {ASK_UNEVEN_GROUPS, "promise_group", {"promise_group.inc"}, "-DOF_UNEVEN=1"},
    {ASK_LOOPS, "promise_loop", {"promise_loop.inc"}, ""},
    {ASK_BUFFER_SIZE, "promise_memory", {"promise_memory.inc"}, ""},
    {ASK_PARAMETER_SIZE, "promise_memory", {"promise_memory.inc"}, "-DOF_PARAMETERS=1"},
    {ASK_MOVED, "promise_bytes", {"bytes.inc", "promise_tries.inc"}, ""},
    {ASK_PRINTED, "promise_print", {"print.inc", "promise_tries.inc"}, ""},
    {ASK_EVENT_TIMES, "promise_step", {"step.inc", "promise_seen.inc", "promise_times.inc"}, "-DOF_TIMES=1"},
    {ASK_DURATION, "promise_step", {"step.inc", "promise_seen.inc", "promise_times.inc"}, "-DOF_TIMES=2"},
    {ASK_TIMER_STEP, "promise_step", {"step.inc", "promise_seen.inc", "promise_times.inc"}, "-DOF_TIMES=3"},
    {ASK_USER_EVENT, "promise_step", {"step.inc", "user_event.inc", "promise_tries.inc"}, ""},
    {ASK_CALLBACK, "promise_step", {"step.inc", "promise_callback.inc"}, ""},
    {ASK_LEAVE, "promise_step", {"step.inc", "promise_leave.inc"}, "-DOF_LEAVES=1"},
    {ASK_HELD_MOVES, "promise_bytes", {"held_moves.inc", "promise_tries.inc"}, ""},
    {ASK_BEYOND, "promise_step", {"step.inc", "beyond.inc", "promise_tries.inc"}, ""},
    {ASK_RUNNING, "promise_step", {"step.inc", "promise_seen.inc", "promise_running.inc"}, ""},
    {ASK_ORDER, "promise_step", {"step.inc", "order.inc", "promise_tries.inc"}, ""},
    {ASK_ATOMIC_ORDER, "promise_handover", {"promise_pairs.inc"}, ""},
    {ASK_ATOMIC_FENCE, "promise_handover", {"promise_pairs.inc"}, ""},
    {ASK_ATOMIC_FLAG, "promise_flag", {"promise_flag.inc"}, ""},
    {ASK_ATOMIC_FUNCTIONS, "promise_functions", {"promise_functions.inc"}, ""},
    {ASK_BARRIER, "promise_barrier", {"promise_pairs.inc"}, "-DOF_BARRIER=1"},
    {ASK_SUB_BARRIER, "promise_sub_barrier", {"promise_pairs.inc"}, "-DOF_BARRIER=1"},
    {ASK_SUB_SHAPE, "promise_sub_shape", {"promise_sub_shape.inc"}, ""},
    {ASK_SUB_VALUES, "promise_sub_values", {"promise_sub_values.inc"}, ""},
    {ASK_SUB_MORE, "promise_sub_more", {"promise_sub_more.inc"}, ""},
    {ASK_SUB_PROGRESS, "promise_sub_progress", {"promise_sub_progress.inc"}, ""},
    {ASK_SVM_COPY, "promise_bytes", {"svm_copy.inc", "promise_tries.inc"}, ""},
    {ASK_SVM_SHARED, "promise_hold", {"promise_seen.inc", "promise_svm_shared.inc"}, ""},
};

/* Where a promise is measured in another way than others of its act. */
static const struct recipe total = {ASK_ATOMIC_ORDER, "promise_total", {"promise_pairs.inc"}, "-DOF_TOTAL=1"};
static const struct recipe relaxed = {ASK_ATOMIC_ORDER, "promise_functions", {"promise_functions.inc"}, ""};

static const struct recipe held = {ASK_DURATION, "promise_hold", {"promise_seen.inc", "promise_duration.inc"}, ""};

static bool has_failed_in(const struct audit_row *row, const char *name)
{
    return strcmp(row->finding.failed_in, name) == 0;
}

static bool has_order(const struct promise *promise)
{
    return promise->act == ASK_ATOMIC_ORDER || promise->act == ASK_ATOMIC_FENCE;
}

/* Of two kernels that measure it, that which says most: the one that found it broken, or the second one. */
static bool is_of_total(const struct audit_row *row)
{
    return has_order(row->promise) && row->promise->of[0] == ORDER_SEQ_CST &&
           (row->finding.fails == 0 || has_failed_in(row, total.kernel));
}

static const struct recipe *recipe_of(const struct audit_row *row)
{
    if (is_of_total(row))
        return &total;
    if (row->promise->act == ASK_ATOMIC_ORDER && row->promise->of[0] == ORDER_RELAXED)
        return &relaxed;
    if (row->promise->act == ASK_DURATION && has_failed_in(row, held.kernel))
        return &held;
    for (size_t i = 0; i < sizeof recipes / sizeof *recipes; ++i)
        if (recipes[i].act == row->promise->act)
            return &recipes[i];
    return NULL;
}

/* --- numbers --- */

enum { NUMBERS = 1024, PAIRS_LEAST = 8, PAIRS_MOST = 64 };

static uint64_t bounded(uint64_t number, uint64_t least, uint64_t most)
{
    return number < least ? least : number > most ? most : number;
}

static uint64_t local_size(const struct reproduced_promise *reproduced)
{
    const struct promise *promise = reproduced->row->promise;
    const bool group = has_order(promise) ? promise->of[1] == SCOPE_GROUP
                                          : promise->act == ASK_BARRIER || promise->act == ASK_SUB_BARRIER ||
                                                promise->act == ASK_ATOMIC_FLAG;

    if (group)
        return bounded(reproduced->device->info.max_local_size, 2, PROMISE_PAIR_GROUP);
    return has_order(promise) || promise->of[0] == 0 ? 1 : promise->of[0];
}

/* Loops may have so many turns. */
static uint64_t turns_most(const struct device_probe *probe)
{
    return probe->loops_cut_at != 0 ? probe->loops_cut_at / 4 * 3 : UINT32_MAX;
}

/* Turns of a work-item in a launch of a chain, which takes some milliseconds, or long. */
static uint64_t turns(const struct reproduced_promise *reproduced)
{
    enum { ITEMS = 256, SHORT_MS = 4, LONG_MS = 500, SHARED_MS = 300 };
    const struct promise *promise = reproduced->row->promise;
    const struct device_probe *probe = &reproduced->device->probe;
    const uint64_t milliseconds = promise->act == ASK_RUNNING ? LONG_MS : SHORT_MS;

    if (promise->act == ASK_SVM_SHARED || recipe_of(reproduced->row) == &held)
        return bounded(device_polls_a_ms(probe) * (uint64_t)SHARED_MS, 1, turns_most(probe));
    return bounded(device_polls_a_ms(probe) * milliseconds / ITEMS, 1, turns_most(probe));
}

/* What the function comes to depends on the values that work-items put in. */
static bool is_by_token(enum atomic_function function)
{
    return function != FUNCTION_INCREMENT && function != FUNCTION_DECREMENT && function != FUNCTION_COMPARISON &&
           function != FUNCTION_BITS;
}

/* One program has room for one of them: that which was found broken. */
static enum atomic_function function_of(const struct audit_row *row)
{
    const int failed = naming_find(&atomic_function_naming, row->finding.failed_in);

    if (failed >= 0)
        return (enum atomic_function)failed;
    return row->promise->act == ASK_ATOMIC_FUNCTIONS && row->promise->of[0] == ATOMIC_64_EXTENDED ? FUNCTION_MINIMUM
                                                                                                  : FUNCTION_INCREMENT;
}

static void write_functions(const struct reproduced_promise *reproduced, char text[NUMBERS])
{
    const struct promise *promise = reproduced->row->promise;
    const struct device_info *info = &reproduced->device->info;
    const enum atomic_function function = function_of(reproduced->row);
    const uint64_t groups = bounded(2 * (uint64_t)info->compute_units, 4, 32);
    const bool apart = promise->act == ASK_ATOMIC_ORDER ? promise->of[1] == SCOPE_GROUP : promise->of[1] != 0;

    text_append(text, NUMBERS, " -DGL_ONLY=%d -DOF_NAME=\"%s\" -DOF_ITEMS=%" PRIu64 " -DOF_SETS=%" PRIu64,
                (int)function, atomic_function_name(function), bounded(info->max_local_size, 1, PROMISE_PAIR_GROUP),
                apart ? groups : 1);
    text_append(text, NUMBERS, " -DOF_GROUPS=%" PRIu64 "%s%s", groups, is_by_token(function) ? " -DOF_TOKENS=1" : "",
                function == FUNCTION_MINIMUM ? " -DOF_START=(number)-1 -DOF_FILL=0xff" : " -DOF_START=0 -DOF_FILL=0");
}

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

/* Its program tries a promise that is written once (act/script.c) in a function of the promise's name. */
static bool is_script(const struct recipe *recipe)
{
    bool found = false;

    for (int i = 0; i < 3 && recipe->parts[i] != NULL; ++i)
        found = found || strcmp(recipe->parts[i], "promise_tries.inc") == 0;
    return found;
}

static void write_script(const struct promise *promise, const struct device_probe *probe, char text[NUMBERS])
{
    text_append(text, NUMBERS, " -DOF_TURNS_MOST=%" PRIu64 " -DOF_ONCE=", turns_most(probe));
    for (const char *at = promise->name; *at != '\0'; ++at)
        text_append(text, NUMBERS, "%c", *at == '-' ? '_' : *at);
}

/* What is tried several times: the program tries it as often as the audit did, which may have been told to. */
static uint32_t tries_of(const struct audit_row *row, const struct recipe *recipe)
{
    enum { USUAL = 5 };
    const bool repeats = is_script(recipe) || row->promise->act == ASK_CALLBACK;

    return repeats && row->finding.tries > USUAL ? row->finding.tries : USUAL;
}

/* As options of a build: what the kernel is built with, and what templates ask for. */
static void write_numbers(const struct reproduced_promise *reproduced, const struct recipe *recipe, char text[NUMBERS])
{
    enum { PATIENCE = 1 << 16, PATIENCE_CUT = 1 << 15, PATIENCE_GROUP = 1 << 9, MOST_GROUPS = 1024 };
    const struct promise *promise = reproduced->row->promise;
    const struct finding *finding = &reproduced->row->finding;
    const struct device_probe *probe = &reproduced->device->probe;
    const uint64_t units = reproduced->device->info.compute_units, local = local_size(reproduced);
    const uint64_t pointer = promise->act == ASK_PARAMETER_SIZE ? reproduced->device->info.address_bits / 8 : 0;
    const uint64_t amount = promise->act == ASK_KERNEL_LOCAL ? PROMISE_LOCAL_BYTES : finding->promised - pointer;

    promise_options(promise, &reproduced->device->info, probe, amount, text);
    text_append(text, NUMBERS, "%s", probe->dialect == DIALECT_CL30 ? " -DGL_DIALECT_CL30" : " -DGL_DIALECT_CL12");
    text_append(text, NUMBERS, " %s -DOF_KERNEL=\"%s\" -DOF_FIRST=%" PRIu32 " -DOF_SECOND=%" PRIu32 " -DOF_VERSION=%u",
                recipe->told, recipe->kernel, promise->of[0], promise->of[1],
                device_info_version(&reproduced->device->info));
    text_append(text, NUMBERS, "%s -DOF_TRIES=%" PRIu32, promise->ends ? " -DOF_ENDS=1" : "",
                tries_of(reproduced->row, recipe));
    if (is_script(recipe))
        write_script(promise, probe, text);
    if (reproducer_sets(reproduced->environment))
        text_append(text, NUMBERS, " -DOF_SET=1");
    if (strcmp(recipe->kernel, "promise_functions") == 0)
        write_functions(reproduced, text);
    text_append(text, NUMBERS, " -DOF_PROMISED=%" PRIu64 " -DOF_MEASURED=%" PRIu64 " -DOF_TURNS=%" PRIu64,
                finding->promised, finding->measured, turns(reproduced));
    text_append(text, NUMBERS, " -DOF_LOCAL=%" PRIu64 " -DOF_GROUPS=%" PRIu64 " -DOF_ROUNDS=%" PRIu32, local,
                bounded(4 * (units + 1), 1, MOST_GROUPS), promise_rounds(promise, probe));
    text_append(text, NUMBERS, " -DOF_PLACES=%" PRIu64 " -DOF_PATIENCE=%d",
                local > 1 ? 4 * local : 2 * bounded(units, PAIRS_LEAST, PAIRS_MOST),
                local > 1                  ? PATIENCE_GROUP
                : probe->loops_cut_at != 0 ? PATIENCE_CUT
                                           : PATIENCE);
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
    size_t size;
    FILE *found = xopen_memstream(&text, &size);

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
    return row->finding.fails > 0 && has_failed_in(row, PROMISE_BUILD);
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
    size_t size;
    FILE *out = xopen_memstream(&text, &size);

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
    char numbers[NUMBERS];

    if (reason == NULL && recipe == NULL)
        reason = "nobody has written one";
    if (reason != NULL)
        return error_set(error, STATUS_USAGE, "there is no reproducer for promise %s: %s", row->promise->name, reason);
    write_numbers(reproduced, recipe, numbers);
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
