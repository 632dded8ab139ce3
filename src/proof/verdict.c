#include "proof/verdict.h"

#include "proof/needs.h"

#include <stdio.h>

NAMING_DEFINE(proof_verdict, enum proof_verdict, PROOF_VERDICTS, "proved", "not-refuted", "race", "wrong-result",
              "wrong", "fault", "none");

enum proof_verdict proof_judge_as_made_up(const struct proof_result *result)
{
    struct proof_needs needs;

    if (result->known == 0 && result->fault[0] == '\0')
        return PROOF_NOTHING;
    if (result->fault[0] != '\0')
        return PROOF_FAULT;
    proof_needs_find(&result->progress, &needs);
    if (needs.count == 0)
        return PROOF_WRONG;
    if (result->wrong_finals > 0)
        return PROOF_RESULT;
    if (result->races > 0)
        return PROOF_RACE;
    const bool all = result->extent == PROOF_ALL && result->races_known && result->unchecked == 0;
    return all && !result->ignored_read ? PROOF_PROVED : PROOF_NOT_REFUTED;
}

bool proof_is_bad(enum proof_verdict verdict)
{
    return verdict == PROOF_RACE || verdict == PROOF_WRONG || verdict == PROOF_FAULT;
}

enum proof_verdict proof_judge(const struct proof_result *result)
{
    const enum proof_verdict verdict = proof_judge_as_made_up(result);
    return proof_is_bad(verdict) && result->numbers_made_up > 0 ? PROOF_NOT_REFUTED : verdict;
}

const char *proof_turns_text(unsigned model)
{
    static const char *const turns[PROOF_PROMISES] = {
        [LITMUS_HSA] = "the lowest group that has not ended gets turns (HSA)",
        [LITMUS_OBE] = "groups that have started get turns (OBE)",
        [LITMUS_HSA_OBE] = "the lowest group and those that have started get turns (HSA_OBE)",
        [LITMUS_LOBE] = "groups that have started and lower ones get turns (LOBE)",
        [LITMUS_FAIR] = "each group gets turns (FAIR)",
        [PROOF_UNFAIR] = "some group gets turns (no promise)",
    };
    return turns[model];
}

const char *proof_promise_text(const struct proof_promise *promise, unsigned groups, char text[PROOF_PROMISE_TEXT])
{
    snprintf(text, PROOF_PROMISE_TEXT, "%s%s%u of %u groups resident", proof_turns_text(promise->model),
             promise->model == PROOF_UNFAIR       ? ", with "
             : promise->fairness == LITMUS_STRONG ? ", fairly, with "
                                                  : ", with ",
             promise->places, groups);
    return text;
}
