#include "litmus/code.h"
#include "litmus/form.h"
#include "report/progress.h"

#include <inttypes.h>
#include <string.h>

/* --- what was run --- */

void progress_text_heading(FILE *out, const struct progress_device *device)
{
    const struct store_device *stored = &device->stored;

    text_device(out, &stored->info);
    fputc('\n', out);
    fprintf(out,
            "%" PRIu32 " tests, %" PRIu64 " launches of up to %" PRIu32 " groups in %.1f s; %" PRIu32
            " tests stalled, in %" PRIu64 " launches",
            device->tests, device->launches, device->most_groups, (double)device->duration_ns / 1e9,
            device->stalled_tests, device->stalled);
    if (device->stall_ns != 0)
        fprintf(out, " of %.2f ms", (double)device->stall_ns / 1e6);
    if (device->undecided > 0)
        fprintf(out, "; %" PRIu64 " undecided", device->undecided);
    fputc('\n', out);
}

static void print_standing(FILE *out, const struct colors *colors, const struct litmus_standing *standing,
                           enum litmus_model model, enum litmus_fairness fairness)
{
    fprintf(out, "%-8s %-8s %10" PRIu32 " %8" PRIu32 " %8" PRIu32 " %10" PRIu32 "  ", litmus_model_name(model),
            litmus_fairness_name(fairness), standing->guaranteed, standing->ended, standing->refuting,
            standing->undecided);
    if (standing->guaranteed == 0) {
        fputs("not tested\n", out);
        return;
    }
    const char *color = standing->refuting > 0 ? colors->surprise : colors->expected;
    color_begin(out, color);
    fputs(standing->refuting > 0 ? "broken" : "not broken", out);
    color_end(out, color);
    fputc('\n', out);
}

/* Tests that the strongest models guarantee, and that came to nothing. */
static uint32_t undecided_of(const struct litmus_classification *all)
{
    uint32_t undecided = 0;

    for (enum litmus_model model = 0; model < LITMUS_MODELS; ++model)
        for (enum litmus_fairness fairness = 0; fairness < LITMUS_FAIRNESSES; ++fairness)
            if (litmus_is_strongest(all, model, fairness) && all->standings[model][fairness].undecided > undecided)
                undecided = all->standings[model][fairness].undecided;
    return undecided;
}

static void print_classes(FILE *out, const struct progress_device *device)
{
    const struct litmus_classification *all = &device->classification;
    const uint32_t undecided = undecided_of(all);
    char classes[LITMUS_CLASSES];

    litmus_classes(all, classes);
    switch (litmus_class_kind(all)) {
    case LITMUS_CLASS_UNFAIR:
        fputs("\nAll models are broken: the device is unfair.\n", out);
        break;
    case LITMUS_CLASS_UNKNOWN:
        if (all->blind)
            fprintf(out,
                    "\nThe driver ends loops after %" PRIu64
                    " turns, so that no stall can be confirmed: these tests do\n"
                    "not tell which of the models the device keeps.\n",
                    device->stored.probe.loops_cut_at);
        else
            fputs("\nThese tests do not tell which of the models the device keeps.\n", out);
        break;
    case LITMUS_CLASS_MODELS:
        fprintf(out,
                "\nThe strongest not broken: %s. That is no proof: none of these launches\n"
                "stalled that it guarantees to end.\n",
                classes);
        break;
    }
    if (undecided > 0)
        fprintf(out, "Of the tests that count for it %" PRIu32 " were not decided.\n", undecided);
}

static void print_standings(FILE *out, const struct colors *colors, const struct progress_device *device)
{
    fputs("\nmodel    fairness guaranteed    ended  stalled  undecided\n", out);
    for (enum litmus_model model = 0; model < LITMUS_MODELS; ++model)
        for (enum litmus_fairness fairness = 0; fairness < LITMUS_FAIRNESSES; ++fairness)
            print_standing(out, colors, &device->classification.standings[model][fairness], model, fairness);
    print_classes(out, device);
}

/* --- why a model is out --- */

/* Models under weak and strong fairness, numbered in the order of the table. */
enum { STANDINGS = LITMUS_MODELS * LITMUS_FAIRNESSES };

static const struct litmus_standing *standing_of(const struct litmus_classification *all, unsigned number)
{
    return &all->standings[number / LITMUS_FAIRNESSES][number % LITMUS_FAIRNESSES];
}

static bool same_case(const struct litmus_case *a, const struct litmus_case *b)
{
    return memcmp(&a->program, &b->program, sizeof a->program) == 0 && a->mapping.kind == b->mapping.kind &&
           a->mapping.seed == b->mapping.seed;
}

/* A model is named where its reason comes first. */
static bool is_first(const struct litmus_classification *all, unsigned number)
{
    const struct litmus_case *reason = &standing_of(all, number)->reason;

    for (unsigned before = 0; before < number; ++before) {
        const struct litmus_standing *standing = standing_of(all, before);
        if (standing->refuting > 0 && same_case(&standing->reason, reason))
            return false;
    }
    return true;
}

