#include "scenario/ini.h"

#include "harness.h"

#include <stdio.h>
#include <string.h>

enum { MOST_PAIRS = 32 };

/* What was taken, in order. */
static struct {
    char section[64];
    char key[64];
    char value[INI_LINE_BYTES];
    unsigned line;
    bool goes_on;
} taken[MOST_PAIRS];
static size_t count;
static const char *refused_key; /* take fails on it; NULL: on none */

static int take(void *context, const struct ini_pair *pair, struct error *error)
{
    ck_assert_ptr_eq(context, &count);
    ck_assert_uint_lt(count, MOST_PAIRS);
    snprintf(taken[count].section, sizeof taken->section, "%s", pair->section);
    snprintf(taken[count].key, sizeof taken->key, "%s", pair->key);
    snprintf(taken[count].value, sizeof taken->value, "%s", pair->value);
    taken[count].line = pair->line;
    taken[count].goes_on = pair->goes_on;
    ++count;
    if (refused_key != NULL && strcmp(pair->key, refused_key) == 0)
        return error_set(error, STATUS_USAGE, "%s is not wanted", pair->key);
    return 0;
}

static int read_bytes(const char *text, size_t length, struct error *error)
{
    *error = (struct error){0};
    count = 0;
    return ini_read(text, length, "t.ini", take, &count, error);
}

static void assert_read(const char *text)
{
    struct error error;
    ck_assert_msg(read_bytes(text, strlen(text), &error) == 0, "%s", error.text);
}

static void assert_pair(size_t index, const char *section, const char *key, const char *value, unsigned line)
{
    ck_assert_uint_lt(index, count);
    ck_assert_str_eq(taken[index].section, section);
    ck_assert_str_eq(taken[index].key, key);
    ck_assert_str_eq(taken[index].value, value);
    ck_assert_uint_eq(taken[index].line, line);
}

/* Refused, with a message that begins with file and line. */
static void assert_bytes_refused(const char *text, size_t length, unsigned line, const char *part)
{
    struct error error;
    char place[32];
    snprintf(place, sizeof place, "t.ini:%u: ", line);
    ck_assert_int_eq(read_bytes(text, length, &error), -1);
    ck_assert_int_eq(error.status, STATUS_USAGE);
    ck_assert_msg(strncmp(error.text, place, strlen(place)) == 0, "%s", error.text);
    ck_assert_msg(strstr(error.text, part) != NULL, "%s", error.text);
}

static void assert_refused(const char *text, unsigned line, const char *part)
{
    assert_bytes_refused(text, strlen(text), line, part);
}

/* --- what is read --- */

START_TEST(pairs_are_taken_in_order_with_section_and_line)
{
    assert_read("[a]\none = 1\n\ntwo = 2\n[b]\none = 3\n");
    ck_assert_uint_eq(count, 3);
    assert_pair(0, "a", "one", "1", 2);
    assert_pair(1, "a", "two", "2", 4);
    assert_pair(2, "b", "one", "3", 6);
    ck_assert(!taken[0].goes_on && !taken[1].goes_on && !taken[2].goes_on);
}
END_TEST

START_TEST(blanks_around_key_and_value_are_taken_off)
{
    assert_read("[a]\nkey\t =  some words \t\n");
    assert_pair(0, "a", "key", "some words", 2);
}
END_TEST

START_TEST(value_may_be_empty)
{
    assert_read("[a]\nkey =\n");
    assert_pair(0, "a", "key", "", 2);
}
END_TEST

START_TEST(value_begins_behind_the_first_equals_sign)
{
    assert_read("[a]\nkey = b = c: d\n");
    assert_pair(0, "a", "key", "b = c: d", 2);
}
END_TEST

START_TEST(pair_before_any_section_has_none)
{
    assert_read("key = 1\n");
    assert_pair(0, "", "key", "1", 1);
}
END_TEST

START_TEST(comments_and_empty_lines_are_left_out)
{
    assert_read("# one\n; two\n\n   \n[a]\n  # three ; still\nkey = 1\n#key = 2\n");
    ck_assert_uint_eq(count, 1);
    assert_pair(0, "a", "key", "1", 7);
}
END_TEST

