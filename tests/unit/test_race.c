/* Races are found where the memory model has them, by a schedule that leads there, and nowhere else. */
#include "race_fixture.h"

#include <stdio.h>

enum { TEXT = 512 };

/* "0.0/1.1", the smaller place first, in the order of places. */
static const char *found_pairs(char text[TEXT])
{
    size_t length = 0;

    text[0] = '\0';
    for (uint32_t a = 0; a < TOY_PLACES; ++a)
        for (uint32_t b = a; b < TOY_PLACES; ++b)
            for (uint32_t i = 0; i < races.count; ++i) {
                const uint32_t x = place(&races.all[i], 0), y = place(&races.all[i], 1);
                if ((x < y ? x : y) == a && (x < y ? y : x) == b)
                    length += (size_t)snprintf(text + length, TEXT - length, "%s%u.%u/%u.%u", length > 0 ? " " : "",
                                               a / TOY_CODE, a % TOY_CODE, b / TOY_CODE, b % TOY_CODE);
            }
    return text;
}

/* --- shapes --- */

struct shape {
    uint32_t groups;
    const char *text, *pairs;
};

static void check_shapes(const struct shape *shapes, size_t count)
{
    char text[TEXT];

    for (size_t i = 0; i < count; ++i) {
        find(shapes[i].groups, shapes[i].text, MOST);
        ck_assert(races.complete);
        ck_assert_msg(strcmp(found_pairs(text), shapes[i].pairs) == 0, "%s: %s, not %s", shapes[i].text, text,
                      shapes[i].pairs);
        forget();
    }
}

#define CHECK_SHAPES(shapes) check_shapes(shapes, sizeof(shapes) / sizeof *(shapes))

START_TEST(plain_accesses)
{
    static const struct shape shapes[] = {
        {2, "x=1 | x=2", "0.0/1.0"},
        {2, "x=1 | x=1", "0.0/1.0"}, /* the same value */
        {2, "x=1 | x", "0.0/1.0"},
        {2, "x | x", ""},
        {2, "x=1 | y=1", ""},
        {1, "x=1; x", ""},
        {2, "X=1 | y", "0.0/1.0"}, /* bytes in common */
        {2, "X=1 | x; y", "0.0/1.0 0.0/1.1"},
        {2, "X=1 | z", ""},
        {2, "x=1; y=1 | y==1; x", "0.0/1.1 0.1/1.0"}, /* a plain flag */
        {3, "x | x | x=1", "0.0/2.0 1.0/2.0"},
        {2, "x:rlx | x=1", "0.0/1.0"}, /* one of them is atomic */
        {2, "x=1 | x+1:sc", "0.0/1.0"},
        {2, "x | x=1:sc", "0.0/1.0"},
        {2, "x | x:sc", ""},
        {2, "x=1:rlx | x:rlx", ""},
        {2, "x+1:rlx | x+1:rlx", ""},
    };
    CHECK_SHAPES(shapes);
}
END_TEST

