/* What changed of litmus tests between two runs, as text and Markdown. */
#include "format/compare.h"
#include "format/escape.h"
#include "format/progress.h"
#include "litmus/form.h"

#include <inttypes.h>

enum { TESTS_LISTED = 8 }; /* of each kind */

/* "8", or "none" */
static void print_limit(FILE *out, const struct progress_device *device)
{
    if (limit_search_result(&device->limit) != 0)
        fprintf(out, "%" PRIu32, limit_search_result(&device->limit));
    else
        fprintf(out, "none up to %" PRIu32, limit_search_passes(&device->limit));
}

static void print_counts(FILE *out, const struct compare_progress_device *device)
{
    fprintf(out, "Tests: %zu unchanged, %zu changed", device->same, device->test_count);
    if (device->undecided > 0)
        fprintf(out, ", %zu undecided in one of the runs", device->undecided);
    if (device->only_before + device->only_after > 0)
        fprintf(out, "; %zu only in the first run, %zu only in the second", device->only_before, device->only_after);
}

/* "4 -> 8", if it is not what it was. */
static void print_moved(FILE *out, const struct compare_progress_device *device, const char *arrow, const char *end)
{
    if (!compare_limit_moved(device))
        return;
    fputs("\nWaiting groups that keep later groups from starting: ", out);
    print_limit(out, device->before);
    fputs(arrow, out);
    print_limit(out, device->after);
    fputs(end, out);
}

static void list_tests(FILE *out, const struct compare_progress_device *device, bool stalls,
                       void (*print)(FILE *out, const struct compare_test *test))
{
    size_t listed = 0;

    for (size_t i = 0; i < device->test_count && listed < TESTS_LISTED; ++i)
        if (device->tests[i].stalls == stalls) {
            print(out, &device->tests[i]);
            ++listed;
        }
}

static void print_model(FILE *out, const struct compare_progress_device *device, enum litmus_model model,
                        enum litmus_fairness fairness)
{
    const struct litmus_case *reason = &device->after->classification.standings[model][fairness].reason;
    char program[LITMUS_TEXT];

    fprintf(out, "  %s (%s)", litmus_model_name(model), litmus_fairness_name(fairness));
    const enum model_change change = compare_model(device, model, fairness);
    if (change == MODEL_BY_CHANCE)
        fprintf(out, ": in %" PRIu64 " of %" PRIu64 " launches, now in %" PRIu64 " of %" PRIu64,
                device->seen_before[model][fairness].events, device->seen_before[model][fairness].launches,
                device->seen_after[model][fairness].events, device->seen_after[model][fairness].launches);
    if (change == MODEL_BROKEN) {
        litmus_text(&reason->program, program);
        fprintf(out, ": by %s, ", program);
        progress_text_mapping(out, &reason->mapping);
        fprintf(out, ", %" PRIu32 " of %" PRIu32 " launches stalled", reason->outcome.stalled, reason->outcome.ran);
    }
    fputc('\n', out);
}

static void print_models(FILE *out, const char *color, const struct compare_progress_device *device,
                         enum model_change change)
{
    static const char *const heads[] = {[MODEL_BROKEN] = "Newly broken models",
                                        [MODEL_KEPT] = "Models no longer broken",
                                        [MODEL_BY_CHANCE] = "Models broken in one run only, which may be chance"};

    if (compare_model_count(device, change) == 0)
        return;
    fputc('\n', out);
    color_print(out, color, "%s", heads[change]);
    fputc('\n', out);
    for (enum litmus_model model = 0; model < LITMUS_MODELS; ++model)
        for (enum litmus_fairness fairness = 0; fairness < LITMUS_FAIRNESSES; ++fairness)
            if (compare_model(device, model, fairness) == change)
                print_model(out, device, model, fairness);
}

static void print_test(FILE *out, const struct compare_test *test)
{
    fprintf(out, "  %s, ", test->program);
    progress_text_mapping(out, &test->mapping);
    fprintf(out, ", %s%s, size %" PRIu32 "\n", engine_name(test->engine), test->guarded ? ", guarded" : "",
            test->local_size);
}

static void print_tests(FILE *out, const struct compare_progress_device *device, bool stalls)
{
    const size_t count = compare_test_count(device, stalls);

    if (count > 0)
        fprintf(out, "\nTests that now %s: %zu\n", stalls ? "stall" : "end", count);
    list_tests(out, device, stalls, print_test);
    if (count > TESTS_LISTED)
        fprintf(out, "  and %zu more\n", count - TESTS_LISTED);
}

void compare_text_tests(FILE *out, const struct colors *colors, const struct compare_progress_device *device)
{
    if (device->level != LEVEL_GROUP)
        fprintf(out, "Level %s\n", level_name(device->level));
    print_counts(out, device);
    fprintf(out, "\nModels: %zu newly broken, %zu no longer broken\n", compare_model_count(device, MODEL_BROKEN),
            compare_model_count(device, MODEL_KEPT));
    print_models(out, colors->surprise, device, MODEL_BROKEN);
    print_models(out, colors->expected, device, MODEL_KEPT);
    print_models(out, colors->undecided, device, MODEL_BY_CHANCE);
    print_moved(out, device, " -> ", "\n");
    print_tests(out, device, true);
    print_tests(out, device, false);
}

static void mark_models(FILE *out, const struct compare_progress_device *device)
{
    static const char *const words[] = {[MODEL_BROKEN] = "**broken**",
                                        [MODEL_KEPT] = "no longer broken",
                                        [MODEL_BY_CHANCE] = "broken in one run only, which may be chance"};
    char program[LITMUS_TEXT];

    if (compare_model_count(device, MODEL_SAME) < LITMUS_STANDINGS)
        fputs("\n| model | fairness | now | by |\n|---|---|---|---|\n", out);
    for (enum litmus_model model = 0; model < LITMUS_MODELS; ++model)
        for (enum litmus_fairness fairness = 0; fairness < LITMUS_FAIRNESSES; ++fairness) {
            const enum model_change change = compare_model(device, model, fairness);
            if (change == MODEL_SAME)
                continue;
            fprintf(out, "| %s | %s | %s |", litmus_model_name(model), litmus_fairness_name(fairness), words[change]);
            if (change == MODEL_BROKEN) {
                litmus_text(&device->after->classification.standings[model][fairness].reason.program, program);
                escape_each(escape_markdown, out, " ", program, NULL);
            }
            fputs(" |\n", out);
        }
}

static void mark_test(FILE *out, const struct compare_test *test)
{
    escape_each(escape_markdown, out, "| ", test->program, NULL);
    fprintf(out, " | %s | %s | %" PRIu32 " | %s |\n", mapping_name(test->mapping.kind), engine_name(test->engine),
            test->local_size, test->stalls ? "stalls" : "ends");
}

void compare_markdown_tests(FILE *out, const struct compare_progress_device *device)
{
    print_counts(out, device);
    fputs(".\n", out);
    mark_models(out, device);
    print_moved(out, device, " → ", ".\n");
    if (device->test_count == 0)
        return;
    fprintf(out, "\nTests that now stall: %zu; tests that now end: %zu\n\n", compare_test_count(device, true),
            compare_test_count(device, false));
    fputs("| test | mapping | engine | work-items | now |\n|---|---|---|---:|---|\n", out);
    list_tests(out, device, true, mark_test);
    list_tests(out, device, false, mark_test);
}