START_TEST(hash_in_a_value_is_no_comment)
{
    assert_read("[a]\nkey = 1 # 2\n");
    assert_pair(0, "a", "key", "1 # 2", 2);
}
END_TEST

START_TEST(value_goes_on_in_indented_lines)
{
    assert_read("[a]\nkey = 1,\n    2,\n\t3\nother = 4\n");
    ck_assert_uint_eq(count, 4);
    assert_pair(0, "a", "key", "1,", 2);
    assert_pair(1, "a", "key", "2,", 3);
    assert_pair(2, "a", "key", "3", 4);
    assert_pair(3, "a", "other", "4", 5);
    ck_assert(!taken[0].goes_on && taken[1].goes_on && taken[2].goes_on && !taken[3].goes_on);
}
END_TEST

START_TEST(value_goes_on_behind_a_comment)
{
    assert_read("[a]\nkey = 1,\n# of the rest\n    2\n");
    assert_pair(1, "a", "key", "2", 4);
    ck_assert(taken[1].goes_on);
}
END_TEST

START_TEST(semicolon_directly_behind_a_word_belongs_to_the_value)
{
    assert_read("[a]\nkey = pass; starved;\n    wrong; pass\n");
    assert_pair(0, "a", "key", "pass; starved;", 2);
    assert_pair(1, "a", "key", "wrong; pass", 3);
}
END_TEST

START_TEST(last_line_needs_no_end)
{
    assert_read("[a]\nkey = 1");
    assert_pair(0, "a", "key", "1", 2);
}
END_TEST

START_TEST(lines_may_end_as_on_windows)
{
    assert_read("[a]\r\nkey = 1\r\n\r\nother = 2\r\n");
    ck_assert_uint_eq(count, 2);
    assert_pair(0, "a", "key", "1", 2);
    assert_pair(1, "a", "other", "2", 4);
}
END_TEST

START_TEST(empty_file_has_no_pairs)
{
    assert_read("");
    ck_assert_uint_eq(count, 0);
}
END_TEST

START_TEST(bytes_behind_the_length_are_not_read)
{
    struct error error;
    const char text[] = "[a]\nkey = 1\nother = 2\n";
    ck_assert_int_eq(read_bytes(text, strlen("[a]\nkey = 1"), &error), 0);
    ck_assert_uint_eq(count, 1);
    assert_pair(0, "a", "key", "1", 2);
}
END_TEST

START_TEST(letters_beyond_ascii_are_text)
{
    assert_read("[a]\nkey = gr\xc3\xbc\xc3\x9f\n");
    assert_pair(0, "a", "key", "gr\xc3\xbc\xc3\x9f", 2);
}
END_TEST

/* --- lengths --- */

/* "[a]", and a line of so many bytes, without its end. */
static size_t long_line(char *text, size_t bytes)
{
    const size_t used = (size_t)sprintf(text, "[a]\nkey = ");
    const size_t length = strlen("[a]\n") + bytes;
    memset(text + used, 'v', length - used);
    text[length] = '\0';
    return length;
}

START_TEST(line_of_198_bytes_is_read_whole)
{
    char text[256];
    long_line(text, 198);
    assert_read(text);
    ck_assert_uint_eq(strlen(taken[0].value), 198 - strlen("key = "));
    strcat(text, "\n");
    assert_read(text);
    ck_assert_uint_eq(strlen(taken[0].value), 198 - strlen("key = "));
}
END_TEST

START_TEST(line_of_199_bytes_is_refused)
{
    char text[256];
    long_line(text, 199);
    assert_refused(text, 2, "198 bytes");
    strcat(text, "\n");
    assert_refused(text, 2, "198 bytes");
    ck_assert_uint_eq(count, 0);
}
END_TEST

START_TEST(longer_lines_are_refused)
{
    static char text[1000100];
    static const size_t bytes[] = {200, 201, 255, 256, 1000, 65536, 1000000};
    for (size_t i = 0; i < sizeof bytes / sizeof *bytes; ++i) {
        const size_t length = long_line(text, bytes[i]);
        assert_bytes_refused(text, length, 2, "198 bytes");
    }
}
END_TEST

