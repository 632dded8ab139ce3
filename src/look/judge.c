#include "look/look.h"

#include <sys/syscall.h>

NAMING_DEFINE(look_verdict, enum look_verdict, LOOK_VERDICTS, "deadlock", "host", "long", "inconclusive");
NAMING_DEFINE(look_reason, enum look_reason, LOOK_REASONS, "closed", "moves", "shared", "builds", "program", "wakes",
              "gpu", "nothing", "stopped", "uncertain");

/* LOOK_REASON_CLOSED: this thread does nothing unless another one does. */
static enum look_reason judge_thread(const struct looked_thread *thread)
{
    const struct course_found *const recurrence = &thread->recurrence;

    if (thread->role == ROLE_KERNEL)
        return recurrence->course != COURSE_ROUND ? LOOK_REASON_MOVES
               : recurrence->shared               ? LOOK_REASON_SHARED
                                                  : LOOK_REASON_CLOSED;
    if (thread->bound || (thread->role == ROLE_DOOR && thread->state.call == SYS_futex))
        return LOOK_REASON_CLOSED;
    if (thread->builds)
        return LOOK_REASON_BUILDS;
    return thread->role == ROLE_PROGRAM ? LOOK_REASON_PROGRAM : LOOK_REASON_WAKES;
}

/* Of several the first, and of these a kernel that moves before all others. */
static enum look_reason find_reason(const struct look *look, size_t *decided)
{
    static const enum look_reason order[] = {LOOK_REASON_MOVES, LOOK_REASON_SHARED, LOOK_REASON_BUILDS,
                                             LOOK_REASON_PROGRAM, LOOK_REASON_WAKES};

    for (size_t i = 0; i < sizeof order / sizeof *order; ++i)
        for (*decided = 0; *decided < look->count; ++*decided)
            if (judge_thread(&look->threads[*decided]) == order[i])
                return order[i];
    *decided = 0;
    return LOOK_REASON_CLOSED;
}

static bool runs_kernels(const struct look *look)
{
    for (size_t i = 0; i < look->count; ++i)
        if (look->threads[i].role == ROLE_KERNEL)
            return true;
    return false;
}

static bool is_in_calls(const struct look *look)
{
    for (size_t i = 0; i < look->count; ++i)
        if (look->threads[i].call != NULL)
            return true;
    return false;
}

const struct frame *look_line(const struct looked_thread *thread)
{
    const struct stack *stack = &thread->stack;

    for (size_t i = 0; i < stack->count; ++i) {
        const struct frame *frame = &stack->frames[i];
        if (frame->kind != MAP_KERNEL && frame->kind != MAP_CODE)
            return NULL;
        if (frame->file[0] != '\0' && frame->line > 0)
            return frame;
    }
    return NULL;
}

void look_judge(struct look *look, bool late)
{
    const bool kernels = runs_kernels(look), calls = is_in_calls(look);

    look->verdict = LOOK_LONG;
    look->reason = find_reason(look, &look->decided);
    if (!kernels && !calls)
        look->reason = LOOK_REASON_NOTHING;
    else if (!kernels && look->gpu)
        look->reason = LOOK_REASON_GPU;
    else if (look->reason == LOOK_REASON_CLOSED && late)
        look->reason = LOOK_REASON_UNCERTAIN;
    if (look->reason == LOOK_REASON_CLOSED)
        look->verdict = kernels ? LOOK_DEADLOCK : LOOK_HOST;
    if (look->reason == LOOK_REASON_UNCERTAIN)
        look->verdict = LOOK_INCONCLUSIVE;
}
