#include "cli/help.h"

#include "core/naming.h"
#include "core/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMNS = 79, COLUMN_OF_USAGE = 12, COLUMN_OF_HELP = 29 };

static void print_wrapped(const char *first, int margin, const char *text)
{
    char blanks[COLUMN_OF_HELP + 1];

    snprintf(blanks, sizeof blanks, "%*s", margin, "");
    text_wrap(&(struct text_page){.out = stdout, .first = first, .margin = blanks, .columns = COLUMNS}, text);
}

void help_argument(const struct command_option *option, char text[ARGUMENT_TEXT])
{
    char names[ARGUMENT_TEXT] = "";

    text[0] = '\0';
    if (option->names != NULL)
        naming_print_set(option->names, UINT32_MAX, "|", names, sizeof names);
    if (option->take == take_names)
        text_append(names, sizeof names, ",...");
    if (option->argument != NULL)
        text_append(names, sizeof names, "%s", option->argument);
    if (names[0] != '\0')
        snprintf(text, ARGUMENT_TEXT, option->optional ? "[=%s]" : "=%s", names);
}

void help_operands(const struct command_line *line, char text[ARGUMENT_TEXT])
{
    text[0] = '\0';
    if (line->modes != NULL)
        naming_print_set(line->modes, UINT32_MAX, "|", text, ARGUMENT_TEXT);
    if (line->named != NULL)
        text_list(text, ARGUMENT_TEXT, " ", "%s", line->named);
}

void help_notes(const struct command_line *line, char text[HELP_TEXT])
{
    const char *const notes = line->notes != NULL ? line->notes : "";
    snprintf(text, HELP_TEXT, "%s%sExit status: %s.", notes, notes[0] != '\0' ? " " : "", line->statuses);
}

/* By group, and then by what stands first: the name, or the letter, which comes behind all names that begin with it. */
static int compare(const void *one, const void *other)
{
    const struct command_option *a = ((const struct command_entry *)one)->option;
    const struct command_option *b = ((const struct command_entry *)other)->option;
    const char letters[][3] = {{(char)a->letter, '~'}, {(char)b->letter, '~'}};

    return a->group != b->group
               ? a->group - b->group
               : strcasecmp(a->letter != 0 ? letters[0] : a->name, b->letter != 0 ? letters[1] : b->name);
}

size_t help_entries(const struct command_line *line, struct command_entry entries[ENTRIES_MOST])
{
    const size_t count = command_entries(line, entries);

    qsort(entries, count, sizeof *entries, compare);
    return count;
}

static void print_option(const struct command_option *option)
{
    char argument[ARGUMENT_TEXT], name[ARGUMENT_TEXT + 40], first[COLUMN_OF_HELP + 1];

    help_argument(option, argument);
    if (option->letter != 0)
        snprintf(name, sizeof name, "  -%c, --%s%s", option->letter, option->name, argument);
    else
        snprintf(name, sizeof name, "      --%s%s", option->name, argument);
    const bool fits = strlen(name) < COLUMN_OF_HELP;
    if (!fits)
        puts(name);
    snprintf(first, sizeof first, "%-*.*s", COLUMN_OF_HELP, COLUMN_OF_HELP, fits ? name : "");
    print_wrapped(first, COLUMN_OF_HELP, option->doc);
}

void help_print(const struct command_line *line, const char *name)
{
    struct command_entry entries[ENTRIES_MOST];
    const size_t count = help_entries(line, entries);
    char text[HELP_TEXT] = "", operands[ARGUMENT_TEXT];
    bool shared = false;

    help_operands(line, operands);
    snprintf(text, sizeof text, "Usage: %s [OPTION...] %s", name, operands);
    print_wrapped("", COLUMN_OF_USAGE, text);
    print_wrapped("", 0, line->doc);
    putchar('\n');
    for (size_t i = 0; i < count; ++i) {
        print_option(entries[i].option);
        help_argument(entries[i].option, operands);
        shared = shared || (entries[i].option->letter != 0 && operands[0] != '\0');
    }
    putchar('\n');
    if (shared)
        puts("Mandatory or optional arguments to long options are also mandatory or optional\n"
             "for any corresponding short options.\n");
    help_notes(line, text);
    print_wrapped("", 0, text);
}

void help_print_usage(const struct command_line *line, const char *name)
{
    struct command_entry entries[ENTRIES_MOST];
    const size_t count = help_entries(line, entries);
    char text[HELP_TEXT] = "", argument[ARGUMENT_TEXT];

    snprintf(text, sizeof text, "Usage: %s [-", name);
    for (size_t i = 0; i < count; ++i)
        if (entries[i].option->letter != 0 && !command_option_takes(entries[i].option))
            text_append(text, sizeof text, "%c", entries[i].option->letter);
    text_append(text, sizeof text, "]");
    for (size_t i = 0; i < count; ++i) {
        help_argument(entries[i].option, argument);
        if (entries[i].option->letter != 0 && argument[0] != '\0')
            text_append(text, sizeof text, " [-%c %s]", entries[i].option->letter, argument + 1);
    }
    for (size_t i = 0; i < count; ++i) {
        help_argument(entries[i].option, argument);
        text_append(text, sizeof text, " [--%s%s]", entries[i].option->name, argument);
    }
    help_operands(line, argument);
    text_append(text, sizeof text, " %s", argument);
    print_wrapped("", COLUMN_OF_USAGE, text);
}
