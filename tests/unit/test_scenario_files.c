/* Where scenarios come from: the program, and files; and the page of all keys. */
#include "scenario_fixture.h"

/* --- where scenarios come from --- */

START_TEST(scenario_that_the_binary_carries_is_found_by_name)
{
    struct error error;
    ck_assert_int_eq(scenario_find("bare_one", "", &scenario, &error), 0);
    ck_assert_str_eq(scenario.name, "bare_one");
    ck_assert_str_eq(scenario.file, "scenarios/bare_one.ini");
    ck_assert_str_eq(scenario.folder, "");
    ck_assert_str_eq(scenario.kernel, "bare");
    ASSERT_ITEMS("groups", "7");
}
END_TEST

START_TEST(scenario_that_the_binary_does_not_carry_is_not_found)
{
    static const char *const names[] = {"bare",     "bare_one.ini", "bare_on", "are_one", "",
                                        "BARE_ONE", "../bare_one",  "torn.",   "*"};
    for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
        struct error error;
        ck_assert_int_eq(scenario_find(names[i], "", &scenario, &error), -1);
        ck_assert_int_eq(error.status, STATUS_USAGE);
        ck_assert_ptr_nonnull(strstr(error.text, "gridlock list"));
    }
}
END_TEST

START_TEST(carried_scenario_with_a_fault_says_where_it_is)
{
    struct error error;
    ck_assert_int_eq(scenario_find("torn", "", &scenario, &error), -1);
    ck_assert_msg(strncmp(error.text, "scenarios/torn.ini:1: ", 22) == 0, "%s", error.text);
}
END_TEST

/* --- files --- */

static char folder[64];

