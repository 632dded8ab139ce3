#include "core/text.h"
#include "format/escape.h"
#include "format/progress.h"

#include "format/kind.h"
#include "litmus/form.h"

#include <stdarg.h>
#include <string.h>

/* --- what was run --- */

void progress_text_device(FILE *out, const struct progress_device *device)
{
    text_device_lines(out, "", "  ", &device->stored.info);
    fputc('\n', out);
}

const char *progress_text_threads(enum block_level level, uint64_t count)
{
    static const char *const names[LEVEL_COUNT][2] = {
        {"group", "groups"}, {"sub-group", "sub-groups"}, {"work-item", "work-items"}, {"work-item", "work-items"}};
    return names[level][count != 1];
}

static void print_level(FILE *out, const struct progress_device *device)
{
    static const char *const names[LEVEL_COUNT] = {"work-groups", "sub-groups of one group", "work-items of one group",
                                                   "work-items of one sub-group"};
    fprintf(out, "\nLevel %s: threads are %s\n", level_name(device->level), names[device->level]);
}

void progress_text_heading(FILE *out, const struct progress_device *device)
{
    struct text_lines lines;

    if (device->level != LEVEL_GROUP)
        print_level(out, device);
    if (device->not_offered != NULL) {
        escape_each(escape_text, out, "  not offered: ", device->not_offered, "\n", NULL);
        return;
    }
    FILE *line = text_lines_begin(&lines);
    fprintf(line,
            "%" PRIu32 " test%s, %" PRIu64 " launch%s of up to %" PRIu32 " %s in %.1f s; %" PRIu32
            " test%s stalled, in %" PRIu64 " launch%s",
            device->tests, text_s(device->tests), device->launches, device->launches == 1 ? "" : "es",
            device->most_groups, progress_text_threads(device->level, device->most_groups),
            (double)device->duration_ns / 1e9, device->stalled_tests, text_s(device->stalled_tests), device->stalled,
            device->stalled == 1 ? "" : "es");
    if (device->stall_ns != 0)
        fprintf(line, " of %.2f ms", (double)device->stall_ns / 1e6);
    if (device->undecided > 0)
        fprintf(line, "; %" PRIu64 " undecided", device->undecided);
    text_lines_end(&lines, out, "", "  ");
}

bool progress_is_not_told_apart(const struct litmus_classification *all, enum litmus_model model,
                                enum litmus_fairness fairness)
{
    const struct litmus_standing *standing = &all->standings[model][fairness];
    return !litmus_is_broken(standing) && standing->guaranteed > 0 && !litmus_is_told_apart(all, model, fairness);
}

static void print_standing(FILE *out, const struct colors *colors, const struct litmus_classification *all,
                           enum litmus_model model, enum litmus_fairness fairness)
{
    const struct litmus_standing *standing = &all->standings[model][fairness];
    const bool broken = litmus_is_broken(standing);

    fprintf(out, "%-8s %-8s %10" PRIu32 " %8" PRIu32 " %8" PRIu32 " %10" PRIu32 " %7" PRIu32 "  ",
            litmus_model_name(model), litmus_fairness_name(fairness), standing->guaranteed, standing->ended,
            standing->refuting, litmus_open(standing), standing->states);
    if (standing->guaranteed == 0 && !broken) {
        fputs("not tested\n", out);
        return;
    }
    if (progress_is_not_told_apart(all, model, fairness)) {
        fputs(PROGRESS_NO_OWN_TEST "\n", out);
        return;
    }
    const char *color = broken ? colors->surprise : colors->expected;
    color_print(out, color, broken ? "broken" : "not broken");
    fputc('\n', out);
}

/* Behind an empty line. */
static __attribute__((format(printf, 2, 3))) void print_paragraph(FILE *out, const char *format, ...)
{
    struct text_lines lines;
    va_list arguments;

    fputc('\n', out);
    va_start(arguments, format);
    vfprintf(text_lines_begin(&lines), format, arguments);
    va_end(arguments);
    text_lines_end(&lines, out, "", "");
}

/* Of a model that is not broken, and of which nothing is known that is not known of a weaker one. */
static bool any_is_not_told_apart(const struct litmus_classification *all)
{
    for (enum litmus_model model = 0; model < LITMUS_MODELS; ++model)
        for (enum litmus_fairness fairness = 0; fairness < LITMUS_FAIRNESSES; ++fairness)
            if (progress_is_not_told_apart(all, model, fairness))
                return true;
    return false;
}

