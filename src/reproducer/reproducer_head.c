#include "reproducer/files.h"

#include "core/text.h"
#include "report/wording.h"

#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

#define FLUSH " * "
#define INDENTED " *     "
#define GAP " *\n"

enum { COLUMNS = 116, PARAGRAPH_BYTES = 4096, CLASSES_SHOWN = 12 };

int reproducer_put_word(FILE *out, const char *word, size_t length)
{
    char last = ' ';
    int column = 0;

    for (size_t i = 0; i < length; ++i) {
        char c = (char)(word[i] >= ' ' && word[i] <= '~' ? word[i] : '?');
        if ((last == '*' && c == '/') || (last == '/' && c == '*') || (last == '?' && c == '?'))
            column += fputc(' ', out) != EOF;
        if (c == '\\' && i + 1 == length)
            c = '?';
        column += fputc(c, out) != EOF;
        last = c;
    }
    return column;
}

/* A paragraph of the comment, which begins each of its lines. */
static void put(FILE *out, const char *margin, const char *format, ...) __attribute__((format(printf, 3, 4)));
static void put(FILE *out, const char *margin, const char *format, ...)
{
    const struct text_page page = {
        .out = out, .first = margin, .margin = margin, .columns = COLUMNS, .put = reproducer_put_word};
    char text[PARAGRAPH_BYTES];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    text_wrap(&page, text);
}

static const char *noun(const struct evidence *evidence)
{
    if (!evidence->has_launch)
        return "no end";
    return evidence->cause != CAUSE_NONE ? cause_title(evidence->cause) : verdict_name(evidence->verdict);
}

static void put_title(FILE *out, const struct reproducer *reproducer)
{
    const struct trial *trial = reproducer->trial;

    put(out, FLUSH, "%s: kernel %s, %" PRIu32 " work-group%s of %" PRIu32 " work-item%s, in one launch.",
        noun(reproducer->evidence), trial->work.kernel[0] != '\0' ? trial->work.kernel : "limits", trial->groups,
        text_s(trial->groups), trial->footprint.local_size, text_s(trial->footprint.local_size));
    fputs(GAP, out);
    put(out, FLUSH,
        "Each waiting loop gives up after a bounded number of polls, and this program exits after a deadline. WARNING: "
        "built with -DLIVE the loops are not bounded: a stall does not end by itself and may hang the device, its "
        "driver, or the desktop.");
    fputs(GAP, out);
}

static void put_story(FILE *out, const struct evidence *evidence, const struct story *story)
{
    put(out, FLUSH, "%s", story->happened);
    fputs(GAP, out);
    if (story->grouped) {
        put(out, FLUSH, "%s:", story_whom_title(evidence));
        for (uint32_t i = 0; i < story->grouping.count && i < CLASSES_SHOWN; ++i) {
            char groups[STORY_TEXT], does[STORY_TEXT];
            wording_groups(&story->grouping.classes[i], groups, sizeof groups);
            wording_class(evidence, &story->grouping.classes[i], does, sizeof does);
            put(out, INDENTED, "%s %s", groups, does);
        }
        fputs(GAP, out);
    }
    if (evidence->trial.work.names[0] != '\0') { /* the program prints numbers of words */
        put(out, FLUSH, "The kernel's words in such a launch: %s.", evidence->trial.work.names);
        fputs(GAP, out);
    }
    if (story->allowed[0] != '\0') {
        put(out, FLUSH, "%s", story->allowed);
        fputs(GAP, out);
    }
}

