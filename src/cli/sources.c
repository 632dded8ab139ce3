#include "cli/sources.h"

#include "base/alloc.h"
#include "base/file.h"
#include "base/tally.h"
#include "core/asks_group.h"
#include "core/text.h"
#include "format/escape.h"
#include "format/limits.h"

#include <errno.h>
#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { FILE_MIB = 64 };

/* --- options --- */

int sources_add_file(struct parsing *parsing, void *context, char *file)
{
    struct source_options *options = context;
    if (sources_is_folder(file))
        return sources_add_captured(parsing, options, file);
    struct subject_request *request = &options->request;
    struct error *error = &parsing->error;

    if (request->file_count == SUBJECT_FILES)
        return error_set(error, STATUS_USAGE, "%s%.80s: at most %d files are allowed", options->said, file,
                         SUBJECT_FILES);
    if (file[0] == '\0' || strlen(file) >= SUBJECT_PATH)
        return error_set(error, STATUS_USAGE, "%s'%.40s%s': expected a path of 1 to %d bytes", options->said, file,
                         strlen(file) > 40 ? "..." : "", SUBJECT_PATH - 1);
    for (size_t i = 0; i < request->file_count; ++i)
        if (strcmp(request->files[i], file) == 0)
            return 0;
    request->files[request->file_count++] = file;
    return 0;
}

int sources_parse_sizes(struct source_options *options, const char *text, struct error *error)
{
    struct subject_request *request = &options->request;
    char item[SHAPE_BYTES];

    while (text != NULL) {
        const char *at = text;
        const size_t length = text_item(&text, item, sizeof item);
        struct nd_range *size = &request->sizes[request->size_count];
        if (request->size_count == FOOTPRINTS_LIST)
            return error_set(error, STATUS_USAGE, "--local-size: at most %d values are allowed", FOOTPRINTS_LIST);
        if (length >= sizeof item || !nd_range_parse_shape(item, size) || size->local[0] == 0)
            return error_set(error, STATUS_USAGE,
                             "--local-size '%.*s': expected the work-items of a group, as 64, 16x16 or 8x8x4, "
                             "and at most 65536 of them",
                             (int)(length < 40 ? length : 40), at);
        request->size_count += 1;
    }
    return 0;
}

/* "[KERNEL:]ARGUMENT=local:BYTES" */
static int add_local(struct parsing *parsing, void *options, char *text)
{
    struct subject_request *request = &((struct source_options *)options)->request;
    struct error *error = &parsing->error;
    const char *equals = strchr(text, '=');
    const char *colon = equals != NULL ? memchr(text, ':', (size_t)(equals - text)) : NULL;
    const char *argument = colon != NULL ? colon + 1 : text;
    struct given_local given = {.text = text};

    if (equals == NULL || strncmp(equals, "=local:", 7) != 0 || equals == argument || colon == text)
        return error_set(
            error, STATUS_USAGE,
            "--arg '%.80s': expected [KERNEL:]ARGUMENT=local:BYTES, with the argument's number from 0 or its name",
            text);
    if ((size_t)(equals - argument) >= sizeof given.argument || (size_t)(argument - text) > sizeof given.kernel)
        return error_set(error, STATUS_USAGE,
                         "--arg '%.40s...': names of at most %zu bytes are allowed; an argument may be given by its "
                         "number from 0",
                         text, sizeof given.argument - 1);
    if (request->local_count == SUBJECT_GIVEN_LOCALS)
        return error_set(error, STATUS_USAGE, "--arg: at most %d are allowed", SUBJECT_GIVEN_LOCALS);
    snprintf(given.argument, sizeof given.argument, "%.*s", (int)(equals - argument), argument);
    if (colon != NULL)
        snprintf(given.kernel, sizeof given.kernel, "%.*s", (int)(colon - text), text);
    if (parse_number("--arg: BYTES", equals + 7, 1, UINT32_MAX, &given.bytes, error) != 0)
        return -1;
    request->locals[request->local_count++] = given;
    return 0;
}