START_TEST(long_comment_is_refused_too)
{
    char text[256];
    memset(text, '#', 199);
    text[199] = '\0';
    assert_refused(text, 1, "198 bytes");
}
END_TEST

START_TEST(file_may_have_1_mib_and_no_more)
{
    static char text[(1 << 20) + 1];
    struct error error;
    for (size_t i = 0; i < sizeof text; ++i)
        text[i] = i % 100 == 99 ? '\n' : '#';
    ck_assert_int_eq(read_bytes(text, 1 << 20, &error), 0);
    assert_bytes_refused(text, (1 << 20) + 1, 1, "1 MiB");
}
END_TEST

/* --- bytes --- */

START_TEST(each_control_byte_is_refused_where_it_stands)
{
    for (int byte = 0; byte <= 0x7f; ++byte) {
        char text[] = "[a]\nkey = 1\nother = x_y\nlast = 1\n";
        if ((byte >= 0x20 && byte != 0x7f) || byte == '\t' || byte == '\n')
            continue;
        *strchr(text, '_') = (char)byte;
        assert_bytes_refused(text, sizeof text - 1, 3, "not text");
        ck_assert_uint_eq(count, 1);
    }
}
END_TEST

START_TEST(control_byte_in_a_comment_is_refused)
{
    assert_refused("# \x1b[31m\n", 1, "not text");
}
END_TEST

START_TEST(zero_byte_is_refused_wherever_it_stands)
{
    assert_bytes_refused("\0", 1, 1, "not text");
    assert_bytes_refused("[a]\nkey = 1\n\0\n", 14, 3, "not text");
    assert_bytes_refused("[a]\nkey = 1\0", 12, 2, "not text");
}
END_TEST

START_TEST(byte_order_mark_is_refused)
{
    assert_refused("\xef\xbb\xbf[a]\nkey = 1\n", 1, "byte order mark");
    assert_refused("\xef\xbb\xbf", 1, "byte order mark");
}
END_TEST

/* --- comments behind a value --- */

START_TEST(semicolon_behind_a_blank_is_refused)
{
    assert_refused("[a]\nkey = pass ; starved\n", 2, "directly after the previous word");
    assert_refused("[a]\nkey = pass\t; starved\n", 2, "directly after the previous word");
    assert_refused("[a]\nkey = pass ;\n", 2, "directly after the previous word");
    assert_refused("[a]\nkey = ; starved\n", 2, "directly after the previous word");
    assert_refused("[a] ; first\nkey = 1\n", 1, "directly after the previous word");
}
END_TEST

START_TEST(semicolon_behind_a_blank_is_refused_in_a_further_line)
{
    assert_refused("[a]\nkey = pass;\n    wrong ; starved\n", 3, "directly after the previous word");
}
END_TEST

/* --- sections --- */

START_TEST(section_that_comes_again_is_refused_at_its_second_line)
{
    assert_refused("[a]\nkey = 1\n[b]\nkey = 2\n[a]\nother = 3\n", 5, "twice");
    ck_assert_uint_eq(count, 2);
}
END_TEST

START_TEST(section_that_comes_again_at_once_is_refused)
{
    assert_refused("[a]\n[a]\nkey = 1\n", 2, "twice");
}
END_TEST

START_TEST(section_that_comes_again_indented_is_refused)
{
    assert_refused("[a]\nkey = 1\n[b]\n  [a]\n  key = 2\n", 4, "twice");
    assert_refused("  [a]\nkey = 1\n[a]\n", 3, "twice");
}
END_TEST

START_TEST(bracket_in_a_value_that_goes_on_is_no_section)
{
    assert_read("[a]\nkey = see\n    [a]\n    [b\nother = 1\n");
    ck_assert_uint_eq(count, 4);
    assert_pair(1, "a", "key", "[a]", 3);
    assert_pair(2, "a", "key", "[b", 4);
    assert_pair(3, "a", "other", "1", 5);
}
END_TEST

START_TEST(sections_whose_names_begin_alike_are_two)
{
    assert_read("[ab]\nkey = 1\n[a]\nkey = 2\n[abc]\nkey = 3\n");
    ck_assert_uint_eq(count, 3);
    assert_pair(1, "a", "key", "2", 4);
}
END_TEST

