/* A program that has a launch stall in the way that a proof has found: by delays, or by more groups than fit. */
#include "base/alloc.h"
#include "core/text.h"
#include "explain/proof_story.h"
#include "reproducer/delays.h"
#include "reproducer/files.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define FLUSH " * "

enum { COLUMNS = 116, TIMES = 64 /* as many groups as compute units, where more than fit are to be launched */ };

/* --- what cannot be forced --- */

/* Groups wait for one that has not started: a device that starts lower ones first never comes to it. */
static bool waits_for_higher(const struct proof_account *account)
{
    uint32_t outside = 0, waiting = 0;

    for (uint32_t i = 0; i < account->count; ++i) {
        const struct proof_class *class = &account->classes[i];
        outside |= class->standing == STANDS_OUTSIDE ? class->groups : 0;
        waiting |= class->standing == STANDS_WAITING ? class->groups : 0;
    }
    for (uint32_t i = 0; i < account->count; ++i)
        for (uint32_t j = 0; j < account->classes[i].wait_count; ++j)
            if ((proof_account_awaited(account, account->classes[i].waits[j]) & outside) > waiting)
                return true;
    return false;
}

/* NULL: it can be forced; or in one sentence why not. */
static const char *find_refusal(const struct proof_explained *explained)
{
    if (explained->row->trial.footprint.subject.file[0] == '\0')
        return "the kernel is a scenario's, which gridlock run launches on a real device";
    if (explained->row->trial.work.range.dimensions != 0 || explained->row->result.column != 0 ||
        explained->row->result.second != 0)
        return "its groups or work-items lie in several dimensions, or begin at an offset";
    if (explained->subject != TELL_STALL)
        return "only a launch that does not end can be forced to show it";
    switch (explained->account.reason) {
    case REASON_PLACES:
    case REASON_CIRCLE:
    case REASON_LOST:
        return NULL;
    case REASON_ORDER:
        return waits_for_higher(&explained->account)
                   ? NULL
                   : "a device would have to start a group before a lower one, which no program can have it do";
    case REASON_TURNS:
        return "a device would have to withhold turns from a group that has started, which no program can have it do";
    case REASON_FAIRNESS:
    case REASON_ROUND:
        return "turns would have to come in one order for ever, which delays cannot do";
    default:
        return "what a device does at a barrier that not all work-items reach is not defined";
    }
}

/* More groups than fit show it, without delays. */
static bool is_of_places(const struct proof_explained *explained)
{
    return explained->account.reason == REASON_PLACES || explained->account.reason == REASON_ORDER;
}

/* --- delays --- */

struct delays {
    struct delay *all;
    size_t count;
};

/* The line of the user's own file, or 0. */
static uint32_t line_of(const struct proof_explained *explained, const struct proof_told *told)
{
    const char *file = explained->row->trial.footprint.subject.file, *slash = strrchr(file, '/');
    const char *name = slash != NULL ? slash + 1 : file, *line = explained->row->result.texts[told->line];
    const size_t length = strlen(name);

    return strncmp(line, name, length) == 0 && line[length] == ':' ? (uint32_t)strtoul(line + length + 1, NULL, 10) : 0;
}

/* In a line that is come to several times the longest one counts: too long is no harm. */
static void add_delay(struct delays *delays, struct delay delay)
{
    size_t i = 0;

    while (i < delays->count && (delays->all[i].line != delay.line || delays->all[i].item != delay.item))
        ++i;
    if (i == delays->count) {
        GROW(delays->all, delays->count);
        delays->all[delays->count++] = delay;
    } else if (delays->all[i].parts < delay.parts) {
        delays->all[i].parts = delay.parts;
    }
}

/* It looks, and then looks again: when it does that first decides nothing. */
static bool is_poll(const struct proof_way *way, const struct proof_told *steps, uint32_t step)
{
    uint32_t next = step + 1;

    while (next < way->count && steps[next].item != steps[step].item)
        ++next;
    return next < way->count && steps[next].line == steps[step].line && steps[step].before == steps[step].after;
}

