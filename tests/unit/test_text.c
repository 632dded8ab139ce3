#include "core/text.h"

#include "harness.h"

#include <string.h>

static void check_plain(const char *given, const char *expected)
{
    char text[64];
    strcpy(text, given);
    text_make_plain(text);
    ck_assert_str_eq(text, expected);
}

START_TEST(printable_ascii_is_kept)
{
    check_plain("", "");
    check_plain(" error: 'x' ~", " error: 'x' ~");
}
END_TEST

START_TEST(control_characters_and_bytes_beyond_ascii_become_question_marks)
{
    check_plain("a\tb\nc\x7f", "a?b?c?");
    check_plain("caf\xc3\xa9 \xff", "caf?? ?");
}
END_TEST

START_TEST(escape_sequences_are_taken_out)
{
    check_plain("\x1b[31merror\x1b[0m: x", "error: x");
    check_plain("\x1b[1;38;5;9mred", "red");
}
END_TEST

START_TEST(escape_sequence_that_is_cut_short_ends_with_the_text)
{
    check_plain("a\x1b", "a");
    check_plain("a\x1b[", "a");
    check_plain("a\x1b[31", "a");
}
END_TEST

HARNESS_MAIN("text", printable_ascii_is_kept, control_characters_and_bytes_beyond_ascii_become_question_marks,
             escape_sequences_are_taken_out, escape_sequence_that_is_cut_short_ends_with_the_text)
