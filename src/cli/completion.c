#include "cli/completion.h"

#include "cli/description.h"

#include <stdbool.h>
#include <string.h>

static const char head[] = "# Completion of gridlock's arguments. Generated from the option tables of the program.\n\n";

/* --- text for shells --- */

/* Inside single quotes; `escaped` bytes get a backslash. */
static void put_quoted(FILE *out, const char *text, const char *escaped)
{
    for (; *text != '\0'; ++text) {
        if (*text == '\'')
            fputs("'\\''", out);
        else
            fprintf(out, "%s%c", strchr(escaped, *text) != NULL ? "\\" : "", *text);
    }
}

static void put_values(FILE *out, const struct option_description *option)
{
    for (size_t i = 0; i < option->value_count; ++i)
        fprintf(out, "%s%s", i > 0 ? " " : "", option->values[i]);
}

/* Whether values can stand one after the other, with a comma. */
static bool is_list(const struct option_description *option)
{
    return option->argument != NULL && strstr(option->argument, ",...") != NULL;
}

static bool is_repeatable(const struct option_description *option)
{
    return strstr(option->doc, "(repeatable") != NULL;
}

/* Shells take a question mark for a pattern. */
static bool has_letter(const struct option_description *option)
{
    return option->letter != 0 && option->letter != '?';
}

/* --- bash --- */

static const char bash_start[] =
    "_gridlock_take()\n"
    "{\n"
    "    local line\n"
    "    while IFS= read -r line; do\n"
    "        COMPREPLY+=(\"$line\")\n"
    "    done\n"
    "}\n"
    "\n"
    "# _gridlock_files SUFFIX CURRENT: folders, and files that end so\n"
    "_gridlock_files()\n"
    "{\n"
    "    compopt -o filenames 2>/dev/null\n"
    "    _gridlock_take < <(compgen -d -- \"$2\")\n"
    "    _gridlock_take < <(compgen -f -X \"!*$1\" -- \"$2\" | while IFS= read -r file; do\n"
    "        [[ -d $file ]] || printf '%s\\n' \"$file\"\n"
    "    done)\n"
    "}\n"
    "\n"
    "_gridlock()\n"
    "{\n"
    "    local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]}\n"
    "    local equals= kind= values= options= operands= choices= choice=\n"
    "    COMPREPLY=()\n"
    "    # --format=json comes as three words.\n"
    "    if [[ $current == = ]]; then\n"
    "        current= equals=yes\n"
    "    elif [[ $previous == = ]]; then\n"
    "        previous=${COMP_WORDS[COMP_CWORD-2]} equals=yes\n"
    "    fi\n";

static const char bash_end[] =
    "    if [[ -z $kind && -z $equals ]]; then\n"
    "        if [[ $current == -* ]]; then\n"
    "            kind=values values=$options\n"
    "        else\n"
    "            kind=$operands values=$choices\n"
    "            # One of them is enough.\n"
    "            for choice in $choices; do\n"
    "                [[ \" ${COMP_WORDS[*]:2:COMP_CWORD-2} \" != *\" $choice \"* ]] || values=\n"
    "            done\n"
    "        fi\n"
    "    fi\n"
    "    case $kind in\n"
    "    values) _gridlock_take < <(compgen -W \"$values\" -- \"$current\") ;;\n"
    "    list)\n"
    "        local last=${current##*,}\n"
    "        _gridlock_take < <(compgen -P \"${current%\"$last\"}\" -W \"$values\" -- \"$last\")\n"
    "        ;;\n"
    "    file) _gridlock_files '' \"$current\" ;;\n"
    "    run) _gridlock_files .gridlock \"$current\" ;;\n"
    "    folder)\n"
    "        compopt -o filenames 2>/dev/null\n"
    "        _gridlock_take < <(compgen -d -- \"$current\")\n"
    "        ;;\n"
    "    scenario)\n"
    "        _gridlock_files .ini \"$current\"\n"
    "        values=$(\"${COMP_WORDS[0]}\" list 2>/dev/null | sed -n '/^[a-z]/s/ .*//;/^[a-z]/p')\n"
    "        _gridlock_take < <(compgen -W \"$values\" -- \"$current\")\n"
    "        ;;\n"
    "    esac\n"
    "}\n"
    "\n"
    "complete -F _gridlock gridlock\n";

static const char *kind_word(const struct option_description *option)
{
    switch (option->kind) {
    case ARGUMENT_VALUES:
        return is_list(option) ? "list" : "values";
    case ARGUMENT_FILE:
        return "file";
    case ARGUMENT_FOLDER:
        return "folder";
    case ARGUMENT_RUN:
        return "run";
    case ARGUMENT_SCENARIO:
        return "scenario";
    default:
        return "text";
    }
}

