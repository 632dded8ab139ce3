#include "model/machine.h"
#include "model/order.h"

#include <check.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

/*
 * Kernels as model/compile.c makes them, written by hand: before each access of shared memory there is a point. `words`
 * is the one argument.
 */

static const struct gl_calls *calls;
static volatile uint32_t *words;

static uint32_t load(volatile uint32_t *word)
{
    calls->point(word, sizeof *word, GL_HOW_LOAD);
    return *word;
}

static void store(volatile uint32_t *word, uint32_t value)
{
    calls->point(word, sizeof *word, GL_HOW_STORE);
    *word = value;
}

static uint32_t add(volatile uint32_t *word, uint32_t value)
{
    calls->point(word, sizeof *word, GL_HOW_UPDATE | GL_HOW_ATOMIC);
    const uint32_t before = *word;
    *word = before + value;
    return before;
}

static uint32_t group(void)
{
    return (uint32_t)calls->id(GL_ID_GROUP, 0);
}

static uint32_t groups(void)
{
    return (uint32_t)calls->id(GL_ID_GROUPS, 0);
}

static bool leads(void)
{
    return calls->id(GL_ID_LOCAL, 0) == 0;
}

/* --- kernels --- */

static void global_barrier(void *const *arguments)
{
    (void)arguments;
    calls->meet(0);
    if (leads()) {
        add(&words[0], 1);
        while (load(&words[0]) < groups())
            ;
    }
    calls->meet(0);
    add(&words[1], 1);
}

/* Waits for the next group, which ends with one that waits for nobody. */
static void wait_for_next(void *const *arguments)
{
    (void)arguments;
    if (leads() && group() + 1 < groups())
        while (load(&words[2 + group()]) == 0)
            ;
    if (leads() && group() > 0)
        store(&words[1 + group()], 1);
}

static void wait_for_previous(void *const *arguments)
{
    (void)arguments;
    if (leads() && group() > 0)
        while (load(&words[1 + group()]) == 0)
            ;
    if (leads())
        store(&words[2 + group()], 1);
}

static void wait_bounded(void *const *arguments)
{
    (void)arguments;
    for (uint32_t polls = 0; polls < 100000 && load(&words[0]) == 0; ++polls)
        ;
    add(&words[1], 1);
}

/* Two groups undo what the other one does, for ever. */
static void toggle(void *const *arguments)
{
    (void)arguments;
    while (load(&words[1]) == 0)
        store(&words[0], group());
}

static void count_for_ever(void *const *arguments)
{
    (void)arguments;
    while (load(&words[1]) == 0)
        add(&words[0], 1);
}

/* All work-items wait for what the first one has read, with a barrier in each turn; a turn counts for so much. */
static void poll_together(uint32_t counts)
{
    volatile uint32_t *read = calls->local();

    for (uint32_t polls = 0; polls < 50000; polls += counts) {
        if (leads())
            store(read, load(&words[0]));
        calls->meet(0);
        if (load(read) != 0)
            break;
        calls->meet(0);
    }
    add(&words[1], 1);
}

static void poll_together_for_ever(void *const *arguments)
{
    (void)arguments;
    poll_together(0);
}

static void poll_together_for_long(void *const *arguments)
{
    (void)arguments;
    poll_together(1);
}

/* One group counts for long; the others wait for its end. */
static void wait_for_one_that_counts(void *const *arguments)
{
    (void)arguments;
    if (group() > 0)
        while (load(&words[1]) == 0)
            ;
    for (uint32_t i = 0; group() == 0 && i < 100000; ++i)
        add(&words[0], 1);
    store(&words[1], 1);
}

static void add_plainly(void *const *arguments)
{
    (void)arguments;
    const uint32_t before = load(&words[1]);
    store(&words[1], before + 1);
}

static void lock(void *const *arguments)
{
    for (;;) {
        calls->point(&words[0], sizeof *words, GL_HOW_UPDATE | GL_HOW_ATOMIC);
        if (words[0] == 0)
            break;
    }
    words[0] = 1 + group();
    add_plainly(arguments);
    store(&words[0], 0);
}

static void write_outside(void *const *arguments)
{
    (void)arguments;
    store(&words[64 * 1024], 1);
}

static void leave_early(void *const *arguments)
{
    (void)arguments;
    if (leads())
        calls->meet(0);
}

