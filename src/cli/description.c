#include "cli/description.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char words[] = "abcdefghijklmnopqrstuvwxyz0123456789-";
static const char value_words[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_";

/* --- values that a doc text lists --- */

/* The end of a part of a sentence: what it lists stands in one of them. */
static size_t part_length(const char *text)
{
    size_t length = 0;
    while (text[length] != '\0' && text[length] != '(' && text[length] != ')' &&
           !((text[length] == ':' || text[length] == ';') && text[length + 1] == ' '))
        ++length;
    return length;
}

/* The text behind "," or "or", or NULL if neither stands there. */
static const char *behind_separator(const char *text, const char *end)
{
    const char *at = text;
    if (at < end && *at == ',')
        ++at;
    if (end - at >= 4 && strncmp(at, " or ", 4) == 0)
        at += 3;
    if (at == text || at >= end || *at != ' ')
        return NULL;
    return at + 1;
}

/* Takes a part that is nothing but words, "a, b" or "a or b". */
static bool take_values(struct option_description *option, const char *text, size_t length)
{
    const char *end = text + length;

    option->value_count = 0;
    while (end > text && end[-1] == ' ')
        --end;
    for (const char *at = text; option->value_count < DESCRIPTION_VALUES;) {
        const size_t word = strspn(at, value_words);
        char *value = option->values[option->value_count];
        if (word == 0 || word >= sizeof option->values[0] || at[0] == '-')
            return false;
        memcpy(value, at, word);
        value[word] = '\0';
        ++option->value_count;
        at += word;
        if (at >= end)
            return option->value_count > 1;
        at = behind_separator(at, end);
        if (at == NULL)
            return false;
    }
    return false;
}

static void find_values(struct option_description *option)
{
    for (const char *at = option->doc; *at != '\0';) {
        const size_t length = part_length(at);
        if (take_values(option, at, length))
            return;
        at += length;
        at += strspn(at, ":;() ");
    }
    option->value_count = 0;
}

/* --- arguments --- */

static bool begins(const char *text, const char *start)
{
    return strncmp(text, start, strlen(start)) == 0;
}

/* Takes "a|b|c": one of these words. */
static bool take_choices(struct option_description *operands, const char *text)
{
    if (strchr(text, '|') == NULL)
        return false;
    for (; operands->value_count < DESCRIPTION_VALUES; ++text) {
        const size_t word = strspn(text, words);
        if (word == 0 || (text[word] != '|' && text[word] != '\0'))
            break;
        snprintf(operands->values[operands->value_count++], sizeof operands->values[0], "%.*s", (int)word, text);
        text += word;
        if (*text == '\0')
            return true;
    }
    operands->value_count = 0;
    return false;
}

/* What is neither a choice nor a scenario nor any file is a run file, whatever it is called: RUN, BASE. */
static enum argument_kind kind_of_operands(struct option_description *operands, const char *text)
{
    if (text[0] == '\0')
        return ARGUMENT_NONE;
    if (take_choices(operands, text))
        return ARGUMENT_VALUES;
    if (strstr(text, "SCENARIO") != NULL)
        return ARGUMENT_SCENARIO;
    return strstr(text, "FILE") != NULL ? ARGUMENT_FILE : ARGUMENT_RUN;
}

static void find_kind(struct option_description *option)
{
    const char *argument = option->argument;

    option->kind = ARGUMENT_TEXT;
    if (argument == NULL) {
        option->kind = ARGUMENT_NONE;
    } else if (begins(argument, "DIR")) {
        option->kind = ARGUMENT_FOLDER;
    } else if (begins(argument, "RUN")) {
        option->kind = ARGUMENT_RUN;
    } else if (begins(argument, "FILE") || begins(argument, "LIBRARY")) {
        option->kind = ARGUMENT_FILE;
    } else if (argument[strspn(argument, words)] == '\0') {
        option->kind = ARGUMENT_VALUES; /* in lower case it is meant as it stands */
        snprintf(option->values[0], sizeof option->values[0], "%s", argument);
        option->value_count = 1;
    } else {
        find_values(option);
        if (option->value_count > 0)
            option->kind = ARGUMENT_VALUES;
    }
}

/* --- options --- */

static void add_option(struct description *description, const struct argp_option *from, int group)
{
    struct option_description *option = &description->options[description->count];

    if (description->count == DESCRIPTION_OPTIONS)
        abort(); /* a table of this program has grown */
    ++description->count;
    *option = (struct option_description){
        .name = from->name,
        .letter = (char)(from->key > ' ' && from->key <= '~' ? from->key : 0),
        .argument = from->arg,
        .optional = (from->flags & OPTION_ARG_OPTIONAL) != 0,
        .doc = from->doc != NULL ? from->doc : "",
        .group = group,
    };
    find_kind(option);
}

static void add_parser(struct description *description, const struct argp *argp)
{
    int group = 0;

    for (const struct argp_option *option = argp->options;
         option != NULL && (option->name != NULL || option->key != 0 || option->doc != NULL); ++option) {
        group = option->group != 0 ? option->group : group;
        if (option->name != NULL && (option->flags & (OPTION_HIDDEN | OPTION_ALIAS | OPTION_DOC)) == 0)
            add_option(description, option, group);
    }
    for (const struct argp_child *child = argp->children; child != NULL && child->argp != NULL; ++child)
        add_parser(description, child->argp);
}

/* By group, as help shows them: each group in the order of its table, and those below 0 last. */
static void sort_options(struct description *description)
{
    struct option_description *options = description->options;

    for (size_t i = 1; i < description->count; ++i)
        for (size_t j = i; j > 0 && (unsigned)options[j].group < (unsigned)options[j - 1].group; --j) {
            const struct option_description kept = options[j];
            options[j] = options[j - 1];
            options[j - 1] = kept;
        }
}

/* --- the whole --- */

/* Length without blanks at the end. */
static size_t trimmed(const char *text, size_t length)
{
    while (length > 0 && (text[length - 1] == ' ' || text[length - 1] == '\n'))
        --length;
    return length;
}

static void take_doc(struct description *description, const char *doc)
{
    static const char heading[] = "Exit status: ";
    const size_t before = strcspn(doc, "\v");
    const char *after = doc[before] == '\v' ? doc + before + 1 : doc + before;
    const char *status = strstr(after, heading);

    description->about = doc;
    description->about_length = trimmed(doc, before);
    description->notes = after;
    description->notes_length = trimmed(after, status != NULL ? (size_t)(status - after) : strlen(after));
    description->exit_status = status != NULL ? status + strlen(heading) : "";
}

void describe_command(const struct command *command, struct description *description)
{
    static const struct argp nothing;
    /* argp adds these. */
    static const struct argp_option help = {"help", '?', NULL, 0, "Give this help list", -1};
    static const struct argp_option usage = {"usage", 0, NULL, 0, "Give a short usage message", -1};
    const struct argp *argp = command->argp != NULL ? command->argp : &nothing;

    *description = (struct description){
        .name = command->name,
        .purpose = command->purpose,
        .arguments = argp->args_doc != NULL ? argp->args_doc : "",
    };
    description->operands.kind = kind_of_operands(&description->operands, description->arguments);
    take_doc(description, argp->doc != NULL ? argp->doc : "");
    add_parser(description, argp);
    add_option(description, &help, -1);
    add_option(description, &usage, -1);
    sort_options(description);
}

bool description_has(const struct description *description, const char *name)
{
    for (size_t i = 0; i < description->count; ++i)
        if (strcmp(description->options[i].name, name) == 0)
            return true;
    return false;
}
