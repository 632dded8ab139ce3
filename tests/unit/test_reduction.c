#include "report/conditionals.h"
#include "report/unused.h"

#include "harness.h"

static const char *const prefixes[] = {"OUR_", NULL};
static const char *const open_names[] = {"OUR_LIVE", NULL};

static void check_resolved(const char *text, const char *expected)
{
    struct macros macros = {.prefixes = prefixes, .open = open_names};
    char *resolved = conditionals_resolve(&macros, text);
    ck_assert_str_eq(resolved, expected);
    free(resolved);
    macros_fini(&macros);
}

static void check_used(const char *text, const char *expected)
{
    char *used = unused_drop(text);
    ck_assert_str_eq(used, expected);
    free(used);
}

START_TEST(known_conditions_are_resolved)
{
    check_resolved("#define OUR_A 2\n#if OUR_A > 1 && !defined(OUR_B)\na\n#else\nb\n#endif\n", "#define OUR_A 2\na\n");
    check_resolved("#ifdef OUR_A\na\n#elif defined OUR_B || 0\nb\n#else\nc\n#endif\n", "c\n");
    check_resolved("#ifndef OUR_A\n#define OUR_A\n#ifdef OUR_A\na\n#endif\n#endif\n", "#define OUR_A\na\n");
    check_resolved("#define A (1) /* one */\n#define B A\n#if B == 1 // so it is\na\n#endif\n",
                   "#define A (1) /* one */\n#define B A\na\n");
    check_resolved("#define OUR_A\n#undef OUR_A\n#ifdef OUR_A\na\n#endif\n", "#define OUR_A\n#undef OUR_A\n");
    check_resolved("#line 3 \"x\"\na\n", "a\n");
}
END_TEST

START_TEST(unknown_conditions_stay)
{
    check_resolved("#if defined(__X)\na\n#else\nb\n#endif\n", "#if defined(__X)\na\n#else\nb\n#endif\n");
    check_resolved("#if defined(OUR_LIVE)\na\n#endif\n", "#if defined(OUR_LIVE)\na\n#endif\n");
    check_resolved("#ifdef OUR_A\na\n#elif __X\nb\n#elif !OUR_A\nc\n#else\nd\n#endif\n",
                   "#if __X\nb\n#else\nc\n#endif\n");
    check_resolved("#if __X && OUR_A\na\n#endif\n#if !OUR_A || __X\nb\n#endif\n", "b\n");
    check_resolved("#if 4 / 2 == 1\na\n#endif\n", "#if 4 / 2 == 1\na\n#endif\n");
    check_resolved("#define OUR_F(x) 1\n#if OUR_F(0)\na\n#endif\n", "#define OUR_F(x) 1\n#if OUR_F(0)\na\n#endif\n");
    check_resolved("#define OUR_A 1 == 2\n#if OUR_A\na\n#endif\n", "#define OUR_A 1 == 2\n#if OUR_A\na\n#endif\n");
}
END_TEST

START_TEST(what_an_unknown_branch_defines_is_unknown)
{
    check_resolved("#if __X\n#define OUR_A\n#endif\n#ifdef OUR_A\na\n#endif\n",
                   "#if __X\n#define OUR_A\n#endif\n#ifdef OUR_A\na\n#endif\n");
    check_resolved("#define OUR_A\n#if __X\n#undef OUR_A\n#endif\n#ifdef OUR_A\na\n#endif\n",
                   "#define OUR_A\n#if __X\n#undef OUR_A\n#endif\n#ifdef OUR_A\na\n#endif\n");
}
END_TEST

START_TEST(comments_and_strings_are_no_directives)
{
    check_resolved("/*\n#ifdef OUR_A\n*/\na\n", "/*\n#ifdef OUR_A\n*/\na\n");
    check_resolved("\"/*\"\n#ifdef OUR_A\na\n#endif\n", "\"/*\"\n");
    check_resolved("#if OUR_A /* a\n#endif */\na\n#endif\nb\n", "b\n");
    check_resolved("/*/ x\n#ifdef OUR_A */\n", "/*/ x\n#ifdef OUR_A */\n");
}
END_TEST

START_TEST(what_does_not_match_stays)
{
    check_resolved("#ifdef OUR_A\na\n", "#ifdef OUR_A\na\n");
    check_resolved("a\n#endif\n", "a\n#endif\n");
    check_used("#define A\nint f(void) {\n", "#define A\nint f(void) {\n");
    check_used("#define A(x) x##y\n#define B\nint z;\n", "int z;\n"); /* nothing pastes */
    check_used("#define A(x) x##y\n#define B\nint A(z);\n", "#define A(x) x##y\n#define B\nint A(z);\n");
}
END_TEST

START_TEST(what_nothing_uses_is_left_out)
{
    check_used("#define A 1\n#define B A\n#define C B\nint x = B;\n", "#define A 1\n#define B A\nint x = B;\n");
    check_used("static int f(int a)\n{\n    return a;\n}\nstatic int g(void)\n{\n    return f(1);\n}\nint x;\n",
               "int x;\n");
    check_used("static int f(void)\n{\n    return f();\n}\nkernel void k(void)\n{\n}\n", "kernel void k(void)\n{\n}\n");
    check_used("GL_INLINE __attribute__((x)) bool f(void)\n{\n}\nint x; /* f */\nchar *s = \"f\";\n",
               "int x; /* f */\nchar *s = \"f\";\n");
    check_used("struct a {\n    int b;\n};\nstruct c {\n    int d;\n};\nstruct c x;\n",
               "struct c {\n    int d;\n};\nstruct c x;\n");
    check_used("typedef int a;\ntypedef int b;\nb x;\n", "typedef int b;\nb x;\n");
}
END_TEST

START_TEST(what_cannot_be_named_stays)
{
    static const char text[] = "#include <x.h>\n#pragma y\nenum { A };\nstatic const int t[] = {1};\n"
                               "int f(void)\n{\n}\nstruct a {\n    int b;\n} c;\ntypedef int (*d)(int);\n";
    check_used(text, text);
}
END_TEST

START_TEST(directives_around_a_definition_go_only_with_it)
{
    static const char half[] = "#if X\nstatic\n#endif\nint f(void)\n{\n}\n";
    static const char kept[] = "#if X\n#endif\nint x;\n";
    check_used(half, half);
    check_used("#if X\nstatic int f(void)\n{\n#if Y\n#endif\n}\n#endif\nint x;\n", kept);
}
END_TEST

START_TEST(comments_go_with_what_they_stand_before)
{
    check_used("/* section */\n\n/* a */\n#define A\n\n/* b */\nint b; /* so */\n\n\nint c;\n",
               "/* b */\nint b; /* so */\n\nint c;\n");
    check_used("// a\nint a;\n#define B /* b\nb */\nint c;\n", "// a\nint a;\nint c;\n");
}
END_TEST

HARNESS_MAIN("reduction", known_conditions_are_resolved, unknown_conditions_stay,
             what_an_unknown_branch_defines_is_unknown, comments_and_strings_are_no_directives,
             what_does_not_match_stays, what_nothing_uses_is_left_out, what_cannot_be_named_stays,
             directives_around_a_definition_go_only_with_it, comments_go_with_what_they_stand_before)