static void put_origin(FILE *out, const struct evidence *evidence, const struct trial *trial)
{
    const struct device_info *info = &evidence->device.info;
    char times[64] = "", had[PARAGRAPH_BYTES - 64] = "";

    if (evidence->launches > 0)
        snprintf(times, sizeof times, ", in %" PRIu32 " of %" PRIu32 " launches,", evidence->alike, evidence->launches);
    put(out, FLUSH, "Seen on %s (%s, %s, driver %s)%s", DEVICE_LABEL_OF(info), info->platform, info->device_version,
        info->driver_version, times);
    put(out, FLUSH, "by gridlock %s; trial %s; written by gridlock %s.", evidence->run.tool_version, evidence->name,
        GRIDLOCK_VERSION);
    for (const char *line = evidence->run.environment; *line != '\0'; line += reproducer_line(line))
        text_list(had, sizeof had, ", ", "%.*s", (int)strcspn(line, "\n"), line);
    if (had[0] != '\0')
        put(out, FLUSH, "Its environment had: %s", had);
    if (trial->work.numbers.burners > 0)
        put(out, FLUSH, "Other host threads kept its processors busy at the same time: %" PRIu32 ".",
            trial->work.numbers.burners);
    if (trial->live)
        put(out, FLUSH, "It ran without bounds, as it does with -DLIVE.");
    fputs(GAP, out);
}

static void put_usage(FILE *out, const struct evidence *evidence)
{
    const bool passed = evidence->has_launch && evidence->verdict == VERDICT_PASS;

    put(out, FLUSH,
        "Build and run, in the folder of " REPRODUCER_PROGRAM " and " REPRODUCER_KERNEL
        ": cc stall.c -lOpenCL -o stall && ./stall [PART OF THE NAME OF A DEVICE OR PLATFORM, OR --list]");
    put(out, FLUSH,
        "Exit status: 0 all groups passed; 1 they did not%s, and what they wait for is printed; 2 usage error, or no "
        "device; 3 undecided: the driver failed, or no end was seen before the deadline, which is none on a busy "
        "machine%s.",
        passed ? "" : ", as on the device above", passed ? "" : "; 4 they did not, but in another way than there");
    put(out, FLUSH,
        passed ? "It passes on the device above: compare a device that stalls with it."
               : "It did not pass on the device above.");
    if (evidence->has_launch && evidence->verdict == VERDICT_WRONG)
        put(out, FLUSH,
            "If it passes there now: gridlock's part of the kernel is in a short form here, of which a compiler may "
            "make something else.");
}

void reproducer_write_build_head(FILE *out, const struct evidence *evidence, const struct story *story)
{
    const struct subject *subject = &evidence->trial.footprint.subject;

    fputs("/*\n", out);
    put(out, FLUSH, "%s of %s: %s. " REPRODUCER_TEXT " is what the driver was given: %s.",
        subject->kernel[0] != '\0' ? subject->kernel : "All kernels", subject->file, verdict_name(evidence->verdict),
        story_tried(evidence));
    fputs(GAP, out);
    put_story(out, evidence, story);
    put_origin(out, evidence, &evidence->trial);
    if (strstr(evidence->tried.options, "-I") != NULL)
        put(out, FLUSH,
            "Files that it includes are looked for in the folders that BUILD_OPTIONS name, as seen from %s, and in the "
            "current one: send them along.",
            evidence->run.folder);
    put(out, FLUSH,
        "Build and run, in the folder of " REPRODUCER_BUILD " and " REPRODUCER_TEXT
        ": cc program.c -lOpenCL -o program && ./program [PART OF A DEVICE'S OR PLATFORM'S NAME, OR --list]");
    put(out, FLUSH,
        "Exit status: 0 it works; 1 a call failed, or did not come back since the driver crashed or ended the process; "
        "2 no such device; 3 undecided: another call failed, or there was no end after two minutes.");
    fputs(" */\n", out);
}

void reproducer_write_head(FILE *out, const struct reproducer *reproducer, const struct story *story)
{
    const struct evidence *evidence = reproducer->evidence;

    fputs("/*\n", out);
    put_title(out, reproducer);
    put_story(out, evidence, story);
    put_origin(out, evidence, reproducer->trial);
    put_usage(out, evidence);
    fputs(" */\n#define _GNU_SOURCE\n#define CL_TARGET_OPENCL_VERSION 120\n", out);
}
