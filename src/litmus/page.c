#include "litmus/page.h"

#include "abi.h"
#include "litmus/code.h"
#include "litmus/debt.h"

#include <string.h>

size_t litmus_page_words(unsigned threads, uint32_t groups)
{
    return GL_PAGE_MEMORY((size_t)groups) + groups / threads * LITMUS_LOCATIONS;
}

void litmus_page_init(const struct litmus_page *page, const struct litmus_setting *setting)
{
    memset(page->words, 0, GL_PAGE_SLOTS * sizeof *page->words);
    page->words[GL_PAGE_GROUPS] = page->groups;
    page->words[GL_PAGE_THREADS] = page->program->threads;
    page->words[GL_PAGE_FUSE_IDLE] = setting->fuse_idle;
    page->words[GL_PAGE_FUSE_TOTAL] = setting->fuse_total;
    page->words[GL_PAGE_TEST] = setting->test;
    page->words[GL_PAGE_JITTER] = setting->jitter;
    page->words[GL_PAGE_SEED] = setting->seed;
    page->words[GL_PAGE_STRIDE] = setting->stride;
    page->words[GL_PAGE_SUB_GROUPS] = setting->sub_groups;
    page->words[GL_PAGE_LANES] = setting->lanes;
}

static bool has_ended(const struct litmus_page *page, uint32_t group)
{
    const uint32_t word = page->words[GL_PAGE_SLOTS + group];
    return GL_SLOT_POSITION(word) == page->program->length[page->slots[group] % page->program->threads];
}

bool litmus_page_looked(const struct litmus_page *page, const uint32_t *before)
{
    for (uint32_t group = 0; group < page->groups; ++group) {
        const uint32_t word = page->words[GL_PAGE_SLOTS + group];
        if (word != 0 && word == before[group] && !has_ended(page, group))
            return false;
    }
    return true;
}

bool litmus_page_turned(const struct litmus_page *page, const uint32_t *before)
{
    enum { LOOKS = 1 + LITMUS_INSTRUCTIONS * 4 / GL_LOOK_STEPS }; /* a place with each value of two locations */

    for (uint32_t group = 0; group < page->groups; ++group) {
        const uint32_t word = page->words[GL_PAGE_SLOTS + group];
        const uint32_t looks = ((word >> 16) - (before[group] >> 16)) % GL_SLOT_LOOKS;
        if (word != 0 && before[group] != 0 && !has_ended(page, group) && looks > LOOKS)
            return true;
    }
    return false;
}

bool litmus_page_has_ended(const struct litmus_page *page)
{
    return page->words[GL_PAGE_ENDS] == page->groups;
}

enum litmus_page_end litmus_page_end(const struct litmus_page *page)
{
    const enum litmus_page_end stopped = page->words[GL_PAGE_STOP] == GL_STOP_TOTAL ? PAGE_SLOW : PAGE_STALLED;
    enum litmus_page_end end = PAGE_ENDED;

    if (litmus_page_has_ended(page))
        return PAGE_ENDED;
    for (uint32_t group = 0; group < page->groups; ++group) {
        const uint32_t word = page->words[GL_PAGE_SLOTS + group];
        if (word != 0 && GL_SLOT_WHY(word) == GL_ENDED_CUT)
            return PAGE_CUT;
        if (end != PAGE_SLOW && (word == 0 || !has_ended(page, group)))
            end = (word & GL_SLOT_LATE) != 0 ? PAGE_SLOW : stopped;
    }
    return end;
}

uint32_t litmus_page_late(const struct litmus_page *page)
{
    uint32_t late = 0;

    for (uint32_t group = 0; group < page->groups; ++group)
        late += (page->words[GL_PAGE_SLOTS + group] & GL_SLOT_LATE) != 0;
    return late;
}

void litmus_page_instances(const struct litmus_page *page, struct litmus_instance *instances)
{
    const unsigned threads = page->program->threads;
    const uint32_t count = page->groups / threads;
    const uint32_t *memory = page->words + GL_PAGE_MEMORY(page->groups);

    memset(instances, 0, count * sizeof *instances);
    for (uint32_t i = 0; i < count; ++i)
        for (unsigned location = 0; location < LITMUS_LOCATIONS; ++location)
            instances[i].memory |= (uint8_t)((memory[i * LITMUS_LOCATIONS + location] & 1) << location);
    for (uint32_t group = 0; group < page->groups; ++group) {
        const uint32_t word = page->words[GL_PAGE_SLOTS + group];
        struct litmus_instance *instance = &instances[page->slots[group] / threads];
        const unsigned thread = page->slots[group] % threads;
        instance->groups[thread] = group;
        if (word == 0)
            continue;
        const uint16_t bit = (uint16_t)(1u << thread);
        instance->position[thread] = (uint8_t)GL_SLOT_POSITION(word);
        instance->started |= bit;
        if (!has_ended(page, group))
            continue;
        instance->ended |= bit;
        instance->freed |= (word & GL_SLOT_LATE) != 0 ? bit : 0;
    }
}

