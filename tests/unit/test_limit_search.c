/* The search for the resident limit by a litmus test, on model devices and on devices that change their minds. */
#include "litmus/emulate.h"
#include "litmus/form.h"
#include "litmus/judge.h"
#include "litmus/limit_search.h"

#include "harness.h"

#include <stdio.h>
#include <string.h>

static struct error error;

static bool keep_outcome(void *context, const struct test_outcome *outcome)
{
    *(struct test_outcome *)context = *outcome;
    return true;
}

static struct limit_search search_model(const char *name, uint32_t most_groups, unsigned *blocks)
{
    struct block block = {.local_size = 1};
    struct model_device device;
    struct limit_search search;
    struct test_outcome outcome;

    ck_assert_msg(model_device_parse(name, &device, &error) == 0, "%s", error.text);
    limit_search_init(&search, most_groups, 3);
    for (*blocks = 0; limit_search_next(&search, &block); ++*blocks) {
        ck_assert_int_eq(block_check(&block, &error), 0);
        ck_assert_uint_le(block.groups, most_groups);
        ck_assert_int_eq(litmus_emulate(&device, &block, *blocks,
                                        &(struct emulate_sink){&outcome, keep_outcome, NULL, NULL}, &error),
                         0);
        ck_assert_uint_lt(*blocks, 100);
        limit_search_take(&search, &outcome);
    }
    return search;
}

START_TEST(each_bound_of_model_devices_is_found)
{
    static const char *const models[] = {"obe", "hsa_obe", "lobe"};
    char name[MODEL_DEVICE_NAME];
    unsigned blocks;

    for (size_t i = 0; i < sizeof models / sizeof *models; ++i)
        for (uint32_t bound = 1; bound <= 64; ++bound)
            for (int weak = 0; weak < 2; ++weak) {
                snprintf(name, sizeof name, "model:%s:%u%s", models[i], bound, weak ? ":weak" : "");
                const struct limit_search search = search_model(name, 256, &blocks);
                ck_assert_msg(limit_search_result(&search) == bound, "%s: %u", name, limit_search_result(&search));
                ck_assert_uint_eq(search.passes, bound - 1);
                ck_assert_uint_eq(search.stalled_launches, 3);
                ck_assert_uint_eq(search.passed_launches, bound > 1 ? 3 : 0);
                ck_assert_uint_le(blocks, 16);
            }
}
END_TEST

/* Without any guarantee the first instance stalls; where all run on, none does. */
START_TEST(other_models)
{
    unsigned blocks;
    struct limit_search search = search_model("model:unfair", 64, &blocks);

    ck_assert_uint_eq(limit_search_result(&search), 1);
    search = search_model("model:hsa", 64, &blocks);
    ck_assert_uint_eq(limit_search_result(&search), 1);
    search = search_model("model:fair", 64, &blocks);
    ck_assert_uint_eq(limit_search_result(&search), 0);
    ck_assert(!search.undecided);
    ck_assert_uint_eq(search.passes, 32);
}
END_TEST

START_TEST(the_bound_may_be_that_of_the_launch)
{
    unsigned blocks;
    struct limit_search search = search_model("model:lobe:37", 74, &blocks);

    ck_assert_uint_eq(limit_search_result(&search), 37);
    search = search_model("model:lobe:37", 73, &blocks);
    ck_assert_uint_eq(limit_search_result(&search), 0);
    ck_assert_uint_eq(search.passes, 36);
    search = search_model("model:lobe:37", 1, &blocks);
    ck_assert_uint_eq(blocks, 0);
    search = search_model("model:lobe:1", 2, &blocks);
    ck_assert_uint_eq(limit_search_result(&search), 1);
}
END_TEST

/* --- devices that do as they are told here --- */

struct told {
    uint32_t stalls_from; /* instances */
    uint32_t lower;       /* from the so-manieth block ... */
    uint32_t after;       /* ... it stalls from this on */
};

static struct limit_search search_told(struct told told, struct test_outcome odd, uint32_t odd_blocks)
{
    struct block block = {.local_size = 1};
    struct limit_search search;

    limit_search_init(&search, 400, 5);
    for (uint32_t i = 0; limit_search_next(&search, &block); ++i) {
        const uint32_t from = told.lower > 0 && i >= told.lower ? told.after : told.stalls_from;
        const bool stalls = block.groups / 2 >= from;
        const struct test_outcome outcome = {
            .ran = block.iterations, .stalled = stalls ? block.iterations : 0, .confirmed = stalls};
        ck_assert_uint_lt(i, 100);
        limit_search_take(&search, i < odd_blocks ? &odd : &outcome);
    }
    return search;
}

START_TEST(what_decides_nothing_is_asked_again)
{
    static const struct test_outcome odd[] = {
        {.ran = 0},
        {.ran = 1, .undecided = 1},
        {.ran = 1, .stalled = 1},
        {.ran = 1, .stalled = 1, .confirmed = true, .cut = true},
    };

    for (size_t i = 0; i < sizeof odd / sizeof *odd; ++i) {
        struct limit_search search = search_told((struct told){.stalls_from = 9}, odd[i], LIMIT_SEARCH_ATTEMPTS - 1);
        ck_assert_uint_eq(limit_search_result(&search), 9);
        ck_assert_uint_eq(search.stalled_launches, 5);
        search = search_told((struct told){.stalls_from = 9}, odd[i], LIMIT_SEARCH_ATTEMPTS);
        ck_assert_uint_eq(limit_search_result(&search), 0);
        ck_assert(search.undecided);
    }
}
END_TEST

/* A limit that sinks while it is searched is followed down. */
START_TEST(a_lower_limit_is_found)
{
    for (uint32_t lower = 1; lower < 14; ++lower)
        for (uint32_t after = 1; after < 40; ++after) {
            const struct limit_search search =
                search_told((struct told){40, lower, after}, (struct test_outcome){.ran = 0}, 0);
            /* 14 blocks lead to 40, and the last is of that many */
            ck_assert_uint_eq(limit_search_result(&search), lower < 13 ? after : 40);
            ck_assert(!search.undecided);
        }
}
END_TEST

START_TEST(the_program_waits_for_the_other_thread)
{
    struct litmus_judge judge = {.some = {.count = 0}};
    struct litmus_verdicts verdicts;
    char text[LITMUS_TEXT];

    litmus_text(&litmus_limit_program, text);
    ck_assert_str_eq(text, "0,0,-,0|0,0,1,1");
    ck_assert_int_eq(litmus_judge_program(&judge, &litmus_limit_program, &verdicts, &error), 0);
    ck_assert(!verdicts.strong[LITMUS_LOBE] && verdicts.weak[LITMUS_FAIR]);
    litmus_judge_fini(&judge);
}
END_TEST

HARNESS_MAIN("limit search", each_bound_of_model_devices_is_found, other_models, the_bound_may_be_that_of_the_launch,
             what_decides_nothing_is_asked_again, a_lower_limit_is_found, the_program_waits_for_the_other_thread)
