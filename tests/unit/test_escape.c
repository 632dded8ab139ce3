#include "format/escape.h"

#include "harness.h"

#include <stdio.h>
#include <string.h>

/* What the function writes for a text. */
static const char *written(void (*escape)(FILE *out, const char *text), const char *text)
{
    static char copy[4096];
    char *buffer = NULL;
    size_t size;
    FILE *out = open_memstream(&buffer, &size);
    ck_assert_ptr_nonnull(out);
    escape(out, text);
    ck_assert_int_eq(fclose(out), 0);
    ck_assert_uint_lt(size, sizeof copy);
    memcpy(copy, buffer, size + 1);
    free(buffer);
    return copy;
}

START_TEST(json_string_is_quoted_and_escaped)
{
    ck_assert_str_eq(written(escape_json, ""), "\"\"");
    ck_assert_str_eq(written(escape_json, "a\"b\\c/%s"), "\"a\\\"b\\\\c/%s\"");
    ck_assert_str_eq(written(escape_json, "\b\t\n\f\r\x01\x1f\x7f"), "\"\\b\\t\\n\\f\\r\\u0001\\u001f\\u007f\"");
    ck_assert_str_eq(written(escape_json, "caf\xc3\xa9 \xf0\x9f\x98\x80"), "\"caf\xc3\xa9 \xf0\x9f\x98\x80\"");
    ck_assert_str_eq(written(escape_json, "\xff"
                                          "a\xc3"),
                     "\"?a?\"");
}
END_TEST

/* "\xc2\x9b" is U+009B, which begins an escape sequence for terminals as ESC [ does. */
START_TEST(controls_of_two_bytes_are_controls)
{
    ck_assert_str_eq(written(escape_text, "a\xc2\x9b[31m\xc2\x80\xc2\x9f\xc2\xa0"), "a?[31m??\xc2\xa0");
    ck_assert_str_eq(written(escape_json, "a\xc2\x9b\xc2\xa9"), "\"a\\u009b\xc2\xa9\"");
    ck_assert_str_eq(written(escape_csv, "a\xc2\x9b"), "a?");
    ck_assert_str_eq(written(escape_tap, "a\xc2\x85"
                                         "b"),
                     "a b");
    ck_assert_str_eq(written(escape_xml, "a\xc2\x9b"), "a?");
    ck_assert_str_eq(written(escape_text, "a\xc2"), "a?");
}
END_TEST

START_TEST(xml_keeps_only_its_own_characters)
{
    ck_assert_str_eq(written(escape_xml, "\x01\x08\x0b\x0c\x1f\x1b[0m\x7f"), "?????"
                                                                             "?[0m?");
    ck_assert_str_eq(written(escape_xml, "\xef\xbf\xbe \xef\xbf\xbf \xef\xbf\xbd"), "? ? \xef\xbf\xbd");
    ck_assert_str_eq(written(escape_xml_value, "\xed\xa0\x80 \xc0\x80 \xc3\xa9"), "??? ?? \xc3\xa9");
    ck_assert_str_eq(written(escape_xml, ""), "");
}
END_TEST

/* A reader makes one blank of line feeds and tabs in an attribute, unless they have been given as numbers. */
START_TEST(xml_spells_what_would_be_read_as_markup)
{
    ck_assert_str_eq(written(escape_xml, "<a & 'b'>\"%s]]>\t\n\r"), "&lt;a &amp; 'b'&gt;&quot;%s]]&gt;\t\n&#13;");
    ck_assert_str_eq(written(escape_xml_value, "<a & 'b'>\"%s\t\n\r"), "&lt;a &amp; 'b'&gt;&quot;%s&#9;&#10;&#13;");
}
END_TEST

START_TEST(label_of_graphviz_is_one_quoted_string)
{
    ck_assert_str_eq(written(escape_dot, "a\"b\\N\\"), "a\\\"b\\\\N\\\\");
    ck_assert_str_eq(written(escape_dot, "two\nlines\t\r\x1b[0m\x7f"), "two\\nlines???[0m?");
    ck_assert_str_eq(written(escape_dot, "<b> &lt; 'c' %s"), "<b> &amp;lt; 'c' %s");
    ck_assert_str_eq(written(escape_dot, "caf\xc3\xa9 \xef\xbf\xbe \xff"), "caf\xc3\xa9 ? ?");
}
END_TEST

