/* What a page says of a launch that has ended. */
#include "abi.h"
#include "litmus/form.h"
#include "litmus/page.h"

#include "harness.h"

#include <string.h>

enum { GROUPS = 6, WORDS = 1024 };

static struct error error;
static struct litmus_program program;
static uint32_t slots[GROUPS], words[WORDS];
static struct litmus_page page = {.program = &program, .slots = slots, .groups = GROUPS, .words = words};
static struct litmus_instance instances[GROUPS];
static struct test_state state;

/* A launch of three instances of two threads, their groups adjacent, of which nothing has run yet. */
static void begin(const char *text)
{
    struct litmus_cursor cursor = {.at = text, .line_start = text, .line = 1};
    const struct mapping mapping = {.kind = MAPPING_ROUND_ROBIN};
    const struct litmus_setting setting = {.test = 5, .fuse_idle = 7, .fuse_total = 9, .jitter = 3, .seed = 2};

    ck_assert_int_eq(litmus_read_text(&cursor, &program, &error), 0);
    ck_assert_uint_eq(mapping_groups(&mapping, program.threads, GROUPS), GROUPS);
    mapping_fill(&mapping, program.threads, GROUPS, slots);
    ck_assert_uint_le(litmus_page_words(program.threads, GROUPS), WORDS);
    memset(words, 0, sizeof words);
    memset(words, 0xff, GL_PAGE_SLOTS * sizeof *words);
    litmus_page_init(&page, &setting);
}

/* Where a group left its thread, and why. */
static void leave(uint32_t group, uint32_t position, uint32_t why)
{
    words[GL_PAGE_SLOTS + group] = GL_SLOT_STARTED | why << 8 | position;
    words[GL_PAGE_STARTS] += 1;
    words[GL_PAGE_ENDS] += why == GL_ENDED_HELD;
}

static void finish(uint32_t group)
{
    leave(group, program.length[slots[group] % program.threads], GL_ENDED_HELD);
}

static void read_state(void)
{
    litmus_page_instances(&page, instances);
    litmus_instances_state(&program, instances, GROUPS / program.threads, &state);
}

static bool is_blocked(void)
{
    litmus_page_instances(&page, instances);
    return litmus_instances_blocked(&program, instances, GROUPS / program.threads);
}

START_TEST(a_new_page_is_empty)
{
    begin("0,0,-,0|0,0,1,1");
    ck_assert_uint_eq(words[GL_PAGE_STOP], 0);
    ck_assert_uint_eq(words[GL_PAGE_GROUPS], GROUPS);
    ck_assert_uint_eq(words[GL_PAGE_THREADS], 2);
    ck_assert_uint_eq(words[GL_PAGE_TEST], 5);
    ck_assert_uint_eq(words[GL_PAGE_FUSE_IDLE], 7);
    ck_assert_uint_eq(words[GL_PAGE_FUSE_TOTAL], 9);
    ck_assert_uint_eq(words[GL_PAGE_STARTS], 0);
    ck_assert_uint_eq(words[GL_PAGE_ENDS], 0);
    ck_assert_uint_eq(words[GL_PAGE_SALT], 0);
    ck_assert(!litmus_page_has_ended(&page));
    ck_assert_int_eq(litmus_page_end(&page), PAGE_STALLED);
}
END_TEST

START_TEST(all_groups_ended)
{
    begin("0,0,-,0|0,0,1,1");
    for (uint32_t group = 0; group < GROUPS; ++group)
        finish(group);
    ck_assert(litmus_page_has_ended(&page));
    ck_assert_int_eq(litmus_page_end(&page), PAGE_ENDED);
    read_state();
    ck_assert_uint_eq(state.started, GROUPS);
    ck_assert_uint_eq(state.ended, GROUPS);
    ck_assert_uint_eq(state.stuck, 0);
    ck_assert(!state.starved);
}
END_TEST

/* A counter that says that all ended is believed only if it counts them all. */
START_TEST(one_group_did_not_end)
{
    begin("0,0,-,0|0,0,1,1");
    for (uint32_t group = 0; group < GROUPS - 1; ++group)
        finish(group);
    ck_assert_int_eq(litmus_page_end(&page), PAGE_STALLED);
}
END_TEST

/* A total fuse alone ends what still moves, and that has not stalled; beside an idle one it says nothing. */
START_TEST(ended_by_a_total_fuse)
{
    begin("0,0,-,0|0,0,1,1");
    leave(0, 0, GL_ENDED_TOTAL);
    words[GL_PAGE_STOP] = GL_STOP_TOTAL;
    ck_assert_int_eq(litmus_page_end(&page), PAGE_SLOW);
    words[GL_PAGE_STOP] = GL_STOP_TOTAL | GL_STOP_IDLE;
    ck_assert_int_eq(litmus_page_end(&page), PAGE_STALLED);
    words[GL_PAGE_STOP] = GL_STOP_TOTAL;
    for (uint32_t group = 0; group < GROUPS; ++group)
        finish(group);
    ck_assert_int_eq(litmus_page_end(&page), PAGE_ENDED);
}
END_TEST

