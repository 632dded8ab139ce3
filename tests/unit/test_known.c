/* The lists of what is known before a run. */
#include "scenario/known.h"

#include "harness.h"
#include "promise/promise.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static struct known known;
static struct error error;

/* A file with this text; its name. */
static const char *file_of(const char *text)
{
    static char path[64];
    snprintf(path, sizeof path, "/tmp/known-XXXXXX");
    const int descriptor = mkstemp(path);
    ck_assert_int_ge(descriptor, 0);
    ck_assert_int_eq((int)write(descriptor, text, strlen(text)), (int)strlen(text));
    close(descriptor);
    return path;
}

static void assert_loaded(int (*load)(struct known *, const char *, struct error *), const char *text)
{
    const char *path = file_of(text);
    ck_assert_msg(load(&known, path, &error) == 0, "%s", error.text);
    unlink(path);
}

static void assert_refused(int (*load)(struct known *, const char *, struct error *), const char *text,
                           const char *what)
{
    const char *path = file_of(text);
    ck_assert_int_eq(load(&known, path, &error), -1);
    ck_assert_int_eq(error.status, STATUS_USAGE);
    ck_assert_msg(strstr(error.text, what) != NULL, "'%s' is missing: %s", what, error.text);
    unlink(path);
    known_fini(&known);
}

START_TEST(skipped_are_those_that_an_expression_matches_anywhere)
{
    assert_loaded(known_load_skips, "# comment\n\n  barrier_.*/g[23]$  \n^lock_tas/\n");
    ck_assert(known_patterns_match(&known.skips, "barrier_central/cl30/l64/g3"));
    ck_assert(known_patterns_match(&known.skips, "x/barrier_/g2"));
    ck_assert(known_patterns_match(&known.skips, "lock_tas/cl30/l1/g1"));
    ck_assert(!known_patterns_match(&known.skips, "barrier_central/cl30/l64/g31"));
    ck_assert(!known_patterns_match(&known.skips, "# comment"));
    ck_assert(!known_patterns_match(&known.flakes, "lock_tas/cl30/l1/g1"));
    known_fini(&known);
}
END_TEST

START_TEST(several_files_add_up)
{
    assert_loaded(known_load_flakes, "one\n");
    assert_loaded(known_load_flakes, "two");
    ck_assert(known_patterns_match(&known.flakes, "one"));
    ck_assert(known_patterns_match(&known.flakes, "two"));
    ck_assert(!known_patterns_match(&known.flakes, "three"));
    known_fini(&known);
}
END_TEST

START_TEST(any_number_of_expressions_can_be_added)
{
    struct known_patterns patterns = {.count = 0};
    char text[32];

    ck_assert(!known_patterns_match(&patterns, "g7"));
    for (int i = 0; i < 100; ++i) {
        snprintf(text, sizeof text, "^g%d$", i);
        ck_assert_int_eq(known_patterns_add(&patterns, text, &error), 0);
    }
    ck_assert(known_patterns_match(&patterns, "g7"));
    ck_assert(known_patterns_match(&patterns, "g99"));
    ck_assert(!known_patterns_match(&patterns, "g100"));
    ck_assert_int_eq(known_patterns_add(&patterns, "(", &error), -1);
    ck_assert_uint_eq(patterns.count, 100);
    known_patterns_fini(&patterns);
    ck_assert(!known_patterns_match(&patterns, "g7"));
}
END_TEST

START_TEST(known_failures_are_found_by_their_whole_id)
{
    assert_loaded(known_load_baseline, "b/g2 stale or wrong\na/x=1,y=2/g1\thang\r\n");
    ck_assert_uint_eq(known_failure(&known, "a/x=1,y=2/g1"), UINT32_C(1) << VERDICT_HANG);
    ck_assert_uint_eq(known_failure(&known, "b/g2"), UINT32_C(1) << VERDICT_STALE | UINT32_C(1) << VERDICT_WRONG);
    ck_assert_uint_eq(known_failure(&known, "b/g"), 0);
    ck_assert_uint_eq(known_failure(&known, "b/g22"), 0);
    known_fini(&known);
}
END_TEST

START_TEST(promises_can_only_be_known_to_be_broken)
{
    known.of_promises = true;
    assert_loaded(known_load_baseline, "audit/group-size broken\naudit/finish \t broken\n");
    ck_assert_uint_eq(known_failure(&known, "audit/group-size"), UINT32_C(1) << KEEPING_BROKEN);
    ck_assert_uint_eq(known_failure(&known, "audit/finish"), UINT32_C(1) << KEEPING_BROKEN);
    ck_assert_uint_eq(known_failure(&known, "audit/wait-list"), 0);
    static const char *const others[] = {"", " kept", " stale", " undecided", " broken or kept", " brokenly"};
    for (size_t i = 0; i < sizeof others / sizeof *others; ++i) {
        char text[64];
        snprintf(text, sizeof text, "audit/group-size%s\n", others[i]);
        known.of_promises = true;
        assert_refused(known_load_baseline, text, "expected the promise's id and 'broken'");
    }
    known_fini(&known);
}
END_TEST

START_TEST(nothing_is_known_at_first)
{
    ck_assert(!known_patterns_match(&known.skips, "a"));
    ck_assert(!known_patterns_match(&known.flakes, "a"));
    ck_assert_uint_eq(known_failure(&known, "a"), 0);
}
END_TEST

START_TEST(what_is_wrong_is_said_with_file_and_line)
{
    char text[2048];

    assert_refused(known_load_skips, "good\n(bad\n", ":2: cannot parse the extended regular expression '(bad'");
    assert_refused(known_load_baseline, "a/g1\n", ":1: 'a/g1': expected the point's id and its verdict");
    assert_refused(known_load_baseline, "a/g1 pass\n#\nb/g1 blue\n", ":3: ");
    memset(text, 'x', sizeof text);
    text[sizeof text - 1] = '\0';
    assert_refused(known_load_flakes, text, ":1: a line has at most 1022 bytes");
    ck_assert_int_eq(known_load_flakes(&known, "/no/such/file", &error), -1);
    ck_assert(strstr(error.text, "--flakes /no/such/file: No such file") != NULL);
}
END_TEST

HARNESS_MAIN("known", skipped_are_those_that_an_expression_matches_anywhere, several_files_add_up,
             any_number_of_expressions_can_be_added, known_failures_are_found_by_their_whole_id,
             promises_can_only_be_known_to_be_broken, nothing_is_known_at_first,
             what_is_wrong_is_said_with_file_and_line)
