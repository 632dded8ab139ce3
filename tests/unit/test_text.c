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

START_TEST(line_of_a_log_that_tells_what_is_wrong)
{
    static const char *const logs[][2] = {
        {"", ""},
        {"\n  \r\nit is so\r\nand so\n", "it is so"},
        {"warning: a.cl:1: unknown\n  a.cl:3:4: error: no such name \nerror: 2\n", "  a.cl:3:4: error: no such name"},
        {"warning: ignored\nError(s) while linking: \nCannot find symbol f in library\nCannot find g\n",
         "Error(s) while linking: Cannot find symbol f in library"},
        {"errors:\n\n", "errors:"},
        {"ERROR\x1b[31m 5\tx", "ERROR 5?x"},
    };
    for (size_t i = 0; i < sizeof logs / sizeof *logs; ++i) {
        char line[64];
        text_of_log(logs[i][0], line, sizeof line);
        ck_assert_str_eq(line, logs[i][1]);
    }
    char line[8];
    text_of_log("error: a long one", line, sizeof line);
    ck_assert_str_eq(line, "error: ");
}
END_TEST

START_TEST(what_a_line_includes_in_quotes)
{
    static const char *const lines[][2] = {
        {"#include \"a.h\"", "a.h"},   {" \t# include\t\"b/c d.h\" // \"e.h\"\n", "b/c d.h"},
        {"#include\"f.h\"\n", "f.h"},  {"#include <g.h>", ""},
        {"#include NAME \"h.h\"", ""}, {"include \"i.h\"", ""},
        {"#include \"j.h\n#\"", ""},   {"#define k \"k.h\"", ""},
        {"\n#include \"l.h\"", ""},    {"", ""},
    };
    for (size_t i = 0; i < sizeof lines / sizeof *lines; ++i) {
        const char *name = "";
        const size_t length = text_included(lines[i][0], &name);
        ck_assert_uint_eq(length, strlen(lines[i][1]));
        ck_assert_int_eq(strncmp(name, lines[i][1], length), 0);
    }
}
END_TEST

HARNESS_MAIN("text", what_a_line_includes_in_quotes, line_of_a_log_that_tells_what_is_wrong, printable_ascii_is_kept,
             control_characters_and_bytes_beyond_ascii_become_question_marks, escape_sequences_are_taken_out,
             escape_sequence_that_is_cut_short_ends_with_the_text)
