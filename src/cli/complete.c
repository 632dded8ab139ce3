/* What the last word of a command line can become. The scripts in packaging/completion ask for it. */
#include "cli/command.h"

#include "base/source.h"
#include "cli/glossary.h"
#include "cli/help.h"
#include "core/naming.h"
#include "scenario/scenario.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* Files by what the names of arguments begin with. */
static const struct {
    const char *name, *files;
} kinds[] = {
    {"DIR", "folders"}, {"RUN", "files .gridlock"}, {"BASE", "files .gridlock"},
    {"FILE", "files "}, {"LIBRARY", "files "},      {"SCENARIO", "files .ini"},
};

/* What stands before a word: so many bytes. */
struct prefix {
    const char *text;
    int length;
};

static void print_word(struct prefix prefix, const char *word, size_t length)
{
    printf("%.*s%.*s\n", prefix.length, prefix.text, (int)length, word);
}

/* Terms of the page of words; a dash stands for a blank in them. */
static void print_terms(void)
{
    const char *page = help_pages[0].text;
    struct glossary_part part;

    while (glossary_next(&page, &part)) {
        for (size_t i = 0; i <= part.line && !glossary_is_heading(&part); ++i) {
            const bool ends = part.text[i] == ',';
            putchar(ends ? '\n' : part.text[i] == ' ' ? '-' : part.text[i]);
            i += ends; /* and the blank behind it */
        }
    }
}

static void print_commands(const struct command *commands)
{
    for (; commands->line != NULL; ++commands)
        printf("%s\t%s\n", commands->name, commands->purpose);
}

/* Prints words that an argument may be, those of a naming or else of "a|b|SELECTOR", and which files. */
static void print_argument(const struct naming *names, const char *argument, struct prefix prefix)
{
    const char *files = "";

    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; ++i)
        if (strncmp(argument + (argument[0] == '['), kinds[i].name, strlen(kinds[i].name)) == 0)
            files = kinds[i].files;
    puts(names == NULL ? files : "");
    for (int i = 0; names != NULL && i < names->count; ++i)
        print_word(prefix, names->names[i], strlen(names->names[i]));
    for (const char *word = argument; names == NULL && *word != '\0'; word += strcspn(word, "|"), word += *word == '|')
        if (islower((unsigned char)*word))
            print_word(prefix, word, strcspn(word, "|[."));
    if (strcmp(files, "files .ini") == 0)
        for (const struct scenario_file *file = scenario_files; file->name != NULL; ++file)
            print_word(prefix, file->name, strcspn(file->name, "."));
}

static void print_options(const struct command_entry *entries, size_t count)
{
    puts("");
    for (size_t i = 0; i < count; ++i)
        printf("--%s\t%s\n", entries[i].option->name, entries[i].option->doc);
    for (size_t i = 0; i < count; ++i)
        if (islower(entries[i].option->letter))
            printf("-%c\t%s\n", entries[i].option->letter, entries[i].option->doc);
}

/* Returns the option whose long name `word` is, if it takes an argument; else NULL. */
static const struct command_option *find_option(const struct command_entry *entries, size_t count, const char *word,
                                                size_t length)
{
    for (size_t i = 0; i < count && length > 2 && strncmp(word, "--", 2) == 0; ++i) {
        const struct command_option *option = entries[i].option;
        if (strlen(option->name) == length - 2 && strncmp(word + 2, option->name, length - 2) == 0 &&
            command_option_takes(option))
            return option;
    }
    return NULL;
}

/* Returns the first of letters such as -vdVALUE that takes an argument, which begins at *value; or NULL. */
static const struct command_option *find_letter(const struct command_entry *entries, size_t count, const char *word,
                                                const char **value)
{
    for (const char *letter = word + 1; word[0] == '-' && word[1] != '-' && *letter != '\0'; ++letter)
        for (size_t i = 0; i < count; ++i)
            if (entries[i].option->letter == *letter && command_option_takes(entries[i].option)) {
                *value = letter + 1;
                return entries[i].option;
            }
    return NULL;
}

/* Completes words[count - 1]; words[0] is the command. --format=json may be three words, or one. */
static void complete_argument(const struct command_line *line, char **words, int count)
{
    struct command_entry entries[ENTRIES_MOST];
    const size_t entry_count = help_entries(line, entries);
    const char *current = words[count - 1], *option = count > 2 ? words[count - 2] : "";
    const char *value = current; /* the item of a list, in the argument */
    const char *attached = "";   /* to a letter */
    bool equals = strcmp(current, "=") == 0, has_mode = line->modes == NULL, options_end = false;
    size_t length = strlen(option);

    if (!equals && strcmp(option, "=") == 0 && count > 3) {
        equals = true;
        length = strlen(option = words[count - 3]);
    } else if (strncmp(current, "--", 2) == 0 && strchr(current, '=') != NULL) {
        equals = true;
        length = strcspn(option = current, "=");
        value += length + 1;
    }
    const struct command_option *found = find_option(entries, entry_count, option, length);
    if (found == NULL)
        found = find_letter(entries, entry_count, option, &attached);
    if (*attached != '\0')
        found = NULL; /* the word before has its argument */
    const struct command_option *own = find_letter(entries, entry_count, current, &attached);
    if (own != NULL && *attached != '\0') {
        found = own;
        equals = true;
        value = attached;
    }
    for (int i = 1; i < count - 1; ++i) {
        has_mode = has_mode || naming_find(line->modes, words[i]) >= 0;
        options_end = options_end || strcmp(words[i], "--") == 0;
    }
    if (found != NULL && !options_end && (!found->optional || equals)) {
        if (found->take == take_names && strrchr(value, ',') != NULL)
            value = strrchr(value, ',') + 1;
        const int length_before = strcmp(current, "=") == 0 ? 0 : (int)(value - current);
        print_argument(found->names, found->argument != NULL ? found->argument : "",
                       (struct prefix){current, length_before});
    } else if (current[0] == '-' && !options_end) {
        print_options(entries, entry_count);
    } else if (!equals) {
        print_argument(has_mode ? NULL : line->modes, line->named != NULL ? line->named : "", (struct prefix){"", 0});
    }
}

int complete(const struct command *commands, int count, char **arguments)
{
    char **const words = arguments + 1;
    const struct command *command = commands;

    count -= 1;
    while (command->name != NULL && count > 1 && strcmp(command->name, words[0]) != 0)
        ++command;
    if (count > 1 && command->line != NULL) {
        complete_argument(command->line, words, count);
    } else if (count <= 1 || strcmp(words[0], "help") == 0) {
        puts("");
        print_commands(commands);
        if (count > 1) {
            puts("words");
            print_terms();
        } else {
            puts("help\texplains a command, or words\n--help\tShow the commands\n"
                 "-V\tShow the version\n--version\tShow the version");
        }
    }
    return STATUS_OK;
}
