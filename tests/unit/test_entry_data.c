/* The header of a kernel: data, results, launches, ranges, and any text. */
#include "entry_fixture.h"

/* --- data, results, launches --- */

START_TEST(region_has_name_type_count_and_fill)
{
    static const struct {
        const char *field;
        const char *element;
        enum fill fill;
    } cases[] = {
        {" * data: cells uint 2*groups zero\n", "uint", FILL_ZERO},
        {" * data: cells int 2*groups ones\n", "int", FILL_ONES},
        {" * data: cells long 2*groups index\n", "long", FILL_INDEX},
        {" * data: cells ulong 2*groups seeded\n", "ulong", FILL_SEEDED},
        {" * data: cells  float  2*groups  seeded  \n", "float", FILL_SEEDED},
        {" * data: cells item 2*groups zero\n", "item", FILL_ZERO},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        char text[512];
        snprintf(text, sizeof text, "/*\n" REQUIRED "%s */\n", cases[i].field);
        assert_parsed(text);
        ck_assert_uint_eq(entry.region_count, 1);
        ck_assert_str_eq(entry.regions[0].name, "cells");
        ck_assert_str_eq(entry.regions[0].element, cases[i].element);
        ck_assert_str_eq(entry.regions[0].count, "2*groups");
        ck_assert_int_eq(entry.regions[0].fill, cases[i].fill);
    }
}
END_TEST

START_TEST(region_that_is_not_written_as_one_is_refused)
{
    static const char *const fields[] = {
        "data:",
        "data: cells",
        "data: cells uint",
        "data: cells uint 4",
        "data: cells uint 4 zero zero",
        "data: cells uint 2 * 4 zero",
        "data: cells double 4 zero",
        "data: cells uint 4 random",
        "data: cells 4 uint zero",
        "data: cells unsigned 4 zero",
    };
    for (size_t i = 0; i < sizeof fields / sizeof *fields; ++i)
        assert_field_refused(fields[i], "uint, int, long, ulong, float or item");
}
END_TEST

START_TEST(kernel_has_at_most_8_regions)
{
    char text[1024] = "/*\n" REQUIRED;
    for (int i = 0; i < 8; ++i)
        sprintf(text + strlen(text), " * data: r%d uint 1 zero\n", i);
    assert_parsed(text);
    ck_assert_uint_eq(entry.region_count, 8);
    strcat(text, " * data: r8 uint 1 zero\n");
    assert_refused(text, FIRST_EXTRA_LINE + 8, "8 regions");
}
END_TEST

START_TEST(results_words_and_checks_are_kept_as_text)
{
    assert_parsed(WITH(" * result:  a = b\n * result:  c[0] = 4\n * words:   2*groups\n * checks:  rounds - 1\n"));
    ck_assert_uint_eq(entry.result_count, 2);
    ck_assert_str_eq(entry.results[0], "a = b");
    ck_assert_str_eq(entry.results[1], "c[0] = 4");
    ck_assert_str_eq(entry.words, "2*groups");
    ck_assert_str_eq(entry.checks, "rounds - 1");
}
END_TEST

START_TEST(result_without_a_comparison_is_refused)
{
    assert_field_refused("result: reduce(a)", "TERM = TERM");
    assert_field_refused("result:", "TERM = TERM");
}
END_TEST

START_TEST(kernel_has_at_most_8_results)
{
    char text[1024] = "/*\n" REQUIRED;
    for (int i = 0; i < 8; ++i)
        strcat(text, " * result: 1 = 1\n");
    assert_parsed(text);
    ck_assert_uint_eq(entry.result_count, 8);
    strcat(text, " * result: 1 = 1\n");
    assert_refused(text, FIRST_EXTRA_LINE + 8, "8 times");
}
END_TEST

START_TEST(launches_are_a_number_from_1_to_64)
{
    assert_parsed(WITH(" * launches: 1\n"));
    ck_assert_uint_eq(entry.launches, 1);
    assert_parsed(WITH(" * launches: 64\n"));
    ck_assert_uint_eq(entry.launches, 64);
    assert_field_refused("launches: 0", "1 to 64");
    assert_field_refused("launches: 65", "1 to 64");
    assert_field_refused("launches: -1", "1 to 64");
    assert_field_refused("launches: 18446744073709551617", "1 to 64");
    assert_field_refused("launches: two", "1 to 64");
    assert_field_refused("launches: 2 3", "1 to 64");
    assert_field_refused("launches:", "1 to 64");
}
END_TEST

/* --- ranges --- */

static void assert_range(const char *field, const char *width, const char *height, const char *depth)
{
    char text[1024];
    snprintf(text, sizeof text, "/*\n" REQUIRED " * %s\n */\n", field);
    assert_parsed(text);
    ck_assert(entry_has_range(&entry));
    ck_assert_str_eq(entry.range[0], width);
    ck_assert_str_eq(entry.range[1], height);
    ck_assert_str_eq(entry.range[2], depth);
}

START_TEST(range_is_three_expressions_that_are_kept_as_text)
{
    assert_range("range:   width height depth", "width", "height", "depth");
    assert_range("range: 2*width ceil(height,4) 1", "2*width", "ceil(height,4)", "1");
    assert_range("range:   1    2   3   ", "1", "2", "3");
    assert_range("range: width\n *          height\n *          depth", "width", "height", "depth");
}
END_TEST

