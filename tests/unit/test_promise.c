#include "promise/promise.h"

#include "harness.h"

#include <string.h>

static const struct promise amount = {.name = "amount", .unit = "groups"}, answer = {.name = "answer", .unit = ""},
                            nothing = {.name = "nothing", .unit = "groups", .silent = true};

static void assert_judged(const struct promise *promise, struct finding finding, enum keeping wanted)
{
    ck_assert_str_eq(keeping_name(finding_judge(promise, &finding)), keeping_name(wanted));
}

START_TEST(amount_is_kept_broken_or_exceeded)
{
    assert_judged(&amount, (struct finding){.offered = true, .promised = 8, .measured = 8}, KEEPING_KEPT);
    assert_judged(&amount, (struct finding){.offered = true, .promised = 8, .measured = 7}, KEEPING_BROKEN);
    assert_judged(&amount, (struct finding){.offered = true, .promised = 8, .measured = 9}, KEEPING_EXCEEDED);
    assert_judged(&amount, (struct finding){.offered = true, .promised = 8, .measured = 8, .tries = 5, .fails = 1},
                  KEEPING_BROKEN);
}
END_TEST

START_TEST(amount_of_which_less_is_better)
{
    const struct promise step = {.name = "step", .unit = "ns", .at_most = true};

    assert_judged(&step, (struct finding){.offered = true, .promised = 8, .measured = 8}, KEEPING_KEPT);
    assert_judged(&step, (struct finding){.offered = true, .promised = 8, .measured = 9}, KEEPING_BROKEN);
    assert_judged(&step, (struct finding){.offered = true, .promised = 8, .measured = 7}, KEEPING_EXCEEDED);
    assert_judged(&step, (struct finding){.offered = true, .promised = 8, .measured = 7, .tries = 5, .fails = 1},
                  KEEPING_BROKEN);
}
END_TEST

START_TEST(what_could_not_be_measured_is_undecided)
{
    assert_judged(&amount, (struct finding){.offered = true, .undecided = true, .promised = 8, .fails = 3},
                  KEEPING_UNDECIDED);
    assert_judged(&nothing, (struct finding){.undecided = true}, KEEPING_UNDECIDED);
}
END_TEST

START_TEST(what_is_not_offered_may_be_there)
{
    assert_judged(&answer, (struct finding){.measured = 0}, KEEPING_NOT_OFFERED);
    assert_judged(&answer, (struct finding){.measured = 1}, KEEPING_EXCEEDED);
}
END_TEST

START_TEST(where_nothing_is_promised_nothing_is_broken)
{
    assert_judged(&nothing, (struct finding){.offered = true, .measured = 3, .fails = 1}, KEEPING_SILENT);
}
END_TEST

/* Up to `edge` all goes well; what lies above is lost, and so is now and then what is tried without patience. */
static unsigned search_edge(uint64_t edge, uint64_t most, bool slow, uint64_t *found)
{
    struct promise_search search = {.most = most};
    unsigned tries = 0;

    while ((search.tried = promise_search_next(&search)) != 0) {
        const bool patient = search.tried == search.good + 1;
        ck_assert_uint_le(search.tried, most);
        ck_assert_uint_lt(++tries, 100);
        if (search.tried <= edge && (patient || !slow || tries % 3 != 0))
            promise_search_passed(&search);
        else
            promise_search_lost(&search);
    }
    *found = search.good;
    return tries;
}

START_TEST(search_finds_the_edge)
{
    for (uint64_t most = 1; most < 40; ++most)
        for (uint64_t edge = 0; edge <= most; ++edge) {
            uint64_t found;
            ck_assert_uint_le(search_edge(edge, most, false, &found), 14);
            ck_assert_uint_eq(found, edge);
            search_edge(edge, most, true, &found);
            ck_assert_uint_eq(found, edge);
        }
}
END_TEST

START_TEST(each_promise_is_told_in_full)
{
    for (size_t i = 0; i < promise_count; ++i) {
        const struct promise *promise = &promises[i];
        ck_assert_ptr_eq(promise_find(promise->name), promise);
        const char *texts[] = {promise->made, promise->says, promise->measured, promise->follows, promise->advice};
        for (size_t j = 0; j < sizeof texts / sizeof *texts; ++j)
            ck_assert_msg(texts[j] != NULL && texts[j][0] != '\0', "%s: text %zu", promise->name, j);
        ck_assert_ptr_nonnull(promise->unit);
        ck_assert_int_lt(promise->act, PROMISE_ACTS);
        ck_assert_uint_lt(strlen(promise->name), 27); /* the width of a column */
        ck_assert_uint_eq(strspn(promise->name, "abcdefghijklmnopqrstuvwxyz0123456789-"), strlen(promise->name));
    }
    ck_assert_ptr_null(promise_find("no-such-promise"));
}
END_TEST

START_TEST(amounts_have_units)
{
    char text[40];

    finding_print_amount(&amount, 3, text, sizeof text);
    ck_assert_str_eq(text, "3 groups");
    finding_print_amount(&answer, 1, text, sizeof text);
    ck_assert_str_eq(text, "yes");
    finding_print_amount(&answer, 0, text, sizeof text);
    ck_assert_str_eq(text, "no");
}
END_TEST

HARNESS_MAIN("promise", amount_is_kept_broken_or_exceeded, amount_of_which_less_is_better,
             what_could_not_be_measured_is_undecided, what_is_not_offered_may_be_there,
             where_nothing_is_promised_nothing_is_broken, search_finds_the_edge, each_promise_is_told_in_full,
             amounts_have_units)
