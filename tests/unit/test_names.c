/* Names of words in a kernel's header: what is read, and what it is resolved to. */
#include "resolve_fixture.h"

static void assert_names(const char *lines, const char *wanted)
{
    assert_resolved(lines);
    ck_assert_str_eq(work.names, wanted);
}

/* Refused as it stands there, with the line of the file and what is allowed. */
static void assert_form_refused(const char *value, const char *part)
{
    char text[2048];
    struct error error = {0};

    snprintf(text, sizeof text,
             "/*\n" REQUIRED " * words:   9*line\n * names:   taken {k} = 5*line+k, k < 2\n"
             " * names:   %s\n */\n",
             value);
    ck_assert_msg(entry_parse(text, "toy.cl", &entry, &error) == -1, "%s", value);
    ck_assert_int_eq(error.status, STATUS_USAGE);
    ck_assert_msg(strncmp(error.text, "toy.cl:9: expected ", 19) == 0, "%s", error.text);
    ck_assert_msg(strstr(error.text, part) != NULL, "%s", error.text);
}

/* Refused at that line, whatever the rest says. */
static void assert_refused_with(const char *lines, const char *part)
{
    struct error error;

    ck_assert_msg(resolve(lines, &error) == -1, "%s", lines);
    ck_assert_msg(strncmp(error.text, "toy.cl:8: names a ", 18) == 0 && strstr(error.text, part) != NULL, "%s",
                  error.text);
}

/* Refused once it has numbers; lines 1 to 6 are there always. */
static void assert_value_refused(const char *lines, const char *message)
{
    struct error error;

    ck_assert_msg(resolve(lines, &error) == -1, "%s", lines);
    ck_assert_int_eq(error.status, STATUS_USAGE);
    ck_assert_str_eq(error.text, message);
}

START_TEST(kernel_without_names_has_none)
{
    assert_names("", "");
    assert_names(" * words:   groups\n", "");
}
END_TEST

START_TEST(names_are_resolved_to_numbers)
{
    choice.parameters[0] = 2;
    assert_names(" * param:   slots = 1 in 0..9\n * words:   (slots+2+groups)*line\n * names:   tail = 0\n"
                 " * names:   head=line\n"
                 " * names:   slot {i} = (2+i)*line, i < slots\n * names: flag {j} = (slots+2+j)*line,j<groups\n",
                 "tail = 0; head = 32; slot {i} = 64+32*i, i < 2; flag {j} = 128+32*j, j < 6");
}
END_TEST

START_TEST(names_may_come_before_the_words)
{
    assert_names(" * names:   counter = line\n * words:   2*line\n", "counter = 32");
}
END_TEST

START_TEST(families_have_up_to_three_indexes_the_largest_at_the_end)
{
    assert_names(" * words:   2*groups*line\n"
                 " * names:   flag {s} of {i} in {p} = (2*i+p)*line + s, i < groups, p < 2, s < log2(groups)\n",
                 "flag {s} of {i} in {p} = 0+32*p+1*s+64*i, p < 2, s < 3, i < 6");
}
END_TEST

START_TEST(expressions_may_have_commas)
{
    assert_names(" * words:   (max(groups,9)+1)*line\n * names:   fork {i} = i*line, i < max(groups,9)\n"
                 " * names:   rest = max(groups, 9)*line\n",
                 "fork {i} = 0+32*i, i < 9; rest = 288");
}
END_TEST

START_TEST(indexes_may_count_down)
{
    assert_names(" * words:   groups*line\n * names:   flag {i} = (groups-1-i)*line, i < groups\n",
                 "flag {i} = 160-32*i, i < 6");
    assert_names(" * words:   groups*line\n * names:   flag {i} = 2x i + -i, i < groups\n", "flag {i} = 0+1*i, i < 6");
}
END_TEST

START_TEST(family_may_be_empty_or_a_single_word)
{
    assert_names(" * words:   1\n * names:   flag {i} = i*line, i < groups-6\n * names:   one {i} = i*line, i < 1\n",
                 "one {i} = 0+0*i, i < 1");
}
END_TEST

START_TEST(eight_names_are_read)
{
    assert_names(" * words:   8\n * names: a = 0\n * names: b = 1\n * names: c = 2\n * names: d = 3\n * names: e = 4\n"
                 " * names: f = 5\n * names: g = 6\n * names: h = 7\n",
                 "a = 0; b = 1; c = 2; d = 3; e = 4; f = 5; g = 6; h = 7");
}
END_TEST

START_TEST(ninth_name_is_refused)
{
    struct error error;
    static const char text[] =
        "/*\n" REQUIRED " * names: a = 0\n * names: b = 1\n * names: c = 2\n * names: d = 3\n * names: e = 4\n"
        " * names: f = 5\n * names: g = 6\n * names: h = 7\n * names: i = 8\n */\n";
    ck_assert_int_eq(entry_parse(text, "toy.cl", &entry, &error), -1);
    ck_assert_msg(strstr(error.text, "toy.cl:15: ") != NULL && strstr(error.text, "at most 8 names") != NULL, "%s",
                  error.text);
}
END_TEST

START_TEST(other_forms_are_refused_with_the_right_one)
{
    static const char *const values[] = {
        "",
        "counter",
        "counter =",
        "= 0",
        "2nd = 0",
        "two  words = 0",
        "counter! = 0",
        "counter; = 0",
        "count\x1b[1m = 0",
        "a name that is longer than names are here = 0",
        "fork {i} = i*line",
        "fork = i*line, i < groups",
        "fork {i} = i*line, j < groups",
        "fork {i} {i} = i*line, i < groups",
        "fork {i} {j} = i*line, i < groups, i < groups",
        "fork{i} = i*line, i < groups",
        "fork {I} = I*line, I < groups",
        "fork {ii} = ii*line, ii < groups",
        "fork {i = i*line, i < groups",
        "fork {i} = i*line, i <",
        "fork {i} =, i < groups",
        "{i} = i*line, i < groups",
        "{a} {b} {c} {d} = a+b+c+d, a < 1, b < 1, c < 1, d < 1",
    };
    for (size_t i = 0; i < sizeof values / sizeof *values; ++i)
        assert_form_refused(values[i], "NAME = EXPRESSION, i < COUNT");
}
END_TEST

