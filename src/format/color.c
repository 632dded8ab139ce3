#include "format/color.h"

#include <stdarg.h>
#include <string.h>

const struct colors colors_none = {"", "", ""};
const struct colors colors_terminal = {"\033[31m", "\033[33m", "\033[32m"};

const struct naming color_naming = NAMING("auto", "always", "never");

static bool is_set(const char *variable)
{
    return variable != NULL && variable[0] != '\0';
}

const struct colors *colors_choose(enum color_choice choice, bool is_terminal, const char *no_color,
                                   const char *clicolor_force)
{
    const bool forced = is_set(clicolor_force) && strcmp(clicolor_force, "0") != 0;
    const bool wanted = !is_set(no_color) && (forced || is_terminal);

    return choice == COLOR_ALWAYS || (choice == COLOR_AUTO && wanted) ? &colors_terminal : &colors_none;
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

void color_print(FILE *out, const char *color, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    color_begin(out, color);
    vfprintf(out, format, arguments);
    color_end(out, color);
    va_end(arguments);
}
