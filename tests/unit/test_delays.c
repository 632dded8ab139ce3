/* Delays in a kernel's text: in front of atomic functions and of statements, and nowhere else. */
#include "harness.h"
#include "reproducer/delays.h"

#include <stdlib.h>

/* The text with delays in all of its lines. */
static void check(const char *text, const char *wanted)
{
    struct delay delays[16];

    for (uint32_t i = 0; i < 16; ++i)
        delays[i] = (struct delay){i + 1, 0, 1};
    char *found = delays_insert(text, delays, 16);
    ck_assert_str_eq(found, wanted);
    free(found);
}

START_TEST(calls_are_delayed)
{
    check("while (atomic_load(p) == 0)\n", "while (REPRODUCER_DELAYED(1, atomic_load, p) == 0)\n");
    check("atomic_add (p, atomic_inc(q));\n",
          "REPRODUCER_DELAYED(1, atomic_add, p, REPRODUCER_DELAYED(1, atomic_inc, q));\n");
    check("atomic_fetch_add_explicit(p, 1, o);\n", "REPRODUCER_DELAYED(1, atomic_fetch_add_explicit, p, 1, o);\n");
    check("atom_add(p, 1);\n", "REPRODUCER_DELAYED(1, atom_add, p, 1);\n");
}
END_TEST

START_TEST(other_names_are_not_meant)
{
    check("my_atomic_add(p, 1), atomic_adder(p), atomic_add;\n", "my_atomic_add(p, 1), atomic_adder(p), atomic_add;\n");
}
END_TEST

START_TEST(statements_are_delayed)
{
    check("{\n    *p = 1;\n  if (*p) {\n", "{\n    reproducer_delay(2); *p = 1;\n  reproducer_delay(3); if (*p) {\n");
    check("{\n a();\n}\nb;\n", "{\n reproducer_delay(2); a();\n}\nb;\n"); /* the last is outside of all blocks */
    check("{\n/* ( */ // {\n x;\n}\n", "{\n/* ( */ // {\n reproducer_delay(3); x;\n}\n");
    check("{\n#if A(\n x;\n", "{\n#if A(\n reproducer_delay(3); x;\n");
    check("{\n f(\"({\");\n x;\n", "{\n reproducer_delay(2); f(\"({\");\n reproducer_delay(3); x;\n");
}
END_TEST

START_TEST(parts_of_statements_are_not)
{
    check("{ if (a)\n b;\n", "{ if (a)\n b;\n");
    check("{ x = a\n + b;\n", "{ x = a\n + b;\n");
    check("{ if (a) { c; }\n else d;\n", "{ if (a) { c; }\n else d;\n");
    check("{ for (i = 0;\n i < n;\n ++i)\n", "{ for (i = 0;\n i < n;\n ++i)\n");
    check("{ do { a; }\n while (b);\n", "{ do { a; }\n while (b);\n");
    check("{ /* a;\n b; */\n", "{ /* a;\n b; */\n");
}
END_TEST

START_TEST(other_lines_stay)
{
    const struct delay delay = {2, 0, 1};
    char *found = delays_insert("{ a;\n b;\n c;\n atomic_inc(p);\n", &delay, 1);

    ck_assert_str_eq(found, "{ a;\n reproducer_delay(2); b;\n c;\n atomic_inc(p);\n");
    free(found);
}
END_TEST

HARNESS_MAIN("delays", calls_are_delayed, other_names_are_not_meant, statements_are_delayed,
             parts_of_statements_are_not, other_lines_stay)