/* Thread 0 of instance 1 waits for a store of thread 1, which has not started. */
START_TEST(starved_of_a_thread)
{
    begin("0,0,-,0|0,0,1,1");
    finish(0);
    finish(1);
    leave(2, 0, GL_ENDED_STOP);
    ck_assert_int_eq(litmus_page_end(&page), PAGE_STALLED);
    ck_assert(is_blocked());
    read_state();
    ck_assert(state.starved);
    ck_assert_uint_eq(state.stuck, 1);
    ck_assert_uint_eq(state.instance, 1);
    ck_assert_uint_eq(state.threads_started, 1);
    ck_assert_uint_eq(state.threads_ended, 0);
    ck_assert_uint_eq(state.started, 3);
    ck_assert_uint_eq(state.ended, 2);
}
END_TEST

/* The same, but the store is there: the thread only did not look in time. */
START_TEST(a_thread_that_could_go_on_is_not_starved)
{
    begin("0,0,-,0|0,0,1,1");
    finish(3);
    leave(2, 0, GL_ENDED_STOP);
    words[GL_PAGE_MEMORY(GROUPS) + 1 * LITMUS_LOCATIONS] = 1;
    ck_assert(!is_blocked());
    read_state();
    ck_assert(!state.starved);
    ck_assert_uint_eq(state.instance, 1);
    ck_assert_uint_eq(state.memory, 1);
}
END_TEST

/* Of several instances the one is described that could go on, since it says more: not only places are missing. */
START_TEST(the_instance_that_could_go_on_is_described)
{
    begin("0,0,-,0|0,0,1,1");
    for (uint32_t group = 0; group < GROUPS - 1; ++group)
        leave(group, 0, GL_ENDED_STOP);
    read_state();
    ck_assert(!is_blocked());
    ck_assert_uint_eq(state.stuck, 3);
    ck_assert_uint_eq(state.instance, 0);
    ck_assert_uint_eq(state.threads_started, 3);
    ck_assert(!state.starved);
    finish(0);
    finish(1);
    read_state();
    ck_assert_uint_eq(state.instance, 1);
}
END_TEST

/* Group 1 never started, though group 2 had: that says more than a livelock. */
START_TEST(the_instance_with_a_debt_is_described)
{
    begin("0,0,-,0|0,0,1,1");
    leave(0, 0, GL_ENDED_STOP);
    leave(2, 0, GL_ENDED_STOP);
    leave(3, 0, GL_ENDED_IDLE);
    ck_assert(!is_blocked());
    read_state();
    ck_assert_uint_eq(state.stuck, 2);
    ck_assert_uint_eq(state.instance, 0);
    ck_assert_uint_eq(state.threads_started, 1);
    ck_assert(!state.starved);
}
END_TEST

/* The stop word was set when its thread ended: until then it had not, and with it the launch says nothing else. */
START_TEST(a_thread_that_the_stop_freed_had_not_ended)
{
    begin("0,0,1,0|0,1,0,0");
    for (uint32_t group = 2; group < GROUPS; ++group)
        finish(group);
    leave(0, 1, GL_ENDED_HELD);
    words[GL_PAGE_SLOTS] |= GL_SLOT_LATE;
    leave(1, 0, GL_ENDED_IDLE);
    words[GL_PAGE_STOP] = GL_STOP_IDLE;
    ck_assert_int_eq(litmus_page_end(&page), PAGE_STALLED);
    read_state();
    ck_assert(!is_blocked());
    ck_assert_uint_eq(state.stuck, 1);
    ck_assert_uint_eq(state.started, GROUPS);
    ck_assert_uint_eq(state.ended, GROUPS - 2);
    ck_assert_uint_eq(state.threads_ended, 0);
    ck_assert_uint_eq(state.position[0], 1);
    ck_assert(!state.starved);
}
END_TEST

/* A group started beside the stop: the launch did not stand. */
START_TEST(a_group_that_starts_beside_the_stop_still_moves)
{
    begin("0,0,-,0|0,0,1,1");
    leave(0, 0, GL_ENDED_IDLE);
    words[GL_PAGE_STOP] = GL_STOP_IDLE;
    ck_assert_int_eq(litmus_page_end(&page), PAGE_STALLED);
    leave(4, 0, GL_ENDED_NONE);
    words[GL_PAGE_SLOTS + 4] |= GL_SLOT_LATE;
    ck_assert_int_eq(litmus_page_end(&page), PAGE_SLOW);
}
END_TEST

