/* Kernels for which it matters how many work-items a group has call certain functions. */
#include "core/asks_group.h"

#include "harness.h"

START_TEST(such_do)
{
    ck_assert(asks_group("x = get_local_id(0);"));
    ck_assert(asks_group("barrier (CLK_LOCAL_MEM_FENCE);"));
    ck_assert(asks_group("work_group_barrier(0);"));
    ck_assert(asks_group("/* one */ y = work_group_reduce_add(x); // two"));
    ck_assert(asks_group("// one\nx = sub_group_any(y);"));
}
END_TEST

START_TEST(others_do_not)
{
    ck_assert(!asks_group(""));
    ck_assert(!asks_group("kernel void barrier_of_all(global int *a) { a[get_global_id(0)] = get_group_id(0); }"));
    ck_assert(!asks_group("int barrier = 1; // barrier(0)"));
    ck_assert(!asks_group("/* get_local_id(0) */ x = my_get_local_id(0);"));
    ck_assert(!asks_group("x = 1; /* get_local_id(0)"));
}
END_TEST

HARNESS_MAIN("functions of groups", such_do, others_do_not)
