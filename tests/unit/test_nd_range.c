/* Shapes of work-groups, and the ranges of work-items that they are launched over. */
#include "core/nd_range.h"

#include "harness.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

static struct nd_range parse(const char *text)
{
    struct nd_range range = {.dimensions = 77};
    ck_assert_msg(nd_range_parse_shape(text, &range), "%s", text);
    return range;
}

static void assert_shape(const char *text, uint32_t dimensions, uint32_t x, uint32_t y, uint32_t z)
{
    const struct nd_range range = parse(text);
    ck_assert_msg(range.dimensions == dimensions, "%s", text);
    ck_assert_uint_eq(range.local[0], x);
    ck_assert_uint_eq(range.local[1], y);
    ck_assert_uint_eq(range.local[2], z);
}

/* Refused, and what was there before is there still. */
static void assert_none(const char *text)
{
    struct nd_range range, before;
    memset(&range, 0x5a, sizeof range);
    before = range;
    ck_assert_msg(!nd_range_parse_shape(text, &range), "'%s'", text);
    ck_assert_mem_eq(&range, &before, sizeof range);
}

/* --- shapes --- */

START_TEST(shape_has_one_two_or_three_dimensions_and_the_others_are_1)
{
    assert_shape("64", 1, 64, 1, 1);
    assert_shape("16x8", 2, 16, 8, 1);
    assert_shape("8x4x2", 3, 8, 4, 2);
    assert_shape("1", 1, 1, 1, 1);
    assert_shape("1x1x64", 3, 1, 1, 64);
}
END_TEST

START_TEST(shape_that_is_left_to_the_driver_has_dimensions_and_no_sizes)
{
    assert_shape("driver-1d", 1, 0, 0, 0);
    assert_shape("driver-2d", 2, 0, 0, 0);
    assert_shape("driver-3d", 3, 0, 0, 0);
}
END_TEST

START_TEST(shape_has_up_to_65536_work_items)
{
    assert_shape("65536", 1, 65536, 1, 1);
    assert_shape("256x256", 2, 256, 256, 1);
    assert_shape("1x1x65536", 3, 1, 1, 65536);
    assert_shape("32x32x64", 3, 32, 32, 64);
    assert_none("65537");
    assert_none("99999");
    assert_none("257x256");
    assert_none("300x300");
    assert_none("2x32768x2");
    assert_none("65536x65536");
    assert_none("65536x65536x65536");
}
END_TEST

START_TEST(number_that_would_wrap_is_no_small_one)
{
    assert_none("4294967297");           /* 1, modulo 2^32 */
    assert_none("18446744073709551617"); /* 1, modulo 2^64 */
    assert_none("16x4294967297");
    assert_none("99999999999999999999999999999999");
}
END_TEST

START_TEST(what_is_no_shape_is_refused)
{
    static const char *const texts[] = {
        "",       "0",           "16x0",      "0x16",   "x",       "16x",     "x16",         "16xx16",
        "16x16x", "16x16x16x16", "16x16x16x", "16X16",  "16*16",   "16,16",   "16 16",       "16 x16",
        "16x 16", " 5",          "5 ",        "\t5",    "+5",      "-5",      "16x+16",      "16x-1",
        "1e3",    "1.5",         "0x10",      "16x16d", "sixteen", "16x16\n", "1x resident", "local-size",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; ++i)
        assert_none(texts[i]);
}
END_TEST

/* Another spelling would be another value of a sweep, and would have the same id. */
START_TEST(numbers_with_a_zero_in_front_are_refused)
{
    assert_none("064");
    assert_none("00064");
    assert_none("000064");
    assert_none("16x016");
    assert_none("16x16x01");
}
END_TEST

START_TEST(driver_is_asked_for_one_to_three_dimensions_in_one_spelling)
{
    static const char *const texts[] = {
        "driver",     "driver-",    "driver-0d",           "driver-4d",    "driver-9d",
        "driver-d",   "driver-2",   "driver-2D",           "driver-2d ",   "Driver-2d",
        "driver2d",   "driver_2d",  "driver-2dd",          "driver-22d",   "driver-02d",
        " driver-2d", "driver-1dx", "driver-1d,driver-2d", "16xdriver-1d", "drive",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; ++i)
        assert_none(texts[i]);
}
END_TEST

