/* Compiles expressions to steps. */
#include "scenario/matcher_steps.h"

#include "base/alloc.h"
#include "core/tokens.h"

#include <ctype.h>
#include <string.h>

enum { NESTING = 200, TIMES_MOST = 32767, UNLIMITED = -1 };

static const char no_expression[] = "it is malformed";

struct compiler {
    struct matcher *matcher;
    const char *at; /* of the expression */
    size_t *copies;
    unsigned depth;
    const char *fault;
};

static void fail(struct compiler *compiler, const char *fault)
{
    if (compiler->fault == NULL)
        compiler->fault = fault;
}

static void append(struct compiler *compiler, enum step_kind kind, int byte, long to)
{
    struct matcher *matcher = compiler->matcher;

    GROW(matcher->steps, matcher->count);
    matcher->steps[matcher->count++] = (struct matcher_step){(uint8_t)kind, (uint8_t)byte, (int32_t)to};
}

/* A fork in front of the steps from `start`: to them, or to what comes `extra` steps behind them. */
static void fork_before(struct compiler *compiler, size_t start, size_t extra)
{
    struct matcher *matcher = compiler->matcher;
    const size_t length = matcher->count - start;

    append(compiler, STEP_FORK, 0, 0);
    memmove(matcher->steps + start + 1, matcher->steps + start, length * sizeof *matcher->steps);
    matcher->steps[start] = (struct matcher_step){STEP_FORK, 0, (int32_t)(length + 1 + extra)};
}

/* --- sets of bytes --- */

/* A step that takes a byte of the set, or (`inverted`) any other. */
static void append_set(struct compiler *compiler, struct matcher_set set, bool inverted)
{
    struct matcher *matcher = compiler->matcher;

    for (size_t i = 0; inverted && i < sizeof set.bits; ++i)
        set.bits[i] = (uint8_t)~set.bits[i];
    append(compiler, STEP_SET, 0, (long)matcher->set_count);
    GROW(matcher->sets, matcher->set_count);
    matcher->sets[matcher->set_count++] = set;
}

static void put(struct matcher_set *set, unsigned byte)
{
    set->bits[byte / 8] |= (uint8_t)(1u << byte % 8);
}

static int is_word(int byte)
{
    return token_is_of_name((char)byte);
}

static const struct class
{
    const char *name;
    int (*has)(int byte);
} classes[] = {
    {"alnum:]", isalnum}, {"alpha:]", isalpha}, {"blank:]", isblank}, {"cntrl:]", iscntrl},
    {"digit:]", isdigit}, {"graph:]", isgraph}, {"lower:]", islower}, {"print:]", isprint},
    {"punct:]", ispunct}, {"space:]", isspace}, {"upper:]", isupper}, {"xdigit:]", isxdigit},
};

static void put_class(struct matcher_set *set, int (*member)(int byte))
{
    for (int byte = 0; byte < 128; ++byte)
        if (member(byte) != 0)
            put(set, (unsigned)byte);
}

/* Behind "[:". */
static void parse_class(struct compiler *compiler, struct matcher_set *set)
{
    for (size_t i = 0; i < sizeof classes / sizeof *classes; ++i) {
        const size_t length = strlen(classes[i].name);
        if (strncmp(compiler->at, classes[i].name, length) != 0)
            continue;
        put_class(set, classes[i].has);
        compiler->at += length;
        return;
    }
    fail(compiler, no_expression);
}

/* One byte of a set, which may be written as [.x.] or [=x=]. */
static unsigned parse_member(struct compiler *compiler)
{
    const char *at = compiler->at;
    const bool wrapped = at[0] == '[' && (at[1] == '.' || at[1] == '=');

    if (wrapped && (at[2] == '\0' || at[3] != at[1] || at[4] != ']'))
        fail(compiler, no_expression);
    if (*at == '\0' || compiler->fault != NULL) {
        fail(compiler, no_expression);
        return 0;
    }
    compiler->at += wrapped ? 5 : 1;
    return (unsigned char)at[wrapped ? 2 : 0];
}

