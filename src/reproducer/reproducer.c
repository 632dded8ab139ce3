#include "reproducer/reproducer.h"

#include "base/alloc.h"
#include "core/optional.h"
#include "reproducer/excerpt.h"
#include "reproducer/files.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { CLASSES = 40, LAUNCHES_MOST = 100, LAUNCHES_FACTOR = 5, FUSE_MOST = 1 << 30 };

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
    const struct {
        bool holds;
        const char *why;
    } refusals[] = {
        {!is_plain(trial->work.kernel, "_") || !is_plain(trial->work.options, "_=.+- "),
         ": the run file's kernel or options are not gridlock's"},
        {trial->kind == TRIAL_CENSUS, " only counts groups, so there is nothing to reproduce: name another trial"},
        {trial->work.range.dimensions != 0,
         " is launched over a range and none of its groups waits, so there is nothing to reproduce"},
        {trial->work.numbers.held != 0, " runs beside a second queue, but a reproducer does only one launch"},
        {is_wrong_by_results(evidence),
         " is wrong only in its results, and a reproducer does not compute what they should be"},
    };

    for (size_t i = 0; i < sizeof refusals / sizeof *refusals; ++i)
        if (refusals[i].holds)
            return error_set(error, STATUS_USAGE, "%.160s%s", evidence->name, refusals[i].why);
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

/* All buffers are to be 0, as they are at first. */
static bool is_all_zero(const struct workload *work)
{
    for (uint32_t i = 0; i < work->region_count; ++i)
        if (work->regions[i].fill != FILL_ZERO)
            return false;
    return true;
}

static void write_buffers(FILE *out, const struct workload *work)
{
    static const char types[] = {'u', 'i', 'I', 'U', 'f'};
    static const char fills[] = {'0', '1', 'i', '+'};
    _Static_assert(sizeof types == ELEMENT_COUNT && sizeof fills == FILL_COUNT, "each has a letter");

    fputs(is_all_zero(work) ? "/* All buffers are 0 at first: number of elements, and bytes of each. */\n"
                            : "/* Bytes of an element; type u, i, U, I: without and with a sign; f: float; fill 0, 1: "
                              "all bits; i: each element\n"
                              " * its index; + or *: random operands. */\n",
          out);
    fputs("static const struct buffer {\n    size_t count, bytes;\n    char type, fill;\n} buffers[] = {", out);
    for (uint32_t i = 0; i < work->region_count; ++i) {
        const struct region *region = &work->regions[i];
        const bool product = region->fill == FILL_SEEDED && work->operation == OPERATION_PRODUCT;
        fprintf(out, "{%" PRIu64 ", %d, '%c', '%c'}, ", region->count > 0 ? region->count : 1,
                region->element == ELEMENT_LONG || region->element == ELEMENT_ULONG ? 8 : 4, types[region->element],
                product ? '*' : fills[region->fill]);
    }
    fputs("{0, 0, 0, 0}};\n", out);
}

/* One that was given; else, where the driver ends loops, one that blows before, as in the run. */
static uint32_t longest_fuse(const struct reproducer *reproducer)
{
    const uint64_t cut_at = reproducer->evidence->device.probe.loops_cut_at;
    uint64_t fuse = reproducer->trial->work.numbers.fuse;

    if (fuse == 0 && cut_at != 0)
        fuse = cut_at / 4 > 0 ? cut_at / 4 : 1;
    return fuse != 0 && fuse < FUSE_MOST ? (uint32_t)fuse : FUSE_MOST;
}

