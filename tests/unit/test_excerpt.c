#include "reproducer/excerpt.h"

#include "harness.h"

#include <string.h>

static void add_library(struct excerpt *excerpt, const char *library)
{
    excerpt_add_library(excerpt, library, strlen(library), true);
}

static void check_chosen(const char *library, const char *text, const char *expected)
{
    struct excerpt excerpt = {.pieces = NULL};

    add_library(&excerpt, "#if defined(X)\n#define A\n#endif\n"); /* offers the name, and is never written */
    add_library(&excerpt, library);
    excerpt_add(&excerpt, text, strlen(text));
    char *written = excerpt_text(&excerpt);
    ck_assert_str_eq(written, expected);
    free(written);
    excerpt_fini(&excerpt);
}

START_TEST(what_is_named_stays)
{
    check_chosen("#define A 1\n#define B A\n#define C B\n", "x B;\n", "#define A 1\n#define B A\nx B;\n");
    check_chosen("static int f(int a)\n{\n    return a;\n}\n\nstatic int g(void)\n{\n    return f(1);\n}\n", "x;\n",
                 "x;\n");
    check_chosen(
        "static int f(int a)\n{\n    return a;\n}\nstatic int g(void)\n{\n\n    return f(1);\n}\nint h;\n", "g;\n",
        "static int f(int a)\n{\n    return a;\n}\nstatic int g(void)\n{\n\n    return f(1);\n}\nint h;\ng;\n");
    check_chosen("struct a {\n    int b;\n};\n\nstruct c {\n    int d;\n};\n", "struct c x;\n",
                 "struct c {\n    int d;\n};\nstruct c x;\n");
    check_chosen("typedef int a;\n\ntypedef int b;\n", "b x;\n", "typedef int b;\nb x;\n");
    check_chosen("static int a; /* f(b) */\nstatic int b[2]; /* a */\nstatic const int *c = {1};\n", "x = b;\n",
                 "static int b[2]; /* a */\nx = b;\n");
    check_chosen("static int a[2];   /* b */\nstatic int b = 0, c;\nstatic int *d = &a[1];\n", "d;\n",
                 "static int a[2];   /* b */\nstatic int *d = &a[1];\nd;\n");
    check_chosen("#define F(x) \\\n    (x)\n#define G 1\n", "F(1);\n", "#define F(x) \\\n    (x)\nF(1);\n");
}
END_TEST

START_TEST(comments_and_strings_name_nothing)
{
    check_chosen("#define B 1\n#define C 1\n#define D 1\n", "/* B */ \"C \\\" C\" // D\n",
                 "/* B */ \"C \\\" C\" // D\n");
    check_chosen("#define B 1\n#define BB 1\n", "x_B BBB;\n", "x_B BBB;\n");
}
END_TEST

START_TEST(comments_go_with_what_they_stand_before)
{
    check_chosen("/* head */\n\n/* b\n * b */\n#define B\n\n/* c */\n#define C\n", "C;\n",
                 "/* head */\n\n/* c */\n#define C\nC;\n");
}
END_TEST

START_TEST(what_has_no_name_stays)
{
    static const char library[] = "#pragma y\nenum { B };\nconst int t[] = {(1)};\nstatic int f(void);\n";
    check_chosen(library, "x;\n", "#pragma y\nenum { B };\nconst int t[] = {(1)};\nstatic int f(void);\nx;\n");
}
END_TEST

START_TEST(guards_and_includes_are_left_out)
{
    check_chosen("#ifndef GRIDLOCK_X_H\n#define GRIDLOCK_X_H\n\n#include \"y.h\"\n\n#define B\n\n#endif\n", "B;\n",
                 "#define B\nB;\n");
}
END_TEST

START_TEST(branches_go_by_what_is_defined)
{
    check_chosen("#if defined(A)\n#define B 1\n#endif\n\n#define B 2\n", "B;\n", "#define B 1\nB;\n");
    check_chosen("#if defined(X)\n#define B 1\n#endif\n\n#define B 2\n", "B;\n", "#define B 2\nB;\n");
    check_chosen("#if defined(A) && 1\n#define B 1\n#endif\n", "B;\n",
                 "#if defined(A) && 1\n#define B 1\n#endif\nB;\n");
    check_chosen("#if defined(A)\nint f(void)\n{\n#if Y\n#endif\n}\n#endif\n", "f;\n",
                 "int f(void)\n{\n#if Y\n#endif\n}\nf;\n");
}
END_TEST

START_TEST(own_definitions_go_before_those_of_a_library)
{
    check_chosen("#define B 1\n", "#define B 2\nB;\n", "#define B 2\nB;\n");
}
END_TEST

START_TEST(missing_names_are_found)
{
    static const char text[] = "a b c d;\n";
    struct excerpt excerpt = {.pieces = NULL}, others = {.pieces = NULL};
    size_t length = 0;

    add_library(&excerpt, "#define a\n\nenum { b };\n\n#if defined(X)\n#define c\n#endif\n");
    excerpt_add(&excerpt, text, strlen(text));
    free(excerpt_text(&excerpt));
    add_library(&others, "#define a\n#define b\n#define c\n");
    ck_assert_ptr_null(excerpt_find_missing(&excerpt, &others, &length));
    add_library(&others, "#define d\n");
    ck_assert_str_eq(excerpt_find_missing(&excerpt, &others, &length), text + 6);
    ck_assert_uint_eq(length, 1);
    excerpt_fini(&excerpt);
    excerpt_fini(&others);
}
END_TEST

HARNESS_MAIN("excerpt", what_is_named_stays, comments_and_strings_name_nothing, comments_go_with_what_they_stand_before,
             what_has_no_name_stays, guards_and_includes_are_left_out, branches_go_by_what_is_defined,
             own_definitions_go_before_those_of_a_library, missing_names_are_found)