static void parse_range(struct compiler *compiler, struct matcher_set *set)
{
    const unsigned first = parse_member(compiler);
    unsigned last = first;

    if (compiler->fault == NULL && compiler->at[0] == '-' && compiler->at[1] != ']') {
        ++compiler->at;
        last = parse_member(compiler);
    }
    if (last < first)
        fail(compiler, no_expression);
    for (unsigned byte = first; byte <= last && compiler->fault == NULL; ++byte)
        put(set, byte);
}

/* Behind "[". */
static void parse_set(struct compiler *compiler)
{
    struct matcher_set set = {{0}};
    const bool inverted = *compiler->at == '^';

    compiler->at += inverted;
    for (bool first = true; compiler->fault == NULL && (first || *compiler->at != ']'); first = false) {
        if (strncmp(compiler->at, "[:", 2) == 0) {
            compiler->at += 2;
            parse_class(compiler, &set);
        } else {
            parse_range(compiler, &set);
        }
    }
    if (compiler->fault != NULL)
        return;
    ++compiler->at;
    append_set(compiler, set, inverted);
}

/* --- atoms --- */

/* Behind a backslash. False: nothing may repeat it. */
static bool parse_escape(struct compiler *compiler)
{
    const char byte = *compiler->at;
    struct matcher_set set = {{0}};

    if (byte == '\0' || (byte >= '1' && byte <= '9')) {
        fail(compiler, byte == '\0' ? no_expression : "back references are not supported");
        return false;
    }
    ++compiler->at;
    if (strchr("bB<>`'", byte) != NULL) {
        append(compiler, STEP_PLACE, byte, 0);
        return false;
    }
    if (strchr("wWsS", byte) == NULL) {
        append(compiler, STEP_BYTE, byte, 0);
        return true;
    }
    put_class(&set, byte == 'w' || byte == 'W' ? is_word : isspace);
    append_set(compiler, set, byte == 'W' || byte == 'S');
    return true;
}

static void parse_alternatives(struct compiler *compiler);

/* Behind "(". */
static void parse_group(struct compiler *compiler)
{
    if (++compiler->depth > NESTING)
        fail(compiler, "its groups are nested too deeply");
    parse_alternatives(compiler);
    if (*compiler->at != ')')
        fail(compiler, no_expression);
    compiler->at += compiler->fault == NULL;
    --compiler->depth;
}

static bool parse_atom(struct compiler *compiler)
{
    const char byte = *compiler->at++;

    if (byte == '\\')
        return parse_escape(compiler);
    if (byte == '^' || byte == '$') {
        append(compiler, STEP_PLACE, byte == '^' ? '`' : '\'', 0);
        return false;
    }
    if (byte == '(') {
        parse_group(compiler);
    } else if (byte == '[') {
        parse_set(compiler);
    } else if (byte == '.') {
        append_set(compiler, (struct matcher_set){{0}}, true);
    } else if (strchr("*+?{", byte) != NULL) {
        fail(compiler, no_expression);
    } else {
        append(compiler, STEP_BYTE, byte, 0);
    }
    return true;
}

/* --- repetitions --- */

/* A number of an interval; UNLIMITED if there is none. */
static long parse_times(struct compiler *compiler)
{
    long times = 0;

    if (isdigit((unsigned char)*compiler->at) == 0)
        return UNLIMITED;
    for (; isdigit((unsigned char)*compiler->at) != 0; ++compiler->at)
        times = times <= TIMES_MOST ? 10 * times + (*compiler->at - '0') : times;
    if (times > TIMES_MOST)
        fail(compiler, no_expression);
    return times;
}

/* Behind "{". */
static void parse_interval(struct compiler *compiler, long *least, long *most)
{
    *least = parse_times(compiler);
    *most = *least;
    if (*compiler->at == ',') {
        ++compiler->at;
        *most = parse_times(compiler);
        *least = *least == UNLIMITED ? 0 : *least;
    }
    if (*least == UNLIMITED || (*most != UNLIMITED && *most < *least) || *compiler->at != '}')
        fail(compiler, no_expression);
    compiler->at += compiler->fault == NULL;
}

