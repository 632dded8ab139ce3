/* Which promises guarantee that a small launch ends: beside the litmus judge, and by hand. */
#include "base/alloc.h"
#include "litmus/choose.h"
#include "proof/needs.h"
#include "proof/progress.h"

#include "harness.h"
#include "proof_account.h"
#include "proof_fixture.h"

#include <string.h>

static struct error error;
static struct toy_space space;

/* --- beside the litmus judge --- */

/* A group for each thread. The caller frees `started`, which has `ended` behind it. */
static struct proof_graph graph_of(const struct litmus_space *states)
{
    struct proof_graph graph = {
        .groups = states->program->threads, .items = 1, .count = states->count, .steps = states->steps};

    graph.started = xmalloc(2 * (size_t)states->count * sizeof *graph.started);
    graph.ended = graph.started + states->count;
    for (uint32_t state = 0; state < states->count; ++state) {
        graph.started[state] = states->states[state].started;
        graph.ended[state] = states->states[state].ended;
    }
    return graph;
}

START_TEST(litmus_programs_are_judged_as_by_their_judge)
{
    struct litmus_choices choices = {.count = 0};
    struct litmus_judge judge = {.space = {.count = 0}};
    struct litmus_verdicts verdicts;

    ck_assert_int_eq(litmus_choose_all(&choices, &error), 0);
    ck_assert_uint_eq(choices.count, 10986);
    for (size_t i = 0; i < choices.count; ++i) {
        ck_assert_int_eq(litmus_judge_program(&judge, &choices.all[i].program, &verdicts, &error), 0);
        const struct proof_graph graph = graph_of(&judge.space);
        proof_progress_find(&graph, &progress);
        struct proof_promise promise = {.places = graph.groups};
        for (promise.model = 0; promise.model < LITMUS_MODELS; ++promise.model)
            for (promise.fairness = 0; promise.fairness < LITMUS_FAIRNESSES; ++promise.fairness)
                harness_assert(proof_ends(&progress, &promise) ==
                                   litmus_guarantees(&verdicts, promise.model, promise.fairness),
                               "program %zu, model %u", i, promise.model);
        if (i % 7 == 0)
            check_counterexamples(&graph);
        free(graph.started);
    }
    ck_assert_uint_gt(kinds[0], 1000);
    ck_assert_uint_gt(kinds[1], 1000);
    ck_assert_uint_eq(kinds[2], 0);
    litmus_judge_fini(&judge);
    litmus_choices_fini(&choices);
}
END_TEST

/* --- by hand --- */

#define LENGTH(code) (sizeof(code) / sizeof *(code))

static const struct toy_instruction barrier_of_3[] = {{.kind = TOY_PASS}, {.kind = TOY_WAIT, .a = 3}};
static const struct toy_instruction lock[] = {{.kind = TOY_SWAP, .b = 1}, {.kind = TOY_STORE}};
static const struct toy_instruction ticket_lock[] = {
    {.kind = TOY_TAKE}, {.kind = TOY_AWAIT, .word = 1}, {.kind = TOY_PASS, .word = 1}};

static void judge_toy(const struct toy *toy, struct proof_graph *graph)
{
    ck_assert(toy_explore(&space, toy, graph));
    proof_progress_find(graph, &progress);
    check_counterexamples(graph);
}

/* Bits of the numbers of places that are enough, from 1 on. */
static void check_ends(unsigned model, uint32_t weak, uint32_t strong)
{
    ck_assert_msg(progress.ends[model][LITMUS_WEAK] == weak && progress.ends[model][LITMUS_STRONG] == strong,
                  "model %u: %#x, %#x", model, progress.ends[model][LITMUS_WEAK], progress.ends[model][LITMUS_STRONG]);
}

static void check_needs(const char *expected, unsigned count)
{
    struct proof_needs needs;
    char text[PROOF_NEEDS_TEXT];

    proof_needs_find(&progress, &needs);
    ck_assert_str_eq(proof_needs_text(&needs, text), expected);
    ck_assert_uint_eq(needs.count, count);
}