START_TEST(one_name_for_two_families_is_refused)
{
    assert_form_refused("taken {k} = k, k < 3", "a new name");
    assert_form_refused("taken {i} = i, i < 3", "a new name");
}
END_TEST

START_TEST(word_outside_of_the_words_is_refused)
{
    assert_value_refused(" * words:   groups*line\n * names:   fork {i} = i*line, i < groups\n"
                         " * names:   holders = groups*line\n",
                         "toy.cl:9: names holders: word 192 is none of the 192 that 'words' gives, which count from 0");
    assert_value_refused(
        " * words:   groups*line\n * names:   fork {i} = i*line, i < groups+1\n",
        "toy.cl:8: names fork {i}: word 192 is none of the 192 that 'words' gives, which count from 0");
    assert_value_refused(" * words:   groups*line\n * names:   fork {i} = 1-i, i < 3\n",
                         "toy.cl:8: names fork {i}: word -1 is none of the 192 that 'words' gives, which count from 0");
    assert_value_refused(" * names:   counter = 0\n",
                         "toy.cl:7: names counter: word 0 is none of the 0 that 'words' gives, which count from 0");
    assert_value_refused(" * words:   4\n * names:   a {i} = 9223372036854775807*i, i < 9\n",
                         "toy.cl:8: names a {i}: word 9223372036854775807 is none of the 4 that 'words' gives, which "
                         "count from 0");
}
END_TEST

START_TEST(word_of_two_names_is_refused_with_the_other_one)
{
    assert_value_refused(" * words:   groups*line\n * names:   fork {i} = i*line, i < groups\n"
                         " * names:   holders = 2*line\n",
                         "toy.cl:9: names holders: word 64 is already 'fork 2'; a word has one name");
    assert_value_refused(" * words:   groups*line\n * names:   fork {i} of {j} = i+j, i < 2, j < 2\n",
                         "toy.cl:8: names fork {i} of {j}: word 1 comes twice; a word has one name");
    assert_value_refused(" * words:   groups*line\n * names:   fork {i} = 7+0*i, i < 67108864\n",
                         "toy.cl:8: names fork {i}: word 7 comes twice; a word has one name");
}
END_TEST

START_TEST(expression_that_cannot_be_read_is_refused)
{
    assert_value_refused(" * words:   9\n * names:   a = nonsense\n",
                         "toy.cl:8: names a: 'nonsense': expected a number or a known name at 'nonsense'");
    assert_value_refused(" * words:   9\n * names:   a {i} = j, i < 2\n",
                         "toy.cl:8: names a {i}: 'j': expected a number or a known name at 'j'");
    assert_value_refused(" * words:   9\n * names:   a {i} = i, i < i\n",
                         "toy.cl:8: names a {i}: 'i': expected a number or a known name at 'i'");
    assert_value_refused(" * words:   9\n * names:   a = resident\n",
                         "toy.cl:8: names a: 'resident' has no value: the resident limit is unknown");
    assert_value_refused(" * words:   9\n * names:   a {i} = i, i < groups-7\n",
                         "toy.cl:8: names a {i}: 'groups-7' is -1: expected 0 to 67108864");
    assert_value_refused(" * words:   9\n * names:   a {i} = i, i < 67108865\n",
                         "toy.cl:8: names a {i}: '67108865' is 67108865: expected 0 to 67108864");
}
END_TEST

START_TEST(expression_that_is_no_sum_of_multiples_of_indexes_is_refused)
{
    static const char *const values[] = {
        "a {i} = i*i, i < 1",        "a {i} = i/2, i < 1",
        "a {i} = i%2, i < 1",        "a {i} = 5/(1+i), i < 1",
        "a {i} = min(i,1), i < 1",   "a {i} = 1.5x i, i < 1",
        "a {i} = log2(i), i < 1",    "a {i} {j} = i*j, i < 1, j < 1",
        "a {i} = 2*(3+i)*i, i < 1",  "a {i} = (i)/1*2, i < 1",
        "a {i} = max(0,2*i), i < 1", "a {i} = ceil(i,1), i < 1",
    };
    for (size_t i = 0; i < sizeof values / sizeof *values; ++i) {
        char lines[256];
        snprintf(lines, sizeof lines, " * words:   9\n * names:   %s\n", values[i]);
        assert_refused_with(lines, "an index may only be added, subtracted, or multiplied by what has none,");
    }
    assert_names(" * words:   9\n * names:   a {i} = (2+i)*2*min(1,1) - (i+9/3) + i*0, i < 2\n",
                 "a {i} = 1+1*i, i < 2");
}
END_TEST

HARNESS_MAIN("names", kernel_without_names_has_none, names_are_resolved_to_numbers, names_may_come_before_the_words,
             families_have_up_to_three_indexes_the_largest_at_the_end, expressions_may_have_commas,
             indexes_may_count_down, family_may_be_empty_or_a_single_word, eight_names_are_read, ninth_name_is_refused,
             other_forms_are_refused_with_the_right_one, one_name_for_two_families_is_refused,
             word_outside_of_the_words_is_refused, word_of_two_names_is_refused_with_the_other_one,
             expression_that_cannot_be_read_is_refused, expression_that_is_no_sum_of_multiples_of_indexes_is_refused)
