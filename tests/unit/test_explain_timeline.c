#include "explain/explain.h"

#include "board_builder.h"
#include "harness.h"

#include <stdbool.h>
#include <string.h>

enum { COLUMNS = 80 };

static char *text;
static size_t size;

/* Draws the board, and frees it. No line of the drawing is longer than the terminal is wide. */
static void draw(struct builder *builder, enum dialect dialect, uint32_t resident)
{
    char environment[] = "", command_line[] = "gridlock run";
    const struct evidence evidence = {
        .name = "toy/l1/g4#0",
        .run = {.environment = environment, .command_line = command_line},
        .trial = {.groups = builder->board.groups, .dialect = dialect},
        .prediction = {.resident = resident},
        .has_launch = true,
        .verdict = VERDICT_STALLED,
        .observation = {.board_read = true, .duration_ns = 50000},
        .words = builder->words,
        .board = builder->board,
    };
    struct error error;

    free(text);
    FILE *out = open_memstream(&text, &size);
    ck_assert_ptr_nonnull(out);
    ck_assert_int_eq(explain_timeline(out, &evidence, &error), 0);
    ck_assert_int_eq(fclose(out), 0);
    ck_assert_uint_eq(strlen(text), size);
    for (const char *line = text; *line != '\0'; line += strcspn(line, "\n") + 1)
        harness_assert(strcspn(line, "\n") <= COLUMNS, "too long: %.*s", (int)strcspn(line, "\n"), line);
    builder_fini(builder);
}

static void assert_has(const char *line)
{
    harness_assert(strstr(text, line) != NULL, "not in:\n%s\n%s", text, line);
}

static void assert_has_not(const char *line)
{
    harness_assert(strstr(text, line) == NULL, "in:\n%s\n%s", text, line);
}

static uint32_t count(const char *word)
{
    uint32_t found = 0;
    for (const char *at = text; (at = strstr(at, word)) != NULL; ++at)
        ++found;
    return found;
}

static void run_on(struct builder *b, uint32_t group, uint32_t unit, uint32_t start, uint32_t lasted)
{
    builder_start(b, group);
    builder_set(b, group, GL_UNIT, unit + 1);
    builder_set(b, group, GL_CLOCK_LOW, start);
    builder_set(b, group, GL_CLOCK_END, start + lasted);
    builder_done(b, group);
}

START_TEST(who_starves_has_no_place)
{
    struct builder b = builder_init(3);
    builder_starve_barrier(&b, 2, GL_ENDED_STOP);
    draw(&b, DIALECT_CL30, 2);
    assert_has("            first      last to start\n"
               "  place 0  |0.......................| group 0 waits for group 2\n"
               "  place 1  |            1...........| group 1 waits for group 2\n"
               "  no place |                        | group 2 never started\n"
               "\n  . waits\n  The device tells no times");
    assert_has_not(" ms");
    assert_has_not("=");
}
END_TEST

START_TEST(in_a_circle_each_waits_for_the_next_one)
{
    struct builder b = builder_init(3);
    for (uint32_t group = 0; group < 3; ++group)
        builder_start_waiting(&b, group, (group + 1) % 3);
    draw(&b, DIALECT_CL30, 3);
    assert_has("| group 0 waits for group 1\n");
    assert_has("| group 1 waits for group 2\n");
    assert_has("| group 2 waits for group 0\n");
    assert_has_not("no place");
}
END_TEST

START_TEST(places_are_taken_again_at_the_times_of_the_device)
{
    struct builder b = builder_init(4);
    run_on(&b, 0, 1, 1000, 280);
    run_on(&b, 1, 0, 1000, 140);
    run_on(&b, 2, 0, 1140, 140);
    run_on(&b, 3, 1, 1140, 70);
    draw(&b, DIALECT_PTX, 4);
    assert_has("0 ms            0.000 ms\n");
    assert_has("  unit 0          |1===========2===========| 2 groups ended\n"
               "  unit 1, place 0 |0=======================| group 0 ended\n"
               "  unit 1, place 1 |            3=====      | group 3 ended\n"
               "\n  = ran until it ended\n  Times are the device's own.\n");
    assert_has_not("does not tell its units");
}
END_TEST

