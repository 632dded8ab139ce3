/* With how many groups a kernel is safe: the rule of proof/certificate.h, each part with what must not follow. */
#include "proof/certificate.h"

#include "harness.h"

enum { LAUNCHES = 4 };

/* What a kernel needs: this promise or more, with so many places of 2, 3, 4 and 5 groups. */
struct need {
    enum litmus_model model;
    enum litmus_fairness fairness;
    unsigned places[LAUNCHES];
};

static void fill(struct proof_progress *progress, unsigned groups, const struct need *need, unsigned places)
{
    *progress = (struct proof_progress){.groups = groups};
    for (enum litmus_model model = 0; model < LITMUS_MODELS; ++model)
        for (enum litmus_fairness fairness = 0; fairness < LITMUS_FAIRNESSES; ++fairness)
            if (litmus_implies(model, fairness, need->model, need->fairness))
                progress->ends[model][fairness] = ((UINT32_C(1) << groups) - 1) >> (places - 1) << (places - 1);
}

/* A device of which 10 tests were made of each promise: it keeps what this one promises, and breaks others. */
static struct certificate_device keeping(enum litmus_model model, enum litmus_fairness fairness)
{
    struct certificate_device device = {.published = 0};

    for (enum litmus_model other = 0; other < LITMUS_MODELS; ++other)
        for (enum litmus_fairness other_fairness = 0; other_fairness < LITMUS_FAIRNESSES; ++other_fairness) {
            const bool kept = litmus_implies(model, fairness, other, other_fairness);
            device.tests[other][other_fairness] = (struct certificate_tests){
                .guaranteed = 10, .ended = kept ? 10 : 9, .stalled = kept ? 0 : 1, .told = true};
        }
    return device;
}

static struct certificate certify(const struct need *need, const struct certificate_device *device, size_t count)
{
    struct proof_progress progress[LAUNCHES];
    struct certificate_launch launches[LAUNCHES];
    struct certificate certificate;

    for (unsigned i = 0; i < count; ++i) {
        fill(&progress[i], i + 2, need, need->places[i]);
        launches[i] = (struct certificate_launch){i + 2, PROOF_PROVED, &progress[i]};
    }
    certificate_find(launches, count, device, &certificate);
    return certificate;
}

static const struct need barrier = {LITMUS_FAIR, LITMUS_WEAK, {2, 3, 4, 5}};
static const struct need lock = {LITMUS_OBE, LITMUS_WEAK, {1, 1, 1, 1}};
static const struct need chain = {LITMUS_HSA, LITMUS_WEAK, {1, 1, 1, 1}};

START_TEST(a_barrier_is_safe_with_as_many_as_fit_where_started_groups_get_turns)
{
    const struct certificate_device obe = keeping(LITMUS_OBE, LITMUS_WEAK), hsa = keeping(LITMUS_HSA, LITMUS_STRONG);
    struct certificate found = certify(&barrier, &obe, LAUNCHES);

    ck_assert_int_eq(found.answer, CERTIFICATE_RESIDENT);
    ck_assert_int_eq((int)found.promise.model, LITMUS_FAIR);
    ck_assert_int_eq((int)found.model, LITMUS_OBE);
    ck_assert(found.uniform);
    ck_assert_uint_eq(certificate_groups(&found, 264), 264);
    ck_assert_uint_eq(certificate_groups(&found, 0), 0);
    found = certify(&barrier, &hsa, LAUNCHES);
    ck_assert_int_eq(found.answer, CERTIFICATE_REFUSED);
    ck_assert_uint_eq(certificate_groups(&found, 264), 0);
    ck_assert(certificate_is_refusal(&found));
}
END_TEST

