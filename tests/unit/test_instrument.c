/* What is put into kernels, where, and what is left as it is. */
#include "core/instrument.h"

#include "harness.h"

#include <stdlib.h>
#include <string.h>

static const char *const kernels[] = {"f", "g", "foo"};
enum { KERNELS = sizeof kernels / sizeof *kernels };

static const struct instrument with = {.parameter = "P", .argument = "A", .statement = "S"};

static char *instrument(const char *text, bool found[KERNELS])
{
    char *copy = instrument_kernels(text, kernels, KERNELS, &with, found);
    ck_assert_ptr_nonnull(copy);
    return copy;
}

/* A text, what becomes of it, and the kernels that are found, as "f g". */
struct expectation {
    const char *text, *expected, *found;
};

static void check_one(const struct expectation *row)
{
    bool found[KERNELS];
    char names[16] = "";
    char *copy = instrument(row->text, found);

    for (size_t i = 0; i < KERNELS; ++i)
        if (found[i])
            strcat(strcat(names, names[0] != '\0' ? " " : ""), kernels[i]);
    ck_assert_str_eq(copy, row->expected);
    ck_assert_msg(strcmp(names, row->found) == 0, "found '%s', not '%s', in: %s", names, row->found, row->text);
    free(copy);
}

#define CHECK(...)                                                                                                     \
    do {                                                                                                               \
        const struct expectation rows[] = {__VA_ARGS__};                                                               \
        for (size_t row = 0; row < sizeof rows / sizeof *rows; ++row)                                                  \
            check_one(&rows[row]);                                                                                     \
    } while (0)

/* The text stays as it is, and no kernel is found. */
#define CHECK_NONE(...)                                                                                                \
    do {                                                                                                               \
        const char *const texts[] = {__VA_ARGS__};                                                                     \
        for (size_t row = 0; row < sizeof texts / sizeof *texts; ++row)                                                \
            check_one(&(struct expectation){texts[row], texts[row], ""});                                              \
    } while (0)

/* --- heads --- */

START_TEST(definition_has_one_more_parameter_and_a_first_statement)
{
    CHECK({"kernel void f(int a) { a; }", "kernel void f(int a, P) {S a; }", "f"},
          {"__kernel void f(int a, int b){}", "__kernel void f(int a, int b, P){S}", "f"},
          {"kernel void f(int a) {} kernel void foo(int b) {}",
           "kernel void f(int a, P) {S} kernel void foo(int b, P) {S}", "f foo"},
          {"kernel void f(int a[(2)], int (*b)(int)) {}", "kernel void f(int a[(2)], int (*b)(int), P) {S}", "f"});
}
END_TEST

START_TEST(token_kernel_may_stand_anywhere_before_the_name)
{
    CHECK({"void __kernel f(int a) {}", "void __kernel f(int a, P) {S}", "f"},
          {"__kernel\nvoid\nf\n(int a)\n{}", "__kernel\nvoid\nf\n(int a, P)\n{S}", "f"},
          {"__attribute__((vec_type_hint(int))) kernel void f(int a) {}",
           "__attribute__((vec_type_hint(int))) kernel void f(int a, P) {S}", "f"},
          {"kernel __attribute__((reqd_work_group_size(64, 1, 1))) void f /* f( */ (int a) {}",
           "kernel __attribute__((reqd_work_group_size(64, 1, 1))) void f /* f( */ (int a, P) {S}", "f"},
          {"MACRO(x) kernel void f(int a) {}", "MACRO(x) kernel void f(int a, P) {S}", "f"});
}
END_TEST

START_TEST(empty_list_has_the_parameter_alone)
{
    CHECK({"kernel void f() {}", "kernel void f(P) {S}", "f"},
          {"kernel void f( /* none */ ) {}", "kernel void f( /* none */ P) {S}", "f"},
          {"kernel void f(void) {}", "kernel void f(/*void*/P) {S}", "f"},
          {"kernel void f( void // no more\n ) {}", "kernel void f( /*void*/ // no more\n P) {S}", "f"},
          {"kernel void f(void *a) {}", "kernel void f(void *a, P) {S}", "f"},
          {"kernel void f(global void) {}", "kernel void f(global void, P) {S}", "f"});
}
END_TEST

