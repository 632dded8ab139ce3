/* Kernels with sub-groups on a model device: what they compute, and what they may not do. */
#include "driver_fixture.h"

#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { WIDTH = 8, ITEMS = 20, GROUPS = 6, ALL = ITEMS * GROUPS }; /* sub-groups of 8, 8 and 4 */

static int words[ALL];

static void begin(const char *source, const char *options)
{
    driver_sub_groups = WIDTH;
    driver_begin(source, options);
    driver_kernel("k");
    memset(words, 0, sizeof words);
    driver_buffer(0, words, sizeof words);
}

static void launch(void)
{
    ck_assert_int_eq(cl->clEnqueueNDRangeKernel(queue, kernel, 1, NULL, (const size_t[]){ALL}, (const size_t[]){ITEMS},
                                                0, NULL, NULL),
                     CL_SUCCESS);
}

static int value(int item)
{
    return item * 37 % 23 - 11;
}

START_TEST(each_is_in_one)
{
    begin("kernel void k(global int *o) {\n"
          "  o[get_global_id(0)] = get_sub_group_id() * 10000 + get_sub_group_local_id() * 1000 +\n"
          "      get_sub_group_size() * 100 + get_max_sub_group_size() * 10 + get_num_sub_groups() +\n"
          "      1000000 * (get_num_sub_groups() == get_enqueued_num_sub_groups()); }",
          "-cl-std=CL2.0");
    launch();
    for (int i = 0; i < ALL; ++i) {
        const int item = i % ITEMS, team = item / WIDTH;
        ck_assert_int_eq(words[i], 1000000 + team * 10000 + item % WIDTH * 1000 + (team == 2 ? 4 : 8) * 100 + 83);
    }
    driver_end();
}
END_TEST

/* What a function gives, by a loop over the sub-group. */
static int wanted(int item, int which)
{
    const int first = item / WIDTH * WIDTH, end = first + WIDTH < ITEMS ? first + WIDTH : ITEMS;
    const int until = which < 3 ? end : which < 6 ? item + 1 : item;
    int result = which % 3 == 0 ? 0 : which % 3 == 1 ? INT_MAX : INT_MIN;

    for (int i = first; i < until; ++i)
        result = which % 3 == 0   ? result + value(i)
                 : which % 3 == 1 ? (value(i) < result ? value(i) : result)
                                  : (value(i) > result ? value(i) : result);
    return result;
}

START_TEST(folds)
{
    static const char *const functions[] = {"reduce_add",         "reduce_min",         "reduce_max",
                                            "scan_inclusive_add", "scan_inclusive_min", "scan_inclusive_max",
                                            "scan_exclusive_add", "scan_exclusive_min", "scan_exclusive_max"};

    for (int f = 0; f < 9; ++f) {
        char source[256];
        snprintf(source, sizeof source,
                 "kernel void k(global int *o) { int x = (int)get_local_id(0) * 37 %% 23 - 11;\n"
                 "  o[get_global_id(0)] = sub_group_%s(x); }",
                 functions[f]);
        begin(source, "-cl-std=CL3.0");
        launch();
        for (int i = 0; i < ALL; ++i)
            ck_assert_msg(words[i] == wanted(i % ITEMS, f), "%s %d: %d, not %d", functions[f], i, words[i],
                          wanted(i % ITEMS, f));
        driver_end();
    }
}
END_TEST

START_TEST(votes_and_broadcasts)
{
    begin("kernel void k(global int *o) { int x = (int)get_local_id(0) * 37 % 23 - 11;\n"
          "  o[get_global_id(0)] = sub_group_broadcast(x, 3) * 4 + (sub_group_all(x < 11) != 0) * 2 +\n"
          "      (sub_group_any(x > 9) != 0); }",
          "-cl-std=CL3.0");
    launch();
    for (int i = 0; i < ALL; ++i) {
        const int item = i % ITEMS, first = item / WIDTH * WIDTH;
        ck_assert_int_eq(words[i], value(first + 3) * 4 + (wanted(item, 2) < 11) * 2 + (wanted(item, 2) > 9));
    }
    driver_end();
}
END_TEST