/* Each work-item adds up what its group left in local memory, which another group may use after it. */
static void use_local(void *const *arguments)
{
    volatile uint32_t *cells = *(uint32_t *volatile *)arguments[1];
    const uint32_t own = (uint32_t)calls->id(GL_ID_LOCAL, 0), size = (uint32_t)calls->id(GL_ID_LOCAL_SIZE, 0);

    store(&cells[own], group() + 1);
    calls->meet(0);
    if (load(&cells[(own + 1) % size]) == group() + 1)
        add(&words[0], 1);
}

/* --- launches --- */

enum { WORDS = 4096 };

/* The report's schedule is the caller's. */
static struct machine_report launch_noted(void (*enter)(void *const *), uint32_t count, uint32_t items,
                                          struct model_device device)
{
    static uint32_t memory[WORDS];
    static uint32_t *pointer = memory;
    static const struct gl_argument arguments[2] = {{.kind = GL_ARGUMENT_GLOBAL}, {.kind = GL_ARGUMENT_LOCAL}};
    const struct gl_kernel kernel = {.name = "", .enter = enter, .arguments = arguments, .argument_count = 2};
    const struct gl_image image = {
        .version = GL_IMAGE_VERSION, .kernels = &kernel, .kernel_count = 1, .stack_bytes = 8192, .calls = &calls};
    const struct machine_region region = {.base = memory, .bytes = sizeof memory};
    const void *values[] = {&pointer, NULL};
    const size_t local_bytes[] = {0, items * sizeof(uint32_t)};
    const struct machine_launch launch = {
        .image = &image,
        .kernel = &kernel,
        .arguments = values,
        .local_bytes = local_bytes,
        .dimensions = 1,
        .global = {(size_t)count * items, 1, 1},
        .local = {items, 1, 1},
        .regions = &region,
        .region_count = 1,
        .device = device,
    };
    struct machine_report report;
    struct error error;

    for (size_t i = 0; i < WORDS; ++i)
        memory[i] = 0;
    words = memory;
    ck_assert_int_eq(machine_run(&launch, &report, &error), 0);
    return report;
}

static struct machine_report launch_kernel(void (*enter)(void *const *), uint32_t count, uint32_t items,
                                           struct model_device device)
{
    struct machine_report report = launch_noted(enter, count, items, device);

    schedule_fini(&report.schedule);
    return report;
}

static struct model_device obe(uint32_t places)
{
    return (struct model_device){.model = LITMUS_OBE, .resident = places};
}

START_TEST(barrier_has_its_cliff_at_the_places)
{
    static const uint32_t places[] = {1, 2, 4, 64};
    const uint32_t items = _i == 0 ? 1 : 64;

    for (size_t i = 0; i < sizeof places / sizeof *places; ++i) {
        ck_assert_int_eq(launch_kernel(global_barrier, places[i], items, obe(places[i])).end, MACHINE_ENDED);
        ck_assert_uint_eq(words[1], places[i] * items);
        ck_assert_int_eq(launch_kernel(global_barrier, places[i] + 1, items, obe(places[i])).end, MACHINE_STOOD);
        ck_assert_uint_eq(words[0], places[i]);
    }
}
END_TEST

START_TEST(models_differ_in_whom_a_group_may_wait_for)
{
    static const struct {
        struct model_device device;
        bool next, previous, barrier; /* of nine groups */
    } rows[] = {
        {{.unfair = true, .order = MODEL_ORDER_UP}, false, true, false},
        {{.unfair = true, .order = MODEL_ORDER_DOWN}, true, false, false},
        {{.model = LITMUS_HSA, .order = MODEL_ORDER_DOWN}, false, true, false},
        {{.model = LITMUS_OBE, .resident = 4, .order = MODEL_ORDER_UP}, false, true, false},
        {{.model = LITMUS_OBE, .resident = 4, .order = MODEL_ORDER_DOWN}, true, false, false},
        {{.model = LITMUS_OBE, .resident = 4}, false, false, false},
        {{.model = LITMUS_HSA_OBE, .resident = 4, .order = MODEL_ORDER_DOWN}, true, true, false},
        {{.model = LITMUS_HSA_OBE, .resident = 4}, false, true, false},
        {{.model = LITMUS_LOBE, .resident = 4, .order = MODEL_ORDER_DOWN}, false, true, false},
        {{.model = LITMUS_FAIR}, true, true, true},
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        ck_assert_msg((launch_kernel(wait_for_next, 9, 2, rows[i].device).end == MACHINE_ENDED) == rows[i].next,
                      "next, row %zu", i);
        ck_assert_msg((launch_kernel(wait_for_previous, 9, 2, rows[i].device).end == MACHINE_ENDED) == rows[i].previous,
                      "previous, row %zu", i);
        ck_assert_msg((launch_kernel(global_barrier, 9, 2, rows[i].device).end == MACHINE_ENDED) == rows[i].barrier,
                      "barrier, row %zu", i);
    }
}
END_TEST