START_TEST(a_lock_is_safe_with_any_number_where_started_groups_get_turns)
{
    const struct certificate_device obe = keeping(LITMUS_OBE, LITMUS_WEAK), hsa = keeping(LITMUS_HSA, LITMUS_STRONG);
    struct certificate found = certify(&lock, &obe, LAUNCHES);

    ck_assert_int_eq(found.answer, CERTIFICATE_ANY);
    ck_assert_uint_eq(certificate_groups(&found, 0), UINT32_MAX);
    found = certify(&lock, &hsa, LAUNCHES);
    ck_assert_int_eq(found.answer, CERTIFICATE_REFUSED);
}
END_TEST

/* On OBE a chain is safe with what fits: started groups get turns, and all start. */
START_TEST(a_chain_is_safe_with_any_number_where_the_lowest_gets_turns)
{
    const struct certificate_device hsa = keeping(LITMUS_HSA, LITMUS_WEAK), obe = keeping(LITMUS_OBE, LITMUS_WEAK);
    struct certificate found = certify(&chain, &hsa, LAUNCHES);

    ck_assert_int_eq(found.answer, CERTIFICATE_ANY);
    ck_assert_int_eq((int)found.model, LITMUS_HSA);
    found = certify(&chain, &obe, LAUNCHES);
    ck_assert_int_eq(found.answer, CERTIFICATE_RESIDENT);
}
END_TEST

START_TEST(strong_fairness_is_not_kept_by_weak)
{
    const struct need strong = {LITMUS_OBE, LITMUS_STRONG, {1, 1, 1, 1}};
    const struct certificate_device weak = keeping(LITMUS_LOBE, LITMUS_WEAK), both = keeping(LITMUS_OBE, LITMUS_STRONG);
    struct certificate found = certify(&strong, &weak, LAUNCHES);

    ck_assert_int_eq(found.answer, CERTIFICATE_REFUSED);
    found = certify(&strong, &both, LAUNCHES);
    ck_assert_int_eq(found.answer, CERTIFICATE_ANY);
}
END_TEST

START_TEST(what_was_not_measured_is_not_known)
{
    struct certificate_device device = {.published = 0};
    struct certificate found = certify(&lock, &device, LAUNCHES);

    ck_assert_int_eq(found.answer, CERTIFICATE_UNMEASURED);
    ck_assert(!certificate_is_refusal(&found));
    device = keeping(LITMUS_OBE, LITMUS_WEAK);
    device.tests[LITMUS_OBE][LITMUS_WEAK].undecided = 1;
    device.tests[LITMUS_OBE][LITMUS_WEAK].ended = 9;
    found = certify(&lock, &device, LAUNCHES);
    ck_assert_int_eq(found.answer, CERTIFICATE_UNMEASURED);
    device = keeping(LITMUS_OBE, LITMUS_WEAK);
    device.tests[LITMUS_OBE][LITMUS_WEAK].states = 1;
    found = certify(&lock, &device, LAUNCHES);
    ck_assert_int_eq(found.answer, CERTIFICATE_REFUSED);
}
END_TEST

START_TEST(nothing_is_asked_of_a_device_by_what_always_ends)
{
    enum { COUNT = 3 };
    struct proof_progress progress[COUNT];
    struct certificate_launch launches[COUNT];
    const struct certificate_device device = {.published = 0};
    struct certificate found;

    for (unsigned i = 0; i < COUNT; ++i) {
        fill(&progress[i], i + 2, &lock, 1);
        for (int fairness = 0; fairness < LITMUS_FAIRNESSES; ++fairness)
            progress[i].ends[PROOF_UNFAIR][fairness] = (UINT32_C(1) << (i + 2)) - 1;
        launches[i] = (struct certificate_launch){i + 2, PROOF_PROVED, &progress[i]};
    }
    certificate_find(launches, COUNT, &device, &found);
    ck_assert_int_eq(found.answer, CERTIFICATE_ANY);
    ck_assert_int_eq((int)found.model, PROOF_UNFAIR);
    ck_assert_uint_eq(certificate_groups(&found, 0), UINT32_MAX);
}
END_TEST

