/* Blocks of litmus tests: what is put in comes out, and nothing malformed goes to a device. */
#include "core/block.h"
#include "litmus/code.h"
#include "litmus/form.h"

#include "harness.h"
#include "litmus_brute.h"

static struct error error;

static struct litmus_program read_program(const char *text)
{
    struct litmus_cursor cursor = {.at = text, .line_start = text, .line = 1};
    struct litmus_program program;

    ck_assert_msg(litmus_read_text(&cursor, &program, &error) == 0, "%s: %s", text, error.text);
    return program;
}

static void check_text(const struct litmus_program *program, const char *expected)
{
    char text[LITMUS_TEXT];

    litmus_text(program, text);
    ck_assert_str_eq(text, expected);
}

static struct block empty_block(void)
{
    return (struct block){.groups = 8, .iterations = 1, .local_size = 1};
}

/* --- in and out --- */

START_TEST(programs_come_out_as_they_went_in)
{
    unsigned long long state = 1;
    struct block block = empty_block();
    struct litmus_program programs[BLOCK_TESTS], program;
    uint32_t count = 0, at = 0;

    while (count < BLOCK_TESTS) {
        brute_random_program(&state, 1 + count % 4, 5, &programs[count]);
        if (!litmus_block_add(&block, &programs[count]))
            break;
        ++count;
    }
    ck_assert_uint_eq(block.test_count, count);
    ck_assert_uint_gt(count, 100);
    ck_assert_int_eq(block_check(&block, &error), 0);
    for (uint32_t i = 0; i < count; ++i) {
        litmus_block_next(&block, &at, &program);
        ck_assert_mem_eq(&program, &programs[i], sizeof program);
    }
    ck_assert_uint_eq(at, block.code_count);
}
END_TEST

START_TEST(a_full_block_takes_no_more)
{
    const struct litmus_program small = read_program("0,0,-,0");
    struct litmus_program large = {.threads = 16};
    struct block block = empty_block();

    for (unsigned i = 0; i < BLOCK_TESTS; ++i)
        ck_assert(litmus_block_add(&block, &small));
    ck_assert(!litmus_block_add(&block, &small));
    ck_assert_uint_eq(block.code_count, 3 * BLOCK_TESTS);
    ck_assert_int_eq(block_check(&block, &error), 0);

    memset(large.length, 4, 16);
    litmus_lay_out(&large);
    block = empty_block();
    while (litmus_block_add(&block, &large))
        continue;
    ck_assert_uint_eq(block.test_count, BLOCK_CODES / (1 + 16 + 64));
    ck_assert_int_eq(block_check(&block, &error), 0);
}
END_TEST

/* --- what is refused --- */

static void check_refused(const struct block *block, const char *what)
{
    error.status = STATUS_OK;
    ck_assert_msg(block_check(block, &error) == -1, "%s", what);
    ck_assert_msg(error.status == STATUS_HARNESS, "%s", what);
}