START_TEST(parameter_stands_right_before_the_parenthesis)
{
    CHECK({"kernel void f(int a // )\n) {}", "kernel void f(int a // )\n, P) {S}", "f"},
          {"kernel void f(int a // \\\n)\n) {}", "kernel void f(int a // \\\n)\n, P) {S}", "f"},
          {"kernel void f(int a\n#ifdef X\n, int b\n#endif\n) {}",
           "kernel void f(int a\n#ifdef X\n, int b\n#endif\n, P) {S}", "f"});
}
END_TEST

START_TEST(between_head_and_body_are_attributes_and_macros)
{
    CHECK({"kernel void f(int a) __attribute__((work_group_size_hint(8, 1, 1))) {}",
           "kernel void f(int a, P) __attribute__((work_group_size_hint(8, 1, 1))) {S}", "f"},
          {"kernel void f(int a) SIZE(8) FAST // {\n /* ; */ {}",
           "kernel void f(int a, P) SIZE(8) FAST // {\n /* ; */ {S}", "f"});
}
END_TEST

START_TEST(declaration_has_the_parameter_alone)
{
    CHECK({"kernel void f(int); kernel void f(int a) {}", "kernel void f(int, P); kernel void f(int a, P) {S}", "f"},
          {"kernel void f(int) FAST; void h(int f) {} kernel void f(int a) {}",
           "kernel void f(int, P) FAST; void h(int f) {} kernel void f(int a, P) {S}", "f"},
          {"kernel void f(int a) {} kernel void f(int), g(void); kernel void g() {}",
           "kernel void f(int a, P) {S} kernel void f(int, P), g(/*void*/P); kernel void g(P) {S}", "f g"});
}
END_TEST

START_TEST(kernel_without_a_definition_is_left_as_it_is)
{
    CHECK_NONE("kernel void f(int);", "kernel void f(void); void h() { f(); }", "kernel void f(int a)");
    CHECK({"kernel void f(int); kernel void g() { f(1); }", "kernel void f(int); kernel void g(P) {S f(1); }", "g"});
}
END_TEST

START_TEST(names_are_whole_identifiers)
{
    CHECK_NONE("kernel void f2(int a) {}", "kernel void my_f(int a) {}", "kernel void $f(int a) {}",
               "kernel void f$(int a) {}",
               "kernel void \xc3\xa4"
               "f(int a) {}");
    CHECK({"kernel void foo(int a) { f2(a); f(a); }", "kernel void foo(int a, P) {S f2(a); f(a); }", "foo"});
}
END_TEST

START_TEST(only_a_list_behind_the_name_is_a_head)
{
    CHECK_NONE("int f; struct s { int f; } g = {1};", "void h(int f(int)) {}", "struct s { kernel void f(int a) {} };",
               "MACRO(kernel void f(int a) {})", "kernel void h(int f(int)) {}", "f; (1) {}");
}
END_TEST

START_TEST(block_in_a_list_is_a_part_of_it)
{
    CHECK(
        {"kernel void f(struct { int a; } b) {}", "kernel void f(struct { int a; } b, P) {S}", "f"},
        {"kernel void f(global struct s { struct { int a, b; } c; } *d, union { int e; }) {} kernel void g() {}",
         "kernel void f(global struct s { struct { int a, b; } c; } *d, union { int e; }, P) {S} kernel void g(P) {S}",
         "f g"},
        {"kernel void f(int a) SIZE({8}) {}", "kernel void f(int a, P) SIZE({8}) {S}", "f"},
        {"kernel void f(int a) { f(({ int b = 1; b; })); }", "kernel void f(int a, P) {S f(({ int b = 1; b; }), A); }",
         "f"});
}
END_TEST

START_TEST(body_that_is_not_in_the_text_is_none)
{
    CHECK_NONE("kernel void f(int a) BODY", "kernel void f(int a)\n#include \"body\"\n", "kernel void f(int a) <% %>");
    CHECK({"kernel void f(int a) BODY kernel void g() {}", "kernel void f(int a) BODY kernel void g(P) {S}", "g"},
          {"kernel void f(int a) BODY(1) KERNEL void g() {}", "kernel void f(int a) BODY(1) KERNEL void g(P) {S}", "g"},
          {"kernel void f(int a)\n#include \"body\"\nkernel void g() {}",
           "kernel void f(int a)\n#include \"body\"\nkernel void g(P) {S}", "g"},
          {"kernel void f(int a) BODY\n#ifdef X\nkernel void g() {}\n#endif\n",
           "kernel void f(int a) BODY\n#ifdef X\nkernel void g(P) {S}\n#endif\n", "g"});
}
END_TEST

