/* Turns of loops with barriers, in the assembly of LLVM. */
#include "base/alloc.h"
#include "harness.h"
#include "model/ir_barrier.h"
#include "model/ir_meets.h"
#include "model/ir_turns.h"

#include <stdlib.h>
#include <string.h>

#define BARRIER "  call void @_Z7barrierj(i32 noundef 1) #4\n"

/* A function as it is printed, with a place for each barrier; NULL: it has no such loop. */
static char *print_told(const char *text, bool opaque, struct ir_meets *told)
{
    struct ir_turns *turns = ir_turns_read(text, opaque, told);
    uint32_t place = 0;
    char *printed;

    if (turns == NULL)
        return NULL;
    FILE *out = xopen_memstream(&printed, NULL);
    for (const char *line = strchr(text, '\n') + 1; *line != '}'; line = strchr(line, '\n') + 1) {
        ir_turns_print(turns, line, out);
        if (ir_barrier_is(line))
            ir_barrier_print(line, ++place, turns, out);
        else if (!ir_turns_print_call(turns, line, out))
            fprintf(out, "%.*s\n", (int)strcspn(line, "\n"), line);
    }
    ir_turns_free(turns);
    return xclose_memstream(out, &printed);
}

static char *print(const char *text, bool opaque)
{
    struct ir_meets none = {{0}};
    char *printed = print_told(text, opaque, &none);
    ir_meets_fini(&none);
    return printed;
}

static void ck_in_order(const char *text, const char *const *words)
{
    for (const char *at = text; *words != NULL; ++words) {
        at = strstr(at, *words);
        ck_assert_msg(at != NULL, "no %s in its place in %s", *words, text);
        at += strlen(*words);
    }
}

/* The count begins where the loop is entered, grows at its head, behind what must be first there, and ends with the
   barrier. */
START_TEST(turn_is_counted)
{
    static const char *const words[] = {"%gl.turns.1 = alloca i32",
                                        "store i32 4, i32* %gl.turns.1",
                                        "br label %head",
                                        "head:",
                                        " = phi ",
                                        "= load i32, i32* %gl.turns.1",
                                        "store i32 %gl.turns.now.0",
                                        "br i1",
                                        "body:",
                                        "shl i32",
                                        "or i32 %gl.meet.1, %gl.turn.1",
                                        "barrierj(i32 noundef %gl.come.1)",
                                        "store i32 0, i32* %gl.turns.1",
                                        "br label %head",
                                        NULL};
    char *printed = print("define void @k(i32 %n) {\nentry:\n  br label %head\n\n"
                          "head:                 ; preds = %body, %entry\n"
                          "  %i = phi i32 [ 0, %entry ], [ %j, %body ]\n"
                          "  %c = icmp ult i32 %i, %n\n"
                          "  br i1 %c, label %body, label %end\n\n"
                          "body:\n" BARRIER "  %j = add i32 %i, 1\n  br label %head\n\n"
                          "end:\n  ret void\n}\n",
                          false);

    ck_assert_ptr_nonnull(printed);
    ck_in_order(printed, words);
    free(printed);
}
END_TEST

/* Only loops around a barrier count; the way into the inner one is in the outer one. */
START_TEST(loops_in_loops)
{
    static const char *const words[] = {"%gl.turns.2 = alloca i32",
                                        "\n3:",
                                        "ptr %gl.turns.1",
                                        "store i32 4, ptr %gl.turns.2",
                                        "br label %4",
                                        "\n4:",
                                        "load i32, ptr %gl.turns.2",
                                        "load i32, ptr %gl.turns.2",
                                        "load i32, ptr %gl.turns.1",
                                        "barrierj",
                                        "store i32 0, ptr %gl.turns.2",
                                        "store i32 0, ptr %gl.turns.1",
                                        "\n5:",
                                        NULL};
    char *printed = print("define void @k(i1 %0) {\n  br label %3\n\n3:\n  br label %4\n\n"
                          "4:\n" BARRIER "  br i1 %0, label %4, label %5\n\n"
                          "5:\n  br i1 %0, label %5, label %6\n\n"
                          "6:\n  switch i32 1, label %3 [\n    i32 2, label %7\n  ]\n\n7:\n  ret void\n}\n",
                          true);

    ck_assert_ptr_nonnull(printed);
    ck_in_order(printed, words);
    ck_assert_ptr_null(strstr(printed, "%gl.turns.3"));
    free(printed);
}
END_TEST

