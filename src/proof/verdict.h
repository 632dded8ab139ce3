/* What a proof comes to. */
#pragma once

#include "core/naming.h"
#include "proof/result.h"

enum proof_verdict {
    PROOF_PROVED,      /* it ends wherever what it needs is promised, and nothing is wrong with it */
    PROOF_NOT_REFUTED, /* not all was explored, or words were left out that are read; of what was, the same is true;
                          or what is wrong may be so for what is made up */
    PROOF_RACE,        /* data races: what it does is not defined */
    PROOF_RESULT,      /* it ends with a wrong result in some schedule */
    PROOF_WRONG,       /* no promise of progress suffices for it to end */
    PROOF_FAULT,       /* a work-item does what no kernel may */
    PROOF_NOTHING,     /* it was not explored */
    PROOF_VERDICTS,
};

/* "proved", "not-refuted", "race", "wrong-result", "wrong", "fault", "none" */
NAMING_DECLARE(proof_verdict, enum proof_verdict);

enum proof_verdict proof_judge(const struct proof_result *result);

/* Likewise, whether or not what is wrong may be so for numbers that are made up: a launch is not refuted by these. */
enum proof_verdict proof_judge_as_made_up(const struct proof_result *result);

/* It races, is wrong, or does what no kernel may. */
bool proof_is_bad(enum proof_verdict verdict);

/* "groups that have started get turns (OBE)": of an enum litmus_model, or PROOF_UNFAIR. */
const char *proof_turns_text(unsigned model);

/* "lower ids get turns": what a device promises, in words, and how many groups are resident at once. */
enum { PROOF_PROMISE_TEXT = 160 };
const char *proof_promise_text(const struct proof_promise *promise, unsigned groups, char text[PROOF_PROMISE_TEXT]);