START_TEST(bounded_wait_is_no_stall)
{
    const struct machine_report report = launch_kernel(wait_bounded, 3, 2, obe(2));

    ck_assert_int_eq(report.end, MACHINE_ENDED);
    ck_assert_uint_eq(words[1], 6);
    ck_assert_uint_gt(report.steps, 600000);
}
END_TEST

/* --- a host that watches --- */

static void *stop_and_tell(void *context)
{
    enum machine_standing *standing = context;

    while ((*standing = machine_standing()) == MACHINE_GOES_ON)
        usleep(100);
    words[1] = 1;
    words[0] = 1;
    machine_go_on();
    return NULL;
}

/* How the launch stands when it first asks the host, which then ends it. */
static enum machine_standing standing_of(void (*enter)(void *const *), uint32_t count, uint32_t items,
                                         struct model_device device)
{
    enum machine_standing standing;
    pthread_t host;

    machine_watch(true, 1);
    ck_assert_int_eq(pthread_create(&host, NULL, stop_and_tell, &standing), 0);
    ck_assert_int_eq(launch_kernel(enter, count, items, device).end, MACHINE_ENDED);
    pthread_join(host, NULL);
    machine_watch(false, 0);
    return standing;
}

START_TEST(what_changes_for_ever_recurs_or_is_long)
{
    ck_assert_int_eq(standing_of(toggle, 2, 1, obe(2)), MACHINE_RECURS);
    ck_assert_int_eq(standing_of(toggle, 7, 3, obe(7)), MACHINE_RECURS);
    ck_assert_int_eq(standing_of(count_for_ever, 2, 1, obe(2)), MACHINE_LONG);
    struct model_device by_lot = obe(2);
    by_lot.turns = MODEL_TURNS_LOT;
    ck_assert_int_eq(standing_of(toggle, 2, 1, by_lot), MACHINE_LONG);
}
END_TEST

START_TEST(wait_with_barriers_stands_still_unless_it_counts)
{
    ck_assert_int_eq(standing_of(poll_together_for_ever, 3, 4, obe(2)), MACHINE_STILL);
    ck_assert_int_eq(launch_kernel(poll_together_for_ever, 3, 4, obe(2)).end, MACHINE_STOOD);
    ck_assert_int_eq(launch_kernel(poll_together_for_long, 3, 4, obe(2)).end, MACHINE_ENDED);
    ck_assert_uint_eq(words[1], 12);
}
END_TEST

/* Whoever waits costs no steps while another one works, however often that changes memory. */
START_TEST(who_waits_takes_no_steps)
{
    const uint64_t alone = launch_kernel(wait_for_one_that_counts, 1, 1, obe(64)).steps;
    const struct machine_report beside = launch_kernel(wait_for_one_that_counts, 64, 1, obe(64));

    ck_assert_int_eq(beside.end, MACHINE_ENDED);
    ck_assert_uint_lt(beside.steps - alone, 64 * 100);
}
END_TEST

static void *let_pass(void *context)
{
    while (machine_standing() != MACHINE_STILL)
        usleep(100);
    *(uint32_t *)context = words[0];
    words[0] += 1; /* the group that found no place */
    machine_go_on();
    return NULL;
}

START_TEST(host_ends_what_stands_still)
{
    pthread_t host;
    uint32_t arrived = 0;

    machine_watch(true, 1);
    ck_assert_int_eq(pthread_create(&host, NULL, let_pass, &arrived), 0);
    ck_assert_int_eq(launch_kernel(global_barrier, 5, 8, obe(4)).end, MACHINE_ENDED);
    pthread_join(host, NULL);
    machine_watch(false, 0);
    ck_assert_uint_eq(arrived, 4);
    ck_assert_uint_eq(words[1], 5 * 8);
}
END_TEST

/* Where turns are drawn at each access, a lock guards what is lost without it; and a seed is a schedule. */
START_TEST(each_access_is_a_point)
{
    const enum model_turns turns = _i == 0 ? MODEL_TURNS_LOT : MODEL_TURNS_PCT;
    unsigned lost = 0;

    for (uint32_t seed = 1; seed <= 200; ++seed) {
        const struct model_device device = {.model = LITMUS_OBE, .resident = 4, .turns = turns, .seed = seed};
        ck_assert_int_eq(launch_kernel(lock, 4, 1, device).end, MACHINE_ENDED);
        ck_assert_uint_eq(words[1], 4);
        const uint64_t steps = launch_kernel(add_plainly, 4, 1, device).steps;
        const uint32_t sum = words[1];
        lost += sum < 4;
        ck_assert_uint_eq(launch_kernel(add_plainly, 4, 1, device).steps, steps);
        ck_assert_uint_eq(words[1], sum);
    }
    ck_assert_uint_gt(lost, 0);
    ck_assert_uint_lt(lost, 200);
}
END_TEST