START_TEST(nothing_is_said_of_others)
{
    static const char *const texts[] = {
        /* no loop, no barrier in it, and one with two ways in */
        "define void @k(i1 %0) {\n" BARRIER "  ret void\n}\n",
        "define void @k(i1 %0) {\n" BARRIER
        "  br label %2\n\n2:\n  br i1 %0, label %2, label %3\n\n3:\n  ret void\n}\n",
        "define void @k(i1 %0) {\n  br i1 %0, label %2, label %3\n\n2:\n  br label %3\n\n"
        "3:\n" BARRIER "  br i1 %0, label %2, label %4\n\n4:\n  ret void\n}\n",
        /* a block that is not there */
        "define void @k(i1 %0) {\n" BARRIER "  br label %2\n}\n"};

    for (size_t i = 0; i < sizeof texts / sizeof *texts; ++i)
        ck_assert_ptr_null(print(texts[i], false));
}
END_TEST

#define METADATA "!kernel_arg_addr_space !3 {\n"

static const char called[] = "define spir_kernel void @k() " METADATA "  br label %1\n\n"
                             "1:\n  %2 = tail call i32 @over(i1 icmp (eq (i32 1, i32 2))) #3\n  br label %1\n}\n"
                             "define i32 @over(i1 %0) {\n  call void @meet()\n  ret i32 0\n}\n"
                             "define void @meet() {\n" BARRIER "  ret void\n}\n"
                             "define void @other() {\n  ret void\n}\n"
                             "define void @named() {\n" BARRIER "  ret void\n}\n"
                             "@pointer = global ptr @named\n";

/* A function that calls one with a barrier is told of turns; one whose address is taken, and a kernel, are not. */
START_TEST(functions_are_told)
{
    static const char *const told[] = {"define i32 @over", "define void @meet"};
    static const char *const others[] = {"define spir_kernel", "define void @other", "define void @named"};
    struct ir_meets meets = {{0}};

    ir_meets_find(&meets, called);
    for (size_t i = 0; i < sizeof told / sizeof *told; ++i)
        ck_assert(ir_meets_is(&meets, strstr(called, told[i])));
    for (size_t i = 0; i < sizeof others / sizeof *others; ++i)
        ck_assert(!ir_meets_is(&meets, strstr(called, others[i])));
    ir_meets_fini(&meets);
}
END_TEST

START_TEST(calls_tell_of_turns_and_are_told_of_barriers)
{
    static const char *const in_loop[] = {
        "%gl.own = alloca i32",
        "store i32 4, ptr %gl.turns.1",
        "store i32 0, ptr %gl.own",
        "%2 = call i32 @over(i1 icmp (eq (i32 1, i32 2)), i32 %gl.part.1, ptr %gl.own) #3",
        "load i32, ptr %gl.own",
        "store i32 %gl.is.1.0, ptr %gl.turns.1",
        NULL};
    static const char *const over[] = {"mul i32 %gl.in, 1", "call void @meet(i32 %gl.part.0, ptr %gl.own)",
                                       "store i32 %gl.has.0, ptr %gl.met", NULL};
    static const char *const barrier[] = {"mul i32 %gl.in, 1", "barrierj(i32 noundef %gl.come.1)",
                                          "store i32 1, ptr %gl.met", NULL};
    struct ir_meets meets = {{0}};

    ir_meets_find(&meets, called);
    char *printed[] = {print_told(called, true, &meets), print_told(strstr(called, "define i32"), true, &meets),
                       print_told(strstr(called, "define void @meet"), true, &meets)};
    ck_in_order(printed[0], in_loop);
    ck_in_order(printed[1], over);
    ck_in_order(printed[2], barrier);
    for (size_t i = 0; i < sizeof printed / sizeof *printed; ++i)
        free(printed[i]);
    ir_meets_fini(&meets);
}
END_TEST

HARNESS_MAIN("ir_turns", functions_are_told, calls_tell_of_turns_and_are_told_of_barriers, turn_is_counted,
             loops_in_loops, nothing_is_said_of_others)
