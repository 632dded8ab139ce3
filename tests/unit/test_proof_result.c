/* What is kept of a proof: it is read back as it was, and what is damaged is refused, or can be told as any other. */
#include "base/alloc.h"
#include "formats_fixture.h"
#include "proof/needs.h"
#include "proof/race.h"
#include "proof/result.h"

/* Something of each kind. */
static struct proof_result make(void)
{
    static struct proof_told told[] = {
        {.item = 0, .line = 1, .object = 2, .bytes = 4, .after = 1, .kind = PROOF_STORE},
        {.item = 3, .line = 1, .object = 2, .bytes = 8, .offset = 8, .kind = PROOF_LOAD, .atomic = 1},
        {.item = 1, .line = 1},
    };
    static struct proof_way ways[] = {{.count = 3, .circle = 2, .left_out = 5}, {.first = 1, .count = 2}, {.first = 3}};
    static struct proof_stall stalls[] = {
        {.promise = {LITMUS_HSA, LITMUS_WEAK, 1}, .way = 0},
        {.promise = {PROOF_UNFAIR, LITMUS_STRONG, 2}, .way = 1},
    };
    static struct proof_wait wait = {.step = 1, .writers = 1, .line = 1};
    static struct proof_race_told race = {.why = PROOF_NOT_INCLUSIVE, .way = 2};
    static struct proof_difference difference = {.object = 2, .bytes = 4, .values = {1, 2}, .ways = {0, 1}};
    struct proof_result result = {.groups = 2,
                                  .items = 2,
                                  .extent = PROOF_TO_TIME,
                                  .states = 9,
                                  .known = 8,
                                  .progress = {.groups = 2, .ends[LITMUS_FAIR] = {2, 3}},
                                  .finals = 2,
                                  .finals_checked = 1,
                                  .wrong_finals = 1,
                                  .wrong = {.way = 1, .object = 2, .bytes = 4},
                                  .races = 1,
                                  .races_known = 1,
                                  .told = told,
                                  .told_count = 3,
                                  .ways = ways,
                                  .way_count = 3,
                                  .stalls = stalls,
                                  .stall_count = 2,
                                  .waits = &wait,
                                  .wait_count = 1,
                                  .raced = &race,
                                  .raced_count = 1,
                                  .differences = &difference,
                                  .difference_count = 1};

    race.first = told[0];
    race.second = told[1];
    proof_result_text(&result, "");
    proof_result_text(&result, "a.cl:1");
    result.sequential = 1;
    result.made_up = proof_result_text(&result, "data");
    return result;
}

/* Packed; of what make() makes, only the texts are not its own. */
static uint32_t *pack(const struct proof_result *made, size_t *count)
{
    struct proof_result texts = {.texts = made->texts, .text_count = made->text_count};
    uint32_t *words = proof_result_pack(made, count);

    proof_result_fini(&texts);
    return words;
}

static void tell(struct proof_result *result)
{
    struct proof_row row = {.trial.groups = result->groups,
                            .proved = proof_judge(result),
                            .batches.surprise = true, /* tell all */
                            .result = *result};
    struct proofs_device device = {.rows = &row, .count = 1};
    const struct report report = {.kind = REPORT_PROOFS, .proofs = {.devices = &device, .count = 1}};

    free(written(&report, "text"));
    free(written(&report, "json"));
    for (int model = 0; model < LITMUS_MODELS; ++model)
        (void)proof_needs_no_more(&result->progress, (enum litmus_model)model);
}

/* True: it was not refused. */
static bool is_read(const uint32_t *words, size_t count)
{
    struct proof_result result;
    const bool is_well = proof_result_unpack(&result, words, count, &error) == 0;

    if (is_well)
        tell(&result);
    else
        ck_assert_int_eq(error.status, STATUS_HARNESS);
    proof_result_fini(&result);
    return is_well;
}

