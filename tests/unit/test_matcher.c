/* Extended regular expressions: they match what those of the C library match, and cost little whatever they are. */
#include "scenario/matcher.h"

#include "harness.h"

#include <regex.h>
#include <stdio.h>
#include <string.h>

static const char *const tokens[] = {
    "a",       "b",           "k",
    "/",       "=",           "-",
    "0",       "(",           ")",
    "(",       "|",           "*",
    "+",       "?",           "{2}",
    "{1,3}",   "{,2}",        "{2,}",
    "{0}",     "[ab]",        "[^a]",
    "[a-c]",   "[]a]",        "[a-]",
    "[a\\]",   "[z-a]",       "[",
    "]",       "{",           "}",
    "{3,1}",   "[[:digit:]]", "[^[:alpha:]/]",
    "[[.a.]]", "[[=b=]]",     ".",
    "^",       "$",           "\\b",
    "\\B",     "\\<",         "\\>",
    "\\`",     "\\'",         "\\w",
    "\\W",     "\\s",         "\\S",
    "\\.",     "\\/",         "(a|b)",
    "(k*)*",   "()",          "[[:nosuch:]]",
};

static uint32_t state = 1;

static size_t draw(size_t count)
{
    state = state * 1664525u + 1013904223u;
    return (state >> 8) % count;
}

static void check_texts(const char *expression, const regex_t *wanted, const struct matcher *matcher)
{
    static const char letters[] = "abk/=-01z_ ";
    char text[12];

    for (int i = 0; i < 12; ++i) {
        const size_t length = draw(sizeof text);
        for (size_t at = 0; at < length; ++at)
            text[at] = letters[draw(sizeof letters - 1)];
        text[length] = '\0';
        harness_assert(matcher_matches(matcher, text) == (regexec(wanted, text, 0, NULL, 0) == 0), "'%s' on '%s'",
                       expression, text);
    }
}

START_TEST(they_are_those_of_the_c_library)
{
    int read = 0;

    for (int i = 0; i < 6000; ++i) {
        char expression[256] = "";
        size_t copies = MATCHER_COPIES;
        struct matcher matcher;
        regex_t wanted;
        for (size_t count = 1 + draw(9); count > 0; --count)
            strcat(expression, tokens[draw(sizeof tokens / sizeof *tokens)]);
        const char *fault = matcher_compile(&matcher, expression, &copies);
        const bool is_one = regcomp(&wanted, expression, REG_EXTENDED | REG_NOSUB) == 0;
        harness_assert(is_one == (fault == NULL), "'%s': %s", expression, fault != NULL ? fault : "read");
        if (is_one) {
            check_texts(expression, &wanted, &matcher);
            regfree(&wanted);
            ++read;
        }
        matcher_fini(&matcher);
    }
    ck_assert_int_gt(read, 2000);
}
END_TEST

static void assert_fault(const char *expression, const char *wanted)
{
    size_t copies = MATCHER_COPIES;
    struct matcher matcher;
    const char *fault = matcher_compile(&matcher, expression, &copies);
    ck_assert_msg(fault != NULL && strstr(fault, wanted) != NULL, "%.40s: %s", expression, fault);
    ck_assert_uint_lt(matcher.count, 2 * MATCHER_COPIES);
    matcher_fini(&matcher);
}

START_TEST(what_would_cost_too_much_is_refused)
{
    static char text[100001];

    assert_fault("k+++++++++++++++++++++++++++", "too long");
    assert_fault("(((k{1,200}){1,200}){1,200})", "too long");
    assert_fault("((((((((((k+)+)+)+)+)+)+)+)+)+)+(.{9000})", "too long");
    assert_fault("k{32767}", "too long");
    assert_fault("k{99999999999999999999}", "malformed");
    assert_fault("(a)\\1", "back references");
    memset(text, '(', sizeof text - 1);
    assert_fault(text, "nested");
    memset(text, '*', sizeof text - 1);
    text[0] = 'a';
    assert_fault(text, "too long");
}
END_TEST