int sources_add_kernels(struct parsing *parsing, void *options, char *names)
{
    struct subject_request *request = &((struct source_options *)options)->request;

    for (const char *text = names; text != NULL;) {
        const char *at = text;
        if (request->kernel_count == SUBJECT_NAMES)
            return error_set(&parsing->error, STATUS_USAGE, "--kernel: at most %d names are allowed", SUBJECT_NAMES);
        char *kernel = request->kernels[request->kernel_count++];
        const size_t length = text_item(&text, kernel, sizeof request->kernels[0]);
        if (length == 0 || length >= sizeof request->kernels[0])
            return error_set(&parsing->error, STATUS_USAGE, "--kernel '%.40s': expected names of 1 to %zu bytes", at,
                             sizeof request->kernels[0] - 1);
    }
    return 0;
}

int sources_take_build_options(struct parsing *parsing, void *member, char *text)
{
    if (strlen(text) >= SUBJECT_OPTIONS)
        return error_set(&parsing->error, STATUS_USAGE,
                         "--build-options: %zu bytes were given, and at most %d are allowed", strlen(text),
                         SUBJECT_OPTIONS - 1);
    *(const char **)member = text;
    return 0;
}

static const struct naming entries = NAMING("call", "insert");

static int take_entry(struct parsing *parsing, void *member, char *name)
{
    const int entry = parse_name("--entry", &entries, name, &parsing->error);

    *(enum entry_way *)member = (enum entry_way)(entry + ENTRY_CALL);
    return entry < 0 ? -1 : 0;
}

#define AT(member) offsetof(struct source_options, member)

static const struct command_option options_table[] = {
    {"source", 0, 3, "FILE...",
     "Measure the kernels of these OpenCL C files instead, without running them; - is standard input",
     .take = sources_add_file},
    {"kernel", 0, 3, "NAME,...", "With --source: only these kernels", .take = sources_add_kernels, .first = AT(first)},
    {"build-options", 0, 3, "TEXT", "With --source: options for the driver's compiler, as -DN=16",
     .at = AT(request.options), .take = sources_take_build_options, .first = AT(first)},
    {"arg", 0, 3, "[KERNEL:]ARGUMENT=local:BYTES",
     "With --source: the size of a local argument, by its number from 0 or its name (default: an element for each "
     "work-item)",
     .take = add_local, .first = AT(first)},
    {"entry", 0, 3, NULL,
     "With --source: what runs in front of a kernel is in one that calls it, or is put into it (default: insert, but "
     "call where a macro makes the kernel's head, or the kernel would occupy less)",
     .at = AT(request.wanted), .take = take_entry, .names = &entries, .first = AT(first)},
    {"emit-header", 0, 3, "FILE",
     "With --source: write the limits as C constants, and a function that says whether so many groups fit",
     .at = AT(header), .first = AT(first)},
    {0},
};

const struct command_line sources_line = {.options = options_table};

/* --- files --- */

static bool copy_input(int kept)
{
    enum { MOST = FILE_MIB << 20 };
    char bytes[1 << 16];
    ssize_t length;
    size_t all = 0;

    while ((length = read(STDIN_FILENO, bytes, sizeof bytes)) > 0) {
        all += (size_t)length;
        if (all > MOST || write(kept, bytes, (size_t)length) != length)
            return false;
    }
    return length == 0;
}

/* Makes the standard input a file that each worker can read from its beginning. */
static int keep_input(const char *said, struct error *error)
{
    const int kept = memfd_create("gridlock-source", MFD_CLOEXEC);

    if (kept < 0)
        return error_set(error, STATUS_HARNESS, "no memory for the standard input: %s", strerror(errno));
    const bool whole = copy_input(kept) && dup2(kept, STDIN_FILENO) >= 0;
    close(kept);
    return whole ? 0
                 : error_set(error, STATUS_USAGE, "%s-: the standard input cannot be read, or is larger than %d MiB",
                             said, FILE_MIB);
}

