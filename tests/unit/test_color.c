/* When text has colours, and what they are. */
#include "format/color.h"

#include "harness.h"

#include <string.h>

static bool is_colored(enum color_choice choice, bool is_terminal, const char *no_color, const char *clicolor_force)
{
    const struct colors *colors = colors_choose(choice, is_terminal, no_color, clicolor_force);
    ck_assert(colors == &colors_terminal || colors == &colors_none);
    return colors == &colors_terminal;
}

START_TEST(terminal_has_colors_and_nothing_else)
{
    ck_assert(is_colored(COLOR_AUTO, true, NULL, NULL));
    ck_assert(!is_colored(COLOR_AUTO, false, NULL, NULL));
}
END_TEST

START_TEST(no_color_forbids_them_unless_it_is_empty)
{
    ck_assert(!is_colored(COLOR_AUTO, true, "1", NULL));
    ck_assert(!is_colored(COLOR_AUTO, true, "0", NULL));
    ck_assert(is_colored(COLOR_AUTO, true, "", NULL));
}
END_TEST

START_TEST(clicolor_force_asks_for_them_unless_it_is_empty_or_0)
{
    ck_assert(is_colored(COLOR_AUTO, false, NULL, "1"));
    ck_assert(is_colored(COLOR_AUTO, false, "", "yes"));
    ck_assert(!is_colored(COLOR_AUTO, false, NULL, ""));
    ck_assert(!is_colored(COLOR_AUTO, false, NULL, "0"));
    ck_assert(!is_colored(COLOR_AUTO, true, "1", "1"));
}
END_TEST

START_TEST(option_is_stronger_than_the_environment)
{
    ck_assert(is_colored(COLOR_ALWAYS, false, "1", "0"));
    ck_assert(!is_colored(COLOR_NEVER, true, NULL, "1"));
}
END_TEST

START_TEST(choice_is_parsed)
{
    ck_assert_int_eq(naming_find(&color_naming, "auto"), COLOR_AUTO);
    ck_assert_int_eq(naming_find(&color_naming, "always"), COLOR_ALWAYS);
    ck_assert_int_eq(naming_find(&color_naming, "never"), COLOR_NEVER);
    ck_assert_int_eq(naming_find(&color_naming, "red"), -1);
}
END_TEST

static void assert_written(const char *color, const char *wanted)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    ck_assert_ptr_nonnull(out);
    color_begin(out, color);
    fputs("text", out);
    color_end(out, color);
    ck_assert_int_eq(fclose(out), 0);
    ck_assert_str_eq(text, wanted);
    free(text);
}

START_TEST(color_ends_where_it_is_ended)
{
    assert_written(colors_terminal.surprise, "\x1b[31mtext\x1b[0m");
    assert_written(colors_terminal.undecided, "\x1b[33mtext\x1b[0m");
    assert_written(colors_terminal.expected, "\x1b[32mtext\x1b[0m");
    assert_written(colors_none.surprise, "text");
    assert_written(colors_none.undecided, "text");
    assert_written(colors_none.expected, "text");
}
END_TEST

HARNESS_MAIN("color", terminal_has_colors_and_nothing_else, no_color_forbids_them_unless_it_is_empty,
             clicolor_force_asks_for_them_unless_it_is_empty_or_0, option_is_stronger_than_the_environment,
             choice_is_parsed, color_ends_where_it_is_ended)