START_TEST(shape_is_printed_as_it_was_read)
{
    static const char *const texts[] = {"1",     "64",     "65536",     "16x16",     "1x128",     "256x256",
                                        "8x8x4", "1x1x64", "32768x1x2", "driver-1d", "driver-2d", "driver-3d"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; ++i) {
        char printed[SHAPE_BYTES];
        const struct nd_range range = parse(texts[i]);
        nd_range_print_shape(&range, printed);
        ck_assert_str_eq(printed, texts[i]);
    }
}
END_TEST

START_TEST(any_text_is_refused_or_printed_as_it_was_read)
{
    static const char signs[] = "0123456789xx-d";
    uint32_t random = 1;
    size_t shapes = 0;

    for (int i = 0; i < 200000; ++i) {
        char text[12] = "", printed[SHAPE_BYTES];
        struct nd_range range;
        random = random * 1664525u + 1013904223u;
        for (size_t length = 1 + (random >> 16) % 9, at = 0; at < length; ++at) {
            random = random * 1664525u + 1013904223u;
            text[at] = signs[(random >> 16) % (sizeof signs - 1)];
        }
        if (!nd_range_parse_shape(text, &range))
            continue;
        nd_range_print_shape(&range, printed);
        ck_assert_str_eq(printed, text);
        ck_assert_uint_ge(nd_range_local_size(&range), 1);
        ck_assert_uint_le(nd_range_local_size(&range), 65536);
        shapes += 1;
    }
    ck_assert_uint_gt(shapes, 1000);
}
END_TEST

START_TEST(longest_shape_is_printed_whole)
{
    const struct nd_range range = {.dimensions = 3, .local = {UINT32_MAX, UINT32_MAX, UINT32_MAX}};
    char printed[SHAPE_BYTES];
    nd_range_print_shape(&range, printed);
    ck_assert_str_eq(printed, "4294967295x4294967295x4294967295");
}
END_TEST

