#include "litmus/classify.h"

#include "core/text.h"
#include "litmus/code.h"
#include "litmus/debt.h"
#include "litmus/form.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

/* --- what is known --- */

/* In which order cases are added, which is another one in a merged run file, makes no difference. */
static bool is_before(const struct litmus_case *found, const struct litmus_case *other)
{
    const struct test_outcome *a = &found->outcome, *b = &other->outcome;
    char text[LITMUS_TEXT], other_text[LITMUS_TEXT];

    litmus_text(&found->program, text);
    litmus_text(&other->program, other_text);
    const int64_t differences[] = {
        (int64_t)litmus_length(&found->program) - litmus_length(&other->program),
        (int64_t)found->program.threads - other->program.threads,
        strcmp(text, other_text),
        (int64_t)b->stalled - a->stalled, /* the more often it stalls, the better it shows */
        (int64_t)a->ran - b->ran,
        (int64_t)found->mapping.kind - (int64_t)other->mapping.kind,
        (int64_t)found->mapping.seed - other->mapping.seed,
        (int64_t)found->engine - (int64_t)other->engine,
        (int64_t)a->state.groups - b->state.groups,
        (int64_t)a->state.instance - b->state.instance,
        (int64_t)a->state.started - b->state.started,
        (int64_t)a->state.ended - b->state.ended,
    };

    for (size_t i = 0; i < sizeof differences / sizeof *differences; ++i)
        if (differences[i] != 0)
            return differences[i] < 0;
    return memcmp(a->state.position, b->state.position, sizeof a->state.position) < 0;
}

static void keep_reason(struct litmus_standing *standing, const struct litmus_case *found, bool is_first)
{
    if (is_first || is_before(found, &standing->reason))
        standing->reason = *found;
}

static void add_guaranteed(struct litmus_standing *standing, const struct litmus_case *added,
                           const struct litmus_saying *saying)
{
    ++standing->guaranteed;
    standing->ended += saying->ended;
    standing->undecided += !saying->ended && !saying->confirmed;
    if (!saying->confirmed)
        return;
    keep_reason(standing, added, standing->refuting == 0);
    ++standing->refuting;
}

static void add_state(struct litmus_standing *standing, const struct litmus_case *added,
                      const struct litmus_saying *saying, bool guaranteed)
{
    if (!saying->confirmed) {
        standing->doubtful += !guaranteed;
        return;
    }
    if (standing->refuting == 0)
        keep_reason(standing, added, standing->states == 0);
    ++standing->states;
}

int litmus_interpret(struct litmus_judge *judge, const struct litmus_case *found, struct litmus_saying *saying,
                     struct error *error)
{
    const struct test_outcome *outcome = &found->outcome;
    uint8_t order[MAPPING_THREADS];
    uint32_t groups[MAPPING_THREADS];
    struct litmus_program reordered;

    *saying = (struct litmus_saying){
        .confirmed = !outcome->cut && outcome->stalled > 0 && outcome->confirmed,
        .ended = !outcome->cut && outcome->ran > 0 && outcome->stalled == 0 && outcome->undecided == 0,
    };
    mapping_order(&found->mapping, found->program.threads, order);
    litmus_reorder(&found->program, order, &reordered);
    if (litmus_judge_program(judge, &reordered, &saying->guaranteed, error) != 0)
        return -1;
    if (!outcome->cut && outcome->stalled + outcome->undecided > 0 &&
        litmus_state_groups(&outcome->state, &found->mapping, found->program.threads, groups))
        saying->debtors = litmus_debtors(&outcome->state, found->program.threads, groups);
    return 0;
}

int litmus_classify(struct litmus_classification *classification, const struct litmus_case *added, struct error *error)
{
    struct litmus_saying saying;

    if (litmus_interpret(&classification->judge, added, &saying, error) != 0)
        return -1;
    ++classification->cases;
    for (enum litmus_model model = 0; model < LITMUS_MODELS; ++model)
        for (enum litmus_fairness fairness = 0; fairness < LITMUS_FAIRNESSES; ++fairness) {
            struct litmus_standing *standing = &classification->standings[model][fairness];
            const bool guaranteed = litmus_guarantees(&saying.guaranteed, model, fairness);
            if (guaranteed)
                add_guaranteed(standing, added, &saying);
            if (litmus_is_debtor(&saying, model))
                add_state(standing, added, &saying, guaranteed);
        }
    return 0;
}

void litmus_classification_fini(struct litmus_classification *classification)
{
    litmus_judge_fini(&classification->judge);
}

/* --- what follows --- */

bool litmus_holds(const struct litmus_classification *classification, enum litmus_model model,
                  enum litmus_fairness fairness)
{
    return !litmus_is_broken(&classification->standings[model][fairness]);
}

bool litmus_implies(enum litmus_model model, enum litmus_fairness fairness, enum litmus_model other,
                    enum litmus_fairness other_fairness)
{
    const bool incomparable = model == LITMUS_OBE && other == LITMUS_HSA;
    return fairness >= other_fairness && model >= other && !incomparable;
}

