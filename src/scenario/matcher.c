#include "scenario/matcher_steps.h"

#include "core/tokens.h"

#include <stdlib.h>
#include <string.h>

void matcher_fini(struct matcher *matcher)
{
    free(matcher->steps);
    free(matcher->sets);
    free(matcher->states);
    *matcher = (struct matcher){.count = 0};
}

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
    const bool before = at > 0 && (token_is_of_name(text[at - 1]) || is_number(states, text[at - 1]));
    const bool behind = token_is_of_name(text[at]) || is_number(states, text[at]);

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

static bool has(const struct matcher_set *set, unsigned byte)
{
    return (set->bits[byte / 8] >> byte % 8 & 1) != 0;
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
