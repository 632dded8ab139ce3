#include "look/role.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* The next frame from `at` on that is of one side: the program's, the driver's or a kernel's. */
static const struct frame *next_side(const struct stack *stack, size_t *at)
{
    for (; *at < stack->count; ++*at)
        if (stack->frames[*at].kind != MAP_SYSTEM && stack->frames[*at].kind != MAP_COMPILER)
            return &stack->frames[*at];
    return NULL;
}

/* Copies what stands before `end`, as much as fits. */
static void copy_part(char part[STACK_NAME], const char *text, const char *end)
{
    snprintf(part, STACK_NAME, "%.*s", (int)(end - text), text);
}

/* "64x1x1" of "64-1-1-goffs0-smallgrid"; nothing of one that was compiled for all sizes, "0-0-0-..." */
static void name_sizes(char sizes[STACK_NAME], const char *folder)
{
    const char *const end = strstr(folder, "-goffs");

    if (folder[0] == '0' || end == NULL)
        return;
    copy_part(sizes, folder, end);
    for (char *dash = sizes; (dash = strchr(dash, '-')) != NULL;)
        *dash = 'x';
}

/* PoCL's object of a kernel is .../KERNEL/SIZES-.../KERNEL.so. */
static void name_kernel(struct looked_thread *thread, const struct frame *frame)
{
    char folder[sizeof frame->path];

    if (frame->kind != MAP_KERNEL)
        return;
    copy_part(thread->kernel, frame->object, strrchr(frame->object, '.'));
    snprintf(folder, sizeof folder, "%s", frame->path);
    *strrchr(folder, '/') = '\0';
    name_sizes(thread->sizes, maps_base(folder));
}

static bool is_opencl_name(const char *name)
{
    return name[0] == 'c' && name[1] == 'l' && isupper((unsigned char)name[2]);
}

/* The program's frame that has called OpenCL; that of a loader, which may be part of the program, says the name. */
static void name_call(struct looked_thread *thread, struct frame *caller)
{
    const struct stack *const stack = &thread->stack;

    while (is_opencl_name(caller->function) && caller + 1 < stack->frames + stack->count)
        ++caller;
    thread->call = caller;
    if (is_opencl_name(caller->called))
        return;
    caller->called[0] = '\0';
    for (const struct frame *frame = stack->frames; frame < caller; ++frame)
        if (is_opencl_name(frame->function))
            snprintf(caller->called, sizeof caller->called, "%s", frame->function);
}

/* Of a loader, a driver, or what stands between them. */
static bool is_opencl(const struct frame *frame)
{
    return frame->kind == MAP_OPENCL || frame->kind == MAP_DOOR;
}

/* Goes over drivers and loaders to who called them, or to NULL; *drivers: some of them is not the door. */
static const struct frame *skip_opencl(const struct stack *stack, size_t *at, bool *drivers)
{
    const struct frame *frame = next_side(stack, at);

    for (; frame != NULL && is_opencl(frame); frame = next_side(stack, at)) {
        *drivers = *drivers || frame->kind != MAP_DOOR;
        ++*at;
    }
    return frame;
}

/* A driver has called the program back, in a call: that is told, too. */
static void name_call_around(struct looked_thread *thread, size_t at)
{
    const struct stack *const stack = &thread->stack;
    bool drivers = false;

    for (const struct frame *frame; (frame = next_side(stack, &at)) != NULL && !is_opencl(frame);)
        ++at;
    if (skip_opencl(stack, &at, &drivers) != NULL && drivers)
        name_call(thread, &thread->stack.frames[at]);
}

void role_find(struct looked_thread *thread)
{
    const struct stack *const stack = &thread->stack;
    size_t at = 0;
    const struct frame *const first = next_side(stack, &at);

    thread->role = ROLE_PROGRAM;
    for (size_t i = 0; i < at; ++i)
        thread->builds = thread->builds || stack->frames[i].kind == MAP_COMPILER;
    if (first == NULL)
        return;
    if (first->kind == MAP_OTHER) {
        name_call_around(thread, at);
        return;
    }
    ++at;
    const struct frame *const second = next_side(stack, &at);
    if (first->kind == MAP_KERNEL || (first->kind == MAP_CODE && second != NULL && is_opencl(second))) {
        thread->role = ROLE_KERNEL;
        name_kernel(thread, first);
    } else if (first->kind == MAP_CODE)
        return;
    else
        thread->role = ROLE_DRIVER;
    bool drivers = first->kind != MAP_DOOR;
    if (skip_opencl(stack, &at, &drivers) == NULL) {
        if (!drivers)
            thread->role = ROLE_DOOR;
        return;
    }
    if (thread->role == ROLE_DRIVER)
        thread->role = ROLE_CALL;
    name_call(thread, &thread->stack.frames[at]);
}