/* --- schedules --- */

/* What was noted comes again, step by step, on a device whose own turns are others; also of what stands still. */
START_TEST(turns_that_were_noted_can_be_repeated)
{
    static void (*const kernels[])(void *const *) = {add_plainly, lock, global_barrier, use_local};
    const enum model_turns turns = _i == 0 ? MODEL_TURNS_LOT : MODEL_TURNS_PCT;

    for (uint32_t seed = 1; seed <= 100; ++seed) {
        const struct model_device device = {.model = LITMUS_OBE, .resident = 4, .turns = turns, .seed = seed};
        struct machine_report report = launch_noted(kernels[seed % 4], 5, 2, device);
        const uint32_t seen[] = {words[0], words[1]};
        machine_follow(&report.schedule);
        struct machine_report again = launch_noted(kernels[seed % 4], 5, 2, obe(4));
        machine_follow(NULL);
        ck_assert_uint_gt(report.schedule.count, 0);
        ck_assert_uint_eq(schedule_differs(&report.schedule, &again.schedule), SCHEDULE_TURNS);
        ck_assert_uint_eq(report.steps, again.steps);
        ck_assert_int_eq(report.end, again.end);
        ck_assert(words[0] == seen[0] && words[1] == seen[1]);
        schedule_fini(&report.schedule);
        schedule_fini(&again.schedule);
    }
}
END_TEST

/* One group reads, the other one adds, and what the first writes loses that: one cut, and the rest follows. */
START_TEST(one_cut_is_enough_for_a_lost_update)
{
    struct schedule_turn turns[] = {{0, 0, 2 | SCHEDULE_CUT}, {7, 0, 1}, {1, 9, 1}, {1, 0, 1}};
    const struct schedule asked = {.turns = turns, .count = 4};

    machine_follow(&asked);
    struct machine_report report = launch_noted(add_plainly, 2, 1, obe(2));
    machine_follow(NULL);
    ck_assert_int_eq(report.end, MACHINE_ENDED);
    ck_assert_uint_eq(words[1], 1);
    ck_assert_uint_eq(report.schedule.count, 3);
    ck_assert_uint_eq(schedule_cuts(&report.schedule), 1);
    ck_assert_uint_eq(schedule_steps(&report.schedule.turns[1]), 3); /* before each access, and its end */
    schedule_fini(&report.schedule);
    turns[0].steps = 2;
    machine_follow(&asked);
    ck_assert_int_eq(launch_kernel(add_plainly, 2, 1, obe(2)).end, MACHINE_ENDED);
    machine_follow(NULL);
    ck_assert_uint_eq(words[1], 2);
}
END_TEST

START_TEST(what_goes_in_turn_is_not_noted)
{
    ck_assert_uint_eq(launch_noted(add_plainly, 4, 1, obe(4)).schedule.count, 0);
}
END_TEST

START_TEST(what_no_kernel_may_is_told)
{
    struct machine_report report = launch_kernel(write_outside, 2, 1, obe(2));

    ck_assert_int_eq(report.end, MACHINE_FAULT);
    ck_assert_ptr_nonnull(strstr(report.fault, "writes outside"));
    report = launch_kernel(leave_early, 2, 4, obe(2));
    ck_assert_int_eq(report.end, MACHINE_FAULT);
    ck_assert_ptr_nonnull(strstr(report.fault, "barrier"));
    ck_assert_int_eq(launch_kernel(leave_early, 2, 1, obe(2)).end, MACHINE_ENDED);
}
END_TEST

START_TEST(local_memory_is_a_groups_own)
{
    ck_assert_int_eq(launch_kernel(use_local, 50, 8, obe(4)).end, MACHINE_ENDED);
    ck_assert_uint_eq(words[0], 50 * 8);
}
END_TEST

/* --- orders --- */

static void take_all(enum model_order order_of_groups, uint32_t count, uint32_t places, uint32_t *taken)
{
    const struct model_device device = {.model = LITMUS_OBE, .resident = places, .order = order_of_groups};
    struct order order;

    order_begin(&order, &device, count, 7);
    for (uint32_t i = 0; i < count; ++i) {
        ck_assert(order_take(&order, i % places, &taken[i]));
        order_end(&order, taken[i]);
    }
    ck_assert(!order_take(&order, 0, taken));
    order_fini(&order);
}

