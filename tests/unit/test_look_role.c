#include "look/role.h"

#include "harness.h"

#include <string.h>

static struct frame frame(enum map_kind kind, const char *function)
{
    struct frame made = {.kind = kind};

    strcpy(made.function, function);
    return made;
}

/* The call of a thread that has these functions on its stack. */
static struct looked_thread found(struct frame *frames, size_t count)
{
    struct looked_thread thread = {.stack = {.frames = frames, .count = count}};

    role_find(&thread);
    return thread;
}

START_TEST(a_call_of_the_program)
{
    struct frame frames[] = {frame(MAP_SYSTEM, "futex"), frame(MAP_OPENCL, ""), frame(MAP_OPENCL, "clFinish"),
                             frame(MAP_OTHER, "main"), frame(MAP_SYSTEM, "_start")};
    const struct looked_thread thread = found(frames, 5);

    ck_assert_int_eq(thread.role, ROLE_CALL);
    ck_assert_ptr_eq(thread.call, &frames[3]);
    ck_assert_str_eq(thread.call->called, "clFinish");
}
END_TEST

/* Python's pyopencl, for one, is linked with a loader. */
START_TEST(a_loader_that_is_part_of_the_program)
{
    struct frame frames[] = {frame(MAP_OPENCL, ""), frame(MAP_OTHER, "clFinish"), frame(MAP_OTHER, "finish"),
                             frame(MAP_OTHER, "main")};
    const struct looked_thread thread = found(frames, 4);

    ck_assert_int_eq(thread.role, ROLE_CALL);
    ck_assert_ptr_eq(thread.call, &frames[2]);
    ck_assert_str_eq(thread.call->called, "clFinish");
}
END_TEST

/* It is in the program, which may still do something, and in a call. */
START_TEST(a_callback_within_a_call)
{
    struct frame frames[] = {frame(MAP_SYSTEM, "futex"),    frame(MAP_OTHER, "done"), frame(MAP_OPENCL, ""),
                             frame(MAP_OPENCL, "clFinish"), frame(MAP_OTHER, "main"), frame(MAP_SYSTEM, "_start")};
    const struct looked_thread thread = found(frames, 6);

    ck_assert_int_eq(thread.role, ROLE_PROGRAM);
    ck_assert_ptr_eq(thread.call, &frames[4]);
    ck_assert_str_eq(thread.call->called, "clFinish");
}
END_TEST

START_TEST(a_callback_of_the_drivers_own_thread)
{
    struct frame frames[] = {frame(MAP_OTHER, "done"), frame(MAP_OPENCL, ""), frame(MAP_SYSTEM, "clone")};
    const struct looked_thread thread = found(frames, 3);

    ck_assert_int_eq(thread.role, ROLE_PROGRAM);
    ck_assert_ptr_null(thread.call);
}
END_TEST

START_TEST(a_thread_of_the_driver)
{
    struct frame frames[] = {frame(MAP_SYSTEM, "futex"), frame(MAP_OPENCL, ""), frame(MAP_SYSTEM, "clone")};
    const struct looked_thread thread = found(frames, 3);

    ck_assert_int_eq(thread.role, ROLE_DRIVER);
    ck_assert_ptr_null(thread.call);
}
END_TEST

HARNESS_MAIN("look_role", a_call_of_the_program, a_loader_that_is_part_of_the_program, a_callback_within_a_call,
             a_callback_of_the_drivers_own_thread, a_thread_of_the_driver)
