#include "report/reproducer.h"

#include "core/build_options.h"
#include "report/conditionals.h"
#include "report/unused.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LAUNCHES_MOST = 100, LAUNCHES_FACTOR = 5 };

/* --- what can be done again --- */

/* Names and options go into the program's text as they are. */
static bool is_plain(const char *text, const char *others)
{
    for (; *text != '\0'; ++text)
        if (!isalnum((unsigned char)*text) && strchr(others, *text) == NULL)
            return false;
    return true;
}

/* Only the host's own computation tells that something is wrong. */
static bool is_wrong_by_results(const struct evidence *evidence)
{
    const struct observation *seen = &evidence->observation;
    return evidence->has_launch && evidence->verdict == VERDICT_WRONG && seen->differing > 0 && seen->wrong == 0 &&
           seen->done == evidence->trial.groups;
}

int reproducer_check(const struct evidence *evidence, struct error *error)
{
    const struct trial *trial = &evidence->trial;
    const char *name = evidence->name;

    if (!is_plain(trial->work.kernel, "_") || !is_plain(trial->work.options, "_=.+- "))
        return error_set(error, STATUS_USAGE, "%.160s: the run file's kernel and options are none of gridlock's", name);
    if (trial->estimator == ESTIMATOR_CENSUS)
        return error_set(error, STATUS_USAGE, "%.160s counts groups and has nothing to reproduce: name another trial",
                         name);
    if (trial->work.range.dimensions != 0)
        return error_set(error, STATUS_USAGE,
                         "%.160s is launched over a range, and none of its groups waits: there is nothing to reproduce",
                         name);
    if (trial->work.held != 0)
        return error_set(error, STATUS_USAGE,
                         "%.160s runs beside a second queue: a reproducer does one launch, and not two", name);
    if (is_wrong_by_results(evidence))
        return error_set(error, STATUS_USAGE,
                         "%.160s is wrong in its results alone: a reproducer does not compute what they should be",
                         name);
    return 0;
}

/* --- the program --- */

/* A launch that failed now and then is made more often than it took to see that. */
static uint32_t launches(const struct evidence *evidence)
{
    if (evidence->alike == evidence->launches)
        return 1;
    return evidence->launches < LAUNCHES_MOST / LAUNCHES_FACTOR ? evidence->launches * LAUNCHES_FACTOR : LAUNCHES_MOST;
}

static void write_buffers(FILE *out, const struct workload *work)
{
    static const char types[ELEMENT_COUNT] = {'u', 'i', 'I', 'U', 'f'};
    static const char fills[FILL_COUNT] = {'0', '1', 'i', '+'};

    fputs("\nstruct buffer {\n    size_t count;\n"
          "    char type; /* u, i, U, I: 32 or 64 bits without and with a sign; f: float */\n"
          "    char fill; /* 0, 1: all bits; i: each element its index; + or *: operands drawn by lot */\n};\n\n"
          "static const struct buffer buffers[BUFFERS] = {\n",
          out);
    for (uint32_t i = 0; i < work->region_count; ++i) {
        const struct region *region = &work->regions[i];
        const bool product = region->fill == FILL_SEEDED && work->operation == OPERATION_PRODUCT;
        fprintf(out, "    {%" PRIu64 ", '%c', '%c'},\n", region->count, types[region->element],
                product ? '*' : fills[region->fill]);
    }
    fputs("};\n", out);
}

static void write_counts(FILE *out, const struct trial *trial)
{
    const struct workload *work = &trial->work;
    int computed = 0;

    for (uint32_t i = 0; i < work->region_count; ++i)
        computed += work->regions[i].fill == FILL_SEEDED || work->regions[i].fill == FILL_INDEX;
    fprintf(out, "#define BUFFERS %" PRIu32 "\n#define COMPUTED_BUFFERS %d\n", work->region_count, computed);
    fprintf(out, "#define LOCAL_BYTES %" PRIu64 "\n", trial->footprint.local_memory_bytes);
    fprintf(out, "#define LIMITS %d\n", work->kernel[0] == '\0');
    if (computed > 0)
        fprintf(out, "#define DATA_SEED %" PRIu32 "u\n", work->seed);
    if (work->checks_counted)
        fprintf(out, "#define CHECKS %" PRIu64 "u /* reads of what other groups wrote, in a launch that passes */\n",
                work->checks);
}