static void append_copy(struct compiler *compiler, size_t start, size_t count)
{
    for (size_t i = start; i < start + count; ++i) {
        const struct matcher_step step = compiler->matcher->steps[i];
        append(compiler, step.kind, step.byte, step.to);
    }
}

/* So many copies that must match, and then any number of them, or so many more that may. */
static void append_copies(struct compiler *compiler, size_t start, size_t count, long least, long most)
{
    for (long i = 0; i < least; ++i)
        append_copy(compiler, start, count);
    for (long i = least; i < most; ++i) {
        append(compiler, STEP_FORK, 0, (most - i) * (long)(count + 1));
        append_copy(compiler, start, count);
    }
    if (most == UNLIMITED) {
        append(compiler, STEP_FORK, 0, (long)count + 2);
        append_copy(compiler, start, count);
        append(compiler, STEP_JUMP, 0, -(long)(count + 1));
    }
}

/* What was there goes once its copies, which may stand anywhere, are behind it. */
static void repeat(struct compiler *compiler, size_t start, long least, long most)
{
    struct matcher *matcher = compiler->matcher;
    const size_t count = matcher->count - start;
    const size_t copies = (size_t)(most == UNLIMITED ? least : most - (most > 0));
    const size_t cost = copies * (count + 1) + (count > 1 ? count : 0);

    if (cost > *compiler->copies)
        fail(compiler, "its repetitions, written out, are too long");
    if (compiler->fault != NULL)
        return;
    *compiler->copies -= cost;
    append_copies(compiler, start, count, least, most);
    if (count == 0)
        return;
    matcher->count -= count;
    memmove(matcher->steps + start, matcher->steps + start + count, (matcher->count - start) * sizeof *matcher->steps);
}

/* If there is one, of what stands from `start`. */
static bool parse_repetition(struct compiler *compiler, size_t start)
{
    const char mark = *compiler->at;
    long least = mark == '+', most = mark == '?' ? 1 : UNLIMITED;

    if (mark == '\0' || strchr("*+?{", mark) == NULL)
        return false;
    ++compiler->at;
    if (mark == '{')
        parse_interval(compiler, &least, &most);
    repeat(compiler, start, least, most);
    return true;
}

/* --- expressions --- */

static bool ends_branch(const struct compiler *compiler)
{
    const char byte = *compiler->at;
    return compiler->fault != NULL || byte == '\0' || byte == '|' || (byte == ')' && compiler->depth > 0);
}

static void parse_branch(struct compiler *compiler)
{
    while (!ends_branch(compiler)) {
        const size_t start = compiler->matcher->count;
        if (!parse_atom(compiler))
            continue;
        while (compiler->fault == NULL && parse_repetition(compiler, start))
            ;
    }
}

/* Jumps behind alternatives hold the distance to the one before, or 0, until it is known where all of them end. */
static void parse_alternatives(struct compiler *compiler)
{
    struct matcher *matcher = compiler->matcher;
    size_t jump = 0, start = matcher->count;

    for (parse_branch(compiler); compiler->fault == NULL && *compiler->at == '|'; parse_branch(compiler)) {
        ++compiler->at;
        fork_before(compiler, start, 1);
        append(compiler, STEP_JUMP, 0, jump == 0 ? 0 : (long)(matcher->count - jump));
        jump = matcher->count - 1;
        start = matcher->count;
    }
    while (compiler->fault == NULL && jump != 0) {
        const size_t before = (size_t)matcher->steps[jump].to;
        matcher->steps[jump].to = (int32_t)(matcher->count - jump);
        jump = before == 0 ? 0 : jump - before;
    }
}

const char *matcher_compile(struct matcher *matcher, const char *expression, size_t *copies)
{
    struct compiler compiler = {.matcher = matcher, .at = expression, .copies = copies};

    *matcher = (struct matcher){.count = 0};
    if (strlen(expression) > INT32_MAX / 4)
        return "it is too long";
    parse_alternatives(&compiler);
    append(&compiler, STEP_END, 0, 0);
    if (compiler.fault == NULL)
        matcher->states = xcalloc(3 * matcher->count, sizeof *matcher->states);
    return compiler.fault;
}
