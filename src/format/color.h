/*
 * Colours of the text that people read: what came as a surprise, what was not decided, and what is as expected; nothing
 * else has one.
 */
#pragma once

#include "core/naming.h"

#include <stdbool.h>
#include <stdio.h>

/* Each a sequence that begins a colour, or "". */
struct colors {
    const char *surprise, *undecided, *expected;
};

extern const struct colors colors_none;
extern const struct colors colors_terminal; /* red, yellow, green of ECMA-48, as the terminal shows them */

enum color_choice { COLOR_AUTO, COLOR_ALWAYS, COLOR_NEVER };

extern const struct naming color_naming;

/*
 * Auto: on a terminal. NO_COLOR, unless it is unset or empty, forbids it (https://no-color.org); otherwise CLICOLOR_FORCE
 * asks for it everywhere, unless it is unset, empty or 0 (https://bixense.com/clicolors). NULL is unset.
 */
const struct colors *colors_choose(enum color_choice choice, bool is_terminal, const char *no_color,
                                   const char *clicolor_force);

/* What is written between them has the colour; both write nothing if it is "". */
void color_begin(FILE *out, const char *color);
void color_end(FILE *out, const char *color);
void color_print(FILE *out, const char *color, const char *format, ...) __attribute__((format(printf, 3, 4)));
