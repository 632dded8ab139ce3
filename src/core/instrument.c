#include "core/instrument.h"

#include "base/alloc.h"
#include "core/tokens.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static const size_t none = SIZE_MAX, several = SIZE_MAX - 1;

/* Brackets are never removed, so that each alternative of a condition can close those that were open before it. */
struct bracket {
    const char *open; /* "(" or "{" */
    size_t outer;     /* the bracket around it; bracket 0 is the text as a whole */
    size_t block;     /* the innermost "{" that it is, or is in; 0: none */
    size_t kernel;    /* whose parameters or arguments it has, or none */
    size_t item;      /* outside of all others: the kernel whose name is all of an item, none, or several */
};

/* What each alternative of a condition begins with. */
struct state {
    size_t bracket;            /* the innermost one that is open */
    struct token last, before; /* the last two tokens */
    size_t made;               /* the item of the last list, */
    const char *made_end;      /* and the parenthesis behind that */
    size_t head;               /* the kernel whose parameters it has, or none yet */
    const char *head_end;      /* the parenthesis behind these */
    bool shared;               /* right behind that comes another head, which has the same body */
};

struct condition {
    struct state state;
    bool complete; /* it has an #else */
    bool level;    /* an alternative closes all that it opens, and no more */
};

struct edit {
    const char *at, *text;
    size_t kernel;
};

struct pass {
    const char *const *kernels;
    size_t count;
    const struct instrument *with;
    bool *found;
    bool *called; /* by one of the kernels */
    struct state now;
    struct bracket *brackets;
    struct condition *conditions;
    struct edit *edits;
    size_t *heads; /* the kernels that the current declaration names, in all alternatives */
    size_t bracket_count, condition_count, edit_count, head_count;
};

static size_t find_kernel(const struct pass *pass, struct token name)
{
    for (size_t i = 0; i < pass->count; ++i)
        if (token_is(name, pass->kernels[i]))
            return i;
    return none;
}

/* --- edits --- */

static void put(struct pass *pass, const char *at, const char *text, size_t kernel)
{
    GROW(pass->edits, pass->edit_count);
    pass->edits[pass->edit_count++] = (struct edit){at, text, kernel};
}

/* Makes a comment of a list's only word, unless another alternative has made one of it. */
static void comment_out(struct pass *pass, struct token word, size_t kernel)
{
    if (pass->edit_count > 0 && pass->edits[pass->edit_count - 1].at > word.at)
        return;
    put(pass, word.at, "/*", kernel);
    put(pass, word.at + word.length, "*/", kernel);
}

/* Puts an item behind the others of a list that is closed at `at`. */
static void put_item(struct pass *pass, const struct bracket *list, const char *at, const char *item)
{
    const struct token last = pass->now.last;

    if (token_is(last, "void") && pass->now.before.at == list->open)
        comment_out(pass, last, list->kernel);
    else if (last.at != list->open)
        put(pass, at, ", ", list->kernel);
    put(pass, at, item, list->kernel);
}

/* --- brackets --- */

/* The innermost block that is open, or 0. */
static size_t innermost_block(const struct pass *pass)
{
    return pass->bracket_count > 0 ? pass->brackets[pass->now.bracket].block : 0;
}

static void open_bracket(struct pass *pass, const char *at, size_t kernel)
{
    GROW(pass->brackets, pass->bracket_count);
    const size_t outer = pass->now.bracket;
    const size_t block = *at == '{' ? pass->bracket_count : innermost_block(pass);
    pass->now.bracket = pass->bracket_count++;
    pass->brackets[pass->now.bracket] = (struct bracket){at, outer, block, kernel, none};
}

/* A name before "(" in a block. Behind any other word it is declared: "int f(3);". */
static bool is_call(const struct pass *pass)
{
    static const char *const statements[] = {"return", "else", "do", NULL};
    const struct token before = pass->now.before;

    if (token_is(before, ".") || token_is(before, "->"))
        return false;
    return !token_is_of_word(*before.at) || token_is_one_of(before, statements);
}

