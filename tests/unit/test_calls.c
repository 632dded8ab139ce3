#include "wire/calls.h"

#include "device/calls.h"
#include "harness.h"

#include <string.h>

static struct calls page;
static char text[CALLS_TEXT];

static const char *list(void)
{
    calls_list(&page, text);
    return text;
}

static cl_int inner(void)
{
    ck_assert_str_eq(list(), "clSetUserEventStatus");
    return 3;
}

static cl_int outer(void)
{
    ck_assert_str_eq(list(), "clFinish");
    ck_assert_int_eq(CALL_BY("clSetUserEventStatus", inner()), 3);
    ck_assert_str_eq(list(), "clFinish");
    return 4;
}

START_TEST(call_is_told_until_it_returns_also_inside_another_one)
{
    calls_open(&page);
    ck_assert_str_eq(list(), "");
    ck_assert_int_eq(CALL_BY("clFinish", outer()), 4);
    ck_assert_str_eq(list(), "");
}
END_TEST

START_TEST(calls_of_all_threads_are_told)
{
    page = (struct calls){.callers = {{1, "clFinish"}, {0, "clFlush"}, {1, "clWaitForEvents"}}};
    ck_assert_str_eq(list(), "clFinish and clWaitForEvents");
}
END_TEST

START_TEST(what_a_driver_wrote_there_is_no_call)
{
    char when[CALLS_WHEN];

    page = (struct calls){.callers = {{1, "clFin\nish"}, {1, "printf"}, {2, "clFlush"}, {1, ""}}};
    ck_assert_str_eq(list(), "");
    memset(&page, 'c', sizeof page);
    ck_assert_str_eq(list(), "");
    for (int i = 0; i < CALLERS; ++i)
        atomic_store(&page.callers[i].inside, 1);
    ck_assert_str_eq(list(), "");
    memset(page.when, '\n', sizeof page.when);
    calls_when(&page, when);
    ck_assert_uint_lt(strlen(when), CALLS_WHEN);
    ck_assert_ptr_null(strchr(when, '\n'));
}
END_TEST

HARNESS_MAIN("calls", call_is_told_until_it_returns_also_inside_another_one, calls_of_all_threads_are_told,
             what_a_driver_wrote_there_is_no_call)
