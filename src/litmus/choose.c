#include "litmus/choose.h"

#include "base/alloc.h"
#include "core/lots.h"
#include "litmus/enumerate.h"

#include <stdlib.h>

/* --- all of them --- */

struct collection {
    struct litmus_choices *choices;
    struct litmus_judge judge;
    struct error *error;
    bool failed;
};

static bool found(void *context, const struct litmus_program *program)
{
    struct collection *collection = context;
    struct litmus_choices *choices = collection->choices;

    collection->failed = true;
    GROW(choices->all, choices->count);
    struct litmus_choice *choice = &choices->all[choices->count];
    *choice = (struct litmus_choice){.program = *program};
    if (litmus_judge_program(&collection->judge, program, &choice->verdicts, collection->error) != 0)
        return false;
    ++choices->count;
    collection->failed = false;
    return true;
}

int litmus_choose_all(struct litmus_choices *choices, struct error *error)
{
    static const unsigned bounds[][2] = {{2, 2}, {2, 3}, {2, 4}, {3, 3}, {3, 4}};
    struct collection collection = {.choices = choices, .error = error};
    const struct litmus_visitor visitor = {.context = &collection, .found = found};

    choices->count = 0;
    for (size_t i = 0; i < sizeof bounds / sizeof *bounds && !collection.failed; ++i)
        litmus_enumerate(bounds[i][0], bounds[i][1], &visitor);
    litmus_judge_fini(&collection.judge);
    if (!collection.failed)
        return 0;
    litmus_choices_fini(choices);
    return -1;
}

void litmus_choices_fini(struct litmus_choices *choices)
{
    free(choices->all);
    *choices = (struct litmus_choices){.count = 0};
}

static void keep_chosen(struct litmus_choices *choices)
{
    size_t kept = 0;

    for (size_t i = 0; i < choices->count; ++i)
        if (choices->all[i].chosen)
            choices->all[kept++] = choices->all[i];
    choices->count = kept;
}

/* --- the quick suite --- */

/* For each pair of models, from programs of two threads and from those of three. */
enum { OF_A_PAIR = 12, OF_A_SIGNATURE = 4 };

static bool guarantees(const struct litmus_choice *choice, unsigned kind)
{
    return litmus_guarantees(&choice->verdicts, kind / LITMUS_FAIRNESSES, kind % LITMUS_FAIRNESSES);
}

static unsigned signature_of(const struct litmus_choice *choice)
{
    unsigned bits = 0;

    for (unsigned kind = 0; kind < LITMUS_STANDINGS; ++kind)
        bits |= (unsigned)guarantees(choice, kind) << kind;
    return bits;
}

/* Programs that are guaranteed by one kind, and not by the other. */
struct pair {
    unsigned kind, other, threads;
};

static bool is_of_pair(const struct litmus_choice *choice, const struct pair *pair)
{
    return choice->program.threads == pair->threads && guarantees(choice, pair->kind) &&
           !guarantees(choice, pair->other);
}

/* Chooses programs for a pair, the shortest first, and at most some of each signature. */
static void choose_for_pair(struct litmus_choices *choices, const struct pair *pair)
{
    unsigned of_signature[1 << LITMUS_STANDINGS] = {0}, count = 0;

    for (size_t i = 0; i < choices->count; ++i)
        if (choices->all[i].chosen && is_of_pair(&choices->all[i], pair)) {
            ++of_signature[signature_of(&choices->all[i])];
            ++count;
        }
    for (unsigned length = pair->threads; length <= 4; ++length)
        for (size_t i = 0; i < choices->count && count < OF_A_PAIR; ++i) {
            struct litmus_choice *choice = &choices->all[i];
            if (choice->chosen || litmus_length(&choice->program) != length || !is_of_pair(choice, pair) ||
                of_signature[signature_of(choice)] >= OF_A_SIGNATURE)
                continue;
            choice->chosen = true;
            ++of_signature[signature_of(choice)];
            ++count;
        }
}

int litmus_choose_quick(struct litmus_choices *choices, struct error *error)
{
    if (litmus_choose_all(choices, error) != 0)
        return -1;
    for (unsigned kind = 0; kind < LITMUS_STANDINGS; ++kind)
        for (unsigned other = 0; other < LITMUS_STANDINGS; ++other)
            for (unsigned threads = 2; threads <= 3; ++threads)
                choose_for_pair(choices, &(struct pair){.kind = kind, .other = other, .threads = threads});
    keep_chosen(choices);
    return 0;
}

/* --- by lot --- */

int litmus_choose_random(struct litmus_choices *choices, uint32_t seed, size_t count,
                         bool (*wanted)(void *context, const struct litmus_verdicts *verdicts), void *context,
                         struct error *error)
{
    uint64_t lots = seed;
    uint32_t left = 0;

    if (litmus_choose_all(choices, error) != 0)
        return -1;
    for (size_t i = 0; i < choices->count; ++i) {
        choices->all[i].chosen = wanted == NULL || wanted(context, &choices->all[i].verdicts);
        left += choices->all[i].chosen;
    }
    /* One after the other: each is drawn as likely as it takes to have so many in the end. */
    for (size_t i = 0; i < choices->count; ++i)
        if (choices->all[i].chosen) {
            choices->all[i].chosen = lots_draw_below(&lots, left--) < count;
            count -= choices->all[i].chosen;
        }
    keep_chosen(choices);
    return 0;
}