model_set litmus_implied(enum litmus_model model)
{
    model_set implied = 0;

    for (enum litmus_model other = 0; other < LITMUS_MODELS; ++other)
        if (litmus_implies(model, LITMUS_WEAK, other, LITMUS_WEAK))
            implied |= UINT32_C(1) << other;
    return implied;
}

bool litmus_is_told_apart(const struct litmus_classification *classification, enum litmus_model model,
                          enum litmus_fairness fairness)
{
    const uint32_t guaranteed = classification->standings[model][fairness].guaranteed;

    for (enum litmus_model other = 0; other < LITMUS_MODELS; ++other)
        for (enum litmus_fairness weaker = 0; weaker < LITMUS_FAIRNESSES; ++weaker)
            if ((other != model || weaker != fairness) && litmus_implies(model, fairness, other, weaker) &&
                classification->standings[other][weaker].guaranteed == guaranteed)
                return false;
    return guaranteed > 0;
}

static bool is_kept(const struct litmus_classification *classification, enum litmus_model model,
                    enum litmus_fairness fairness)
{
    return litmus_holds(classification, model, fairness) && litmus_is_told_apart(classification, model, fairness);
}

bool litmus_is_strongest(const struct litmus_classification *classification, enum litmus_model model,
                         enum litmus_fairness fairness)
{
    if (classification->blind || classification->partial || !is_kept(classification, model, fairness))
        return false;
    for (enum litmus_model other = 0; other < LITMUS_MODELS; ++other)
        for (enum litmus_fairness other_fairness = 0; other_fairness < LITMUS_FAIRNESSES; ++other_fairness)
            if ((other != model || other_fairness != fairness) && is_kept(classification, other, other_fairness) &&
                litmus_implies(other, other_fairness, model, fairness))
                return false;
    return true;
}

enum litmus_class_kind litmus_class_kind(const struct litmus_classification *classification)
{
    for (enum litmus_model model = 0; model < LITMUS_MODELS; ++model)
        for (enum litmus_fairness fairness = 0; fairness < LITMUS_FAIRNESSES; ++fairness)
            if (litmus_is_strongest(classification, model, fairness))
                return LITMUS_CLASS_MODELS;
    return litmus_holds(classification, LITMUS_HSA, LITMUS_WEAK) ||
                   litmus_holds(classification, LITMUS_OBE, LITMUS_WEAK)
               ? LITMUS_CLASS_UNKNOWN
               : LITMUS_CLASS_UNFAIR;
}

uint32_t litmus_strongest_open(const struct litmus_classification *classification)
{
    uint32_t most = 0;

    for (enum litmus_model model = 0; model < LITMUS_MODELS; ++model)
        for (enum litmus_fairness fairness = 0; fairness < LITMUS_FAIRNESSES; ++fairness) {
            const uint32_t open = litmus_open(&classification->standings[model][fairness]);
            if (open > most && litmus_is_strongest(classification, model, fairness))
                most = open;
        }
    return most;
}

void litmus_classes(const struct litmus_classification *classification, char text[LITMUS_CLASSES])
{
    const enum litmus_class_kind kind = litmus_class_kind(classification);

    snprintf(text, LITMUS_CLASSES, "%s",
             kind == LITMUS_CLASS_UNFAIR    ? "unfair"
             : kind == LITMUS_CLASS_UNKNOWN ? "not known"
                                            : "");
    for (enum litmus_model model = 0; kind == LITMUS_CLASS_MODELS && model < LITMUS_MODELS; ++model)
        for (int fairness = LITMUS_STRONG; fairness >= LITMUS_WEAK; --fairness)
            if (litmus_is_strongest(classification, model, (enum litmus_fairness)fairness))
                text_list(text, LITMUS_CLASSES, ", ", "%s%s", litmus_model_name(model),
                          fairness == LITMUS_WEAK ? " (weak)" : "");
}

int litmus_read_promise(const char *text, enum litmus_model *model, enum litmus_fairness *fairness, struct error *error)
{
    const size_t length = strcspn(text, ":");
    const char *said = text[length] == ':' ? text + length + 1 : "strong";
    const bool weak = strcasecmp(said, "weak") == 0;
    char names[64];

    *fairness = weak ? LITMUS_WEAK : LITMUS_STRONG;
    for (*model = 0; *model < LITMUS_MODELS && (weak || strcasecmp(said, "strong") == 0); ++*model) {
        const char *name = litmus_model_name(*model);
        if (strlen(name) == length && strncasecmp(text, name, length) == 0)
            return 0;
    }
    naming_print(&litmus_model_naming, names, sizeof names);
    return error_set(error, STATUS_USAGE, "%.40s: expected %s, optionally followed by :weak or :strong",
                     text[0] != '\0' ? text : "\"\"", names);
}
