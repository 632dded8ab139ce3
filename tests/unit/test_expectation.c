#include "scenario/expectation.h"

#include "harness.h"

#include <stdio.h>
#include <string.h>

static const struct variable variables[] = {
    {"groups", 4, true}, {"resident", 4, true}, {"local-size", 64, true}, {"limit", 0, false}, {"other", 0, false},
};
static const struct word words[] = {{"dialect", "cl12"}, {"access", "plain"}, {"lock-kind", "first-come"}};
static const struct circumstances circumstances = {
    {variables, sizeof variables / sizeof *variables}, words, sizeof words / sizeof *words, {{0}}};

#define PASS (1u << VERDICT_PASS)
#define STALE (1u << VERDICT_STALE)
#define STARVED (1u << VERDICT_STARVED)
#define DEADLOCK (1u << VERDICT_DEADLOCK)
enum { NOTHING = 0 };
enum { HSA = 1 << LITMUS_HSA, OBE = 1 << LITMUS_OBE, HSA_OBE = 1 << LITMUS_HSA_OBE, LOBE = 1 << LITMUS_LOBE };

static void assert_expected(const char *rule, verdict_set wanted)
{
    struct error error = {0};
    struct ruling ruling = {.expected = ~0u};
    ck_assert_msg(expectation_evaluate(rule, &circumstances, &verdict_naming, &ruling, &error) == 0, "%s: %s", rule,
                  error.text);
    ck_assert_msg(ruling.expected == wanted, "'%s' expects %#x", rule, ruling.expected);
    ck_assert_msg(wanted == 0 || (ruling.possible == wanted && !ruling.open), "'%s' leaves something open", rule);
}

/* What a rule expects whose only condition this is. */
static void assert_condition(const char *condition, verdict_set wanted)
{
    char rule[256];
    snprintf(rule, sizeof rule, "pass when %s", condition);
    assert_expected(rule, wanted);
}

static void assert_refused(const char *rule, const char *part)
{
    struct error error = {0};
    struct ruling ruling;
    ck_assert_msg(expectation_evaluate(rule, &circumstances, &verdict_naming, &ruling, &error) == -1, "%s", rule);
    ck_assert_int_eq(error.status, STATUS_USAGE);
    ck_assert_msg(strstr(error.text, part) != NULL, "'%s' is missing: %s", part, error.text);
}

static void assert_with_kept(model_set kept, const char *rule, verdict_set wanted)
{
    struct circumstances with = circumstances;
    struct error error = {0};
    struct ruling ruling = {.expected = ~0u};

    with.kept.of[LEVEL_GROUP] = kept;
    ck_assert_msg(expectation_evaluate(rule, &with, &verdict_naming, &ruling, &error) == 0, "%s: %s", rule, error.text);
    ck_assert_msg(ruling.expected == wanted, "'%s' with %#x expects %#x", rule, kept, ruling.expected);
}

START_TEST(progress_models)
{
    static const char rule[] = "pass when progress >= obe; starved otherwise";

    assert_with_kept(0, rule, NOTHING);
    assert_with_kept(HSA, rule, STARVED);
    assert_with_kept(HSA_OBE, rule, STARVED); /* the set names each model that is kept */
    assert_with_kept(OBE, rule, PASS);
    assert_with_kept(HSA | OBE | HSA_OBE, rule, PASS);
    assert_with_kept(HSA | OBE | HSA_OBE | LOBE, "pass when progress >= lobe", PASS);
    assert_with_kept(HSA | OBE | HSA_OBE | LOBE, "pass when progress >= fair", NOTHING);
}
END_TEST

/* Each level is asked for by itself. */
START_TEST(progress_below_groups)
{
    static const char rule[] =
        "pass when progress >= item:obe; starved when progress >= sub-group:hsa; stale otherwise";
    static const struct {
        struct models_kept kept;
        verdict_set wanted;
    } cases[] = {
        {{{0}}, NOTHING},
        {{{OBE, OBE, 0, OBE}}, NOTHING},
        {{{[LEVEL_ITEM] = OBE}}, PASS},
        {{{[LEVEL_ITEM] = HSA}}, NOTHING},
        {{{[LEVEL_ITEM] = HSA, [LEVEL_SUB_GROUP] = HSA}}, STARVED},
        {{{[LEVEL_ITEM] = HSA, [LEVEL_SUB_GROUP] = OBE}}, STALE},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        struct circumstances with = circumstances;
        struct error error = {0};
        struct ruling ruling;
        with.kept = cases[i].kept;
        ck_assert_int_eq(expectation_evaluate(rule, &with, &verdict_naming, &ruling, &error), 0);
        ck_assert_uint_eq(ruling.expected, cases[i].wanted);
    }
}
END_TEST

