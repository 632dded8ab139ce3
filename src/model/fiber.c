#include "model/fiber.h"

#include <string.h>
#include <ucontext.h>

void *fiber_top;
void (*fiber_enter)(void *const *arguments);
void *const *fiber_arguments;
const struct fiber_user *fiber_user;

/* Where fiber_run was called: its saved registers, and below them the stack on which decisions are made. */
void *fiber_host_stack;

fiber_pointer fiber_host(void)
{
    return fiber_host_stack;
}

#if FIBER_OFFERED

void fiber_begin(void);
void fiber_leave(void); /* at fiber_host_stack: fiber_run returns */

/* fiber_begin expects its stack pointer to be the top. */
fiber_pointer fiber_make(void *top)
{
    fiber_pointer fiber = (fiber_pointer)top - FIBER_SAVED - 1;

    memset(fiber, 0, FIBER_SAVED * sizeof *fiber);
    fiber[FIBER_SAVED] = (void *)fiber_begin;
    return fiber;
}

#define SAVE "push %rbp\n push %rbx\n push %r12\n push %r13\n push %r14\n push %r15\n"
#define RESTORE "pop %r15\n pop %r14\n pop %r13\n pop %r12\n pop %rbx\n pop %rbp\n ret\n"
#define TO_HOST "mov fiber_host_stack(%rip), %rsp\n and $-16, %rsp\n"
#define CALL_USER(offset) "mov fiber_user(%rip), %rax\n call *" #offset "(%rax)\n"
#define FUNCTION(name) ".globl " #name "\n .hidden " #name "\n .type " #name ", @function\n" #name ":\n"

__asm__(".text\n"

        FUNCTION(fiber_run) SAVE "mov %rsp, fiber_host_stack(%rip)\n"
                                 "mov %rdi, %rsp\n"

        FUNCTION(fiber_leave) RESTORE

            FUNCTION(fiber_point) "cmp %rsp, %rdi\n"
                                  "jb 1f\n"
                                  "cmp fiber_top(%rip), %rdi\n"
                                  "jae 1f\n"
                                  "ret\n"
                                  "1:\n" SAVE "mov %rsp, %rcx\n" TO_HOST CALL_USER(0) "mov %rax, %rsp\n" RESTORE

                                      FUNCTION(fiber_meet) SAVE
        "mov %rsp, %rsi\n" TO_HOST CALL_USER(8) "mov %rax, %rsp\n" RESTORE

            FUNCTION(fiber_begin) "mov fiber_arguments(%rip), %rdi\n"
                                  "call *fiber_enter(%rip)\n" TO_HOST CALL_USER(16) "mov %rax, %rsp\n" RESTORE);

/* Of the vector registers, with what processors have added: it says itself how much that is (Linux, sigcontext.h). */
static size_t state_bytes(const unsigned char *state)
{
    enum { OLD = 512, SAID = 464, MAGIC = 0x46505853, MOST = 1 << 15 };
    uint32_t said[2];

    memcpy(said, state + SAID, sizeof said);
    return said[0] == MAGIC && said[1] > OLD && said[1] < MOST ? said[1] : OLD;
}

/*
 * Where a function that has not yet set up its frame, or has taken it down, returns to; NULL: it has its frame. Those
 * of a program begin with push %rbp and mov %rsp, %rbp, and end with ret.
 */
static const void *returns_to(const unsigned char *at, void *const *stack)
{
    static const unsigned char set_up[] = {0x55, 0x48, 0x89, 0xe5};
    enum { RET = 0xc3 };

    if (*at == set_up[0] || *at == RET)
        return stack[0];
    return memcmp(at - 1, set_up, sizeof set_up) == 0 ? stack[1] : NULL;
}

void fiber_look(void *context)
{
    mcontext_t *machine = &((ucontext_t *)context)->uc_mcontext;
    greg_t *registers = machine->gregs;

    if (fiber_user == NULL || fiber_user->at_look == NULL)
        return;
    /* NOLINTBEGIN(performance-no-int-to-ptr): a handler has them as numbers */
    const struct fiber_interrupted interrupted = {
        .stack = (const unsigned char *)registers[REG_RSP],
        .at = (const void *)registers[REG_RIP],
        .frame = (fiber_pointer)registers[REG_RBP],
        .returns = returns_to((const unsigned char *)registers[REG_RIP], (void *const *)registers[REG_RSP]),
        .registers = {{registers, (REG_EFL + 1) * sizeof *registers},
                      {machine->fpregs, state_bytes((const unsigned char *)machine->fpregs)}}};
    /* NOLINTEND(performance-no-int-to-ptr) */
    if (fiber_user->at_look(&interrupted))
        return;
    registers[REG_RSP] = (greg_t)fiber_host_stack;
    registers[REG_RIP] = (greg_t)fiber_leave;
}

#else

void fiber_look(void *context)
{
    (void)context;
}

fiber_pointer fiber_make(void *top)
{
    return top;
}

void fiber_run(fiber_pointer fiber)
{
    (void)fiber;
}

void fiber_point(const volatile void *at, unsigned long bytes, unsigned how)
{
    (void)at, (void)bytes, (void)how;
}

void fiber_meet(unsigned flags)
{
    (void)flags;
}

#endif
