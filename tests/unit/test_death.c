/* How a worker died, in a sentence. */
#include "host/death.h"

#include "harness.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>

/* What is said of a driver that aborted in this step with this text, and had written this. */
static const char *said_of(enum stage stage, enum subject_text subject, const char *written)
{
    static struct error error;
    struct supervisor_end end = {.stage = stage, .text = subject, .reply = REPLY_DIED, .signal = SIGABRT};

    snprintf(end.stderr_tail, sizeof end.stderr_tail, "%s", written);
    ck_assert_int_eq(death_error(&end, &error), -1);
    return error.text;
}

static const char *said(const char *written)
{
    return said_of(STAGE_RUNNING, TEXT_NONE, written);
}

START_TEST(kernel_of_the_users_may_have_done_it)
{
    ck_assert_str_eq(said_of(STAGE_RUNNING, TEXT_AS_IS, ""),
                     "the driver's process crashed while running a kernel (your file as it is): signal 6, Aborted; "
                     "the kernel itself may have done that");
    ck_assert_str_eq(said_of(STAGE_BUILDING, TEXT_AS_IS, ""),
                     "the driver crashed while building a kernel (your file as it is): signal 6, Aborted");
    ck_assert_str_eq(said_of(STAGE_RUNNING, TEXT_INSERT, ""),
                     "the driver crashed while running a kernel (your file with text of gridlock's put into it): "
                     "signal 6, Aborted");
}
END_TEST

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

HARNESS_MAIN("death", kernel_of_the_users_may_have_done_it, last_line_says_why, long_line_is_cut_where_it_says_so)
