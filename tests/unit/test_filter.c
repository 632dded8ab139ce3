#include "explain/filter.h"

#include "harness.h"

#include <errno.h>
#include <string.h>
#include <sys/wait.h>

enum { LONG_MS = 600000 };

/* Runs a program of the shell on so many bytes; what it printed is in `printed`. */
static int run_shell(const char *program, size_t bytes, uint64_t deadline_ms, FILE *printed, struct error *error)
{
    char *const arguments[] = {"sh", "-c", (char *)(uintptr_t)program, NULL};
    FILE *input = filter_file(error);
    ck_assert_ptr_nonnull(input);
    for (size_t i = 0; i < bytes; ++i)
        fputc((int)('a' + i % 26), input);
    const int result = filter_run(arguments, input, printed, deadline_ms, error);
    ck_assert_int_eq(fclose(input), 0);
    /* Nothing that it started is left. */
    ck_assert_int_eq(waitpid(-1, NULL, WNOHANG), -1);
    ck_assert_int_eq(errno, ECHILD);
    return result;
}

static void assert_printed(const char *program, size_t bytes, long expected)
{
    struct error error;
    FILE *printed = filter_file(&error);
    ck_assert_int_eq(run_shell(program, bytes, LONG_MS, printed, &error), 0);
    ck_assert_int_eq(ftell(printed), expected);
    fclose(printed);
}

/* It failed and printed nothing: the sentence has these words. */
static void assert_fails(const char *program, uint64_t deadline_ms, const char *words)
{
    struct error error;
    FILE *printed = filter_file(&error);
    ck_assert_int_eq(run_shell(program, 10, deadline_ms, printed, &error), -1);
    ck_assert_int_eq(error.status, STATUS_HARNESS);
    ck_assert_msg(strstr(error.text, words) != NULL, "%s", error.text);
    ck_assert_int_eq(ftell(printed), 0);
    fclose(printed);
}

START_TEST(all_goes_through_the_program)
{
    assert_printed("cat", 0, 0);
    assert_printed("cat", 1000, 1000);
    assert_printed("cat", 3000000, 3000000);
}
END_TEST

START_TEST(a_program_that_reads_nothing_and_one_that_prints_a_lot_come_to_their_end)
{
    assert_printed("exit 0", 3000000, 0);
    assert_printed("head -c 3000000 /dev/zero; cat > /dev/null; head -c 3000000 /dev/zero >&2", 3000000, 3000000);
}
END_TEST

START_TEST(a_program_that_failed_says_why)
{
    assert_fails("echo half of it; printf 'no \\033[31mway %%s\\nmore\\n' >&2; exit 7", LONG_MS,
                 "sh failed, with exit status 7: no way %s");
    assert_fails("exit 1", LONG_MS, "sh failed, with exit status 1");
    assert_fails("kill -9 $$", LONG_MS, "sh failed, with signal 9");
}
END_TEST

START_TEST(a_program_that_hangs_is_killed)
{
    assert_fails("trap '' TERM; exec sleep 1000", 100, "was killed");
    assert_fails("echo half of it; exec sleep 1000", 100, "was killed");
}
END_TEST

START_TEST(a_program_that_is_not_there_is_no_error)
{
    char *const arguments[] = {"gridlock-no-such-program", NULL};
    struct error error;
    FILE *file = filter_file(&error);
    ck_assert_int_eq(filter_run(arguments, file, file, LONG_MS, &error), 1);
    fclose(file);
}
END_TEST

HARNESS_MAIN("filter", all_goes_through_the_program,
             a_program_that_reads_nothing_and_one_that_prints_a_lot_come_to_their_end, a_program_that_failed_says_why,
             a_program_that_hangs_is_killed, a_program_that_is_not_there_is_no_error)
