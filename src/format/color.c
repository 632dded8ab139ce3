#include "format/color.h"

#include <string.h>

const struct colors colors_none = {"", "", ""};
const struct colors colors_terminal = {"\033[31m", "\033[33m", "\033[32m"};

int color_parse(const char *text, enum color_choice *choice, struct error *error)
{
    static const char *const names[] = {"auto", "always", "never"};
    for (int i = 0; i < 3; ++i)
        if (strcmp(text, names[i]) == 0) {
            *choice = (enum color_choice)i;
            return 0;
        }
    return error_set(error, STATUS_USAGE, "--color %.40s: auto, always and never are allowed", text);
}

static bool is_wanted(bool is_terminal, const char *no_color, const char *clicolor_force)
{
    if (no_color != NULL && no_color[0] != '\0')
        return false;
    if (clicolor_force != NULL && clicolor_force[0] != '\0' && strcmp(clicolor_force, "0") != 0)
        return true;
    return is_terminal;
}

const struct colors *colors_choose(enum color_choice choice, bool is_terminal, const char *no_color,
                                   const char *clicolor_force)
{
    const bool colored =
        choice == COLOR_ALWAYS || (choice == COLOR_AUTO && is_wanted(is_terminal, no_color, clicolor_force));
    return colored ? &colors_terminal : &colors_none;
}

void color_begin(FILE *out, const char *color)
{
    fputs(color, out);
}

void color_end(FILE *out, const char *color)
{
    if (color[0] != '\0')
        fputs("\033[0m", out);
}