START_TEST(messages)
{
    static const struct shape shapes[] = {
        {2, "x=1; f=1:rel | f==1:acq; x", ""},
        {2, "x=1; f=1:sc | f==1:sc; x", ""},
        {2, "x=1; f+1:ar | f==1:acq; x", ""},
        {2, "x=1; f=1:rel | f[1]=2:acq; x", ""},
        {2, "x=1; f=1:rlx | f==1:rlx; x", "0.0/1.1"}, /* never adjacent */
        {2, "x=1; f=1:rel | f==1:rlx; x", "0.0/1.1"},
        {2, "x=1; f=1:rlx | f==1:acq; x", "0.0/1.1"},
        {2, "x=1; f+1:acq | f==1:acq; x", "0.0/1.1"}, /* an update that only acquires */
        {2, "x=1; f=1:rel | f[1]=2:rel; x", "0.0/1.1"},
        {2, "f=1:rel; x=1 | f==1:acq; x", "0.1/1.1"}, /* too early */
        {2, "x=1; f=1:rel | x; f==1:acq", "0.0/1.0"},
        {2, "x=1; f=1:rel | f:acq; x", "0.0/1.1"}, /* does not wait */
        {2, "x=1; f=1:rel | f==1?:acq; x", ""},
        {2, "x=1; f=1:rel | g==0:acq; x", "0.0/1.1"}, /* another word */
        {2, "x; f=1:rel | f==1:acq; x=1", ""},        /* the read comes first */
        {2, "x; f=1:rlx | f==1:rlx; x=1", "0.0/1.1"},
        {2, "f=0; f=1:rel | f==1:acq", "0.0/1.0"}, /* initialized while the other one looks */
        {2, "x=1; f=1:rel; x=2 | f==1:acq; x", "0.2/1.1"},
        {3, "x=1; f=1:rel | f==1:acq; g=1:rel | g==1:acq; x", ""}, /* by way of a third one */
        {3, "x=1; f=1:rel | f==1:acq; g=1:rlx | g==1:acq; x", "0.0/2.1"},
        {3, "x=1; f=1:rel | f==1:rlx; g=1:rel | g==1:acq; x", "0.0/2.1"},
        {3, "x=1; f=1:rel | f==1:acq; x; g=1:rel | g==1:acq; x=2", ""},
        {3, "x=1; f=1:rel | f==1:acq; x; g=1:rlx | g==1:acq; x=2", "0.0/2.1 1.1/2.1"},
        {3, "x=1; f=1:rel | f==1:acq; x | f==1:acq; x=2", "1.1/2.1"}, /* a read between */
    };
    CHECK_SHAPES(shapes);
}
END_TEST

START_TEST(release_sequences)
{
    static const struct shape shapes[] = {
        {2, "x=1; f=1:rel; f=2:rlx | f==2:acq; x", ""},                   /* a store of the same one */
        {3, "x=1; f+1:rel | f+1:rlx | f==2:acq; x", ""},                  /* an update by another one */
        {3, "x=1; f=1:rel | f==1:rlx; f=2:rlx | f==2:acq; x", "0.0/2.1"}, /* a store by another one */
        {3, "x=1; f+1:rel | y=1; f+1:rel | f==2:acq; x; y", ""},          /* both */
        {3, "x=1; f+1:rlx | y=1; f+1:rel | f==2:acq; x; y", "0.0/2.1"},
        {2, "x=1; f=1:rel; f=2 | f==2:acq; x", "0.0/1.1 0.2/1.0"}, /* a plain store */
        {2, "x=1; F=1:rel; g=2 | F==1:acq; x", "0.0/1.1 0.2/1.0"},
    };
    CHECK_SHAPES(shapes);
}
END_TEST

