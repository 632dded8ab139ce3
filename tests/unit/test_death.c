/* How a worker died, in a sentence. */
#include "host/death.h"

#include "harness.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>

/* What is said of a driver that aborted, and had written this. */
static const char *said(const char *written)
{
    static struct error error;
    struct supervisor_end end = {.stage = STAGE_RUNNING, .reply = REPLY_DIED, .signal = SIGABRT};

    snprintf(end.stderr_tail, sizeof end.stderr_tail, "%s", written);
    ck_assert_int_eq(death_error(&end, &error), -1);
    return error.text;
}

START_TEST(last_line_says_why)
{
    ck_assert_str_eq(said(""), "the driver crashed while running a kernel: signal 6, Aborted");
    ck_assert_str_eq(said("first\nAssertion failed.\n"),
                     "the driver crashed while running a kernel: signal 6, Aborted (Assertion failed.)");
}
END_TEST

START_TEST(long_line_is_cut_where_it_says_so)
{
    char line[400];

    memset(line, 'x', sizeof line - 1);
    line[sizeof line - 1] = '\0';
    const char *text = said(line);
    ck_assert_str_eq(text + strlen(text) - strlen("xx...)"), "xx...)");
    line[150] = '\0';
    text = said(line);
    ck_assert_str_eq(text + strlen(text) - strlen("xxxx)"), "xxxx)");
}
END_TEST

HARNESS_MAIN("death", last_line_says_why, long_line_is_cut_where_it_says_so)
