/* A run's command line says which scenario file and which folder of kernels a trial was made of. */
#include "report/given.h"

#include "harness.h"

#include <stdio.h>

static void check(const char *line, const char *scenario, const char *file, const char *folder)
{
    struct given given;

    ck_assert_int_eq(given_read(line, scenario, &given), 0);
    ck_assert_pstr_eq(given.scenario, file);
    ck_assert_pstr_eq(given.kernel_folder, folder);
    given_fini(&given);
    ck_assert_ptr_null(given.words);
}

/* In files of today, and in older ones, which have the command's name as one word. */
static void check_both(const char *arguments, const char *scenario, const char *file, const char *folder)
{
    static const char *const names[] = {"gridlock run", "'gridlock run'"};
    char line[200];

    for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
        snprintf(line, sizeof line, "%s%s", names[i], arguments);
        check(line, scenario, file, folder);
    }
}

START_TEST(what_was_not_given_is_null)
{
    check_both("", "toy", NULL, NULL);
    check_both(" toy -d pocl", "toy", NULL, NULL);
    check("", "toy", NULL, NULL);
}
END_TEST

START_TEST(file_of_the_scenario_is_found)
{
    check_both(" -d pocl toy.ini", "toy", "toy.ini", NULL);
    check_both(" other.ini ../my/toy.ini", "toy", "../my/toy.ini", NULL);
    check_both(" -- '/in ner/toy.ini'", "toy", "/in ner/toy.ini", NULL);
}
END_TEST

START_TEST(file_of_another_scenario_is_not)
{
    check_both(" toys.ini atoy.ini toy.ini.bak toy.ini/other.ini toy", "toy", NULL, NULL);
}
END_TEST

START_TEST(limits_have_no_scenario)
{
    check_both(" .ini a/.ini toy.ini", "", NULL, NULL);
}
END_TEST

START_TEST(folder_of_kernels_is_found_in_both_spellings)
{
    check_both(" --kernel-dir mine toy", "toy", NULL, "mine");
    check_both(" --kernel-dir='my own' toy.ini", "toy", "toy.ini", "my own");
    check_both(" --kernel-dir a --kernel-dir=b", "toy", NULL, "b");
}
END_TEST

START_TEST(folder_that_is_missing_is_none)
{
    check_both(" toy --kernel-dir", "toy", NULL, NULL);
    check_both(" --kernel-dirs=a", "toy", NULL, NULL);
}
END_TEST

START_TEST(value_of_an_option_is_in_its_word_or_the_next)
{
    struct given given;

    ck_assert_int_eq(given_read("gridlock run --icd=a.so --icd b.so --icd", "toy", &given), 0);
    ck_assert_uint_eq(given.count, 6);
    ck_assert_ptr_null(given_value(&given, 0, "--icd"));
    ck_assert_str_eq(given_value(&given, 2, "--icd"), "a.so");
    ck_assert_ptr_eq(given_value(&given, 3, "--icd"), given.words[4]);
    ck_assert_ptr_null(given_value(&given, 4, "--icd"));
    ck_assert_ptr_null(given_value(&given, 5, "--icd"));
    given_fini(&given);
}
END_TEST

START_TEST(option_may_be_abbreviated)
{
    struct given given;

    ck_assert_int_eq(given_read("gridlock progress --exp=a --expect b --engine c -- --expec", "", &given), 0);
    ck_assert_str_eq(given_abbreviated(&given, 2, "--expect"), "a");
    ck_assert_str_eq(given_abbreviated(&given, 3, "--expect"), "b");
    ck_assert_ptr_null(given_abbreviated(&given, 4, "--expect"));
    ck_assert_ptr_null(given_abbreviated(&given, 5, "--expect"));
    ck_assert_ptr_null(given_abbreviated(&given, 7, "--expect"));
    ck_assert_ptr_null(given_abbreviated(&given, 8, "--expect"));
    given_fini(&given);
}
END_TEST

static bool is_command(const char *line, const char *command)
{
    struct given given;

    ck_assert_int_eq(given_read(line, "", &given), 0);
    const bool is = given_is_command(&given, command);
    given_fini(&given);
    return is;
}

START_TEST(command_is_its_second_word)
{
    ck_assert(is_command("gridlock progress -d pocl", "progress"));
    ck_assert(is_command("gridlock progress", "progress"));
    ck_assert(is_command("'gridlock progress' -q", "progress"));
    ck_assert(!is_command("gridlock run progress", "progress"));
    ck_assert(!is_command("'gridlock run' progress", "progress"));
    ck_assert(!is_command("gridlock progresses", "progress"));
    ck_assert(!is_command("progress", "progress"));
    ck_assert(!is_command("", "progress"));
}
END_TEST

START_TEST(what_is_no_command_line_is_refused)
{
    struct given given;
    ck_assert_int_eq(given_read("gridlock run 'toy.ini", "toy", &given), -1);
    given_fini(&given);
}
END_TEST

HARNESS_MAIN("given", what_was_not_given_is_null, file_of_the_scenario_is_found, file_of_another_scenario_is_not,
             limits_have_no_scenario, folder_of_kernels_is_found_in_both_spellings, folder_that_is_missing_is_none,
             value_of_an_option_is_in_its_word_or_the_next, option_may_be_abbreviated, command_is_its_second_word,
             what_is_no_command_line_is_refused)