START_TEST(fences)
{
    static const struct shape shapes[] = {
        {2, "x=1; fence:rel; f=1:rlx | f==1:rlx; fence:acq; x", ""},
        {2, "x=1; fence:sc; f=1:rlx | f==1:rlx; fence:sc; x", ""},
        {2, "x=1; fence:rel; f=1:rlx | f==1:acq; x", ""},
        {2, "x=1; f=1:rel | f==1:rlx; fence:acq; x", ""},
        {2, "x=1; f=1:rlx | f==1:rlx; fence:acq; x", "0.0/1.2"}, /* one of them is missing */
        {2, "x=1; fence:rel; f=1:rlx | f==1:rlx; x", "0.0/1.1"},
        {2, "x=1; fence:acq; f=1:rlx | f==1:acq; x", "0.0/1.1"}, /* of the wrong kind */
        {2, "x=1; f=1:rel | f==1:rlx; fence:rel; x", "0.0/1.2"},
        {2, "fence:rel; x=1; f=1:rlx | f==1:acq; x", "0.1/1.1"}, /* at the wrong place */
        {2, "x=1; f=1:rel | fence:acq; f==1:rlx; x", "0.0/1.2"},
        {2, "x=1; fence:rel; y=1; f=1:rlx | f==1:acq; x; y", "0.2/1.2"},
        {2, "x=1; fence:rel; f=1:rlx; g=1:rlx | g==1:acq; x", ""}, /* it holds for all that follow */
        {2, "x=1; f=1:rel | f==1:rlx; y; fence:acq; x", ""},
        {2, "x=1; h=1:rlx; f=1:rel; g=1:rlx | h==1:rlx; f:rlx; g==1:rlx; fence:acq; x",
         "0.0/1.4"},                                                /* may be too early */
        {2, "x=1; fence:rel.wg; f=1:rlx | f==1:acq; x", "0.0/1.1"}, /* its scope is too narrow */
        {2, "x=1; f=1:rel | f==1:rlx; fence:acq.wg; x", "0.0/1.2"},
        {1, "x=1; fence:rel.wg; f=1:rlx | f==1:acq; x", ""},
        {1, "x=1; f=1:rel | f==1:rlx; fence:acq.wg; x", ""},
        {3, "x=1; fence:rel; f=1:rlx | f==1:rlx; fence:ar; g=1:rlx | g==1:rlx; fence:acq; x", ""},
        {3, "x=1; fence:rel; f=1:rlx | f==1:rlx; fence:rel; g=1:rlx | g==1:rlx; fence:acq; x", "0.0/2.2"},
        {2, "x=1; fence:rel:g; f=1:rlx | f==1:rlx; fence:acq:g; x", ""}, /* for global memory, or for local */
        {2, "x=1; fence:rel:l; f=1:rlx | f==1:rlx; fence:acq:g; x", "0.0/1.2"},
        {2, "x=1; fence:rel:g; f=1:rlx | f==1:rlx; fence:acq:l; x", "0.0/1.2"},
        {2, "x=1; fence:rel:l; f=1:rlx | f==1:acq; x", "0.0/1.1"},
        {1, "m=1; fence:rel:l; n=1:rlx | n==1:rlx; fence:acq:l; m", ""},
        {1, "m=1; fence:rel:g; n=1:rlx | n==1:rlx; fence:acq:g; m", "0.0/1.2"},
        {1, "m=1; n=1:rel | n==1:acq; m", ""}, /* so does an atomic access */
        {1, "x=1; n=1:rel | n==1:acq; x", "0.0/1.1"},
        {1, "x=1; n=1:sc | n==1:sc; x", ""},
    };
    CHECK_SHAPES(shapes);
}
END_TEST

START_TEST(scopes)
{
    static const struct shape shapes[] = {
        {1, "x=1; f=1:rel.wg | f==1:acq.wg; x", ""},
        {2, "x=1; f=1:rel.wg | f==1:acq.wg; x", "0.0/1.1 0.1/1.0"}, /* between groups */
        {2, "x=1; f=1:rel.wg | f==1:acq; x", "0.0/1.1 0.1/1.0"},    /* of one only */
        {2, "x=1; f=1:rel | f==1:acq.wg; x", "0.0/1.1 0.1/1.0"},
        {1, "x=1; f=1:rel.wg | f==1:acq; x", ""}, /* each includes the other one */
        {2, "x=1; f=1:rel.all | f==1:acq.dev; x", ""},
        {1, "x=1; f=1:rel.sg | f==1:acq.wg; x", "0.0/1.1 0.1/1.0"},
        {1, "f+1:rlx.wi | f+1:rlx.wi", "0.0/1.0"},
        {2, "f+1:rlx.wg | f+1:rlx.wg", "0.0/1.0"},
        {2, "f:rlx.wg | f:rlx.wg", ""}, /* none writes */
        /* Within the group, and from there to the other one. */
        {2, "x=1; f=1:rel.wg | f==1:acq.wg; g=1:rel | g==1:acq; x | y", ""},
        {2, "x=1; f=1:rel.wg | f==1:acq.wg; g=1:rel.wg | g==1:acq; x | y", "0.0/2.1 1.1/2.0"},
    };
    CHECK_SHAPES(shapes);
}
END_TEST

