/* Fills templates of manual pages, and of parts of the manual, from the tables of options; for the build. */
#include "cli/command.h"

#include "base/source.h"
#include "cli/glossary.h"
#include "cli/help.h"
#include "core/text.h"
#include "format/facts_json.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROFF_COLUMNS = 71, WORD = 256, TEXT = 4096 };

/* A page while it is printed. */
struct page {
    const struct command *commands, *command; /* the whole table; and the one that the page is of, or NULL */
    bool is_rst;                              /* reStructuredText, or else roff, as man(7) takes it */
    bool is_shown, is_any;                    /* the present lines of a section; and any of its entries so far */
};

/* --- text --- */

/* Writes a word; one that begins with a dash keeps its dashes. Returns how long it is, a dash being one column. */
static size_t make_roff(const char *word, size_t length, char roff[WORD])
{
    static const char *const escapes[] = {"\\\\e", "~\\(ti", "^\\(ha", "`\\(ga"}; /* behind the letter */
    bool dashes = false;
    size_t columns = 0;

    roff[0] = '\0';
    for (size_t i = 0; i < length; ++i) {
        char plain[] = {word[i], '\0'};
        const char *text = plain;
        dashes = dashes || (word[i] == '-' && (i == 0 || word[i - 1] == '('));
        for (size_t escape = 0; escape < sizeof escapes / sizeof *escapes; ++escape)
            text = word[i] == escapes[escape][0] ? escapes[escape] + 1 : text;
        columns += strlen(text);
        text_append(roff, WORD, "%s%s", dashes && word[i] == '-' ? "\\" : "", text);
    }
    return columns;
}

/* Prints filled text; a sentence begins a line. */
static void print_roff(const char *text)
{
    size_t column = 0;
    bool ended = false;
    char roff[WORD];

    while (*(text += strspn(text, " \n")) != '\0') {
        const size_t length = strcspn(text, " \n"), columns = make_roff(text, length, roff);
        const bool first = column == 0 || ended || column + 1 + columns > ROFF_COLUMNS;
        const bool is_request = first && (roff[0] == '.' || roff[0] == '\'');
        printf("%s%s%s", column == 0 ? "" : first ? "\n" : " ", is_request ? "\\&" : "", roff);
        column = first ? columns : column + 1 + columns;
        ended = length > 1 && text[length - 1] == '.' && text[length - 2] != '.';
        text += length;
    }
    putchar('\n');
}

/* Prints words, with a blank between them. */
static void print_rst(const char *text)
{
    for (bool first = true; *(text += strspn(text, " \n")) != '\0'; first = false) {
        fputs(first ? "" : " ", stdout);
        for (; *text != '\0' && *text != ' ' && *text != '\n'; ++text)
            printf("%s%c", strchr("\\*`|_", *text) != NULL ? "\\" : "", *text);
    }
    putchar('\n');
}

static void print_text(const struct page *page, const char *text)
{
    (page->is_rst ? print_rst : print_roff)(text);
}

static void print_heading(const struct page *page, const char *text)
{
    printf(page->is_rst ? "\n%s\n" : ".SH %s\n", text);
    for (const char *at = text; page->is_rst && *at != '\0'; ++at)
        putchar('-');
    fputs(page->is_rst ? "\n\n" : "", stdout);
}

/*
 * Prints what help shows of a name or an argument in roff: a word in upper case is in italics, for it stands for
 * something, unless it is a choice. A line may end behind each choice.
 */