/*
 * Outside of all blocks this is the head of a kernel, whatever makes the words before it: no other function of the
 * program has its name. A macro may make the name, too: "KERNEL(name)(int a)".
 */
static void open_list(struct pass *pass, const char *at)
{
    const bool head = pass->now.bracket == 0;
    const bool call = innermost_block(pass) != 0 && is_call(pass);
    const bool made = head && pass->now.last.at == pass->now.made_end && pass->now.made < pass->count;
    const size_t kernel = made ? pass->now.made : head || call ? find_kernel(pass, pass->now.last) : none;

    open_bracket(pass, at, kernel);
    if (!head || kernel == none)
        return;
    /* Those before it have a body that is not in the text. */
    if (pass->now.head != none && !pass->now.shared)
        pass->head_count = 0;
    GROW(pass->heads, pass->head_count);
    pass->heads[pass->head_count++] = kernel;
}

/* Before a comma or the end of a list. */
static void take_item(struct pass *pass)
{
    struct bracket *list = &pass->brackets[pass->now.bracket];
    const struct token before = pass->now.before;
    const bool alone = before.at == list->open || token_is(before, ",");
    const size_t kernel = *list->open == '(' && list->outer == 0 && alone ? find_kernel(pass, pass->now.last) : none;

    if (kernel != none)
        list->item = list->item == none || list->item == kernel ? kernel : several;
}

static void close_list(struct pass *pass, const char *at)
{
    const struct bracket *list = &pass->brackets[pass->now.bracket];

    if (*list->open != '(')
        return;
    pass->now.bracket = list->outer;
    if (list->kernel == none) {
        pass->now.made = list->item;
        pass->now.made_end = at;
        return;
    }
    put_item(pass, list, at, list->block != 0 ? pass->with->argument : pass->with->parameter);
    pass->called[list->kernel] = pass->called[list->kernel] || list->block != 0;
    if (list->block != 0)
        return;
    pass->now.head = list->kernel;
    pass->now.head_end = at;
}

static void open_block(struct pass *pass, const char *at)
{
    if (pass->now.bracket == 0 && pass->now.head != none) {
        put(pass, at + 1, pass->with->statement, pass->now.head);
        pass->found[pass->now.head] = true;
        for (size_t i = 0; i < pass->head_count; ++i)
            pass->found[pass->heads[i]] = true;
    }
    open_bracket(pass, at, none);
}

/* Outside of all blocks; lists that were not closed end as well. */
static void end_declaration(struct pass *pass)
{
    pass->now.bracket = 0;
    pass->now.head = none;
    pass->head_count = 0;
}

/* Lists in it that were not closed end as well. It may itself be in a list: "f(struct { int a; } b)". */
static void close_block(struct pass *pass)
{
    pass->now.bracket = pass->brackets[innermost_block(pass)].outer;
    if (pass->now.bracket == 0)
        end_declaration(pass);
}

static void take_token(struct pass *pass, struct token token)
{
    static const char *const further[] = {"kernel", "__kernel", ",", NULL};

    if (pass->now.last.at == pass->now.head_end)
        pass->now.shared = token_is_one_of(token, further);
    if (*token.at == ',' || *token.at == ')')
        take_item(pass);
    if (*token.at == '(')
        open_list(pass, token.at);
    else if (*token.at == ')')
        close_list(pass, token.at);
    else if (*token.at == '{')
        open_block(pass, token.at);
    else if (*token.at == '}')
        close_block(pass);
    else if (*token.at == ';' && innermost_block(pass) == 0)
        end_declaration(pass);
    pass->now.before = pass->now.last;
    pass->now.last = token;
}

/* --- preprocessor lines --- */

static void open_condition(struct pass *pass)
{
    GROW(pass->conditions, pass->condition_count);
    pass->conditions[pass->condition_count++] = (struct condition){.state = pass->now};
}

static void begin_alternative(struct pass *pass, bool last)
{
    if (pass->condition_count == 0)
        return;
    struct condition *condition = &pass->conditions[pass->condition_count - 1];
    condition->level = condition->level || pass->now.bracket == condition->state.bracket;
    condition->complete = condition->complete || last;
    pass->now = condition->state;
}