static void print_classes(FILE *out, const struct progress_device *device)
{
    const struct litmus_classification *all = &device->classification;
    const uint32_t open = litmus_strongest_open(all);
    char classes[LITMUS_CLASSES];

    litmus_classes(all, classes);
    switch (litmus_class_kind(all)) {
    case LITMUS_CLASS_UNFAIR:
        fprintf(out, "\nAll models are broken: %s.\n",
                device->level == LEVEL_GROUP ? "the device is unfair" : "threads of this level are unfair");
        break;
    case LITMUS_CLASS_UNKNOWN:
        if (all->blind)
            print_paragraph(out,
                            "The driver ends loops after %" PRIu64
                            " iterations, so no stall can be confirmed: these tests do not show which of the models "
                            "the device keeps.",
                            device->stored.probe.loops_cut_at);
        else
            fprintf(out, "\nThese tests do not show which of the models the device keeps%s.\n",
                    all->partial ? ": others were not run" : "");
        break;
    case LITMUS_CLASS_MODELS:
        print_paragraph(
            out,
            "The strongest model not broken%s: %s. That is not a proof: no launch that it guarantees to end "
            "stalled, and none stalled in a state that it does not allow.",
            any_is_not_told_apart(all) ? ", of those with a test of their own" : "", classes);
        break;
    }
    if (open > 0)
        fprintf(out, "%" PRIu32 " %s refute it, but %s undecided.\n", open, open == 1 ? "test might" : "tests might",
                open == 1 ? "was" : "were");
}

static void print_standings(FILE *out, const struct colors *colors, const struct progress_device *device)
{
    fputs("\nmodel    fairness guaranteed    ended  stalled  undecided  states\n", out);
    for (enum litmus_model model = 0; model < LITMUS_MODELS; ++model)
        for (enum litmus_fairness fairness = 0; fairness < LITMUS_FAIRNESSES; ++fairness)
            print_standing(out, colors, &device->classification, model, fairness);
    if (any_is_not_told_apart(&device->classification))
        print_paragraph(out,
                        "A model with " PROGRESS_NO_OWN_TEST " is not broken, but a weaker model guarantees all of "
                        "its tests, so they say nothing of the stronger one.");
    print_classes(out, device);
}

/* --- the rest --- */

/* Of one mapping: how many may wait hangs on the order in which the device takes groups. */
static void print_limit(FILE *out, const struct progress_device *device)
{
    static const char head[] = "Waits for later groups, mapping chunked";
    static const char tail[] = "That depends on the order in which the device takes groups: it is neither the number "
                               "of resident groups, which gridlock limits measures, nor how many may wait for each "
                               "other.";
    const struct limit_search *limit = &device->limit;

    if (!limit_search_begun(limit))
        return;
    if (limit->undecided)
        print_paragraph(out, "%s: undecided.", head);
    else if (limit->stalls == 1)
        print_paragraph(out, "%s: a single waiting group keeps later groups from starting. %s", head, tail);
    else if (limit->stalls != 0)
        print_paragraph(out,
                        "%s: if %" PRIu32 " groups wait, the groups that they wait for never start; if %" PRIu32
                        " do, they start. %s",
                        head, limit->stalls, limit->passes, tail);
    else
        print_paragraph(out, "%s: up to %" PRIu32 " groups that wait keep no later group from starting. %s", head,
                        limit->passes, tail);
}

/* The first ones, and how many more there are. */
static void list_disagreements(FILE *out, const struct progress_device *device, const char *before, const char *between)
{
    for (size_t i = 0; i < device->disagreement_count && i < PROGRESS_LISTED; ++i) {
        const struct progress_disagreement *found = &device->disagreements[i];
        fprintf(out, "%s%s, ", i > 0 ? between : before, found->program);
        progress_text_mapping(out, &found->mapping);
        fprintf(out, ", stalls only when %s", found->stalled == ENGINE_TABLE ? "run by the table" : "compiled");
    }
    if (device->disagreement_count > PROGRESS_LISTED)
        fprintf(out, "%sand %zu more", between, device->disagreement_count - PROGRESS_LISTED);
}

static void print_disagreements(FILE *out, const struct colors *colors, const struct progress_device *device)
{
    if (device->livelocks_apart > 0)
        fprintf(out, "\nLivelocks with one engine only, which depend on its speed: %" PRIu32 "\n",
                device->livelocks_apart);
    if (device->disagreement_count == 0)
        return;
    color_print(out, colors->surprise, "\nThe engines disagree about these tests (%zu):\n", device->disagreement_count);
    list_disagreements(out, device, "    ", "\n    ");
    fputc('\n', out);
}

