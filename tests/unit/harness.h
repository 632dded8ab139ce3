/* What every unit test program shares: one suite with one case, and a main that runs it. */
#pragma once

#include <check.h>

#include <stddef.h>
#include <stdlib.h>

/* ck_assert_msg for loops of millions: that one writes to a pipe where it is, each time. */
#define harness_assert(expression, ...)                                                                                \
    do {                                                                                                               \
        if (!(expression))                                                                                             \
            ck_abort_msg(__VA_ARGS__);                                                                                 \
    } while (0)

/* Without a time limit: how long a test takes says nothing about the code. */
static inline int harness_run(const char *name, const TTest *const *tests, size_t count)
{
    Suite *suite = suite_create(name);
    TCase *tcase = tcase_create(name);
    tcase_set_timeout(tcase, 0);
    for (size_t i = 0; i < count; ++i)
        tcase_add_test(tcase, tests[i]);
    suite_add_tcase(suite, tcase);

    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

/* A test that is not in the list is an unused variable, and the compiler says so. */
#define HARNESS_MAIN(name, ...)                                                                                        \
    int main(void)                                                                                                     \
    {                                                                                                                  \
        const TTest *const tests[] = {__VA_ARGS__};                                                                    \
        return harness_run(name, tests, sizeof tests / sizeof *tests);                                                 \
    }