static bool is_stuck(const struct litmus_instance *instance)
{
    return (instance->started & ~instance->ended) != 0 || instance->freed != 0;
}

/* Instances are many, and most of them stand alike: those that were asked about last are remembered. */
enum { REMEMBERED = 16 };

struct memory {
    struct litmus_instance instances[REMEMBERED];
    bool can_end[REMEMBERED];
    unsigned count;
};

static bool stands_alike(const struct litmus_instance *a, const struct litmus_instance *b)
{
    return a->started == b->started && a->ended == b->ended && a->memory == b->memory &&
           memcmp(a->position, b->position, sizeof a->position) == 0;
}

static bool can_end(const struct litmus_program *program, const struct litmus_instance *instance, struct memory *memory)
{
    if (instance->freed != 0)
        return true;
    for (unsigned i = 0; i < memory->count && i < REMEMBERED; ++i)
        if (stands_alike(&memory->instances[i], instance))
            return memory->can_end[i];
    const unsigned place = memory->count++ % REMEMBERED;
    memory->instances[place] = *instance;
    memory->can_end[place] =
        litmus_can_end(program, instance->memory, instance->position, instance->started, instance->ended);
    return memory->can_end[place];
}

bool litmus_instances_blocked(const struct litmus_program *program, const struct litmus_instance *instances,
                              uint32_t count)
{
    struct memory memory = {.count = 0};

    for (uint32_t i = 0; i < count; ++i)
        if (is_stuck(&instances[i]) && can_end(program, &instances[i], &memory))
            return false;
    return true;
}

static void describe(const struct litmus_instance *instance, uint32_t number, struct test_state *state)
{
    state->instance = number;
    state->threads_started = instance->started;
    state->threads_ended = instance->ended & (uint16_t)~instance->freed;
    state->memory = instance->memory;
    memcpy(state->position, instance->position, sizeof state->position);
}

/*
 * How much an instance is worth being described, more than 0: by the models that it is a debtor of, then if the stop
 * has freed none of its threads, then if one of these can end, and how few of them have.
 */
static uint32_t worth_of(uint32_t debtors, bool stopped, bool goes_on, uint16_t ended)
{
    const uint32_t unended = LITMUS_THREADS - (uint32_t)__builtin_popcount(ended);
    return debtors << 7 | (uint32_t)stopped << 6 | (goes_on ? 32 + unended : 0);
}

static void count_groups(const struct litmus_instance *instances, uint32_t count, struct test_state *state)
{
    for (uint32_t i = 0; i < count; ++i) {
        state->started += (uint32_t)__builtin_popcount(instances[i].started);
        state->ended += (uint32_t)__builtin_popcount(instances[i].ended & ~instances[i].freed);
        state->stuck += is_stuck(&instances[i]);
    }
}

uint32_t litmus_instances_state(const struct litmus_program *program, const struct litmus_instance *instances,
                                uint32_t count, struct test_state *state)
{
    struct memory memory = {.count = 0};
    uint32_t most = 0, most_debtors = 0;
    bool starved = true;

    *state = (struct test_state){.groups = count * program->threads};
    count_groups(instances, count, state);
    for (uint32_t i = 0; i < count; ++i) {
        const struct litmus_instance *instance = &instances[i];
        struct test_state here = *state;
        if (!is_stuck(instance))
            continue;
        describe(instance, i, &here);
        const uint32_t debtors = litmus_debtors(&here, program->threads, instance->groups);
        if (!starved && worth_of(debtors, instance->freed == 0, true, here.threads_ended) <= most)
            continue; /* whether it could go on makes no difference */
        const bool goes_on = can_end(program, instance, &memory);
        const uint32_t worth = worth_of(debtors, instance->freed == 0, goes_on, here.threads_ended);
        starved = starved && !goes_on;
        if (worth <= most)
            continue;
        most = worth;
        most_debtors = debtors;
        *state = here;
    }
    state->starved = starved && state->stuck > 0;
    return most_debtors;
}