static void print_blocks(FILE *out, const struct progress_device *device)
{
    if (device->not_offered != NULL) {
        escape_text(out, device->not_offered);
        return;
    }
    if (device->missing == 0) {
        fprintf(out, "%" PRIu32 " %s run", device->tests, device->tests == 1 ? "test was" : "tests were");
        return;
    }
    if (device->missing == 1)
        fprintf(out, "A block of tests did not finish: ");
    else
        fprintf(out, "%" PRIu32 " blocks of tests did not finish: ", device->missing);
    escape_text(out, device->trouble);
}

void progress_text_trouble(FILE *out, const struct colors *colors, const struct progress_device *device)
{
    if (device->cut_tests > 0)
        fprintf(out, "\nTests about which nothing is known, because the driver ended their loops: %" PRIu32 "\n",
                device->cut_tests);
    if (device->missing == 0)
        return;
    color_begin(out, colors->surprise);
    fputc('\n', out);
    print_blocks(out, device);
    fputc('\n', out);
    color_end(out, colors->surprise);
}

/* --- sentences --- */

const char *progress_standing_word(const struct litmus_standing *standing)
{
    if (litmus_is_broken(standing))
        return "broken";
    if (standing->guaranteed == 0)
        return "not-tested";
    return standing->ended > 0 ? "not-broken" : "undecided";
}

static void print_seen(FILE *out, const struct litmus_standing *standing, bool expected)
{
    const struct litmus_case *reason = &standing->reason;
    char text[LITMUS_TEXT];

    if (standing->guaranteed == 0 && !litmus_is_broken(standing)) {
        fputs("no test that it guarantees to end was run", out);
        return;
    }
    if (litmus_is_broken(standing)) {
        litmus_text(&reason->program, text);
        fprintf(out, "%sbroken by %s, ", expected ? "expected to be kept, but " : "", text);
        progress_text_mapping(out, &reason->mapping);
        fprintf(out, ": %" PRIu32 " of %" PRIu32 " launches stalled, ", reason->outcome.stalled, reason->outcome.ran);
        progress_text_stand(out, reason);
        fputs("; ", out);
    }
    fprintf(out,
            "of %" PRIu32 " tests that it guarantees to end, %" PRIu32 " ended, %" PRIu32 " stalled, %" PRIu32 " %s",
            standing->guaranteed, standing->ended, standing->refuting, standing->undecided,
            standing->undecided == 1 ? "is undecided" : "are undecided");
    if (standing->states > 0)
        fprintf(out, "; %" PRIu32 " %s in a state that it does not allow", standing->states,
                standing->states == 1 ? "test stalled" : "tests stalled");
    if (standing->doubtful > 0)
        fprintf(out, "; %" PRIu32 " %s to stall in a state that it does not allow, but this was not confirmed",
                standing->doubtful, standing->doubtful == 1 ? "test seemed" : "tests seemed");
}

static void print_engines(FILE *out, const struct progress_device *device)
{
    fprintf(out, "of %" PRIu32 " tests, the engines disagree about %zu", device->compared, device->disagreement_count);
    list_disagreements(out, device, ": ", "; ");
}

void progress_text_message(FILE *out, const struct report_case *told)
{
    const struct report_model *found = told->model;

    if (found->about == CASE_ENGINES)
        print_engines(out, found->device);
    else if (found->about == CASE_BLOCKS)
        print_blocks(out, found->device);
    else
        print_seen(out, &found->device->classification.standings[found->model][found->fairness], found->expected);
}

static void print_device(FILE *out, const struct progress_device *device, const struct text_style *style)
{
    progress_text_heading(out, device);
    if (device->not_offered != NULL)
        return;
    if (device->tests > 0)
        print_standings(out, style->colors, device);
    progress_text_reasons(out, device);
    print_limit(out, device);
    print_disagreements(out, style->colors, device);
    progress_text_trouble(out, style->colors, device);
}

void progress_text(FILE *out, const struct report *report, size_t number, const struct text_style *style)
{
    const struct progress_device *device = &report->progress.devices[number];

    progress_text_device(out, device);
    for (enum block_level level = 0; level < LEVEL_COUNT; ++level)
        if (progress_at(device, level) != NULL)
            print_device(out, progress_at(device, level), style);
    progress_text_levels(out, device);
}