START_TEST(no_progress_model)
{
    assert_refused("pass when progress >= lob", "progress >= lob: ");
    assert_refused("pass when progress = obe", "expected progress >= hsa, obe, hsa_obe, lobe or fair");
    assert_refused("pass when progress >= warp:obe", "progress >= warp:obe: ");
    assert_refused("pass when progress >= item:", "progress >= item:: ");
}
END_TEST

/* --- clauses --- */

START_TEST(verdict_alone_is_expected)
{
    assert_expected("pass", PASS);
    assert_expected("starved", STARVED);
    assert_expected("  pass  ", PASS);
}
END_TEST

START_TEST(each_of_several_verdicts_is_expected)
{
    assert_expected("pass or stale", PASS | STALE);
    assert_expected("starved or deadlock or pass", PASS | STARVED | DEADLOCK);
}
END_TEST

START_TEST(otherwise_adds_nothing)
{
    assert_expected("pass otherwise", PASS);
    assert_expected("pass or stale otherwise", PASS | STALE);
}
END_TEST

START_TEST(first_clause_that_is_true_counts)
{
    assert_expected("pass when groups = 4; starved when groups = 4; deadlock otherwise", PASS);
    assert_expected("pass when groups = 5; starved when groups = 4; deadlock otherwise", STARVED);
    assert_expected("pass when groups = 5; starved when groups = 6; deadlock otherwise", DEADLOCK);
    assert_expected("deadlock; pass when groups = 4", DEADLOCK);
    assert_expected("pass otherwise; starved otherwise", PASS);
}
END_TEST

START_TEST(where_no_clause_applies_nothing_is_expected)
{
    assert_expected("pass when groups = 5", NOTHING);
    assert_expected("pass when groups = 5; starved when groups = 6", NOTHING);
}
END_TEST

START_TEST(empty_clauses_are_left_out)
{
    assert_expected("pass;", PASS);
    assert_expected(";;pass when groups = 5;; starved;", STARVED);
    assert_expected("", NOTHING);
    assert_expected(" ; ", NOTHING);
}
END_TEST

START_TEST(semicolons_need_no_blanks)
{
    assert_expected("pass when groups = 5;starved otherwise", STARVED);
}
END_TEST

/* --- numbers --- */

START_TEST(numbers_are_compared)
{
    static const struct {
        const char *sign;
        bool less, equal, greater; /* is it true then? */
    } signs[] = {
        {"<", true, false, false}, {"<=", true, true, false}, {">", false, false, true},
        {">=", false, true, true}, {"=", false, true, false}, {"!=", true, false, true},
    };
    for (size_t i = 0; i < sizeof signs / sizeof *signs; ++i) {
        char condition[64];
        snprintf(condition, sizeof condition, "groups %s 5", signs[i].sign);
        assert_condition(condition, signs[i].less ? PASS : NOTHING);
        snprintf(condition, sizeof condition, "groups %s 4", signs[i].sign);
        assert_condition(condition, signs[i].equal ? PASS : NOTHING);
        snprintf(condition, sizeof condition, "groups %s 3", signs[i].sign);
        assert_condition(condition, signs[i].greater ? PASS : NOTHING);
    }
}
END_TEST

START_TEST(both_sides_may_be_expressions)
{
    assert_condition("2x groups <= resident + 4", PASS);
    assert_condition("2x groups <= resident + 3", NOTHING);
    assert_condition("max(groups,7) - 7 = ceil(groups,5) - 1", PASS);
    assert_condition("1 = 1", PASS);
}
END_TEST

START_TEST(operators_need_no_blanks)
{
    assert_condition("groups<=4", PASS);
    assert_condition("groups!=4", NOTHING);
    assert_condition("groups>=5", NOTHING);
}
END_TEST

