#include "litmus/model.h"

NAMING_DEFINE(litmus_model, enum litmus_model, LITMUS_MODELS, "HSA", "OBE", "HSA_OBE", "LOBE", "FAIR");

/* All bits up to the highest that is set. */
static uint32_t filled(uint32_t bits)
{
    for (unsigned shift = 1; shift < 32; shift *= 2)
        bits |= bits >> shift;
    return bits;
}

uint32_t litmus_fair_among(enum litmus_model model, uint32_t running, uint32_t lowest, uint32_t started,
                           uint32_t reached)
{
    switch (model) {
    case LITMUS_HSA:
        return lowest;
    case LITMUS_OBE:
        return running & started;
    case LITMUS_HSA_OBE:
        return lowest | (running & started);
    case LITMUS_LOBE:
        return running & reached;
    default:
        return running;
    }
}

uint32_t litmus_fair_threads(enum litmus_model model, unsigned threads, uint32_t started, uint32_t ended)
{
    const uint32_t running = (UINT32_MAX >> (32 - threads)) & ~ended;
    return litmus_fair_among(model, running, running & (0 - running), started, filled(started));
}
