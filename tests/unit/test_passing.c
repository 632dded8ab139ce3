#include "watch/passing.h"

#include "base/alloc.h"
#include "harness.h"

#include <string.h>

static struct passing passing_of(pid_t first, pid_t second)
{
    return (struct passing){.libraries = {{PASSING_ABSENT, first, xstrdup("/lib/libOpenCL.so.1"), NULL},
                                          {PASSING_ABSENT, second, xstrdup("/lib/libOpenCL.so.1"), NULL}},
                            .count = 2};
}

/* Only of the process whose page says so. */
START_TEST(a_loader_that_asked_later_does_not_pass)
{
    static struct page page;
    struct passing passing = passing_of(1, 2);

    passing_settle(&passing, 1, NULL);
    ck_assert_uint_eq(passing.count, 2);
    strcpy(page.loaders[0], "/lib/libOpenCL.so.1");
    passing_settle(&passing, 1, &page);
    ck_assert_uint_eq(passing.count, 2);
    page.loader_count = 1;
    passing_settle(&passing, 1, &page);
    ck_assert_uint_eq(passing.count, 1);
    ck_assert_int_eq(passing.libraries[0].process, 2);
    passing_fini(&passing);
}
END_TEST

START_TEST(it_is_named_once)
{
    struct passing passing = passing_of(1, 2);

    ck_assert(passing_is_first(&passing, 0));
    ck_assert(!passing_is_first(&passing, 1));
    passing_fini(&passing);
}
END_TEST

/* What is linked to it calls it as before. */
START_TEST(a_driver_that_came_may_still_be_called)
{
    static struct page page = {.drivers = {"/lib/libpocl.so.2"}, .driver_count = 1};
    struct passing passing = {.libraries = {{PASSING_BY, 1, xstrdup("/lib/libpocl.so.2"), NULL},
                                            {PASSING_LINKED, 1, xstrdup("/lib/libpocl.so.2"), xstrdup("/bin/program")}},
                              .count = 2};

    ck_assert(passing_is_unseen(&passing, 1));
    ck_assert(!passing_is_unseen(&passing, 2));
    passing_settle(&passing, 1, &page);
    ck_assert_uint_eq(passing.count, 1);
    ck_assert_int_eq(passing.libraries[0].kind, PASSING_LINKED);
    passing_fini(&passing);
}
END_TEST

START_TEST(a_driver_that_was_there_before_is_told)
{
    static struct page page = {.drivers = {"/lib/libpocl.so.2", "/lib/libother.so"}, .driver_count = 2, .early = 2};
    struct passing passing = {.count = 0};

    passing_settle(&passing, 1, &page);
    passing_settle(&passing, 1, &page);
    ck_assert_uint_eq(passing.count, 1);
    ck_assert_int_eq(passing.libraries[0].kind, PASSING_EARLY);
    ck_assert_str_eq(passing.libraries[0].path, "/lib/libother.so");
    passing_fini(&passing);
}
END_TEST

/* It is found by the loader that takes the layer. */
START_TEST(a_driver_does_not_pass_a_layer)
{
    static struct page page;
    struct passing passing = {
        .door = DOOR_LAYER, .libraries = {{PASSING_BY, 1, xstrdup("/none/libdriver.so"), NULL}}, .count = 1};

    passing_settle(&passing, 1, NULL);
    ck_assert_uint_eq(passing.count, 1);
    passing_settle(&passing, 1, &page);
    ck_assert_uint_eq(passing.count, 0);
    passing_fini(&passing);
}
END_TEST

START_TEST(a_loader_that_did_not_come_hides_nothing)
{
    struct passing passing = passing_of(1, 2);

    ck_assert(!passing_is_unseen(&passing, 1));
    passing_fini(&passing);
}
END_TEST

HARNESS_MAIN("passing", a_loader_that_asked_later_does_not_pass, it_is_named_once,
             a_driver_that_came_may_still_be_called, a_driver_that_was_there_before_is_told,
             a_driver_does_not_pass_a_layer, a_loader_that_did_not_come_hides_nothing)
