#include "explain/explain.h"

#include "core/text.h"
#include "explain/story.h"
#include "format/escape.h"
#include "format/text.h"
#include "report/strain.h"
#include "report/wording.h"

#include <inttypes.h>
#include <string.h>

enum { TEXT_CLASSES = 40 };

/* What the launch is beside what was expected. */
static const char *standing(const struct evidence *evidence)
{
    const struct store_prediction *prediction = &evidence->prediction;

    if (evidence->surprise)
        return ", a surprise";
    if (evidence->superseded)
        return prediction->known == KNOWN_AS_FLAKE ? ", a known flake" : ", superseded by another batch";
    if (prediction->expected.verdicts == 0)
        return "";
    if (verdict_is_in(evidence->verdict, prediction->expected.verdicts))
        return evidence->verdict == VERDICT_INCONCLUSIVE ? ", which decides nothing, as expected" : ", as expected";
    return prediction->known == KNOWN_AS_FAILURE ? ", a known failure" : "";
}

static void print_device(FILE *out, const struct evidence *evidence)
{
    struct text_lines lines;
    FILE *line = text_lines_begin(&lines);

    escape_each(escape_text, line, "on ", DEVICE_LABEL_OF(&evidence->device.info), ", driver ",
                evidence->device.info.driver_version, NULL);
    if (evidence->observation.seed != 0)
        fprintf(line, ", seed %" PRIu32, evidence->observation.seed);
    text_lines_end(&lines, out, "  ", "    ");
}

static void print_expected(FILE *out, const struct evidence *evidence)
{
    const struct expected *expected = &evidence->prediction.expected;
    const struct {
        const char *what;
        const struct naming *naming;
        uint32_t set;
    } parts[] = {
        {"", &verdict_naming, expected->verdicts},
        {"not predicted, allowed ", &verdict_naming, expected->allowed},
        {"cause ", &cause_naming, expected->causes},
        {"some ", &verdict_naming, expected->whole.some},
    };
    const char *before = expected->allowed != 0 ? "  " : "  expected: ";
    char text[320];

    for (size_t i = 0; i < sizeof parts / sizeof *parts; ++i) {
        if (parts[i].set == 0)
            continue;
        naming_print_set(parts[i].naming, parts[i].set, " or ", text, sizeof text);
        fprintf(out, "%s%s%s", before, parts[i].what, text);
        before = "; ";
    }
    whole_print_rate(&expected->whole, text, sizeof text);
    if (text[0] != '\0') {
        fprintf(out, "%s%s", before, text);
        before = "; ";
    }
    if (before[0] == ';')
        fputc('\n', out);
    if (evidence->shortfall[0] != '\0')
        fprintf(out, "  %s\n", evidence->shortfall);
}

/* It may be why the launch failed. */
static void print_strain(FILE *out, const struct evidence *evidence)
{
    struct text_lines lines;

    if (!strain_is_heavy(&evidence->strain, strain_needed_threads(&evidence->device.info)))
        return;
    FILE *line = text_lines_begin(&lines);
    fputs("the machine was busy: ", line);
    strain_print(line, &evidence->strain);
    text_lines_end(&lines, out, "  ", "    ");
}

void story_print_head(FILE *out, const struct evidence *evidence)
{
    struct text_lines lines;
    FILE *line = text_lines_begin(&lines);

    fprintf(line, "%s%s", evidence->name, evidence->has_launch ? "" : ": incomplete");
    if (evidence->has_launch && evidence->verdict != VERDICT_BUILD_FAILED) /* which launches nothing */
        fprintf(line, ", launch %" PRIu32, evidence->launch);
    if (evidence->has_launch)
        fprintf(line, ": %s", verdict_name(evidence->verdict));
    if (evidence->has_launch && evidence->launches > 1)
        fprintf(line, " (%" PRIu32 " of %" PRIu32 " launches alike)", evidence->alike, evidence->launches);
    if (evidence->has_launch)
        fputs(standing(evidence), line);
    text_lines_end(&lines, out, "", "  ");
    if (!evidence->has_launch)
        return;
    if (evidence->surprise)
        print_expected(out, evidence);
    if (evidence->cause != CAUSE_NONE)
        fprintf(out, "  cause: %s\n", cause_title(evidence->cause));
    else if (story_unmeasured(evidence) != NULL)
        fprintf(out, "  cause: %s\n", story_unmeasured(evidence));
    print_device(out, evidence);
    print_strain(out, evidence);
}

