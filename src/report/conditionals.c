#include "report/conditionals.h"

#include "report/lexical.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NESTED_MOST = 64 };

/* An #if that has not come to its #endif. */
struct level {
    bool outer;   /* what stands around it is kept */
    bool kept;    /* so is the branch at hand */
    bool settled; /* a branch is certainly taken: those that follow are not */
    bool written; /* a directive of it was kept */
};

struct resolver {
    struct macros *macros;
    FILE *out;
    struct level levels[NESTED_MOST];
    int depth;
    int written; /* levels with a directive that was kept: what is defined there is not certain */
    bool lost;   /* it is nested too deeply, or an #endif is missing or too much */
};

static bool is_kept(const struct resolver *resolver)
{
    return resolver->depth == 0 || resolver->levels[resolver->depth - 1].kept;
}

/* The directive of a branch that may be taken or not; the first one that is kept has to be an #if. */
static void write_branch(struct resolver *resolver, struct level *level, const char *line, size_t length)
{
    const char *directive = lexical_directive(line);

    if (level->written || !lexical_is(directive, "elif"))
        fwrite(line, 1, length, resolver->out);
    else
        fprintf(resolver->out, "#if%.*s", (int)(length - (size_t)(directive + 4 - line)), directive + 4);
    resolver->written += !level->written;
    level->written = true;
}

/* The branch that now begins is taken, or not, or nobody knows. */
static void begin_branch(struct resolver *resolver, enum truth truth, const char *line, size_t length)
{
    struct level *level = &resolver->levels[resolver->depth - 1];

    level->kept = level->outer && !level->settled && truth != TRUTH_NO;
    if (!level->kept)
        return;
    if (truth == TRUTH_UNKNOWN)
        write_branch(resolver, level, line, length);
    else if (level->written)
        fputs("#else\n", resolver->out);
    level->settled = truth == TRUTH_YES;
}

static enum truth judge(const struct resolver *resolver, const char *directive)
{
    const char *name = directive + lexical_name(directive);
    name += strspn(name, " \t");
    const enum truth defined = macros_defined(resolver->macros, name, lexical_name(name));

    if (lexical_is(directive, "ifdef"))
        return defined;
    if (lexical_is(directive, "ifndef"))
        return defined == TRUTH_UNKNOWN ? TRUTH_UNKNOWN : defined == TRUTH_NO ? TRUTH_YES : TRUTH_NO;
    return macros_evaluate(resolver->macros, name);
}

static void open_level(struct resolver *resolver, const char *directive, const char *line, size_t length)
{
    const bool outer = is_kept(resolver);

    if (resolver->depth == NESTED_MOST) {
        resolver->lost = true;
        return;
    }
    resolver->levels[resolver->depth++] = (struct level){.outer = outer};
    begin_branch(resolver, outer ? judge(resolver, directive) : TRUTH_NO, line, length);
}

static void close_level(struct resolver *resolver)
{
    const struct level *level = &resolver->levels[resolver->depth - 1];

    if (level->written) {
        fputs("#endif\n", resolver->out);
        resolver->written -= 1;
    }
    resolver->depth -= 1;
}

/* A directive of a condition; false: it is another line. */
static bool take_condition(struct resolver *resolver, const char *directive, const char *line, size_t length)
{
    if (lexical_is(directive, "if") || lexical_is(directive, "ifdef") || lexical_is(directive, "ifndef")) {
        open_level(resolver, directive, line, length);
        return true;
    }
    const bool goes_on = lexical_is(directive, "elif") || lexical_is(directive, "else");
    if (!goes_on && !lexical_is(directive, "endif"))
        return false;
    if (resolver->depth == 0)
        resolver->lost = true;
    else if (!goes_on)
        close_level(resolver);
    else
        begin_branch(resolver, lexical_is(directive, "else") ? TRUTH_YES : judge(resolver, directive), line, length);
    return true;
}

static void take_line(struct resolver *resolver, const char *line, size_t length)
{
    const char *directive = lexical_directive(line);
    const bool certain = resolver->written == 0;

    if (directive != NULL && take_condition(resolver, directive, line, length))
        return;
    if (!is_kept(resolver) || (directive != NULL && lexical_is(directive, "line")))
        return;
    if (directive != NULL && lexical_is(directive, "define"))
        macros_define(resolver->macros, directive + strlen("define"), certain);
    if (directive != NULL && lexical_is(directive, "undef"))
        macros_undefine(resolver->macros, directive + strlen("undef"), certain);
    fwrite(line, 1, length, resolver->out);
}

char *conditionals_resolve(struct macros *macros, const char *text)
{
    struct resolver resolver = {.macros = macros};
    char *resolved = NULL;
    size_t size = 0;

    resolver.out = open_memstream(&resolved, &size);
    if (resolver.out == NULL)
        return NULL;
    for (const char *line = text; *line != '\0' && !resolver.lost;) {
        const size_t length = lexical_line(line);
        take_line(&resolver, line, length);
        line += length;
    }
    if (fclose(resolver.out) != 0 || macros->short_of_memory) {
        free(resolved);
        return NULL;
    }
    if (!resolver.lost && resolver.depth == 0)
        return resolved;
    free(resolved);
    return strdup(text);
}