START_TEST(local_size_is_the_product_of_the_shape)
{
    static const struct {
        const char *shape;
        uint64_t size;
    } cases[] = {{"64", 64},       {"16x8", 128},    {"8x4x2", 64},    {"256x256", 65536},
                 {"65536", 65536}, {"driver-1d", 1}, {"driver-2d", 1}, {"driver-3d", 1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        const struct nd_range range = parse(cases[i].shape);
        ck_assert_msg(nd_range_local_size(&range) == cases[i].size, "%s", cases[i].shape);
    }
}
END_TEST

/* --- ranges --- */

enum edge { RAGGED, PADDED };

static bool cover(const char *shape, enum edge edge, uint64_t x, uint64_t y, uint64_t z, struct nd_range *range)
{
    const uint64_t extents[3] = {x, y, z};
    *range = parse(shape);
    return nd_range_cover(range, extents, edge == PADDED);
}

/* A box of 500 x 200 x 20, as that shape covers it. */
static void assert_covers(const char *shape, enum edge edge, uint64_t x, uint64_t y, uint64_t z)
{
    struct nd_range range;
    const struct nd_range before = parse(shape);
    ck_assert_msg(cover(shape, edge, 500, 200, 20, &range), "%s", shape);
    ck_assert_msg(range.global[0] == x, "%s: %ju in the first dimension", shape, (uintmax_t)range.global[0]);
    ck_assert_msg(range.global[1] == y, "%s: %ju in the second dimension", shape, (uintmax_t)range.global[1]);
    ck_assert_msg(range.global[2] == z, "%s: %ju in the third dimension", shape, (uintmax_t)range.global[2]);
    ck_assert_uint_eq(range.dimensions, before.dimensions);
    ck_assert_mem_eq(range.local, before.local, sizeof range.local);
}

START_TEST(dimensions_that_a_shape_does_not_have_are_folded_into_its_last_one)
{
    assert_covers("1", PADDED, 2000000, 1, 1);
    assert_covers("1x1", PADDED, 500, 4000, 1);
    assert_covers("1x1x1", PADDED, 500, 200, 20);
}
END_TEST

START_TEST(padded_range_is_rounded_up_to_whole_groups_in_each_dimension)
{
    assert_covers("33", PADDED, 2000031, 1, 1);
    assert_covers("16x16", PADDED, 512, 4000, 1);
    assert_covers("128x3", PADDED, 512, 4002, 1);
    assert_covers("8x16x32", PADDED, 504, 208, 32);
    assert_covers("65536", PADDED, 2031616, 1, 1);
}
END_TEST

START_TEST(padded_range_that_is_a_multiple_already_stays_as_it_is)
{
    assert_covers("64", PADDED, 2000000, 1, 1);
    assert_covers("500x4", PADDED, 500, 4000, 1);
    assert_covers("4x8x20", PADDED, 500, 200, 20);
}
END_TEST

START_TEST(ragged_range_is_not_rounded)
{
    assert_covers("33", RAGGED, 2000000, 1, 1);
    assert_covers("16x16", RAGGED, 500, 4000, 1);
    assert_covers("8x16x32", RAGGED, 500, 200, 20);
}
END_TEST

START_TEST(range_whose_shape_is_left_to_the_driver_is_not_rounded)
{
    assert_covers("driver-1d", PADDED, 2000000, 1, 1);
    assert_covers("driver-2d", PADDED, 500, 4000, 1);
    assert_covers("driver-3d", PADDED, 500, 200, 20);
    assert_covers("driver-3d", RAGGED, 500, 200, 20);
}
END_TEST

START_TEST(range_that_is_smaller_than_a_group_is_padded_to_one)
{
    struct nd_range range;
    ck_assert(cover("8x8x4", PADDED, 1, 1, 1, &range));
    ck_assert_uint_eq(range.global[0], 8);
    ck_assert_uint_eq(range.global[1], 8);
    ck_assert_uint_eq(range.global[2], 4);
    ck_assert(cover("8x8x4", RAGGED, 1, 1, 1, &range));
    ck_assert_uint_eq(range.global[0], 1);
}
END_TEST

START_TEST(range_has_up_to_2_to_the_32_minus_1_work_items)
{
    static const char *const shapes[] = {"1", "1x1", "1x1x1", "driver-1d", "driver-2d", "driver-3d"};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; ++i)
        for (enum edge edge = RAGGED; edge <= PADDED; ++edge) {
            struct nd_range range;
            ck_assert_msg(cover(shapes[i], edge, 65535, 65537, 1, &range), "%s", shapes[i]);
            ck_assert_msg(cover(shapes[i], edge, 1, 1, UINT32_MAX, &range), "%s", shapes[i]);
            ck_assert_msg(!cover(shapes[i], edge, 65536, 65536, 1, &range), "%s", shapes[i]);
            ck_assert_msg(!cover(shapes[i], edge, 65536, 1, 65536, &range), "%s", shapes[i]);
            ck_assert_msg(!cover(shapes[i], edge, 2048, 2048, 2048, &range), "%s", shapes[i]);
        }
}
END_TEST

START_TEST(range_that_padding_makes_too_large_is_refused)
{
    struct nd_range range;
    ck_assert(!cover("64", PADDED, UINT32_MAX, 1, 1, &range));
    ck_assert(cover("64", RAGGED, UINT32_MAX, 1, 1, &range));
    ck_assert(cover("5", PADDED, UINT32_MAX, 1, 1, &range)); /* a multiple of it */
    ck_assert(!cover("2x2", PADDED, 65535, 65537, 1, &range));
    ck_assert(!cover("1x1x2", PADDED, 65535, 65537, 1, &range));
}
END_TEST

START_TEST(range_that_overflows_is_refused)
{
    static const uint64_t large = UINT64_C(1) << 32;
    static const char *const shapes[] = {"64", "8x8", "4x4x4", "driver-1d", "driver-2d", "driver-3d"};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; ++i)
        for (enum edge edge = RAGGED; edge <= PADDED; ++edge) {
            struct nd_range range;
            ck_assert_msg(!cover(shapes[i], edge, large, large, 1, &range), "%s", shapes[i]); /* 0, modulo 2^64 */
            ck_assert_msg(!cover(shapes[i], edge, 1, large, large, &range), "%s", shapes[i]);
            ck_assert_msg(!cover(shapes[i], edge, large, large + 1, 1, &range), "%s", shapes[i]); /* 2^32 */
            ck_assert_msg(!cover(shapes[i], edge, UINT64_MAX, 1, 1, &range), "%s", shapes[i]);    /* padding wraps */
            ck_assert_msg(!cover(shapes[i], edge, 1, 1, UINT64_MAX, &range), "%s", shapes[i]);
            ck_assert_msg(!cover(shapes[i], edge, UINT64_MAX, UINT64_MAX, UINT64_MAX, &range), "%s", shapes[i]);
        }
}
END_TEST