static void bash_option(FILE *out, const struct option_description *option)
{
    if (option->argument == NULL)
        return;
    fputs("        ", out);
    if (has_letter(option) && !option->optional)
        fprintf(out, "-%c | ", option->letter);
    fprintf(out, "--%s) %skind=%s", option->name, option->optional ? "[[ -z $equals ]] || " : "", kind_word(option));
    if (option->value_count > 0) {
        fputs(" values='", out);
        put_values(out, option);
        fputc('\'', out);
    }
    fputs(" ;;\n", out);
}

static void bash_command(FILE *out, const struct description *description)
{
    const struct option_description *operands = &description->operands;

    fprintf(out, "    %s)\n        options='", description->name);
    for (size_t i = 0; i < description->count; ++i)
        fprintf(out, "%s--%s", i > 0 ? " " : "", description->options[i].name);
    fprintf(out, "'\n        operands=%s\n", kind_word(operands));
    if (operands->kind == ARGUMENT_VALUES) {
        fputs("        choices='", out);
        put_values(out, operands);
        fputs("'\n", out);
    }
    fputs("        case $previous in\n", out);
    for (size_t i = 0; i < description->count; ++i)
        bash_option(out, &description->options[i]);
    fputs("        esac\n        ;;\n", out);
}

void completion_bash(FILE *out, const struct command *commands, size_t count)
{
    struct description description;

    fputs(head, out);
    fputs(bash_start, out);
    fputs("    if [[ $COMP_CWORD -eq 1 ]]; then\n        kind=values values='", out);
    for (size_t i = 0; i < count; ++i)
        if (commands[i].purpose != NULL)
            fprintf(out, "%s ", commands[i].name);
    fputs("help --help --version'\n    fi\n    case ${COMP_WORDS[1]} in\n", out);
    for (size_t i = 0; i < count; ++i) {
        if (commands[i].purpose == NULL)
            continue;
        describe_command(&commands[i], &description);
        bash_command(out, &description);
    }
    fputs("    esac\n", out);
    fputs(bash_end, out);
}

/* --- zsh --- */

static const char zsh_start[] =
    "_gridlock_scenarios()\n"
    "{\n"
    "    local -a scenarios\n"
    "    scenarios=(${(f)\"$($program list 2>/dev/null | sed -n '/^[a-z]/s/ .*//;/^[a-z]/p')\"})\n"
    "    _alternative 'scenarios:scenario:compadd -a scenarios' 'files:scenario file:_files -g \"*.ini\"'\n"
    "}\n"
    "\n"
    "_gridlock()\n"
    "{\n"
    "    local curcontext=$curcontext state line program=$words[1]\n"
    "    local -A opt_args\n"
    "    local -a commands\n"
    "    _arguments -C '(- *)--help[Show the commands]' '(- *)--version[Show the version]' '1: :->command' '*:: "
    ":->rest' "
    "&& return\n"
    "    case $state in\n"
    "    command)\n"
    "        commands=(\n";

static void zsh_action(FILE *out, const struct option_description *option)
{
    switch (option->kind) {
    case ARGUMENT_VALUES:
        fputs(is_list(option) ? "_sequence compadd - " : "(", out);
        put_values(out, option);
        fputs(is_list(option) ? "" : ")", out);
        break;
    case ARGUMENT_FILE:
        fputs("_files", out);
        break;
    case ARGUMENT_FOLDER:
        fputs("_files -/", out);
        break;
    case ARGUMENT_RUN:
        fputs("_files -g \"*.gridlock\"", out);
        break;
    case ARGUMENT_SCENARIO:
        fputs("_gridlock_scenarios", out);
        break;
    default:
        fputc(' ', out);
    }
}

/* One spelling of an option. */
static void zsh_option(FILE *out, const struct option_description *option, bool letter)
{
    fputs(" \\\n                '", out);
    if (is_repeatable(option))
        fputc('*', out);
    else if (has_letter(option))
        fprintf(out, "(-%c --%s)", option->letter, option->name);
    if (letter)
        fprintf(out, "-%c%s", option->letter, option->argument != NULL ? "+" : "");
    else
        fprintf(out, "--%s%s", option->name, option->argument == NULL ? "" : option->optional ? "=-" : "=");
    fputc('[', out);
    put_quoted(out, option->doc, "[]\\");
    fputc(']', out);
    if (option->argument != NULL) {
        fputs(option->optional ? "::" : ":", out);
        put_quoted(out, option->argument, ":\\");
        fputc(':', out);
        zsh_action(out, option);
    }
    fputc('\'', out);
}

static void zsh_command(FILE *out, const struct description *description)
{
    const struct option_description *operands = &description->operands;

    fprintf(out, "        %s)\n            _arguments -s -S", description->name);
    for (size_t i = 0; i < description->count; ++i) {
        if (has_letter(&description->options[i]))
            zsh_option(out, &description->options[i], true);
        zsh_option(out, &description->options[i], false);
    }
    if (operands->kind != ARGUMENT_NONE) {
        fprintf(out, " \\\n                '%c:", operands->kind == ARGUMENT_VALUES ? '1' : '*');
        put_quoted(out, description->arguments, ":\\");
        fputc(':', out);
        zsh_action(out, operands);
        fputc('\'', out);
    }
    fputs("\n            ;;\n", out);
}

