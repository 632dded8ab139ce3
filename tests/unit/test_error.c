#include "base/error.h"

#include "harness.h"

#include <string.h>

START_TEST(set_formats_the_text_and_keeps_the_status)
{
    struct error error;
    ck_assert_int_eq(error_set(&error, STATUS_USAGE, "%s %d", "groups", 7), -1);
    ck_assert_int_eq(error.status, STATUS_USAGE);
    ck_assert_str_eq(error.text, "groups 7");
}
END_TEST

START_TEST(set_without_an_error_only_fails)
{
    ck_assert_int_eq(error_set(NULL, STATUS_HARNESS, "%s", "unheard"), -1);
}
END_TEST

START_TEST(set_cuts_a_long_text_to_fit)
{
    struct error error;
    char text[2 * sizeof error.text];
    memset(text, 'x', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    error_set(&error, STATUS_HARNESS, "%s", text);
    ck_assert_uint_eq(strlen(error.text), sizeof error.text - 1);
}
END_TEST

START_TEST(a_long_text_keeps_its_beginning_and_its_end)
{
    struct error error;
    char path[4096];
    memset(path, 'p', sizeof path - 1);
    path[sizeof path - 1] = '\0';
    error_set(&error, STATUS_USAGE, "cannot open %s: %s", path, "no such file");
    ck_assert_uint_eq(strlen(error.text), sizeof error.text - 1);
    ck_assert_ptr_eq(strstr(error.text, "cannot open ppp"), error.text);
    ck_assert_ptr_nonnull(strstr(error.text, "p ... p"));
    ck_assert_str_eq(strstr(error.text, ": no"), ": no such file");
    error_context(&error, "%s", "reading");
    ck_assert_ptr_eq(strstr(error.text, "reading: cannot open ppp"), error.text);
    ck_assert_str_eq(strstr(error.text, ": no"), ": no such file");
}
END_TEST

START_TEST(context_comes_before_the_text)
{
    struct error error;
    error_set(&error, STATUS_NO_DEVICE, "none");
    ck_assert_int_eq(error_context(&error, "device %u", 3u), -1);
    ck_assert_str_eq(error.text, "device 3: none");
}
END_TEST

START_TEST(context_keeps_the_status)
{
    struct error error;
    error_set(&error, STATUS_NO_DEVICE, "none");
    error_context(&error, "device");
    ck_assert_int_eq(error.status, STATUS_NO_DEVICE);
}
END_TEST

START_TEST(contexts_add_up_from_the_inside_out)
{
    struct error error;
    error_set(&error, STATUS_HARNESS, "c");
    error_context(&error, "b");
    error_context(&error, "a");
    ck_assert_str_eq(error.text, "a: b: c");
}
END_TEST

START_TEST(context_without_an_error_only_fails)
{
    ck_assert_int_eq(error_context(NULL, "%s", "unheard"), -1);
}
END_TEST

START_TEST(long_context_leaves_the_text_terminated)
{
    struct error error;
    char context[2 * sizeof error.text];
    memset(context, 'y', sizeof context - 1);
    context[sizeof context - 1] = '\0';
    error_set(&error, STATUS_HARNESS, "lost");
    error_context(&error, "%s", context);
    ck_assert_uint_eq(strlen(error.text), sizeof error.text - 1);
    ck_assert_int_eq(error.text[0], 'y');
}
END_TEST

START_TEST(context_may_quote_the_text_itself)
{
    struct error error;
    error_set(&error, STATUS_HARNESS, "text");
    error_context(&error, "%s", error.text);
    ck_assert_str_eq(error.text, "text: text");
}
END_TEST

HARNESS_MAIN("error", set_formats_the_text_and_keeps_the_status, set_without_an_error_only_fails,
             set_cuts_a_long_text_to_fit, a_long_text_keeps_its_beginning_and_its_end, context_comes_before_the_text,
             context_keeps_the_status, contexts_add_up_from_the_inside_out, context_without_an_error_only_fails,
             long_context_leaves_the_text_terminated, context_may_quote_the_text_itself)
