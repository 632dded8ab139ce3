/*
 * Programs chosen from those of the published bounds: all programs of (threads, instructions) (2,2), (2,3), (2,4),
 * (3,3) and (3,4), which are 10986, in the order of their enumeration.
 */
#pragma once

#include "base/error.h"
#include "litmus/judge.h"
#include "litmus/program.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct litmus_choice {
    struct litmus_program program;
    struct litmus_verdicts verdicts;
    bool chosen; /* while some are chosen */
};

/* All zero is empty. */
struct litmus_choices {
    struct litmus_choice *all;
    size_t count;
};

/* All of them. For all three: where one cannot be judged, nothing is left there. */
int litmus_choose_all(struct litmus_choices *choices, struct error *error);

/*
 * The quick suite: for each model and fairness, and each other one that does not guarantee all that it does, some
 * programs that the first guarantees and the second does not; those of few instructions first, and of these such that
 * differ in which models guarantee them. In the order of enumeration.
 *
 * A device with room for k groups at a time can break some promises only when k instances are stuck with a group each,
 * and most programs that tell LOBE from HSA_OBE have three threads: a launch needs at least 3 k groups. With k = 1 no
 * two groups ever run at a time, and such a device keeps more than its model promises.
 */
int litmus_choose_quick(struct litmus_choices *choices, struct error *error);

/*
 * So many by lot, or all if there are no more, of those whose verdicts are wanted (NULL: any). In the order of
 * enumeration; the same for the same seed.
 */
int litmus_choose_random(struct litmus_choices *choices, uint32_t seed, size_t count,
                         bool (*wanted)(void *context, const struct litmus_verdicts *verdicts), void *context,
                         struct error *error);

void litmus_choices_fini(struct litmus_choices *choices);