START_TEST(what_another_file_has_is_a_part_of_a_list)
{
    CHECK({"kernel void f(\n#include \"list\"\n) {}", "kernel void f(\n#include \"list\"\n, P) {S}", "f"},
          {"kernel void f() { f(\n# /**/ include <list>\n); }",
           "kernel void f(P) {S f(\n# /**/ include <list>\n, A); }", "f"},
          {"kernel void f(int a)\n#include \"attributes\"\n{}", "kernel void f(int a, P)\n#include \"attributes\"\n{S}",
           "f"},
          {"kernel void f() {\n#include \"part\"\nf(); }", "kernel void f(P) {S\n#include \"part\"\nf(A); }", "f"});
}
END_TEST

/* Whether it is defined in the text, in another file, or by an option of the build. */
START_TEST(macro_may_make_what_is_before_the_name)
{
    CHECK({"#define KERNEL __kernel void\nKERNEL f(int a) { a; }",
           "#define KERNEL __kernel void\nKERNEL f(int a, P) {S a; }", "f"},
          {"#include M2S(PATH/vendor.h)\nKERNEL_FQ void f (KERN_ATTR ()) {}",
           "#include M2S(PATH/vendor.h)\nKERNEL_FQ void f (KERN_ATTR (), P) {S}", "f"},
          {"KERNEL REQD_WG_SIZE(8, 1, 1) void f(int a) {} KERNEL\nREQD_WG_SIZE(N,1,1)\nvoid g(void) {}",
           "KERNEL REQD_WG_SIZE(8, 1, 1) void f(int a, P) {S} KERNEL\nREQD_WG_SIZE(N,1,1)\nvoid g(/*void*/P) {S}",
           "f g"},
          {"MACRO(kernel) void f(int a) {}", "MACRO(kernel) void f(int a, P) {S}", "f"},
          {"#if X\nKERNEL void f(int a)\n#else\nKERNEL void g(int a)\n#endif\n{}",
           "#if X\nKERNEL void f(int a, P)\n#else\nKERNEL void g(int a, P)\n#endif\n{S}", "f g"},
          {"KERNEL f(int); KERNEL f(int a) {} void h() { f(1); }",
           "KERNEL f(int, P); KERNEL f(int a, P) {S} void h() { f(1, A); }", "f"},
          {"KERNEL f(int a) BODY KERNEL g() {}", "KERNEL f(int a) BODY KERNEL g(P) {S}", "g"});
}
END_TEST

START_TEST(macro_may_make_the_name)
{
    CHECK(
        {"KERNEL(f)(int a) {}", "KERNEL(f)(int a, P) {S}", "f"},
        {"KERNEL(f)\n#if X\n(int a)\n#else\n(int b)\n#endif\n{}",
         "KERNEL(f)\n#if X\n(int a, P)\n#else\n(int b, P)\n#endif\n{S}", "f"},
        {"KERNEL(void, /* */ f \\\n , 64) // (\n () ATTRIBUTE {}",
         "KERNEL(void, /* */ f \\\n , 64) // (\n (P) ATTRIBUTE {S}", "f"},
        {"KERNEL(f)(ARGUMENTS) {} KERNEL(g)(void) {}", "KERNEL(f)(ARGUMENTS, P) {S} KERNEL(g)(/*void*/P) {S}", "f g"},
        {"kernel void (f)(int a) {}", "kernel void (f)(int a, P) {S}", "f"},
        {"KERNEL(f)(int); KERNEL(f)(int a) { g(f)(1); }", "KERNEL(f)(int, P); KERNEL(f)(int a, P) {S g(f)(1); }", "f"},
        {"KERNEL(g)(int a) BODY KERNEL(f)(int a) {}", "KERNEL(g)(int a) BODY KERNEL(f)(int a, P) {S}", "f"},
        {"SAME(f, f)(int a) {}", "SAME(f, f)(int a, P) {S}", "f"});
}
END_TEST

/* Which name is the kernel's, or where its parameters end, is not certain, or not known without what a macro means. */
START_TEST(head_in_doubt_is_not_found)
{
    CHECK_NONE("KERNEL(f, g)(int a) {}", "KERNEL(f, g, f)(int a) {}", "KERNEL(x.f)(int a) {}",
               "KERNEL(int f)(int a) {}", "KERNEL((f))(int a) {}", "KERNEL(f) + (int a) {}", "KERNEL(f) (int a)",
               "KERNEL(f)(int a) BODY", "#define HEAD(n) kernel void n(int a)\nHEAD(f) { }", "HEAD(f, int a) {}",
               "int h(int f) {} HEAD(f) int h(int f) {}", "#define F kernel void f(int a) {\nF }",
               "#define WHOLE(n) kernel void n(int a) { a; }\nWHOLE(f) WHOLE(g)",
               "#define WHOLE(T) \\\n kernel void f##T(int a) \\\n { a; }\nWHOLE(oo)", "PASTE(fo, o)(int a) {}",
               "KERNEL(f)(int a) BEGIN END", "kernel void NAME(h)(int a) {}");
}
END_TEST