static void print_broken(FILE *out, const struct litmus_classification *all, unsigned number)
{
    const struct litmus_case *reason = &standing_of(all, number)->reason;
    const char *separator = "\n";

    for (unsigned i = number; i < STANDINGS; ++i) {
        const struct litmus_standing *standing = standing_of(all, i);
        if (standing->refuting == 0 || !same_case(&standing->reason, reason))
            continue;
        fprintf(out, "%s%s (%s)", separator, litmus_model_name((enum litmus_model)(i / LITMUS_FAIRNESSES)),
                litmus_fairness_name((enum litmus_fairness)(i % LITMUS_FAIRNESSES)));
        separator = ", ";
    }
    fputs(" broken by:\n", out);
}

static void print_threads(FILE *out, uint32_t threads)
{
    const char *separator = (threads & (threads - 1)) != 0 ? "threads " : "thread ";

    for (unsigned thread = 0; thread < LITMUS_THREADS; ++thread)
        if ((threads >> thread & 1) != 0) {
            fprintf(out, "%s%u", separator, thread);
            separator = ", ";
        }
}

void progress_text_stand(FILE *out, const struct litmus_case *found)
{
    const struct test_state *state = &found->outcome.state;
    const char *separator = "; ";

    for (unsigned location = 0; location < LITMUS_LOCATIONS; ++location)
        fprintf(out, "%s%c=%u", location > 0 ? " " : "", litmus_location_name(location), state->memory >> location & 1);
    for (unsigned thread = 0; thread < found->program.threads; ++thread) {
        fprintf(out, "%sthread %u ", separator, thread);
        if ((state->threads_started >> thread & 1) == 0)
            fputs("never started", out);
        else if ((state->threads_ended >> thread & 1) != 0)
            fputs("has ended", out);
        else
            fprintf(out, "at L%u", state->position[thread]);
        separator = ", ";
    }
}

static void print_state(FILE *out, const struct litmus_case *found)
{
    const struct test_state *state = &found->outcome.state;

    fprintf(out, "    Instance %" PRIu32 " of %" PRIu32 ": ", state->instance, state->groups / found->program.threads);
    progress_text_stand(out, found);
    fprintf(out, ".\n    %" PRIu32 " of %" PRIu32 " groups had started, and %" PRIu32 " of them ended.\n",
            state->started, state->groups, state->ended);
}

/* Which threads the model says have fair execution where the instance stands, by the ids of the test as it is written. */
static uint32_t fair_threads(const struct litmus_case *found, enum litmus_model model)
{
    const struct test_state *state = &found->outcome.state;
    uint8_t order[MAPPING_THREADS];
    uint32_t started = 0, ended = 0, fair = 0;

    mapping_order(&found->mapping, found->program.threads, order);
    for (unsigned i = 0; i < found->program.threads; ++i) {
        started |= (uint32_t)(state->threads_started >> order[i] & 1) << i;
        ended |= (uint32_t)(state->threads_ended >> order[i] & 1) << i;
    }
    const uint32_t renamed = litmus_fair_threads(model, found->program.threads, started, ended);
    for (unsigned i = 0; i < found->program.threads; ++i)
        fair |= (renamed >> i & 1) << order[i];
    return fair;
}

static void print_debt(FILE *out, const struct litmus_case *found, enum litmus_model model)
{
    const struct test_state *state = &found->outcome.state;
    const uint32_t fair = fair_threads(found, model);
    const uint32_t owed = fair & ~(uint32_t)state->threads_started;

    fprintf(out, "    Under %s ", litmus_model_name(model));
    print_threads(out, fair);
    fputs(owed != 0 ? " would get turns, and " : " would get turns, which lead to the end", out);
    if (owed != 0) {
        print_threads(out, owed);
        fputs(" never got one", out);
    }
    fputs(".\n", out);
}

void progress_text_mapping(FILE *out, const struct mapping *mapping)
{
    fprintf(out, "mapping %s", mapping_name(mapping->kind));
    if (mapping_has_seed(mapping->kind))
        fprintf(out, " (seed %" PRIu32 ")", mapping->seed);
}

static void print_reason(FILE *out, const struct litmus_classification *all, unsigned number)
{
    const struct litmus_case *reason = &standing_of(all, number)->reason;
    char text[LITMUS_TEXT];

    print_broken(out, all, number);
    litmus_text(&reason->program, text);
    fprintf(out, "    %s\n    ", text);
    progress_text_mapping(out, &reason->mapping);
    fprintf(out, ", %" PRIu32 " of %" PRIu32 " launches stalled\n", reason->outcome.stalled, reason->outcome.ran);
    litmus_print_listing(out, &reason->program);
    print_state(out, reason);
    print_debt(out, reason, (enum litmus_model)(number / LITMUS_FAIRNESSES));
}

void progress_text_reasons(FILE *out, const struct progress_device *device)
{
    const struct litmus_classification *all = &device->classification;

    for (unsigned number = 0; number < STANDINGS; ++number)
        if (standing_of(all, number)->refuting > 0 && is_first(all, number))
            print_reason(out, all, number);
}

/* --- the rest --- */