START_TEST(orders_take_each_group_once)
{
    static const uint32_t counts[] = {1, 2, 5, 64, 1000};
    uint32_t taken[1000];

    for (size_t i = 0; i < sizeof counts / sizeof *counts; ++i) {
        bool seen[1000] = {false};
        take_all((enum model_order)_i, counts[i], counts[i] < 4 ? counts[i] : 4, taken);
        for (uint32_t at = 0; at < counts[i]; ++at)
            ck_assert(!seen[taken[at]] && (seen[taken[at]] = true));
    }
}
END_TEST

/* Those that four places take first, of which none ends. */
static void assert_first(enum model_order asked, uint32_t groups, const uint32_t first[4])
{
    const struct model_device device = {.model = LITMUS_OBE, .resident = 4, .order = asked};
    struct order order;
    uint32_t group;

    order_begin(&order, &device, groups, 1);
    for (uint32_t place = 0; place < 4; ++place) {
        ck_assert(order_take(&order, place, &group));
        ck_assert_uint_eq(group, first[place]);
    }
    order_fini(&order);
}

START_TEST(shares_of_what_is_left_are_dealt_to_places)
{
    assert_first(MODEL_ORDER_CHUNKED, 5, (const uint32_t[]){0, 2, 3, 4});
    assert_first(MODEL_ORDER_SPLIT, 5, (const uint32_t[]){0, 1, 2, 3});
    assert_first(MODEL_ORDER_CHUNKED, 256, (const uint32_t[]){0, 64, 112, 148});
    assert_first(MODEL_ORDER_SPLIT, 256, (const uint32_t[]){0, 64, 112, 148});
    assert_first(MODEL_ORDER_CHUNKED, 4, (const uint32_t[]){0, 1, 2, 3});
}
END_TEST

/* LOBE: whoever has started, those before it have a place, too; which of the first four comes first is open. */
START_TEST(lobe_promises_no_order_among_the_first)
{
    static const uint32_t down[] = {3, 2, 1, 0, 4, 5, 6, 7};
    const struct model_device device = {.model = LITMUS_LOBE, .resident = 4, .order = (enum model_order)_i};
    uint32_t group, taken[8];
    struct order order;

    order_begin(&order, &device, 100, 7);
    for (uint32_t at = 0; at < 8; ++at) {
        ck_assert(order_take(&order, at % 4, &taken[at]));
        ck_assert_uint_eq(taken[at] / 4, at / 4);
        ck_assert(device.order != MODEL_ORDER_DOWN || taken[at] == down[at]);
        if (at >= 3)
            order_end(&order, taken[at - 3]);
    }
    ck_assert(device.order != MODEL_ORDER_MIXED || taken[0] + 1 != taken[1] || taken[1] + 1 != taken[2]);
    ck_assert(order_take(&order, 0, &group) && group == 8);
    order_fini(&order);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("machine");
    TCase *all = tcase_create("all");
    tcase_set_timeout(all, 0); /* how long a test takes says nothing about the code */

    tcase_add_loop_test(all, barrier_has_its_cliff_at_the_places, 0, 2);
    tcase_add_test(all, models_differ_in_whom_a_group_may_wait_for);
    tcase_add_test(all, bounded_wait_is_no_stall);
    tcase_add_test(all, what_changes_for_ever_recurs_or_is_long);
    tcase_add_test(all, wait_with_barriers_stands_still_unless_it_counts);
    tcase_add_test(all, who_waits_takes_no_steps);
    tcase_add_test(all, host_ends_what_stands_still);
    tcase_add_loop_test(all, each_access_is_a_point, 0, 2);
    tcase_add_loop_test(all, turns_that_were_noted_can_be_repeated, 0, 2);
    tcase_add_test(all, one_cut_is_enough_for_a_lost_update);
    tcase_add_test(all, what_goes_in_turn_is_not_noted);
    tcase_add_test(all, what_no_kernel_may_is_told);
    tcase_add_test(all, local_memory_is_a_groups_own);
    tcase_add_loop_test(all, orders_take_each_group_once, 0, MODEL_ORDERS);
    tcase_add_test(all, shares_of_what_is_left_are_dealt_to_places);
    tcase_add_loop_test(all, lobe_promises_no_order_among_the_first, 0, MODEL_ORDERS);
    suite_add_tcase(suite, all);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
