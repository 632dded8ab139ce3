#include "core/tokens.h"

#include <ctype.h>
#include <string.h>

bool token_is_of_name(char character)
{
    return isalnum((unsigned char)character) || character == '_';
}

size_t token_name(const char *at)
{
    size_t length = 0;
    while (token_is_of_name(at[length]))
        ++length;
    return length;
}

bool token_is_of_word(char character)
{
    return token_is_of_name(character) || character == '$' || (unsigned char)character >= 0x80;
}

size_t token_word(const char *at)
{
    size_t length = 0;
    while (token_is_of_word(at[length]))
        ++length;
    return length;
}

size_t token_line_end(const char *at)
{
    if (at[0] == '\r' && at[1] == '\n')
        return 2;
    return at[0] == '\r' || at[0] == '\n';
}

/* The bytes of a backslash that joins a line with the next one, or 0. As compilers do, it allows blanks behind it. */
static size_t line_joint(const char *at)
{
    if (*at != '\\')
        return 0;
    const size_t blanks = 1 + strspn(at + 1, " \t\v\f");
    const size_t end = token_line_end(at + blanks);
    return end > 0 ? blanks + end : 0;
}

static const char *skip_line_comment(const char *at)
{
    while (*at != '\0' && token_line_end(at) == 0) {
        const size_t joint = line_joint(at);
        at += joint > 0 ? joint : 1;
    }
    return at;
}

const char *token_skip_gap(const char *at)
{
    if (at[0] == '/' && at[1] == '/')
        return skip_line_comment(at);
    if (at[0] == '/' && at[1] == '*') {
        const char *end = strstr(at + 2, "*/");
        return end != NULL ? end + 2 : at + strlen(at);
    }
    return at + (isspace((unsigned char)*at) ? 1 : line_joint(at));
}

const char *token_skip_literal(const char *at)
{
    const char quote = *at++;
    while (*at != '\0' && *at != quote && token_line_end(at) == 0) {
        const size_t joint = line_joint(at);
        const size_t escape = at[0] == '\\' && at[1] != '\0' ? 2 : 1;
        at += joint > 0 ? joint : escape;
    }
    return *at == quote ? at + 1 : at;
}

bool token_is_quote(char character)
{
    return character == '"' || character == '\'';
}

struct token token_read(const char *at)
{
    struct token token = {at, token_word(at)};
    if (token.length == 0 && token_is_quote(*at))
        token.length = (size_t)(token_skip_literal(at) - at);
    else if (token.length == 0)
        token.length = at[0] == '-' && at[1] == '>' ? 2 : 1;
    return token;
}

bool token_is(struct token token, const char *text)
{
    return strlen(text) == token.length && memcmp(token.at, text, token.length) == 0;
}

bool token_is_one_of(struct token token, const char *const *texts)
{
    for (; *texts != NULL; ++texts)
        if (token_is(token, *texts))
            return true;
    return false;
}