/* Two numbers of groups show nothing of others, and those that are not above c nothing of c places. */
START_TEST(few_launches_are_taken_for_the_worst)
{
    const struct need two = {LITMUS_FAIR, LITMUS_WEAK, {2, 2, 2, 2}}, odd = {LITMUS_FAIR, LITMUS_WEAK, {2, 2, 3, 3}};
    const struct certificate_device fair = keeping(LITMUS_FAIR, LITMUS_WEAK);
    struct certificate found = certify(&two, &fair, LAUNCHES);

    ck_assert_int_eq(found.answer, CERTIFICATE_ANY);
    ck_assert_uint_eq(found.promise.places, 2);
    ck_assert_uint_eq(certificate_groups(&found, 2), UINT32_MAX);
    ck_assert_uint_eq(certificate_groups(&found, 1), 1);
    found = certify(&two, &fair, 3);
    ck_assert_int_eq(found.answer, CERTIFICATE_RESIDENT);
    ck_assert(!found.uniform);
    found = certify(&odd, &fair, LAUNCHES);
    ck_assert_int_eq(found.answer, CERTIFICATE_RESIDENT);
    ck_assert(!found.uniform);
    found = certify(&lock, &fair, 2);
    ck_assert_int_eq(found.answer, CERTIFICATE_RESIDENT);
    found = certify(&lock, &fair, 3);
    ck_assert_int_eq(found.answer, CERTIFICATE_ANY);
}
END_TEST

START_TEST(a_launch_that_is_wrong_decides)
{
    static const struct {
        enum proof_verdict proved;
        enum certificate_answer answer;
    } cases[] = {{PROOF_RACE, CERTIFICATE_NEVER},           {PROOF_RESULT, CERTIFICATE_NEVER},
                 {PROOF_WRONG, CERTIFICATE_NEVER},          {PROOF_FAULT, CERTIFICATE_NEVER},
                 {PROOF_NOT_REFUTED, CERTIFICATE_UNPROVED}, {PROOF_NOTHING, CERTIFICATE_UNPROVED}};
    const struct certificate_device fair = keeping(LITMUS_FAIR, LITMUS_STRONG);
    struct certificate_launch launches[3] = {
        {2, PROOF_PROVED, NULL}, {3, PROOF_NOTHING, NULL}, {4, PROOF_PROVED, NULL}};
    struct certificate found;

    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        launches[2].proved = cases[i].proved;
        certificate_find(launches, 3, &fair, &found);
        ck_assert_int_eq(found.answer, cases[i].answer);
        ck_assert_uint_eq(found.launch, cases[i].answer == CERTIFICATE_NEVER ? 2 : 1);
        ck_assert_uint_eq(certificate_groups(&found, 264), 0);
    }
}
END_TEST

START_TEST(old_data_is_not_safe)
{
    struct certificate_device device = keeping(LITMUS_OBE, LITMUS_WEAK);
    struct certificate found;

    device.published = 5;
    found = certify(&lock, &device, LAUNCHES);
    ck_assert_int_eq(found.answer, CERTIFICATE_ANY);
    device.stale = 1;
    found = certify(&lock, &device, LAUNCHES);
    ck_assert_int_eq(found.answer, CERTIFICATE_UNPUBLISHED);
    ck_assert(certificate_is_refusal(&found));
}
END_TEST

HARNESS_MAIN("certificate", a_barrier_is_safe_with_as_many_as_fit_where_started_groups_get_turns,
             a_lock_is_safe_with_any_number_where_started_groups_get_turns,
             a_chain_is_safe_with_any_number_where_the_lowest_gets_turns, strong_fairness_is_not_kept_by_weak,
             what_was_not_measured_is_not_known, nothing_is_asked_of_a_device_by_what_always_ends,
             few_launches_are_taken_for_the_worst, a_launch_that_is_wrong_decides, old_data_is_not_safe)