static void print_happened(FILE *out, const struct story *story)
{
    fputs("\nWhat happened\n", out);
    text_clean_lines(out, "  ", "  ", story->happened);
}

void story_print_classes(FILE *out, const struct evidence *evidence, const struct story *story)
{
    if (!story->grouped)
        return;
    fprintf(out, "\n%s\n", story_whom_title(evidence));
    for (uint32_t i = 0; i < story->grouping.count; ++i) {
        const struct group_class *class = &story->grouping.classes[i];
        char line[2 * STORY_TEXT], does[STORY_TEXT];
        wording_groups(class, line, STORY_TEXT);
        wording_class(evidence, class, does, sizeof does);
        text_append(line, sizeof line, " %s", does);
        text_clean_lines(out, "  ", "  ", line);
    }
}

/* What was not kept of this launch. */
static void print_borrowed(FILE *out, const struct evidence *evidence)
{
    struct text_lines lines;
    FILE *line = text_lines_begin(&lines);

    fprintf(line, "Its board is alike, but for times, units and the order of starts, to that of %s, which was kept.",
            evidence->board_of);
    text_lines_end(&lines, out, "  ", "  ");
}

static void print_reasons(FILE *out, const struct evidence *evidence, const struct story *story)
{
    const bool is_wrong = evidence->verdict == VERDICT_WRONG; /* which no device allows */

    if (story->allowed[0] != '\0') {
        fputs(is_wrong ? "\nWhere it may come from\n" : "\nWhy this device allows it\n", out);
        text_clean_lines(out, "  ", "  ", story->allowed);
    }
    if (story->remedy_count > 0)
        fputs(is_wrong ? "\nWhat to do\n" : "\nWhat would make it pass\n", out);
    for (size_t i = 0; i < story->remedy_count; ++i)
        text_clean_lines(out, "  ", "  ", story->remedies[i]);
}

int explain_text(FILE *out, const struct evidence *evidence, struct error *error)
{
    struct story story;

    (void)error;
    story_tell(evidence, TEXT_CLASSES, &story);
    story_print_head(out, evidence);
    print_happened(out, &story);
    story_print_classes(out, evidence, &story);
    if (evidence->board_of[0] != '\0')
        print_borrowed(out, evidence);
    story_print_schedule(out, evidence);
    story_print_bound(out, evidence);
    print_reasons(out, evidence, &story);
    escape_each(escape_text, out, "\nRepeat it\n  ", story.repeat, "\n", NULL);
    story_fini(&story);
    return 0;
}

int explain_why(FILE *out, const struct evidence *evidence, struct error *error)
{
    struct story story;

    (void)error;
    story_tell(evidence, TEXT_CLASSES, &story);
    print_happened(out, &story);
    print_reasons(out, evidence, &story);
    story_fini(&story);
    return 0;
}

/* --- writers of all kinds --- */

int explain_need_board(const struct evidence *evidence, const char *format, struct error *error)
{
    if (evidence->words != NULL)
        return 0;
    return error_set(
        error, STATUS_USAGE,
        "%.160s: this launch has no stored board, so there is nothing to draw as %s; --format text shows what is known",
        evidence->name, format);
}

const struct naming explain_formats = NAMING("text", "json", "dot", "svg", "trace", "timeline", "schedule");
explain_writer *const explain_writers[] = {explain_text,  explain_json,     explain_dot,     explain_svg,
                                           explain_trace, explain_timeline, explain_schedule};