/* What the host writes to the board before each launch. */
static void write_request(FILE *out, const struct reproducer *reproducer)
{
    const struct trial *trial = reproducer->trial;
    const struct workload *work = &trial->work;
    const uint32_t seed = reproducer->evidence->observation.seed;

    fputs("/* What the host asks for; from GL_OWN on the kernel's own parameters. */\n"
          "static const cl_uint request[GL_CONTROL_WORDS] = {\n",
          out);
    fprintf(out, "    [GL_MODE] = %s, [GL_GROUPS] = %" PRIu32 ", [GL_ROUNDS] = %" PRIu32 ", [GL_SEED] = %" PRIu32 ",\n",
            trial->kind == TRIAL_WORK      ? "GL_MODE_WORK"
            : trial->kind == TRIAL_BARRIER ? "GL_MODE_BARRIER"
                                           : "GL_MODE_DISCOVERY",
            trial->groups, trial->rounds, seed != 0 ? seed : work->numbers.seed);
    fprintf(out, "    [GL_JITTER] = %" PRIu32 ", [GL_UNEVEN] = %" PRIu32 ", [GL_POLLS_A_MS] = %" PRIu32 ", [GL_OWN] =",
            work->numbers.jitter, work->numbers.uneven, device_polls_a_ms(&reproducer->evidence->device.probe));
    for (int i = 0; i < WORKLOAD_OWN; ++i)
        fprintf(out, "%s%" PRIu32, i > 0 ? ", " : " ", work->own[i]);
    fputs("};\n", out);
}

/* What the program is to show: of a stall only whether a group never started. */
static const char *wanted(const struct evidence *evidence)
{
    static const char *const outcomes[VERDICT_COUNT] = {
        [VERDICT_PASS] = "PASSED",      [VERDICT_STALE] = "STALE",      [VERDICT_WRONG] = "WRONG",
        [VERDICT_STARVED] = "STARVED",  [VERDICT_DEADLOCK] = "STALLED", [VERDICT_STALLED] = "STALLED",
        [VERDICT_LIVELOCK] = "STALLED", [VERDICT_CUT] = "CUT",
    };
    const char *outcome = evidence->has_launch ? outcomes[evidence->verdict] : NULL;
    return outcome != NULL ? outcome : "ANY_FAILURE";
}

static void write_table(FILE *out, const struct reproducer *reproducer)
{
    const struct evidence *evidence = reproducer->evidence;
    const struct trial *trial = reproducer->trial;
    const struct workload *work = &trial->work;
    const bool is_limits = work->kernel[0] == '\0', zero = is_all_zero(work);
    /* Starved, the original may need more registers than its reproducer, of which more groups then fit. */
    const bool grows = zero && evidence->has_launch && evidence->verdict == VERDICT_STARVED;
    char options[BUILD_OPTIONS], flags[BUILD_OPTIONS];

    reproducer_options(reproducer, options);
    reproducer_flags(options, flags);
    fprintf(out, "#define KERNEL \"%s\"\n", is_limits ? "limits" : work->kernel);
    fprintf(out,
            "#if defined(LIVE)\n#define BUILD_OPTIONS \"%s -DGL_LIVE\"\n#else\n#define BUILD_OPTIONS \"%s\"\n#endif\n",
            flags, flags);
    fprintf(out, "#define WANTED %s\n#define WANTED_NAME \"%s\"\n", wanted(evidence),
            evidence->has_launch ? verdict_name(evidence->verdict) : "no end");
    const char *build = is_limits ? "build_to_fit" : "build";
    if ((optional_parse(trial->left_out) & OPTIONAL_BIT(OPTIONAL_LOOPS)) != 0)
        fprintf(out, "#define BUILD(options) (setenv(\"" POCL_METHOD "\", \"cbs\", 0), %s(options))\n", build);
    else
        fprintf(out, "#define BUILD %s\n", build);
    if (is_limits)
        fprintf(out, "#define REQUIRED_SIZE \" -DGL_REQUIRED_SIZE=%" PRIu32 "\"\n", trial->footprint.local_size);
    fprintf(out, "#define FUSE_MOST %" PRIu32 "u /* polls of a group in a launch, at most */\n",
            longest_fuse(reproducer));
    fprintf(out, "#define FILL(buffer, number, data) %s\n",
            zero ? "/* 0, as allocated */" : "fill_data(buffer, number, data)");
    if (!zero)
        fprintf(out, "#define DATA_SEED %" PRIu32 "u\n", work->numbers.seed);
    if (work->checks_counted)
        fprintf(out, "#define CHECKS %" PRIu32 "u /* reads of what other groups wrote */\n", (uint32_t)work->checks);
    else
        fputs("#define CHECKS counts.checked /* any number of reads of what other groups wrote */\n", out);
    fputs("/* LAUNCHES: the first that does not pass is the last; PASSES: launches on the same data that make up one;\n"
          " * TIMES: so many times as many groups, at most, if all pass. */\n",
          out);
    fprintf(out,
            "enum { GROUPS = %" PRIu32 ", TIMES = %d, LOCAL_SIZE = %" PRIu32 ", LOCAL_BYTES = %" PRIu64
            ", SYNC_WORDS = %" PRIu32 ", LAUNCHES = %" PRIu32 ", PASSES = %" PRIu32 " };\n",
            trial->groups, grows ? 4 : 1, trial->footprint.local_size, trial->footprint.local_memory_bytes,
            work->sync_words, launches(evidence), is_limits ? 1 : work->launches);
    write_request(out, reproducer);
    write_buffers(out, work);
}