static void print_roff_argument(const char *text)
{
    const bool is_choice = strchr(text, '|') != NULL;

    while (*text != '\0') {
        const size_t upper = is_choice ? 0 : strspn(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZ");
        if (upper > 0)
            printf("\\fI%.*s\\fR", (int)upper, text);
        else
            printf("%s%c%s", *text == '-' ? "\\" : "", *text, *text == '|' ? "\\:" : "");
        text += upper > 0 ? upper : 1;
    }
}

/* --- what templates leave open --- */

static void print_purpose(const struct page *page)
{
    print_text(page, page->command->purpose);
}

static void print_synopsis(const struct page *page)
{
    char operands[ARGUMENT_TEXT];

    help_operands(page->command->line, operands);
    const char *const blank = operands[0] != '\0' ? " " : "";
    if (page->is_rst) {
        printf("::\n\n    gridlock %s [OPTION...]%s%s\n\n", page->command->name, blank, operands);
    } else {
        printf("\\fBgridlock %s\\fR [\\fIOPTION\\fR...]%s", page->command->name, blank);
        print_roff_argument(operands);
        putchar('\n');
    }
}

static void print_about(const struct page *page)
{
    print_text(page, page->command->line->doc);
    if (!page->is_rst && page->command->line->notes != NULL) {
        puts(".PP");
        print_text(page, page->command->line->notes);
    }
}

static void print_options(const struct page *page)
{
    struct command_entry entries[ENTRIES_MOST];
    const size_t count = help_entries(page->command->line, entries);
    char argument[ARGUMENT_TEXT];

    for (size_t i = 0; i < count; ++i) {
        const struct command_option *option = entries[i].option;
        help_argument(option, argument);
        if (!page->is_rst)
            puts(".TP");
        if (option->letter != 0)
            printf(page->is_rst ? "``-%c``, " : "\\fB\\-%c\\fR, ", option->letter);
        if (page->is_rst) {
            printf("``--%s%s``\n    ", option->name, argument);
        } else {
            fputs("\\fB\\-\\-", stdout);
            print_roff_argument(option->name);
            fputs("\\fR", stdout);
            print_roff_argument(argument);
            putchar('\n');
        }
        print_text(page, option->doc);
        fputs(page->is_rst ? "\n" : "", stdout);
    }
}

static void print_statuses(const struct page *page)
{
    for (const char *at = page->command->line->statuses, *end; at != NULL; at = end) {
        const size_t codes = strspn(at, "0123456789, ");
        char text[TEXT];
        if (codes > 0)
            printf(".TP\n.B %.*s\n", (int)codes - 1, at);
        end = strstr(at, "; ");
        end = end != NULL ? end + strlen("; ") : NULL;
        snprintf(text, sizeof text, "%.*s.", end != NULL ? (int)(end - at) - 2 : TEXT, at);
        text[codes] = (char)toupper((unsigned char)text[codes]);
        print_text(page, text + codes);
    }
}

static void print_others(const struct page *page)
{
    printf("%s.BR gridlock (7),\n", page->command != NULL ? ".BR gridlock (1),\n" : "");
    for (const struct command *command = page->commands; command->line != NULL; ++command)
        if (command != page->command)
            printf(".BR gridlock\\-%s (1),\n", command->name);
    puts(".BR clinfo (1)");
}

static void print_commands(const struct page *page)
{
    char text[TEXT];

    for (const struct command *command = page->commands; command->line != NULL; ++command) {
        const struct page one = {.commands = page->commands, .command = command, .is_rst = page->is_rst};
        if (!page->is_rst) {
            printf(".TP\n.BR gridlock\\-%s (1)\n", command->name);
            print_purpose(&one);
            continue;
        }
        snprintf(text, sizeof text, "gridlock %s", command->name);
        print_heading(&one, text);
        print_synopsis(&one);
        print_about(&one);
        putchar('\n');
        print_options(&one);
        help_notes(command->line, text);
        print_text(&one, text);
    }
}

/* The page of words. A line in capitals is a heading. */
static void print_words(const struct page *page)
{
    const char *at = help_pages[0].text;
    struct glossary_part part;
    char text[TEXT];

    for (bool first = true; glossary_next(&at, &part); first = false) {
        snprintf(text, sizeof text, "%.*s", (int)part.line, part.text);
        if (first) {
            print_text(page, text);
        } else if (glossary_is_heading(&part)) {
            for (size_t i = 1; i < part.line && page->is_rst; ++i)
                text[i] = (char)tolower((unsigned char)text[i]);
            print_heading(page, text);
        } else {
            if (page->is_rst) {
                printf("%s\n    ", text);
            } else {
                fputs(".TP\n.B ", stdout);
                print_roff_argument(text);
                putchar('\n');
            }
            snprintf(text, sizeof text, "%.*s", (int)(part.length - part.line), part.text + part.line);
            print_text(page, text);
            fputs(page->is_rst ? "\n" : "", stdout);
        }
    }
}

/* --- templates --- */

/* Answers whether one of the words is the name of the page's command, one of its options, or in its operands. */
static bool belongs(const struct page *page, char *words)
{
    struct command_entry entries[ENTRIES_MOST];
    char operands[ARGUMENT_TEXT];
    bool found = page->command == NULL;

    for (char *word = strtok(words, " "); word != NULL && !found; word = strtok(NULL, " ")) {
        const size_t count = help_entries(page->command->line, entries);
        help_operands(page->command->line, operands);
        found = strcmp(word, page->command->name) == 0 || strstr(operands, word) != NULL;
        for (size_t i = 0; i < count; ++i)
            found = found || (strncmp(word, "--", 2) == 0 && strcmp(word + 2, entries[i].option->name) == 0);
    }
    return found;
}

/* Lines of templates that begin with %. */
static const struct {
    const char *line;
    void (*print)(const struct page *page);
} blocks[] = {
    {"%purpose", print_purpose},   {"%synopsis", print_synopsis}, {"%about", print_about},
    {"%options", print_options},   {"%others", print_others},     {"%statuses", print_statuses},
    {"%commands", print_commands}, {"%words", print_words},
};

/*
 * Lines behind "%when WORD..." are for pages to which one of the words belongs, until the next such line or heading;
 * those behind "%otherwise" are for pages that had none of these.
 */
static void print_line(struct page *page, char *line)
{
    static const char when[] = "%when ";

    if (strncmp(line, ".SH", 3) == 0)
        page->is_any = !(page->is_shown = true);
    if (strncmp(line, when, strlen(when)) == 0) {
        page->is_shown = belongs(page, line + strlen(when));
        page->is_any = page->is_any || page->is_shown;
    } else if (strcmp(line, "%otherwise") == 0) {
        page->is_shown = !page->is_any;
    } else if (line[0] != '%' && page->is_shown) {
        puts(line);
    }
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; ++i)
        if (strcmp(line, blocks[i].line) == 0)
            blocks[i].print(page);
}

int describe(const struct command *commands, int count, char **arguments)
{
    struct page page = {.commands = commands, .is_shown = true};
    char *line = NULL;
    size_t room = 0;

    if (count == 2 && strcmp(arguments[1], "json") == 0) {
        facts_json_schema(stdout);
        return STATUS_OK;
    }
    page.is_rst = count > 1 && strcmp(arguments[1], "rst") == 0;
    for (; count > 1 && !page.is_rst && commands->line != NULL; ++commands)
        if (strcmp(arguments[1], commands->name) == 0)
            page.command = commands;
    if (count > 1 && !page.is_rst && page.command == NULL) {
        fputs("gridlock: \"describe\" is for internal use\n", stderr);
        return STATUS_USAGE;
    }
    while (getline(&line, &room, stdin) > 0) {
        line[strcspn(line, "\n")] = '\0';
        print_line(&page, line);
    }
    free(line);
    return STATUS_OK;
}