static int read_file(struct source_options *options, size_t at, struct error *error)
{
    static const char spir_v[][4] = {{0x03, 0x02, 0x23, 0x07}, {0x07, 0x23, 0x02, 0x03}}; /* little-endian, and big */
    const char *file = options->request.files[at];
    const bool is_input = strcmp(file, SUBJECT_STDIN) == 0;
    size_t length = 0;

    options->digests[at] = tally_hash(file);
    if (strcmp(file, SUBJECT_OURS) == 0)
        return 0;
    if (is_input && keep_input(options->said, error) != 0)
        return -1;
    char *text = file_read(is_input ? "/proc/self/fd/0" : file, "source", FILE_MIB, &length, error);
    if (text == NULL)
        return -1;
    const bool is_spir_v = length >= sizeof spir_v[0] && (memcmp(text, spir_v[0], sizeof spir_v[0]) == 0 ||
                                                          memcmp(text, spir_v[1], sizeof spir_v[1]) == 0);
    const bool is_binary = strlen(text) != length;
    options->digests[at] = tally_hash_bytes(text, length);
    options->asks_group = options->asks_group || asks_group(text);
    free(text);
    if (is_spir_v)
        return error_set(error, STATUS_USAGE,
                         "%s%s is SPIR-V: expected OpenCL C text, for census and barrier are put into that. Give "
                         "the OpenCL C that it was made from; what spirv-dis prints is no OpenCL C",
                         options->said, file);
    if (is_binary)
        return error_set(error, STATUS_USAGE,
                         "%s%s is a binary: expected OpenCL C text. Give the text that it was made from", options->said,
                         file);
    if (length == 0)
        return error_set(error, STATUS_USAGE, "%s%s: the file is empty", options->said, file);
    return 0;
}

int sources_check_origin(const struct source_options *options, const struct measure_options *measure,
                         const char *const *also, size_t count, struct error *error)
{
    const struct subject_request *request = &options->request;
    const struct proof_request *asked = options->asked;
    char *files[SUBJECT_FILES + PROOF_ARGUMENTS + PROOF_RIGHTS + SOURCES_ALSO + 1],
        built[sizeof BUILD_OPTIONS_NAMED + SUBJECT_OPTIONS];
    size_t all = 0;

    for (uint32_t i = 0; asked != NULL && i < asked->argument_count; ++i)
        if (asked->arguments[i].file[0] != '\0')
            files[all++] = (char *)asked->arguments[i].file;
    for (uint32_t i = 0; asked != NULL && i < asked->right_count; ++i)
        if (asked->rights[i].kind == PROOF_RIGHT_FILE)
            files[all++] = (char *)asked->rights[i].text;
    for (size_t i = 0; i < count && i < SOURCES_ALSO; ++i)
        files[all++] = (char *)also[i];
    for (size_t i = 0; i < request->file_count; ++i)
        if (strcmp(request->files[i], SUBJECT_STDIN) != 0 && strcmp(request->files[i], SUBJECT_OURS) != 0)
            files[all++] = (char *)request->files[i];
    if (request->options != NULL && request->options[0] != '\0') {
        snprintf(built, sizeof built, BUILD_OPTIONS_NAMED "%s", request->options);
        files[all++] = built;
    }
    return measure_check_origin(measure, files, all, error);
}

static void print_log(const char *file, const char *log, const char *hint)
{
    if (log == NULL) {
        escape_each(escape_text, stderr, "gridlock: there is no kernel in ", file, SUBJECTS_NO_KERNEL "\n", NULL);
        return;
    }
    escape_each(escape_text, stderr, "gridlock: ", file, " does not build; the driver says:\n", NULL);
    for (const char *line = log; *line != '\0'; line += strspn(line, "\n")) {
        const size_t length = strcspn(line, "\n");
        char *copy = xstrndup(line, length);
        escape_each(escape_text, stderr, "", copy, "\n", NULL);
        free(copy);
        line += length;
    }
    if (hint[0] != '\0')
        escape_each(escape_text, stderr, "gridlock: ", file, ": ", hint, "\n", NULL);
}

int sources_read(struct source_options *options, struct error *error)
{
    struct subject_request *request = &options->request;

    if (request->options == NULL)
        request->options = "";
    request->log = print_log;
    /* NVIDIA's driver tells no registers of a program that it finds in its cache. */
    if (request->file_count > 0)
        setenv("CUDA_CACHE_DISABLE", "1", 0);
    for (size_t i = 0; i < request->file_count; ++i)
        if (read_file(options, i, error) != 0)
            return -1;
    return options->captured != NULL && request->size_count == 0 ? sources_take_shape(options, error) : 0;
}

/* --- the header --- */

/* Behind the name of what is being written. */
#define PART ".part"