/* --- calls --- */

START_TEST(call_has_one_more_argument)
{
    CHECK({"kernel void f(int a) {} kernel void g() { f(1); }",
           "kernel void f(int a, P) {S} kernel void g(P) {S f(1, A); }", "f g"},
          {"kernel void f() {} void h() { f(); f ( ); if (1) f(); else f(); return f(); }",
           "kernel void f(P) {S} void h() { f(A); f ( A); if (1) f(A); else f(A); return f(A); }", "f"},
          {"void f(int); void h() { f((1), 2); } kernel void f(int a) {}",
           "void f(int, P); void h() { f((1), 2, A); } kernel void f(int a, P) {S}", "f"},
          {"kernel void f() {} kernel void g() {} void h() { f(g(a, f()), b[f(1)]); }",
           "kernel void f(P) {S} kernel void g(P) {S} void h() { f(g(a, f(A), A), b[f(1, A)], A); }", "f g"},
          {"kernel void f() {} void h() { enqueue_kernel(q, ^{ f(1); }); }",
           "kernel void f(P) {S} void h() { enqueue_kernel(q, ^{ f(1, A); }); }", "f"});
}
END_TEST

START_TEST(member_or_variable_of_that_name_is_no_call)
{
    CHECK({"kernel void f() { s.f(1); s->f(1); s . f (1); int f(3); f = 2; (f)(1); \"f\"(1); s - f(1); s > f(1); }",
           "kernel void f(P) {S s.f(1); s->f(1); s . f (1); int f(3); f = 2; (f)(1); \"f\"(1); s - f(1, A); s > f(1, "
           "A); }",
           "f"});
}
END_TEST

/* --- what is skipped --- */

START_TEST(comments_literals_and_preprocessor_lines_are_skipped)
{
    static const char *const skipped[] = {
        "// kernel void f(int a) {\n",
        "// ? \\\nkernel void f(int a) {\n",
        "// ? \\ \t\r\nkernel void f(int a) {\r\n",
        "/* kernel void f(int a) { \n // */ ",
        "/* \xc3\xa9\xff \" ' */ ",
        "#define F kernel void f(int a) {\n",
        "#define F \\\n kernel void f(int a) \\\r\n {\r\n",
        "#define F /* \n kernel void f(int a) { \n */ {\n",
        "#define F \"/*\"\n",
        "  #  pragma f(\n",
        "#\n",
        "#error don't (\n",
        "#if 0 // it's {\n#endif\n",
        "int h(char c) { return c == '\"' || c == '\\'' || c == '(' ? ')' : '{'; } ",
        "constant char t[] = \"kernel void f(int a) { \\\" \\\\\"; ",
        "constant char t[] = \"{ \\\n f(\"; ",
        "constant char t[] = \"{ \\\\\"; ",
        "constant char t[] = \"{ \\\r\n f(\"; ",
    };
    static const char kernel[] = "kernel void f(int a) { f(1); }", changed[] = "kernel void f(int a, P) {S f(1, A); }";

    for (size_t i = 0; i < sizeof skipped / sizeof *skipped; ++i) {
        char text[256] = "", expected[256] = "";
        strcat(strcat(strcat(text, skipped[i]), kernel), skipped[i]);
        strcat(strcat(strcat(expected, skipped[i]), changed), skipped[i]);
        check_one(&(struct expectation){text, expected, "f"});
    }
}
END_TEST

START_TEST(windows_line_ends_stay)
{
    CHECK({"#ifdef X\r\n#endif\r\nkernel void f(\r\nint a // (\r\n)\r\n{\r\n}",
           "#ifdef X\r\n#endif\r\nkernel void f(\r\nint a // (\r\n, P)\r\n{S\r\n}", "f"});
}
END_TEST

/* --- alternatives --- */