/* One that was given; else, where the driver ends loops, one that blows before, as in the run. */
static void write_fuse(FILE *out, const struct reproducer *reproducer)
{
    const uint64_t cut_at = reproducer->evidence->device.probe.loops_cut_at;
    uint64_t fuse = reproducer->trial->work.fuse;

    if (fuse == 0 && cut_at != 0)
        fuse = cut_at / 4 > 0 ? cut_at / 4 : 1;
    if (fuse != 0 && fuse < UINT32_MAX)
        fprintf(out, "#define FUSE %" PRIu64 "u /* polls of a group in a launch, at most */\n", fuse);
}

static void write_table(FILE *out, const struct reproducer *reproducer)
{
    const struct trial *trial = reproducer->trial;
    const struct workload *work = &trial->work;
    const bool is_limits = work->kernel[0] == '\0';
    char options[BUILD_OPTIONS];

    reproducer_options(reproducer, options, sizeof options);
    fprintf(out, "/* What is launched. */\n#define KERNEL \"%s\"\n#define BUILD_OPTIONS \"%s\"\n",
            is_limits ? "limits" : work->kernel, options);
    fprintf(out, "#define MODE %s\n",
            trial->estimator == ESTIMATOR_WORK      ? "GL_MODE_WORK"
            : trial->estimator == ESTIMATOR_BARRIER ? "GL_MODE_BARRIER"
                                                    : "GL_MODE_DISCOVERY");
    fprintf(out, "#define GROUPS %" PRIu32 "u\n#define LOCAL_SIZE %" PRIu32 "u\n", trial->groups,
            trial->footprint.local_size);
    fprintf(out, "#define ROUNDS %" PRIu32 "u\n", trial->rounds);
    fprintf(out, "#define LAUNCHES %" PRIu32 " /* at most; the first that does not pass is the last */\n",
            launches(reproducer->evidence));
    fprintf(out, "#define PASSES %" PRIu32 "u /* launches on the same data that make up one */\n",
            is_limits ? 1 : work->launches);
    fprintf(out, "#define SYNC_WORDS %" PRIu32 "u /* words that groups synchronize by */\n", work->sync_words);
    fprintf(out, "#define SEED %" PRIu32 "u /* of delays, and of what the kernel draws by lot */\n",
            reproducer->evidence->observation.seed != 0 ? reproducer->evidence->observation.seed : work->seed);
    fprintf(out, "#define JITTER %" PRIu32 "u\n#define UNEVEN %" PRIu32 "u\n", work->jitter, work->uneven);
    fprintf(out, "#define POLLS_A_MS %" PRIu32 "u\n", device_polls_a_ms(&reproducer->evidence->device.probe));
    write_fuse(out, reproducer);
    write_counts(out, trial);
    fputs("\n/* Parameters of the kernel's own. */\nstatic const uint32_t parameters[16] = {", out);
    for (int i = 0; i < WORKLOAD_OWN; ++i)
        fprintf(out, "%s%" PRIu32, i > 0 ? ", " : "", work->own[i]);
    fputs("};\n", out);
    if (work->region_count > 0)
        write_buffers(out, work);
}

/* The template, with the table and the layout of the board in place of its includes. */
static int write_template(FILE *out, const struct reproducer *reproducer, struct error *error)
{
    char *layout = source_read((struct source_folders){NULL, NULL}, "abi.h", error);

    if (layout == NULL)
        return -1;
    for (const char *line = reproducer_files[0].text; *line != '\0';) {
        const size_t length = strcspn(line, "\n") + 1;
        if (strncmp(line, "#include \"table.h\"", 18) == 0)
            write_table(out, reproducer);
        else if (strncmp(line, "#include \"abi.h\"", 16) == 0)
            fprintf(out, "\n%s", layout);
        else
            fwrite(line, 1, length, out);
        line += length;
    }
    free(layout);
    return 0;
}

