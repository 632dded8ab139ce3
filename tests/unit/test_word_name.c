/* Names of words: what a text of families calls each word. */
#include "core/word_name.h"

#include "harness.h"

#include <stdio.h>
#include <string.h>

static void assert_name(const char *names, uint32_t word, const char *wanted)
{
    char name[WORD_NAME];
    ck_assert_msg(word_name_find(names, word, name), "word %u of %s has no name", word, names);
    ck_assert_str_eq(name, wanted);
}

static void assert_nameless(const char *names, uint32_t word)
{
    char name[WORD_NAME];
    ck_assert_msg(!word_name_find(names, word, name), "word %u of %s", word, names);
}

START_TEST(single_word_has_its_name)
{
    assert_name("counter = 0", 0, "counter");
    assert_nameless("counter = 0", 1);
    assert_name("counter = 0; sense-2 of it = 32", 32, "sense-2 of it");
    assert_nameless("", 0);
}
END_TEST

START_TEST(word_of_a_family_has_its_index)
{
    static const char forks[] = "fork {i} = 0+32*i, i < 4; holders = 128";
    assert_name(forks, 0, "fork 0");
    assert_name(forks, 96, "fork 3");
    assert_name(forks, 128, "holders");
    assert_nameless(forks, 33);
    assert_nameless(forks, 160);
    assert_name("fork {i} = 7+0*i, i < 1", 7, "fork 0");
    assert_nameless("fork {i} = 7+0*i, i < 1", 8);
}
END_TEST

START_TEST(indexes_may_count_down)
{
    static const char flags[] = "flag {i} = 64-32*i, i < 3";
    assert_name(flags, 64, "flag 0");
    assert_name(flags, 0, "flag 2");
    assert_nameless(flags, 96);
}
END_TEST

START_TEST(several_indexes_are_told_apart)
{
    static const char flags[] = "flag {s} of {i} in {p} = 1+64*i+32*p+1*s, i < 5, p < 2, s < 3";
    for (uint32_t i = 0; i < 5; ++i)
        for (uint32_t p = 0; p < 2; ++p)
            for (uint32_t s = 0; s < 3; ++s) {
                char wanted[WORD_NAME];
                snprintf(wanted, sizeof wanted, "flag %u of %u in %u", s, i, p);
                assert_name(flags, 1 + 64 * i + 32 * p + s, wanted);
            }
    assert_nameless(flags, 0);
    assert_nameless(flags, 4);
    assert_nameless(flags, 1 + 64 * 5);
}
END_TEST

START_TEST(what_is_appended_is_found)
{
    const struct word_family state = {.name = "state of block {i}",
                                      .first = 32,
                                      .index_count = 1,
                                      .indexes = {{.letter = 'i', .count = 9, .step = -1}}};
    const struct word_family ticket = {.name = "next block"};
    char names[WORD_NAMES] = "";

    word_family_append(&ticket, names);
    word_family_append(&state, names);
    ck_assert_str_eq(names, "next block = 0; state of block {i} = 32-1*i, i < 9");
    assert_name(names, 0, "next block");
    assert_name(names, 24, "state of block 8");
}
END_TEST

/* The longest families that there can be. */
START_TEST(all_families_have_room)
{
    struct word_family family = {
        .name = "a-name-of-letters-as-long {i} {j} {k} z",
        .first = WORD_MOST - 1,
        .index_count = 3,
        .indexes = {{'i', WORD_MOST, -WORD_MOST}, {'j', WORD_MOST, -WORD_MOST}, {'k', WORD_MOST, -WORD_MOST}}};
    char names[WORD_NAMES] = "";

    ck_assert_uint_eq(strlen(family.name), WORD_FAMILY_NAME - 1);
    ck_assert(word_family_is_named(&family));
    for (int i = 0; i < WORD_FAMILIES; ++i) {
        family.name[38] = (char)('a' + i);
        word_family_append(&family, names);
    }
    ck_assert_uint_lt(strlen(names), WORD_NAMES - 1);
    ck_assert_str_eq(names + strlen(names) - 12, "k < 67108864");
}
END_TEST

START_TEST(text_that_is_none_names_nothing)
{
    static const char *const texts[] = {
        "counter",
        "counter =",
        "counter = x",
        "counter=0",
        " = 0",
        "= 0",
        "counter = 0;",
        "counter = 0 ;",
        "counter = 0, i < 2",
        "fork {i} = 0",
        "fork {i} = 0+1*i",
        "fork {i} = 0+1*i, i < 0",
        "fork {i} = 0+1*i, i < -1",
        "fork {i} = 0+1*i, j < 2",
        "fork {j} = 0+1*i, i < 2",
        "fork {i} = 0+1*i, i <2",
        "fork {i} = 0+1i, i < 2",
        "fork {i} = 0+*i, i < 2",
        "fork {i} {i} = 0+1*i, i < 2",
        "fork {i = 0+1*i, i < 2",
        "fork{i} = 0+1*i, i < 2",
        "{a} {b} {c} {d} = 0+1*a+1*b+1*c+1*d, a < 1, b < 1, c < 1, d < 1",
        "counter = 67108865",
        "fork {i} = 0+67108865*i, i < 2",
        "fork {i} = 0+1*i, i < 67108865",
        "fork {i} {j} = 0+0*i+0*j, i < 67108864, j < 67108864",
        "a name that is longer than names are here = 0",
        "counter = 99999999999999999999999",
        "count\x1b[1m = 0",
        "two  words = 0",
        "2nd = 0",
        "{i} = 0+1*i, i < 2",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; ++i)
        assert_nameless(texts[i], 0);
}
END_TEST

HARNESS_MAIN("word_name", single_word_has_its_name, word_of_a_family_has_its_index, indexes_may_count_down,
             several_indexes_are_told_apart, what_is_appended_is_found, all_families_have_room,
             text_that_is_none_names_nothing)
