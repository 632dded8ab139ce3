#include "scenario/matcher.h"

#include "base/alloc.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { NESTING = 200, TIMES_MOST = 32767, UNLIMITED = -1 };

/* A step continues with the one behind it, a jump with the one at that distance, a fork with both. */
enum step_kind { STEP_BYTE, STEP_SET, STEP_JUMP, STEP_FORK, STEP_PLACE, STEP_END };
struct matcher_step {
    uint8_t kind;
    uint8_t byte; /* or which place */
    int32_t to;   /* distance, or index of a set */
};

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

static bool has(const struct matcher_set *set, unsigned byte)
{
    return (set->bits[byte / 8] >> byte % 8 & 1) != 0;
}

static int is_word(int byte)
{
    return isalnum(byte) != 0 || byte == '_';
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

void matcher_fini(struct matcher *matcher)
{
    free(matcher->steps);
    free(matcher->sets);
    free(matcher->states);
    *matcher = (struct matcher){.count = 0};
}

/* --- matching --- */

/* What takes a MATCHER_NUMBER: it is a byte as any other, any digits may stand there, or nothing takes it. */
enum numbers { NUMBERS_ARE_BYTES, NUMBERS_ARE_DIGITS, NUMBERS_ARE_NOTHING };

/* The steps that may take the next byte, each once. */
struct states {
    const struct matcher *matcher;
    enum numbers numbers;
    uint32_t *list, *when; /* `when`: the position, from 1, at which a step was last put on a list */
    size_t count;
    bool matched;
};

static bool is_number(const struct states *states, char byte)
{
    return states->numbers != NUMBERS_ARE_BYTES && byte == MATCHER_NUMBER;
}

/* A position between two bytes of the text. */
static bool is_place(const struct states *states, char place, const char *text, size_t at)
{
    const bool before = at > 0 && (is_word((unsigned char)text[at - 1]) != 0 || is_number(states, text[at - 1]));
    const bool behind = is_word((unsigned char)text[at]) != 0 || is_number(states, text[at]);

    switch (place) {
    case '`':
        return at == 0;
    case '\'':
        return text[at] == '\0';
    case '<':
        return !before && behind;
    case '>':
        return before && !behind;
    default:
        return (before != behind) == (place == 'b');
    }
}

/* A step that takes no byte leads to others at once. */
static void add_state(struct states *states, size_t step, const char *text, size_t at)
{
    for (;;) {
        const struct matcher_step *found = &states->matcher->steps[step];
        if (states->when[step] == at + 1)
            return;
        states->when[step] = (uint32_t)at + 1;
        if (found->kind == STEP_END)
            states->matched = true;
        if (found->kind == STEP_BYTE || found->kind == STEP_SET)
            states->list[states->count++] = (uint32_t)step;
        if (found->kind == STEP_FORK)
            add_state(states, step + 1, text, at);
        else if (found->kind != STEP_JUMP &&
                 (found->kind != STEP_PLACE || !is_place(states, (char)found->byte, text, at)))
            return;
        step += found->kind == STEP_PLACE ? 1 : (size_t)found->to;
    }
}

static bool takes(const struct matcher *matcher, const struct matcher_step *step, char byte)
{
    return step->kind == STEP_BYTE ? step->byte == (uint8_t)byte : has(&matcher->sets[step->to], (unsigned char)byte);
}

static bool takes_digit(const struct matcher *matcher, const struct matcher_step *step)
{
    for (int digit = '0'; digit <= '9'; ++digit)
        if (takes(matcher, step, (char)digit))
            return true;
    return false;
}

/* A number behind which it is at: each of its digits may be its last. */
static void take_number(struct states *states, const uint32_t *now, size_t count, const char *text, size_t at)
{
    const struct matcher *matcher = states->matcher;

    if (states->numbers == NUMBERS_ARE_NOTHING)
        return;
    add_state(states, 0, text, at);
    for (size_t i = 0; i < count; ++i)
        if (takes_digit(matcher, &matcher->steps[now[i]]))
            add_state(states, now[i] + 1, text, at);
    for (size_t i = 0; i < states->count; ++i) /* which grows */
        if (takes_digit(matcher, &matcher->steps[states->list[i]]))
            add_state(states, states->list[i] + 1, text, at);
}

static bool matches(const struct matcher *matcher, const char *text, enum numbers numbers)
{
    uint32_t *now = matcher->states + matcher->count, *next = now + matcher->count;
    struct states states = {.matcher = matcher, .numbers = numbers, .list = now, .when = matcher->states};

    memset(states.when, 0, matcher->count * sizeof *states.when);
    add_state(&states, 0, text, 0);
    for (size_t at = 0; !states.matched && text[at] != '\0'; ++at) {
        const size_t count = states.count;
        states.list = next;
        states.count = 0;
        if (is_number(&states, text[at]))
            take_number(&states, now, count, text, at + 1);
        else
            for (size_t i = 0; i < count; ++i)
                if (takes(matcher, &matcher->steps[now[i]], text[at]))
                    add_state(&states, now[i] + 1, text, at + 1);
        add_state(&states, 0, text, at + 1); /* a match may begin anywhere */
        next = now;
        now = states.list;
    }
    return states.matched;
}

bool matcher_matches(const struct matcher *matcher, const char *text)
{
    return matches(matcher, text, NUMBERS_ARE_BYTES);
}

enum matching matcher_matches_outline(const struct matcher *matcher, const char *text)
{
    if (matches(matcher, text, NUMBERS_ARE_NOTHING))
        return MATCHES_SURELY;
    return matches(matcher, text, NUMBERS_ARE_DIGITS) ? MATCHES_PERHAPS : MATCHES_NEVER;
}