START_TEST(names_with_hyphens_are_compared)
{
    assert_condition("local-size = 64", PASS);
    assert_condition("local-size - 4 < 60", NOTHING);
}
END_TEST

/* --- words --- */

START_TEST(words_are_the_same_or_not)
{
    assert_condition("dialect = cl12", PASS);
    assert_condition("dialect = cl30", NOTHING);
    assert_condition("dialect = cl1", NOTHING);
    assert_condition("dialect = cl123", NOTHING);
    assert_condition("dialect != cl12", NOTHING);
    assert_condition("dialect != cl30", PASS);
    assert_condition("lock-kind=first-come", PASS);
}
END_TEST

START_TEST(words_have_no_order)
{
    static const char *const signs[] = {"<", "<=", ">", ">="};
    for (size_t i = 0; i < sizeof signs / sizeof *signs; ++i) {
        char rule[64];
        snprintf(rule, sizeof rule, "pass when dialect %s cl12", signs[i]);
        assert_refused(rule, "which only = and != can compare");
    }
}
END_TEST

/* --- several conditions, and what is not known --- */

START_TEST(comparison_with_something_unknown_decides_nothing)
{
    static const char *const signs[] = {"<", "<=", ">", ">=", "=", "!="};
    for (size_t i = 0; i < sizeof signs / sizeof *signs; ++i) {
        char condition[64];
        snprintf(condition, sizeof condition, "groups %s limit", signs[i]);
        assert_condition(condition, NOTHING);
        snprintf(condition, sizeof condition, "limit %s groups", signs[i]);
        assert_condition(condition, NOTHING);
    }
    assert_condition("limit = limit", NOTHING);
    assert_condition("groups <= 64 / (limit - 1)", NOTHING);
}
END_TEST

/* What two conditions joined by `and` are, is told by a clause and the one behind it: true: pass, false: starved,
 * not known: nothing. */
START_TEST(truth_of_two_conditions)
{
    static const char *const conditions[] = {"groups = 4", "groups = 5", "groups = limit"};
    static const verdict_set wanted[3][3] = {
        /*            true     false    unknown */
        /* true */ {PASS, STARVED, NOTHING},
        /* false */ {STARVED, STARVED, STARVED},
        /* unknown */ {NOTHING, STARVED, NOTHING},
    };
    for (int left = 0; left < 3; ++left)
        for (int right = 0; right < 3; ++right) {
            char rule[256];
            snprintf(rule, sizeof rule, "pass when %s and %s; starved otherwise", conditions[left], conditions[right]);
            assert_expected(rule, wanted[left][right]);
        }
}
END_TEST

START_TEST(truth_of_three_conditions)
{
    assert_condition("groups = 4 and dialect = cl12 and resident = 4", PASS);
    assert_condition("groups = 4 and dialect = cl12 and resident = 5", NOTHING);
    assert_expected("pass when limit = 1 and other = 1 and groups = 5; starved otherwise", STARVED);
    assert_expected("pass when groups = 5 and limit = 1 and groups = 4; starved otherwise", STARVED);
    assert_expected("pass when groups = 4 and limit = 1 and groups = 4; starved otherwise", NOTHING);
}
END_TEST

START_TEST(clause_that_might_apply_hides_those_behind_it)
{
    assert_expected("pass when groups <= limit; starved otherwise", NOTHING);
    assert_expected("pass when groups <= limit; starved when groups = 4", NOTHING);
    assert_expected("pass when groups <= limit; starved; deadlock", NOTHING);
}
END_TEST

START_TEST(clause_before_one_that_might_apply_counts)
{
    assert_expected("pass when groups = 4; starved when groups <= limit; deadlock otherwise", PASS);
    assert_expected("pass when groups = 5; starved when groups <= limit; deadlock otherwise", NOTHING);
}
END_TEST

START_TEST(progress_gives_no_expectation)
{
    static const char *const conditions[] = {"progress >= lobe", "progress>=fair", "progress >= hsa"};

    for (size_t i = 0; i < sizeof conditions / sizeof *conditions; ++i) {
        char rule[256];
        assert_condition(conditions[i], NOTHING);
        snprintf(rule, sizeof rule, "pass when %s; starved otherwise", conditions[i]);
        assert_expected(rule, NOTHING);
    }
}
END_TEST