/* Time is in parts: one for the steps of a work-item that come without one of another between them. */
static void find_delays(const struct proof_explained *explained, struct delays *delays)
{
    const struct proof_result *result = &explained->row->result;
    const struct proof_told *steps = &result->told[explained->way->first];
    uint32_t before[PROOF_ITEMS] = {0}, part = 0, last = UINT32_MAX;

    for (uint32_t i = 0; i < explained->way->count; ++i) {
        const uint32_t item = steps[i].item, line = line_of(explained, &steps[i]);
        if (is_poll(explained->way, steps, i))
            continue;
        part += last != UINT32_MAX && last != item;
        last = item;
        if (line != 0 && part > before[item])
            add_delay(delays, (struct delay){line, item, part - before[item]});
        before[item] = part;
    }
}

/* --- the head --- */

static void put(FILE *out, const char *text)
{
    const struct text_page page = {
        .out = out, .first = FLUSH, .margin = FLUSH, .columns = COLUMNS, .put = reproducer_put_word};
    text_wrap(&page, text);
}

static void put_class(FILE *out, const struct proof_account *account, uint32_t class)
{
    char line[2 * STORY_TEXT + 8], does[STORY_TEXT];

    proof_story_groups(account->classes[class].groups, line, STORY_TEXT);
    proof_story_class(account, class, does, sizeof does);
    text_append(line, sizeof line, " %s", does);
    put(out, line);
}

static void put_head(FILE *out, const struct proof_explained *explained, size_t delays)
{
    const struct proof_row *row = explained->row;
    struct story story;
    char launch[PROOF_LAUNCH];
    proof_print_launch(&row->trial, launch);
    char *text = xasprintf("%s, %s: %s, as computed by gridlock %s of all schedules.", explained->name, launch,
                           proof_verdict_name(row->proved), GRIDLOCK_VERSION);

    proof_story_tell(explained, &story);
    fputs("/*\n", out);
    put(out, text);
    put(out, story.happened);
    for (uint32_t i = 0; i < explained->account.count; ++i)
        put_class(out, &explained->account, i);
    fputs(" *\n", out);
    put(out, is_of_places(explained)
                 ? "This program launches more groups than a device is likely to hold at once: -g says how many."
             : delays > 0
                 ? "This program has that come about by delays, before the lines and of the work-items that "
                   "reproducer_delay names. They make it likely, not certain, and need a device that holds all groups "
                   "at once."
                 : "This program needs no delays for that.");
    put(out,
        "WARNING: the kernel has no bound. A launch that does not end may hang the device, its driver or the desktop; "
        "the process that made it is killed after a deadline, which a driver may not heed.");
    put(out, "Build and run: cc proof.c -lOpenCL -o proof && ./proof [-d PART OF THE NAME OF A DEVICE OR PLATFORM] [-s "
             "SECONDS] [-g GROUPS] [-k ANOTHER KERNEL OF THE TEXT]");
    put(out,
        "Exit status: 0 it ended, and right where that is known; 1 it did not end within these seconds, which on a "
        "busy machine may be too few; 2 usage error, or no device; 3 undecided: the driver failed, or came to no "
        "launch; 4 it ended with a wrong result.");
    fputs(" */\n#define _GNU_SOURCE\n#define CL_TARGET_OPENCL_VERSION 120\n", out);
    story_fini(&story);
    free(text);
}

/* --- the table --- */

static void put_arguments(FILE *out, const struct reproduced_proof *reproduced)
{
    static const char *const kinds[] = {
        [PROOF_ARGUMENT_BUFFER] = "b", [PROOF_ARGUMENT_LOCAL] = "l", [PROOF_ARGUMENT_NUMBER] = "n"};

    fputs(
        "/* What was given: b, a buffer of zeros; s, of 0, 1, 2 ...; l, local memory; n, a number. Others are made up. "
        "*/\n"
        "static const struct given {\n    const char *name;\n    char kind;\n    size_t bytes;\n    const char "
        "*number;\n"
        "} arguments[] = {",
        out);
    for (uint32_t i = 0; i < reproduced->argument_count; ++i) {
        const struct proof_argument *argument = &reproduced->arguments[i];
        const bool counts = argument->kind == PROOF_ARGUMENT_BUFFER && argument->fill == PROOF_FILL_SEQUENCE;
        fputs("\n    {", out);
        reproducer_put_string(out, argument->name);
        fprintf(out, ", '%s', %" PRIu64 ", ", counts ? "s" : kinds[argument->kind], argument->bytes);
        reproducer_put_string(out, argument->number);
        fputs("},", out);
    }
    fputs("\n    {NULL, 0, 0, NULL}};\n", out);
}