START_TEST(a_barrier_of_all_groups_needs_all_of_them_at_once)
{
    struct toy toy;
    struct proof_graph graph;

    toy_make(&toy, 3, 1, barrier_of_3, LENGTH(barrier_of_3));
    judge_toy(&toy, &graph);
    /* Who has started spins, and whoever has not may never start: FAIR alone owes that one a turn, with a place. */
    for (unsigned model = 0; model < PROOF_PROMISES; ++model)
        check_ends(model, model == LITMUS_FAIR ? 4 : 0, model == LITMUS_FAIR ? 4 : 0);
    check_needs("needs: all 3 groups resident (FAIR)", 1);
    const struct proof_promise two = {LITMUS_FAIR, LITMUS_WEAK, 2};
    ck_assert(proof_counterexample_find(&graph, &two, &example));
    ck_assert_uint_eq(example.lasso.circle, 2); /* 0 and 1 arrive; from there both turn */
    ck_assert_uint_eq(example.lasso.count, 4);
}
END_TEST

START_TEST(a_barrier_of_groups_whose_items_meet_needs_all_groups_at_once)
{
    static const struct toy_instruction leader[] = {{.kind = TOY_PASS}, {.kind = TOY_WAIT, .a = 2}, {.kind = TOY_MEET}};
    static const struct toy_instruction others[] = {{.kind = TOY_MEET}, {.kind = TOY_STORE, .word = 1}};
    struct toy toy;
    struct proof_graph graph;

    toy_make(&toy, 2, 2, leader, LENGTH(leader));
    for (unsigned item = 1; item < 4; item += 2) {
        memcpy(toy.code[item], others, sizeof others);
        toy.length[item] = LENGTH(others);
    }
    judge_toy(&toy, &graph);
    check_ends(LITMUS_FAIR, 2, 2);
    check_ends(LITMUS_LOBE, 0, 0);
    check_needs("needs: all 2 groups resident (FAIR)", 1);
}
END_TEST

START_TEST(locks_need_started_groups_to_go_on)
{
    struct toy toy;
    struct proof_graph graph;

    for (unsigned i = 0; i < 2; ++i) {
        toy_make(&toy, 3, 1, i == 0 ? lock : ticket_lock, i == 0 ? LENGTH(lock) : LENGTH(ticket_lock));
        judge_toy(&toy, &graph);
        /* One at a time, nobody ever waits. With more, the lowest may wait for another, which HSA owes nothing. */
        check_ends(PROOF_UNFAIR, 1, 1);
        check_ends(LITMUS_HSA, 1, 1);
        check_ends(LITMUS_OBE, 7, 7);
        check_ends(LITMUS_FAIR, 7, 7);
        check_needs("needs: started groups get turns (OBE)", 1);
    }
}
END_TEST

START_TEST(naive_philosophers_are_wrong)
{
    struct toy toy = {.groups = 3, .items = 1};
    struct proof_graph graph;

    for (unsigned char i = 0; i < 3; ++i) {
        const unsigned char next = (unsigned char)((i + 1) % 3);
        const struct toy_instruction code[] = {
            {TOY_SWAP, i, 0, 1}, {TOY_SWAP, next, 0, 1}, {TOY_STORE, next, 0, 0}, {TOY_STORE, i, 0, 0}};
        memcpy(toy.code[i], code, sizeof code);
        toy.length[i] = LENGTH(code);
    }
    judge_toy(&toy, &graph);
    /* Two at a table of three always have a fork to spare. */
    check_ends(LITMUS_OBE, 3, 3);
    check_ends(LITMUS_FAIR, 3, 3);
    check_needs("wrong on every device", 0);
    const struct proof_promise all = {LITMUS_FAIR, LITMUS_STRONG, 3};
    ck_assert(proof_counterexample_find(&graph, &all, &example));
    ck_assert(example.trap);
    ck_assert_uint_eq(example.lasso.circle, 3);
    ck_assert_uint_eq(example.lasso.count, 6);
}
END_TEST

