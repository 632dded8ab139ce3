#include "core/program_scope.h"

#include "core/tokens.h"

#include <ctype.h>
#include <string.h>

/* A declaration outside of all blocks, as far as it was read. */
struct declaration {
    int words;     /* outside of brackets, */
    int listed;    /* and how many of them before the first "(" */
    bool list;     /* that has come: it is a function, if there are two words before it */
    bool again;    /* and a word behind it, as if there were two declarations */
    bool value;    /* "=" */
    bool harmless; /* a type, or constant */
    bool tagged;   /* "struct", whose name alone is no variable */
};

struct scan {
    struct declaration now;
    int blocks, lists;
    bool attribute; /* the list that comes next, or is open, is one of attributes */
    bool found;
};

static void take_word(struct scan *scan, struct token word)
{
    static const char *const harmless[] = {"typedef", "constant", "__constant", "constexpr", "using", NULL};
    static const char *const tags[] = {"struct", "union", "enum", NULL};
    static const char *const attributes[] = {"__attribute__", "__attribute", NULL};
    static const char *const lasting[] = {"static", NULL};
    struct declaration *now = &scan->now;

    scan->found = scan->found || (scan->blocks > 0 && token_is_one_of(word, lasting)); /* of a function, for good */
    if (scan->blocks > 0 || scan->lists > 0)
        return;
    if (token_is_one_of(word, attributes)) {
        scan->attribute = true;
        return;
    }
    now->again = now->again || now->list;
    now->harmless = now->harmless || token_is_one_of(word, harmless);
    now->tagged = now->tagged || (now->words == 0 && token_is_one_of(word, tags));
    now->words += 1;
}

static void end(struct scan *scan)
{
    const struct declaration *now = &scan->now;
    const bool function = now->list && !now->value && now->listed >= 2 && !now->again;
    const bool tag = now->tagged && now->words <= 2 && !now->value;

    scan->found = scan->found || (now->words > 0 && !now->harmless && !function && !tag);
    scan->now = (struct declaration){.words = 0};
}

static void open_list(struct scan *scan)
{
    if (scan->lists++ > 0 || scan->blocks > 0 || scan->attribute || scan->now.list)
        return;
    scan->now.list = true;
    scan->now.listed = scan->now.words;
}

static void close_block(struct scan *scan)
{
    scan->blocks -= scan->blocks > 0;
    if (scan->blocks == 0 && scan->now.list && !scan->now.value)
        end(scan); /* a body */
}

static void take(struct scan *scan, char c)
{
    if (c == '(') {
        open_list(scan);
    } else if (c == ')') {
        scan->lists -= scan->lists > 0;
        scan->attribute = scan->attribute && scan->lists > 0;
    } else if (c == '{') {
        scan->blocks += 1;
    } else if (c == '}') {
        close_block(scan);
    } else if (scan->blocks == 0 && scan->lists == 0 && c == '=') {
        scan->now.value = true;
    } else if (scan->blocks == 0 && scan->lists == 0 && c == ';') {
        end(scan);
    }
}

/* Behind what is no part of the program at `at`: a comment, a line of the preprocessor, a literal. Or `at`. */
static const char *skip(const char *at, bool begins_line)
{
    if (*at == '/')
        return token_skip_gap(at);
    if (*at == '#' && begins_line) {
        while (*at != '\0' && *at != '\n')
            at += at[0] == '\\' && at[1] != '\0' ? 2 : 1;
        return at;
    }
    return token_is_quote(*at) ? token_skip_literal(at) : at;
}

static bool has_variable(const char *at)
{
    struct scan scan = {.blocks = 0};
    bool begins_line = true;

    while (*at != '\0') {
        const char *behind = skip(at, begins_line);
        if (behind != at) {
            at = behind;
            continue;
        }
        const size_t length = token_name(at);
        if (length > 0)
            take_word(&scan, (struct token){at, length});
        else
            take(&scan, *at);
        begins_line = *at == '\n' || (begins_line && isspace((unsigned char)*at));
        at += length > 0 ? length : 1;
    }
    return scan.found;
}

/* Which standard holds without an option is the driver's to say, and some take the latest that they know. */
static bool is_earlier(const char *options)
{
    static const char name[] = "-cl-std=";
    bool earlier = false;

    while ((options = strstr(options, name)) != NULL) {
        options += strlen(name);
        if (strncmp(options, "CL1", 3) != 0)
            return false;
        earlier = true;
    }
    return earlier;
}

bool program_may_share_variables(const char *text, const char *options)
{
    return !is_earlier(options) && has_variable(text);
}

/* --- macros --- */

/* The name at `at` stands behind this word, or, of an option, right behind it. */
static bool is_behind(const char *text, const char *at, const char *word)
{
    const size_t length = strlen(word);

    while (at > text && (at[-1] == ' ' || at[-1] == '\t'))
        --at;
    return (size_t)(at - text) >= length && memcmp(at - length, word, length) == 0;
}

static bool defines(const char *text, const char *name, const char *word)
{
    const size_t length = strlen(name);

    for (const char *at = text; (at = strstr(at, name)) != NULL; at += length)
        if (!token_is_of_name(at[length]) && is_behind(text, at, word))
            return true;
    return false;
}

bool program_defines(const char *text, const char *options, const char *const *names)
{
    for (; *names != NULL; ++names)
        if (defines(text, *names, "define") || defines(options, *names, "-D"))
            return true;
    return false;
}