START_TEST(range_without_work_items_is_refused)
{
    static const char *const shapes[] = {"64", "8x8", "4x4x4", "driver-1d", "driver-2d", "driver-3d"};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; ++i)
        for (enum edge edge = RAGGED; edge <= PADDED; ++edge) {
            struct nd_range range;
            ck_assert_msg(!cover(shapes[i], edge, 0, 200, 20, &range), "%s", shapes[i]);
            ck_assert_msg(!cover(shapes[i], edge, 500, 0, 20, &range), "%s", shapes[i]);
            ck_assert_msg(!cover(shapes[i], edge, 500, 200, 0, &range), "%s", shapes[i]);
        }
}
END_TEST

START_TEST(range_that_was_covered_before_is_covered_anew)
{
    static const uint64_t extents[3] = {10, 10, 10};
    struct nd_range range;
    ck_assert(cover("8x8", PADDED, 500, 200, 20, &range));
    ck_assert(nd_range_cover(&range, extents, true));
    ck_assert_uint_eq(range.global[0], 16);
    ck_assert_uint_eq(range.global[1], 104);
    ck_assert_uint_eq(range.global[2], 1);
}
END_TEST

START_TEST(range_is_made_of_groups_and_their_shape)
{
    const struct nd_range shape = parse("8x4");
    struct nd_range groups = parse("3x1x2");
    char printed[SHAPE_BYTES];

    groups.offset[1] = 5;
    const struct nd_range range = nd_range_of_groups(&groups, &shape), again = nd_range_groups(&range);
    ck_assert_uint_eq(range.dimensions, 3);
    ck_assert_uint_eq(range.global[0], 24);
    ck_assert_uint_eq(range.global[1], 4);
    ck_assert_uint_eq(range.global[2], 2);
    ck_assert_uint_eq(range.local[2], 1);
    ck_assert_uint_eq(again.offset[1], 5);
    nd_range_print_shape(&again, printed);
    ck_assert_str_eq(printed, "3x1x2");
}
END_TEST

START_TEST(groups_lie_in_a_row_that_begins_at_0)
{
    static const struct {
        const char *groups;
        uint64_t offset;
        bool in_row;
    } cases[] = {{"4", 0, true}, {"4x1", 0, true}, {"1x4", 0, false}, {"1x1x2", 0, false}, {"4", 1, false}};

    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        struct nd_range groups = parse(cases[i].groups);
        groups.offset[0] = cases[i].offset;
        ck_assert_int_eq(nd_range_groups_in_row(&groups), cases[i].in_row);
    }
}
END_TEST

HARNESS_MAIN("nd range", range_is_made_of_groups_and_their_shape, groups_lie_in_a_row_that_begins_at_0,
             shape_has_one_two_or_three_dimensions_and_the_others_are_1,
             shape_that_is_left_to_the_driver_has_dimensions_and_no_sizes, shape_has_up_to_65536_work_items,
             number_that_would_wrap_is_no_small_one, what_is_no_shape_is_refused,
             numbers_with_a_zero_in_front_are_refused, driver_is_asked_for_one_to_three_dimensions_in_one_spelling,
             shape_is_printed_as_it_was_read, any_text_is_refused_or_printed_as_it_was_read,
             longest_shape_is_printed_whole, local_size_is_the_product_of_the_shape,
             dimensions_that_a_shape_does_not_have_are_folded_into_its_last_one,
             padded_range_is_rounded_up_to_whole_groups_in_each_dimension,
             padded_range_that_is_a_multiple_already_stays_as_it_is, ragged_range_is_not_rounded,
             range_whose_shape_is_left_to_the_driver_is_not_rounded,
             range_that_is_smaller_than_a_group_is_padded_to_one, range_has_up_to_2_to_the_32_minus_1_work_items,
             range_that_padding_makes_too_large_is_refused, range_that_overflows_is_refused,
             range_without_work_items_is_refused, range_that_was_covered_before_is_covered_anew)
