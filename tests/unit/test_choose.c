/* Programs chosen from those of the published bounds. */
#include "litmus/choose.h"
#include "litmus/form.h"

#include "harness.h"

#include <string.h>

static struct error error;

static void text_of(const struct litmus_choices *choices, size_t i, char text[LITMUS_TEXT])
{
    litmus_text(&choices->all[i].program, text);
}

/* All are of the larger, in the same order, each once. */
static void check_part_of(const struct litmus_choices *part, const struct litmus_choices *all)
{
    char text[LITMUS_TEXT], other[LITMUS_TEXT];
    size_t at = 0;

    for (size_t i = 0; i < part->count; ++i, ++at) {
        text_of(part, i, text);
        for (; at < all->count; ++at) {
            text_of(all, at, other);
            if (strcmp(text, other) == 0)
                break;
        }
        ck_assert_msg(at < all->count, "%s", text);
        ck_assert_mem_eq(part->all[i].verdicts.weak, all->all[at].verdicts.weak, LITMUS_MODELS * sizeof(bool));
        ck_assert_mem_eq(part->all[i].verdicts.strong, all->all[at].verdicts.strong, LITMUS_MODELS * sizeof(bool));
    }
}

START_TEST(all_programs_of_the_published_bounds)
{
    struct litmus_choices all = {.count = 0};
    char text[LITMUS_TEXT];

    ck_assert_int_eq(litmus_choose_all(&all, &error), 0);
    ck_assert_uint_eq(all.count, 10986);
    text_of(&all, 0, text);
    ck_assert_str_eq(text, "0,0,-,0|0,0,1,0");
    check_part_of(&all, &all);
    litmus_choices_fini(&all);
    ck_assert_uint_eq(all.count, 0);
}
END_TEST

static bool guarantees(const struct litmus_verdicts *verdicts, unsigned kind)
{
    return kind % 2 != 0 ? verdicts->strong[kind / 2] : verdicts->weak[kind / 2];
}

static unsigned count_pair(const struct litmus_choices *choices, unsigned kind, unsigned other, unsigned threads)
{
    unsigned count = 0;

    for (size_t i = 0; i < choices->count; ++i)
        count += choices->all[i].program.threads == threads && guarantees(&choices->all[i].verdicts, kind) &&
                 !guarantees(&choices->all[i].verdicts, other);
    return count;
}

START_TEST(the_quick_suite_tells_each_pair_apart)
{
    struct litmus_choices all = {.count = 0}, quick = {.count = 0};

    ck_assert_int_eq(litmus_choose_all(&all, &error), 0);
    ck_assert_int_eq(litmus_choose_quick(&quick, &error), 0);
    ck_assert_uint_ge(quick.count, 60);
    ck_assert_uint_le(quick.count, 150);
    check_part_of(&quick, &all);
    for (unsigned kind = 0; kind < 10; ++kind)
        for (unsigned other = 0; other < 10; ++other)
            for (unsigned threads = 2; threads <= 3; ++threads) {
                const unsigned there = count_pair(&all, kind, other, threads);
                ck_assert_msg(count_pair(&quick, kind, other, threads) >= (there < 4 ? there : 4), "%u, %u, %u", kind,
                              other, threads);
            }
    litmus_choices_fini(&all);
    litmus_choices_fini(&quick);
}
END_TEST

static bool needs_lobe(void *context, const struct litmus_verdicts *verdicts)
{
    ++*(unsigned *)context;
    return verdicts->weak[LITMUS_LOBE] && !verdicts->strong[LITMUS_HSA_OBE];
}

START_TEST(programs_by_lot)
{
    struct litmus_choices all = {.count = 0}, some = {.count = 0}, again = {.count = 0};
    unsigned asked = 0;

    ck_assert_int_eq(litmus_choose_all(&all, &error), 0);
    ck_assert_int_eq(litmus_choose_random(&some, 5, 200, NULL, NULL, &error), 0);
    ck_assert_uint_eq(some.count, 200);
    check_part_of(&some, &all);
    ck_assert_int_eq(litmus_choose_random(&again, 5, 200, NULL, NULL, &error), 0);
    ck_assert_uint_eq(again.count, 200);
    check_part_of(&again, &some);
    ck_assert_int_eq(litmus_choose_random(&some, 1, 10, needs_lobe, &asked, &error), 0);
    ck_assert_uint_eq(asked, 10986);
    ck_assert_uint_eq(some.count, 10);
    for (size_t i = 0; i < some.count; ++i)
        ck_assert(needs_lobe(&asked, &some.all[i].verdicts));
    ck_assert_int_eq(litmus_choose_random(&some, 1, 20000, needs_lobe, &asked, &error), 0);
    ck_assert_uint_eq(some.count, 94);
    ck_assert_int_eq(litmus_choose_random(&some, 1, 0, NULL, NULL, &error), 0);
    ck_assert_uint_eq(some.count, 0);
    litmus_choices_fini(&all);
    litmus_choices_fini(&some);
    litmus_choices_fini(&again);
}
END_TEST

/* Of 94 programs each comes up as often as any other: 30 draws of 47, so about 15 times. */
START_TEST(lots_are_fair)
{
    struct litmus_choices all = {.count = 0}, some = {.count = 0};
    unsigned asked = 0, counts[94] = {0};
    char text[LITMUS_TEXT], other[LITMUS_TEXT];

    ck_assert_int_eq(litmus_choose_random(&all, 1, 94, needs_lobe, &asked, &error), 0);
    for (uint32_t seed = 0; seed < 30; ++seed) {
        ck_assert_int_eq(litmus_choose_random(&some, seed, 47, needs_lobe, &asked, &error), 0);
        for (size_t i = 0, at = 0; i < some.count; ++i, ++at) {
            text_of(&some, i, text);
            for (text_of(&all, at, other); strcmp(text, other) != 0; text_of(&all, at, other))
                ++at;
            ++counts[at];
        }
    }
    for (size_t i = 0; i < 94; ++i)
        ck_assert_msg(counts[i] >= 3 && counts[i] <= 27, "program %zu: %u times", i, counts[i]);
    litmus_choices_fini(&all);
    litmus_choices_fini(&some);
}
END_TEST

HARNESS_MAIN("choose", all_programs_of_the_published_bounds, the_quick_suite_tells_each_pair_apart, programs_by_lot,
             lots_are_fair)