static void put_text(FILE *out, const char *text)
{
    fputs("\n/* The kernel, line by line. */\nstatic const char *const lines[] = {\n", out);
    for (const char *line = text; *line != '\0';) {
        const size_t length = reproducer_line(line);
        char *copy = xstrndup(line, length - (line[length - 1] == '\n'));
        fputs("    ", out);
        reproducer_put_string(out, copy);
        fputs(" \"\\n\",\n", out);
        free(copy);
        line += length;
    }
    fputs("};\n", out);
}

static void put_table(FILE *out, const struct reproduced_proof *reproduced, const struct proof_explained *explained,
                      const struct delays *delays)
{
    const struct subject *subject = &explained->row->trial.footprint.subject;
    const struct proof_result *result = &explained->row->result;
    const uint32_t *local = subject->shape.local;
    /* Of several ends nobody knows which one is right. */
    const bool compares = delays->count > 0 && result->finals <= 1;
    char *text = delays_insert(reproduced->text, delays->all, delays->count);

    fputs("#define KERNEL ", out);
    reproducer_put_string(out, subject->kernel);
    fputs("\n#define BUILD_OPTIONS ", out);
    reproducer_put_string(out, subject->options);
    fprintf(out, "\n#define LOCAL_SIZE {%" PRIu32 ", %" PRIu32 ", %" PRIu32 "}\n",
            subject->shape.dimensions == 1 ? result->items : local[0], local[1] > 0 ? local[1] : 1,
            local[2] > 0 ? local[2] : 1);
    fputs("/* TIMES: as many groups for each compute unit, or else GROUPS. Numbers that nobody gave begin with NUMBER, "
          "APART. */\n",
          out);
    fprintf(out,
            "enum { GROUPS = %" PRIu32 ", TIMES = %d, ITEMS = %" PRIu32 ", DIMENSIONS = 3, DELAYS = %d, COMPARES = %d, "
            "NUMBER = %d, APART = %d };\n",
            result->groups, is_of_places(explained) ? TIMES : 0, result->items, delays->count > 0, compares,
            result->number, result->apart);
    put_arguments(out, reproduced);
    fputs("\n/* What stands before the kernel: a work-item is delayed by so many parts before it goes on. */\n"
          "static const char delays[] =\n",
          out);
    delays_write(out, result->items, delays->all, delays->count);
    fputs("    ;\n", out);
    put_text(out, text);
    free(text);
}

static char *make_program(const struct reproduced_proof *reproduced, const struct proof_explained *explained)
{
    struct delays delays = {.count = 0};
    char *text = NULL;
    size_t length;
    FILE *out = xopen_memstream(&text, NULL);
    const char *template = reproducer_file(reproducer_files, "proof.c");
    const char *rest = reproducer_split(template, "#include \"proof_table.h\"", &length);

    if (!is_of_places(explained))
        find_delays(explained, &delays);
    put_head(out, explained, delays.count);
    fwrite(template, 1, length, out);
    put_table(out, reproduced, explained, &delays);
    const char *behind = reproducer_split(rest, REPRODUCER_DEVICE, &length);
    fwrite(rest, 1, length, out);
    fputs(reproducer_file(reproducer_files, "device.inc"), out);
    fputs(behind, out);
    free(delays.all);
    return xclose_memstream(out, &text);
}

int reproducer_write_proof(const struct reproduced_proof *reproduced, const char *folder, struct error *error)
{
    static struct proof_explained explained;

    proof_explained_make(reproduced->row, NULL, &explained);
    const char *refusal = find_refusal(&explained);
    for (uint32_t i = 0; refusal == NULL && i < reproduced->argument_count; ++i)
        if (reproduced->arguments[i].file[0] != '\0' || reproduced->arguments[i].kind > PROOF_ARGUMENT_NUMBER)
            refusal = "an argument comes from a file, or is an image or a sampler, which a program cannot carry";
    if (refusal != NULL)
        return error_set(error, STATUS_USAGE, "%.160s: there is no reproducer, because %s", explained.name, refusal);
    char *program = make_program(reproduced, &explained);
    const struct source_file files[] = {{REPRODUCER_PROOF, program}, {NULL, NULL}};
    const int result = reproducer_save(folder, files, error);
    free(program);
    return result;
}