static void print_limit(FILE *out, const struct progress_device *device)
{
    const struct limit_search *limit = &device->limit;

    if (!limit_search_begun(limit))
        return;
    if (limit->undecided)
        fputs("\nLimit: not decided.\n", out);
    else if (limit->stalls == 1)
        fputs("\nLimit: a single group that waits for a later one keeps it from starting.\n", out);
    else if (limit->stalls != 0)
        fprintf(out,
                "\nLimit: where %" PRIu32 " groups wait for later ones these never start; where %" PRIu32
                " do they start.\n",
                limit->stalls, limit->passes);
    else
        fprintf(out, "\nLimit: none up to %" PRIu32 " groups that wait for later ones.\n", limit->passes);
}

static void print_disagreement(FILE *out, const struct progress_disagreement *found)
{
    fprintf(out, "%s, ", found->program);
    progress_text_mapping(out, &found->mapping);
    fprintf(out, ", stalls only %s", found->stalled == ENGINE_TABLE ? "by the table" : "compiled");
}

static void print_disagreements(FILE *out, const struct colors *colors, const struct progress_device *device)
{
    if (device->livelocks_apart > 0)
        fprintf(out, "\n%" PRIu32 " livelocks came by one engine alone, which hangs on how fast it is.\n",
                device->livelocks_apart);
    if (device->disagreement_count == 0)
        return;
    color_begin(out, colors->surprise);
    fprintf(out, "\nThe engines disagree about %zu tests:\n", device->disagreement_count);
    color_end(out, colors->surprise);
    for (size_t i = 0; i < device->disagreement_count && i < PROGRESS_LISTED; ++i) {
        fputs("    ", out);
        print_disagreement(out, &device->disagreements[i]);
        fputc('\n', out);
    }
    if (device->disagreement_count > PROGRESS_LISTED)
        fprintf(out, "    and %zu more\n", device->disagreement_count - PROGRESS_LISTED);
}

void progress_text_trouble(FILE *out, const struct colors *colors, const struct progress_device *device)
{
    if (device->cut_tests > 0)
        fprintf(out, "\nOf %" PRIu32 " tests nothing is known: the driver ended their loops.\n", device->cut_tests);
    if (device->missing == 0)
        return;
    color_begin(out, colors->surprise);
    fputc('\n', out);
    progress_text_blocks(out, device);
    fputc('\n', out);
    color_end(out, colors->surprise);
}

/* --- sentences --- */

const char *progress_standing_word(const struct litmus_standing *standing)
{
    if (standing->guaranteed == 0)
        return "not-tested";
    if (standing->refuting > 0)
        return "broken";
    return standing->ended > 0 ? "not-broken" : "undecided";
}

void progress_text_standing(FILE *out, const struct litmus_standing *standing, bool expected)
{
    const struct litmus_case *reason = &standing->reason;
    char text[LITMUS_TEXT];

    if (standing->guaranteed == 0) {
        fputs("no test was run that it guarantees to end", out);
        return;
    }
    if (standing->refuting > 0) {
        litmus_text(&reason->program, text);
        fprintf(out, "%sbroken by %s, ", expected ? "expected to be kept, " : "", text);
        progress_text_mapping(out, &reason->mapping);
        fprintf(out, ": %" PRIu32 " of %" PRIu32 " launches stalled, ", reason->outcome.stalled, reason->outcome.ran);
        progress_text_stand(out, reason);
        fputs("; ", out);
    }
    fprintf(out, "of %" PRIu32 " tests that it guarantees to end, %" PRIu32 " did, %" PRIu32 " stalled, %" PRIu32 " %s",
            standing->guaranteed, standing->ended, standing->refuting, standing->undecided,
            standing->undecided == 1 ? "is undecided" : "are undecided");
}

void progress_text_engines(FILE *out, const struct progress_device *device)
{
    fprintf(out, "of %" PRIu32 " tests, the engines disagree about %zu", device->compared, device->disagreement_count);
    for (size_t i = 0; i < device->disagreement_count && i < PROGRESS_LISTED; ++i) {
        fputs(i > 0 ? "; " : ": ", out);
        print_disagreement(out, &device->disagreements[i]);
    }
    if (device->disagreement_count > PROGRESS_LISTED)
        fprintf(out, "; and %zu more", device->disagreement_count - PROGRESS_LISTED);
}

void progress_text_blocks(FILE *out, const struct progress_device *device)
{
    if (device->missing == 0) {
        fprintf(out, "%" PRIu32 " tests were run", device->tests);
        return;
    }
    if (device->missing == 1)
        fprintf(out, "A block of tests did not come to its end: ");
    else
        fprintf(out, "%" PRIu32 " blocks of tests did not come to their end: ", device->missing);
    text_clean(out, device->trouble);
}

void progress_text(FILE *out, const struct progress_report *report, const struct text_style *style)
{
    for (size_t i = 0; i < report->count; ++i) {
        const struct progress_device *device = &report->devices[i];
        if (i > 0)
            fputc('\n', out);
        progress_text_heading(out, device);
        if (device->tests > 0)
            print_standings(out, style->colors, device);
        progress_text_reasons(out, device);
        print_limit(out, device);
        print_disagreements(out, style->colors, device);
        progress_text_trouble(out, style->colors, device);
    }
}
