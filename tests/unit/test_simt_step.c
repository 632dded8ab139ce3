/*
 * SIMT-Step's base tests: what Chen, Rehman, Martinez and Sorensen (PLDI 2026) publish of them, and what machines of
 * lanes make of them.
 *
 * What is published, in the paper's artifact (github.com/ArberSephirotheca/gpu-forward-progress-TLAPlus): the ten
 * tests, by name and in words (README.md, "Empirical Amber Suites"; litmus_tests/README.md of commit dc4ed863); which
 * instructions are collective, synchronous and independent in each of four models (README.md, appendix A, from the
 * paper's table 1); and that each test holds in the model that it is named after, if memory is sequentially consistent.
 * That it fails in weaker models follows here.
 */
#include "litmus/form.h"
#include "litmus/judge.h"
#include "litmus/lanes.h"

#include "harness.h"

/* From the strongest on. In the last one operations of sub-groups do not wait either. */
enum model { CM, SM, SCF, SSO, NONE, MODELS };

enum op {
    WRITE,
    READ,
    SPLIT, /* the first thread goes one way, and the second the other */
    GROUP, /* an operation of the sub-group */
    JOIN,  /* both ways come together */
    MEET,  /* a barrier of both threads */
};

enum slot { OWN, PEER, COMMON };

enum { STEPS = 7, THREADS = 2, ITS_ID = 9, EQUAL = 9 };

struct step {
    enum op op;
    enum slot slot;
    int value; /* that is written, or ITS_ID */
};

/* Both threads do the same steps, and it holds if each reads this value in the end; EQUAL: if both read the same. */
static const struct test {
    const char *name;
    enum model published; /* it holds there, */
    enum model weakest;   /* and by its rules down to this one */
    int read;
    unsigned count;
    struct step steps[STEPS];
} base_tests[] = {
    {"cm_wr", CM, SM, EQUAL, 3, {{WRITE, COMMON, ITS_ID}, {READ, COMMON, 0}, {MEET, 0, 0}}},
    {"sm_ww", SM, SM, 2, 4, {{WRITE, OWN, 1}, {WRITE, PEER, 2}, {MEET, 0, 0}, {READ, OWN, 0}}},
    {"sm_rw", SM, SM, 0, 3, {{READ, OWN, 0}, {WRITE, PEER, 1}, {MEET, 0, 0}}},
    {"sm_wr", SM, SM, 1, 3, {{WRITE, PEER, 1}, {READ, OWN, 0}, {MEET, 0, 0}}},
    {"scf_ww",
     SCF,
     SCF,
     2,
     6,
     {{WRITE, OWN, 1}, {SPLIT, 0, 0}, {WRITE, PEER, 2}, {JOIN, 0, 0}, {MEET, 0, 0}, {READ, OWN, 0}}},
    {"scf_rw", SCF, SCF, 0, 5, {{READ, OWN, 0}, {SPLIT, 0, 0}, {WRITE, PEER, 1}, {JOIN, 0, 0}, {MEET, 0, 0}}},
    {"scf_wr", SCF, SCF, 1, 5, {{WRITE, PEER, 1}, {SPLIT, 0, 0}, {READ, OWN, 0}, {JOIN, 0, 0}, {MEET, 0, 0}}},
    {"sso_ww",
     SSO,
     SSO,
     2,
     7,
     {{WRITE, OWN, 1}, {SPLIT, 0, 0}, {GROUP, 0, 0}, {WRITE, PEER, 2}, {JOIN, 0, 0}, {MEET, 0, 0}, {READ, OWN, 0}}},
    {"sso_rw",
     SSO,
     SSO,
     0,
     6,
     {{READ, OWN, 0}, {SPLIT, 0, 0}, {GROUP, 0, 0}, {WRITE, PEER, 1}, {JOIN, 0, 0}, {MEET, 0, 0}}},
    {"sso_wr",
     SSO,
     SSO,
     1,
     6,
     {{WRITE, PEER, 1}, {SPLIT, 0, 0}, {GROUP, 0, 0}, {READ, OWN, 0}, {JOIN, 0, 0}, {MEET, 0, 0}}},
};

enum { TESTS = sizeof base_tests / sizeof *base_tests };

/* --- the four models --- */

struct state {
    unsigned at[THREADS];
    bool open[STEPS][THREADS]; /* all of a block have come to the step, and each may take it by itself */
    int memory[COMMON + 1], read[THREADS];
};

struct search {
    const struct test *test;
    enum model model;
    unsigned right, wrong; /* ends */
};

enum way { INDEPENDENT, SYNCHRONOUS, COLLECTIVE };

/* Table 1. */
static enum way way_of(enum model model, enum op op)
{
    switch (op) {
    case WRITE:
    case READ:
        return model == CM ? COLLECTIVE : model == SM ? SYNCHRONOUS : INDEPENDENT;
    case SPLIT:
    case JOIN:
        return model <= SCF ? COLLECTIVE : INDEPENDENT;
    case GROUP:
        return model <= SSO ? COLLECTIVE : INDEPENDENT;
    case MEET:
        break;
    }
    return COLLECTIVE;
}

static unsigned find(const struct test *test, enum op op)
{
    unsigned at = 0;
    while (at < test->count && test->steps[at].op != op)
        ++at;
    return at;
}

