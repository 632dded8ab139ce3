#include "reproducer/conditions.h"

#include "harness.h"

#include <stdlib.h>

static void check_written(const char *text, const char *options, const char *expected)
{
    char *written = conditions_resolve(text, options);

    ck_assert_str_eq(written, expected);
    free(written);
}

START_TEST(a_branch_stays_without_its_condition)
{
    static const char text[] = "a\n#if defined(GL_A)\nb\n#elif GL_B == 2\nc\n#else\nd\n#endif\ne\n";

    check_written(text, "-DGL_A", "a\nb\ne\n");
    check_written(text, "-DGL_A=1 -DGL_B=2", "a\nb\ne\n");
    check_written(text, "-cl-std=CL3.0 -DGL_B=2", "a\nc\ne\n");
    check_written(text, "-DGL_B=3 -DGL_AB", "a\nd\ne\n");
    check_written(text, "", "a\nd\ne\n");
}
END_TEST

START_TEST(terms_are_joined)
{
    static const char both[] = "#if defined(GL_A) && !defined(GL_B)\nx\n#endif\n";
    static const char either[] = "#if OF_A > 3 || defined(GL_B)\nx\n#endif\n";

    check_written(both, "-DGL_A", "x\n");
    check_written(both, "-DGL_A -DGL_B", "");
    check_written(both, "", "");
    check_written(either, "-DOF_A=4", "x\n");
    check_written(either, "-DOF_A=3", "");
    check_written(either, "-DGL_B", "x\n");
}
END_TEST

START_TEST(what_is_for_the_worker_goes)
{
    check_written("a\n    WHEN(\"b\");\n  RELEASE();\nc WHEN(d);\n", "", "a\nc WHEN(d);\n");
}
END_TEST

START_TEST(conditions_of_others_stay)
{
    check_written("#if defined(cl_khr_fp64)\nx\n#else\ny\n#endif\n", "",
                  "#if defined(cl_khr_fp64)\nx\n#else\ny\n#endif\n");
    check_written("#if defined(GL_A)\nx\n#elif defined(cl_khr_fp64)\ny\n#elif 1\nz\n#endif\n", "",
                  "#if defined(cl_khr_fp64)\ny\n#elif 1\nz\n#endif\n");
    check_written("#if defined(cl_a) && defined(GL_A)\nx\n#endif\n", "", "");
    check_written("#if defined(cl_a) && defined(GL_A)\nx\n#endif\n", "-DGL_A",
                  "#if defined(cl_a) && defined(GL_A)\nx\n#endif\n");
}
END_TEST

START_TEST(conditions_are_nested)
{
    static const char text[] = "#if defined(GL_A)\n#if defined(GL_B)\nx\n#else\ny\n#endif\nz\n#else\n"
                               "#if defined(cl_c)\nv\n#endif\nw\n#endif\n";

    check_written(text, "-DGL_A -DGL_B", "x\nz\n");
    check_written(text, "-DGL_A", "y\nz\n");
    check_written(text, "", "#if defined(cl_c)\nv\n#endif\nw\n");
}
END_TEST

START_TEST(values_take_the_places_of_names)
{
    check_written("uint a[GL_WORDS], b = GL_WORDSX + XGL_WORDS;\n", "-DGL_WORDS=16",
                  "uint a[16], b = GL_WORDSX + XGL_WORDS;\n");
    check_written("f(GL_SCOPE, OF_NAME)\n", "-DGL_SCOPE=memory_scope_device -DOF_NAME=\"x\"",
                  "f(memory_scope_device, \"x\")\n");
}
END_TEST

START_TEST(guards_and_odd_texts)
{
    check_written("#ifndef GRIDLOCK_X_H\n#define GRIDLOCK_X_H\nx\n#endif\ny", "", "x\ny");
    check_written("#endif\n#else\nx\n", "", "#endif\n#else\nx\n");
    check_written("", "", "");
}
END_TEST

HARNESS_MAIN("conditions", what_is_for_the_worker_goes, a_branch_stays_without_its_condition, terms_are_joined,
             conditions_of_others_stay, conditions_are_nested, values_take_the_places_of_names, guards_and_odd_texts)