static void make_folder(void)
{
    strcpy(folder, "/tmp/gridlock-test-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(folder));
}

static void write_file(const char *name, const char *text)
{
    char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    ck_assert_ptr_nonnull(file);
    ck_assert_int_ge(fputs(text, file), 0);
    ck_assert_int_eq(fclose(file), 0);
}

static int load(const char *name, struct error *error)
{
    char path[128];
    *error = (struct error){0};
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return scenario_load(path, NULL, &scenario, error);
}

static void remove_folder(const char *const *names)
{
    char path[128];
    for (; *names != NULL; ++names) {
        snprintf(path, sizeof path, "%s/%s", folder, *names);
        ck_assert_int_eq(remove(path), 0);
    }
    ck_assert_int_eq(rmdir(folder), 0);
}

START_TEST(kernel_beside_the_file_comes_before_one_that_the_binary_carries)
{
    struct error error;
    make_folder();
    write_file("mine.ini", HEAD("toy") "[sweep]\ngroups = 1\nmine = b\n" TAIL);
    write_file("toy.cl", TOY_HEAD("toy") " * option:  mine = a | b\n * checks:  1\n */\n");
    const int outcome = load("mine.ini", &error);
    remove_folder((const char *const[]){"mine.ini", "toy.cl", NULL});
    ck_assert_msg(outcome == 0, "%s", error.text);
    ck_assert_str_eq(scenario.name, "mine");
    ASSERT_ITEMS("mine", "b");
    ck_assert_int_eq(strncmp(scenario.folder, folder, strlen(folder)), 0);
}
END_TEST

START_TEST(file_may_use_a_kernel_that_the_binary_carries)
{
    struct error error;
    make_folder();
    write_file("mine.ini", HEAD("toy") "[sweep]\ngroups = 1\nfault = lost\n" TAIL);
    const int outcome = load("mine.ini", &error);
    remove_folder((const char *const[]){"mine.ini", NULL});
    ck_assert_msg(outcome == 0, "%s", error.text);
    ASSERT_ITEMS("fault", "lost");
}
END_TEST

START_TEST(fault_in_a_kernel_beside_the_file_is_named_with_both_places)
{
    struct error error;
    char place[128];
    make_folder();
    write_file("mine.ini", HEAD("toy") "[sweep]\ngroups = 1\n" TAIL);
    write_file("toy.cl", TOY_HEAD("toy") " * color:   red\n */\n");
    ck_assert_int_eq(load("mine.ini", &error), -1);
    remove_folder((const char *const[]){"mine.ini", "toy.cl", NULL});
    ck_assert_int_eq(error.status, STATUS_USAGE);
    snprintf(place, sizeof place, "%s/mine.ini:2: toy.cl:7: ", folder);
    ck_assert_msg(strncmp(error.text, place, strlen(place)) == 0, "%s", error.text);
}
END_TEST

START_TEST(file_that_cannot_be_read_is_refused)
{
    struct error error;
    char path[600];
    make_folder();
    ck_assert_int_eq(load("nothing.ini", &error), -1);
    ck_assert_int_eq(error.status, STATUS_USAGE);
    ck_assert_ptr_nonnull(strstr(error.text, "nothing.ini"));
    ck_assert_int_eq(load(".", &error), -1); /* a folder */
    ck_assert_int_eq(error.status, STATUS_USAGE);
    remove_folder((const char *const[]){NULL});
    memset(path, 'x', sizeof path);
    path[sizeof path - 1] = '\0';
    ck_assert_int_eq(scenario_load(path, NULL, &scenario, &error), -1);
    ck_assert_int_eq(error.status, STATUS_USAGE);
}
END_TEST

START_TEST(file_of_more_than_1_mib_is_refused)
{
    struct error error;
    static char text[(1 << 20) + 2];
    for (size_t i = 0; i + 1 < sizeof text; ++i)
        text[i] = i % 100 == 99 ? '\n' : '#';
    make_folder();
    write_file("large.ini", text);
    ck_assert_int_eq(load("large.ini", &error), -1);
    remove_folder((const char *const[]){"large.ini", NULL});
    ck_assert_int_eq(error.status, STATUS_USAGE);
    ck_assert_ptr_nonnull(strstr(error.text, "large.ini:1: "));
    ck_assert_ptr_nonnull(strstr(error.text, "1 MiB"));
}
END_TEST

START_TEST(path_that_is_too_long_is_refused)
{
    struct error error;
    char path[5000];
    memset(path, '/', sizeof path);
    strcpy(path + sizeof path - sizeof "gridlock-test.ini", "gridlock-test.ini");
    ck_assert_int_eq(scenario_load(path, NULL, &scenario, &error), -1);
    ck_assert_int_eq(error.status, STATUS_USAGE);
    ck_assert_ptr_nonnull(strstr(error.text, "too long"));
}
END_TEST

/* --- the reference page --- */

/* Each run of blanks and line ends becomes one blank. */
static void unwrap(char *text)
{
    char *to = text;
    for (const char *at = text; *at != '\0'; ++at)
        if (strchr(" \n", *at) == NULL || (to > text && to[-1] != ' '))
            *to++ = strchr(" \n", *at) != NULL ? ' ' : *at;
    *to = '\0';
}

START_TEST(reference_has_each_key_and_its_limits)
{
    static const char *const parts[] = {
        "[scenario] kernel ",
        " purpose ",
        " teaches ",
        " live ",
        " [sweep] groups ",
        "1 to 1048576",
        " local-size ",
        " shape ",
        "one of W WxH WxHxD driver-1d driver-2d driver-3d; required",
        " edge ",
        "one of padded ragged; default padded",
        " dialect ",
        " poll ",
        " rounds ",
        " iterations ",
        "1 to 65536; default 64",
        " seed ",
        " jitter ",
        " uneven ",
        " burners ",
        " [expect] verdict ",
        "default best",
    };
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    ck_assert_ptr_nonnull(out);
    scenario_print_reference(out);
    ck_assert_int_eq(fclose(out), 0);
    unwrap(text);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; ++i)
        ck_assert_msg(strstr(text, parts[i]) != NULL, "'%s' is missing", parts[i]);
    free(text);
}
END_TEST

HARNESS_MAIN("scenario: files", scenario_that_the_binary_carries_is_found_by_name,
             scenario_that_the_binary_does_not_carry_is_not_found, carried_scenario_with_a_fault_says_where_it_is,
             kernel_beside_the_file_comes_before_one_that_the_binary_carries,
             file_may_use_a_kernel_that_the_binary_carries, fault_in_a_kernel_beside_the_file_is_named_with_both_places,
             file_that_cannot_be_read_is_refused, file_of_more_than_1_mib_is_refused, path_that_is_too_long_is_refused,
             reference_has_each_key_and_its_limits)