/* A run may take long; what it cannot write in the end is refused at the beginning. */
static int check_folder(const char *path, struct error *error)
{
    char folder[PATH_MAX];
    const char *slash = strrchr(path, '/');

    snprintf(folder, sizeof folder, "%.*s", slash != NULL ? (int)(slash - path + 1) : 1, slash != NULL ? path : ".");
    if (access(folder, W_OK | X_OK) == 0)
        return 0;
    return error_set(error, STATUS_USAGE, "--emit-header: cannot write %s: %s", path, strerror(errno));
}

int sources_check_header(const struct source_options *options, struct error *error)
{
    char begin[sizeof GRIDLOCK_HEADER_MARK] = "";
    struct stat status;

    if (options->header == NULL)
        return 0;
    if (strlen(options->header) + sizeof PART > PATH_MAX)
        return error_set(error, STATUS_USAGE, "--emit-header: cannot write %s: %s", options->header,
                         strerror(ENAMETOOLONG));
    if (stat(options->header, &status) != 0)
        return check_folder(options->header, error);
    FILE *file = S_ISREG(status.st_mode) ? fopen(options->header, "re") : NULL;
    if (file != NULL) {
        begin[fread(begin, 1, sizeof begin - 1, file)] = '\0';
        fclose(file);
    }
    if (strcmp(begin, GRIDLOCK_HEADER_MARK) == 0)
        return 0;
    return error_set(error, STATUS_USAGE, "--emit-header %s: the file exists, and is no header that gridlock wrote",
                     options->header);
}

/* By which drivers are told how many threads they have, and the like. */
static const char *const variables[] = {
    "POCL_DEVICES",
    "POCL_MAX_PTHREAD_COUNT",
    "POCL_CPU_MAX_CU_COUNT",
    "POCL_AFFINITY",
    "POCL_WORK_GROUP_METHOD",
    "OCLGRIND_NUM_THREADS",
    "LP_NUM_THREADS",
    "CUDA_VISIBLE_DEVICES",
    "CUDA_MPS_ACTIVE_THREAD_PERCENTAGE",
    "CL_CONFIG_CPU_TBB_NUM_WORKERS",
};
enum { VARIABLES = sizeof variables / sizeof *variables };

static void print_header(FILE *file, const struct source_options *options, const struct limits_report *report,
                         const char *date)
{
    const char *values[VARIABLES][2];
    cpu_set_t processors;
    const struct limits_setting setting = {
        .date = date,
        .files = (const char *const *)options->request.files,
        .digests = options->digests,
        .file_count = options->request.file_count,
        .variables = values,
        .variable_count = VARIABLES,
        .processors = sched_getaffinity(0, sizeof processors, &processors) == 0 ? CPU_COUNT(&processors) : 0,
    };

    for (size_t i = 0; i < VARIABLES; ++i) {
        values[i][0] = variables[i];
        values[i][1] = getenv(variables[i]);
    }
    limits_header(file, report, &setting);
}

int sources_write_header(const struct source_options *options, const struct limits_report *report, struct error *error)
{
    const time_t now = time(NULL);
    struct tm day;
    char date[16] = "an unknown day", path[PATH_MAX];

    if (options->header == NULL)
        return 0;
    if (gmtime_r(&now, &day) != NULL)
        strftime(date, sizeof date, "%Y-%m-%d", &day);
    if (snprintf(path, sizeof path, "%s" PART, options->header) >= (int)sizeof path)
        return error_set(error, STATUS_HARNESS, "--emit-header: the path is too long");
    FILE *file = fopen(path, "we");
    if (file != NULL) {
        print_header(file, options, report, date);
        const bool whole = ferror(file) == 0;
        if (fclose(file) == 0 && whole && rename(path, options->header) == 0)
            return 0;
    }
    const int code = errno;
    unlink(path);
    return error_set(error, STATUS_USAGE, "--emit-header: cannot write %s: %s", options->header, strerror(code));
}

int sources_note(const struct source_options *options, const struct measurement *measurement, struct error *error)
{
    for (size_t i = 0; i < options->request.file_count; ++i)
        if (measurement_note_source(measurement, options->request.files[i], options->digests[i], "", error) != 0)
            return -1;
    return 0;
}