/* In instance 0 thread 1 was stopped first, and then nobody kept thread 0 from its end: that is not how they stood. */
START_TEST(an_instance_that_the_stop_freed_is_not_described)
{
    begin("0,0,1,0|0,1,0,0");
    finish(0);
    leave(1, 0, GL_ENDED_STOP);
    words[GL_PAGE_MEMORY(GROUPS)] = 1;
    leave(2, 0, GL_ENDED_IDLE);
    leave(3, 0, GL_ENDED_STOP);
    read_state();
    ck_assert_uint_eq(state.stuck, 2);
    ck_assert_uint_eq(state.instance, 1);
    ck_assert_uint_eq(state.threads_ended, 0);
    ck_assert(!state.starved);
}
END_TEST

START_TEST(a_loop_that_the_driver_cut)
{
    begin("0,0,-,0|0,0,1,1");
    for (uint32_t group = 1; group < GROUPS; ++group)
        finish(group);
    leave(0, 0, GL_ENDED_CUT);
    ck_assert_int_eq(litmus_page_end(&page), PAGE_CUT);
}
END_TEST

START_TEST(positions_of_threads)
{
    begin("0,0,1,0;1,0,-,1|0,1,0,0;1,0,1,2");
    leave(4, 1, GL_ENDED_STOP);
    leave(5, 0, GL_ENDED_STOP);
    words[GL_PAGE_MEMORY(GROUPS) + 2 * LITMUS_LOCATIONS + 1] = 1;
    read_state();
    ck_assert_uint_eq(state.instance, 2);
    ck_assert_uint_eq(state.position[0], 1);
    ck_assert_uint_eq(state.position[1], 0);
    ck_assert_uint_eq(state.memory, 2);
}
END_TEST

static void run(uint32_t group, uint32_t looks)
{
    words[GL_PAGE_SLOTS + group] = GL_SLOT_STARTED | looks % GL_SLOT_LOOKS << 16;
}

/* Who has ended, or never started, need not look. */
START_TEST(all_that_run_have_looked)
{
    uint32_t before[GROUPS];

    begin("0,0,-,0|0,0,1,1");
    run(0, 1);
    run(2, GL_SLOT_LOOKS - 1);
    finish(1);
    memcpy(before, words + GL_PAGE_SLOTS, sizeof before);
    run(0, 2);
    run(2, GL_SLOT_LOOKS);
    ck_assert(litmus_page_looked(&page, before));
}
END_TEST

/* Its turn has not come since: where its thread is nobody knows, and the lock that it holds may be released soon. */
START_TEST(a_group_without_a_turn_has_not_looked)
{
    uint32_t before[GROUPS];

    begin("0,1,1,0;0,0,0,2|0,1,1,0;0,0,0,2");
    run(0, 1);
    run(1, 0);
    memcpy(before, words + GL_PAGE_SLOTS, sizeof before);
    run(0, 2);
    ck_assert(!litmus_page_looked(&page, before));
    run(1, 1);
    ck_assert(litmus_page_looked(&page, before));
}
END_TEST

/* Below groups it is enough that one turns for long while others do not; a look or two may be of before. */
START_TEST(one_thread_has_turned)
{
    uint32_t before[GROUPS];

    begin("0,1,1,0;0,0,0,2|0,1,1,0;0,0,0,2");
    run(0, 1);
    run(1, 0);
    memcpy(before, words + GL_PAGE_SLOTS, sizeof before);
    ck_assert(!litmus_page_turned(&page, before));
    run(0, 2);
    ck_assert(!litmus_page_turned(&page, before));
    run(0, 100);
    ck_assert(litmus_page_turned(&page, before));
    run(0, 1);
    ck_assert(!litmus_page_turned(&page, before));
    finish(0);
    ck_assert(!litmus_page_turned(&page, before));
}
END_TEST

HARNESS_MAIN("litmus pages", a_new_page_is_empty, all_groups_ended, one_group_did_not_end, ended_by_a_total_fuse,
             starved_of_a_thread, a_thread_that_could_go_on_is_not_starved, the_instance_that_could_go_on_is_described,
             the_instance_with_a_debt_is_described, a_thread_that_the_stop_freed_had_not_ended,
             a_group_that_starts_beside_the_stop_still_moves, an_instance_that_the_stop_freed_is_not_described,
             a_loop_that_the_driver_cut, positions_of_threads, all_that_run_have_looked,
             a_group_without_a_turn_has_not_looked, one_thread_has_turned)
