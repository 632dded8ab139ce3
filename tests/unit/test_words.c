/* A command line that is stored can be read again, by the program and by a shell. */
#include "base/words.h"

#include "harness.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { WORDS_MOST = 12, WORD_BYTES = 24, LINES = 20000 };

static void check_joined(const char *expected, size_t count, char *const *words)
{
    char *line = words_join(words, count);
    ck_assert_ptr_nonnull(line);
    ck_assert_str_eq(line, expected);
    free(line);
}

static void check_split(const char *line, size_t count, const char *const *expected)
{
    char **words;
    size_t found;

    ck_assert_int_eq(words_split(line, &words, &found), 0);
    ck_assert_uint_eq(found, count);
    for (size_t i = 0; i < count; ++i)
        ck_assert_str_eq(words[i], expected[i]);
    ck_assert_ptr_null(words[count]);
    free(words);
}

START_TEST(plain_words_stay_as_they_are)
{
    char *const words[] = {"gridlock", "run", "-o", "a/b_c.run", "--shard", "0/4", "x=1,2", "+", "@a", "50%", "--"};
    check_joined("gridlock run -o a/b_c.run --shard 0/4 x=1,2 + @a 50% --", 11, words);
}
END_TEST

START_TEST(other_words_are_quoted_for_a_shell)
{
    char *const words[] = {"gridlock run", "", "it's", "$HOME", "a\nb", "*", "\"", "\\", "~"};
    check_joined("'gridlock run' '' 'it'\\''s' '$HOME' 'a\nb' '*' '\"' '\\' '~'", 9, words);
}
END_TEST

START_TEST(no_words_are_an_empty_line)
{
    check_joined("", 0, NULL);
    check_split("", 0, NULL);
    check_split("   ", 0, NULL);
}
END_TEST

START_TEST(blanks_between_words_may_be_many)
{
    check_split("  a   b ", 2, (const char *const[]){"a", "b"});
}
END_TEST

START_TEST(quotes_may_be_anywhere_in_a_word)
{
    check_split("a'b c'd \\'x a\\ b ''", 4, (const char *const[]){"ab cd", "'x", "a b", ""});
}
END_TEST

START_TEST(backslash_in_quotes_is_one)
{
    check_split("'a\\b' 'c\\'", 2, (const char *const[]){"a\\b", "c\\"});
}
END_TEST

START_TEST(backslash_at_the_end_is_kept)
{
    check_split("a\\", 1, (const char *const[]){"a\\"});
}
END_TEST

START_TEST(quote_that_does_not_end_is_refused)
{
    static const char *const lines[] = {"'", "a 'b", "a 'b c", "'a' 'b''", "it's"};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; ++i) {
        char **words;
        size_t count;
        ck_assert_msg(words_split(lines[i], &words, &count) == -1, "%s", lines[i]);
    }
}
END_TEST

/* --- words by lot --- */

static uint32_t next(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(*state >> 33);
}

/* Half of the bytes are those that matter to quoting. */
static void draw_word(uint64_t *state, char word[WORD_BYTES])
{
    static const char special[] = "''' \\\"\n\t$-=#";
    const uint32_t length = next(state) % WORD_BYTES;

    for (uint32_t i = 0; i < length; ++i)
        word[i] = next(state) % 2 == 0 ? special[next(state) % (sizeof special - 1)] : (char)(1 + next(state) % 255);
    word[length] = '\0';
}

START_TEST(any_words_come_back)
{
    uint64_t state = 1;

    for (int line_number = 0; line_number < LINES; ++line_number) {
        char words[WORDS_MOST][WORD_BYTES];
        char *places[WORDS_MOST];
        const size_t count = next(&state) % (WORDS_MOST + 1);
        for (size_t i = 0; i < count; ++i) {
            draw_word(&state, words[i]);
            places[i] = words[i];
        }
        char *line = words_join(places, count);
        ck_assert_ptr_nonnull(line);
        check_split(line, count, (const char *const *)places);
        free(line);
    }
}
END_TEST

START_TEST(no_line_makes_the_reader_stumble)
{
    uint64_t state = 2;

    for (int line_number = 0; line_number < LINES; ++line_number) {
        char line[WORD_BYTES];
        char **words;
        size_t count;
        draw_word(&state, line);
        if (words_split(line, &words, &count) != 0)
            continue;
        ck_assert_uint_le(count, strlen(line));
        ck_assert_ptr_null(words[count]);
        free(words);
    }
}
END_TEST

HARNESS_MAIN("words", plain_words_stay_as_they_are, other_words_are_quoted_for_a_shell, no_words_are_an_empty_line,
             blanks_between_words_may_be_many, quotes_may_be_anywhere_in_a_word, backslash_in_quotes_is_one,
             backslash_at_the_end_is_kept, quote_that_does_not_end_is_refused, any_words_come_back,
             no_line_makes_the_reader_stumble)