START_TEST(malformed_codes_are_refused)
{
    const struct litmus_program program = read_program("0,0,-,0|0,0,1,1");
    struct block good = empty_block();

    ck_assert(litmus_block_add(&good, &program));
    ck_assert_int_eq(block_check(&good, &error), 0);
    static const struct {
        uint32_t at;
        uint16_t code;
        const char *what;
    } cases[] = {
        {0, 0, "no threads"},          {0, 17, "17 threads"},        {0, 3, "more threads than there are"},
        {0, 1, "fewer threads"},       {1, 0, "an empty thread"},    {1, 65, "65 instructions"},
        {1, 2, "longer than it is"},   {2, 3 << 2, "exchange 3"},    {2, 2 << 4, "a jump out of the thread"},
        {4, 2, "a jump into nothing"}, {3, 0xffff, "a long thread"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        struct block bad = good;
        bad.codes[cases[i].at] = cases[i].code;
        if (cases[i].at == 4)
            bad.codes[4] = 2 << 4 | 1;
        check_refused(&bad, cases[i].what);
    }
    for (uint32_t count = 0; count < good.code_count; ++count) {
        struct block cut = good;
        cut.code_count = count;
        check_refused(&cut, "cut off");
    }
}
END_TEST

START_TEST(numbers_out_of_range_are_refused)
{
    const struct litmus_program program = read_program("0,0,-,0|0,0,1,1");
    struct block good = empty_block(), bad;

    ck_assert(litmus_block_add(&good, &program));
    bad = good, bad.engine = (enum block_engine)ENGINE_COUNT;
    check_refused(&bad, "engine");
    bad = good, bad.mapping.kind = (enum mapping_kind)MAPPING_KINDS;
    check_refused(&bad, "mapping");
    bad = good, bad.groups = (1 << 20) + 1;
    check_refused(&bad, "groups");
    bad = good, bad.local_size = 0;
    check_refused(&bad, "local size");
    bad = good, bad.iterations = 0;
    check_refused(&bad, "iterations");
    bad = good, bad.test_count = 0;
    check_refused(&bad, "no tests");
    bad = good, bad.test_count = 2;
    check_refused(&bad, "two tests");
    bad = good, bad.test_count = BLOCK_TESTS + 1;
    check_refused(&bad, "too many tests");
    bad = good, bad.code_count = BLOCK_CODES + 1;
    check_refused(&bad, "too many codes");
    ++good.code_count;
    check_refused(&good, "a code too many");
}
END_TEST

/* 64 instructions are all that a test has; 65 in two threads are too many. */
START_TEST(too_many_instructions_are_refused)
{
    for (unsigned last = 32; last <= 33; ++last) {
        struct block block = empty_block();
        block.test_count = 1;
        block.codes[block.code_count++] = 2;
        for (unsigned thread = 0; thread < 2; ++thread) {
            const unsigned length = thread == 0 ? 32 : last;
            block.codes[block.code_count++] = (uint16_t)length;
            block.code_count += length;
        }
        ck_assert_int_eq(block_check(&block, &error), last == 32 ? 0 : -1);
    }
}
END_TEST

START_TEST(names_of_engines)
{
    for (int engine = 0; engine < ENGINE_COUNT; ++engine)
        ck_assert_int_eq(naming_find(&engine_naming, engine_name((enum block_engine)engine)), engine);
    ck_assert_int_eq(naming_find(&engine_naming, "tables"), -1);
}
END_TEST

/* --- threads in another order --- */

START_TEST(reordered_threads)
{
    const struct litmus_program program = read_program("0,0,-,0|1,0,1,1;1,1,-,0|0,1,0,1");
    struct litmus_program reordered, back;

    litmus_reorder(&program, (const uint8_t[LITMUS_THREADS]){2, 0, 1}, &reordered);
    check_text(&reordered, "0,1,0,1|0,0,-,0|1,0,1,1;1,1,-,0");
    litmus_reorder(&reordered, (const uint8_t[LITMUS_THREADS]){1, 2, 0}, &back);
    check_text(&back, "0,0,-,0|1,0,1,1;1,1,-,0|0,1,0,1");
    litmus_reorder(&program, (const uint8_t[LITMUS_THREADS]){0, 1, 2}, &reordered);
    check_text(&reordered, "0,0,-,0|1,0,1,1;1,1,-,0|0,1,0,1");
}
END_TEST

/* --- who must start --- */

START_TEST(what_started_threads_can_do_alone)
{
    static const struct {
        const char *text;
        uint8_t memory, position[3];
        unsigned started, ended;
        bool can;
    } cases[] = {
        {"0,0,-,0|0,0,1,1", 0, {0}, 1, 0, false},                 /* waits for what 1 writes */
        {"0,0,-,0|0,0,1,1", 1, {0}, 1, 0, true},                  /* it is written */
        {"0,0,-,0|0,0,1,1", 0, {0}, 3, 0, true},                  /* 1 can write it */
        {"0,0,-,0|0,0,1,1", 0, {0}, 0, 0, false},                 /* nobody started */
        {"0,0,-,0|0,0,1,1", 1, {0, 1}, 3, 2, true},               /* 1 has ended */
        {"0,0,-,0|0,0,1,0;0,0,0,2", 0, {0, 2}, 3, 2, false},      /* 1 has ended, and took back what it wrote */
        {"0,1,1,0;0,0,0,2|0,1,1,0;0,0,0,2", 1, {0}, 1, 0, false}, /* the lock is held by nobody that started */
        {"0,1,1,0;0,0,0,2|0,1,1,0;0,0,0,2", 1, {0, 1}, 3, 0, true},
        {"0,0,1,0|0,1,0,0", 0, {0}, 3, 0, true}, /* it may be unlucky, but it can */
        {"0,0,-,0|1,0,-,0|0,0,1,1;1,0,1,2", 0, {0}, 3, 0, false},
        {"0,0,-,0|1,0,-,0|0,0,1,1;1,0,1,2", 1, {0, 0, 1}, 6, 0, true},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        const struct litmus_program program = read_program(cases[i].text);
        uint8_t position[LITMUS_THREADS] = {0};
        memcpy(position, cases[i].position, sizeof cases[i].position);
        ck_assert_msg(litmus_can_end(&program, cases[i].memory, position, cases[i].started, cases[i].ended) ==
                          cases[i].can,
                      "case %zu: %s", i, cases[i].text);
    }
}
END_TEST

START_TEST(threads_of_equal_text)
{
    const struct litmus_program lock = read_program("0,1,1,0;0,0,0,2|0,0,-,0|0,1,1,0;0,0,0,2");
    const struct litmus_program other = read_program("0,0,-,0|0,0,1,1");

    ck_assert_uint_eq(litmus_threads_alike(&lock, 0), 5);
    ck_assert_uint_eq(litmus_threads_alike(&lock, 1), 2);
    ck_assert_uint_eq(litmus_threads_alike(&lock, 2), 5);
    ck_assert(litmus_has_threads_alike(&lock));
    ck_assert(!litmus_has_threads_alike(&other));
}
END_TEST

HARNESS_MAIN("block", programs_come_out_as_they_went_in, a_full_block_takes_no_more, malformed_codes_are_refused,
             numbers_out_of_range_are_refused, too_many_instructions_are_refused, names_of_engines, reordered_threads,
             what_started_threads_can_do_alone, threads_of_equal_text)