/* What is written for this launch alone: the head of the program, and from *table_at on the table. */
static char *make_own(const struct reproducer *reproducer, const struct story *story, size_t *table_at)
{
    char *text = NULL;
    size_t size;
    FILE *out = xopen_memstream(&text, &size);

    reproducer_write_head(out, reproducer, story);
    fflush(out);
    *table_at = size;
    write_table(out, reproducer);
    return xclose_memstream(out, &text);
}

/* The template with these in their places, without functions that this launch does not need. */
static char *make_program(const char *head, const char *table)
{
    const char *from = reproducer_file(reproducer_files, "stall.c"),
               *layout = reproducer_file(reproducer_files, "layout.inc"),
               *device = reproducer_file(reproducer_files, "device.inc");
    struct excerpt excerpt = {.pieces = NULL};
    size_t length;

    excerpt_add(&excerpt, head, (size_t)(table - head));
    const char *behind = reproducer_split(from, "#include \"layout.inc\"", &length);
    excerpt_add(&excerpt, from, length);
    excerpt_add_library(&excerpt, layout, strlen(layout), false);
    from = reproducer_split(behind, "#include \"table.h\"", &length);
    excerpt_add(&excerpt, behind, length);
    excerpt_add(&excerpt, table, strlen(table));
    const char *functions = strstr(from, "static void on_deadline"), *end = strstr(from, "\nint main(");
    excerpt_add(&excerpt, from, (size_t)(functions - from));
    behind = reproducer_split(functions, REPRODUCER_DEVICE, &length);
    excerpt_add_library(&excerpt, functions, length, false);
    excerpt_add_library(&excerpt, device, strlen(device), false);
    excerpt_add_library(&excerpt, behind, (size_t)(end - behind), false);
    excerpt_add(&excerpt, end, strlen(end));
    char *text = excerpt_text(&excerpt);
    excerpt_fini(&excerpt);
    return text;
}

int reproducer_write(const struct reproducer *reproducer, const char *folder, struct error *error)
{
    struct story story;
    size_t table_at = 0;

    story_tell(reproducer->evidence, CLASSES, &story);
    char *kernel = reproducer_kernel(reproducer, error);
    char *own = kernel != NULL ? make_own(reproducer, &story, &table_at) : NULL;
    char *program = own != NULL ? make_program(own, own + table_at) : NULL;
    const struct source_file files[] = {{REPRODUCER_PROGRAM, program}, {REPRODUCER_KERNEL, kernel}, {NULL, NULL}};

    const int result = program != NULL ? reproducer_save(folder, files, error) : -1;
    free(program);
    free(own);
    free(kernel);
    story_fini(&story);
    return result;
}