START_TEST(who_runs_and_who_waits_for_nobody)
{
    struct builder b = builder_init(3);
    builder_start(&b, 0);
    builder_start_waiting(&b, 1, GL_GROUP_HOST);
    builder_start_waiting(&b, 2, 77);
    draw(&b, DIALECT_CL30, 3);
    assert_has("| group 0 runs\n");
    assert_has("| group 1 waits for the host\n");
    assert_has("| group 2 waits for nobody\n");
}
END_TEST

START_TEST(of_many_the_first_and_the_last_are_shown)
{
    struct builder b = builder_init(4224);
    builder_starve_barrier(&b, 1056, GL_ENDED_STOP);
    draw(&b, DIALECT_CL30, 1056);
    assert_has("| group 0 waits for groups 1056-4223\n");
    assert_has(" ... 1046 more places\n  place 1054 |");
    assert_has("  place 1055 |                       .| group 1055 waits for groups 1056-4223\n");
    assert_has("| group 1063 never started\n");
    assert_has(" ... 3158 more groups that never started\n");
    assert_has("| group 4223 never started\n");
    ck_assert_uint_eq(count("\n  place "), 10);
    ck_assert_uint_eq(count("\n  no place "), 10);
}
END_TEST

/* One row that is left out would be no shorter than the line that says so. */
START_TEST(nothing_is_left_out_for_the_sake_of_one_row)
{
    struct builder b = builder_init(11);
    builder_starve_barrier(&b, 11, GL_ENDED_STOP);
    draw(&b, DIALECT_CL30, 11);
    ck_assert_uint_eq(count("\n  place "), 11);
    ck_assert_uint_eq(count(" has not seen its value\n"), 11);
    assert_has_not(" more places");
}
END_TEST

START_TEST(whom_there_is_no_room_for_is_cut)
{
    struct builder b = builder_init(4000);
    for (uint32_t group = 0; group < 4000; group += 2)
        builder_start(&b, group);
    for (uint32_t group = 0; group < 4000; group += 2)
        builder_arrive(&b, group, 1);
    draw(&b, DIALECT_CL30, 2000);
    assert_has("| group 0 waits for groups 1, 3, 5, 7 a...\n");
}
END_TEST

START_TEST(nobody_started)
{
    struct builder b = builder_init(2);
    draw(&b, DIALECT_CL30, 0);
    assert_has("  no place |                        | group 0 never started\n");
    assert_has_not("The device tells");
}
END_TEST

START_TEST(a_damaged_board_is_drawn)
{
    uint32_t lot = 1;
    for (int round = 0; round < 40; ++round) {
        struct builder b = builder_init(300);
        for (uint32_t group = 0; group < 300; ++group)
            for (uint32_t field = 0; field < GL_ENTRY_WORDS; ++field) {
                lot = lot * 1664525u + 1013904223u;
                builder_set(&b, group, field, lot >> (round % 4 * 8));
            }
        draw(&b, round % 2 == 0 ? DIALECT_PTX : DIALECT_CL30, lot);
        assert_has("| group ");
    }
}
END_TEST

START_TEST(without_a_board_there_is_nothing_to_draw)
{
    const struct evidence evidence = {.name = "toy/l1/g4#0"};
    struct error error;
    ck_assert_int_eq(explain_timeline(stdout, &evidence, &error), -1);
    ck_assert_int_eq(error.status, STATUS_USAGE);
    ck_assert_ptr_nonnull(strstr(error.text, "a timeline"));
}
END_TEST

HARNESS_MAIN("explain_timeline", who_starves_has_no_place, in_a_circle_each_waits_for_the_next_one,
             places_are_taken_again_at_the_times_of_the_device, who_runs_and_who_waits_for_nobody,
             of_many_the_first_and_the_last_are_shown, nothing_is_left_out_for_the_sake_of_one_row,
             whom_there_is_no_room_for_is_cut, nobody_started, a_damaged_board_is_drawn,
             without_a_board_there_is_nothing_to_draw)
