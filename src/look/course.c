#include "look/course.h"

#include "base/alloc.h"

#include <stdlib.h>
#include <string.h>

enum { WRITES_MOST = 2000 }; /* changes of memory that others see, behind which nothing is expected any more */

/* What it does is compared with what it did at a mark, which is moved when that is twice as long ago as before. */
struct round {
    struct standin *standin;
    const struct course_start *start;
    struct user_regs_struct registers; /* at the mark */
    uint8_t *vectors, *now;
    uint32_t steps, power;          /* since the mark, and when it is moved */
    uint64_t lowest_pc, highest_sp; /* since the mark */
    uint64_t highest_change;        /* of its stack, since the mark: the address behind it */
    uint32_t writes;                /* that others see, since the beginning */
    const struct map *stack;
};

static bool mark(struct round *round)
{
    round->registers = round->standin->registers;
    round->steps = 0;
    round->lowest_pc = round->registers.rip;
    round->highest_sp = round->registers.rsp;
    round->highest_change = 0;
    for (struct memory_page *page = round->standin->pages->dirty; page != NULL; page = page->next_dirty)
        memcpy(page->marked, page->now, PAGE);
    return standin_vectors(round->standin, round->vectors);
}

/* Answers whether others could see what the last instruction changed. */
static bool has_written(struct round *round)
{
    bool seen = false;

    for (const struct memory_page *page = round->standin->pages->dirty; page != NULL; page = page->next_dirty) {
        const uint64_t end = page->at + page->changed_to;
        if (page->changed_to != 0 && page->map != round->stack)
            seen = true;
        else if (page->changed_to != 0 && end > round->highest_change)
            round->highest_change = end;
    }
    return seen;
}

static bool same_memory(const struct round *round)
{
    for (const struct memory_page *page = round->standin->pages->dirty; page != NULL; page = page->next_dirty)
        if (memcmp(page->now, page->marked, PAGE) != 0)
            return false;
    return true;
}

/*
 * Nobody else needs what is below the stack pointer. What is above it, the program may have given away, but not a
 * driver of a stack of its own, which ends where the C library keeps what it knows of the thread.
 */
static bool is_private(const struct round *round)
{
    const uint64_t end = round->registers.fs_base;
    const bool owned = round->start->owns_stack && maps_find(round->standin->pages->maps, end) == round->stack;

    return round->highest_change <= (owned ? end : round->highest_sp);
}

static bool is_back(const struct round *round)
{
    const struct standin *const standin = round->standin;
    return memcmp(&standin->registers, &round->registers, sizeof round->registers) == 0 && same_memory(round) &&
           standin_vectors(standin, round->now) && memcmp(round->now, round->vectors, standin->vectors_bytes) == 0 &&
           is_private(round);
}

static void note_step(struct round *round)
{
    const struct user_regs_struct *const registers = &round->standin->registers;

    ++round->steps;
    if (registers->rip < round->lowest_pc)
        round->lowest_pc = registers->rip;
    if (registers->rsp > round->highest_sp)
        round->highest_sp = registers->rsp;
}

static const enum course courses[] = {
    [STEP_TAKEN] = COURSE_MOVES, [STEP_CALLS] = COURSE_CALLS, [STEP_TIME] = COURSE_TIME, [STEP_FAULT] = COURSE_FAULTS};

/* Takes one step, and marks anew where it is time to; COURSE_UNKNOWN: the end is not known yet. */
static enum course advance(struct round *round)
{
    const enum standin_step step = standin_step(round->standin);

    if (step != STEP_TAKEN)
        return courses[step];
    note_step(round);
    const bool wrote = has_written(round);
    if (wrote && ++round->writes >= WRITES_MOST)
        return COURSE_WRITES;
    if (!wrote && is_back(round))
        return COURSE_ROUND;
    if (!wrote && round->steps < round->power)
        return COURSE_UNKNOWN;
    round->power = wrote ? 1 : 2 * round->power;
    return mark(round) ? COURSE_UNKNOWN : COURSE_FAULTS;
}

static bool uses_shared(const struct pages *pages)
{
    for (size_t i = 0; i < PAGES_BUCKETS; ++i)
        for (const struct memory_page *page = pages->buckets[i]; page != NULL; page = page->next)
            if (page->present && page->map->shared)
                return true;
    return false;
}

static void look(struct round *round, struct course_found *found)
{
    uint32_t taken = 0;

    found->course = mark(round) ? COURSE_UNKNOWN : COURSE_FAULTS;
    for (; found->course == COURSE_UNKNOWN && taken < round->start->most; ++taken)
        found->course = advance(round);
    /* What it wrote before it began to go round, others have not seen yet: they may go on. */
    if (found->course == COURSE_UNKNOWN || (found->course == COURSE_ROUND && round->writes > 0))
        found->course = round->writes > 0 ? COURSE_WRITES : COURSE_MOVES;
    found->instructions = found->course == COURSE_ROUND ? round->steps : taken;
    found->pc = round->lowest_pc;
    found->shared = uses_shared(round->standin->pages);
}

int course_find(struct standin *standin, const struct course_start *start, struct course_found *found,
                struct error *error)
{
    struct round round = {.standin = standin,
                          .start = start,
                          .power = 1,
                          .stack = maps_find(standin->pages->maps, start->registers->rsp)};

    *found = (struct course_found){.course = COURSE_UNKNOWN};
    if (standin_begin(standin, start->registers, start->vectors, start->vectors_bytes, error) != 0)
        return -1;
    round.vectors = xcalloc(1, start->vectors_bytes);
    round.now = xcalloc(1, start->vectors_bytes);
    look(&round, found);
    free(round.vectors);
    free(round.now);
    return 0;
}
