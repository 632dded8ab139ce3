/* Why a model is out: the shortest test that broke it, and where that stood. */
#include "format/progress.h"
#include "litmus/debt.h"
#include "litmus/form.h"

#include <inttypes.h>
#include <string.h>

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
        if (litmus_is_broken(standing) && same_case(&standing->reason, reason))
            return false;
    }
    return true;
}

static void print_broken(FILE *out, const struct litmus_classification *all, unsigned number)
{
    const struct litmus_case *reason = &standing_of(all, number)->reason;
    const char *separator = "\n";

    for (unsigned i = number; i < LITMUS_STANDINGS; ++i) {
        const struct litmus_standing *standing = standing_of(all, i);
        if (!litmus_is_broken(standing) || !same_case(&standing->reason, reason))
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
        else if (state->position[thread] >= found->program.length[thread])
            fputs("ended once stopped", out);
        else
            fprintf(out, "at L%u", state->position[thread]);
        separator = ", ";
    }
}

static void print_state(FILE *out, const struct litmus_case *found, enum block_level level)
{
    const struct test_state *state = &found->outcome.state;
    struct text_lines lines;
    FILE *line = text_lines_begin(&lines);

    fprintf(line, "Instance %" PRIu32 " of %" PRIu32 ": ", state->instance, state->groups / found->program.threads);
    progress_text_stand(line, found);
    fputc('.', line);
    text_lines_end(&lines, out, "    ", "      ");
    fprintf(out, "    %" PRIu32 " of %" PRIu32 " %s had started, and %" PRIu32 " had ended.\n", state->started,
            state->groups, progress_text_threads(level, state->groups), state->ended);
}

/* What a model owes where the instance stands, by the ids of the test as it is written. */
struct debt {
    uint32_t fair; /* threads that have fair execution */
    uint32_t owed; /* of these: they never got a turn */
};

static struct debt debt_of(const struct litmus_case *found, enum litmus_model model)
{
    const struct test_state *state = &found->outcome.state;
    const unsigned threads = found->program.threads;
    uint8_t order[MAPPING_THREADS];
    uint32_t started = 0, ended = 0, groups[MAPPING_THREADS];
    struct debt debt = {.fair = 0};

    mapping_order(&found->mapping, threads, order);
    for (unsigned i = 0; i < threads; ++i) {
        started |= (uint32_t)(state->threads_started >> order[i] & 1) << i;
        ended |= (uint32_t)(state->threads_ended >> order[i] & 1) << i;
    }
    const uint32_t renamed = litmus_fair_threads(model, threads, started, ended);
    for (unsigned i = 0; i < threads; ++i)
        debt.fair |= (renamed >> i & 1) << order[i];
    if (litmus_state_groups(state, &found->mapping, threads, groups))
        debt.fair |= litmus_owed(model, state, threads, groups);
    debt.owed = debt.fair & ~(uint32_t)state->threads_started;
    return debt;
}

static void print_debt(FILE *out, const struct litmus_case *found, enum litmus_model model, bool guaranteed,
                       enum block_level level)
{
    const struct test_state *state = &found->outcome.state;
    const struct debt debt = debt_of(found, model);

    fprintf(out, "    Under %s, ", litmus_model_name(model));
    if (debt.owed == 0 && !guaranteed) { /* of FAIR, and of groups of other instances */
        fprintf(out, "all %s would get turns, but %" PRIu32 " never got one.\n", progress_text_threads(level, 2),
                state->groups - state->started);
        return;
    }
    print_threads(out, debt.fair);
    fputs(debt.owed != 0 ? " would get turns, but " : " would get turns, which lead to the end", out);
    if (debt.owed != 0) {
        print_threads(out, debt.owed);
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

static void print_reason(FILE *out, const struct progress_device *device, unsigned number)
{
    const struct litmus_classification *all = &device->classification;
    const enum block_level level = device->level;
    const struct litmus_case *reason = &standing_of(all, number)->reason;
    char text[LITMUS_TEXT];

    print_broken(out, all, number);
    litmus_text(&reason->program, text);
    fprintf(out, "    %s\n    ", text);
    progress_text_mapping(out, &reason->mapping);
    if (level != LEVEL_GROUP)
        fprintf(out, ", engine %s", engine_name(reason->engine));
    fprintf(out, ", %" PRIu32 " of %" PRIu32 " launches stalled\n", reason->outcome.stalled, reason->outcome.ran);
    litmus_print_listing(out, &reason->program);
    print_state(out, reason, level);
    print_debt(out, reason, (enum litmus_model)(number / LITMUS_FAIRNESSES), standing_of(all, number)->refuting > 0,
               level);
}

void progress_text_reasons(FILE *out, const struct progress_device *device)
{
    const struct litmus_classification *all = &device->classification;

    for (unsigned number = 0; number < LITMUS_STANDINGS; ++number)
        if (litmus_is_broken(standing_of(all, number)) && is_first(all, number))
            print_reason(out, device, number);
}