/* The text continues as the last alternative left it, unless only another one, or a missing #else, is level. */
static void close_condition(struct pass *pass)
{
    if (pass->condition_count == 0)
        return;
    const struct condition *condition = &pass->conditions[--pass->condition_count];
    const bool level = condition->level || !condition->complete;
    if (level && pass->now.bracket != condition->state.bracket)
        pass->now = condition->state;
}

static void take_directive(struct pass *pass, struct token name)
{
    static const char *const opening[] = {"if", "ifdef", "ifndef", NULL};
    static const char *const further[] = {"elif", "elifdef", "elifndef", NULL};

    if (token_is_one_of(name, opening))
        open_condition(pass);
    else if (token_is_one_of(name, further))
        begin_alternative(pass, false);
    else if (token_is(name, "else"))
        begin_alternative(pass, true);
    else if (token_is(name, "endif"))
        close_condition(pass);
}

/* Comments that begin in the line may end in a later one. */
static const char *skip_directive(const char *at)
{
    while (*at != '\0' && token_line_end(at) == 0) {
        const char *behind = token_skip_gap(at);
        if (behind == at)
            behind = token_is_quote(*at) ? token_skip_literal(at) : at + 1;
        at = behind;
    }
    return at;
}

/*
 * What another file has at its place is something, of which nothing is known: the mark stands for it, which is no word.
 */
static const char *read_directive(struct pass *pass, const char *at)
{
    static const char *const including[] = {"include", "include_next", "import", NULL};
    const struct token mark = {at, 1};
    const char *behind = at + 1;
    do {
        at = behind;
        behind = token_line_end(at) == 0 ? token_skip_gap(at) : at;
    } while (behind != at);
    const struct token name = {at, token_word(at)};
    if (token_is_one_of(name, including))
        take_token(pass, mark);
    take_directive(pass, name);
    return skip_directive(at);
}

/* --- the text --- */

static void read_text(struct pass *pass, const char *at)
{
    pass->now = (struct state){.last = {at, 0}, .before = {at, 0}, .head = none};
    open_bracket(pass, "", none);
    while (*at != '\0') {
        const char *behind = token_skip_gap(at);
        if (behind != at) {
            at = behind;
        } else if (*at == '#') {
            at = read_directive(pass, at);
        } else {
            const struct token token = token_read(at);
            take_token(pass, token);
            at += token.length;
        }
    }
}

/* What is to be put in is known only once all calls are. */
static const char *text_of(const struct pass *pass, const struct edit *edit)
{
    const struct instrument *with = pass->with;
    return edit->text == with->statement && with->called != NULL && pass->called[edit->kernel] ? with->called
                                                                                               : edit->text;
}

/* What is put into a kernel that was not found is left out. */
static char *edited(struct pass *pass, const char *text)
{
    size_t size = strlen(text) + 1, kept = 0;

    for (size_t i = 0; i < pass->edit_count; ++i)
        if (pass->found[pass->edits[i].kernel]) {
            pass->edits[kept++] = pass->edits[i];
            size += strlen(text_of(pass, &pass->edits[i]));
        }
    char *copy = xmalloc(size), *end = copy;
    for (size_t i = 0; i < kept; ++i) {
        const size_t length = (size_t)(pass->edits[i].at - text);
        memcpy(end, text, length);
        end = stpcpy(end + length, text_of(pass, &pass->edits[i]));
        text += length;
    }
    memcpy(end, text, strlen(text) + 1);
    return copy;
}

char *instrument_kernels(const char *text, const char *const *kernels, size_t count, const struct instrument *with,
                         bool *found)
{
    struct pass pass = {.kernels = kernels, .count = count, .with = with, .found = found};

    for (size_t i = 0; i < count; ++i)
        found[i] = false;
    pass.called = xcalloc(count + 1, sizeof *pass.called);
    read_text(&pass, text);
    char *copy = edited(&pass, text);
    free(pass.brackets);
    free(pass.conditions);
    free(pass.edits);
    free(pass.heads);
    free(pass.called);
    return copy;
}
