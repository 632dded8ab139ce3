/* Where a work-item is that was interrupted: its line is known at every instruction, in its own code and in ours. */
#include "harness.h"
#include "model/compile.h"
#include "model/machine.h"
#include "model/run.h"

#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <ucontext.h>

#if defined(__x86_64__)

enum { LOOKS = 200, TRAP_FLAG = 0x100 };

static const void *frames[LOOKS][MACHINE_FRAMES];
static size_t looks;

/* After each instruction: a processor that has the flag stops there. */
static void look(int number, siginfo_t *info, void *context)
{
    greg_t *flags = &((ucontext_t *)context)->uc_mcontext.gregs[REG_EFL];

    (void)number, (void)info;
    fiber_look(context);
    *flags = looks < LOOKS ? *flags | TRAP_FLAG : *flags & ~TRAP_FLAG;
}

static bool at_look(const struct fiber_interrupted *interrupted)
{
    const unsigned char *top = run.self->top;

    if (interrupted->stack >= top || interrupted->stack < top - run.space.stack_bytes)
        return true;
    run_frames_interrupted(interrupted, frames[looks++]);
    return looks < LOOKS;
}

static fiber_pointer no_point(const volatile void *at, size_t bytes, uint32_t how, fiber_pointer self)
{
    (void)at, (void)bytes, (void)how;
    return self;
}

static fiber_pointer no_meeting(uint32_t flags, fiber_pointer self)
{
    (void)flags;
    return self;
}

static void use(void *unused)
{
    static const struct fiber_user user = {no_point, no_meeting, fiber_host, at_look};
    sigset_t trap;

    (void)unused;
    fiber_user = &user;
    run.self = &run.items[0];
    run.place = &run.places[0];
    fiber_top = run.self->top;
    fiber_arguments = run.place->parts.arguments;
    sigemptyset(&trap);
    sigaddset(&trap, SIGTRAP);
    pthread_sigmask(SIG_UNBLOCK, &trap, NULL);
    __asm__ volatile("int3");
    fiber_run(run.self->self);
}

static void take_looks(const struct model_program *program)
{
    struct sigaction action = {.sa_flags = SA_SIGINFO | SA_ONSTACK};
    static uint32_t word;
    const void *const arguments[] = {&(void *){&word}};
    const struct machine_region region = {.base = &word, .bytes = sizeof word};
    struct error error = {STATUS_OK, ""};

    action.sa_sigaction = look;
    sigaction(SIGTRAP, &action, NULL);
    ck_assert_int_eq(machine_use(&(struct machine_launch){.image = program->image,
                                                          .kernel = &program->image->kernels[0],
                                                          .arguments = arguments,
                                                          .local_bytes = (size_t[]){0},
                                                          .dimensions = 1,
                                                          .global = {1, 1, 1},
                                                          .local = {1, 1, 1},
                                                          .regions = &region,
                                                          .region_count = 1,
                                                          .device = {.model = LITMUS_OBE, .resident = 1}},
                                 use, NULL, &error),
                     0);
    ck_assert_uint_eq(looks, LOOKS);
}

/* Nearly all instructions are of the loop, at `line`, and of what reports its accesses. */
static void check(const char *source, const char *line)
{
    static char lines[LOOKS][MODEL_LINE];
    struct model_program program;
    struct error error = {STATUS_OK, ""};
    char *log;

    setenv("XDG_CACHE_HOME", "", 1); /* nothing is kept */
    setenv("HOME", "", 1);
    ck_assert_int_eq(model_compile(&(struct model_source){source, "", false}, &program, &log, &error), 0);
    free(log);
    take_looks(&program);
    model_lines(&program, &frames[0][0], MACHINE_FRAMES, LOOKS, lines);
    for (size_t i = LOOKS / 2; i < LOOKS; ++i)
        ck_assert_msg(strcmp(lines[i], line) == 0, "look %zu: '%s'", i, lines[i]);
    model_program_fini(&program);
}

START_TEST(a_loop_of_the_kernel_has_its_line_at_every_instruction)
{
    check("kernel void k(global uint *out) { volatile int on = 1;\n"
          "    while (on) ;\n"
          "    out[0] = 1; }\n",
          "kernel.cl:2");
}
END_TEST

START_TEST(a_loop_of_a_function_has_its_line_at_every_instruction)
{
    check("__attribute__((noinline)) void wait(volatile int *on) {\n"
          "    while (*on) ; }\n"
          "kernel void k(global uint *out) { volatile int on = 1;\n"
          "    wait(&on);\n"
          "    out[0] = 1; }\n",
          "kernel.cl:2");
}
END_TEST

HARNESS_MAIN("frames", a_loop_of_the_kernel_has_its_line_at_every_instruction,
             a_loop_of_a_function_has_its_line_at_every_instruction)

#else /* there are no fibers */

int main(void)
{
    return EXIT_SUCCESS;
}

#endif
