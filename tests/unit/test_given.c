/* What a run was asked is read back as it was stored. */
#include "report/given.h"

#include "store_fixture.h"

static struct store_run found;

static void read_back(struct store *store)
{
    store_run_fini(&found);
    found = (struct store_run){.id = 0};
    ck_assert_msg(store_next_run(store, &found, &error) == 1, "%s", error.text);
    store_close(store);
}

/* Sets `found` to a run that was asked this. */
static void read_asked(struct store_asked *asked, size_t count)
{
    struct store_run asking = run;
    struct store *store = NULL;

    set_up();
    asking.asked = asked;
    asking.asked_count = count;
    ck_assert_msg(store_create(path, &asking, &store, &error) == 0, "%s", error.text);
    read_back(store);
}

START_TEST(what_is_stored_is_read_back)
{
    struct store_asked asked[] = {{.option = "icd", .value = "a.so"},
                                  {.option = "icd", .value = "b c"},
                                  {.option = "live", .value = ""},
                                  {.option = "", .value = "toy.ini"}};

    read_asked(asked, 4);
    ck_assert_uint_eq(found.asked_count, 4);
    ck_assert_str_eq(found.command, "limits");
    ck_assert_str_eq(given_value(&found, "icd"), "b c");
    ck_assert_str_eq(given_value(&found, "live"), "");
    ck_assert_ptr_null(given_value(&found, "seed"));
    ck_assert_str_eq(given_scenario(&found, "toy"), "toy.ini");
    ck_assert(!given_chooses(&found));
}
END_TEST

START_TEST(what_was_not_given_is_null)
{
    read_asked(NULL, 0);
    ck_assert_uint_eq(found.asked_count, 0);
    ck_assert_ptr_null(given_value(&found, "kernel-dir"));
    ck_assert_ptr_null(given_scenario(&found, "toy"));
    ck_assert(!given_chooses(&found));
}
END_TEST

/* The file of scenario toy, if it is the last operand. */
static const char *last_of(const char *operand)
{
    struct store_asked asked[] = {{.option = "", .value = "other.ini"}, {.option = "", .value = operand}};

    read_asked(asked, 2);
    return given_scenario(&found, "toy");
}

START_TEST(file_of_the_scenario_is_found)
{
    ck_assert_str_eq(last_of("toy.ini"), "toy.ini");
    ck_assert_str_eq(last_of("../my/toy.ini"), "../my/toy.ini");
    ck_assert_str_eq(last_of("/in ner/toy.ini"), "/in ner/toy.ini");
}
END_TEST

START_TEST(file_of_another_scenario_is_not)
{
    static const char *const others[] = {"toys.ini", "atoy.ini", "toy.ini.bak", "toy.ini/other.ini", "toy"};

    for (size_t i = 0; i < sizeof others / sizeof *others; ++i)
        ck_assert_ptr_null(last_of(others[i]));
}
END_TEST

START_TEST(limits_have_no_scenario)
{
    struct store_asked asked[] = {{.option = "", .value = ".ini"}, {.option = "", .value = "a/.ini"}};

    read_asked(asked, 2);
    ck_assert_ptr_null(given_scenario(&found, ""));
}
END_TEST

START_TEST(value_of_an_option_is_no_file_of_a_scenario)
{
    struct store_asked asked[] = {{.option = "expect", .value = "toy.ini"}};

    read_asked(asked, 1);
    ck_assert_ptr_null(given_scenario(&found, "toy"));
}
END_TEST

START_TEST(what_chooses_points_is_found)
{
    struct store_asked asked[] = {{.option = "device", .value = "intel"}, {.option = "include", .value = "a|b"}};

    read_asked(asked, 2);
    ck_assert(given_chooses(&found));
    ck_assert_str_eq(given_value(&found, "device"), "intel");
}
END_TEST

static void add_tests(TCase *tests)
{
    tcase_add_test(tests, what_is_stored_is_read_back);
    tcase_add_test(tests, what_was_not_given_is_null);
    tcase_add_test(tests, file_of_the_scenario_is_found);
    tcase_add_test(tests, file_of_another_scenario_is_not);
    tcase_add_test(tests, limits_have_no_scenario);
    tcase_add_test(tests, value_of_an_option_is_no_file_of_a_scenario);
    tcase_add_test(tests, what_chooses_points_is_found);
}

int main(void)
{
    return fixture_run("given", add_tests);
}