START_TEST(barriers)
{
    static const struct shape shapes[] = {
        {1, "x=1; barrier; y | y=1; barrier; x", ""},
        {1, "x=1; barrier; y=1 | z; barrier; y", "0.2/1.2"},
        {1, "barrier; x=1 | barrier; barrier; x", ""}, /* one waits for ever */
        {1, "barrier; x=1; barrier; y | barrier; barrier; x", ""},
        {1, "x=1; barrier; barrier; y | barrier; barrier; x", ""},
        {2, "x=1; barrier; y | barrier; y | x; barrier; z | barrier; z", "0.0/2.0"}, /* of other groups */
        {1, "y; barrier; x; barrier | x=1; barrier; barrier; z", ""},
        {1, "x=1; barrier | y=1; barrier; x | barrier; x; y", ""},
        {1, "x; barrier; x=1 | x; barrier; y", ""},
        {1, "x; barrier; x=1 | barrier; x", "0.2/1.1"},
        /* One waits for another group, and all go on. */
        {2, "x=1; f=1:rel | y | f==1:acq; barrier; x | barrier; x", ""},
        {2, "x=1; f=1:rel | y | f==1:rlx; barrier; x | barrier; x", "0.0/2.2 0.0/3.1"},
        {2, "x=1; f=1:rel | y | f==1:rlx; fence:acq; barrier; x | barrier; x", ""},
        {2, "x=1; f=1:rel | y | f==1:rlx; fence:acq; barrier | barrier; x", ""},
        {2, "x=1; f=1:rel | y | f==1:rlx; fence:acq; barrier; barrier; y | barrier; x; barrier", ""},
        /* All have written, and one says so. */
        {2, "x=1; barrier; f=1:rel | y=1; barrier | f==1:acq; x; y | z", ""},
        {2, "x=1; barrier; f=1:rlx | y=1; barrier | f==1:acq; x; y | z", "0.0/2.1 1.0/2.2"},
        {2, "x=1; barrier; fence:rel; f=1:rlx | y=1; barrier | f==1:acq; x; y | z", ""},
    };
    CHECK_SHAPES(shapes);
}
END_TEST

START_TEST(barriers_order_what_they_are_for)
{
    static const struct shape shapes[] = {
        {1, "x=1; barrier:g; y | y=1; barrier:g; x", ""},
        {1, "m=1; barrier:l; n | n=1; barrier:l; m", ""},
        {1, "x=1; barrier:l; y | y=1; barrier:l; x", "0.0/1.2 0.2/1.0"},
        {1, "m=1; barrier:g; n | n=1; barrier:g; m", "0.0/1.2 0.2/1.0"},
        {1, "x=1; m=1; barrier:l; z | z; barrier:l; m; x", "0.0/1.3"},
        {1, "x=1; barrier:l; barrier:g; z | barrier:l; barrier:g; x", ""}, /* the second one is enough */
        {1, "x=1; barrier:g; barrier:l; z | barrier:g; barrier:l; x", ""},
        {1, "x=1; barrier:l; barrier:g; z | barrier:l; x; barrier:g", "0.0/1.1"}, /* it comes too late */
        {1, "barrier:g; x=1; barrier:l; z | barrier:g; barrier:l; x", "0.1/1.2"}, /* it came too early */
        /* All have written, and one says so. */
        {2, "x=1; barrier:g; f=1:rel | y=1; barrier:g | f==1:acq; x; y | z", ""},
        {2, "x=1; barrier:l; f=1:rel | y=1; barrier:l | f==1:acq; x; y | z", "1.0/2.2"},
    };
    CHECK_SHAPES(shapes);
}
END_TEST

#define LOCKED "l[0]=1:acq; x; x=1; l=0:rel"
#define TICKET "t+1:rlx; s==r:acq; x; x=1; s=r+1:rel"
#define CENTRAL(order) "c+1:" order "; r!=1>5; c=0:rlx; s=1:rel; s==1:acq"