START_TEST(csv_quotes_what_needs_it)
{
    ck_assert_str_eq(written(escape_csv, "plain %s"), "plain %s");
    ck_assert_str_eq(written(escape_csv, ""), "");
    ck_assert_str_eq(written(escape_csv, "a,b"), "\"a,b\"");
    ck_assert_str_eq(written(escape_csv, "a\"b"), "\"a\"\"b\"");
    ck_assert_str_eq(written(escape_csv, "a\r\nb"), "\"a\r\nb\"");
    ck_assert_str_eq(written(escape_csv, " a"), "\" a\"");
    ck_assert_str_eq(written(escape_csv, "a "), "\"a \"");
    ck_assert_str_eq(written(escape_csv, "a\x01\xff"
                                         "b"),
                     "a??b");
}
END_TEST

START_TEST(csv_cell_is_no_formula)
{
    ck_assert_str_eq(written(escape_csv, "=cmd|' /C calc'!A0"), "'=cmd|' /C calc'!A0");
    ck_assert_str_eq(written(escape_csv, "+1"), "'+1");
    ck_assert_str_eq(written(escape_csv, "-1"), "'-1");
    ck_assert_str_eq(written(escape_csv, "@a"), "'@a");
    ck_assert_str_eq(written(escape_csv, "\ta"), "'\ta");
    ck_assert_str_eq(written(escape_csv, "\ra"), "\"'\ra\"");
    ck_assert_str_eq(written(escape_csv, "=a,b"), "\"'=a,b\"");
    ck_assert_str_eq(written(escape_csv, "a=b"), "a=b");
}
END_TEST

START_TEST(markdown_cell_is_one_cell_of_plain_text)
{
    ck_assert_str_eq(written(escape_markdown, "a|b"), "a\\|b");
    ck_assert_str_eq(written(escape_markdown, "<b>&amp;"), "&lt;b\\>&amp;amp;");
    ck_assert_str_eq(written(escape_markdown, "`*_[x](y)\\"), "\\`\\*\\_\\[x\\](y)\\\\");
    ck_assert_str_eq(written(escape_markdown, "a\r\n\tb\xff"), "a   b?");
    ck_assert_str_eq(written(escape_markdown, "caf\xc3\xa9"), "caf\xc3\xa9");
}
END_TEST

START_TEST(lava_id_has_safe_characters_alone)
{
    ck_assert_str_eq(written(escape_lava, "barrier_tree/cl30/l64/a=b,c-d.e"), "barrier_tree_cl30_l64_a_b_c-d.e");
    ck_assert_str_eq(written(escape_lava, "a > b\n\xff\xc3\xa9%s"), "a___b____s");
}
END_TEST

START_TEST(label_is_escaped_as_prometheus_wants)
{
    ck_assert_str_eq(written(escape_label, "a\"b\\c\nd"), "a\\\"b\\\\c\\nd");
    ck_assert_str_eq(written(escape_label, "a\tb\xff"
                                           "caf\xc3\xa9 {x=1}"),
                     "a?b?caf\xc3\xa9 {x=1}");
}
END_TEST

START_TEST(tap_description_is_one_line_without_a_directive)
{
    ck_assert_str_eq(written(escape_tap, "a # SKIP b\nok 2"), "a \\# SKIP b ok 2");
    ck_assert_str_eq(written(escape_tap, "a\\#\xff"), "a\\\\\\#?");
}
END_TEST

static void write_real(FILE *out, const char *text)
{
    escape_real(out, strtod(text, NULL));
}

static void write_decimal(FILE *out, const char *text)
{
    escape_decimal(out, strtod(text, NULL), 3);
}

START_TEST(reals_stay_reals_and_read_the_same)
{
    ck_assert_str_eq(written(write_real, "0"), "0.0");
    ck_assert_str_eq(written(write_real, "2"), "2.0");
    ck_assert_str_eq(written(write_real, "0.1"), "0.10000000000000001");
    ck_assert_str_eq(written(write_real, "1e300"), "1.0000000000000001e+300");
    ck_assert_str_eq(written(write_decimal, "1700000000.123"), "1700000000.123");
    ck_assert_str_eq(written(write_decimal, "-0.5"), "-0.500");
}
END_TEST

HARNESS_MAIN("escape", label_of_graphviz_is_one_quoted_string, json_string_is_quoted_and_escaped,
             controls_of_two_bytes_are_controls, xml_keeps_only_its_own_characters,
             xml_spells_what_would_be_read_as_markup, csv_quotes_what_needs_it, csv_cell_is_no_formula,
             markdown_cell_is_one_cell_of_plain_text, lava_id_has_safe_characters_alone,
             label_is_escaped_as_prometheus_wants, tap_description_is_one_line_without_a_directive,
             reals_stay_reals_and_read_the_same)