/* The step is on one of both ways, where each thread is in a block of its own. */
static bool is_apart(const struct test *test, unsigned at)
{
    return at > find(test, SPLIT) && at < find(test, JOIN);
}

/* All threads of the block are at the thread's step, and it is known who they are: no other may still branch to it. */
static bool is_aligned(const struct test *test, const struct state *state, unsigned thread)
{
    const unsigned at = state->at[thread], other = state->at[1 - thread];
    return is_apart(test, at) ? other > find(test, SPLIT) : other == at;
}

static void take_step(const struct test *test, struct state *state, unsigned thread)
{
    const struct step *step = &test->steps[state->at[thread]++];
    int *place = &state->memory[step->slot == COMMON ? COMMON : (step->slot == OWN) == (thread == 0) ? 0 : 1];

    if (step->op == WRITE)
        *place = step->value == ITS_ID ? (int)thread : step->value;
    if (step->op == READ)
        state->read[thread] = *place;
}

/* One thread has its turn, if it may; of those that act together it is the first. */
static bool turn(const struct search *search, struct state *state, unsigned thread)
{
    const struct test *test = search->test;
    const unsigned at = state->at[thread];
    const bool apart = at < test->count && is_apart(test, at);
    bool *open = &state->open[at < test->count ? at : 0][apart ? thread : 0];

    if (at == test->count)
        return false;
    switch (way_of(search->model, test->steps[at].op)) {
    case INDEPENDENT:
        take_step(test, state, thread);
        return true;
    case SYNCHRONOUS:
        if (!*open)
            return *open = is_aligned(test, state, thread);
        take_step(test, state, thread);
        return true;
    case COLLECTIVE:
        break;
    }
    if (!is_aligned(test, state, thread))
        return false;
    take_step(test, state, thread);
    if (!apart)
        take_step(test, state, 1 - thread);
    return true;
}

static void search_from(struct search *search, const struct state *state)
{
    const struct test *test = search->test;
    bool ended = true;

    for (unsigned thread = 0; thread < THREADS; ++thread) {
        struct state next = *state;
        if (!turn(search, &next, thread))
            continue;
        ended = false;
        search_from(search, &next);
    }
    if (!ended)
        return;
    ck_assert_msg(state->at[0] == test->count && state->at[1] == test->count, "%s does not end", test->name);
    const bool holds = test->read == EQUAL ? state->read[0] == state->read[1]
                                           : state->read[0] == test->read && state->read[1] == test->read;
    ++*(holds ? &search->right : &search->wrong);
}

START_TEST(each_holds_where_it_is_published_and_fails_in_weaker_models)
{
    for (unsigned i = 0; i < TESTS; ++i)
        for (enum model model = CM; model < MODELS; ++model) {
            struct search search = {.test = &base_tests[i], .model = model};
            search_from(&search, &(struct state){.at = {0}});
            ck_assert_msg(search.right > 0, "%s, model %d", base_tests[i].name, model);
            ck_assert_msg((search.wrong == 0) == (model <= base_tests[i].weakest), "%s, model %d: %u of %u are wrong",
                          base_tests[i].name, model, search.wrong, search.right + search.wrong);
        }
    for (unsigned i = 0; i < TESTS; ++i)
        ck_assert(base_tests[i].weakest >= base_tests[i].published);
}
END_TEST

/* --- machines of lanes --- */

/*
 * The same for machines, where programs are read from a table, so that ways do not part: sm_ and scf_ are one program.
 * It ends if it holds; what is written first is 0, and then 1. cm_wr is in test_lanes.c.
 */
static const char *const programs[] = {
    "0,0,0,1;1,0,1,2;0,0,-,2|1,0,0,1;0,0,1,2;1,0,-,2", /* ww */
    "0,1,-,2;1,0,1,3;0,1,-,2|1,1,-,2;0,0,1,3;1,1,-,2", /* rw */
    "1,0,1,1;0,1,-,3;1,1,-,2|0,0,1,1;1,1,-,3;0,1,-,2", /* wr */
};

/* In lock-step they hold, as in CM, SM and SCF. Lanes that go on by themselves are SSO: there they may fail, and if one
   lane runs behind the other they do. */
START_TEST(machines)
{
    const struct mapping mapping = {MAPPING_PLAIN, 0};
    struct litmus_judge judge = {.space.count = 0};
    struct litmus_verdicts verdicts;
    struct litmus_program program;
    struct error error;

    for (size_t i = 0; i < sizeof programs / sizeof *programs; ++i) {
        struct litmus_cursor cursor = {.at = programs[i], .line_start = programs[i], .line = 1};
        ck_assert_int_eq(litmus_read_text(&cursor, &program, &error), 0);
        for (enum lanes_machine machine = LANES_SERIAL_UP; machine < LANES_MACHINES; ++machine)
            ck_assert_int_eq(lanes_ends(machine, ENGINE_TABLE, &program, &mapping), !lanes_are_serial(machine));
        ck_assert_int_eq(litmus_judge_program(&judge, &program, &verdicts, &error), 0);
        ck_assert(!verdicts.weak[LITMUS_FAIR]);
    }
    litmus_judge_fini(&judge);
}
END_TEST

HARNESS_MAIN("simt_step", each_holds_where_it_is_published_and_fails_in_weaker_models, machines)
