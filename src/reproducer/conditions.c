#include "reproducer/conditions.h"

#include "base/alloc.h"
#include "core/tokens.h"
#include "reproducer/files.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_BYTES = 80, DEPTH = 8 };

/* What is known of a condition: of two, "&&" is the least, and "||" the greatest; "!" is the negative. */
enum truth { IS_FALSE = -1, NOT_OURS, IS_TRUE };

/* Where a chain of "#if", "#elif" and "#else" is. */
enum chain {
    CHAIN_SEEKS, /* no branch of it was true */
    CHAIN_DONE,
    CHAIN_STAYS, /* its lines are written */
};

struct reader {
    FILE *out;
    const char *options;
    struct level {
        enum chain chain;
        bool live;       /* lines around it are written */
    } levels[DEPTH + 1]; /* the first one is the whole text */
    int depth;
    bool live;
};

/* Up to the next blank; NULL: it is not defined. */
static const char *value_of(const char *options, const char *name)
{
    const size_t length = strlen(name);

    for (const char *at = options; (at = strstr(at, "-D")) != NULL; at += 2)
        if (strncmp(at + 2, name, length) == 0 && strchr("= ", at[2 + length]) != NULL)
            return at + 2 + length + (at[2 + length] == '=');
    return NULL;
}

static bool is_ours(const char *name)
{
    return strncmp(name, "GL_", 3) == 0 || strncmp(name, "OF_", 3) == 0;
}

/* "defined(NAME)", "NAME == 1" or "NAME > 1"; *length is that of what was read, 0 if it is none of these. */
static enum truth read_term(const char *text, const char *options, int *length)
{
    char name[NAME_BYTES], relation[3] = "", number[16] = "";

    *length = 0;
    if (sscanf(text, "defined(%79[A-Za-z0-9_])%n", name, length) != 1 || *length == 0)
        sscanf(text, "%79[A-Za-z0-9_] %2[=>] %15[0-9]%n", name, relation, number, length);
    if (*length == 0 || !is_ours(name))
        return NOT_OURS;
    const char *value = value_of(options, name);
    if (relation[0] == '\0')
        return value != NULL ? IS_TRUE : IS_FALSE;
    const long has = value != NULL ? strtol(value, NULL, 10) : 0;
    const long wanted = strtol(number, NULL, 10);
    return (relation[0] == '>' ? has > wanted : has == wanted) ? IS_TRUE : IS_FALSE;
}

/* Terms with "&&" between them, or "||", and "!" before them. */
static enum truth judge(const char *text, const char *options)
{
    enum truth whole = IS_FALSE;
    char joint = '|';

    for (;; text += 3) {
        const bool is_not = *text == '!';
        int length;
        enum truth term = read_term(text + is_not, options, &length);
        if (length == 0)
            return NOT_OURS;
        term = is_not ? -term : term;
        if (joint == '&' ? term < whole : term > whole)
            whole = term;
        text += is_not + length;
        text += strspn(text, " ");
        joint = *text;
        if (joint != '&' && joint != '|')
            return whole;
    }
}

/* With the values of our own macros in place of their names. */
static void put(const struct reader *reader, const char *line, size_t length)
{
    char name[NAME_BYTES];

    for (const char *at = line; reader->live && at < line + length;) {
        const size_t taken = token_name(at) > 0 ? token_name(at) : 1;
        snprintf(name, sizeof name, "%.*s", (int)taken, at);
        const char *value = is_ours(name) ? value_of(reader->options, name) : NULL;
        if (value != NULL && strcspn(value, " ") > 0)
            fwrite(value, 1, strcspn(value, " "), reader->out);
        else
            fwrite(at, 1, taken, reader->out);
        at += taken;
    }
}

/* The branch of a chain that begins with this condition; a first one that stays begins with "#if". */
static void branch(struct reader *reader, enum truth truth, const char *condition, size_t length)
{
    struct level *level = &reader->levels[reader->depth];

    reader->live = level->live && level->chain != CHAIN_DONE && truth != IS_FALSE;
    if (truth == NOT_OURS && reader->live) {
        fputs(level->chain == CHAIN_STAYS ? "#elif " : "#if ", reader->out);
        put(reader, condition, length);
        level->chain = CHAIN_STAYS;
    } else if (truth == IS_TRUE) {
        level->chain = CHAIN_DONE;
    }
}

static bool begins(const char *line, const char *word)
{
    return strncmp(line, word, strlen(word)) == 0;
}

/* A program needs no notes of its calls, and releases nothing before its end (act/script.c). */
static bool is_of_the_worker(const char *line)
{
    return begins(line, "WHEN(") || begins(line, "RELEASE(");
}

/* Headers are included once, and their guards do not stay. */
static void read_line(struct reader *reader, const char *line, size_t length)
{
    const struct level *level = &reader->levels[reader->depth];
    const bool is_guard = begins(line, "#ifndef GRIDLOCK_");

    if (is_guard || begins(line, "#if ")) {
        if (reader->depth == DEPTH)
            return;
        reader->levels[++reader->depth] = (struct level){CHAIN_SEEKS, reader->live};
        branch(reader, is_guard ? IS_TRUE : judge(line + 4, reader->options), line + 4, length - 4);
    } else if (begins(line, "#elif ")) {
        branch(reader, level->chain == CHAIN_STAYS ? NOT_OURS : judge(line + 6, reader->options), line + 6, length - 6);
    } else if (begins(line, "#else") || begins(line, "#endif")) {
        reader->live = level->live && level->chain == CHAIN_STAYS;
        put(reader, line, length);
        reader->live = level->live && (level->chain != CHAIN_DONE || begins(line, "#endif"));
        reader->depth -= reader->depth > 0 && begins(line, "#endif");
    } else if (!begins(line, "#define GRIDLOCK_") && !is_of_the_worker(line + strspn(line, " "))) {
        put(reader, line, length);
    }
}

char *conditions_resolve(const char *text, const char *options)
{
    char *resolved = NULL;
    size_t length;
    FILE *out = xopen_memstream(&resolved, NULL);
    struct reader reader = {.out = out, .options = options, .levels = {{CHAIN_STAYS, true}}, .live = true};

    for (; *text != '\0'; text += length) {
        length = reproducer_line(text);
        read_line(&reader, text, length);
    }
    return xclose_memstream(out, &resolved);
}