START_TEST(locks_and_barriers_of_atomics)
{
    static const struct shape shapes[] = {
        {2, LOCKED " | " LOCKED, ""},
        {3, LOCKED " | " LOCKED " | " LOCKED, ""},
        {2, LOCKED " | l[0]=1:rlx; x; x=1; l=0:rel", "0.1/1.2 0.2/1.1 0.2/1.2"},
        {2, LOCKED " | l[0]=1:acq; x; x=1; l=0:rlx", "0.1/1.2 0.2/1.1 0.2/1.2"},
        {2, LOCKED " | x", "0.2/1.0"},                                    /* without the lock */
        {2, "l[0]=1?:acq; x=1; l=0:rel | l[0]=1?:acq; x=1; l=0:rel", ""}, /* who does not get it gives up */
        {3, TICKET " | " TICKET " | " TICKET, ""},
        {2, TICKET " | t+1:rlx; s==r:rlx; x; s=r+1:rel", "0.3/1.2"},
        {2, "x=1; " CENTRAL("ar") "; y | y=1; " CENTRAL("ar") "; x", ""},
        {2, "x=1; " CENTRAL("rel") "; y | y=1; " CENTRAL("rel") "; x", "0.0/1.6 0.6/1.0"},
        {2, "x=1; " CENTRAL("ar.wg") "; y | y=1; " CENTRAL("ar.wg") "; x", "0.0/1.6 0.1/1.1 0.1/1.3 0.3/1.1 0.6/1.0"},
        {2, "l | l[0]=1:sc", "0.0/1.0"},
        {2, "l | l[1]=2?:sc", ""}, /* it fails, and does not write */
    };
    CHECK_SHAPES(shapes);
}
END_TEST

/* --- what is told of a race --- */

START_TEST(the_way_is_the_shortest)
{
    find(2, "y; y; x=1; y; y | x", MOST);
    ck_assert_uint_eq(races.count, 1);
    ck_assert_uint_eq(races.all[0].step_count, 3);
    ck_assert_uint_eq(races.all[0].cause, PROOF_NOT_ATOMIC);
    forget();
    find(2, "f=1:rlx; x=1 | f+0:rlx; r!=1>4; y; y; x", MOST); /* though the write comes later */
    ck_assert_uint_eq(races.count, 1);
    ck_assert_uint_eq(races.all[0].step_count, 3);
    forget();
    find(2, "f=1:rel.wg | f:acq", MOST);
    ck_assert_uint_eq(races.count, 1);
    ck_assert_uint_eq(races.all[0].step_count, 1);
    ck_assert_uint_eq(races.all[0].first, 0);
    ck_assert_uint_eq(races.all[0].cause, PROOF_NOT_INCLUSIVE);
    forget();
}
END_TEST

/* Whether fences would order it that are there, but are for their group. */
START_TEST(a_fence_may_not_be_far_enough)
{
    static const struct {
        const char *text;
        enum proof_race_cause cause;
    } shapes[] = {
        {"x=1; fence:rel.wg; f=1:rlx | f==1:rlx; fence:acq.wg; x", PROOF_NOT_FAR},
        {"x=1; barrier; f=1:rlx | f==1:rlx; fence:acq.wg; x", PROOF_NOT_FAR},
        {"x=1; barrier; f=1:rlx | f==1:rlx; barrier; x", PROOF_NOT_FAR},
        {"x=1; fence:rel.wg; f=1:rlx | f==1:rlx; x", PROOF_NOT_ATOMIC}, /* one is missing */
        {"x=1; f=1:rlx | f==1:rlx; fence:acq.wg; x", PROOF_NOT_ATOMIC},
        {"fence:rel.wg; x=1; f=1:rlx | f==1:acq; x", PROOF_NOT_ATOMIC},            /* at the wrong place */
        {"x=1; fence:rel.wg:l; f=1:rlx | f==1:acq; x", PROOF_NOT_ATOMIC},          /* for other memory */
        {"x=1; fence:rel.wg; f=1:rlx | f:rlx; fence:acq.wg; x", PROOF_NOT_ATOMIC}, /* it does not wait */
    };

    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; ++i) {
        find(2, shapes[i].text, MOST);
        ck_assert_uint_eq(races.count, 1);
        ck_assert_msg(races.all[0].cause == shapes[i].cause, "%s: %u", shapes[i].text, races.all[0].cause);
        forget();
    }
}
END_TEST

