#include "judge/grouping.h"

#include "board_builder.h"
#include "harness.h"

enum { MOST = 40 };

static struct grouping group(const struct builder *builder)
{
    struct grouping grouping;
    grouping_make(&builder->board, MOST, &grouping);
    return grouping;
}

static void end(struct grouping *grouping, struct builder *builder)
{
    grouping_fini(grouping);
    builder_fini(builder);
}

/* The class begins with this group, and has so many. */
static const struct group_class *class_at(const struct grouping *grouping, uint32_t index, enum group_state state,
                                          uint32_t first, uint32_t count)
{
    ck_assert_uint_lt(index, grouping->count);
    const struct group_class *class = &grouping->classes[index];
    ck_assert_str_eq(group_state_name(class->state), group_state_name(state));
    ck_assert_uint_eq(class->groups[0], first);
    ck_assert_uint_eq(class->count, count);
    return class;
}

/* Each group is in one class, once, and the classes know it. */
static void assert_division(const struct grouping *grouping, uint32_t groups)
{
    uint32_t counted = 0;
    for (uint32_t i = 0; i < grouping->count; ++i) {
        const struct group_class *class = &grouping->classes[i];
        ck_assert_uint_gt(class->count, 0);
        counted += class->count;
        for (uint32_t k = 0; k < class->count; ++k) {
            ck_assert_uint_eq(grouping->class_of[class->groups[k]], i);
            ck_assert(k == 0 || class->groups[k - 1] < class->groups[k]);
        }
        ck_assert(i == 0 || grouping->classes[i - 1].groups[0] < class->groups[0]);
    }
    ck_assert_uint_eq(counted, groups);
    ck_assert_uint_le(grouping->count, MOST);
}

/* A wait for a flag of another group's: word `group` of the kernel's must become 1. */
static void wait_for_flag(struct builder *b, uint32_t group, uint32_t other)
{
    builder_start(b, group);
    builder_wait_until(b, group, builder_sync(b, other), GL_UNTIL_REACHED, 1, other);
}

/* --- classes --- */

START_TEST(a_board_without_groups_has_no_classes)
{
    struct builder b = builder_init(0);
    struct grouping grouping = group(&b);
    ck_assert_uint_eq(grouping.count, 0);
    ck_assert_uint_eq(grouping.edge_count, 0);
    end(&grouping, &b);
}
END_TEST

START_TEST(each_state_is_a_class)
{
    struct builder b = builder_init_sync(5, 5);
    builder_start(&b, 0);
    wait_for_flag(&b, 1, 0);
    wait_for_flag(&b, 2, 4);
    b.words[builder_sync(&b, 4)] = 1; /* it is there, and group 2 has not looked */
    builder_start(&b, 4);
    builder_done(&b, 4);
    struct grouping grouping = group(&b);
    ck_assert_uint_eq(grouping.count, 5);
    class_at(&grouping, 0, GROUP_RUNNING, 0, 1);
    class_at(&grouping, 1, GROUP_WAITING, 1, 1);
    class_at(&grouping, 2, GROUP_READY, 2, 1);
    class_at(&grouping, 3, GROUP_NOT_STARTED, 3, 1);
    class_at(&grouping, 4, GROUP_DONE, 4, 1);
    assert_division(&grouping, 5);
    end(&grouping, &b);
}
END_TEST

START_TEST(a_group_that_came_late_never_started)
{
    struct builder b = builder_init(2);
    builder_late(&b, 0);
    struct grouping grouping = group(&b);
    class_at(&grouping, 0, GROUP_NOT_STARTED, 0, 2);
    end(&grouping, &b);
}
END_TEST

START_TEST(groups_that_show_the_same_are_one_class_and_say_what)
{
    struct builder b = builder_init(8);
    builder_starve_barrier(&b, 5, GL_ENDED_STOP);
    struct grouping grouping = group(&b);
    ck_assert_uint_eq(grouping.count, 2);
    const struct group_class *class = class_at(&grouping, 0, GROUP_WAITING, 0, 5);
    ck_assert_uint_eq(class->round, 1);
    ck_assert_uint_eq(class->wait_word, GL_ARRIVALS);
    ck_assert_uint_eq(class->wait_value, 8);
    ck_assert_uint_eq(class->wait_group, GL_GROUP_ALL);
    ck_assert(!class->mixed);
    class_at(&grouping, 1, GROUP_NOT_STARTED, 5, 3);
    end(&grouping, &b);
}
END_TEST

