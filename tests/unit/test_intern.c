#include "base/intern.h"

#include "harness.h"

#include <stdio.h>
#include <string.h>

START_TEST(equal_values_have_one_copy)
{
    struct intern pool = {0};
    char text[] = "some text";
    const char *first = intern_text(&pool, text);
    ck_assert_ptr_ne(first, text);
    ck_assert_ptr_eq(intern_text(&pool, "some text"), first);
    ck_assert_ptr_ne(intern_text(&pool, "some texts"), first);
    ck_assert_ptr_ne(intern_bytes(&pool, "some text", 9), first); /* without its end */
    ck_assert_str_eq(first, "some text");
    intern_fini(&pool);
}
END_TEST

START_TEST(many_values_stay_where_they_are)
{
    enum { COUNT = 20000 };
    static const char *kept[COUNT];
    struct intern pool = {0};
    char text[32];
    for (int i = 0; i < COUNT; ++i) {
        snprintf(text, sizeof text, "value %d", i);
        kept[i] = intern_text(&pool, text);
        ck_assert_uint_eq(*intern_number(kept[i]), 0);
        *intern_number(kept[i]) = (uint32_t)i;
    }
    for (int i = 0; i < COUNT; ++i) {
        snprintf(text, sizeof text, "value %d", i);
        ck_assert_str_eq(kept[i], text);
        ck_assert_ptr_eq(intern_text(&pool, text), kept[i]);
        ck_assert_uint_eq(*intern_number(kept[i]), (uint32_t)i);
    }
    ck_assert_uint_eq(pool.used, COUNT);
    intern_fini(&pool);
}
END_TEST

START_TEST(value_may_be_larger_than_a_chunk_or_empty)
{
    static char large[200000];
    struct intern pool = {0};
    memset(large, 'x', sizeof large);
    const void *kept = intern_bytes(&pool, large, sizeof large);
    ck_assert_mem_eq(kept, large, sizeof large);
    ck_assert_ptr_eq(intern_bytes(&pool, large, sizeof large), kept);
    ck_assert_ptr_eq(intern_bytes(&pool, "", 0), intern_bytes(&pool, "", 0));
    intern_fini(&pool);
}
END_TEST

HARNESS_MAIN("intern", equal_values_have_one_copy, many_values_stay_where_they_are,
             value_may_be_larger_than_a_chunk_or_empty)