START_TEST(progress_beside_something_false_is_false)
{
    assert_expected("pass when progress >= lobe and groups = 5; starved otherwise", STARVED);
    assert_expected("pass when groups = 5 and progress >= lobe; starved otherwise", STARVED);
    assert_expected("pass when progress >= lobe and groups = 4; starved otherwise", NOTHING);
}
END_TEST

/* --- what cannot be read --- */

START_TEST(what_is_no_verdict_is_refused)
{
    static const char *const rules[] = {"maybe",
                                        "PASS",
                                        "pass or",
                                        "or pass",
                                        "pass or or stale",
                                        "pass, stale",
                                        "pass stale",
                                        "pass and stale",
                                        "when groups = 4",
                                        "otherwise",
                                        "pass when",
                                        "pass unless groups = 4",
                                        "pass otherwise stale"};
    for (size_t i = 0; i < sizeof rules / sizeof *rules; ++i)
        assert_refused(rules[i], "unknown verdict");
}
END_TEST

START_TEST(what_is_no_condition_is_refused)
{
    static const char *const rules[] = {"pass when groups",
                                        "pass when groups ! 4",
                                        "pass when groups is 4",
                                        "pass when  and groups = 4",
                                        "pass when groups = 4 and  and groups = 4",
                                        "pass when groups = 4 and dialect"};
    for (size_t i = 0; i < sizeof rules / sizeof *rules; ++i)
        assert_refused(rules[i], "cannot parse the condition");
}
END_TEST

START_TEST(side_that_is_no_expression_is_refused)
{
    assert_refused("pass when nonsense = 4", "nonsense");
    assert_refused("pass when groups = nonsense", "nonsense");
    assert_refused("pass when groups =", "the end");
    assert_refused("pass when = 4", "the end");
}
END_TEST

START_TEST(side_without_a_value_is_refused)
{
    assert_refused("pass when groups = 1/0", "an undefined division");
    assert_refused("pass when groups = 9223372036854775807 + 1", "2^63 - 1");
    assert_refused("pass when groups = 1/(resident - 4)", "an undefined division");
}
END_TEST

START_TEST(fault_is_found_wherever_it_stands)
{
    assert_refused("pass; maybe", "maybe");
    assert_refused("pass when groups = 4; maybe otherwise", "maybe");
    assert_refused("pass when groups <= limit; starved when nonsense = 4", "nonsense");
    assert_refused("pass when groups = 5 and nonsense = 4", "nonsense");
    assert_refused("pass when groups = limit and nonsense = 4", "nonsense");
}
END_TEST

START_TEST(rule_has_at_most_511_bytes)
{
    char rule[600];
    memset(rule, ' ', sizeof rule);
    memcpy(rule, "pass", 4);
    rule[511] = '\0';
    assert_expected(rule, PASS);
    rule[511] = ' ';
    rule[512] = '\0';
    assert_refused(rule, "511 bytes");
}
END_TEST

START_TEST(rule_itself_is_left_as_it_is)
{
    char rule[] = " pass when groups = 4 and dialect = cl12 ; starved otherwise ";
    char copy[sizeof rule];
    memcpy(copy, rule, sizeof rule);
    assert_expected(rule, PASS);
    ck_assert_str_eq(rule, copy);
}
END_TEST

/* --- what is left open --- */

static void assert_possible(const char *rule, verdict_set wanted, bool open)
{
    struct error error = {0};
    struct ruling ruling;

    ck_assert_msg(expectation_evaluate(rule, &circumstances, &verdict_naming, &ruling, &error) == 0, "%s: %s", rule,
                  error.text);
    ck_assert_msg(ruling.expected == 0, "'%s' expects %#x", rule, ruling.expected);
    ck_assert_msg(ruling.possible == wanted, "'%s' may come to %#x", rule, ruling.possible);
    ck_assert_msg(ruling.open == open, "'%s': %d", rule, ruling.open);
}