START_TEST(groups_that_differ_in_any_way_are_not_one_class)
{
    static const struct {
        uint32_t field, by;
    } changes[] = {{GL_ROUND, 1},     {GL_LOCKS_HELD, 1},         {GL_WAIT_WORD, 1},
                   {GL_WAIT_HOW, 1},  {GL_WAIT_HOW, GL_HOW_LINE}, {GL_WAIT_VALUE, 1},
                   {GL_WAIT_GROUP, 1}};
    for (size_t i = 0; i < sizeof changes / sizeof *changes; ++i) {
        const uint32_t field = changes[i].field;
        struct builder b = builder_init_sync(3, 3);
        wait_for_flag(&b, 0, 2);
        wait_for_flag(&b, 1, 2);
        builder_set(&b, 1, field, board_entry(&b.board, 1, field) + changes[i].by);
        struct grouping grouping = group(&b);
        ck_assert_uint_eq(grouping.count, 3);
        end(&grouping, &b);
    }
}
END_TEST

START_TEST(what_a_wait_was_for_says_nothing_once_the_group_goes_on)
{
    struct builder b = builder_init_sync(2, 2);
    wait_for_flag(&b, 0, 1);
    wait_for_flag(&b, 1, 0);
    builder_done(&b, 0);
    builder_done(&b, 1);
    struct grouping grouping = group(&b);
    ck_assert_uint_eq(grouping.count, 1);
    ck_assert_uint_eq(grouping.edge_count, 0);
    end(&grouping, &b);
}
END_TEST

/* --- edges --- */

START_TEST(a_barrier_waits_for_those_that_never_started_and_not_for_itself)
{
    struct builder b = builder_init(8);
    builder_starve_barrier(&b, 5, GL_ENDED_STOP);
    struct grouping grouping = group(&b);
    ck_assert_uint_eq(grouping.edge_count, 1);
    ck_assert(grouping_waits(&grouping, 0, 1));
    ck_assert(!grouping_waits(&grouping, 0, 0));
    ck_assert(!grouping_waits(&grouping, 1, 0));
    end(&grouping, &b);
}
END_TEST

START_TEST(a_barrier_waits_for_those_in_an_earlier_round)
{
    struct builder b = builder_init(3);
    builder_start_all(&b);
    builder_arrive(&b, 0, 2);
    builder_arrive(&b, 1, 1);
    builder_arrive(&b, 2, 2);
    struct grouping grouping = group(&b);
    ck_assert_uint_eq(grouping.count, 2);
    ck_assert_uint_eq(grouping.edge_count, 1);
    ck_assert(grouping_waits(&grouping, 0, 1));
    end(&grouping, &b);
}
END_TEST

START_TEST(a_barrier_in_round_0_waits_for_those_that_never_started)
{
    struct builder b = builder_init(2);
    builder_start_waiting(&b, 0, GL_GROUP_ALL);
    struct grouping grouping = group(&b);
    ck_assert_uint_eq(grouping.edge_count, 1);
    ck_assert(grouping_waits(&grouping, 0, 1));
    end(&grouping, &b);
}
END_TEST

START_TEST(a_circle_is_a_circle_of_classes)
{
    struct builder b = builder_init_sync(4, 4);
    for (uint32_t i = 0; i < 4; ++i)
        wait_for_flag(&b, i, (i + 1) % 4);
    struct grouping grouping = group(&b);
    ck_assert_uint_eq(grouping.count, 4);
    ck_assert_uint_eq(grouping.edge_count, 4);
    for (uint32_t i = 0; i < 4; ++i)
        ck_assert(grouping_waits(&grouping, i, (i + 1) % 4));
    end(&grouping, &b);
}
END_TEST

START_TEST(the_owner_of_a_lock_is_the_one_that_its_word_names)
{
    struct builder b = builder_init_sync(3, 1);
    builder_start(&b, 0);
    builder_start(&b, 2);
    builder_wait_until(&b, 0, builder_sync(&b, 0), GL_UNTIL_EQUAL, 0, GL_GROUP_OWNER);
    b.words[builder_sync(&b, 0)] = 3; /* group 2 has it */
    struct grouping grouping = group(&b);
    ck_assert_uint_eq(grouping.edge_count, 1);
    ck_assert(grouping_waits(&grouping, 0, 2));
    end(&grouping, &b);
}
END_TEST

