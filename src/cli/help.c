#include "cli/help.h"

#include "core/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMNS = 79, COLUMN_OF_HELP = 29 };

static const char help_margin[] = "                             ", usage_margin[] = "            ";
_Static_assert(sizeof help_margin == COLUMN_OF_HELP + 1, "it is as wide as the column before it");

/* Help as argp writes it when it breaks no lines. */
static FILE *stream;
static char *help;
static size_t help_bytes;

static void print_wrapped(const char *first, const char *margin, const char *text)
{
    text_wrap(&(struct text_page){.out = stdout, .first = first, .margin = margin, .columns = COLUMNS}, text);
}

/* "  -o, --option=VALUE          What it does": two blanks end the option. */
static void print_option(const char *line)
{
    const char *name = line + strspn(line, " ");
    const char *end = strstr(name, "  ");
    char first[COLUMN_OF_HELP + 1];

    if (end == NULL) {
        puts(line);
        return;
    }
    const int length = (int)(end - line);
    snprintf(first, sizeof first, "%-*.*s", COLUMN_OF_HELP, length, line);
    if (length >= COLUMN_OF_HELP)
        printf("%.*s\n", length, line);
    print_wrapped(length >= COLUMN_OF_HELP ? help_margin : first, help_margin, end);
}

static void print_line(const char *line)
{
    if (line[0] == ' ')
        print_option(line);
    else
        print_wrapped("", strncmp(line, "Usage:", strlen("Usage:")) == 0 ? usage_margin : "", line);
}

static void print_help(int status, void *context)
{
    (void)status;
    (void)context;
    FILE *const written = stream;
    stream = NULL;
    if (written == NULL || fclose(written) != 0 || help == NULL)
        return; /* there was no memory */
    for (char *line = help, *end; (end = strchr(line, '\n')) != NULL; line = end + 1) {
        *end = '\0';
        print_line(line);
    }
    free(help);
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
    (void)argument;
    if (key != ARGP_KEY_INIT)
        return ARGP_ERR_UNKNOWN;
    state->child_inputs[0] = state->input;
    if (stream != NULL)
        state->out_stream = stream;
    return 0;
}

error_t help_parse(const struct argp *argp, int count, char **arguments, void *input)
{
    static const char format[] = "ARGP_HELP_FMT";
    const struct argp_child children[] = {{argp, 0, NULL, 0}, {0}};
    const struct argp whole = {.parser = parse, .children = children};

    /* Who sets it, as completions do, wants lines of another kind. */
    if (getenv(format) != NULL)
        return argp_parse(argp, count, arguments, 0, NULL, input);
    setenv(format, "rmargin=100000,opt-doc-col=200", 0);
    stream = open_memstream(&help, &help_bytes);
    on_exit(print_help, NULL);
    const error_t outcome = argp_parse(&whole, count, arguments, 0, NULL, input);
    unsetenv(format);
    print_help(0, NULL);
    return outcome;
}
