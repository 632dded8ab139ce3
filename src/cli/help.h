/* What --help and --usage print. */
#pragma once

#include "cli/options.h"

enum { ARGUMENT_TEXT = 120, HELP_TEXT = 4096 };

/* Writes the argument of an option as help shows it: "=text|json", "[=any]", or "". */
void help_argument(const struct command_option *option, char text[ARGUMENT_TEXT]);

/* Writes the operands of a line as help shows them, or "". */
void help_operands(const struct command_line *line, char text[ARGUMENT_TEXT]);

/* Writes what help says behind the options. */
void help_notes(const struct command_line *line, char text[HELP_TEXT]);

/* Collects the options of a line, as command_entries does, in the order in which help shows them. */
size_t help_entries(const struct command_line *line, struct command_entry entries[ENTRIES_MOST]);

/* Print on standard output what there is to say of a line, or of how it is used; `name` is that of its command. */
void help_print(const struct command_line *line, const char *name);
void help_print_usage(const struct command_line *line, const char *name);