/* With places that are not told apart: of each kind of access that one may have. */
START_TEST(places_may_be_shared)
{
    static const char *const texts[] = {"x=1; x=2 | x=1; x=2",         "x; x=1 | x",   "x=1:rlx; x=1 | x:rlx",
                                        "x=1:rlx; x=1:rlx.wg | x:rlx", "x=1; X=1 | y", "f[0]=1:rlx.wg | f:rlx"};

    for (size_t i = 0; i < sizeof texts / sizeof *texts; ++i) {
        find(2, texts[i], MOST);
        const uint32_t pairs = races.pairs;
        proof_races_fini(&races);
        proof_find_races(&built.graph, NULL, MOST, &races); /* here each instruction has one own state */
        ck_assert_uint_eq(races.pairs, pairs);
        proof_races_fini(&races);
        memset(built.places, 0, built.graph.access_count * sizeof *built.places);
        proof_find_races(&built.graph, built.places, MOST, &races);
        ck_assert_msg(races.pairs == 1, "%s", texts[i]);
        forget();
    }
}
END_TEST

START_TEST(it_says_when_it_gives_up)
{
    find(2, TICKET " | " TICKET, MOST);
    ck_assert(races.complete);
    const uint32_t states = races.states;
    forget();
    find(2, TICKET " | " TICKET, states);
    ck_assert(races.complete);
    ck_assert_uint_eq(races.states, states);
    forget();
    find(2, TICKET " | " TICKET, states - 1);
    ck_assert(!races.complete);
    ck_assert_uint_eq(races.states, states - 1);
    forget();
}
END_TEST

/* More than are told. */
START_TEST(many_pairs)
{
    find(2, "x=1; x=2; x=3; x=4; x=5; x=6 | x=1; x=2; x=3; x=4; x=5; x=6", MOST);
    ck_assert_uint_eq(races.pairs, 36);
    ck_assert_uint_eq(races.count, PROOF_RACES);
    for (uint32_t i = 1; i < races.count; ++i)
        ck_assert_uint_ge(races.all[i].step_count, races.all[i - 1].step_count);
    forget();
}
END_TEST

/* The last instructions are searched first, and may be in the same place as the first ones. */
START_TEST(a_shorter_way_may_come_later)
{
    char item[TEXT] = "z=1; ", text[3 * TEXT];

    for (char word = 'b'; word <= 'u'; ++word)
        sprintf(item + strlen(item), "%c=1; %c; ", word, word);
    strcat(item, "a=1");
    snprintf(text, sizeof text, "%s | %s", item, item);
    find(2, text, MOST);
    ck_assert_uint_eq(races.pairs, 2 + 3 * 20);
    proof_races_fini(&races);
    for (uint32_t i = 0; i < built.graph.access_count; ++i) {
        const bool ends = built.graph.accesses[i].at == 0 || built.graph.accesses[i].at == UINT64_C(4) * ('z' - 'a');
        built.places[i] = (built.places[i] / TOY_CODE) * TOY_CODE + (ends ? 0 : 1);
    }
    proof_find_races(&built.graph, built.places, MOST, &races);
    ck_assert_uint_eq(races.pairs, 2);
    ck_assert_uint_eq(races.all[0].step_count, 1);
    ck_assert_uint_eq(races.all[1].step_count, 3);
    forget();
}
END_TEST

HARNESS_MAIN("race", plain_accesses, messages, release_sequences, fences, scopes, barriers,
             barriers_order_what_they_are_for, locks_and_barriers_of_atomics, the_way_is_the_shortest,
             a_fence_may_not_be_far_enough, places_may_be_shared, it_says_when_it_gives_up, many_pairs,
             a_shorter_way_may_come_later)
