#include "reproducer/reproducer.h"

#include "core/text.h"
#include "explain/story.h"
#include "report/wording.h"

#include <inttypes.h>

enum { COLUMNS = 116, LINE_BYTES = 4096, CLASSES = 40, CLASSES_SHOWN = 12 };

/* A word that may come from a driver: nothing in it ends the comment, begins another one or joins lines. */
static int put_word(FILE *out, const char *word, size_t length)
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

/* A paragraph of the comment. */
static void put(FILE *out, int indent, const char *text)
{
    const char *margin = indent > 0 ? " *     " : " * ";

    text_wrap(&(struct text_page){.out = out, .first = margin, .margin = margin, .columns = COLUMNS, .put = put_word},
              text);
}

static void put_gap(FILE *out)
{
    fputs(" *\n", out);
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
    char line[LINE_BYTES];

    snprintf(line, sizeof line, "%s: kernel %s, %" PRIu32 " work-group%s of %" PRIu32 " work-item%s, in one launch.",
             noun(reproducer->evidence), trial->work.kernel[0] != '\0' ? trial->work.kernel : "limits", trial->groups,
             text_s(trial->groups), trial->footprint.local_size, text_s(trial->footprint.local_size));
    put(out, 0, line);
    put_gap(out);
    put(out, 0,
        "Each waiting loop gives up after a bounded number of polls, and this program exits after a deadline. WARNING: "
        "built with -DLIVE the loops are not bounded: a stall does not end by itself and may hang the device, its "
        "driver, or the desktop.");
}

static void put_classes(FILE *out, const struct evidence *evidence, const struct story *story)
{
    put(out, 0, "Who waits for whom:");
    for (uint32_t i = 0; i < story->grouping.count && i < CLASSES_SHOWN; ++i) {
        const struct group_class *class = &story->grouping.classes[i];
        char line[LINE_BYTES], does[STORY_TEXT];
        wording_groups(class, line, STORY_TEXT);
        wording_class(evidence, class, does, sizeof does);
        text_append(line, sizeof line, " %s", does);
        put(out, 4, line);
    }
    put_gap(out);
}

/* The program prints numbers of words. */
static void put_names(FILE *out, const char *names)
{
    char line[LINE_BYTES];

    snprintf(line, sizeof line, "The kernel's words in such a launch: %s.", names);
    put(out, 0, line);
    put_gap(out);
}

static void put_story(FILE *out, const struct evidence *evidence, const struct story *story)
{
    put_gap(out);
    put(out, 0, story->happened);
    put_gap(out);
    if (story->grouped)
        put_classes(out, evidence, story);
    if (evidence->trial.work.names[0] != '\0')
        put_names(out, evidence->trial.work.names);
    if (story->allowed[0] == '\0')
        return;
    put(out, 0, story->allowed);
    put_gap(out);
}

static void put_device(FILE *out, const struct evidence *evidence)
{
    const struct device_info *info = &evidence->device.info;
    char line[LINE_BYTES];

    snprintf(line, sizeof line, "Seen on %s (%s, %s, driver %s)", DEVICE_LABEL_OF(info), info->platform,
             info->device_version, info->driver_version);
    if (evidence->launches > 0)
        text_append(line, sizeof line, ", in %" PRIu32 " of %" PRIu32 " launches,", evidence->alike,
                    evidence->launches);
    put(out, 0, line);
    snprintf(line, sizeof line, "by gridlock %s; trial %s; written by gridlock %s.", evidence->tool_version,
             evidence->name, GRIDLOCK_VERSION);
    put(out, 0, line);
}

static void put_surroundings(FILE *out, const struct reproducer *reproducer)
{
    const char *environment = reproducer->evidence->environment;
    char line[LINE_BYTES];

    if (environment[0] != '\0') {
        snprintf(line, sizeof line, "Its environment had: %s", environment);
        put(out, 0, line);
    }
    if (reproducer->trial->work.burners > 0) {
        snprintf(line, sizeof line, "Other host threads kept its processors busy at the same time: %" PRIu32 ".",
                 reproducer->trial->work.burners);
        put(out, 0, line);
    }
    if (reproducer->trial->live)
        put(out, 0, "It ran without bounds, as it does with -DLIVE.");
    put_gap(out);
}

static void put_usage(FILE *out, const struct evidence *evidence)
{
    put(out, 0,
        "Build and run, in the folder of " REPRODUCER_PROGRAM " and " REPRODUCER_KERNEL
        ": cc stall.c -lOpenCL -o stall && ./stall [PART OF THE NAME OF A DEVICE OR PLATFORM, OR --list]");
    put(out, 0,
        "Exit status: 0 all groups passed; 1 they did not, and what they wait for is printed; 2 usage error, or no "
        "device; 3 the driver failed, or did not return before the deadline.");
    if (evidence->has_launch && evidence->verdict == VERDICT_PASS)
        put(out, 0, "It passes on the device above: compare a device that stalls with it.");
    else
        put(out, 0, "It does not pass on the device above.");
}

int reproducer_write_head(FILE *out, const struct reproducer *reproducer, struct error *error)
{
    const struct evidence *evidence = reproducer->evidence;
    struct story story;
    const int result = story_tell(evidence, CLASSES, &story, error);

    if (result == 0) {
        fputs("/*\n", out);
        put_title(out, reproducer);
        put_story(out, evidence, &story);
        put_device(out, evidence);
        put_surroundings(out, reproducer);
        put_usage(out, evidence);
        fputs(" */\n", out);
    }
    story_fini(&story);
    return result;
}