START_TEST(what_was_packed_is_read_back)
{
    const struct proof_result made = make();
    struct proof_result result;
    size_t count, again_count;
    uint32_t *words = pack(&made, &count), *again;

    ck_assert_int_eq(proof_result_unpack(&result, words, count, &error), 0);
    ck_assert_uint_eq(result.text_count, 3);
    ck_assert_str_eq(result.texts[2], "data");
    ck_assert_uint_eq(result.ways[0].left_out, 5);
    ck_assert_uint_eq(result.raced[0].second.offset, 8);
    ck_assert_uint_eq(result.differences[0].values[1], 2);
    tell(&result);
    again = proof_result_pack(&result, &again_count);
    ck_assert_uint_eq(again_count, count);
    ck_assert_mem_eq(again, words, count * sizeof *words);
    free(again);
    free(words);
    proof_result_fini(&result);
}
END_TEST

START_TEST(what_is_cut_is_refused)
{
    const struct proof_result made = make();
    size_t count;
    uint32_t *words = pack(&made, &count);

    for (size_t cut = 0; cut < count; ++cut) { /* each with an end of its own, that a sanitizer sees */
        uint32_t *part = xmalloc(cut * sizeof *part + (cut == 0));
        memcpy(part, words, cut * sizeof *part);
        ck_assert_msg(!is_read(part, cut), "%zu of %zu words are enough", cut, count);
        free(part);
    }
    free(words);
}
END_TEST

START_TEST(what_is_damaged_is_refused_or_told)
{
    const struct proof_result made = make();
    size_t count, refused = 0;
    uint32_t *words = pack(&made, &count);

    for (size_t i = 0; i < count; ++i) {
        const uint32_t word = words[i], damages[] = {0, 1, word + 1, word - 1, ~word, UINT32_MAX, word ^ 1u << 16};
        for (size_t j = 0; j < sizeof damages / sizeof *damages; ++j) {
            words[i] = damages[j];
            refused += !is_read(words, count);
        }
        words[i] = word;
    }
    ck_assert_uint_gt(refused, count / 4);
    free(words);
}
END_TEST

/* One word of an array of the result, which no reader may take for what it is not. */
static void check_refused(void (*damage)(struct proof_result *result), bool refused)
{
    const struct proof_result made = make();
    struct proof_result result;
    size_t count;
    uint32_t *words = pack(&made, &count);

    ck_assert_int_eq(proof_result_unpack(&result, words, count, &error), 0);
    free(words);
    damage(&result);
    words = proof_result_pack(&result, &count);
    proof_result_fini(&result);
    ck_assert(is_read(words, count) == !refused);
    free(words);
}

static void leave(struct proof_result *result)
{
    (void)result;
}

static void ask_unknown_model(struct proof_result *result)
{
    result->stalls[1].promise.model = PROOF_PROMISES;
}

static void ask_unknown_fairness(struct proof_result *result)
{
    result->stalls[0].promise.fairness = LITMUS_FAIRNESSES;
}

static void ask_no_places(struct proof_result *result)
{
    result->stalls[0].promise.places = 0;
}

static void ask_more_places(struct proof_result *result)
{
    result->stalls[0].promise.places = 3;
}

static void judge_other_groups(struct proof_result *result)
{
    result->progress.groups = 3;
}

static void race_for_another_cause(struct proof_result *result)
{
    result->raced[0].why = PROOF_RACE_CAUSES;
}

START_TEST(what_does_not_fit_together_is_refused)
{
    check_refused(leave, false);
    check_refused(ask_unknown_model, true);
    check_refused(ask_unknown_fairness, true);
    check_refused(ask_no_places, true);
    check_refused(ask_more_places, true);
    check_refused(judge_other_groups, true);
    check_refused(race_for_another_cause, true);
}
END_TEST

static void add_tests(TCase *tests)
{
    tcase_add_test(tests, what_was_packed_is_read_back);
    tcase_add_test(tests, what_is_cut_is_refused);
    tcase_add_test(tests, what_is_damaged_is_refused_or_told);
    tcase_add_test(tests, what_does_not_fit_together_is_refused);
}

int main(void)
{
    return fixture_run("results of proofs", add_tests);
}