START_TEST(a_lock_whose_word_names_nobody_has_no_edge)
{
    struct builder b = builder_init_sync(2, 1);
    builder_start_all(&b);
    builder_wait_until(&b, 0, builder_sync(&b, 0), GL_UNTIL_EQUAL, 0, GL_GROUP_OWNER);
    b.words[builder_sync(&b, 0)] = 77;
    struct grouping grouping = group(&b);
    class_at(&grouping, 0, GROUP_WAITING, 0, 1);
    ck_assert_uint_eq(grouping.edge_count, 0);
    end(&grouping, &b);
}
END_TEST

START_TEST(the_holder_is_whoever_holds_a_lock)
{
    struct builder b = builder_init_sync(4, 1);
    builder_start_all(&b);
    builder_wait_until(&b, 0, builder_sync(&b, 0), GL_UNTIL_EQUAL, 1, GL_GROUP_HOLDER);
    builder_wait_until(&b, 1, builder_sync(&b, 0), GL_UNTIL_EQUAL, 1, GL_GROUP_HOLDER);
    builder_set(&b, 3, GL_LOCKS_HELD, 1);
    struct grouping grouping = group(&b);
    ck_assert_uint_eq(grouping.count, 3);
    ck_assert_uint_eq(grouping.edge_count, 1);
    ck_assert(grouping_waits(&grouping, 0, 2));
    end(&grouping, &b);
}
END_TEST

START_TEST(any_group_is_one_that_has_not_ended)
{
    struct builder b = builder_init(4);
    builder_start_waiting(&b, 0, GL_GROUP_ANY);
    builder_start(&b, 1);
    builder_done(&b, 1);
    builder_start(&b, 2);
    struct grouping grouping = group(&b);
    ck_assert_uint_eq(grouping.edge_count, 2);
    ck_assert(grouping_waits(&grouping, 0, 2));
    ck_assert(grouping_waits(&grouping, 0, 3));
    end(&grouping, &b);
}
END_TEST

START_TEST(two_that_wait_for_any_group_wait_for_each_other)
{
    struct builder b = builder_init(2);
    builder_start_waiting(&b, 0, GL_GROUP_ANY);
    builder_start_waiting(&b, 1, GL_GROUP_ANY);
    struct grouping grouping = group(&b);
    ck_assert_uint_eq(grouping.count, 1);
    ck_assert(grouping_waits(&grouping, 0, 0));
    end(&grouping, &b);
}
END_TEST

START_TEST(a_group_that_only_has_to_look_waits_for_nobody)
{
    struct builder b = builder_init_sync(2, 2);
    wait_for_flag(&b, 0, 1);
    b.words[builder_sync(&b, 1)] = 1;
    struct grouping grouping = group(&b);
    class_at(&grouping, 0, GROUP_READY, 0, 1);
    ck_assert_uint_eq(grouping.edge_count, 0);
    end(&grouping, &b);
}
END_TEST

START_TEST(the_host_and_nobody_are_no_groups)
{
    static const uint32_t awaited[] = {GL_GROUP_HOST, GL_GROUP_NOBODY};
    for (int i = 0; i < 2; ++i) {
        struct builder b = builder_init(2);
        builder_start_waiting(&b, 0, awaited[i]);
        struct grouping grouping = group(&b);
        ck_assert_uint_eq(grouping.edge_count, 0);
        end(&grouping, &b);
    }
}
END_TEST

/* --- thousands of groups --- */

enum { MANY = 4224, FIT = 1056 };

START_TEST(thousands_at_a_barrier_are_two_classes)
{
    struct builder b = builder_init(MANY);
    builder_starve_barrier(&b, FIT, GL_ENDED_STOP);
    struct grouping grouping = group(&b);
    ck_assert_uint_eq(grouping.count, 2);
    class_at(&grouping, 0, GROUP_WAITING, 0, FIT);
    class_at(&grouping, 1, GROUP_NOT_STARTED, FIT, MANY - FIT);
    ck_assert_uint_eq(grouping.edge_count, 1);
    assert_division(&grouping, MANY);
    end(&grouping, &b);
}
END_TEST

START_TEST(forty_that_differ_stay_forty)
{
    struct builder b = builder_init_sync(MOST, MOST);
    for (uint32_t i = 0; i < MOST; ++i)
        wait_for_flag(&b, i, (i + 1) % MOST);
    struct grouping grouping = group(&b);
    ck_assert_uint_eq(grouping.count, MOST);
    ck_assert(!grouping.classes[0].mixed);
    assert_division(&grouping, MOST);
    end(&grouping, &b);
}
END_TEST

