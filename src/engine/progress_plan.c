#include "engine/progress_plan.h"

#include "base/alloc.h"
#include "base/file.h"
#include "base/tally.h"
#include "litmus/code.h"
#include "litmus/reader.h"

#include <stdio.h>
#include <stdlib.h>

enum { TESTS_MOST = 1 << 20 };

NAMING_DEFINE(progress_suite, enum progress_suite, SUITE_COUNT, "quick", "published-bounds", "file");
const struct naming progress_suite_option = NAMING("quick", "published-bounds");

/* --- tests --- */

static void add(struct progress_tests *tests, const struct litmus_program *program)
{
    GROW(tests->programs, tests->count);
    GROW(tests->texts, tests->count);
    tests->programs[tests->count] = *program;
    litmus_text(program, tests->texts[tests->count]);
    tests->threads = program->threads > tests->threads ? program->threads : tests->threads;
    tests->count += 1;
}

static int add_choices(struct progress_tests *tests, enum progress_suite suite, struct error *error)
{
    struct litmus_choices choices = {.count = 0};
    int outcome = suite == SUITE_QUICK ? litmus_choose_quick(&choices, error) : litmus_choose_all(&choices, error);

    for (size_t i = 0; outcome == 0 && i < choices.count; ++i)
        add(tests, &choices.all[i].program);
    litmus_choices_fini(&choices);
    return outcome;
}

static int add_file(struct progress_tests *tests, FILE *file, struct error *error)
{
    static struct litmus_reader reader;
    struct litmus_judge judge = {.space.count = 0};
    struct litmus_verdicts ignored;
    struct litmus_program program;
    bool found = true;
    int outcome = 0;

    reader = (struct litmus_reader){.in = file};
    while (outcome == 0 && tests->count < TESTS_MOST) {
        outcome = litmus_reader_next(&reader, &program, &found, error);
        if (outcome != 0 || !found)
            break;
        /* A test that the oracle cannot judge says nothing about any model. */
        outcome = litmus_judge_program(&judge, &program, &ignored, error);
        if (outcome != 0)
            error_context(error, "line %u", reader.first_line);
        else
            add(tests, &program);
    }
    litmus_judge_fini(&judge);
    if (outcome == 0 && tests->count == 0)
        outcome = error_set(error, STATUS_USAGE, "no test: expected a program on one line, or a listing");
    if (outcome == 0 && tests->count == TESTS_MOST)
        outcome = error_set(error, STATUS_USAGE, "more than %d tests", TESTS_MOST - 1);
    return outcome;
}

static void note_digest(struct progress_tests *tests)
{
    for (size_t i = 0; i < tests->count; ++i)
        tests->digest = tests->digest * 31 + tally_hash(tests->texts[i]);
}

int progress_tests_read(struct progress_tests *tests, const struct progress_axes *axes, struct error *error)
{
    if (axes->suite != SUITE_FILE)
        return add_choices(tests, axes->suite, error);
    const char *reason;
    FILE *file = file_open(axes->tests_file, &reason);
    if (file == NULL)
        return error_set(error, STATUS_USAGE, "cannot read %.200s: %s", axes->tests_file, reason);
    const int outcome = add_file(tests, file, error);
    if (outcome != 0 && ferror(file))
        error->status = STATUS_USAGE;
    fclose(file);
    note_digest(tests);
    return outcome == 0 ? 0 : error_context(error, "%.200s", axes->tests_file);
}

void progress_tests_fini(struct progress_tests *tests)
{
    free(tests->programs);
    free(tests->texts);
    *tests = (struct progress_tests){.count = 0};
}

/* --- blocks --- */

static bool is_wanted(const struct progress_plan *plan)
{
    const struct progress_axes *axes = plan->axes;
    const bool usual = axes->mappings_of_level && (plan->level != LEVEL_GROUP || plan->mapping < MAPPING_OF_GROUPS);

    return axes->levels[plan->level] && !plan->missing[plan->level] && axes->guards[plan->guard] &&
           (usual || axes->mappings[plan->mapping]) && axes->engines[plan->engine];
}

static bool takes(const struct progress_plan *plan, size_t test)
{
    const struct litmus_program *program = &plan->tests->programs[test];

    if (plan->engine == ENGINE_SHARED && !litmus_has_threads_alike(program))
        return false; /* as compiled */
    return plan->mapping != MAPPING_HYBRID || program->threads > 2;
}

/* Goes on to the next engine, mapping, guard, size or level. False: there are no more. */
static bool advance(struct progress_plan *plan)
{
    plan->test = 0;
    if (++plan->engine < ENGINE_COUNT)
        return true;
    plan->engine = 0;
    if (++plan->mapping < MAPPING_KINDS)
        return true;
    plan->mapping = 0;
    if (++plan->guard < 2)
        return true;
    plan->guard = 0;
    if (++plan->local_size < plan->axes->local_sizes.count)
        return true;
    plan->local_size = 0;
    return ++plan->level < LEVEL_COUNT;
}

static void begin(const struct progress_plan *plan, struct block *block)
{
    const bool of_groups = plan->level == LEVEL_GROUP;
    const uint32_t items = plan->items[plan->local_size], most = plan->axes->groups;
    const uint32_t iterations = plan->axes->iterations;

    *block = (struct block){
        .level = (enum block_level)plan->level,
        .engine = (enum block_engine)plan->engine,
        .mapping = {(enum mapping_kind)plan->mapping, plan->axes->seed},
        .groups = of_groups                   ? plan->groups[plan->local_size]
                  : most != 0 && most < items ? most
                                              : items,
        .iterations = of_groups || iterations < plan->iterations_below ? iterations : plan->iterations_below,
        .local_size = of_groups ? (uint32_t)plan->axes->local_sizes.values[plan->local_size] : items,
        .guarded = plan->guard != 0,
        .suspect_ns = plan->suspect_ns,
        .confirm_ns = of_groups ? plan->confirm_ns : plan->confirm_below_ns,
        .resident = of_groups ? plan->resident[plan->local_size] : 0,
    };
}

static void fill(struct progress_plan *plan, struct block *block, uint32_t *which)
{
    for (; plan->test < plan->tests->count && block->test_count < PROGRESS_BLOCK_TESTS; ++plan->test) {
        if (!takes(plan, plan->test))
            continue;
        if (!litmus_block_add(block, &plan->tests->programs[plan->test]))
            return;
        which[block->test_count - 1] = (uint32_t)plan->test;
    }
}

bool progress_plan_next(struct progress_plan *plan, struct block *block, uint32_t *which)
{
    if (plan->level >= LEVEL_COUNT)
        return false;
    for (;;) {
        begin(plan, block);
        if (is_wanted(plan))
            fill(plan, block, which);
        if (block->test_count > 0)
            return true;
        if (!advance(plan))
            return false;
    }
}

uint64_t progress_plan_size(const struct progress_plan *plan)
{
    struct progress_plan copy = *plan;
    static struct block block;
    uint32_t which[BLOCK_TESTS];
    uint64_t size = 0;

    while (progress_plan_next(&copy, &block, which))
        size += block.test_count;
    return size;
}