/* The sub-groups of a group come to their barrier a different number of times, and then meet all others. */
START_TEST(they_wait_for_nobody_else)
{
    begin("kernel void k(global int *o) {\n"
          "  local int a[64];\n"
          "  uint me = get_local_id(0), first = me - get_sub_group_local_id();\n"
          "  a[me] = me;\n"
          "  for (uint i = 0; i < get_sub_group_id(); ++i) {\n"
          "    sub_group_barrier(CLK_LOCAL_MEM_FENCE);\n"
          "    int next = a[first + (get_sub_group_local_id() + 1) % get_sub_group_size()];\n"
          "    sub_group_barrier(CLK_LOCAL_MEM_FENCE, memory_scope_sub_group);\n"
          "    a[me] = next;\n"
          "  }\n"
          "  barrier(CLK_LOCAL_MEM_FENCE);\n"
          "  o[get_global_id(0)] = a[(me + 1) % get_local_size(0)]; }",
          "-cl-std=CL2.0");
    launch();
    for (int i = 0; i < ALL; ++i) {
        const int next = (i + 1) % ITEMS, team = next / WIDTH, first = team * WIDTH, size = team == 2 ? 4 : 8;
        ck_assert_int_eq(words[i], first + (next - first + team) % size);
    }
    driver_end();
}
END_TEST

START_TEST(not_all_come)
{
    static const struct {
        const char *body, *said;
    } cases[] = {
        {"if (get_local_id(0) == 9) return;\nsub_group_barrier(CLK_LOCAL_MEM_FENCE);", "sub-group"},
        {"if (get_local_id(0) < 15)\nsub_group_barrier(CLK_LOCAL_MEM_FENCE);", "sub-group"},
        {"if (get_local_id(0) != 9)\nsub_group_barrier(CLK_LOCAL_MEM_FENCE); else barrier(CLK_LOCAL_MEM_FENCE);",
         "whole group"},
        {"if (get_sub_group_id() == 1) return;\nbarrier(CLK_LOCAL_MEM_FENCE);", "of its group"},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        char source[256];
        snprintf(source, sizeof source, "kernel void k(global int *o) {\n%s }", cases[i].body);
        begin(source, "-cl-std=CL2.0");
        launch();
        ck_assert_msg(strstr(model_fault(), cases[i].said) != NULL, "%zu: %s", i, model_fault());
        ck_assert_msg(strstr(model_fault(), "kernel.cl:3: work-item (") == model_fault(), "%s", model_fault());
        driver_end();
    }
}
END_TEST

static size_t asked(cl_device_info what)
{
    size_t number = 0;
    ck_assert_int_eq(cl->clGetDeviceInfo(device, what, sizeof number, &number, NULL), CL_SUCCESS);
    return number;
}

START_TEST(the_device_says_so)
{
    char extensions[1024];
    size_t multiple;

    begin("kernel void k(global int *o) { }", "");
    ck_assert_uint_eq(asked(CL_DEVICE_MAX_NUM_SUB_GROUPS), 128);
    ck_assert_uint_eq(asked(CL_DEVICE_PREFERRED_WORK_GROUP_SIZE_MULTIPLE), WIDTH);
    ck_assert_uint_eq(asked(CL_DEVICE_SUB_GROUP_INDEPENDENT_FORWARD_PROGRESS), CL_TRUE);
    ck_assert_int_eq(cl->clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS, sizeof extensions, extensions, NULL),
                     CL_SUCCESS);
    ck_assert_ptr_nonnull(strstr(extensions, "cl_khr_subgroups"));
    ck_assert_int_eq(cl->clGetKernelWorkGroupInfo(kernel, device, CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE,
                                                  sizeof multiple, &multiple, NULL),
                     CL_SUCCESS);
    ck_assert_uint_eq(multiple, WIDTH);
    driver_end();
}
END_TEST

HARNESS_MAIN("sub_groups", each_is_in_one, folds, votes_and_broadcasts, they_wait_for_nobody_else, not_all_come,
             the_device_says_so)
