/* Cycles that show why a program is not guaranteed to end: each is walked again, by a second account of the rules. */
#include "litmus/form.h"
#include "litmus/witness.h"

#include "harness.h"
#include "litmus_brute.h"

#include <stdio.h>

static struct error error;
static struct litmus_judge judge;
static struct litmus_witness witness;
static struct brute brute;

static void read_program(const char *text, struct litmus_program *program)
{
    struct litmus_cursor cursor = {.at = text, .line_start = text, .line = 1};
    ck_assert_msg(litmus_read_text(&cursor, program, &error) == 0, "%s: %s", text, error.text);
}

/* Goes all steps, and returns the state where the cycle begins, to which its last step comes back. */
static int walk(const char *text)
{
    int state = 0, start = -1;

    for (size_t i = 0; i < witness.lasso.count; ++i) {
        if (i == witness.lasso.circle)
            start = state;
        state = brute.next[state][witness.lasso.moves[i].thread];
        ck_assert_msg(state >= 0, "%s: step %zu is of a thread that has ended", text, i);
    }
    ck_assert_msg(start >= 0 && state == start, "%s: it is no cycle", text);
    return start;
}

/* All fair threads of each state of the cycle take a step in it. */
static void check_fair(const char *text, int state)
{
    uint32_t stepped = 0;

    for (size_t i = witness.lasso.circle; i < witness.lasso.count; ++i)
        stepped |= UINT32_C(1) << witness.lasso.moves[i].thread;
    for (size_t i = witness.lasso.circle; i < witness.lasso.count; ++i) {
        for (unsigned t = 0; t < brute.program->threads; ++t) {
            ck_assert(brute_is_fair(&brute, (int)witness.model, state, t) == ((witness.fair >> t & 1) != 0));
            ck_assert_msg((witness.fair & ~stepped) == 0, "%s: %s is not fair", text, litmus_model_name(witness.model));
        }
        state = brute.next[state][witness.lasso.moves[i].thread];
    }
}

static void check_witnesses(const struct litmus_program *program, unsigned found_count[2])
{
    struct litmus_verdicts verdicts;
    char text[LITMUS_TEXT];

    litmus_text(program, text);
    brute_explore(&brute, program, true);
    ck_assert_int_eq(litmus_judge_program(&judge, program, &verdicts, &error), 0);
    for (enum litmus_model model = 0; model < LITMUS_MODELS; ++model) {
        const bool found = litmus_witness_find(&judge, model, &witness);
        ck_assert_msg(found == !verdicts.weak[model], "%s: %s", text, litmus_model_name(model));
        if (!found)
            continue;
        ck_assert(witness.strong == !verdicts.strong[model]);
        ck_assert_uint_eq(witness.model, model);
        const int start = walk(text);
        check_fair(text, start);
        for (size_t i = witness.lasso.circle; witness.strong && i < witness.lasso.count; ++i)
            ck_assert((witness.fair >> witness.lasso.moves[i].thread & 1) != 0);
        ++found_count[witness.strong];
    }
}

START_TEST(each_failure_has_a_fair_cycle)
{
    unsigned long long state = 3;
    struct litmus_program program;
    unsigned found[2] = {0, 0};

    for (unsigned i = 0; i < 1000; ++i) {
        brute_random_program(&state, 2, 3, &program);
        check_witnesses(&program, found);
        brute_random_program(&state, 3, 3, &program);
        check_witnesses(&program, found);
        brute_random_program(&state, 1, 5, &program);
        check_witnesses(&program, found);
    }
    ck_assert_uint_gt(found[false], 100);
    ck_assert_uint_gt(found[true], 100);
}
END_TEST

START_TEST(what_is_guaranteed_has_no_cycle)
{
    struct litmus_program program;
    struct litmus_verdicts verdicts;

    read_program("0,1,1,0;0,0,0,2|0,1,1,0;0,0,0,2", &program);
    ck_assert_int_eq(litmus_judge_program(&judge, &program, &verdicts, &error), 0);
    ck_assert(!litmus_witness_find(&judge, LITMUS_OBE, &witness));
    ck_assert(litmus_witness_find(&judge, LITMUS_HSA, &witness));
}
END_TEST

static void check_printed(void (*print)(FILE *out, const struct litmus_space *space,
                                        const struct litmus_witness *cycle),
                          const char *text, enum litmus_model model, const char *expected)
{
    struct litmus_program program;
    struct litmus_verdicts verdicts;
    char printed[2048];
    FILE *out = fmemopen(printed, sizeof printed, "w");

    ck_assert_ptr_nonnull(out);
    read_program(text, &program);
    ck_assert_int_eq(litmus_judge_program(&judge, &program, &verdicts, &error), 0);
    ck_assert(litmus_witness_find(&judge, model, &witness));
    print(out, &judge.space, &witness);
    ck_assert_int_eq(fclose(out), 0);
    ck_assert_str_eq(printed, expected);
}

START_TEST(cycles_are_printed)
{
    check_printed(litmus_witness_text, "0,0,-,0|0,0,1,1", LITMUS_OBE,
                  "# OBE, weak and strong: whatever thread 0 may do, the program does not end\n"
                  "#     thread 0, L0: if (x == 0) goto L0;                   x=0 y=0 at L0 L0\n"
                  "#   repeated forever:\n"
                  "#     thread 0, L0: if (x == 0) goto L0;                   x=0 y=0 at L0 L0\n");
    check_printed(litmus_witness_text, "0,0,1,0|0,1,0,0", LITMUS_FAIR,
                  "# FAIR, weak: despite repeated steps of threads 0, 1, the program does not end\n"
                  "#     thread 0, L0: if (exchange(x, 1) == 0) goto L0;      x=1 y=0 at L0 L0\n"
                  "#     thread 1, L0: if (exchange(x, 0) == 1) goto L0;      x=0 y=0 at L0 L0\n"
                  "#   repeated forever:\n"
                  "#     thread 0, L0: if (exchange(x, 1) == 0) goto L0;      x=1 y=0 at L0 L0\n"
                  "#     thread 1, L0: if (exchange(x, 0) == 1) goto L0;      x=0 y=0 at L0 L0\n");
}
END_TEST

START_TEST(cycles_are_drawn)
{
    check_printed(litmus_witness_dot, "0,0,-,0|0,0,1,1", LITMUS_OBE,
                  "    subgraph cluster_OBE {\n"
                  "        label = \"OBE, weak and strong: whatever thread 0 may do, the program does not end\";\n"
                  "        OBE_0 [label = \"x=0 y=0 at L0 L0\"];\n"
                  "        OBE_0 -> OBE_1 [label = \"0\"];\n"
                  "        OBE_1 [label = \"x=0 y=0 at L0 L0\"];\n"
                  "        OBE_1 -> OBE_1 [label = \"0\", style = bold];\n"
                  "    }\n");
}
END_TEST

HARNESS_MAIN("litmus witness", each_failure_has_a_fair_cycle, what_is_guaranteed_has_no_cycle, cycles_are_printed,
             cycles_are_drawn)