START_TEST(section_that_comes_again_behind_many_others_is_refused)
{
    char text[1024] = "";
    size_t used = 0;
    for (int i = 0; i < 40; ++i)
        used += (size_t)sprintf(text + used, "[s%d]\n", i);
    strcat(text, "[s39]\n");
    struct error error;
    ck_assert_int_eq(read_bytes(text, strlen(text), &error), -1);
    ck_assert_int_eq(error.status, STATUS_USAGE);
}
END_TEST

START_TEST(section_that_is_not_written_as_one_is_refused)
{
    assert_refused("[a\nkey = 1\n", 1, "[name]");
    assert_refused("[]\nkey = 1\n", 1, "[name]");
    assert_refused("[\n", 1, "[name]");
}
END_TEST

START_TEST(text_behind_a_section_is_refused)
{
    assert_refused("[a] key = 1\n", 1, "[name]");
    assert_refused("[a]]\n", 1, "[name]");
    assert_read("[a] \t\nkey = 1\n");
    assert_read("[a]\r\nkey = 1\r\n");
}
END_TEST

START_TEST(name_of_a_section_has_at_most_49_bytes)
{
    char text[128];
    memset(text, 's', sizeof text);
    text[0] = '[';
    strcpy(text + 50, "]\nkey = 1\n");
    assert_read(text);
    ck_assert_uint_eq(strlen(taken[0].section), 49);
    memset(text + 1, 's', 50);
    strcpy(text + 51, "]\nkey = 1\n");
    assert_refused(text, 1, "[name]");
}
END_TEST

/* --- other faults --- */

START_TEST(line_that_is_nothing_is_refused)
{
    assert_refused("[a]\nkey = 1\nnonsense\n", 3, "key = value");
    assert_refused("nonsense", 1, "key = value");
}
END_TEST

START_TEST(error_of_who_takes_pairs_gets_its_place)
{
    refused_key = "bad";
    assert_refused("[a]\ngood = 1\n\nbad = 2\nother = 3\n", 4, "bad is not wanted");
}
END_TEST

START_TEST(nothing_is_taken_after_an_error)
{
    refused_key = "bad";
    assert_refused("[a]\nbad = 1\n    2\nother = 3\n[b]\nbad = 4\n", 2, "bad is not wanted");
    ck_assert_uint_eq(count, 1);
}
END_TEST

HARNESS_MAIN("ini", pairs_are_taken_in_order_with_section_and_line, blanks_around_key_and_value_are_taken_off,
             value_may_be_empty, value_begins_behind_the_first_equals_sign, pair_before_any_section_has_none,
             comments_and_empty_lines_are_left_out, hash_in_a_value_is_no_comment, value_goes_on_in_indented_lines,
             value_goes_on_behind_a_comment, semicolon_directly_behind_a_word_belongs_to_the_value,
             last_line_needs_no_end, lines_may_end_as_on_windows, empty_file_has_no_pairs,
             bytes_behind_the_length_are_not_read, letters_beyond_ascii_are_text, line_of_198_bytes_is_read_whole,
             line_of_199_bytes_is_refused, longer_lines_are_refused, long_comment_is_refused_too,
             file_may_have_1_mib_and_no_more, each_control_byte_is_refused_where_it_stands,
             control_byte_in_a_comment_is_refused, zero_byte_is_refused_wherever_it_stands, byte_order_mark_is_refused,
             semicolon_behind_a_blank_is_refused, semicolon_behind_a_blank_is_refused_in_a_further_line,
             section_that_comes_again_is_refused_at_its_second_line, section_that_comes_again_at_once_is_refused,
             section_that_comes_again_indented_is_refused, bracket_in_a_value_that_goes_on_is_no_section,
             sections_whose_names_begin_alike_are_two, section_that_comes_again_behind_many_others_is_refused,
             section_that_is_not_written_as_one_is_refused, text_behind_a_section_is_refused,
             name_of_a_section_has_at_most_49_bytes, line_that_is_nothing_is_refused,
             error_of_who_takes_pairs_gets_its_place, nothing_is_taken_after_an_error)
