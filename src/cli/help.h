/* What --help and --usage print. argp makes it; where it breaks lines itself, it loses margins of long options. */
#pragma once

#include <argp.h>

/* As argp_parse, which ends the program where help is asked for. */
error_t help_parse(const struct argp *argp, int count, char **arguments, void *input);