START_TEST(waits_for_lower_groups_need_the_lowest_to_go_on)
{
    struct toy toy = {.groups = 3, .items = 1};
    struct proof_graph graph;

    for (unsigned char i = 0; i < 3; ++i) {
        toy.code[i][0] = (struct toy_instruction){.kind = TOY_WAIT, .a = i};
        toy.code[i][1] = (struct toy_instruction){.kind = TOY_PASS};
        toy.length[i] = 2;
    }
    judge_toy(&toy, &graph);
    /* Whoever promises the lowest one turns has a place for it; else higher ones can take all places. */
    check_ends(LITMUS_HSA, 7, 7);
    check_ends(LITMUS_OBE, 0, 0);
    check_ends(LITMUS_HSA_OBE, 7, 7);
    check_ends(LITMUS_LOBE, 7, 7);
    check_ends(LITMUS_FAIR, 7, 7);
    check_needs("needs: the lowest group gets turns (HSA)", 1);
}
END_TEST

START_TEST(a_barrier_that_not_all_items_come_to_is_a_dead_end)
{
    static const struct toy_instruction code[] = {{.kind = TOY_PASS}, {.kind = TOY_MEET}};
    struct toy toy;
    struct proof_graph graph;

    toy_make(&toy, 1, 2, code, LENGTH(code));
    judge_toy(&toy, &graph);
    check_needs("ends on every device", 1);
    toy.length[1] = 1;
    judge_toy(&toy, &graph);
    for (unsigned model = 0; model < PROOF_PROMISES; ++model)
        check_ends(model, 0, 0);
    check_needs("wrong on every device", 0);
    const struct proof_promise promise = {LITMUS_OBE, LITMUS_STRONG, 1};
    ck_assert(proof_counterexample_find(&graph, &promise, &example));
    ck_assert_uint_eq(example.lasso.count, 2);
    ck_assert_uint_eq(example.lasso.circle, 2);
}
END_TEST

START_TEST(items_of_a_group_that_wait_for_each_other_need_any_model)
{
    struct toy toy = {.groups = 1, .items = 2, .length = {1, 1}};
    struct proof_graph graph;

    toy.code[0][0] = (struct toy_instruction){.kind = TOY_WAIT, .a = 1};
    toy.code[1][0] = (struct toy_instruction){.kind = TOY_STORE, .a = 1};
    judge_toy(&toy, &graph);
    check_ends(PROOF_UNFAIR, 0, 0);
    check_needs("needs: started groups get turns (OBE)", 2);
}
END_TEST

/* --- needs --- */

START_TEST(needs_are_the_least_promises)
{
    struct proof_needs needs;
    char text[PROOF_NEEDS_TEXT];

    progress = (struct proof_progress){.groups = 3};
    for (unsigned model = 0; model < LITMUS_MODELS; ++model)
        progress.ends[model][LITMUS_STRONG] = 4;
    progress.ends[LITMUS_OBE][LITMUS_STRONG] = 6;
    progress.ends[LITMUS_FAIR][LITMUS_WEAK] = 5; /* not with 2, so 1 is not enough */
    check_needs("needs: started groups get turns, 2 of 3 groups resident (OBE, strongly fair)", 3);
    proof_needs_find(&progress, &needs);
    ck_assert_uint_eq(needs.all[1].model, LITMUS_HSA);
    ck_assert_uint_eq(needs.all[2].model, LITMUS_FAIR);
    ck_assert_uint_eq(needs.all[2].places, 3);
    ck_assert_uint_eq(needs.all[2].fairness, LITMUS_WEAK);
    progress.ends[PROOF_UNFAIR][LITMUS_WEAK] = progress.ends[PROOF_UNFAIR][LITMUS_STRONG] = 4;
    proof_needs_find(&progress, &needs);
    ck_assert_str_eq(proof_needs_text(&needs, text), "needs: all 3 groups resident");
    ck_assert_uint_eq(needs.count, 2);
}
END_TEST

HARNESS_MAIN("progress of proofs", litmus_programs_are_judged_as_by_their_judge,
             a_barrier_of_all_groups_needs_all_of_them_at_once,
             a_barrier_of_groups_whose_items_meet_needs_all_groups_at_once, locks_need_started_groups_to_go_on,
             naive_philosophers_are_wrong, waits_for_lower_groups_need_the_lowest_to_go_on,
             a_barrier_that_not_all_items_come_to_is_a_dead_end,
             items_of_a_group_that_wait_for_each_other_need_any_model, needs_are_the_least_promises)