/* The same without what this launch does not need. Allocated. */
static char *program_text(const struct reproducer *reproducer, struct error *error)
{
    static const char *const prefixes[] = {"GRIDLOCK_", "BUFFERS", "COMPUTED_BUFFERS", "LOCAL_BYTES", "LIMITS",
                                           "CHECKS",    NULL};
    struct macros macros = {.prefixes = prefixes};
    char *whole = NULL, *resolved = NULL, *used = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&whole, &size);
    int result = out != NULL ? write_template(out, reproducer, error) : -1;

    if (out == NULL || fclose(out) != 0)
        result = error_set(error, STATUS_HARNESS, "no memory for a reproducer");
    if (result == 0 &&
        ((resolved = conditionals_resolve(&macros, whole)) == NULL || (used = unused_drop(resolved)) == NULL))
        error_set(error, STATUS_HARNESS, "no memory for a reproducer");
    macros_fini(&macros);
    free(whole);
    free(resolved);
    return used;
}

/* --- files --- */

/* The folder, made if it is missing; a link is none. */
static int open_folder(const char *folder, struct error *error)
{
    if (mkdir(folder, 0777) != 0 && errno != EEXIST)
        return error_set(error, STATUS_USAGE, "cannot make folder %.300s: %s", folder, strerror(errno));
    const int descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (descriptor < 0)
        return error_set(error, STATUS_USAGE, "cannot open folder %.300s: %s", folder, strerror(errno));
    return descriptor;
}

/* A stream to a file that was not there before; NULL with STATUS_USAGE if it was, even as a link. */
static FILE *create(int descriptor, const char *folder, const char *name, struct error *error)
{
    const int file = openat(descriptor, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    FILE *out = file >= 0 ? fdopen(file, "w") : NULL;

    if (file < 0)
        error_set(error, STATUS_USAGE, "cannot create %.300s/%s: %s", folder, name, strerror(errno));
    else if (out == NULL) {
        close(file);
        unlinkat(descriptor, name, 0);
        error_set(error, STATUS_HARNESS, "no memory for a reproducer");
    }
    return out;
}

static int finish(FILE *out, const char *folder, const char *name, struct error *error)
{
    const bool failed = ferror(out) != 0;
    if (fclose(out) == 0 && !failed)
        return 0;
    return error_set(error, STATUS_HARNESS, "cannot write %.300s/%s: %s", folder, name, strerror(errno));
}

static int write_program(FILE *out, const struct reproducer *reproducer, const char *program, struct error *error)
{
    if (reproducer_write_head(out, reproducer, error) != 0)
        return -1;
    fprintf(out, "#define _POSIX_C_SOURCE 200809L\n#define CL_TARGET_OPENCL_VERSION 120\n%s", program);
    return 0;
}

static int write_both(const struct reproducer *reproducer, int descriptor, const char *folder, const char *program,
                      const char *kernel, struct error *error)
{
    FILE *host = create(descriptor, folder, REPRODUCER_PROGRAM, error);
    FILE *device = host != NULL ? create(descriptor, folder, REPRODUCER_KERNEL, error) : NULL;
    int result = -1;

    if (device != NULL) {
        fputs(kernel, device);
        result = write_program(host, reproducer, program, error);
        if (finish(device, folder, REPRODUCER_KERNEL, error) != 0)
            result = -1;
        if (result != 0)
            unlinkat(descriptor, REPRODUCER_KERNEL, 0);
    }
    if (host != NULL && finish(host, folder, REPRODUCER_PROGRAM, error) != 0)
        result = -1;
    if (host != NULL && result != 0)
        unlinkat(descriptor, REPRODUCER_PROGRAM, 0);
    return result;
}

int reproducer_write(const struct reproducer *reproducer, const char *folder, struct error *error)
{
    char *kernel = reproducer_kernel(reproducer);
    char *program = kernel != NULL ? program_text(reproducer, error) : NULL;
    int result = -1;

    if (kernel == NULL)
        error_set(error, STATUS_HARNESS, "no memory for a reproducer");
    const int descriptor = program != NULL ? open_folder(folder, error) : -1;
    if (descriptor >= 0) {
        result = write_both(reproducer, descriptor, folder, program, kernel, error);
        close(descriptor);
    }
    free(kernel);
    free(program);
    return result;
}