START_TEST(each_clause_that_may_apply_says_what_is_possible)
{
    assert_possible("pass when groups <= limit; starved otherwise", PASS | STARVED, false);
    assert_possible("stale when groups <= limit; deadlock when groups = 4; starved otherwise", STALE | DEADLOCK, false);
    assert_possible("stale when groups = 5; pass when progress >= obe; deadlock when groups = 6", PASS, true);
    assert_possible("stale when groups = 5 and groups <= limit; pass when groups <= limit and groups = 4", PASS, true);
}
END_TEST

START_TEST(where_no_clause_can_apply_all_is_open)
{
    assert_possible("stale when groups = 5; deadlock when groups = 6", NOTHING, true);
    assert_possible("", NOTHING, true);
}
END_TEST

/* --- rates --- */

static int evaluate_rate(const char *rule, struct whole *expected, struct error *error)
{
    *expected = (struct whole){.some = DEADLOCK};
    *error = (struct error){0};
    return expectation_evaluate_rate(rule, &circumstances, expected, error);
}

static void assert_rate(const char *rule, verdict_set limited, uint32_t most, uint32_t of)
{
    struct whole expected;
    struct error error;

    ck_assert_msg(evaluate_rate(rule, &expected, &error) == 0, "%s: %s", rule, error.text);
    ck_assert_uint_eq(expected.limited, limited);
    ck_assert_uint_eq(expected.most, most);
    ck_assert_uint_eq(expected.of, of);
    ck_assert_uint_eq(expected.some, DEADLOCK); /* what is not about the rate stays */
}

START_TEST(rates_have_conditions_like_verdicts)
{
    assert_rate("", NOTHING, 0, 0);
    assert_rate("stale <= 1/200", STALE, 1, 200);
    assert_rate("stale <= 1/200 when groups = 5; stale or starved <= 2/3 otherwise", STALE | STARVED, 2, 3);
    assert_rate("stale <= 1/200 when groups <= 4; stale <= 1/2 otherwise", STALE, 1, 200);
    assert_rate("stale <= 1/200 when groups <= limit; stale <= 1/2 otherwise", NOTHING, 0, 0);
    assert_rate("stale <= 1/200 when groups = 5", NOTHING, 0, 0);
}
END_TEST

static void assert_rate_refused(const char *rule, const char *part)
{
    struct whole expected;
    struct error error;

    ck_assert_msg(evaluate_rate(rule, &expected, &error) == -1, "%s", rule);
    ck_assert_int_eq(error.status, STATUS_USAGE);
    ck_assert_msg(strstr(error.text, part) != NULL, "'%s' is missing: %s", part, error.text);
}

START_TEST(what_is_no_rate_is_refused_wherever_it_stands)
{
    assert_rate_refused("stale when groups <= 4", "cannot parse the rate 'stale'");
    assert_rate_refused("stale <= 1/2 when groups; pass <= 1/2", "cannot parse the condition 'groups'");
    assert_rate_refused("stale <= 1/2 otherwise; pass <= 2/1", "cannot parse the share '2/1'");
}
END_TEST

HARNESS_MAIN("expectation", each_clause_that_may_apply_says_what_is_possible, where_no_clause_can_apply_all_is_open,
             rates_have_conditions_like_verdicts, what_is_no_rate_is_refused_wherever_it_stands, progress_models,
             progress_below_groups, no_progress_model, verdict_alone_is_expected, each_of_several_verdicts_is_expected,
             otherwise_adds_nothing, first_clause_that_is_true_counts, where_no_clause_applies_nothing_is_expected,
             empty_clauses_are_left_out, semicolons_need_no_blanks, numbers_are_compared, both_sides_may_be_expressions,
             operators_need_no_blanks, names_with_hyphens_are_compared, words_are_the_same_or_not, words_have_no_order,
             comparison_with_something_unknown_decides_nothing, truth_of_two_conditions, truth_of_three_conditions,
             clause_that_might_apply_hides_those_behind_it, clause_before_one_that_might_apply_counts,
             progress_gives_no_expectation, progress_beside_something_false_is_false, what_is_no_verdict_is_refused,
             what_is_no_condition_is_refused, side_that_is_no_expression_is_refused, side_without_a_value_is_refused,
             fault_is_found_wherever_it_stands, rule_has_at_most_511_bytes, rule_itself_is_left_as_it_is)