START_TEST(heads_in_alternatives_share_a_body)
{
    CHECK({"#ifdef X\nkernel void f(int a) {\n#else\nkernel void f(float a) {\n#endif\nf(1); }\nkernel void g() {}",
           "#ifdef X\nkernel void f(int a, P) {S\n#else\nkernel void f(float a, P) {S\n#endif\nf(1, A); }\n"
           "kernel void g(P) {S}",
           "f g"},
          {"#if X\nkernel void f(int a)\n#elif Y\nkernel void f()\n#else\nkernel void g(int b)\n#endif\n{ }",
           "#if X\nkernel void f(int a, P)\n#elif Y\nkernel void f(P)\n#else\nkernel void g(int b, P)\n#endif\n{S }",
           "f g"},
          {"#ifdef X\nkernel void f(int a)\n#endif\n#ifndef X\nkernel void f(float a)\n#endif\n{ }",
           "#ifdef X\nkernel void f(int a, P)\n#endif\n#ifndef X\nkernel void f(float a, P)\n#endif\n{S }", "f"},
          {"#ifdef X\nkernel void f(int a) {\n#endif\n#ifdef Y\nkernel void g(int a) {\n#endif\n} kernel void foo() {}",
           "#ifdef X\nkernel void f(int a, P) {S\n#endif\n#ifdef Y\nkernel void g(int a, P) {S\n#endif\n} "
           "kernel void foo(P) {S}",
           "f g foo"});
}
END_TEST

START_TEST(a_head_has_parts_in_alternatives)
{
    CHECK({"kernel void f(int a)\n#ifdef X\n;\n#else\n{ }\n#endif",
           "kernel void f(int a, P)\n#ifdef X\n;\n#else\n{S }\n#endif", "f"},
          {"kernel void f(int a\n#ifdef X\n, int b)\n#else\n)\n#endif\n{ }",
           "kernel void f(int a\n#ifdef X\n, int b, P)\n#else\n, P)\n#endif\n{S }", "f"},
          {"kernel void f(\n#if X\nint b) {\n#elif Y\n) {\n#else\nvoid) {\n#endif\n } kernel void g() {}",
           "kernel void f(\n#if X\nint b, P) {S\n#elif Y\nP) {S\n#else\n/*void*/P) {S\n#endif\n } kernel void g(P) {S}",
           "f g"},
          {"kernel void f(void\n#ifdef X\n) {\n#else\n) {\n#endif\n }",
           "kernel void f(/*void*/\n#ifdef X\nP) {S\n#else\nP) {S\n#endif\n }", "f"},
          {"#ifdef X\nkernel void f(\n#else\nkernel void g(\n#endif\nint a) { }",
           "#ifdef X\nkernel void f(\n#else\nkernel void g(\n#endif\nint a, P) {S }", "f g"},
          {"kernel\n#ifdef X\n__attribute__((x))\n#endif\nvoid f(int a)\n#ifdef X\n{ 1; }\n#else\n{ 2; }\n#endif",
           "kernel\n#ifdef X\n__attribute__((x))\n#endif\nvoid f(int a, P)\n#ifdef X\n{S 1; }\n#else\n{S 2; }\n#endif",
           "f"});
}
END_TEST

START_TEST(alternatives_of_a_call_are_closed_alike)
{
    CHECK({"kernel void f() { g(1\n#ifdef X\n, 2);\n#else\n);\n#endif\n } kernel void g() {}",
           "kernel void f(P) {S g(1\n#ifdef X\n, 2, A);\n#else\n, A);\n#endif\n } kernel void g(P) {S}", "f g"});
}
END_TEST

START_TEST(an_alternative_that_is_level_tells_the_depth)
{
    CHECK(
        {"#if 0\nwhat { it ( was\n#endif\nkernel void f() {}", "#if 0\nwhat { it ( was\n#endif\nkernel void f(P) {S}",
         "f"},
        {"#if 1\nint a;\n#else\nint a {\n#endif\nkernel void f() {}",
         "#if 1\nint a;\n#else\nint a {\n#endif\nkernel void f(P) {S}", "f"},
        {"kernel void f() {\n#ifdef X\nfor (;;) {\n#endif\nf();\n#ifdef X\n}\n#endif\nf(); } kernel void g() {}",
         "kernel void f(P) {S\n#ifdef X\nfor (;;) {\n#endif\nf(A);\n#ifdef X\n}\n#endif\nf(A); } kernel void g(P) {S}",
         "f g"},
        {"#ifdef X\n#ifdef Y\n{\n#else\n{\n#endif\n#else\n#endif\nkernel void f() {}",
         "#ifdef X\n#ifdef Y\n{\n#else\n{\n#endif\n#else\n#endif\nkernel void f(P) {S}", "f"});
}
END_TEST

