#include "watch/passing.h"

#include "base/alloc.h"
#include "harness.h"

#include <string.h>

static struct passing passing_of(pid_t first, pid_t second)
{
    return (struct passing){
        .libraries = {{first, xstrdup("/lib/libOpenCL.so.1")}, {second, xstrdup("/lib/libOpenCL.so.1")}}, .count = 2};
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

HARNESS_MAIN("passing", a_loader_that_asked_later_does_not_pass, it_is_named_once)
