/* Which accesses rely on sequential consistency: those of weaker orders in circles of contended words, no others. */
#include "proof/reliance.h"

#include "race_fixture.h"

#include <stdio.h>

enum { TEXT = 256 };

/* "0.0 1.1", item.instruction, in this order. */
static const char *relying(uint32_t groups, const char *code, uint32_t most, char text[TEXT])
{
    bool relies[TOY_PLACES], places[TOY_PLACES] = {false};
    size_t length = 0;

    toy_parse(&program, groups, code);
    toy_explore(&built, &program);
    ck_assert_uint_le(built.graph.access_count, TOY_PLACES);
    (void)proof_relies_on_sc(&built.graph, most, relies);
    for (uint32_t i = 0; i < built.graph.access_count; ++i)
        places[built.places[i]] = places[built.places[i]] || relies[i];
    toy_forget(&built);
    text[0] = '\0';
    for (unsigned i = 0; i < TOY_PLACES; ++i)
        if (places[i])
            length += (size_t)snprintf(text + length, TEXT - length, "%s%u.%u", length > 0 ? " " : "", i / TOY_CODE,
                                       i % TOY_CODE);
    return text;
}

struct shape {
    uint32_t groups;
    const char *text, *relying;
};

static void check_shapes(const struct shape *shapes, size_t count)
{
    char text[TEXT];

    for (size_t i = 0; i < count; ++i)
        ck_assert_msg(strcmp(relying(shapes[i].groups, shapes[i].text, MOST, text), shapes[i].relying) == 0,
                      "%s: %s, not %s", shapes[i].text, text, shapes[i].relying);
}

START_TEST(circles_of_words)
{
    static const struct shape shapes[] = {
        /* Store buffering, message passing, and loads of two words that two others write. */
        {2, "f=1:rlx; g:rlx | g=1:rlx; f:rlx", "0.0 0.1 1.0 1.1"},
        {2, "f=1:rel; g:acq | g=1:rel; f:acq", "0.0 0.1 1.0 1.1"},
        {2, "f=1:sc; g:sc | g=1:sc; f:acq", "1.1"},
        {2, "f=1:rlx; g=1:rlx | g:rlx; f:rlx", "0.0 0.1 1.0 1.1"},
        {4, "f=1:rlx | g=1:rlx | f:acq; g:acq | g:acq; f:acq", "2.0 2.1 3.0 3.1"},
        {3, "f=1:rlx; g:rlx | g=1:rlx; h:rlx | h=1:rlx; f:rlx", "0.0 0.1 1.0 1.1 2.0 2.1"}, /* of three words */
        {2, "f=1:rlx; y; g:rlx | g=1:rlx; h:rlx; f:rlx", "0.0 0.2 1.0 1.2"},
        /* In a loop, and across a barrier of the group. */
        {2, "f+1?:rlx; g+1:rlx; r!=1>0 | f:rlx; g:rlx", "0.0 0.1 1.0 1.1"},
        {2, "f=1:rlx; barrier; g:rlx | barrier; y | g=1:rlx; f:rlx | y", "0.0 0.2 2.0 2.1"},
        {2, "f=1:rlx; barrier; y | barrier; g:rlx | g=1:rlx; f:rlx | y", ""}, /* of different work-items */
    };
    check_shapes(shapes, sizeof shapes / sizeof *shapes);
}
END_TEST

START_TEST(no_circles)
{
    static const struct shape shapes[] = {
        {2, "f=1:sc; g:sc | g=1:sc; f:sc", ""},
        {2, "f+1:rlx; f:rlx | f+1:rlx; f:rlx", ""},          /* one word */
        {2, "x=1; y | y=1; x", ""},                          /* plain ones */
        {2, "f=1:rlx; g:rlx | f=1:rlx; g=1:rlx", ""},        /* all go the same way */
        {3, "f+1:rlx; g+1:rlx; r!=1>0 | f:rlx | g:rlx", ""}, /* only one leads back */
        {1, "f=1:rlx; g:rlx; f:rlx", ""},                    /* alone */
        {2, "f=1:rlx; g=1:rel | g==1:acq; f:rlx", ""},       /* not contended, since it waits */
        {2, "f:rlx; g:rlx | g:rlx; f:rlx", ""},              /* none writes */
        {2, "t+1:rlx; s==r:acq; x=1; s=r+1:rel | t+1:rlx; s==r:acq; x=1; s=r+1:rel", ""},
        {2, "x=1; c+1:ar; r!=1>5; c=0:rlx; s=1:rel; s==1:acq | x; c+1:ar; r!=1>5; c=0:rlx; s=1:rel; s==1:acq", ""},
    };
    check_shapes(shapes, sizeof shapes / sizeof *shapes);
}
END_TEST

/* What is not known to be ordered might not be. */
START_TEST(words_are_contended_if_nobody_knows)
{
    char text[TEXT];

    relying(2, "f=1:rlx; g=1:rel | g==1:acq; f:rlx", 1, text);
    ck_assert_str_eq(text, "0.0 0.1 1.0 1.1");
}
END_TEST

/* Two items store to so many words, in the same order: there is no circle. Returns how many rely on it. */
static uint32_t relying_of_many(uint32_t words)
{
    const uint32_t side = words + 1, count = side * side;
    struct proof_graph graph = {.groups = 2, .items = 1, .count = count, .access_count = 2 * words};
    bool *relies = xcalloc(2 * words, sizeof *relies);

    graph.accesses = xcalloc(2 * words, sizeof *graph.accesses);
    graph.steps = xcalloc(2 * count, sizeof *graph.steps);
    graph.selves = xcalloc(2 * count, sizeof *graph.selves);
    graph.memories = xcalloc(count, sizeof *graph.memories);
    for (uint32_t i = 0; i < 2 * words; ++i)
        graph.accesses[i] = (struct proof_access){
            .at = 4 * (i % words), .bytes = 4, .kind = PROOF_STORE, .atomic = true, .scope = PROOF_SCOPE_DEVICE};
    for (uint32_t state = 0; state < count; ++state) {
        const uint32_t a = state / side, b = state % side;
        graph.selves[2 * state] = a < words ? a : PROOF_ENDED;
        graph.selves[2 * state + 1] = b < words ? words + b : PROOF_ENDED;
        graph.steps[2 * state] = a < words ? state + side : PROOF_NOWHERE;
        graph.steps[2 * state + 1] = b < words ? state + 1 : PROOF_NOWHERE;
    }
    const uint32_t found = proof_relies_on_sc(&graph, MOST, relies);
    free(graph.accesses);
    free(graph.steps);
    free(graph.selves);
    free(graph.memories);
    free(relies);
    return found;
}

START_TEST(more_words_than_are_followed)
{
    ck_assert_uint_eq(relying_of_many(64), 0);
    ck_assert_uint_eq(relying_of_many(65), 130);
}
END_TEST

HARNESS_MAIN("reliance", circles_of_words, no_circles, words_are_contended_if_nobody_knows,
             more_words_than_are_followed)
