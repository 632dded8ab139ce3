/* Which promises guarantee that a small launch ends: beside brute force. */
#include "core/lots.h"
#include "proof/progress.h"

#include "harness.h"
#include "proof_account.h"
#include "proof_fixture.h"

#include <stdbool.h>
#include <string.h>

static struct toy_space space;

enum { BRUTE_STATES = 64 };

/* Which states lead to which, by one allowed step or more, through such as are still looked at. */
struct brute {
    const struct proof_graph *graph;
    struct proof_promise promise;
    bool alive[BRUTE_STATES], leads[BRUTE_STATES][BRUTE_STATES];
};

static bool brute_steps(const struct brute *brute, uint32_t state, unsigned item)
{
    return is_allowed(brute->graph, &brute->promise, state, item);
}

static void brute_close(struct brute *brute)
{
    const struct proof_graph *graph = brute->graph;

    memset(brute->leads, 0, sizeof brute->leads);
    for (uint32_t a = 0; a < graph->count; ++a)
        for (unsigned item = 0; brute->alive[a] && item < proof_items(graph); ++item)
            if (brute_steps(brute, a, item) && brute->alive[proof_step(graph, a, item)])
                brute->leads[a][proof_step(graph, a, item)] = true;
    for (uint32_t middle = 0; middle < graph->count; ++middle)
        for (uint32_t a = 0; a < graph->count; ++a)
            for (uint32_t b = 0; brute->leads[a][middle] && b < graph->count; ++b)
                brute->leads[a][b] = brute->leads[a][b] || brute->leads[middle][b];
}

/* All that can be reached is alive. Returns that there is a dead end. */
static bool brute_begin(struct brute *brute)
{
    const struct proof_graph *graph = brute->graph;
    bool dead = false;

    memset(brute->alive, true, sizeof brute->alive);
    brute_close(brute);
    for (uint32_t state = 0; state < graph->count; ++state) {
        brute->alive[state] = state == 0 || brute->leads[0][state];
        dead = dead || (brute->alive[state] && is_over(graph, &brute->promise, state) && !has_ended(graph, state));
    }
    brute_close(brute);
    return dead;
}

/* The item steps round with the state, or does not always have a step. */
static bool brute_is_served(const struct brute *brute, uint32_t state, unsigned item)
{
    const struct proof_graph *graph = brute->graph;

    for (uint32_t other = 0; other < graph->count; ++other) {
        if (!brute->leads[state][other] || !brute->leads[other][state])
            continue;
        if (!brute_steps(brute, other, item) || brute->leads[proof_step(graph, other, item)][state])
            return true;
    }
    return false;
}

static bool brute_goes_round(const struct brute *brute, uint32_t state)
{
    bool round = brute->leads[state][state];

    for (unsigned item = 0; item < proof_items(brute->graph); ++item)
        round =
            round && (!is_fair(brute->graph, brute->promise.model, state, item) || brute_is_served(brute, state, item));
    return round;
}

/* Whoever has fair execution stays where one can go round. */
static bool brute_stays(const struct brute *brute, uint32_t state)
{
    const struct proof_graph *graph = brute->graph;
    bool stays = brute->leads[state][state];

    for (unsigned item = 0; item < proof_items(graph); ++item)
        stays = stays && (!is_fair(graph, brute->promise.model, state, item) || !brute_steps(brute, state, item) ||
                          brute->leads[proof_step(graph, state, item)][state]);
    return stays;
}

/*
 * Strong fairness: whoever goes on for ever does so in states that lead to each other, and all steps with fair
 * execution lead to such. States are left out of which this is not so, until it is so of all that are left, or of none.
 */
static bool brute_breaks(struct brute *brute)
{
    bool some, changed = true;

    if (brute_begin(brute))
        return true;
    const bool strong = brute->promise.fairness == LITMUS_STRONG && brute->promise.model != PROOF_UNFAIR;
    for (some = false; changed; brute_close(brute)) {
        some = changed = false;
        for (uint32_t state = 0; state < brute->graph->count; ++state) {
            if (!brute->alive[state])
                continue;
            const bool stays = strong ? brute_stays(brute, state) : brute_goes_round(brute, state);
            some = some || stays;
            changed = changed || (strong && !stays);
            brute->alive[state] = brute->alive[state] && (stays || !strong);
        }
    }
    return some;
}

static void draw_toy(uint64_t *lots, struct toy *toy)
{
    *toy = (struct toy){.groups = 1 + lots_draw_below(lots, 3), .items = 1 + lots_draw_below(lots, 2)};
    for (unsigned item = 0; item < toy->groups * toy->items; ++item) {
        toy->length[item] = 1 + lots_draw_below(lots, 3);
        for (unsigned i = 0; i < toy->length[item]; ++i)
            toy->code[item][i] = (struct toy_instruction){.kind = (enum toy_kind)lots_draw_below(lots, TOY_KINDS),
                                                          .word = (unsigned char)lots_draw_below(lots, 2),
                                                          .a = (unsigned char)lots_draw_below(lots, 2),
                                                          .b = (unsigned char)lots_draw_below(lots, 2)};
    }
}

static unsigned ending, breaking;

static void check_brute(const struct proof_graph *graph)
{
    static struct brute brute;

    brute.graph = graph;
    brute.promise = (struct proof_promise){.model = 0};
    for (brute.promise.model = 0; brute.promise.model < PROOF_PROMISES; ++brute.promise.model)
        for (brute.promise.fairness = 0; brute.promise.fairness < LITMUS_FAIRNESSES; ++brute.promise.fairness)
            for (brute.promise.places = 1; brute.promise.places <= graph->groups; ++brute.promise.places) {
                const bool ends = proof_ends(&progress, &brute.promise);
                harness_assert(ends == !brute_breaks(&brute), "model %u, %s, %u places: %d", brute.promise.model,
                               litmus_fairness_name(brute.promise.fairness), brute.promise.places, ends);
                ++*(ends ? &ending : &breaking);
            }
}

START_TEST(any_launch_is_judged_as_by_brute_force)
{
    uint64_t lots = 7;
    unsigned judged = 0;

    while (judged < 600) {
        struct toy toy;
        struct proof_graph graph;
        draw_toy(&lots, &toy);
        if (!toy_explore(&space, &toy, &graph) || graph.count < 6 || graph.count > BRUTE_STATES)
            continue;
        proof_progress_find(&graph, &progress);
        check_brute(&graph);
        check_counterexamples(&graph);
        ++judged;
    }
    ck_assert_uint_gt(ending, 1000);
    ck_assert_uint_gt(breaking, 1000);
    ck_assert_uint_gt(kinds[0], 100);
    ck_assert_uint_gt(kinds[1], 100);
    ck_assert_uint_gt(kinds[2], 100);
}
END_TEST

HARNESS_MAIN("progress of proofs by brute force", any_launch_is_judged_as_by_brute_force)