/* --- broken text --- */

START_TEST(one_that_another_calls_has_a_statement_of_its_own)
{
    static const struct instrument two = {.parameter = "P", .argument = "A", .statement = "S", .called = "C"};
    bool found[KERNELS];
    char *copy =
        instrument_kernels("kernel void f(); kernel void g() { f(); } kernel void f() {} kernel void foo() { f(); }",
                           kernels, KERNELS, &two, found);

    ck_assert_str_eq(
        copy, "kernel void f(P); kernel void g(P) {S f(A); } kernel void f(P) {C} kernel void foo(P) {S f(A); }");
    free(copy);
}
END_TEST

START_TEST(text_that_ends_anywhere_is_read_to_its_end)
{
    static const char text[] =
        "#if X /* \n */ \\\n\nkernel void f(void) /*;*/ __attribute__((a(\"(\\\"\", '\\''))) // {\\\n\n"
        "{ f(1); s->f(2); }\n#elif 1 // \\\n\n#endif";

    for (size_t length = 0; length < sizeof text; ++length) {
        bool found[KERNELS];
        char *cut = strndup(text, length);
        ck_assert_ptr_nonnull(cut);
        char *copy = instrument(cut, found);
        ck_assert_msg(found[0] == (strchr(cut, '}') != NULL || strstr(cut, "\n{") != NULL), "%s", cut);
        ck_assert_msg(found[0] == (strcmp(copy, cut) != 0), "%s", cut);
        free(copy);
        free(cut);
    }
}
END_TEST

START_TEST(unbalanced_text_loses_what_it_hides_and_no_more)
{
    CHECK_NONE("", "kernel void f(int a {}", "kernel void f(int a { } kernel void g() {}", "kernel void f(int a",
               "{ kernel void f() {}", "( kernel void f() {}", "/* kernel void f() {}", "\"kernel void f() {}",
               "#else\n#elif\n#endif\n", "kernel void f", "f(");
    CHECK(
        {"#if X\nint a {\n#elif Y\nint b {\n#endif\nkernel void f() {}",
         "#if X\nint a {\n#elif Y\nint b {\n#endif\nkernel void f(P) {S}", "f"},
        {"kernel void f() { ) f(); } kernel void g() {}", "kernel void f(P) {S ) f(A); } kernel void g(P) {S}", "f g"},
        {"} ) ] kernel void f() {}", "} ) ] kernel void f(P) {S}", "f"},
        {"kernel void f(int a; kernel void g() {}", "kernel void f(int a; kernel void g(P) {S}", "g"},
        {"kernel void f(int a) { if (a { } kernel void g() {}",
         "kernel void f(int a, P) {S if (a { } kernel void g() {}", "f"},
        {"kernel void f() { f(1; } kernel void g() { f(2); }",
         "kernel void f(P) {S f(1; } kernel void g(P) {S f(2, A); }", "f g"},
        {"#endif\n#else\nkernel void f() {}\n#if", "#endif\n#else\nkernel void f(P) {S}\n#if", "f"});
}
END_TEST

HARNESS_MAIN("instrument", definition_has_one_more_parameter_and_a_first_statement,
             token_kernel_may_stand_anywhere_before_the_name, empty_list_has_the_parameter_alone,
             parameter_stands_right_before_the_parenthesis, between_head_and_body_are_attributes_and_macros,
             declaration_has_the_parameter_alone, kernel_without_a_definition_is_left_as_it_is,
             names_are_whole_identifiers, only_a_list_behind_the_name_is_a_head, block_in_a_list_is_a_part_of_it,
             body_that_is_not_in_the_text_is_none, what_another_file_has_is_a_part_of_a_list,
             macro_may_make_what_is_before_the_name, macro_may_make_the_name, head_in_doubt_is_not_found,
             call_has_one_more_argument, one_that_another_calls_has_a_statement_of_its_own,
             member_or_variable_of_that_name_is_no_call, comments_literals_and_preprocessor_lines_are_skipped,
             windows_line_ends_stay, heads_in_alternatives_share_a_body, a_head_has_parts_in_alternatives,
             alternatives_of_a_call_are_closed_alike, an_alternative_that_is_level_tells_the_depth,
             text_that_ends_anywhere_is_read_to_its_end, unbalanced_text_loses_what_it_hides_and_no_more)
