/* Loops that do nothing for ever are found in assembly, and call a function. */
#include "model/endless.h"

#include "harness.h"

#include <stdlib.h>
#include <string.h>

static void check(const char *assembly, const char *marked)
{
    char *text = endless_mark(assembly, "f");

    ck_assert_str_eq(text, marked);
    free(text);
}

START_TEST(a_jump_to_itself_calls)
{
    check(".L1:\n\tjmp\t.L1\n", ".L1:\n\tcallq\tf\n\tjmp\t.L1\n");
    check("\tnop\n\t.p2align\t4, 0x90\n.L1:      # %while.cond\n       # => Inner Loop\n\t.loc\t0 4 "
          "9\n.Ltmp5:\n\tjmp\t.L1\n"
          "\tret\n",
          "\tnop\n\t.p2align\t4, 0x90\n.L1:      # %while.cond\n       # => Inner Loop\n\t.loc\t0 4 9\n.Ltmp5:\n"
          "\tcallq\tf\n\tjmp\t.L1\n\tret\n");
    check(".L1:\n\tjmp\t.L1", ".L1:\n\tcallq\tf\n\tjmp\t.L1"); /* the last line does not end */
}
END_TEST

START_TEST(other_jumps_stay_as_they_are)
{
    static const char *const texts[] = {
        "",
        ".L1:\n\tincl\t%eax\n\tjmp\t.L1\n", /* it does something */
        ".L1:\n\tcallq\tg\n\tjmp\t.L1\n",
        ".L1:\n\tje\t.L1\n",
        ".L1:\n\tjmp\t.L11\n",
        ".L11:\n\tjmp\t.L1\n",
        ".L1:\n\tjmpq\t*%rax\n",
    };

    for (size_t i = 0; i < sizeof texts / sizeof *texts; ++i)
        check(texts[i], texts[i]);
}
END_TEST

START_TEST(an_object_may_have_one)
{
    static const unsigned char with[] = {0x90, 0xeb, 0xfe, 0xc3}, without[] = {0x90, 0xeb, 0xfd, 0xfe};

    ck_assert(endless_may_be(with, sizeof with));
    ck_assert(!endless_may_be(without, sizeof without));
    ck_assert(!endless_may_be(NULL, 0));
}
END_TEST

HARNESS_MAIN("endless loops", a_jump_to_itself_calls, other_jumps_stay_as_they_are, an_object_may_have_one)