START_TEST(one_more_than_forty_are_put_together_and_say_so)
{
    struct builder b = builder_init_sync(MOST + 1, MOST + 1);
    for (uint32_t i = 0; i <= MOST; ++i)
        wait_for_flag(&b, i, (i + 1) % (MOST + 1));
    struct grouping grouping = group(&b);
    ck_assert_uint_eq(grouping.count, 1);
    ck_assert(grouping.classes[0].mixed);
    ck_assert(grouping_waits(&grouping, 0, 0));
    end(&grouping, &b);
}
END_TEST

START_TEST(a_chain_of_thousands_ends_in_those_that_never_started)
{
    struct builder b = builder_init_sync(MANY, MANY);
    for (uint32_t i = 0; i < FIT; ++i)
        wait_for_flag(&b, i, i + 1);
    struct grouping grouping = group(&b);
    ck_assert_uint_eq(grouping.count, 2);
    ck_assert(class_at(&grouping, 0, GROUP_WAITING, 0, FIT)->mixed);
    ck_assert(grouping_waits(&grouping, 0, 0));
    ck_assert(grouping_waits(&grouping, 0, 1));
    assert_division(&grouping, MANY);
    end(&grouping, &b);
}
END_TEST

/* Each in a round of its own: the edges must not cost a look at all groups for each of them. */
START_TEST(rounds_of_thousands_do_not_keep_them_apart)
{
    struct builder b = builder_init(MANY);
    for (uint32_t i = 0; i < FIT; ++i) {
        builder_start(&b, i);
        builder_arrive(&b, i, i + 1);
    }
    struct grouping grouping = group(&b);
    ck_assert_uint_eq(grouping.count, 2);
    ck_assert(grouping_waits(&grouping, 0, 0));
    ck_assert(grouping_waits(&grouping, 0, 1));
    assert_division(&grouping, MANY);
    end(&grouping, &b);
}
END_TEST

START_TEST(waits_of_different_kinds_stay_apart_among_thousands)
{
    struct builder b = builder_init_sync(MANY, MANY);
    for (uint32_t i = 0; i < FIT; ++i)
        wait_for_flag(&b, i, i + 1);
    for (uint32_t i = FIT; i < MANY; ++i) {
        builder_start(&b, i);
        builder_arrive(&b, i, 1);
    }
    struct grouping grouping = group(&b);
    ck_assert_uint_eq(grouping.count, 2);
    class_at(&grouping, 0, GROUP_WAITING, 0, FIT);
    class_at(&grouping, 1, GROUP_WAITING, FIT, MANY - FIT);
    end(&grouping, &b);
}
END_TEST

/* Nobody vouches for what a run file holds. */
START_TEST(a_damaged_board_has_few_classes_too)
{
    struct builder b = builder_init(MANY);
    uint32_t x = 1;
    for (uint32_t group = 0; group < MANY; ++group)
        for (uint32_t field = 0; field < GL_ENTRY_WORDS; ++field) {
            x = x * 1664525u + 1013904223u;
            builder_set(&b, group, field, field == GL_PHASE ? x >> 30 : x);
        }
    struct grouping grouping = group(&b);
    assert_division(&grouping, MANY);
    end(&grouping, &b);
}
END_TEST

HARNESS_MAIN("grouping", a_board_without_groups_has_no_classes, each_state_is_a_class,
             a_group_that_came_late_never_started, groups_that_show_the_same_are_one_class_and_say_what,
             groups_that_differ_in_any_way_are_not_one_class, what_a_wait_was_for_says_nothing_once_the_group_goes_on,
             a_barrier_waits_for_those_that_never_started_and_not_for_itself,
             a_barrier_waits_for_those_in_an_earlier_round, a_barrier_in_round_0_waits_for_those_that_never_started,
             a_circle_is_a_circle_of_classes, the_owner_of_a_lock_is_the_one_that_its_word_names,
             a_lock_whose_word_names_nobody_has_no_edge, the_holder_is_whoever_holds_a_lock,
             any_group_is_one_that_has_not_ended, two_that_wait_for_any_group_wait_for_each_other,
             a_group_that_only_has_to_look_waits_for_nobody, the_host_and_nobody_are_no_groups,
             thousands_at_a_barrier_are_two_classes, forty_that_differ_stay_forty,
             one_more_than_forty_are_put_together_and_say_so, a_chain_of_thousands_ends_in_those_that_never_started,
             rounds_of_thousands_do_not_keep_them_apart, waits_of_different_kinds_stay_apart_among_thousands,
             a_damaged_board_has_few_classes_too)