void completion_zsh(FILE *out, const struct command *commands, size_t count)
{
    struct description description;

    fputs("#compdef gridlock\n", out);
    fputs(head, out);
    fputs(zsh_start, out);
    for (size_t i = 0; i < count; ++i) {
        if (commands[i].purpose == NULL)
            continue;
        fprintf(out, "            '%s:", commands[i].name);
        put_quoted(out, commands[i].purpose, ":\\");
        fputs("'\n", out);
    }
    fputs(
        "        )\n        _describe -t commands command commands\n        ;;\n    rest)\n        case $words[1] in\n",
        out);
    for (size_t i = 0; i < count; ++i) {
        if (commands[i].purpose == NULL)
            continue;
        describe_command(&commands[i], &description);
        zsh_command(out, &description);
    }
    fputs("        esac\n        ;;\n    esac\n}\n\n_gridlock \"$@\"\n", out);
}

/* --- fish --- */

static const char fish_start[] = "function __gridlock_begins\n"
                                 "    test (count (commandline -opc)) -eq 1\n"
                                 "end\n"
                                 "\n"
                                 "function __gridlock_uses\n"
                                 "    set -l words (commandline -opc)\n"
                                 "    test (count $words) -ge 2; and test $words[2] = $argv[1]\n"
                                 "end\n"
                                 "\n"
                                 "function __gridlock_scenarios\n"
                                 "    set -l words (commandline -opc)\n"
                                 "    $words[1] list 2>/dev/null | string match -r '^[a-z]\\w*'\n"
                                 "end\n"
                                 "\n"
                                 "complete -c gridlock -f\n"
                                 "complete -c gridlock -n __gridlock_begins -l help -d 'Show the commands'\n"
                                 "complete -c gridlock -n __gridlock_begins -l version -d 'Show the version'\n";

/* What completes an argument, or nothing if any file does. */
static void fish_action(FILE *out, const struct option_description *option)
{
    switch (option->kind) {
    case ARGUMENT_VALUES:
        fputs(" -a '", out);
        put_values(out, option);
        fputc('\'', out);
        break;
    case ARGUMENT_FOLDER:
        fputs(" -a '(__fish_complete_directories)'", out);
        break;
    case ARGUMENT_RUN:
        fputs(" -k -a '(__fish_complete_suffix .gridlock)'", out);
        break;
    case ARGUMENT_SCENARIO:
        fputs(" -a '(__gridlock_scenarios)'", out);
        break;
    default:
        break;
    }
}

static void fish_option(FILE *out, const char *command, const struct option_description *option)
{
    fprintf(out, "complete -c gridlock -n '__gridlock_uses %s' -l %s", command, option->name);
    if (has_letter(option))
        fprintf(out, " -s %c", option->letter);
    if (option->argument != NULL && !option->optional)
        fputs(option->kind == ARGUMENT_FILE ? " -r -F" : " -x", out);
    fish_action(out, option);
    fputs(" -d '", out);
    for (const char *at = option->doc; *at != '\0'; ++at)
        fprintf(out, "%s%c", *at == '\'' || *at == '\\' ? "\\" : "", *at);
    fputs("'\n", out);
}

static void fish_command(FILE *out, const struct description *description)
{
    const struct option_description *operands = &description->operands;

    for (size_t i = 0; i < description->count; ++i)
        fish_option(out, description->name, &description->options[i]);
    if (operands->kind == ARGUMENT_NONE || operands->kind == ARGUMENT_TEXT)
        return;
    fprintf(out, "complete -c gridlock -n '__gridlock_uses %s", description->name);
    if (operands->kind == ARGUMENT_VALUES) {
        fputs("; and not __fish_seen_subcommand_from ", out);
        put_values(out, operands);
    }
    fprintf(out, "'%s", operands->kind == ARGUMENT_FILE ? " -F" : "");
    fish_action(out, operands);
    fputc('\n', out);
    if (operands->kind == ARGUMENT_SCENARIO)
        fprintf(out, "complete -c gridlock -n '__gridlock_uses %s' -k -a '(__fish_complete_suffix .ini)'\n",
                description->name);
}

void completion_fish(FILE *out, const struct command *commands, size_t count)
{
    struct description description;

    fputs(head, out);
    fputs(fish_start, out);
    for (size_t i = 0; i < count; ++i) {
        if (commands[i].purpose == NULL)
            continue;
        fprintf(out, "complete -c gridlock -n __gridlock_begins -a %s -d '", commands[i].name);
        for (const char *at = commands[i].purpose; *at != '\0'; ++at)
            fprintf(out, "%s%c", *at == '\'' || *at == '\\' ? "\\" : "", *at);
        fputs("'\n", out);
    }
    for (size_t i = 0; i < count; ++i) {
        if (commands[i].purpose == NULL)
            continue;
        describe_command(&commands[i], &description);
        fish_command(out, &description);
    }
}
