#include "report/lexical.h"

#include <ctype.h>
#include <string.h>

size_t lexical_comment(const char *text)
{
    if (text[0] != '/' || (text[1] != '*' && text[1] != '/'))
        return 0;
    if (text[1] == '/')
        return strcspn(text, "\n");
    const char *end = strstr(text + 2, "*/");
    return end != NULL ? (size_t)(end + 2 - text) : strlen(text);
}

size_t lexical_opaque(const char *text)
{
    size_t length = 1;

    if (*text != '"' && *text != '\'')
        return lexical_comment(text);
    while (text[length] != '\0' && text[length] != *text && text[length] != '\n')
        length += text[length] == '\\' && text[length + 1] != '\0' ? 2 : 1;
    return length + (text[length] == *text);
}

size_t lexical_name(const char *text)
{
    size_t length = 0;
    if (isdigit((unsigned char)*text))
        return 0;
    while (isalnum((unsigned char)text[length]) || text[length] == '_')
        ++length;
    return length;
}

size_t lexical_number(const char *text)
{
    size_t length = 0;
    if (!isdigit((unsigned char)*text))
        return 0;
    while (isalnum((unsigned char)text[length]) || text[length] == '_' || text[length] == '.')
        ++length;
    return length;
}

size_t lexical_line(const char *text)
{
    size_t length = 0;

    while (text[length] != '\0') {
        const size_t opaque = lexical_opaque(text + length);
        if (opaque > 0) {
            length += opaque;
            continue;
        }
        if (text[length++] == '\n' && (length < 2 || text[length - 2] != '\\'))
            break;
    }
    return length;
}

const char *lexical_directive(const char *line)
{
    line += strspn(line, " \t");
    return *line == '#' ? line + 1 + strspn(line + 1, " \t") : NULL;
}

bool lexical_is(const char *directive, const char *name)
{
    return lexical_name(directive) == strlen(name) && strncmp(directive, name, strlen(name)) == 0;
}
