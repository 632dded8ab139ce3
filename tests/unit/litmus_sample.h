/* Every so-manieth program of an enumeration. */
#pragma once

#include "litmus/enumerate.h"

#include <stdbool.h>

static inline enum litmus_answer sample_begin_part(void *context, const struct litmus_program *program, unsigned known)
{
    (void)context;
    (void)program;
    (void)known;
    return LITMUS_SEARCH;
}

static inline void sample_end_part(void *context)
{
    (void)context;
}

struct sample {
    unsigned long seen, step;
    void (*use)(const struct litmus_program *program);
};

static inline bool sample_found(void *context, const struct litmus_program *program)
{
    struct sample *sample = context;
    if (sample->seen++ % sample->step == 0)
        sample->use(program);
    return true;
}

static inline void sample_programs(unsigned threads, unsigned instructions, unsigned long step,
                                   void (*use)(const struct litmus_program *program))
{
    struct sample sample = {0, step, use};
    const struct litmus_visitor visitor = {&sample, sample_begin_part, sample_end_part, sample_found};
    litmus_enumerate(threads, instructions, &visitor);
}
