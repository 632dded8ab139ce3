#include "look/look.h"

#include "harness.h"

#include <sys/syscall.h>

static const struct looked_thread kernel = {.role = ROLE_KERNEL, .recurrence.course = COURSE_ROUND};
static const struct frame caller;
static const struct looked_thread call = {.role = ROLE_CALL, .bound = true, .call = &caller};

/* What is said of these three threads. */
static enum look_verdict judged(struct looked_thread first, struct looked_thread second, struct looked_thread third)
{
    struct looked_thread threads[] = {first, second, third};
    struct look look = {.threads = threads, .count = 3};

    look_judge(&look, false);
    return look.verdict;
}

START_TEST(none_can_go_on)
{
    const struct looked_thread driver = {.role = ROLE_DRIVER, .bound = true};
    const struct looked_thread callback = {.role = ROLE_PROGRAM, .bound = true, .call = &caller};
    const struct looked_thread idle = {.role = ROLE_PROGRAM, .bound = true};

    ck_assert_int_eq(judged(kernel, call, driver), LOOK_DEADLOCK);
    ck_assert_int_eq(judged(call, call, driver), LOOK_HOST);
    ck_assert_int_eq(judged(callback, driver, driver), LOOK_HOST);
    ck_assert_int_eq(judged(idle, driver, driver), LOOK_LONG);
}
END_TEST

/* Each of these may act by itself, whoever else sleeps. */
START_TEST(one_may_go_on)
{
    const struct looked_thread others[] = {
        {.role = ROLE_DRIVER, .state.state = 'S'}, /* in a wait with a time limit, or for a file */
        {.role = ROLE_CALL, .state.state = 'S', .call = &caller},
        {.role = ROLE_PROGRAM, .state.state = 'S', .call = &caller},
        {.role = ROLE_PROGRAM, .state.state = 'R'},
        {.role = ROLE_KERNEL, .recurrence.course = COURSE_ROUND, .recurrence.shared = true},
        {.role = ROLE_KERNEL},
    };

    for (size_t i = 0; i < sizeof others / sizeof *others; ++i)
        ck_assert_int_eq(judged(kernel, call, others[i]), LOOK_LONG);
}
END_TEST

/* The thread of the door sleeps until the watchdog wants to know something. */
START_TEST(the_door_does_nothing_by_itself)
{
    struct looked_thread door = {.role = ROLE_DOOR, .state = {.state = 'S', .call = SYS_futex}};

    ck_assert_int_eq(judged(kernel, call, door), LOOK_DEADLOCK);
    door.state = (struct thread_state){.state = 'R', .call = -1};
    ck_assert_int_eq(judged(kernel, call, door), LOOK_LONG);
}
END_TEST

START_TEST(one_compiles)
{
    struct looked_thread threads[] = {call, {.role = ROLE_PROGRAM, .builds = true}, {.role = ROLE_PROGRAM}};
    struct look look = {.threads = threads, .count = 3};

    look_judge(&look, false);
    ck_assert_int_eq(look.verdict, LOOK_LONG);
    ck_assert_int_eq(look.reason, LOOK_REASON_BUILDS);
    ck_assert_uint_eq(look.decided, 1);
}
END_TEST

START_TEST(memory_that_was_not_copied)
{
    struct looked_thread threads[] = {kernel, call};
    struct look look = {.threads = threads, .count = 2};

    look_judge(&look, true);
    ck_assert_int_eq(look.verdict, LOOK_INCONCLUSIVE);
}
END_TEST

HARNESS_MAIN("look_judge", none_can_go_on, one_may_go_on, the_door_does_nothing_by_itself, one_compiles,
             memory_that_was_not_copied)