START_TEST(range_with_fewer_or_more_than_three_expressions_is_refused)
{
    static const char *const fields[] = {
        "range:",         "range: width",         "range: width height", "range: width height depth more",
        "range: 1 2 3 4", "range: 2 * width 1 1",
    };
    for (size_t i = 0; i < sizeof fields / sizeof *fields; ++i)
        assert_field_refused(fields[i], "WIDTH HEIGHT DEPTH (expressions without blanks)");
}
END_TEST

START_TEST(expression_of_a_range_is_not_cut)
{
    char sum[160] = "1";
    char field[512];
    while (strlen(sum) < 127)
        strcat(sum, "+1");
    snprintf(field, sizeof field, "range: %s %s %s", sum, sum, sum);
    assert_range(field, sum, sum, sum);
    for (int i = 0; i < 3; ++i) {
        snprintf(field, sizeof field, "range: %s%s %s%s %s%s", sum, i == 0 ? "1" : "", sum, i == 1 ? "1" : "", sum,
                 i == 2 ? "1" : "");
        assert_field_refused(field, "WIDTH HEIGHT DEPTH");
    }
}
END_TEST

/* --- what comes twice --- */

START_TEST(field_that_is_allowed_once_is_refused_when_it_comes_again)
{
    static const char *const fields[] = {"kernel: toy", "purpose: two", "needs: two",  "fails: two",  "source: two",
                                         "words: 2",    "checks: 2",    "launches: 2", "range: 1 2 3"};
    for (size_t i = 0; i < sizeof fields / sizeof *fields; ++i) {
        char text[512];
        const bool required = i < 5;
        snprintf(text, sizeof text, "/*\n" REQUIRED " * %s\n%s%s%s */\n", fields[i], required ? "" : " * ",
                 required ? "" : fields[i], required ? "" : "\n");
        assert_refused(text, FIRST_EXTRA_LINE + (required ? 0 : 1), "was not given before");
    }
}
END_TEST

/* Of two fields the second is refused. */
static void assert_second_refused(const char *fields, const char *part)
{
    char text[512];
    snprintf(text, sizeof text, "/*\n" REQUIRED " * %s\n */\n", fields);
    assert_refused(text, FIRST_EXTRA_LINE + 1, part);
}

START_TEST(name_that_comes_again_is_refused)
{
    assert_second_refused("option: a = b\n * option: a = c", "expected a new name");
    assert_second_refused("option: a = b\n * param: a = 1 in 1..2", "expected a new name");
    assert_second_refused("param: a = 1 in 1..2\n * param: a = 1 in 1..2", "expected a new name");
    assert_second_refused("param: a = 1 in 1..2\n * option: a = b", "expected a new name");
    assert_second_refused("data: a uint 1 zero\n * data: a uint 2 zero", "expected a new name");
    assert_parsed(WITH(" * option:  a = b\n * option:  ab = b\n * data:    a uint 1 zero\n"));
}
END_TEST

START_TEST(words_and_checks_without_a_value_are_refused)
{
    assert_field_refused("words:", "an expression");
    assert_field_refused("checks:  ", "an expression");
}
END_TEST

/* --- any text --- */

static const char *const rich =
    WITH(" * option:  access = plain | volatile\n * param:   items = 4*groups in 1..100  how many\n * words:   groups\n"
         " * data:    cells uint items zero\n * checks:  rounds*groups\n * launches: 2\n * range:   items 2*items 1\n"
         " * result:  reduce(cells) = 0\n *\n * More.\n");

START_TEST(beginning_of_an_entry_is_read_or_refused_with_its_place)
{
    for (size_t length = 0; length < strlen(rich); ++length) {
        char text[1024];
        struct error error;
        snprintf(text, sizeof text, "%.*s", (int)length, rich);
        if (parse_file(text, "toy.cl", &error) == 0)
            continue;
        ck_assert_int_eq(error.status, STATUS_USAGE);
        ck_assert_msg(strncmp(error.text, "toy.cl:", 7) == 0, "%s", error.text);
    }
}
END_TEST

START_TEST(entry_with_changed_bytes_is_read_or_refused_with_its_place)
{
    uint32_t random = 1;
    for (int i = 0; i < 20000; ++i) {
        char text[1024];
        struct error error;
        strcpy(text, rich);
        for (int changes = 0; changes < 1 + i % 4; ++changes) {
            random = random * 1664525u + 1013904223u;
            text[(random >> 8) % strlen(rich)] = (char)(1 + (random >> 20) % 255);
        }
        if (parse_file(text, "toy.cl", &error) == 0)
            continue;
        ck_assert_int_eq(error.status, STATUS_USAGE);
        ck_assert_msg(strncmp(error.text, "toy.cl:", 7) == 0, "%s", error.text);
    }
}
END_TEST

HARNESS_MAIN("entry: data", region_has_name_type_count_and_fill, region_that_is_not_written_as_one_is_refused,
             kernel_has_at_most_8_regions, results_words_and_checks_are_kept_as_text,
             result_without_a_comparison_is_refused, kernel_has_at_most_8_results, launches_are_a_number_from_1_to_64,
             beginning_of_an_entry_is_read_or_refused_with_its_place,
             entry_with_changed_bytes_is_read_or_refused_with_its_place,
             field_that_is_allowed_once_is_refused_when_it_comes_again, name_that_comes_again_is_refused,
             words_and_checks_without_a_value_are_refused, range_is_three_expressions_that_are_kept_as_text,
             range_with_fewer_or_more_than_three_expressions_is_refused, expression_of_a_range_is_not_cut)