START_TEST(the_expressions_of_a_list_share_what_they_may_cost)
{
    size_t copies = MATCHER_COPIES;
    const char *fault = NULL;
    int count = 0;

    for (; fault == NULL; ++count) {
        struct matcher matcher;
        fault = matcher_compile(&matcher, "(.?){1000}", &copies);
        matcher_fini(&matcher);
    }
    ck_assert_int_gt(count, 2);
    ck_assert_int_lt(count, 20);
}
END_TEST

START_TEST(what_makes_others_try_all_ways_is_cheap)
{
    static char text[4001];
    size_t copies = MATCHER_COPIES;
    struct matcher matcher;

    memset(text, 'a', sizeof text - 1);
    ck_assert_ptr_null(matcher_compile(&matcher, "^(a*)*(a|aa)*(a+)+b$|^.*a.{300}c$", &copies));
    ck_assert(!matcher_matches(&matcher, text));
    text[sizeof text - 2] = 'b';
    ck_assert(matcher_matches(&matcher, text));
    matcher_fini(&matcher);
}
END_TEST

/* --- numbers that are not known --- */

static enum matching matching_of(const char *expression, const char *outline)
{
    size_t copies = MATCHER_COPIES;
    struct matcher matcher;
    ck_assert_ptr_null(matcher_compile(&matcher, expression, &copies));
    const enum matching found = matcher_matches_outline(&matcher, outline);
    matcher_fini(&matcher);
    return found;
}

START_TEST(numbers_that_are_not_known_may_be_any)
{
    static const struct {
        const char *expression;
        enum matching wanted;
    } cases[] = {
        {"nosuch", MATCHES_NEVER},    {"toy", MATCHES_SURELY},     {".", MATCHES_SURELY},
        {"g4225$", MATCHES_PERHAPS},  {"5$", MATCHES_PERHAPS},     {"/g[0-9]+$", MATCHES_PERHAPS},
        {"g.$", MATCHES_PERHAPS},     {"ga$", MATCHES_NEVER},      {"/g12-live", MATCHES_NEVER},
        {"l48/", MATCHES_NEVER},      {"/g1\\b", MATCHES_PERHAPS}, {"g\\b", MATCHES_NEVER},
        {"held=3/", MATCHES_PERHAPS}, {"held=3,", MATCHES_NEVER},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i)
        ck_assert_msg(matching_of(cases[i].expression, "toy/l64/held=\x01/g\x01") == cases[i].wanted, "%s",
                      cases[i].expression);
}
END_TEST

/* Of an outline "KA\1KB" with all numbers of one or two digits. */
static void check_outline(const char *expression, const struct matcher *matcher)
{
    static const char letters[] = "abk/=-1";
    const char before = letters[draw(7)], behind = letters[draw(6)];
    const char outline[] = {before, MATCHER_NUMBER, behind, '\0'};
    const enum matching found = matcher_matches_outline(matcher, outline);
    char text[16];

    if (before == '1')
        return;
    for (int number = 0; number < 100; ++number) {
        snprintf(text, sizeof text, "%c%d%c", before, number, behind);
        const bool matches = matcher_matches(matcher, text);
        harness_assert(!matches || found != MATCHES_NEVER, "'%s' on '%s'", expression, text);
        harness_assert(matches || found != MATCHES_SURELY, "'%s' on '%s'", expression, text);
    }
}

START_TEST(outline_is_matched_as_its_texts_are)
{
    for (int i = 0; i < 2000; ++i) {
        char expression[256] = "";
        size_t copies = MATCHER_COPIES;
        struct matcher matcher;
        for (size_t count = 1 + draw(6); count > 0; --count)
            strcat(expression, tokens[draw(sizeof tokens / sizeof *tokens)]);
        if (matcher_compile(&matcher, expression, &copies) == NULL)
            for (int j = 0; j < 4; ++j)
                check_outline(expression, &matcher);
        matcher_fini(&matcher);
    }
}
END_TEST

HARNESS_MAIN("matcher", numbers_that_are_not_known_may_be_any, outline_is_matched_as_its_texts_are,
             they_are_those_of_the_c_library, what_would_cost_too_much_is_refused,
             the_expressions_of_a_list_share_what_they_may_cost, what_makes_others_try_all_ways_is_cheap)
